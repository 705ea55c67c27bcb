// All eigenvalues and eigenvectors of a symmetric matrix.

import { crossTable, dot, EPS, largestModulus, type Matrix } from "./matrix.ts";

/** Eigenvalues in descending order, and their eigenvectors in columns. */
export type Eigenpairs = { values: Float64Array; vectors: Matrix };

/** Change the signs of columns so that the entry largest in absolute value is positive in each. */
export function canonicalSigns(V: Matrix, k: number) {
  const signs = new Float64Array(k);
  for (let c = 0; c < k; c++) {
    let largest = 0;
    for (let at = c; at < V.length; at += k) largest = Math.max(largest, Math.abs(V[at]));
    let at = c;
    while (Math.abs(V[at]) < (1 - 1e-8) * largest) at += k;
    signs[c] = V[at] < 0 ? -1 : 1;
  }
  return V.map((v, at) => v * signs[at % k]);
}

// Treat vectors shorter than this as zero: their fourth power would underflow.
const VANISHING = 1e-60;

/**
 * Reduce a symmetric matrix A, whose entries are at most 1 in absolute value, to a similar
 * tridiagonal matrix by Householder reflections I - w v v'; return its `diagonal` and its entries
 * `off` the diagonal. Row i of A is overwritten by the vector v of reflection i, and `weights`
 * contains the factors w = 2 / |v|^2.
 */
export function tridiagonalise(A: Matrix, n: number) {
  const diagonal = new Float64Array(n);
  const off = new Float64Array(n);
  const weights = new Float64Array(n);
  const w = new Float64Array(n);
  for (let i = n - 1; i > 0; i--) {
    const v = A.subarray(i * n, i * n + i);
    diagonal[i] = A[i * n + i];
    const length = Math.sqrt(dot(v, v));
    const tail = v[i - 1];
    off[i - 1] = tail > 0 ? -length : length;
    if (length === Math.abs(tail) || length < VANISHING) {
      off[i - 1] = tail;
      continue;
    }
    v[i - 1] = tail - off[i - 1];
    weights[i] = 2 / dot(v, v);
    reflectBothSides(A, n, v, weights[i], w);
  }
  diagonal[0] = A[0];
  return { diagonal, off, weights };
}

/** Apply the reflection I - weight v v' to A from both sides; only its lower triangle is stored. */
function reflectBothSides(A: Matrix, n: number, v: Matrix, weight: number, w: Matrix): void {
  const m = v.length;
  w.fill(0, 0, m);
  for (let r = 0; r < m; r++) {
    const offset = r * n;
    const vr = v[r];
    let sum = A[offset + r] * vr;
    for (let c = 0; c < r; c++) {
      sum += A[offset + c] * v[c];
      w[c] += A[offset + c] * vr;
    }
    w[r] += sum;
  }
  let product = 0;
  for (let r = 0; r < m; r++) product += v[r] * w[r];
  const half = (weight * weight * product) / 2;
  for (let r = 0; r < m; r++) w[r] = weight * w[r] - half * v[r];
  for (let r = 0; r < m; r++) {
    for (let c = 0; c <= r; c++) A[r * n + c] -= v[r] * w[c] + w[r] * v[c];
  }
}

/** Return the transpose of the product of the reflections that `tridiagonalise` stored in A. */
function reflections(A: Matrix, n: number, weights: Matrix): Matrix {
  const rows = new Float64Array(n * n);
  for (let r = 0; r < n; r++) {
    rows[r * n + r] = 1;
    applyReflections(A, n, weights, rows.subarray(r * n, (r + 1) * n), r + 1);
  }
  return rows;
}

/**
 * Apply the reflections that `tridiagonalise` stored in A, from number `first` on, to a vector x in
 * place. The earlier reflections do not change a vector whose first entries are zero.
 */
