// The numbers and the texts of the explorer of PCA and classical scaling.

import { classicalScaling } from "../core/classicalScaling.ts";
import { eigenpairs } from "../core/eigenpairs.ts";
import type { Point } from "../core/matrix.ts";
import {
  centredColumns,
  columnMeans,
  columnOf,
  distances,
  dot,
  fromRows,
  largestModulus,
  type Matrix,
  matrixProduct,
  padColumns,
  shifted,
} from "../core/matrix.ts";
import { procrustesAlign } from "../core/procrustes.ts";
import { countSigns, rankTolerance } from "../core/spectrum.ts";
import { capital, superscript, text } from "../ui/text.ts";

export type Result = ReturnType<typeof computeBoth>;
type Signs = Pick<State, "signs" | "agree">;
export interface State {
  points: Point[];
  chosen: number; // the index of the chosen point
  signs: number[]; // the signs of both axes by PCA and by classical scaling
  agree: boolean; // true if the signs of both maps are made equal
  last: { axes: Matrix; second: Matrix } | null; // both before a point was moved
}

/** Relative difference up to which two eigenvalues count as equal. */
const EQUAL = 1e-9;
export const AXES = [0, 1];

/** Return mean, axes, variances and scores by PCA, from S = X'HX / n. */
function pca(X: Matrix) {
  const n = X.length / 2;
  // Relative to the first point, equal points are exactly zero.
  const centred = centredColumns(shifted(X, 2, X.subarray(0, 2)), 2);
  const [u, v] = AXES.map((axis) => columnOf(centred, 2, axis));
  const S = Float64Array.of(dot(u, u), dot(u, v), dot(v, u), dot(v, v)).map((sum) => sum / n);
  const { values, vectors } = eigenpairs(S, 2);
  const rank = values.filter((value) => value > rankTolerance(n) * values[0]).length;
  const scores = matrixProduct(centred, 2, vectors, 2).map((y, at) => (at % 2 < rank ? y : 0));
  return {
    mean: columnMeans(X, 2),
    axes: vectors,
    variances: values.map((v, r) => (r < rank ? v : 0)),
    rank,
    scores,
  };
}

const multiplyColumns = (Y: Matrix, signs: number[]) => Y.map((y, at) => y * signs[at % 2]);

/** Return -1 for each column of two matrices with a negative inner product, otherwise 1. */
function signsBetween(Y: Matrix, Z: Matrix) {
  return AXES.map((axis) => (dot(columnOf(Y, 2, axis), columnOf(Z, 2, axis)) < 0 ? -1 : 1));
}

/** Return the largest difference: as computed, after sign changes, after a rotation. */
function differences(Y: Matrix, Z: Matrix) {
  const largest = (A: Matrix) => largestModulus(A.map((a, at) => a - Y[at]));
  return {
    asComputed: largest(Z),
    withEqualSigns: largest(multiplyColumns(Z, signsBetween(Y, Z))),
    rotated: largest(procrustesAlign(Z, 2, Y).points),
  };
}

/** Compute both maps. Their signs are given, or agree with the `last` maps. */
export function computeBoth(points: Point[], state: Signs, last: State["last"] = null) {
  const X = fromRows(points);
  const n = points.length;
  const [first, fit] = [pca(X), classicalScaling(distances(X, 2), n, 2)];
  const [second, values] = [padColumns(fit.points, fit.axesUsed, n, 2), fit.spectrum()];
  const signs = last
    ? [...signsBetween(last.axes, first.axes), ...signsBetween(last.second, second)]
    : state.signs;
  const [axes, scores] = [first.axes, first.scores].map((M) => multiplyColumns(M, signs));
  const computed = multiplyColumns(second, signs.slice(2));
  const differ = signsBetween(scores, computed);
  const shown = state.agree ? multiplyColumns(computed, differ) : computed;
  return {
    n,
    ...first,
    axes,
    scores,
    signs,
    computed,
    second: shown,
    differ,
    values,
    zeros: n - countSigns(values).positive,
    differences: differences(scores, shown),
    equal:
      first.rank === 2 && first.variances[0] - first.variances[1] <= EQUAL * first.variances[0],
  };
}

/** Return a length as text; a small one by the power of ten that it is below. */
function lengthText(length: number) {
  if (length >= 0.005) return `${text(length)} cm`;
  return `less than 10${superscript(-Math.min(12, Math.floor(-Math.log10(length))))} cm`;
}

/** Return the verdict if no direction is the first axis. */
function equalEigenvaluesVerdict(differences: Result["differences"]) {
  const { asComputed, withEqualSigns, rotated } = differences;
  const reason =
    `The scores differ by up to ${lengthText(asComputed)}, with the best signs by ` +
    `${lengthText(withEqualSigns)}, and after a rotation by ${lengthText(rotated)}. Both maps ` +
    "are correct.";
  return { head: "λ₁ = λ₂: the axes are not unique.", reason };
}

/** Return what is special about the eigenvalues, as a sentence. */
function eigenvaluesText({ rank, variances, n }: Result) {
  if (rank === 1) return "The points lie on a line, so the second eigenvalue is zero.";
  const lambdas = AXES.map((axis) => text(n * variances[axis], 4)).join(" and ");
  const areClose = variances[1] > 0.9 * variances[0];
  const warning = areClose ? " They are close, so moving a point can rotate the axes far." : "";
  return `Both nS and B have the eigenvalues ${lambdas} cm².${warning}`;
}

export function scoresVerdict(result: Result, agree: boolean) {
  const { rank, equal, differ } = result;
  if (rank === 0)
    return { head: "All points coincide.", reason: "S and B are zero, so there are no axes." };
  if (equal) return equalEigenvaluesVerdict(result.differences);
  const opposite = AXES.slice(0, rank).filter((axis) => differ[axis] < 0);
  const which = opposite.length === 2 ? "both axes" : `axis ${opposite[0] + 1}`;
  const difference = `they differ by ${lengthText(result.differences.withEqualSigns)}`;
  const eigenvalues = eigenvaluesText(result);
  if (opposite.length && !agree) {
    const head = `The scores are equal up to the sign of ${which}.`;
    return { holds: true, head, reason: `With equal signs, ${difference}. ${eigenvalues}` };
  }
  const change = opposite.length ? `After a change of sign on ${which}, ` : "";
  const reason = `${capital(`${change}${difference}`)}. ${eigenvalues}`;
  return { holds: true, head: "The scores are equal.", reason };
}
