// The computations of the explorer of classical scaling.

import { addConstant, additiveConstant } from "../core/classicalScaling.js";
import { fitGram } from "../core/fitGram.js";
import { minusHalfSquares } from "../core/gram.js";
import {
  centredColumns,
  distances,
  fromRows,
  innerProduct,
  largestModulus,
  padColumns,
  sumOf,
} from "../core/matrix.js";
import { disagreements, fromPairs } from "../core/pairs.js";
import { procrustesAlign } from "../core/procrustes.js";
import { goodnessOfFit, negativeMass } from "../core/spectrum.js";

/** @import { Method } from "../core/classicalScaling.js" */
/** @import { Explorer } from "../ui/state.js" */
/** @typedef {Explorer<ReturnType<typeof resultOf>>} ScalingExplorer */
/** @typedef {{ labels: string[], upper: number[], places: Point[] }} Data */
/** @typedef {<Value>(name: string, key: string, work: () => Value) => Value} Cached */
/**
 * @typedef {object} State
 * @property {"all" | "map" | "cities"} show  the view
 * @property {"roads" | "straight"} base  the matrix before the edits
 * @property {number[][]} edits  [i, j, length] for each changed entry, in km
 * @property {Method} method  the method of the constant
 * @property {number} share  the fraction of the constant that is added
 * @property {number[]} chosen  the two cities of the chosen entry
 * @property {number[]} moved  [city, x, y] if a city was dragged, in km, or empty
 */

export const ENTRY_MOST = 9999;
/** Treat eigenvalues below this fraction of the largest one as zero. */
const NEGLIGIBLE = 1e-9;

/** Return the matrix of a state before and after its edits, and its additive constants.
 * @param {Data} data @param {State} state */
function readMatrix({ labels, upper, places }, { base, edits }) {
  const n = labels.length;
  const original = base === "straight" ? distances(fromRows(places), 2) : fromPairs(upper, n);
  const D = original.slice();
  for (const [i, j, length] of edits) D[i * n + j] = D[j * n + i] = length;
  const [cailliez, lingoes] = [additiveConstant(D, n), additiveConstant(D, n, "lingoes")];
  const before = edits.length ? additiveConstant(original, n) : cailliez;
  return { original, D, constants: { cailliez, lingoes }, before };
}

/** Return the map of a matrix with its constant, rotated onto the places, and the spectrum.
 * @param {ReturnType<typeof readMatrix>} matrix @param {State} state @param {Matrix} places */
function readMap({ D, constants }, { method, share }, places) {
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

/** Return ||B - YY'||^2 after centring. @type {(B: Matrix, points: Matrix, n: number) => number} */
function strain(B, points, n) {
  const Y = centredColumns(points, 2);
  return sumOf(B, (b, at) => (b - innerProduct(Y, Math.floor(at / n), Y, at % n, 2)) ** 2);
}

/**
 * Return the points onto which the map is rotated: the true places or, in the view "cities", the
 * first map with the city that was moved.
 * @type {(state: State, data: Data, cached: Cached) => Matrix}
 */
function targetOf(state, data, cached) {
  const { base, show, moved } = state;
  const places = fromRows(data.places);
  if (show !== "cities") return places;
  const target = cached("first", base, () =>
    readMap(readMatrix(data, { ...state, edits: [] }), { ...state, share: 0 }, places),
  ).fitted.slice();
  const [city, ...place] = moved;
  if (place.length) target.set(place, 2 * city);
  return target;
}

/** Return all that is shown of a state; results that do not change are kept in `cache`. */
export function resultOf(/** @type {State} */ state, /** @type {Data} */ data, cache = {}) {
  const known = /** @type {Record<string, any>} */ (cache);
  /** @type {Cached} */
  const cached = (name, key, work) => {
    if (known[name]?.key !== key) known[name] = { key, value: work() };
    return known[name].value;
  };
  const { base, edits, method, share, show, moved } = state;
  const key = JSON.stringify([base, edits]);
  const matrix = cached("matrix", key, () => readMatrix(data, state));
  const target = targetOf(state, data, cached);
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
  return { ...matrix, ...map, points, target, pairs, worst, strainRatio };
}
