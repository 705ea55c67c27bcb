// Columns that colour and label the map.

import { eigenpairs } from "../core/eigenpairs.js";
import { centredColumns, crossTable, dot, multiplied, toRows } from "../core/matrix.js";
import { text } from "../ui/text.js";
import { LIMITS } from "./limits.js";
import { readable } from "./readable.js";

const SHAPES = [
  "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
  "M-4 -4h8v8h-8z",
  "M0 -5.5L5 4H-5z",
  "M0 -5.8L5.8 0L0 5.8L-5.8 0z",
  "M-1.6 -5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4z",
  "M0 5.5L5 -4H-5z",
];
const COLOURS = 5;

/** A circle of some radius about the origin, as a path. */
const circle = (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/**
 * Groups with their colours and shapes, in the order of their first object or as told; those on a
 * ramp are circles that grow and change from one colour to another.
 */
function groupsOf(groups, { kinds = [...new Set(groups ?? [])], ramp = false } = {}) {
  const at = new Map(kinds.map((kind, g) => [kind, g]));
  const markOf = (g) =>
    ramp
      ? { d: circle(3 + 0.7 * g), class: `kl-class${g}` }
      : { d: SHAPES[g % SHAPES.length], class: `kl-group${g % COLOURS}` };
  return { kinds, markOf, of: (i) => (groups ? at.get(groups[i]) : 0) };
}

const CLASSES = 5;

/**
 * All columns of a reading, and of a table that was added: { key, title, values } or { key, title,
 * cells }.
 */
export function columnsIn({ kind, table, columns, texts }, added = []) {
  const numbers =
    kind === "points"
      ? table[0].map((_, c) => ({
          title: columns[c] || `column ${c + 1}`,
          values: table.map((row) => row[c]),
        }))
      : [];
  const [numberColumns, textColumns] = ["values", "cells"].map((what) =>
    [...numbers, ...(texts ?? []), ...added].filter((column) => column[what]),
  );
  const keyed = (letter) => (column, at) => ({ ...column, key: `${letter}${at}` });
  return [...textColumns.map(keyed("w")), ...numberColumns.map(keyed("n"))];
}

/** The words of each object in a column, for a label. */
const wordsIn = ({ cells, values }) => cells ?? values.map((x) => readable(x, 4));

/** Numbers in five classes of like size, and what each is called: { groups, kinds }. */
function classesOf(values) {
  const sorted = Float64Array.from(values).sort();
  const ends = Array.from(
    { length: CLASSES - 1 },
    (_, c) => sorted[Math.ceil(((c + 1) * sorted.length) / CLASSES) - 1],
  );
  const at = values.map((x) => ends.filter((end) => x > end).length);
  const kinds = Array.from({ length: CLASSES }, (_, c) => {
    const own = values.filter((_, i) => at[i] === c);
    if (!own.length) return null;
    const [low, high] = [Math.min(...own), Math.max(...own)].map((x) => readable(x, 3));
    return low === high ? low : `${low} to ${high}`;
  });
  const named = kinds.filter((kind) => kind !== null);
  return { groups: at.map((c) => kinds[c]), kinds: [...new Set(named)] };
}

/** The groups that a column makes: its words, its few numbers, or classes of its many. */
export function groupsBy(column, groups = null) {
  if (!column?.values) return groupsOf(column?.cells ?? groups);
  const distinct = [...new Set(column.values)].sort((a, b) => a - b);
  if (distinct.length <= 6)
    return groupsOf(column.values.map(String), { kinds: distinct.map(String) });
  const { groups: classes, kinds } = classesOf(column.values);
  return groupsOf(classes, { kinds, ramp: true });
}

/**
 * Regression of a column on the coordinates of a map: the direction in which it increases, and R
 * squared.
 */
export function propertyVector(points, k, values) {
  const Y = centredColumns(points, k);
  const z = centredColumns(Float64Array.from(values), 1);
  const all = dot(z, z);
  const { vectors, values: lambda } = eigenpairs(multiplied(transposed(Y, k), z.length, Y, k), k);
  const slope = new Float64Array(k);
  for (let a = 0; a < k; a++) {
    if (!(lambda[a] > 1e-12 * lambda[0])) continue;
    const axis = Float64Array.from({ length: k }, (_, c) => vectors[c * k + a]);
    const part = dot(multiplied(Y, k, axis, 1), z) / lambda[a];
    for (let c = 0; c < k; c++) slope[c] += part * axis[c];
  }
  const fitted = multiplied(Y, k, slope, 1);
  const length = Math.sqrt(dot(slope, slope)) || 1;
  return {
    direction: slope.map((x) => x / length),
    rSquared: all > 0 ? dot(fitted, fitted) / all : 0,
  };
}

const transposed = (Y, k) => crossTable(k, Y.length / k, (c, i) => Y[i * k + c]);

const MOST_ARROWS = 8;

/** The arrows of the columns that a map fits best. */
export function arrowsOf(points, k, columns) {
  return columns
    .filter(({ values }) => values)
    .map(({ title, values }) => ({ title, ...propertyVector(points, k, values) }))
    .sort((a, b) => b.rSquared - a.rSquared)
    .slice(0, MOST_ARROWS);
}

/** Describe the arrows. */
export function arrowWords(arrows, count) {
  if (!arrows.length) return "";
  const which =
    arrows.length < count
      ? `The arrows of the ${arrows.length} of ${count} variables with the largest R\u00b2`
      : "The arrows";
  const listed = arrows.map(({ title, rSquared }) => `${title} ${text(rSquared, 2)}`).join(", ");
  return (
    `${which} point in the direction in which a variable increases; an arrow as long as the ` +
    `radius of the map has R\u00b2 = 1. R\u00b2: ${listed}.`
  );
}

/** The labels of the points: a column, the names, or the numbers of a few rows without names. */
export function labelsOf({ reading: { names, groups, table }, choices }, column) {
  if (column) return wordsIn(column);
  if (choices.labels === "none" || table.length > LIMITS.withoutLandmarks) return null;
  const counted =
    !names || [0, 1].some((from) => names.every((own, i) => own === String(i + from)));
  const few = !groups && table.length <= 60;
  return counted ? (few ? table.map((_, i) => names?.[i] ?? String(i)) : null) : names;
}

/** The arrows of the map with their tips, if the reader wants them. */
export function shownArrows({ choices, shown, reading, added }, k) {
  if (!choices.arrows) return [];
  const radius = Math.max(...toRows(centredColumns(shown, k), k).map((row) => Math.hypot(...row)));
  const tipOf = ({ direction, rSquared }) => direction.map((x) => radius * rSquared * x);
  return arrowsOf(shown, k, columnsIn(reading, added)).map((arrow) => ({
    ...arrow,
    tip: tipOf(arrow),
  }));
}
