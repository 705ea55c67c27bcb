// The numbers and the texts of the explorer of permutation tests.

import { eigenpairs } from "../core/eigenpairs.ts";
import { centerGram } from "../core/gram.ts";
import { type Kernel, kernelMatrix, Power, RBF } from "../core/kernels.ts";
import type { Matrix, Numbers, Point } from "../core/matrix.ts";
import {
  columnOf,
  dot,
  fromRows,
  largestModulus,
  matrixProduct,
  sumOf,
  symmetricTable,
} from "../core/matrix.ts";
import { TIE } from "../core/neighborGraph.ts";
import { noise } from "../core/random.ts";
import { capital, text } from "../ui/text.ts";

export type Result = ReturnType<typeof computeTest>;
export interface State {
  points: Point[];
  second: number[]; // the indices of the points of the second sample
  chosen: number; // the index of the chosen point
  test: "two-sample" | "independence";
  kernel: "distance" | "RBF";
  exponent: number; // the exponent of the kernel "distance"
  theta: number; // the parameter of the kernel "RBF"
  permutation: number; // the index of the permutation that is drawn
}

/** Names of the statistics for each test and kernel. */
export const STATISTICS = {
  "two-sample": { distance: "energy distance", RBF: "squared MMD" },
  independence: { distance: "squared distance covariance", RBF: "HSIC" },
};

export const N_PERMUTATIONS = 999;
export const [BINS, GROUND, RIGHT] = [40, 92, 330];

/** Return random permutations of n objects, the same in every run. */
export function randomPermutations(n: number, count = N_PERMUTATIONS) {
  const random = noise();
  return Array.from({ length: count }, () => {
    const order = Int32Array.from({ length: n }, (_, i) => i);
    for (let i = n - 1; i > 0; i--) {
      const j = Math.floor(((random.next().value + 1) / 2) * (i + 1));
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
  });
}

function centredKernelMatrix(points: Point[], columns: number[], kernel: Kernel): Matrix {
  const X = fromRows(points.map((point) => columns.map((column) => point[column])));
  return centerGram(kernelMatrix(kernel, X, columns.length), points.length);
}

/** Return c'HKHc for permuted labels, from the entries of the second sample alone. */
function twoSampleStatistic(M: Matrix, n: number, second: number[], order: Numbers): number {
  const members = second.map((i) => order[i]);
  let sum = 0;
  for (const i of members) for (const j of members) sum += M[i * n + j];
  return sum * (1 / members.length + 1 / (n - members.length)) ** 2;
}

/** Return tr(HKH HLH) / n^2 for permuted pairs. */
function independenceStatistic(M: Matrix, L: Matrix, n: number, order: Numbers): number {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const row = order[i] * n;
    for (let j = 0; j < n; j++) sum += M[i * n + j] * L[row + order[j]];
  }
  return sum / (n * n);
}

/** Return the contributions lambda_r v_r' A v_r of the eigenvectors of HKH to tr(HKH A). */
function contributionsOf(M: Matrix, n: number, A: Matrix): number[] {
  const { values, vectors } = eigenpairs(M, n);
  const applied = matrixProduct(A, n, vectors, n);
  const products = vectors.map((v, at) => v * applied[at]);
  return Array.from(values, (value, r) => value * sumOf(columnOf(products, n, r), Number));
}

