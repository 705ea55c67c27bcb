// The numbers and the texts of the explorer of Isomap.

import { fitGram } from "../core/fitGram.ts";
import { minusHalfSquares } from "../core/gram.ts";
import type { Matrix, Point } from "../core/matrix.ts";
import { centredColumns, distances, dot, fromRows, padColumns } from "../core/matrix.ts";
import {
  components,
  disconnectedMessage,
  type Graph,
  joiningCount,
  nearestNeighbors,
  shortestPaths,
  symmetricGraph,
  TIE,
} from "../core/neighborGraph.ts";
import { procrustesAlign } from "../core/procrustes.ts";
import { negativeMass } from "../core/spectrum.ts";
import { percent, text } from "../ui/text.ts";

export type Data = { points: number[][]; sheet: Point[] };
type Roll = ReturnType<typeof rollOf>;
export type Cache = { roll: Roll; maps: Record<string, Result | undefined> };
/**
 * An edge, its lengths in space and on the sheet, and the fraction of shortest paths through it.
 */
export type Edge = { i: number; j: number; space: number; sheet: number; share?: number };
export interface State {
  show: "all" | "map"; // the view
  n_points: number;
  n_neighbors: number;
  removed: number[][]; // the edges [i, j] that were removed
  view: number[]; // the rotation and the tilt of the roll, in degrees
}

/** The map of a graph, if the graph is connected. */
export interface GraphMap {
  n: number; // the number of points
  k: number; // the number of neighbours
  edges: Edge[];
  removed: Edge[];
  shortCircuits: Edge[];
  disconnected?: string; // why there is no map
  geodesics?: Float64Array; // the lengths of the shortest paths
  points?: Float64Array;
  error?: number; // the relative squared error
  mass?: number; // the negative mass
  detour?: number | null; // the median of path length / distance on the sheet
}

export interface Result extends GraphMap {
  worst: Required<Edge>[]; // the short circuits, those on most shortest paths first
  massBefore?: number; // with all edges
  errorBefore?: number;
}

export const [FEWEST_POINTS, FEWEST, MOST] = [40, 2, 15];
/** Ratio of the distances on the sheet and in space from which an edge is a short circuit. */
const SHORT_CIRCUIT = 2;
/** Relative squared error below which a map counts as a flat strip. */
export const FLAT_ERROR = 0.1;
export const [LISTED, MAX_REMOVED] = [3, 60];
/** Numbers of points and of neighbours. */
export const PRESETS = { five: [100, 5], many: [100, 7], dense: [200, 7], apart: [200, 2] };

/** Return the first n points of a roll, with their distances in space and on the sheet. */
function rollOf({ points, sheet }: Data, n: number) {
  const [X, places] = [points, sheet].map((rows) => fromRows(rows.slice(0, n)));
  return { n, D: distances(X, 3), onSheet: distances(places, 2), places };
}

/** Return the edges i < j of a graph with both lengths. */
function edgesOf(graph: Graph, { n, D, onSheet }: Roll) {
  return graph.flatMap((near, i) => {
    const edge = (j: number): Edge => ({ i, j, space: D[i * n + j], sheet: onSheet[i * n + j] });
    return near.filter((j) => j > i).map(edge);
  });
}

