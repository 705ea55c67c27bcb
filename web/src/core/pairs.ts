// Pairs of objects.

import { distances, type Matrix, type Numbers } from "./matrix.ts";

/** Return the pairs i < j of n objects, row by row. */
export function pairsAmong(n: number): [number, number][] {
  const all = Array.from({ length: n }, (_, i) => i);
  return all.flatMap((i) => all.slice(i + 1).map((j) => [i, j]));
}

/** Return a symmetric n x n matrix from its entries above the diagonal, row by row. */
export function fromPairs(entries: Numbers, n: number) {
  const D = new Float64Array(n * n);
  pairsAmong(n).forEach(([i, j], k) => (D[i * n + j] = D[j * n + i] = entries[k]));
  return D;
}

/** Return the entries above the diagonal, row by row. */
export const toPairs = (D: Matrix, n: number): Matrix =>
  D.filter((_, at) => at % n > Math.floor(at / n));

/** Two objects, their dissimilarity in the table, their distance on the map, and map - table. */
export type Pair = { i: number; j: number; table: number; map: number; error: number };

/** Return the pairs of n objects on a map of the plane, the largest differences first. */
export function disagreements(D: Matrix, points: Matrix, n: number): Pair[] {
  const d = distances(points, 2);
  return pairsAmong(n)
    .map(([i, j]) => {
      const at = i * n + j;
      return { i, j, table: D[at], map: d[at], error: d[at] - D[at] };
    })
    .sort((a, b) => Math.abs(b.error) - Math.abs(a.error));
}