/** Return the statistic of the data and of each permutation, the p-value and the contributions. */
export function computeTest(state: State, permutations: Int32Array[]) {
  const { points, second, test, exponent, theta } = state;
  const n = points.length;
  const kernel = state.kernel === "RBF" ? RBF(theta) : Power(exponent);
  const identity = Int32Array.from({ length: n }, (_, i) => i);
  const weight = (i: number) => (second.includes(i) ? -1 / second.length : 1 / (n - second.length));
  const isTwoSample = test === "two-sample";
  const M = centredKernelMatrix(points, isTwoSample ? [0, 1] : [0], kernel);
  const L = isTwoSample ? null : centredKernelMatrix(points, [1], kernel);
  const statistic = (order: Int32Array) =>
    L ? independenceStatistic(M, L, n, order) : twoSampleStatistic(M, n, second, order);
  const [observed, permuted] = [statistic(identity), Float64Array.from(permutations, statistic)];
  const margin = TIE * Math.max(Math.abs(observed), largestModulus(permuted)); // for rounding
  const reached = permuted.map((value) => Number(value >= observed - margin));
  const count = sumOf(reached, (one) => one);
  const product = (A: Matrix) => independenceStatistic(A, A, n, identity);
  const alignment = L && observed / Math.sqrt(product(M) * product(L) || 1);
  const A = L
    ? L.map((entry) => entry / (n * n))
    : symmetricTable(n, (i, j) => weight(i) * weight(j));
  const contributions = contributionsOf(M, n, A);
  const p = (1 + count) / (1 + permutations.length);
  return { n, observed, permuted, reached, count, p, alignment, contributions };
}

export const isUnlikely = ({ p }: Result) => p <= 0.05;

export function testVerdict(result: Result, { test, kernel }: State) {
  const { observed, count, p, permuted } = result;
  const total = permuted.length;
  const what = test === "two-sample" ? "labels" : "y coordinates";
  const reason =
    `${capital(STATISTICS[test][kernel])} ${threeDigitText(observed)}: ${count || "none"} of ` +
    `${total} permutations of the ${what} ${count === 1 ? "gives" : "give"} at least this ` +
    `value, so p = (1 + ${count})/(1 + ${total}).`;
  const head = isUnlikely(result) ? "Unlikely by chance" : "Compatible with chance";
  return { head: `${head}: p = ${text(p, 3)}.`, reason };
}

export function threeDigitText(value: number) {
  if (value < 1e-5) return value < 1e-12 ? "0" : "less than 0.00001";
  return text(value, Math.max(0, 2 - Math.floor(Math.log10(value))));
}

/** Return the distance between the means of the samples, and the correlation of x and y. */
export function simpleStatistics({ points, second }: State) {
  const means = [false, true].map((side) => {
    const rows = points.filter((_, i) => second.includes(i) === side);
    return [0, 1].map((axis) => sumOf(rows, (row) => row[axis]) / rows.length);
  });
  const [x, y] = [0, 1].map((axis) => {
    const mean = sumOf(points, (row) => row[axis]) / points.length;
    return points.map((row) => row[axis] - mean);
  });
  const [xx, xy, yy] = [dot(x, x), dot(x, y), dot(y, y)];
  return {
    meanDistance: Math.hypot(means[0][0] - means[1][0], means[0][1] - means[1][1]),
    correlation: xx * yy > 0 ? xy / Math.sqrt(xx * yy) : 0,
  };
}

/** Describe the simple statistics, and the statistic of independence on a scale from 0 to 1. */
export function simpleStatisticsText(state: State, result: Result) {
  const { alignment } = result;
  const { meanDistance, correlation } = simpleStatistics(state);
  if (alignment === null) return `Distance between the means of ● and ○: ${text(meanDistance)}.`;
  const name = state.kernel === "RBF" ? "kernel alignment" : "squared distance correlation";
  return `Correlation of x and y: ${text(correlation)}; ${name}: ${text(alignment)}.`;
}

/** Count the permuted values in each bin, and those that are at least the observed value. */
export function histogram({ observed, permuted, reached }: Result) {
  const top = 1.04 * Math.max(observed, largestModulus(permuted)) || 1;
  const [all, strong] = [new Int32Array(BINS), new Int32Array(BINS)];
  permuted.forEach((value, i) => {
    const bin = Math.min(BINS - 1, Math.max(0, Math.floor((BINS * value) / top)));
    all[bin]++;
    strong[bin] += reached[i];
  });
  return { top, all, strong };
}
