// Pairs of objects.

import { distances } from "./matrix.js";

/** Return the pairs i < j of n objects, row by row. @type {(n: number) => [number, number][]} */
export function pairsAmong(n) {
  const all = Array.from({ length: n }, (_, i) => i);
  return all.flatMap((i) => all.slice(i + 1).map((j) => [i, j]));
}

/** Return a symmetric n x n matrix from its entries above the diagonal, row by row. */
export function fromPairs(/** @type {Numbers} */ entries, /** @type {number} */ n) {
  const D = new Float64Array(n * n);
  pairsAmong(n).forEach(([i, j], at) => (D[i * n + j] = D[j * n + i] = entries[at]));
  return D;
}

/** Return the entries above the diagonal, row by row. @type {(D: Matrix, n: number) => Matrix} */
export const toPairs = (D, n) => D.filter((_, at) => at % n > Math.floor(at / n));

/** Two objects, their dissimilarity in the table, their distance on the map, and map - table.
 * @typedef {{ i: number, j: number, table: number, map: number, error: number }} Pair */

/** Return the pairs of n objects on a map of the plane, the largest differences first.
 * @type {(D: Matrix, points: Matrix, n: number) => Pair[]} */
export function disagreements(D, points, n) {
  const d = distances(points, 2);
  return pairsAmong(n)
    .map(([i, j]) => {
      const at = i * n + j;
      return { i, j, table: D[at], map: d[at], error: d[at] - D[at] };
    })
    .sort((a, b) => Math.abs(b.error) - Math.abs(a.error));
}
