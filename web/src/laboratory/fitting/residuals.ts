// Pairs of objects whose distances on the map have large errors.

import { distances, type Matrix } from "../../core/matrix.ts";

/** Points that are fitted to the distances `target`, and the dissimilarities `delta`. */
export type FittedPoints = {
  points: Matrix;
  target: Matrix;
  delta: Matrix;
  choices: { dimensions: number };
};

const SHOWN = 3;

/** Return the SHOWN objects with the best scores. */
const best = (objects: number[], score: (j: number) => number) =>
  objects.sort((a, b) => score(b) - score(a)).slice(0, SHOWN);

/** Return the objects nearest to one, and those with the largest errors. */
export function neighbourhood(fit: FittedPoints, i: number) {
  const { delta, target, points } = fit;
  const k = fit.choices.dimensions;
  const n = points.length / k;
  const d = distances(points, k, points.slice(i * k, (i + 1) * k));
  const error = (j: number) => d[j] - target[i * n + j];
  const others = Array.from({ length: n }, (_, j) => j).filter((j) => j !== i);
  const given = others.filter((j) => !Number.isNaN(delta[i * n + j]));
  const nearest = best(given, (j) => -delta[i * n + j]);
  return { nearest, worst: best(others, (j) => Math.abs(error(j))), error };
}

/** Return the pairs of objects with the largest errors on the map: [i, j, error]. */
export function worstPairs({ target, points, choices }: FittedPoints) {
  const n = points.length / choices.dimensions;
  const d = distances(points, choices.dimensions);
  const size = (at: number) => Math.abs(d[at] - target[at]);
  const worst: number[] = [];
  for (let at = 0; at < d.length; at++) {
    if (at % n <= Math.floor(at / n) || size(at) <= size(worst[SHOWN - 1])) continue;
    worst.push(at);
    worst.sort((a, b) => size(b) - size(a)).splice(SHOWN);
  }
  return worst.map((at) => [Math.floor(at / n), at % n, d[at] - target[at]]);
}
