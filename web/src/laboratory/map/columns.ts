// Columns that colour and label the map.

import { eigenpairs } from "../../core/eigenpairs.ts";
import type { Matrix, Names } from "../../core/matrix.ts";
import { centredColumns, crossTable, dot, matrixProduct, toRows } from "../../core/matrix.ts";
import { readableNumber, text } from "../../ui/text.ts";
import { LIMITS } from "../reading/limits.ts";
import { type Column, columnsIn, type ParsedTable } from "../reading/parsedTable.ts";

export type Groups = ReturnType<typeof groupsOf>;

const SHAPES = [
  "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
  "M-4 -4h8v8h-8z",
  "M0 -5.5L5 4H-5z",
  "M0 -5.8L5.8 0L0 5.8L-5.8 0z",
  "M-1.6 -5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4z",
  "M0 5.5L5 -4H-5z",
];
const COLOURS = 5;

/** Return the path of a circle about the origin. */
const circle = (r: number) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/**
 * Return the `names` of groups in order, by default that of their first objects, and functions that
 * return a group's mark and an object's group. A `ramp` has circles that grow from ochre to blue.
 */
function groupsOf(words: Names, { names = [...new Set(words ?? [])], ramp = false } = {}) {
  const indices = new Map(names.map((name, g) => [name, g]));
  const markOf = (g: number) =>
    ramp
      ? { d: circle(3 + 0.7 * g), class: `kl-class${g}` }
      : { d: SHAPES[g % SHAPES.length], class: `kl-group${g % COLOURS}` };
  return { names, markOf, groupOf: (i: number) => (words ? indices.get(words[i]) : 0) };
}

const CLASSES = 5;

/** Return the label of each object from a column. */
const wordsIn = ({ cells, values = [] }: Column): string[] =>
  cells ?? values.map((x) => readableNumber(x, 4));

/** Divide numbers into five classes of about equal size; return each class and all names. */
function classesOf(values: number[]) {
  const sorted = Float64Array.from(values).sort();
  const endOf = (c: number) => sorted[Math.ceil(((c + 1) * sorted.length) / CLASSES) - 1];
  const ends = Array.from({ length: CLASSES - 1 }, (_, c) => endOf(c));
  const classes = values.map((x) => ends.filter((end) => x > end).length);
  const names = Array.from({ length: CLASSES }, (_, c) => {
    const within = values.filter((_, i) => classes[i] === c);
    if (!within.length) return "";
    const [low, high] = [Math.min(...within), Math.max(...within)].map((x) => readableNumber(x, 3));
    return low === high ? low : `${low} to ${high}`;
  });
  return { words: classes.map((c) => names[c]), names: [...new Set(names.filter(Boolean))] };
}

/** Return the groups of a column: its words, its numbers if they are few, or classes of them. */
export function groupsBy(column?: Column, groups: Names = null) {
  if (!column?.values) return groupsOf(column?.cells ?? groups);
  const distinct = [...new Set(column.values)].sort((a, b) => a - b);
  if (distinct.length <= 6)
    return groupsOf(column.values.map(String), { names: distinct.map(String) });
  const { words, names } = classesOf(column.values);
  return groupsOf(words, { names, ramp: true });
}

/** Regress a column on a map; return the direction of increase and R squared. */
export function propertyVector(points: Matrix, k: number, values: number[]) {
  const Y = centredColumns(points, k);
  const z = centredColumns(Float64Array.from(values), 1);
  const all = dot(z, z);
  const transposed = crossTable(k, z.length, (c, i) => Y[i * k + c]);
  const { vectors, values: lambda } = eigenpairs(matrixProduct(transposed, z.length, Y, k), k);
  const coefficients = new Float64Array(k);
  for (let a = 0; a < k; a++) {
    if (!(lambda[a] > 1e-12 * lambda[0])) continue;
    const axis = Float64Array.from({ length: k }, (_, c) => vectors[c * k + a]);
    const along = dot(matrixProduct(Y, k, axis, 1), z) / lambda[a];
    for (let c = 0; c < k; c++) coefficients[c] += along * axis[c];
  }
  const fitted = matrixProduct(Y, k, coefficients, 1);
  const length = Math.sqrt(dot(coefficients, coefficients)) || 1;
  return {
    direction: coefficients.map((x) => x / length),
    rSquared: all > 0 ? dot(fitted, fitted) / all : 0,
  };
}

const MOST_ARROWS = 8;

/** Return the arrows of the columns that a map fits best. */
export function arrowsOf(points: Matrix, k: number, columns: Column[]) {
  return columns
    .flatMap(({ title, values }) => (values ? { title, ...propertyVector(points, k, values) } : []))
    .sort((a, b) => b.rSquared - a.rSquared)
    .slice(0, MOST_ARROWS);
}

export function arrowWords(arrows: ReturnType<typeof arrowsOf>, count: number): string {
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

/** Return the labels of points: a column, names or, if few, numbers. */
export function labelsOf({ names, groups, table }: ParsedTable, labels: string, column?: Column) {
  if (column) return wordsIn(column);
  if (labels === "none" || table.length > LIMITS.withoutLandmarks) return null;
  const counted =
    !names || [0, 1].some((from) => names.every((name, i) => name === String(i + from)));
  const few = !groups && table.length <= 60;
  return counted ? (few ? table.map((_, i) => names?.[i] ?? String(i)) : null) : names;
}

/** Return up to three variables with the largest variances, if others have less than a tenth. */
export function decidingColumns(parsed: ParsedTable) {
  const varying = columnsIn(parsed)
    .flatMap(({ title, values }) => {
      if (!values?.some((x) => x !== values[0])) return [];
      const z = centredColumns(Float64Array.from(values), 1);
      return [{ title, square: dot(z, z) }];
    })
    .sort((a, b) => b.square - a.square);
  const most = varying.filter(({ square }) => 10 * square >= varying[0].square);
  return most.length > 3 || most.length === varying.length ? [] : most.map(({ title }) => title);
}

/** Return the arrows of a map with their tips. */
export function shownArrows(points: Matrix, k: number, columns: Column[]) {
  const radius = Math.max(...toRows(centredColumns(points, k), k).map((row) => Math.hypot(...row)));
  return arrowsOf(points, k, columns).map((arrow) => {
    return { ...arrow, tip: arrow.direction.map((x) => radius * arrow.rSquared * x) };
  });
}
