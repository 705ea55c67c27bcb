// Classical scaling and additive constants.

import { eigenvalues } from "./eigenpairs.ts";
import { type Fit, fitGram } from "./fitGram.ts";
import { centerGram, gramFromDistances, minusHalfSquares } from "./gram.ts";
import { leadingEigenpairs } from "./leadingEigenpairs.ts";
import type { Matrix } from "./matrix.ts";
import { centredColumns, dot, EPS, largestModulus, symmetricProduct } from "./matrix.ts";

type ScalingFit = Fit & { additiveConstant: number; transform: (rows: Matrix) => Matrix };
export type Method = "cailliez" | "lingoes"; // the method of an additive constant

/** Add a constant to all dissimilarities: d + c (Cailliez), or sqrt(d^2 + 2 c) (Lingoes). */
export function addConstant(D: Matrix, constant: number, method: Method): Matrix {
  if (method === "cailliez") return D.map((d) => d + constant);
  return D.map((d) => Math.sqrt(d * d + 2 * constant));
}

/** Return the smallest constant of a method that makes the dissimilarities Euclidean. */
export function additiveConstant(D: Matrix, n: number, method: Method = "cailliez"): number {
  const unit = largestModulus(D);
  if (unit === 0) return 0;
  const scaled = D.map((d) => d / unit);
  const B = gramFromDistances(scaled, n);
  const values = eigenvalues(B, n);
  const smallest = values[n - 1];
  if (smallest >= -Math.max(1e-12, n * EPS) * values[0] && values[0] > 0) return 0;
  return method === "lingoes" ? -smallest * unit * unit : cailliezConstant(B, scaled, n) * unit;
}

/**
 * Return Cailliez's constant: the largest c for which G(c) = B + c B1 + c^2 / 2 H, the Gram matrix
 * of d + c, is singular on centred vectors. In each step, x is the eigenvector for the smallest
 * eigenvalue of G(c), and the next c is the larger root of the quadratic x'G(c)x. These roots
 * increase to the constant and converge quadratically.
 */
function cailliezConstant(B: Matrix, D: Matrix, n: number): number {
  const B1 = centerGram(D, n).map((entry) => -entry);
  let constant = 0;
  for (let step = 0; step < 100; step++) {
    const negated = B.map((b, at) => -b - constant * B1[at]);
    for (let i = 0; i < n; i++) negated[i * n + i] -= (constant * constant) / 2;
    const x = centredColumns(leadingEigenpairs(negated, n, 1).vectors, 1);
    const [b, b1] = [B, B1].map((M) => dot(x, symmetricProduct(M, n, x)) / dot(x, x));
    const next = -b1 + Math.sqrt(Math.max(0, b1 * b1 - 2 * b));
    if (!(next > constant * (1 + 4 * EPS))) break;
    constant = next;
  }
  return constant;
}

/** Return the map of classical scaling; `transform` takes the dissimilarities of new objects. */
export function classicalScaling(
  D: Matrix,
  n: number,
  k = 2,
  { additive }: { additive?: Method | undefined } = {},
): ScalingFit {
  const constant = additive ? additiveConstant(D, n, additive) : 0;
  const table = additive ? addConstant(D, constant, additive) : D.slice();
  for (let i = 0; i < n; i++) table[i * n + i] = 0;
  const fit = fitGram(minusHalfSquares(table), n, k);
  const moved = (d: number) =>
    additive && d > 0 ? addConstant(Float64Array.of(d), constant, additive)[0] : d;
  return {
    ...fit,
    additiveConstant: constant,
    transform: (rows) => fit.project(minusHalfSquares(rows.map(moved))),
  };
}
