// Coordinates from a Gram matrix, and the projection of new objects.

import { centerGram } from "./gram.js";
import { leadingEigenpairs } from "./leadingEigenpairs.js";
import { centredColumns, columnMeans, matrixProduct, padColumns, shifted } from "./matrix.js";
import { goodnessOfFit, rankTolerance } from "./spectrum.js";

/**
 * Return the points from the leading eigenpairs of HAH, and `place`, which projects new objects. If
 * fewer than k eigenvalues are positive, there are fewer columns. With `centred: false`, A is not
 * centred, which is the mistake that Chapter 7 shows.
 */
export function fitGram(A, n, k = 2, { centred = true, scale = 0 } = {}) {
  const B = centred ? centerGram(A, n) : A;
  const pairs = leadingEigenpairs(B, n, k);
  const size = Math.max(pairs.scale, scale);
  const kept = pairs.values.filter((value) => value > rankTolerance(n) * size).length;
  const middle = centred ? centredColumns : (V) => V;
  const vectors = padColumns(pairs.vectors, k, n, kept);
  const values = pairs.values.slice(0, kept);
  const points = middle(vectors, kept).map((v, at) => v * Math.sqrt(values[at % kept]));
  const coefficients = middle(
    points.map((y, at) => y / values[at % kept]),
    kept,
  );
  const means = centred ? columnMeans(A, n) : new Float64Array(n);
  return {
    points,
    columns: kept,
    eigenvalues: values,
    gram: B,
    spectrum: () => pairs.spectrum,
    explained: () => goodnessOfFit(pairs.spectrum, kept)[0],
    place: (rows) => matrixProduct(shifted(rows, n, means), n, coefficients, kept),
  };
}