export function applyReflections(A: Matrix, n: number, weights: Matrix, x: Matrix, first = 1) {
  for (let i = first; i < n; i++) {
    if (weights[i] === 0) continue;
    const v = A.subarray(i * n, i * n + i);
    const factor = weights[i] * dot(x, v);
    for (let c = 0; c < i; c++) x[c] -= factor * v[c];
  }
}

/** Diagonalise a tridiagonal matrix in place by the QL algorithm, and rotate `rows` if given. */
export function diagonalise(diagonal: Matrix, off: Matrix, rows: Matrix | null): void {
  const n = diagonal.length;
  const small = EPS * Math.max(largestModulus(diagonal), largestModulus(off));
  for (let first = 0; first < n; first++) {
    for (let sweep = 0; sweep < 60; sweep++) {
      let last = first;
      while (last < n - 1 && Math.abs(off[last]) > small) last++;
      if (last === first) break;
      qlStep(diagonal, off, rows, first, last);
    }
  }
}

/** Apply one QL step with Wilkinson's shift to the block from `first` to `last`. */
function qlStep(diagonal: Matrix, off: Matrix, rows: Matrix | null, first: number, last: number) {
  const n = diagonal.length;
  const half = (diagonal[first + 1] - diagonal[first]) / (2 * off[first]);
  const root = Math.sqrt(half * half + 1);
  const shift = diagonal[first] - off[first] / (half + (half < 0 ? -root : root));
  let bulge = diagonal[last] - shift;
  let sine = 1;
  let cosine = 1;
  let carried = 0;
  for (let i = last - 1; i >= first; i--) {
    const [f, b] = [sine * off[i], cosine * off[i]];
    const length = Math.sqrt(f * f + bulge * bulge);
    off[i + 1] = length;
    if (length === 0) {
      diagonal[i + 1] -= carried;
      off[last] = 0;
      return;
    }
    [sine, cosine] = [f / length, bulge / length];
    const lowered = diagonal[i + 1] - carried;
    const mixed = (diagonal[i] - lowered) * sine + 2 * cosine * b;
    carried = sine * mixed;
    diagonal[i + 1] = lowered + carried;
    bulge = cosine * mixed - b;
    if (rows) rotateRows(rows, i * n, n, cosine, sine);
  }
  diagonal[first] -= carried;
  off[first] = bulge;
  off[last] = 0;
}

/** Rotate two successive rows, of which the first begins at index `low`, in their plane. */
function rotateRows(rows: Matrix, low: number, n: number, cosine: number, sine: number): void {
  const high = low + n;
  for (let c = 0; c < n; c++) {
    const lower = rows[low + c];
    const upper = rows[high + c];
    rows[high + c] = sine * lower + cosine * upper;
    rows[low + c] = cosine * lower - sine * upper;
  }
}

/** Return a copy of a matrix with largest absolute value 1, and the factor `size`. */
export function scaledCopy(A: Matrix) {
  const size = largestModulus(A) || 1;
  return { size, copy: A.map((a) => a / size) };
}

/** Return all eigenvalues of a symmetric matrix, in descending order. */
export function eigenvalues(A: Matrix, n: number) {
  const { size, copy } = scaledCopy(A);
  const { diagonal, off } = tridiagonalise(copy, n);
  diagonalise(diagonal, off, null);
  return diagonal
    .sort()
    .reverse()
    .map((value) => value * size);
}

/** Return all eigenpairs of a symmetric matrix. */
export function eigenpairs(A: Matrix, n: number): Eigenpairs {
  const { size, copy } = scaledCopy(A);
  const { diagonal, off, weights } = tridiagonalise(copy, n);
  const rows = reflections(copy, n, weights);
  diagonalise(diagonal, off, rows);
  const order = Array.from(diagonal.keys()).sort((a, b) => diagonal[b] - diagonal[a]);
  const vectors = crossTable(n, n, (i, c) => rows[order[c] * n + i]);
  const values = Float64Array.from(order, (c) => diagonal[c] * size);
  return { values, vectors: canonicalSigns(vectors, n) };
}
