// The numbers and the texts of the explorer of Isomap.

import { fitGram } from "../core/fitGram.js";
import { minusHalfSquares } from "../core/gram.js";
import { centredColumns, distances, dot, fromRows, padColumns } from "../core/matrix.js";
import {
  components,
  disconnectedMessage,
  joiningCount,
  nearestNeighbors,
  shortestPaths,
  symmetricGraph,
  TIE,
} from "../core/neighborGraph.js";
import { procrustesAlign } from "../core/procrustes.js";
import { negativeMass } from "../core/spectrum.js";
import { percent, text } from "../ui/text.js";

/** @import { Graph } from "../core/neighborGraph.js" */
/** @typedef {{ points: number[][], sheet: number[][] }} Data */
/** @typedef {ReturnType<typeof rollOf>} Roll */
/** @typedef {{ roll: Roll, maps: Record<string, GraphMap | undefined> }} Cache */
/** An edge, its lengths in space and on the sheet, and the fraction of shortest paths through it.
 * @typedef {{ i: number, j: number, space: number, sheet: number, share?: number }} Edge */
/**
 * @typedef {object} State
 * @property {"all" | "map"} show  the view
 * @property {number} n_points
 * @property {number} n_neighbors
 * @property {number[][]} removed  the edges [i, j] that were removed
 * @property {number[]} view  the rotation and the tilt of the roll, in degrees
 */
/**
 * The map of a graph, if the graph is connected.
 * @typedef {object} GraphMap
 * @property {number} n  the number of points
 * @property {number} k  the number of neighbours
 * @property {Edge[]} edges
 * @property {Edge[]} removed
 * @property {Edge[]} shortCircuits
 * @property {Required<Edge>[]} [worst]  the short circuits, those on most shortest paths first
 * @property {string} [disconnected]  why there is no map
 * @property {Float64Array} [geodesics]  the lengths of the shortest paths
 * @property {Float64Array} [points]
 * @property {number} [error]  the relative squared error
 * @property {number} [mass]  the negative mass
 * @property {number | null} [detour]  the median of path length / distance on the sheet
 */
/** @typedef {GraphMap & { massBefore?: number, errorBefore?: number }} Result */

export const [FEWEST_POINTS, FEWEST, MOST] = [40, 2, 15];
/** Ratio of the distances on the sheet and in space from which an edge is a short circuit. */
const SHORT_CIRCUIT = 2;
/** Relative squared error below which a map counts as a flat strip. */
export const FLAT_ERROR = 0.1;
export const [SHADES, LISTED, MAX_REMOVED] = [8, 3, 60];
/** Numbers of points and of neighbours. */
export const PRESETS = { five: [100, 5], many: [100, 7], dense: [200, 7], apart: [200, 2] };

/** Return the first n points of a roll, with their distances in space and on the sheet. */
function rollOf(/** @type {Data} */ { points, sheet }, /** @type {number} */ n) {
  const [X, places] = [points, sheet].map((rows) => fromRows(rows.slice(0, n)));
  return { n, D: distances(X, 3), onSheet: distances(places, 2), places };
}

/** Return the edges i < j of a graph with both lengths. */
function edgesOf(/** @type {Graph} */ graph, /** @type {Roll} */ { n, D, onSheet }) {
  /** @type {(i: number, j: number) => Edge} */
  const edge = (i, j) => ({ i, j, space: D[i * n + j], sheet: onSheet[i * n + j] });
  return graph.flatMap((near, i) => near.filter((j) => j > i).map((j) => edge(i, j)));
}

/** Return the fraction of all shortest paths that contain an edge. */
function pathShare(/** @type {Edge} */ { i, j, space }, /** @type {Matrix} */ geodesics) {
  const n = Math.sqrt(geodesics.length);
  let count = 0;
  for (let a = 0; a < n; a++) {
    for (let b = 0; b < a; b++) {
      const there = geodesics[a * n + i] + geodesics[j * n + b];
      const back = geodesics[a * n + j] + geodesics[i * n + b];
      if (Math.min(there, back) + space <= geodesics[a * n + b] * (1 + TIE)) count++;
    }
  }
  return count / ((n * (n - 1)) / 2);
}

/** Remove edges from a graph; ignore those that it does not have. */
function withoutEdges(/** @type {Graph} */ graph, /** @type {number[][]} */ removed) {
  /** @type {(i: number, j: number) => boolean} */
  const isRemoved = (i, j) =>
    removed.some(([a, b]) => (a === i && b === j) || (a === j && b === i));
  return removed.length ? graph.map((near, i) => near.filter((j) => !isRemoved(i, j))) : graph;
}

/** Return why there is no map. @type {(whole: Graph, roll: Roll, k: number) => string} */
function disconnectedText(whole, { n, D }, k) {
  const parts = components(whole);
  if (parts.length === 1) return "Without the removed edges, the graph is not connected.";
  return disconnectedMessage(parts, k, joiningCount(D, n, k));
}

/** Compute Isomap with k neighbours, without some edges, and align the map with the sheet.
 * @type {(roll: Roll, k: number, without: number[][]) => GraphMap} */
