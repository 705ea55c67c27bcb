// The largest eigenvalues of a symmetric matrix and their eigenvectors.

import {
  canonicalSigns,
  diagonalise,
  eigenpairs,
  scaledCopy,
  tridiagonalise,
  turnBack,
} from "./eigenpairs.js";
import {
  crossTable,
  dot,
  EPS,
  largestModulus,
  padColumns,
  symmetricProduct,
  symmetricTable,
} from "./matrix.js";
import { noise } from "./random.js";

// Up to this order all pairs cost about a millisecond, and none can be missed.
const DENSE_UP_TO = 60;
const GUARDS = 2;
const DEPTH = 8;
// At most 2 cycles and one for each 50 objects: half the cost of all pairs.
const CYCLE_LIMIT_DIVISOR = 50;
// The search for a missed pair compares after each 8 steps, and gives up after 40.
const [CHECK_EVERY, CHECK_STEP_LIMIT] = [8, 40];
// A vector has been found where its residual is so small beside the largest eigenvalue.
const RESIDUAL = 1e-13;
// The library's bound on its error: at half the gap, one start in 200 that lacked a vector hid it.
const RITZ_TOL = 0.005;

/**
 * The k algebraically largest eigenpairs of a symmetric matrix; `start` holds vectors in rows that
 * are near theirs, such as the `block` of an earlier answer for a matrix that has moved a little.
 * `scale` is the largest modulus of an eigenvalue, from below: the yardstick for what is zero.
 */
export function leadingEigenpairs(A, n, k = 2, { start = null } = {}) {
  if (n > DENSE_UP_TO && 8 * k < n) {
    const { size, copy } = scaledCopy(A);
    const found = subspaceSearch(copy, n, k, start) ?? inverseIteration(copy, n, k);
    if (found)
      return {
        ...found,
        values: found.values.map((value) => value * size),
        scale: found.scale * size,
      };
  }
  const all = eigenpairs(A, n);
  const vectors = padColumns(all.vectors, n, n, k);
  const block = crossTable(Math.min(k + GUARDS, n), n, (c, i) => all.vectors[i * n + c]);
  const scale = Math.max(Math.abs(all.values[0]), Math.abs(all.values[n - 1]));
  return { values: all.values.slice(0, k), vectors, block, scale };
}

/** Subspace iteration with Rayleigh-Ritz on the last few powers; null at the limit of cycles. */
function subspaceSearch(A, n, k, start) {
  const width = k + GUARDS;
  const random = noise();
  const anyRow = () => Float64Array.from({ length: n }, () => random.next().value);
  let block = Array.from({ length: width + 1 }, (_, r) =>
    start && (r + 1) * n <= start.length ? start.slice(r * n, (r + 1) * n) : anyRow(),
  );
  for (let cycle = 0; cycle < 2 + n / CYCLE_LIMIT_DIVISOR; cycle++) {
    const basis = [];
    const products = [];
    for (let depth = 0; depth < DEPTH; depth++) {
      const from = basis.length;
      block.forEach((row) => extend(basis, row));
      // Rows of a start may depend on each other, be zero or no numbers.
      while (basis.length < width) extend(basis, anyRow());
      for (let r = from; r < basis.length; r++) products.push(symmetricProduct(A, n, basis[r]));
      block = products.slice(from);
    }
    const ritz = ritzPairs(basis, products, width);
    block = ritz.vectors;
    if (!(ritz.error(k) <= RESIDUAL * ritz.scale)) continue;
    const missed = findMissedVector(A, n, ritz, k, random);
    if (missed === null) return answer(ritz, n, k, width);
    if (!missed.length) return null;
    block = [...ritz.vectors.slice(0, k), missed];
  }
  return null;
}

/**
 * A vector whose eigenvalue lies above the k-th found, in a space that grows from a random start
 * orthogonal to those found; null where none is left, empty where the space cannot tell. Found
 * vectors that stay eigenvectors while the matrix moves would hide one that has risen above them.
 */
function findMissedVector(A, n, ritz, k, random) {
  const [basis, products] = [ritz.vectors.slice(0, k), []];
  const [least, exact] = [ritz.values[k - 1], 1e-10 * ritz.scale];
  let row = Float64Array.from({ length: n }, () => random.next().value);
  for (let step = 1; step <= CHECK_STEP_LIMIT; step++) {
    const before = basis.length;
    extend(basis, row);
    const ended = basis.length === before;
    if (!ended) products.push((row = symmetricProduct(A, n, basis[before])));
    if (!ended && step % CHECK_EVERY) continue;
    const top = ritzPairs(basis.slice(k), products, 1);
    const [value, error] = [top.values[0], top.error(1)];
    if (value > least + exact) return top.vectors[0];
    if (error <= Math.max(exact, RITZ_TOL * Math.min(Math.abs(value), 5 * (least - value))))
      return null;
    if (ended) break;
  }
  return [];
}