/** Return the fraction of all shortest paths that contain an edge. */
function pathShare({ i, j, space }: Edge, geodesics: Matrix) {
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
function withoutEdges(graph: Graph, removed: number[][]) {
  const isRemoved = (i: number, j: number) =>
    removed.some(([a, b]) => (a === i && b === j) || (a === j && b === i));
  return removed.length ? graph.map((near, i) => near.filter((j) => !isRemoved(i, j))) : graph;
}

/** Return why there is no map. */
function disconnectedText(fullGraph: Graph, { n, D }: Roll, k: number): string {
  const parts = components(fullGraph);
  if (parts.length === 1) return "Without the removed edges, the graph is not connected.";
  return disconnectedMessage(parts, k, joiningCount(D, n, k));
}

/** Compute Isomap with k neighbours, without some edges, and align the map with the sheet. */
export function mapOf(roll: Roll, k: number, without: number[][]): GraphMap {
  const { n, D, places } = roll;
  const fullGraph = symmetricGraph(nearestNeighbors(D, n, k));
  const graph = withoutEdges(fullGraph, without);
  const removed = edgesOf(fullGraph, roll).filter(({ i, j }) => !graph[i].includes(j));
  const edges = edgesOf(graph, roll);
  const shortCircuits = edges.filter(({ space, sheet }) => sheet > SHORT_CIRCUIT * space);
  const common = { n, k, edges, shortCircuits, removed };
  if (components(graph).length > 1)
    return { ...common, disconnected: disconnectedText(fullGraph, roll, k) };
  const geodesics = shortestPaths(graph, D, n);
  const fit = fitGram(minusHalfSquares(geodesics), n, 2);
  const padded = padColumns(fit.points, fit.axesUsed, n, 2);
  const { points, residual } = procrustesAlign(padded, 2, places);
  const centred = centredColumns(places, 2);
  const error = residual ** 2 / dot(centred, centred);
  const detour = shortCircuits.length || error < FLAT_ERROR ? null : medianDetour(geodesics, roll);
  return { ...common, points, error, detour, mass: negativeMass(fit.spectrum()), geodesics };
}

function medianDetour(geodesics: Matrix, { n, onSheet }: Roll) {
  const ratios: number[] = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < i; j++) ratios.push(geodesics[i * n + j] / onSheet[i * n + j]);
  return ratios.sort((a, b) => a - b)[ratios.length >> 1];
}

/** Add the short circuits in the order of the fraction of the shortest paths that contain them. */
function withWorst(map: GraphMap): Result {
  const { shortCircuits, geodesics } = map;
  const shareOf = (edge: Edge) => (geodesics ? pathShare(edge, geodesics) : 0);
  const worst = shortCircuits
    .map((edge) => ({ ...edge, share: shareOf(edge) }))
    .sort((a, b) => b.share - a.share || b.sheet / b.space - a.sheet / a.space);
  return { ...map, worst };
}

/** Return the text of the banner; the view "map" does not mention the negative mass. */
export function isomapVerdict(result: Result, show: string) {
  const { disconnected, k } = result;
  if (disconnected)
    return { holds: false, head: `For κ = ${k} there is no map.`, reason: disconnected };
  const complete = result as Required<Result>;
  const { edges, shortCircuits, error } = complete;
  const count = shortCircuits.length;
  const isFlat = error < FLAT_ERROR;
  const head = `The map is ${isFlat ? "" : "not "}a flat strip`;
  const are = count === 1 ? "is a short circuit" : "are short circuits";
  const some = `${count || "none"} of ${edges.length} edges ${count ? are : "is a short circuit"}`;
  const link = isFlat === (count === 0) ? ": " : ", although ";
  return { holds: isFlat, head: `${head}${link}${some}.`, reason: reasonOf(complete, show) };
}

function reasonOf(result: Required<Result>, show: string) {
  const { removed, mass, massBefore, worst, n, k, error, errorBefore, detour } = result;
  const isReduced = show === "map";
  const measure = isReduced ? "relative squared error" : "negative mass";
  const value = (error: number, mass: number) => (isReduced ? percent(error) : text(mass, 3));
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

const keyOf = (...key: unknown[]) => JSON.stringify(key);

/** Return a map, and keep it. */
function cachedMap({ maps, roll }: Cache, k: number, removed: number[][]) {
  return (maps[keyOf(k, removed)] ??= withWorst(mapOf(roll, k, removed)));
}

export function graphResult(state: State, data: Data, cache = {} as Cache): Result {
  const { n_points: n, n_neighbors: k, removed } = state;
  if (cache.roll?.n !== n) Object.assign(cache, { roll: rollOf(data, n), maps: {} });
  const result = cachedMap(cache, k, removed);
  if (!result.removed.length) return result;
  const { mass, error } = cachedMap(cache, k, []);
  if (mass === undefined || error === undefined) return result;
  return { ...result, massBefore: mass, errorBefore: error };
}

/** Return the maps that are known, one for each number of neighbours, with all edges. */
export const curveOf = ({ maps }: Cache) =>
  Array.from({ length: MOST - FEWEST + 1 }, (_, i) => maps[keyOf(i + FEWEST, [])]);

/** Compute one more value of the curve; return false if all are known. */
export function findNext(cache: Cache) {
  const missing = curveOf(cache).indexOf(undefined);
  if (missing >= 0) cachedMap(cache, missing + FEWEST, []);
  return missing >= 0;
}
