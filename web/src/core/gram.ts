// Gram matrices and distances.

import { columnMeans, type Matrix, symmetricTable } from "./matrix.ts";

/** Return HAH for a symmetric matrix A. */
export function centerGram(A: Matrix, n: number): Matrix {
  const means = columnMeans(A, n);
  const mean = means.reduce((sum, m) => sum + m, 0) / n;
  return symmetricTable(n, (i, j) => A[i * n + j] - means[i] - means[j] + mean);
}

/** Return -1/2 D^(2). */
export const minusHalfSquares = (D: Matrix): Matrix => D.map((d) => -0.5 * d * d);

/** Return B = -1/2 H D^(2) H. */
export function gramFromDistances(D: Matrix, n: number): Matrix {
  return centerGram(minusHalfSquares(D), n);
}

/** Return d_ij = sqrt(g_ii + g_jj - 2 g_ij); negative squares, due to rounding, count as zero. */
export function distancesFromGram(G: Matrix, n: number) {
  return symmetricTable(n, (i, j) => {
    const square = G[i * n + i] + G[j * n + j] - 2 * G[i * n + j];
    return i === j ? 0 : Math.sqrt(Math.max(0, square));
  });
}
