// What the explorer of Isomap computes and says.

import { fitGram } from "../core/fitGram.js";
import { halvedSquares } from "../core/gram.js";
import { centredColumns, distances, dot, fromRows, padColumns } from "../core/matrix.js";
import {
  components,
  fallsApart,
  joiningCount,
  nearestNeighbors,
  shortestPaths,
  symmetricGraph,
  TIE,
} from "../core/neighborGraph.js";
import { procrustesAlign } from "../core/procrustes.js";
import { negativeMass } from "../core/spectrum.js";
import { text } from "../ui/text.js";

export const [FEWEST_POINTS, FEWEST, MOST] = [40, 2, 15];
/** An edge is a short circuit where it is so many times as long on the sheet as in space. */
const SHORT_CIRCUIT = 2;
/** A map that misses less of the sheet's variance than this has unrolled it. */
export const UNROLLED = 0.1;
export const [SHADES, LISTED, MOST_CUT] = [8, 3, 60];
/** Numbers of points and of neighbours. */
export const PRESETS = { five: [100, 5], many: [100, 7], dense: [200, 7], apart: [200, 2] };

/** The first points of a roll, with their distances in space and on the sheet. */
function rollOf({ points, sheet }, n) {
  const [X, places] = [points, sheet].map((rows) => fromRows(rows.slice(0, n)));
  return { n, D: distances(X, 3), onSheet: distances(places, 2), places };
}

/** The edges i < j of a graph with both lengths. */
function edgesOf(graph, { n, D, onSheet }) {
  const edge = (i, j) => ({ i, j, space: D[i * n + j], sheet: onSheet[i * n + j] });
  return graph.flatMap((near, i) => near.filter((j) => j > i).map((j) => edge(i, j)));
}

/** The part of all pairs whose shortest path runs over it. */
function shareOver({ i, j, space }, geodesics, n) {
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

/** Take edges out of a graph; those that it does not have do not matter. */
function withoutEdges(graph, cut) {
  const isCut = (i, j) => cut.some(([a, b]) => (a === i && b === j) || (a === j && b === i));
  return cut.length ? graph.map((near, i) => near.filter((j) => !isCut(i, j))) : graph;
}

/**
 * Why there is no map: as the library says it, unless it was the reader who cut the graph apart.
 */
function apartSentence(whole, { n, D }, k) {
  const parts = components(whole);
  if (parts.length === 1) return "Without the edges that you cut the graph falls apart.";
  return fallsApart(parts, k, joiningCount(D, n, k));
}

/** Isomap of a roll with k neighbours, some edges cut, turned onto the sheet. */
export function mapOf(roll, k, cut, start = null) {
  const { n, D, places } = roll;
  const whole = symmetricGraph(nearestNeighbors(D, n, k));
  const graph = withoutEdges(whole, cut);
  const taken = edgesOf(whole, roll).filter(({ i, j }) => !graph[i].includes(j));
  const edges = edgesOf(graph, roll);
  const short = edges.filter(({ space, sheet }) => sheet > SHORT_CIRCUIT * space);
  const found = { n, k, edges, short, taken };
  if (components(graph).length > 1) return { ...found, apart: apartSentence(whole, roll, k) };
  const geodesics = shortestPaths(graph, D, n);
  const fit = fitGram(halvedSquares(geodesics), n, 2, { start });
  const { points, residual } = procrustesAlign(
    padColumns(fit.points, fit.columns, n, 2),
    2,
    places,
  );
  const centred = centredColumns(places, 2);
  const missed = residual ** 2 / dot(centred, centred);
  const detour = short.length || missed < UNROLLED ? null : detourOf(geodesics, roll);
  return {
    ...found,
    points,
    missed,
    detour,
    mass: negativeMass(fit.spectrum()),
    geodesics,
    block: fit.block,
  };
}

/** How many times as long as on the sheet a path is: the median of all pairs. */
function detourOf(geodesics, { n, onSheet }) {
  const ratios = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < i; j++) ratios.push(geodesics[i * n + j] / onSheet[i * n + j]);
  return ratios.sort((a, b) => a - b)[ratios.length >> 1];
}

