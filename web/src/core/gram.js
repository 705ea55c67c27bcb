// Gram matrices and distances.

import { columnMeans, symmetricTable } from "./matrix.js";

/** Return HAH for a symmetric matrix A. @type {(A: Matrix, n: number) => Matrix} */
export function centerGram(A, n) {
  const means = columnMeans(A, n);
  const mean = means.reduce((sum, m) => sum + m, 0) / n;
  return symmetricTable(n, (i, j) => A[i * n + j] - means[i] - means[j] + mean);
}

/** Return -1/2 D^(2). @type {(D: Matrix) => Matrix} */
export const minusHalfSquares = (D) => D.map((d) => -0.5 * d * d);

/** Return B = -1/2 H D^(2) H. @type {(D: Matrix, n: number) => Matrix} */
export function gramFromDistances(D, n) {
  return centerGram(minusHalfSquares(D), n);
}

/** Return d_ij = sqrt(g_ii + g_jj - 2 g_ij); negative squares, due to rounding, count as zero. */
export function distancesFromGram(/** @type {Matrix} */ G, /** @type {number} */ n) {
  return symmetricTable(n, (i, j) => {
    const square = G[i * n + i] + G[j * n + j] - 2 * G[i * n + j];
    return i === j ? 0 : Math.sqrt(Math.max(0, square));
  });
}
