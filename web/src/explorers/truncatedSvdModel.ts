// The numbers and the texts of the explorer of the truncated SVD.

import { eigenpairs } from "../core/eigenpairs.ts";
import type { Matrix } from "../core/matrix.ts";
import { crossTable, innerProduct, matrixProduct, sumOf, symmetricTable } from "../core/matrix.ts";
import { percent, plural, subscript, text } from "../ui/text.ts";

type Data = { pixels: string; observed: string; shape: [number, number] };
export type Terms = ReturnType<typeof termsOf> & { exact?: Matrix };
export type Result = ReturnType<typeof resultOf>;
export interface State {
  matrix: "image" | "gram";
  rule: "absolute" | "positive"; // the rule that chose the terms
  kept: number[]; // the indices of the terms
  chosen: number; // the index of the chosen bar
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Decode numbers from base64. */
function unpacked(letters: string, bits: number, count: number): Matrix {
  const numbers = new Float64Array(count);
  for (let i = 0; i < count * bits; i++) {
    const bit = (LETTERS.indexOf(letters[Math.floor(i / 6)]) >> (5 - (i % 6))) & 1;
    numbers[Math.floor(i / bits)] = 2 * numbers[Math.floor(i / bits)] + bit;
  }
  return numbers;
}

/**
 * Decompose a matrix M with n rows into a sum of terms v (v'M), where the v are eigenvectors of a
 * symmetric matrix A. `toValue` converts an eigenvalue of A into the value of a term; the terms are
 * sorted by the absolute values.
 */
function termsOf(M: Matrix, A: Matrix, n: number, toValue: (value: number) => number) {
  const pairs = eigenpairs(A, n);
  const all = Array.from(pairs.values, toValue);
  const order = all.map((_, r) => r).sort((a, b) => Math.abs(all[b]) - Math.abs(all[a]));
  const left = crossTable(n, n, (r, i) => pairs.vectors[i * n + order[r]]);
  const p = M.length / n;
  const values = order.map((r) => all[r]);
  return { M, n, p, left, right: matrixProduct(left, n, M, p), values };
}

/** Decompose the image, and the Gram matrix that is estimated from the observed pixels. */
export function decompose({ pixels, observed, shape: [n, p] }: Data) {
  const photo = unpacked(pixels, 12, n * p).map((shade) => shade / 4095);
  const mask = unpacked(observed, 1, n * p);
  const products = (M: Matrix) => symmetricTable(n, (i, j) => innerProduct(M, i, M, j, p));
  const [all, counts] = [products(photo), products(mask)];
  const visible = photo.map((shade, at) => shade * mask[at]);
  const gram = products(visible).map((sum, at) => sum / counts[at]);
  return {
    image: termsOf(photo, all, n, (value) => Math.sqrt(Math.max(0, value))),
    gram: { ...termsOf(gram, gram, n, Number), exact: all.map((sum) => sum / p) },
  };
}

function sumOfTerms({ left, right, n, p }: Terms, kept: number[]) {
  const sum = new Float64Array(n * p);
  for (const r of kept)
    for (let i = 0; i < n; i++) {
      const weight = left[r * n + i];
      for (let c = 0; c < p; c++) sum[i * p + c] += weight * right[r * p + c];
    }
  return sum;
}

const frobeniusDistance = (A: Matrix, B: Matrix) =>
  Math.sqrt(sumOf(A, (a, at) => (a - B[at]) ** 2));

export function indicesKeptBy(rule: string, count: number, values: number[]): number[] {
  const indices = Array.from(values.keys());
  return (rule === "positive" ? indices.filter((r) => values[r] > 0) : indices).slice(0, count);
}

/**
 * Return the approximation by the kept terms, its rank and its errors. `best` are the terms of the
 * closest approximation of the same kind, and `minError` is its error.
 */
export function resultOf(terms: Terms, kept: number[]) {
  const { M, values, exact } = terms;
  const nonNegative = kept.filter((r) => values[r] >= 0);
  const negative = kept.length - nonNegative.length;
  const rule = exact && !negative ? "positive" : "absolute";
  const best = indicesKeptBy(rule, kept.length, values);
  const approximation = sumOfTerms(terms, kept);
  const psd = negative ? sumOfTerms(terms, nonNegative) : approximation;
  const [isBest, error] = [String(best) === String(kept), frobeniusDistance(approximation, M)];
  return {
    values,
    kept,
    approximation,
    best,
    negative,
    rank: kept.length,
    isBest,
    norm: Math.sqrt(sumOf(M, (m) => m * m)),
    error,
    minError: isBest ? error : frobeniusDistance(sumOfTerms(terms, best), M),
    exactError: exact && frobeniusDistance(approximation, exact),
    psdErrors: exact && [frobeniusDistance(psd, M), frobeniusDistance(psd, exact)],
  };
}

function imageVerdict(result: Result, { n, p }: Terms) {
  const { kept, best, rank, isBest, norm, error, minError } = result;
  const ofNorm = (value: number) => percent(value / norm);
  const head = `Rank ${rank}: error ${ofNorm(error)}.`;
  if (rank === 0)
    return { holds: false, head, reason: "All terms are omitted, so the image is black." };
  if (rank === n)
    return { holds: true, head, reason: "All terms are kept, so this is the photograph." };
  if (isBest) {
    const numbers = `${rank * (n + p + 1)} numbers instead of ${n * p}`;
    const reason = `No rank-${rank} matrix is closer. It is given by ${numbers}.`;
    return { holds: true, head, reason };
  }
  const missing = best.filter((r) => !kept.includes(r))[0] + 1;
  const change = `You omitted s${subscript(missing)} and kept s${subscript(kept[rank - 1] + 1)}`;
  const lowest = `the ${rank} largest singular values give ${ofNorm(minError)}`;
  return { holds: false, head, reason: `${change}; ${lowest}.` };
}

function gramVerdict(result: Result) {
  const { rank, negative, isBest, error, exactError = NaN, minError, psdErrors = [] } = result;
  const errors = `${text(error)} from the estimate and ${text(exactError)} from the exact matrix`;
  if (negative) {
    const are = negative === 1 ? "eigenvalue is" : "eigenvalues are";
    const head = `Not positive semidefinite: ${negative} of the ${rank} ${are} negative.`;
    const without = psdErrors.map((distance) => text(distance)).join(" and ");
    const reason = `Distance ${errors}; without the negative eigenvalues, ${without}.`;
    return { holds: false, head, reason };
  }
  if (rank === 0) return { holds: false, head: "Zero matrix.", reason: `Distance ${errors}.` };
  const head = `Gram matrix of points in ${plural(rank, "dimension")}.`;
  const comparison = isBest
    ? "No such matrix is closer to the estimate."
    : `The ${rank} largest positive eigenvalues give ${text(minError)} from the estimate.`;
  return { holds: isBest, head, reason: `Distance ${errors}. ${comparison}` };
}

export const rankVerdict = (result: Result, terms: Terms) =>
  terms.exact ? gramVerdict(result) : imageVerdict(result, terms);

export function barText(values: number[], r: number, isKept: boolean, isGram: boolean): string {
  const name = `${isGram ? "λ" : "s"}${subscript(r + 1)}`;
  const value = text(values[r], Math.abs(values[r]) < 0.1 ? 3 : 2);
  return `${name} = ${value}, ${isKept ? "kept" : "omitted"}`;
}