/** Short circuits, those first that most paths run over. */
function blamed({ short, geodesics, n }) {
  const rate = (edge) => (geodesics ? shareOver(edge, geodesics, n) : 0);
  return short
    .map((edge) => ({ ...edge, share: rate(edge) }))
    .sort((a, b) => b.share - a.share || b.sheet / b.space - a.sheet / a.space);
}

export const percent = (part) => `${text(100 * part, 1)} %`;

/** What the state comes to, in words. */
export function verdict(result) {
  const { apart, edges, short, missed, k } = result;
  if (apart) return { holds: false, head: `With κ = ${k} there is no map.`, reason: apart };
  const one =
    `${short.length} of ${edges.length} edges ` +
    `${short.length === 1 ? "is a short circuit" : "are short circuits"}`;
  const unrolls = missed < UNROLLED;
  const heads = short.length
    ? [`The roll does not unroll: ${one}.`, `The roll unrolls, although ${one}.`]
    : [
        "No edge is a short circuit, and yet the map is not the sheet.",
        `The roll unrolls: none of ${edges.length} edges is a short circuit.`,
      ];
  return { holds: unrolls, head: heads[Number(unrolls)], reason: whyOf(result) };
}

function whyOf({ taken, mass, massBefore, worst, n, k, missed, detour }) {
  const now = `the negative mass is ${text(mass, 3)}`;
  if (taken.length) {
    const [gone, it] =
      taken.length === 1
        ? [`edge ${taken[0].i}–${taken[0].j}`, "it"]
        : [`${taken.length} edges`, "them"];
    return (
      `Without ${gone} ` +
      `${now}${massBefore === undefined ? "" : `; with ${it} it was ${text(massBefore, 3)}`}.`
    );
  }
  if (!worst.length) {
    const before = detour
      ? `Its edges are few: the median path is ${text(detour, 2)} times as long as on the sheet.`
      : `κ = ${k} joins all ${n} points.`;
    const gap =
      missed < 1
        ? `misses ${percent(missed)} of the sheet`
        : "is farther from the sheet than one point would be";
    return `${before} The map ${gap}, and ${now}.`;
  }
  const { i, j, space, sheet, share } = worst[0];
  const lengths =
    `Edge ${i}–${j} is ${text(space, 1)} long in space and ${text(sheet, 1)} on ` + `the sheet`;
  return `${lengths}, and ${percent(share)} of all shortest paths run over it; ${now}.`;
}

const keyOf = (k, cut) => JSON.stringify([k, cut]);

/** Vectors in rows, for more or fewer points than they were found for. */
function resized(block, from, to) {
  const rows = new Float64Array((block.length / from) * to);
  for (let r = 0; r * to < rows.length; r++)
    rows.set(block.subarray(r * from, r * from + Math.min(from, to)), r * to);
  return rows;
}

/** The map with k neighbours, found once for each number of points; it begins at the last one. */
function remembered(memory, k, cut) {
  const { maps, roll, last } = memory;
  const start = last ? resized(last.block, last.n, roll.n) : null;
  const found = (maps[keyOf(k, cut)] ??= mapOf(roll, k, cut, start));
  if (found.block) memory.last = found;
  found.worst ??= blamed(found);
  return found;
}

/** What the state comes to. */
export function graphResult({ n_points: n, n_neighbors: k, cut }, data, memory = {}) {
  if (memory.roll?.n !== n) Object.assign(memory, { roll: rollOf(data, n), maps: {} });
  const result = remembered(memory, k, cut);
  if (result.taken.length) result.massBefore = remembered(memory, k, []).mass;
  return result;
}

/** What is known for each number of neighbours, no edge cut. */
export const curveOf = ({ maps }) =>
  Array.from({ length: MOST - FEWEST + 1 }, (_, at) => maps[keyOf(at + FEWEST, [])]);

/** Find one value more of the curve; false where all are there. */
export function findNext(memory) {
  const at = curveOf(memory).indexOf(undefined);
  if (at >= 0) remembered(memory, at + FEWEST, []);
  return at >= 0;
}
