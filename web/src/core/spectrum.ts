// Quantities computed from the eigenvalues of a Gram matrix.

import { EPS, largestModulus, sumOf } from "./matrix.ts";

/** Return the fraction of the largest eigenvalue below which others count as rounding errors. */
export const rankTolerance = (n: number) => 16 * Math.max(n, 16) * EPS;

/** Divide eigenvalues by the largest absolute value, and replace rounding errors by zero. */
function signedSpectrum(values: Float64Array) {
  const largest = largestModulus(values);
  if (largest === 0) return values.map(() => 0);
  const tolerance = rankTolerance(values.length);
  return values.map((value) => (Math.abs(value) > tolerance * largest ? value / largest : 0));
}

/** Return the sum of |lambda| over the negative eigenvalues, divided by the sum over all. */
export function negativeMass(values: Float64Array) {
  const signed = signedSpectrum(values);
  const total = sumOf(signed, Math.abs);
  return total ? sumOf(signed, (value) => Math.max(0, -value)) / total : 0;
}

/** Return the first k eigenvalues as a part of all |lambda|, and of the positive eigenvalues. */
export function goodnessOfFit(values: Float64Array, k: number) {
  const signed = signedSpectrum(values);
  const kept = sumOf(signed.slice(0, k), (value) => value);
  const totals = [sumOf(signed, Math.abs), sumOf(signed, (value) => Math.max(0, value))];
  return totals.map((total) => (total ? kept / total : 1));
}

/** Return the explained fraction gamma(k) for k = 1, ..., n. */
export function explained(values: Float64Array) {
  const signed = signedSpectrum(values);
  const total = sumOf(signed, Math.abs);
  let kept = 0;
  return signed.map((value) => (total ? (kept += value) / total : 1));
}

/**
 * Count the positive and the negative eigenvalues, without those up to `zero`, which are rounding
 * errors. `scale` is the size of the entries before the matrix was centred.
 */
export function countSigns(values: Float64Array, scale = 0) {
  const zero = rankTolerance(values.length) * Math.max(scale, largestModulus(values));
  const count = (test: (v: number) => boolean) => values.filter(test).length;
  return { zero, positive: count((v) => v > zero), negative: count((v) => v < -zero) };
}
