// Coordinates from a Gram matrix, and the projection of new objects.

import { centerGram } from "./gram.js";
import { leadingEigenpairs } from "./leadingEigenpairs.js";
import { centredColumns, columnMeans, matrixProduct, padColumns, shifted } from "./matrix.js";
import { goodnessOfFit, rankTolerance } from "./spectrum.js";

/**
 * @typedef {object} Fit
 * @property {Matrix} points
 * @property {number} axesUsed  fewer than k if fewer eigenvalues are positive
 * @property {Float64Array} eigenvalues  of these axes
 * @property {Matrix} gram  HAH
 * @property {() => Float64Array} spectrum  returns all eigenvalues, in descending order
 * @property {() => number} explained  returns the explained fraction
 * @property {(rows: Matrix) => Matrix} place  projects new objects
 */
/**
 * Return the points from the leading eigenpairs of HAH; `scale` is the size of the entries before
 * centring.
 * @type {(A: Matrix, n: number, k?: number, o?: { scale?: number }) => Fit}
 */
export function fitGram(A, n, k = 2, { scale = 0 } = {}) {
  const B = centerGram(A, n);
  const pairs = leadingEigenpairs(B, n, k);
  const size = Math.max(pairs.scale, scale);
  const kept = pairs.values.filter((value) => value > rankTolerance(n) * size).length;
  const vectors = padColumns(pairs.vectors, k, n, kept);
  const values = pairs.values.slice(0, kept);
  const points = centredColumns(vectors, kept).map((v, at) => v * Math.sqrt(values[at % kept]));
  const coefficients = centredColumns(
    points.map((y, at) => y / values[at % kept]),
    kept,
  );
  const means = columnMeans(A, n);
  return {
    points,
    axesUsed: kept,
    eigenvalues: values,
    gram: B,
    spectrum: () => pairs.spectrum,
    explained: () => goodnessOfFit(pairs.spectrum, kept)[0],
    place: (rows) => matrixProduct(shifted(rows, n, means), n, coefficients, kept),
  };
}
