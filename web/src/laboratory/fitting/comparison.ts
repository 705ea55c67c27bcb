// Compare a map with others: of another table, without single objects, of permuted data.

import type { Matrix, Names, Table } from "../../core/matrix.ts";
import {
  centredColumns,
  crossTable,
  dot,
  padColumns,
  squaredDistance,
  sumOf,
  toRows,
} from "../../core/matrix.ts";
import { procrustesAlign } from "../../core/procrustes.ts";
import { noise } from "../../core/random.ts";
import { explained } from "../../core/spectrum.ts";
import type { ParsedTable } from "../reading/parsedTable.ts";
import { isIncomplete } from "../reading/squareTables.ts";
import { type Choices, cleanChoices, type UncheckedChoices } from "./fitOptions.ts";
import { computeMap, type FitInput, type FitRequest, fitSteps, prepareFit } from "./fits.ts";
import { withoutProgress } from "./generators.ts";

/** Return the row of each object in another table, by name if both have names, or null. */
function orderIn(names: Names, others: Names, n: number) {
  const inOrder = Array.from({ length: n }, (_, i) => i);
  if (!names || !others || new Set(names).size < n) return inOrder;
  const order = names.map((name) => others.indexOf(name));
  return order.includes(-1) ? null : order;
}

/** Another table, the choices for its map, and the names and the number of the objects. */
type OtherTable = { parsed: ParsedTable; choices: UncheckedChoices; names: Names; count: number };

/** Fit a map to another table of the same objects, in the order of the first table. */
export function* comparisonSteps({ parsed, choices, names, count }: OtherTable) {
  const { kind, table, texts, fault } = parsed;
  if (fault) throw new Error(fault.sentence);
  if (table.length !== count)
    throw new Error(`This table has ${table.length} objects, and the map has ${count}.`);
  const order = orderIn(names, parsed.names, count);
  if (!order) throw new Error("The objects of this table have other names.");
  const cleaned = cleanChoices(choices, kind, count, { incomplete: isIncomplete(table) });
  const { points } = yield* withoutProgress(fitSteps({ kind, table, texts, choices: cleaned }));
  const k = cleaned.dimensions;
  return {
    points: crossTable(count, k, (i, c) => points[order[i] * k + c]),
    order,
    method: cleaned.method,
  };
}

export type Stability = ReturnType<typeof spreadOf> & { clouds: Matrix[]; chosen: number[] };
export type Chance = { observed: number[]; permuted: number[][]; byStress: boolean };

const MOST_LEFT_OUT = 60;

/** Return the input of the same fit without one object. */
function without(request: FitRequest, input: FitInput, i: number): FitInput {
  const isLeft = (_: unknown, r: number) => r !== i;
  const rows = request.table.filter(isLeft);
  const table = request.kind === "points" ? rows : rows.map((row) => row.filter(isLeft));
  const texts = request.texts?.map(({ title, cells }) => ({ title, cells: cells.filter(isLeft) }));
  const choices = { ...request.choices, parameter: input.choices.parameter };
  return prepareFit({ ...request, table, texts, choices });
}

/** Leave out objects in turn; return the maps of the others, aligned with the map of all. */
export function* stabilitySteps({ request, points }: { request: FitRequest; points: Matrix }) {
  const input = prepareFit(request);
  const k = input.choices.dimensions;
  const count = Math.min(input.n, MOST_LEFT_OUT); // spread evenly over the table
  const chosen = Array.from({ length: count }, (_, r) => Math.floor((r * input.n) / count));
  const clouds: Float64Array[] = [];
  for (const i of chosen) {
    const rest = points.filter((_, at) => Math.floor(at / k) !== i);
    const smaller = without(request, input, i);
    smaller.choices.scale = input.choices.scale;
    const steps = computeMap(smaller, request.choices.method === "stress" ? rest : null);
    let step = steps.next();
    while (!step.done)
      step = steps.next((yield { done: clouds.length, of: chosen.length }) as boolean);
    const reduced = padColumns(step.value.points, step.value.axesUsed, input.n - 1, k);
    const aligned = procrustesAlign(reduced, k, rest).points;
    const all = new Float64Array(input.n * k).fill(NaN);
    all.set(aligned.subarray(0, i * k));
    all.set(aligned.subarray(i * k), (i + 1) * k);
    clouds.push(all);
    if ((yield { done: clouds.length, of: chosen.length }) as boolean) break;
  }
  return { clouds, chosen: chosen.slice(0, clouds.length), ...spreadOf(clouds, points, k) };
}

