// Raw stress, stress-1 and the Guttman transform.

import type { Matrix } from "./matrix.ts";
import { centredColumns, distances, squaredDistance, squaredDistances, sumOf } from "./matrix.ts";

/** Return the sum over ordered pairs of (d - delta)^2. */
export function rawStress(Y: Matrix, p: number, D: Matrix): number {
  return sumOf(distances(Y, p), (d, at) => (d - D[at]) ** 2);
}

/** Return Kruskal's stress-1. */
export function kruskalStress(Y: Matrix, p: number, D: Matrix): number {
  const size = sumOf(squaredDistances(Y, p), (square) => square);
  if (size === 0)
    throw new Error("All points of Y coincide, and stress-1 divides by their distances.");
  return Math.sqrt(rawStress(Y, p, D) / size);
}

/**
 * Return the raw stress of a map over ordered pairs and its gradient 4 (L - L(X)) X, where L(X) is
 * the Laplacian of the ratios disparity / distance.
 */
export function lossAndGradient(X: Matrix, k: number, target: Matrix, ratio = 1) {
  const n = X.length / k;
  const gradient = new Float64Array(n * k);
  let loss = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const d = Math.sqrt(squaredDistance(X, i, X, j, k));
      const t = target[i * n + j];
      loss += 2 * (d - t) * (d - t);
      if (d === 0) continue;
      const pull = (4 * (d - ratio * t)) / d;
      for (let c = 0; c < k; c++) {
        const part = pull * (X[i * k + c] - X[j * k + c]);
        gradient[i * k + c] += part;
        gradient[j * k + c] -= part;
      }
    }
  }
  return { loss, gradient };
}

/** Return the minimum of the quadratic that majorises the stress and equals it at X (SMACOF). */
export function guttmanTransform(X: Matrix, p: number, D: Matrix): Matrix {
  const { gradient } = lossAndGradient(X, p, D);
  const moved = X.map((x, at) => x - (p * gradient[at]) / (4 * X.length));
  return centredColumns(moved, p);
}