export function mapOf(roll, k, without) {
  const { n, D, places } = roll;
  const whole = symmetricGraph(nearestNeighbors(D, n, k));
  const graph = withoutEdges(whole, without);
  const removed = edgesOf(whole, roll).filter(({ i, j }) => !graph[i].includes(j));
  const edges = edgesOf(graph, roll);
  const shortCircuits = edges.filter(({ space, sheet }) => sheet > SHORT_CIRCUIT * space);
  const found = { n, k, edges, shortCircuits, removed };
  if (components(graph).length > 1)
    return { ...found, disconnected: disconnectedText(whole, roll, k) };
  const geodesics = shortestPaths(graph, D, n);
  const fit = fitGram(minusHalfSquares(geodesics), n, 2);
  const padded = padColumns(fit.points, fit.axesUsed, n, 2);
  const { points, residual } = procrustesAlign(padded, 2, places);
  const centred = centredColumns(places, 2);
  const error = residual ** 2 / dot(centred, centred);
  const detour = shortCircuits.length || error < FLAT_ERROR ? null : medianDetour(geodesics, roll);
  return { ...found, points, error, detour, mass: negativeMass(fit.spectrum()), geodesics };
}

function medianDetour(/** @type {Matrix} */ geodesics, /** @type {Roll} */ { n, onSheet }) {
  const ratios = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < i; j++) ratios.push(geodesics[i * n + j] / onSheet[i * n + j]);
  return ratios.sort((a, b) => a - b)[ratios.length >> 1];
}

/** Sort the short circuits by the fraction of the shortest paths that contain them. */
function sortedShortCircuits(/** @type {GraphMap} */ { shortCircuits, geodesics }) {
  const shareOf = (/** @type {Edge} */ edge) => (geodesics ? pathShare(edge, geodesics) : 0);
  return shortCircuits
    .map((edge) => ({ ...edge, share: shareOf(edge) }))
    .sort((a, b) => b.share - a.share || b.sheet / b.space - a.sheet / a.space);
}

/** Return the text of the banner; the view "map" does not mention the negative mass. */
export function isomapVerdict(/** @type {Result} */ result, /** @type {string} */ show) {
  const { disconnected, k } = result;
  if (disconnected)
    return { holds: false, head: `For κ = ${k} there is no map.`, reason: disconnected };
  const found = /** @type {Required<Result>} */ (result);
  const { edges, shortCircuits, error } = found;
  const count = shortCircuits.length;
  const isFlat = error < FLAT_ERROR;
  const head = `The map is ${isFlat ? "" : "not "}a flat strip`;
  const are = count === 1 ? "is a short circuit" : "are short circuits";
  const some = `${count || "none"} of ${edges.length} edges ${count ? are : "is a short circuit"}`;
  const link = isFlat === (count === 0) ? ": " : ", although ";
  return { holds: isFlat, head: `${head}${link}${some}.`, reason: reasonOf(found, show) };
}

function reasonOf(/** @type {Required<Result>} */ result, /** @type {string} */ show) {
  const { removed, mass, massBefore, worst, n, k, error, errorBefore, detour } = result;
  const isReduced = show === "map";
  const measure = isReduced ? "relative squared error" : "negative mass";
  const value = (/** @type {number} */ error, /** @type {number} */ mass) =>
    isReduced ? percent(error) : text(mass, 3);
  const now = `the ${measure} is ${value(error, mass)}`;
  if (removed.length) {
    const [{ i, j }] = removed;
    const edges = removed.length === 1 ? `edge ${i}–${j}` : `${removed.length} edges`;
    const before = massBefore === undefined ? "" : ` instead of ${value(errorBefore, massBefore)}`;
    return `Without ${edges}, ${now}${before}.`;
  }
  if (worst.length) {
    const { i, j, space, sheet, share } = worst[0];
    return (
      `The ends of edge ${i}–${j} are ${text(space, 1)} apart in space and ${text(sheet, 1)} ` +
      `apart on the sheet, and ${percent(share)} of all shortest paths contain it; ${now}.`
    );
  }
  const graph = detour
    ? `The median path is ${text(detour, 2)} times as long as on the sheet.`
    : `For κ = ${k}, the graph connects all ${n} points.`;
  const first = `${graph} The relative squared error of the map is ${percent(error)}`;
  return isReduced ? `${first}.` : `${first}, and ${now}.`;
}

const keyOf = (/** @type {any[]} */ ...key) => JSON.stringify(key);

/** Return a map, and keep it. @type {(cache: Cache, k: number, removed: number[][]) => GraphMap} */
function cachedMap({ maps, roll }, k, removed) {
  const found = (maps[keyOf(k, removed)] ??= mapOf(roll, k, removed));
  found.worst ??= sortedShortCircuits(found);
  return found;
}

/** @param {State} state @param {Data} data @param {any} cache @returns {Result} */
export function graphResult(state, data, cache = {}) {
  const { n_points: n, n_neighbors: k, removed } = state;
  if (cache.roll?.n !== n) Object.assign(cache, { roll: rollOf(data, n), maps: {} });
  const result = cachedMap(cache, k, removed);
  if (!result.removed.length) return result;
  const { mass: massBefore, error: errorBefore } = cachedMap(cache, k, []);
  return { ...result, massBefore, errorBefore };
}

/** Return the maps that are known, one for each number of neighbours, with all edges. */
export const curveOf = (/** @type {Cache} */ { maps }) =>
  Array.from({ length: MOST - FEWEST + 1 }, (_, at) => maps[keyOf(at + FEWEST, [])]);

/** Compute one more value of the curve; return false if all are known. */
export function findNext(/** @type {Cache} */ cache) {
  const at = curveOf(cache).indexOf(undefined);
  if (at >= 0) cachedMap(cache, at + FEWEST, []);
  return at >= 0;
}