/** Return how far each object moves, and how far others move without it, relative to the map. */
function spreadOf(clouds: Matrix[], points: Matrix, k: number) {
  const n = points.length / k;
  const size = Math.sqrt(sumOf(centredColumns(points, k), (x) => x * x) / n) || 1;
  const meanRoot = (squares: number[]) => {
    const finite = squares.filter(Number.isFinite);
    return finite.length ? Math.sqrt(sumOf(finite, (x) => x) / finite.length) / size : 0;
  };
  const objects = Array.from({ length: n }, (_, j) => j);
  const far = clouds.map((cloud) => objects.map((j) => squaredDistance(cloud, j, points, j, k)));
  return {
    moves: objects.map((j) => meanRoot(far.map((squares) => squares[j]))),
    influence: far.map(meanRoot),
  };
}

const [MOST_DIMENSIONS, PERMUTATIONS] = [6, 20];
/** The most objects whose permuted tables are compared by stress, not by the explained fraction. */
const MOST_FITTED = 60;

function shuffled(values: number[], random: Iterator<number, never>) {
  const keys = values.map((value) => [random.next().value, value]);
  return keys.sort(([a], [b]) => a - b).map(([, value]) => value);
}

/** Permute the numbers of a table: each column of points, or the pairs of a matrix. */
function permutedTable({ kind, table }: FitRequest, random: Iterator<number, never>): Table {
  if (kind === "points") {
    const valuesIn = (c: number) => table.map((row) => row[c]);
    const columns = table[0].map((_, c) => shuffled(valuesIn(c), random));
    return table.map((_, i) => columns.map((column) => column[i]));
  }
  const places = table.flatMap((row, i) =>
    row.flatMap((x, j) => (j < i && !Number.isNaN(x) ? [[i, j]] : [])),
  );
  const given = places.map(([i, j]) => table[i][j]);
  const values = shuffled(given, random);
  const permuted = table.map((row) => [...row]);
  places.forEach(([i, j], k) => (permuted[i][j] = permuted[j][i] = values[k]));
  return permuted;
}

/** Generate permuted tables, the same ones in every run. */
export function* permutedTables(request: FitRequest) {
  const random = noise();
  for (let count = 0; count < PERMUTATIONS; count++) yield permutedTable(request, random);
}

/** Compute stress-1, or the explained fraction, with 1, 2, ... dimensions. */
function* curveOf(request: FitRequest, byStress: boolean) {
  const most = Math.min(MOST_DIMENSIONS, request.table.length - 1);
  const { choices } = request;
  const spectral = choices.method === "stress" ? "classical" : choices.method;
  const fitted = (dimensions: number, method: Choices["method"]) =>
    fitSteps({ ...request, choices: { ...choices, dimensions, method } });
  if (!byStress) return Array.from(explained((yield* fitted(1, spectral)).spectrum)).slice(0, most);
  const curve: number[] = [];
  for (let k = 1; k <= most; k++) curve.push((yield* fitted(k, "stress")).stress ?? 0);
  return curve;
}

/** Compute the curve of a table, and those of the same numbers in random permutations. */
export function* chanceSteps(request: FitRequest) {
  const { choices, table } = request;
  const byStress =
    choices.method === "stress" && (table.length <= MOST_FITTED || isIncomplete(table));
  const observed = yield* withoutProgress(curveOf(request, byStress));
  const permuted: number[][] = [];
  for (const other of permutedTables(request)) {
    permuted.push(yield* withoutProgress(curveOf({ ...request, table: other }, byStress)));
    if ((yield { done: permuted.length, of: PERMUTATIONS }) as boolean) break;
  }
  return { observed, permuted, byStress };
}

/** Return the lowest and the highest value of permuted tables for each number of dimensions. */
export function bandOf(permuted: number[][]) {
  return permuted[0].map((_, i) => {
    const values = permuted.map((curve) => curve[i]);
    return [Math.min(...values), Math.max(...values)];
  });
}

/**
 * Align another map with one by rotation, reflection, translation and scaling; return its points,
 * m squared, and the distance between the two positions of each object.
 */
export function overlayOf(points: Matrix, k: number, other: Matrix) {
  const { points: aligned, residual } = procrustesAlign(other, k, points, { scaling: true });
  const centred = centredColumns(points, k);
  const errors = points.map((x, at) => x - aligned[at]);
  const gaps = toRows(errors, k).map((row) => Math.hypot(...row));
  return { points: aligned, mSquared: residual ** 2 / (dot(centred, centred) || 1), gaps };
}
