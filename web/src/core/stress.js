// Raw stress, stress-1 and the Guttman transform.

import { centredColumns, distances, squaredDistance, squaredDistances, sumOf } from "./matrix.js";

/** Sum over ordered pairs of (d - delta)^2. */
export function rawStress(Y, p, D) {
  return sumOf(distances(Y, p), (d, at) => (d - D[at]) ** 2);
}

/** Kruskal's stress-1. */
export function kruskalStress(Y, p, D) {
  const size = sumOf(squaredDistances(Y, p), (square) => square);
  if (size === 0)
    throw new Error("All points of Y coincide, and stress-1 divides by their distances.");
  return Math.sqrt(rawStress(Y, p, D) / size);
}

/**
 * One step of SMACOF: the minimum of the quadratic that lies above the stress and touches it at X.
 */
export function guttmanTransform(X, p, D) {
  const n = X.length / p;
  const pulled = new Float64Array(n * p);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const d = Math.sqrt(squaredDistance(X, i, X, j, p));
      if (d === 0) continue;
      const ratio = D[i * n + j] / d;
      for (let c = 0; c < p; c++) {
        const pull = ratio * (X[i * p + c] - X[j * p + c]);
        pulled[i * p + c] += pull;
        pulled[j * p + c] -= pull;
      }
    }
  }
  return centredColumns(
    pulled.map((x) => x / n),
    p,
  );
}