/**
 * Leading pairs where the spectrum is too flat for a search: eigenvalues of the tridiagonal matrix,
 * then its vectors by inverse iteration, turned back; null where a residual is too large.
 */
function inverseIteration(A, n, k) {
  const copy = A.slice();
  const { diagonal, off, weights } = tridiagonalise(copy, n);
  const values = diagonal.slice();
  diagonalise(values, off.slice(), null);
  values.sort().reverse();
  const scale = Math.max(Math.abs(values[0]), Math.abs(values[n - 1]));
  const [random, basis] = [noise(), []];
  for (let c = 0; c < k + GUARDS; c++) {
    const cluster = basis.filter((_, b) => values[b] - values[c] < 1e-3 * scale);
    let x = Float64Array.from({ length: n }, () => random.next().value);
    for (let pass = 0; pass < 3; pass++) {
      solveTridiagonal(diagonal, off, values[c], x);
      const orthonormal = [...cluster];
      extend(orthonormal, x);
      if (orthonormal.length > cluster.length) x = orthonormal.at(-1);
    }
    basis.push(x);
  }
  for (const x of basis) turnBack(copy, n, weights, x);
  const products = basis.map((x) => symmetricProduct(A, n, x));
  const error = (c) => Math.hypot(...products[c].map((y, i) => y - values[c] * basis[c][i]));
  for (let c = 0; c < k; c++) if (!(error(c) <= RESIDUAL * scale)) return null;
  return answer({ values, vectors: basis, scale }, n, k, k + GUARDS);
}

/**
 * Solve (T - shift) y = x in place, by elimination with pivots; a zero pivot counts as rounding.
 */
function solveTridiagonal(diagonal, off, shift, x) {
  const n = x.length;
  const [a, above, second] = [diagonal.map((d) => d - shift), off.slice(), new Float64Array(n)];
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
    const known = (i + 1 < n ? above[i] * x[i + 1] : 0) + (i + 2 < n ? second[i] * x[i + 2] : 0);
    x[i] = (x[i] - known) / (a[i] || EPS);
  }
}

/** Add the direction of a row to an orthonormal basis, unless it holds it already. */
function extend(basis, row) {
  const added = Float64Array.from(row);
  let length = Math.sqrt(dot(added, added));
  for (let pass = 0; pass < 2; pass++) {
    if (!(length > (pass ? 1e-12 : 0))) return;
    for (let i = 0; i < added.length; i++) added[i] /= length;
    for (const q of basis) {
      const part = dot(q, added);
      for (let i = 0; i < added.length; i++) added[i] -= part * q[i];
    }
    length = Math.sqrt(dot(added, added));
  }
  if (length > 0.5) basis.push(added.map((a) => a / length));
}

/** Sums of vectors, each with the coefficients of one column of S. */
function combined(vectors, S, column) {
  const sum = new Float64Array(vectors[0].length);
  vectors.forEach((vector, r) => {
    const factor = S[r * vectors.length + column];
    for (let i = 0; i < sum.length; i++) sum[i] += factor * vector[i];
  });
  return sum;
}

/** Rayleigh-Ritz: the leading pairs of a matrix on an orthonormal basis, with its products. */
function ritzPairs(basis, products, width) {
  const m = basis.length;
  const small = eigenpairs(
    symmetricTable(m, (r, c) => dot(basis[r], products[c])),
    m,
  );
  const vectors = Array.from({ length: Math.min(width, m) }, (_, c) =>
    combined(basis, small.vectors, c),
  );
  const residual = (c) => {
    const image = combined(products, small.vectors, c);
    for (let i = 0; i < image.length; i++) image[i] -= small.values[c] * vectors[c][i];
    return Math.sqrt(dot(image, image));
  };
  return {
    values: small.values,
    vectors,
    scale: largestModulus(small.values),
    error: (k) => Math.max(...Array.from({ length: k }, (_, c) => residual(c))),
  };
}

function answer(ritz, n, k, width) {
  const block = new Float64Array(Math.min(width, ritz.vectors.length) * n);
  ritz.vectors.forEach((row, r) => block.set(row, r * n));
  const vectors = crossTable(n, k, (i, c) => block[c * n + i]);
  const values = ritz.values.slice(0, k);
  return { values, vectors: canonicalSigns(vectors, k), block, scale: ritz.scale };
}
