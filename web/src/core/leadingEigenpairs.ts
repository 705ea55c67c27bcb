// The largest eigenvalues of a symmetric matrix and their eigenvectors.

import {
  applyReflections,
  canonicalSigns,
  diagonalise,
  type Eigenpairs,
  eigenpairs,
  scaledCopy,
  tridiagonalise,
} from "./eigenpairs.ts";
import { crossTable, dot, EPS, type Matrix, padColumns, symmetricProduct } from "./matrix.ts";
import { noise } from "./random.ts";

// Up to this order, computing all pairs takes about a millisecond.
const DENSE_UP_TO = 60;
// Largest residual of an eigenvector, relative to the largest eigenvalue.
const RESIDUAL = 1e-13;

/**
 * Return the k algebraically largest eigenpairs of a symmetric matrix, all its eigenvalues
 * (`spectrum`), and the largest of their absolute values (`scale`).
 */
export function leadingEigenpairs(
  A: Matrix,
  n: number,
  k = 2,
): Eigenpairs & { spectrum: Float64Array; scale: number } {
  const some = n > DENSE_UP_TO && 8 * k < n ? inverseIteration(A, n, k) : null;
  const { values: spectrum, vectors } = some ?? eigenpairs(A, n);
  return {
    values: spectrum.slice(0, k),
    vectors: padColumns(vectors, vectors.length / n, n, k),
    spectrum,
    scale: Math.max(Math.abs(spectrum[0]), Math.abs(spectrum[n - 1])),
  };
}

/**
 * Return all eigenvalues, and k eigenvectors, which are computed for the tridiagonal matrix by
 * inverse iteration and reflected back; or null if a residual is too large.
 */
function inverseIteration(A: Matrix, n: number, k: number) {
  const { size, copy } = scaledCopy(A);
  const reduced = copy.slice();
  const { diagonal, off, weights } = tridiagonalise(reduced, n);
  const values = diagonal.slice();
  diagonalise(values, off.slice(), null);
  values.sort().reverse();
  const scale = Math.max(Math.abs(values[0]), Math.abs(values[n - 1]));
  const random = noise();
  const basis: Matrix[] = [];
  for (let c = 0; c < k; c++) {
    const cluster = basis.filter((_, b) => values[b] - values[c] < 1e-3 * scale);
    let x: Matrix = Float64Array.from({ length: n }, () => random.next().value);
    for (let pass = 0; pass < 3; pass++) {
      solveTridiagonal(diagonal, off, values[c], x);
      x = orthonormal(x, cluster);
    }
    basis.push(x);
  }
  for (const [c, x] of basis.entries()) {
    applyReflections(reduced, n, weights, x);
    const residual = symmetricProduct(copy, n, x).map((y, i) => y - values[c] * x[i]);
    if (!(Math.sqrt(dot(residual, residual)) <= RESIDUAL * scale)) return null;
  }
  const vectors = crossTable(n, k, (i, c) => basis[c][i]);
  return { values: values.map((value) => value * size), vectors: canonicalSigns(vectors, k) };
}

/** Solve (T - shift) y = x in place by elimination; a pivot that is zero is replaced by EPS. */
function solveTridiagonal(diagonal: Matrix, off: Matrix, shift: number, x: Matrix): void {
  const n = x.length;
  const a = diagonal.map((d) => d - shift);
  const above = off.slice();
  const second = new Float64Array(n);
  for (let i = 0; i + 1 < n; i++) {
    if (Math.abs(a[i]) >= Math.abs(off[i])) {
      const factor = off[i] / (a[i] || EPS);
      a[i + 1] -= factor * above[i];
      x[i + 1] -= factor * x[i];
      continue;
    }
    const factor = a[i] / off[i];
    second[i] = above[i + 1];
    [a[i], above[i], a[i + 1]] = [off[i], a[i + 1], above[i] - factor * a[i + 1]];
    above[i + 1] *= -factor;
    [x[i], x[i + 1]] = [x[i + 1], x[i] - factor * x[i + 1]];
  }
  for (let i = n - 1; i >= 0; i--) {
    const solved = (i + 1 < n ? above[i] * x[i + 1] : 0) + (i + 2 < n ? second[i] * x[i + 2] : 0);
    x[i] = (x[i] - solved) / (a[i] || EPS);
  }
}

/** Subtract the projections of a vector onto orthonormal vectors; return it with length 1. */
function orthonormal(x: Matrix, basis: Matrix[]) {
  let rest = x;
  for (let pass = 0; pass < 2; pass++) {
    const length = Math.sqrt(dot(rest, rest));
    rest = rest.map((v) => v / length);
    for (const q of basis) {
      const part = dot(q, rest);
      rest = rest.map((v, i) => v - part * q[i]);
    }
  }
  return rest;
}
