// The computations of the explorer of classical scaling.

import { addConstant, additiveConstant, type Method } from "../core/classicalScaling.ts";
import { fitGram } from "../core/fitGram.ts";
import { minusHalfSquares } from "../core/gram.ts";
import type { Matrix, Point } from "../core/matrix.ts";
import {
  centredColumns,
  distances,
  fromRows,
  innerProduct,
  largestModulus,
  padColumns,
  sumOf,
} from "../core/matrix.ts";
import { disagreements, fromPairs } from "../core/pairs.ts";
import { procrustesAlign } from "../core/procrustes.ts";
import { goodnessOfFit, negativeMass } from "../core/spectrum.ts";
import type { Explorer } from "../ui/state.ts";

export type Result = ReturnType<typeof resultOf>;
export type ScalingExplorer = Explorer<Result>;
export type Data = { labels: string[]; upper: number[]; places: Point[]; coast: string };
type Read = ReturnType<typeof readMatrix>;
type Cache = Record<string, { key: string; value: unknown }>;
type Cached = <Value>(name: string, key: string, work: () => Value) => Value;
export interface State {
  show: "all" | "map" | "cities"; // the view
  base: "roads" | "straight"; // the matrix before the edits
  edits: number[][]; // [i, j, length] for each changed entry, in km
  method: Method; // the method of the constant
  share: number; // the fraction of the constant that is added
  chosen: [number, number]; // the two cities of the chosen entry
  moved: number[]; // [city, x, y] if a city was dragged, in km, or empty
}

export const ENTRY_MOST = 9999;
/** Treat eigenvalues below this fraction of the largest one as zero. */
const NEGLIGIBLE = 1e-9;

/** Return the matrix of a state before and after its edits, and its additive constants. */
function readMatrix({ labels, upper, places }: Data, { base, edits }: State) {
  const n = labels.length;
  const original = base === "straight" ? distances(fromRows(places), 2) : fromPairs(upper, n);
  const D = original.slice();
  for (const [i, j, length] of edits) D[i * n + j] = D[j * n + i] = length;
  const [cailliez, lingoes] = [additiveConstant(D, n), additiveConstant(D, n, "lingoes")];
  const before = edits.length ? additiveConstant(original, n) : cailliez;
  return { original, D, constants: { cailliez, lingoes }, before };
}

/** Return the map of a matrix with its constant, rotated onto the places, and the spectrum. */
function readMap({ D, constants }: Read, { method, share }: State, places: Matrix) {
  const n = places.length / 2;
  const constant = share * constants[method];
  const delta = addConstant(D, constant, method);
  for (let i = 0; i < n; i++) delta[i * n + i] = 0;
  const fit = fitGram(minusHalfSquares(delta), n, 2);
  const { gram } = fit;
  const fitted = procrustesAlign(padColumns(fit.points, fit.axesUsed, n, 2), 2, places).points;
  const values = fit.spectrum();
  const zero = NEGLIGIBLE * largestModulus(values);
  const negative = values.filter((value) => value < -zero).length;
  const mass = negative ? negativeMass(values) : 0;
  const minStrain = strain(gram, fitted, n);
  const goodness = goodnessOfFit(values, 2);
  return { constant, delta, gram, fitted, values, zero, negative, mass, minStrain, goodness };
}

/** Return ||B - YY'||^2 after centring. */
function strain(B: Matrix, points: Matrix, n: number): number {
  const Y = centredColumns(points, 2);
  return sumOf(B, (b, at) => (b - innerProduct(Y, Math.floor(at / n), Y, at % n, 2)) ** 2);
}

/**
 * Return the points onto which the map is rotated: the true places or, in the view "cities", the
 * first map with the city that was moved; and the first map, which is empty if it has not changed.
 */
function targetOf(state: State, data: Data, cached: Cached): { target: Matrix; first: Matrix } {
  const { base, show, edits, moved } = state;
  const places = fromRows(data.places);
  if (show !== "cities") return { target: places, first: Float64Array.of() };
  const { fitted } = cached("first", base, () =>
    readMap(readMatrix(data, { ...state, edits: [] }), { ...state, share: 0 }, places),
  );
  const target = fitted.slice();
  const [city, ...place] = moved;
  if (place.length) target.set(place, 2 * city);
  return { target, first: edits.length ? fitted : Float64Array.of() };
}

/** Return all that is shown of a state; results that do not change are kept in `cache`. */
export function resultOf(state: State, data: Data, cache: Cache = {}) {
  const cached: Cached = (name, key, work) => {
    if (cache[name]?.key !== key) cache[name] = { key, value: work() };
    return cache[name].value as ReturnType<typeof work>;
  };
  const { base, edits, method, share, show, moved } = state;
  const key = JSON.stringify([base, edits]);
  const matrix = cached("matrix", key, () => readMatrix(data, state));
  const { target, first } = targetOf(state, data, cached);
  const map = cached("map", JSON.stringify([key, method, share, ...target]), () =>
    readMap(matrix, state, target),
  );
  const points = map.fitted.slice();
  const [city, ...place] = moved;
  if (show !== "cities" && place.length) points.set(place, 2 * city);
  const n = data.labels.length;
  const pairs = disagreements(map.delta, points, n);
  const worst = pairs.slice(0, 3).filter((pair) => Math.abs(pair.map - pair.table) >= 0.05);
  const strainRatio = strain(map.gram, points, n) / map.minStrain;
  return { ...matrix, ...map, points, target, first, pairs, worst, strainRatio };
}
