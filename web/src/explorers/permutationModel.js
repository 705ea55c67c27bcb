// What the explorer of permutation tests computes and says.

import { eigenpairs } from "../core/eigenpairs.js";
import { centerGram } from "../core/gram.js";
import { kernelMatrix, Power, RBF } from "../core/kernels.js";
import { fromRows, largestModulus, multiplied, sumOf, symmetricTable } from "../core/matrix.js";
import { TIE } from "../core/neighborGraph.js";
import { noise } from "../core/random.js";
import { capital, text } from "../ui/text.js";

/** What the value of each question and kernel is called. */
export const CALLED = {
  samples: { distance: "energy distance", RBF: "squared MMD" },
  pairs: { distance: "squared distance covariance", RBF: "HSIC" },
};

export const DEALS = 999;
export const [BINS, GROUND, RIGHT] = [40, 92, 330];

/** Random orders of n objects, the same in every run. */
export function dealsOf(n, count = DEALS) {
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

/** The kernel that a state has chosen. */
const kernelOf = ({ kernel, exponent, theta }) => (kernel === "RBF" ? RBF(theta) : Power(exponent));

/** HKH of some columns of the points: of all, or of one. */
function centredTable(points, columns, kernel) {
  const X = fromRows(points.map((point) => columns.map((column) => point[column])));
  return centerGram(kernelMatrix(kernel, X, columns.length), points.length);
}

/** The value for labels dealt in an order: c'HKHc, from the entries of the second sample alone. */
function ofLabels(M, n, second, order) {
  const places = second.map((i) => order[i]);
  let sum = 0;
  for (const i of places) for (const j of places) sum += M[i * n + j];
  return sum * (1 / places.length + 1 / (n - places.length)) ** 2;
}

/** The value for partners dealt in an order: tr(HKH HLH) / n^2. */
function ofPartners(M, L, n, order) {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const row = order[i] * n;
    for (let j = 0; j < n; j++) sum += M[i * n + j] * L[row + order[j]];
  }
  return sum / (n * n);
}

/** The axes' parts of a value: lambda_r v_r' A v_r, where the value is tr(HKH A). */
function partsOf(M, n, A) {
  const { values, vectors } = eigenpairs(M, n);
  const applied = multiplied(A, n, vectors, n);
  return Array.from(values, (value, r) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += vectors[i * n + r] * applied[i * n + r];
    return value * sum;
  });
}

/**
 * Deals whose value is no smaller than the observed one; ties to rounding count, as in the library.
 */
function reaching(observed, dealt) {
  const margin = TIE * Math.max(Math.abs(observed), largestModulus(dealt));
  return dealt.map((value) => Number(value >= observed - margin));
}

/** The value of the data, of each deal, and the axes' parts of it. */
export function tested(state, deals) {
  const { points, second, asks } = state;
  const [n, kernel] = [points.length, kernelOf(state)];
  const own = Int32Array.from({ length: n }, (_, i) => i);
  const weight = (i) => (second.includes(i) ? -1 / second.length : 1 / (n - second.length));
  const samples = asks === "samples";
  const M = centredTable(points, samples ? [0, 1] : [0], kernel);
  const L = samples ? null : centredTable(points, [1], kernel);
  const value = samples
    ? (order) => ofLabels(M, n, second, order)
    : (order) => ofPartners(M, L, n, order);
  const [observed, dealt] = [value(own), Float64Array.from(deals, value)];
  const reached = reaching(observed, dealt);
  const count = sumOf(reached, (one) => one);
  const cosine = samples
    ? null
    : observed / Math.sqrt(ofPartners(M, M, n, own) * ofPartners(L, L, n, own) || 1);
  const A = samples
    ? symmetricTable(n, (i, j) => weight(i) * weight(j))
    : L.map((entry) => entry / (n * n));
  return {
    n,
    observed,
    dealt,
    reached,
    count,
    p: (1 + count) / (1 + deals.length),
    cosine,
    parts: partsOf(M, n, A),
  };
}

/** The banner's words. */
export function chanceVerdict({ observed, count, p, dealt }, { asks, kernel }) {
  const [q, called] = [dealt.length, CALLED[asks][kernel]];
  const what = asks === "samples" ? "labels" : "partners";
  const deals = count
    ? `${count} of ${q} deals of the ${what}`
    : `none of ${q} deals of the ${what}`;
  const reason =
    `${capital(called)} ${short(observed)}: ${deals} reach it, and the data count as one ` +
    "more.";
  const odds = p <= 0.05 ? "Chance seldom deals this" : "Chance deals this too";
  return { head: `${odds}: p = ${1 + count}/${1 + q}.`, reason };
}

/** A value with three digits, for HSIC is small. */
export function short(value) {
  if (value < 1e-5) return value < 1e-12 ? "0" : "less than 0.00001";
  return text(value, Math.max(0, 2 - Math.floor(Math.log10(value))));
}

/** The two numbers that see least: the step of the means, and the correlation. */
export function plainNumbers({ points, second }) {
  const means = [false, true].map((side) => {
    const rows = points.filter((_, i) => second.includes(i) === side);
    return [0, 1].map((axis) => sumOf(rows, (row) => row[axis]) / rows.length);
  });
  const centred = [0, 1].map((axis) => {
    const mean = sumOf(points, (row) => row[axis]) / points.length;
    return points.map((row) => row[axis] - mean);
  });
  const [xx, xy, yy] = [
    [0, 0],
    [0, 1],
    [1, 1],
  ].map(([a, b]) => sumOf(centred[0], (_, i) => centred[a][i] * centred[b][i]));
  return {
    step: Math.hypot(means[0][0] - means[1][0], means[0][1] - means[1][1]),
    r: xx * yy > 0 ? xy / Math.sqrt(xx * yy) : 0,
  };
}

/** What means or correlation say, and how large the value is on a scale from 0 to 1. */
export function plainSays(state) {
  const { step, r } = plainNumbers(state);
  if (state.asks === "samples") return `The means of ● and ○ are ${text(step)} apart.`;
  const called = state.kernel === "RBF" ? "HSIC as a cosine" : "distance correlation, squared";
  return `Correlation of x and y ${text(r)}; ${called}, ${text(state.result.cosine)}.`;
}

/** Where in a histogram a value falls. */
const binOf = (value, top) => Math.min(BINS - 1, Math.max(0, Math.floor((BINS * value) / top)));

/** How many deals fall into each bin, and how many of these reach the observed value. */
export function histogram({ observed, dealt, reached }) {
  const top = 1.04 * Math.max(observed, largestModulus(dealt)) || 1;
  const [all, strong] = [new Int32Array(BINS), new Int32Array(BINS)];
  dealt.forEach((value, at) => {
    all[binOf(value, top)]++;
    strong[binOf(value, top)] += reached[at];
  });
  return { top, all, strong };
}
