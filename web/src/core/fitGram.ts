// Coordinates from a Gram matrix, and the projection of new objects.

import { centerGram } from "./gram.ts";
import { leadingEigenpairs } from "./leadingEigenpairs.ts";
import type { Matrix } from "./matrix.ts";
import { centredColumns, columnMeans, matrixProduct, padColumns, shifted } from "./matrix.ts";
import { goodnessOfFit, rankTolerance } from "./spectrum.ts";

export interface Fit {
  points: Matrix;
  axesUsed: number; // fewer than k if fewer eigenvalues are positive
  eigenvalues: Float64Array; // of these axes
  gram: Matrix; // HAH
  spectrum: () => Float64Array; // returns all eigenvalues, in descending order
  explained: () => number; // returns the explained fraction
  project: (rows: Matrix) => Matrix; // returns the coordinates of new objects
}

/**
 * Return the points from the leading eigenpairs of HAH; `scale` is the size of the entries before
 * centring.
 */
export function fitGram(A: Matrix, n: number, k = 2, { scale = 0 } = {}): Fit {
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
    project: (rows) => matrixProduct(shifted(rows, n, means), n, coefficients, kept),
  };
}
