// Pairs of objects whose distances on the map have large errors.

import { distances } from "../core/matrix.js";

/** @import { DrawnMap } from "./fits.js" */

const SHOWN = 3;

/** Return the SHOWN other objects with the best scores. */
function best(n, i, score) {
  const others = Array.from({ length: n }, (_, j) => j).filter((j) => j !== i);
  return others.sort((a, b) => score(b) - score(a)).slice(0, SHOWN);
}

/** Return the nearest objects, and those with the largest errors. @param {DrawnMap} fit */
export function neighbourhood({ delta, target, points, choices: { dimensions: k } }, i) {
  const n = points.length / k;
  const d = distances(points, k, points.slice(i * k, (i + 1) * k));
  const isKnown = (j) => !Number.isNaN(delta[i * n + j]);
  return {
    nearest: best(n, i, (j) => (isKnown(j) ? -delta[i * n + j] : -Infinity)).filter(isKnown),
    worst: best(n, i, (j) => Math.abs(d[j] - target[i * n + j])),
    error: (j) => d[j] - target[i * n + j],
  };
}

/** Return the pairs of objects with the largest errors on the map: [i, j, error]. */
export function worstPairs(/** @type {DrawnMap} */ { target, points, choices }) {
  const n = points.length / choices.dimensions;
  const d = distances(points, choices.dimensions);
  const size = (at) => Math.abs(d[at] - target[at]);
  const worst = [];
  for (let at = 0; at < d.length; at++) {
    if (at % n <= Math.floor(at / n) || size(at) <= size(worst[SHOWN - 1])) continue;
    worst.push(at);
    worst.sort((a, b) => size(b) - size(a)).splice(SHOWN);
  }
  return worst.map((at) => [Math.floor(at / n), at % n, d[at] - target[at]]);
}
