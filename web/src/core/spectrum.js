// Quantities computed from the eigenvalues of a Gram matrix.

import { EPS, largestModulus, sumOf } from "./matrix.js";

/** How small, relative to the largest, an eigenvalue of order n is rounding. */
export const rankTolerance = (n) => 16 * Math.max(n, 16) * EPS;

/** Eigenvalues relative to the largest modulus, rounding replaced by zero. */
function signedSpectrum(values) {
  const largest = largestModulus(values);
  if (largest === 0) return values.map(() => 0);
  const tolerance = rankTolerance(values.length);
  return values.map((value) => (Math.abs(value) > tolerance * largest ? value / largest : 0));
}

/** Sum of |lambda| over the negative eigenvalues, as a part of the sum over all. */
export function negativeMass(values) {
  const signed = signedSpectrum(values);
  const total = sumOf(signed, Math.abs);
  return total ? sumOf(signed, (value) => Math.max(0, -value)) / total : 0;
}

/** Kept eigenvalues beside the sum of all moduli, and beside the sum of the positive ones. */
export function goodnessOfFit(values, k) {
  const signed = signedSpectrum(values);
  const kept = sumOf(signed.slice(0, k), (value) => value);
  const wholes = [sumOf(signed, Math.abs), sumOf(signed, (value) => Math.max(0, value))];
  return wholes.map((whole) => (whole ? kept / whole : 1));
}

/** Explained fraction gamma(k) for k = 1, ..., n. */
export function explained(values) {
  const signed = signedSpectrum(values);
  const total = sumOf(signed, Math.abs);
  let kept = 0;
  return signed.map((value) => (total ? (kept += value) / total : 1));
}

/**
 * Eigenvalues counted by sign, rounding apart: also that of the entries, up to `scale`, before they
 * were centred.
 */
export function countSigns(values, scale = 0) {
  const zero = rankTolerance(values.length) * Math.max(scale, largestModulus(values));
  const count = (test) => values.filter(test).length;
  return { zero, positive: count((v) => v > zero), negative: count((v) => v < -zero) };
}
