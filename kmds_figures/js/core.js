// The library's mathematics for the browser, under its names in camelCase. explorers.py puts this
// text in front of common.js and an explorer. A matrix is a Float64Array, row by row: a square one
// comes with its order n, points come with their number of columns p.

const EPS = Number.EPSILON;
const SYMMETRY_TOLERANCE = Math.sqrt(EPS);
const [SMALLEST, LARGEST] = [1e-60, 1e60];
// Distances that agree to this relative gap count as equal, so that rounding chooses no one.
const TIE = 1e-10;

/** A matrix from an array of rows. */
export function fromRows(rows) {
  const columns = rows.length ? rows[0].length : 0;
  const flat = new Float64Array(rows.length * columns);
  rows.forEach((row, i) => flat.set(row, i * columns));
  return flat;
}

/** The rows of a matrix with some columns, as arrays. */
export function toRows(flat, columns) {
  return Array.from({ length: flat.length / columns }, (_, i) =>
    Array.from(flat.subarray(i * columns, (i + 1) * columns)),
  );
}

/** The mean of each column. */
export function columnMeans(X, p) {
  const n = X.length / p;
  const means = new Float64Array(p);
  for (let at = 0; at < X.length; at += p) for (let c = 0; c < p; c++) means[c] += X[at + c];
  return means.map((sum) => sum / n);
}

/** The rows with a vector subtracted from each. */
function shifted(X, p, shift) {
  return X.map((x, at) => x - shift[at % p]);
}

/** The columns minus their means. */
export function centredColumns(X, p) {
  return shifted(X, p, columnMeans(X, p));
}

/** u'v, where u begins at some entry; in four sums, so that no addition waits for the last one. */
function dot(u, v, at = 0) {
  let [a, b, c, d] = [0, 0, 0, 0];
  const fours = v.length - (v.length % 4);
  for (let i = 0; i < fours; i += 4) {
    a += u[at + i] * v[i];
    b += u[at + i + 1] * v[i + 1];
    c += u[at + i + 2] * v[i + 2];
    d += u[at + i + 3] * v[i + 3];
  }
  for (let i = fours; i < v.length; i++) a += u[at + i] * v[i];
  return a + b + (c + d);
}

function largestModulus(values) {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]));
  return largest;
}

/** Squared distance of row i of X and row j of Y, from differences. */
function squaredDistance(X, i, Y, j, p) {
  let sum = 0;
  for (let c = 0; c < p; c++) {
    const gap = X[i * p + c] - Y[j * p + c];
    sum += gap * gap;
  }
  return sum;
}

function innerProduct(X, i, Y, j, p) {
  let sum = 0;
  for (let c = 0; c < p; c++) sum += X[i * p + c] * Y[j * p + c];
  return sum;
}

/** A matrix of what `entry(i, j)` says, symmetric: it is asked for j <= i alone. */
function symmetricTable(n, entry) {
  const table = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) table[i * n + j] = table[j * n + i] = entry(i, j);
  return table;
}

function crossTable(m, n, entry) {
  const table = new Float64Array(m * n);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) table[i * n + j] = entry(i, j);
  return table;
}

/** Squared distances of the rows of X, or of X against Y. */
export function squaredDistances(X, p, Y = X) {
  if (Y === X) return symmetricTable(X.length / p, (i, j) => squaredDistance(X, i, X, j, p));
  return crossTable(X.length / p, Y.length / p, (i, j) => squaredDistance(X, i, Y, j, p));
}

/** Distances of the rows of X, or of X against Y. */
export function distances(X, p, Y = X) {
  return squaredDistances(X, p, Y).map(Math.sqrt);
}

/** HAH for a symmetric matrix A. */
export function centerGram(A, n) {
  const means = columnMeans(A, n);
  const mean = means.reduce((sum, m) => sum + m, 0) / n;
  return symmetricTable(n, (i, j) => A[i * n + j] - means[i] - means[j] + mean);
}

/** -1/2 D^(2). */
const halvedSquares = (D) => D.map((d) => -0.5 * d * d);

/** B = -1/2 H D^(2) H. */
export function gramFromDistances(D, n) {
  return centerGram(halvedSquares(D), n);
}

/** d_ij = sqrt(g_ii + g_jj - 2 g_ij); rounding below zero counts as zero. */
export function distancesFromGram(G, n) {
  return symmetricTable(n, (i, j) => {
    const square = G[i * n + i] + G[j * n + j] - 2 * G[i * n + j];
    return i === j ? 0 : Math.sqrt(Math.max(0, square));
  });
}

/** Columns with such signs that the entry of largest modulus of each is positive. */
export function canonicalSigns(V, k) {
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

// Beside an entry of 1 a shorter vector is nothing, and its fourth power would leave the range of numbers.
const VANISHING = 1e-60;

/**
 * Householder's reduction: diagonal and off-diagonal of a tridiagonal matrix that is similar to A,
 * whose entries are at most 1. The lower triangle of A is overwritten; its row i is left with the
 * i-th reflection, 2 / |v|^2 in `weights`.
 */
function tridiagonalise(A, n) {
  const [diagonal, off, weights] = [n, n, n].map((size) => new Float64Array(size));
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

/** A - v w' - w v' on the leading lower triangle, which is the reflection of A on both sides. */
function reflectBothSides(A, n, v, weight, w) {
  const m = v.length;
  w.fill(0, 0, m);
  for (let r = 0; r < m; r++) {
    const [at, vr] = [r * n, v[r]];
    let sum = A[at + r] * vr;
    for (let c = 0; c < r; c++) {
      sum += A[at + c] * v[c];
      w[c] += A[at + c] * vr;
    }
    w[r] += sum;
  }
  let product = 0;
  for (let r = 0; r < m; r++) product += v[r] * w[r];
  const half = (weight * weight * product) / 2;
  for (let r = 0; r < m; r++) w[r] = weight * w[r] - half * v[r];
  for (let r = 0; r < m; r++) {
    const [at, vr, wr] = [r * n, v[r], w[r]];
    for (let c = 0; c <= r; c++) A[at + c] -= vr * w[c] + wr * v[c];
  }
}

/** The product of the reflections that `tridiagonalise` left in A, transposed. */
function reflections(A, n, weights) {
  const rows = new Float64Array(n * n);
  for (let r = 0; r < n; r++) {
    rows[r * n + r] = 1;
    turnBack(A, n, weights, rows.subarray(r * n, (r + 1) * n), r + 1);
  }
  return rows;
}

/** Apply to a vector that is zero before place `first - 1` the reflections that `tridiagonalise` left in A. */
function turnBack(A, n, weights, x, first = 1) {
  for (let i = first; i < n; i++) {
    if (weights[i] === 0) continue;
    const v = A.subarray(i * n, i * n + i);
    const factor = weights[i] * dot(x, v);
    for (let c = 0; c < i; c++) x[c] -= factor * v[c];
  }
}

/** Diagonalise a tridiagonal matrix in place by QL with implicit shifts, and turn `rows` along. */
function diagonalise(diagonal, off, rows) {
  const n = diagonal.length;
  const small = EPS * Math.max(largestModulus(diagonal), largestModulus(off));
  for (let first = 0; first < n; first++) {
    for (let sweep = 0; sweep < 60; sweep++) {
      let last = first;
      while (last < n - 1 && Math.abs(off[last]) > small) last++;
      if (last === first) break;
      chase(diagonal, off, rows, first, last);
    }
  }
}

/** One QL step with Wilkinson's shift on an unreduced block: a bulge is chased up the diagonal. */
function chase(diagonal, off, rows, first, last) {
  const n = diagonal.length;
  const half = (diagonal[first + 1] - diagonal[first]) / (2 * off[first]);
  const root = Math.sqrt(half * half + 1);
  const shift = diagonal[first] - off[first] / (half + (half < 0 ? -root : root));
  let [bulge, sine, cosine, carried] = [diagonal[last] - shift, 1, 1, 0];
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
    if (rows) turnRows(rows, i * n, n, cosine, sine);
  }
  diagonal[first] -= carried;
  off[first] = bulge;
  off[last] = 0;
}

/** Turn the row that begins at `low` and the one below it. */
function turnRows(rows, low, n, cosine, sine) {
  const high = low + n;
  for (let c = 0; c < n; c++) {
    const lower = rows[low + c];
    const upper = rows[high + c];
    rows[high + c] = sine * lower + cosine * upper;
    rows[low + c] = cosine * lower - sine * upper;
  }
}

/** The matrix with its largest entry scaled to 1, and that entry. */
function scaledCopy(A) {
  const size = largestModulus(A) || 1;
  return { size, copy: A.map((a) => a / size) };
}

/** All eigenvalues of a symmetric matrix, in descending order. */
export function eigenvalues(A, n) {
  const { size, copy } = scaledCopy(A);
  const { diagonal, off } = tridiagonalise(copy, n);
  diagonalise(diagonal, off, null);
  return diagonal.sort().reverse().map((value) => value * size);
}

/** All eigenpairs of a symmetric matrix: values in descending order, vectors in columns. */
export function eigenpairs(A, n) {
  const { size, copy } = scaledCopy(A);
  const { diagonal, off, weights } = tridiagonalise(copy, n);
  const rows = reflections(copy, n, weights);
  diagonalise(diagonal, off, rows);
  const order = Array.from(diagonal.keys()).sort((a, b) => diagonal[b] - diagonal[a]);
  const vectors = crossTable(n, n, (i, c) => rows[order[c] * n + i]);
  const values = Float64Array.from(order, (c) => diagonal[c] * size);
  return { values, vectors: canonicalSigns(vectors, n) };
}

/** A column of a matrix with p columns. */
function columnOf(M, p, c) {
  return M.filter((_, at) => at % p === c);
}

// Up to this order all pairs cost about a millisecond, and none can be missed.
const DENSE_UP_TO = 60;
const GUARDS = 2;
const DEPTH = 8;
// Cycles for each object: they cost half of what all pairs do.
const PATIENCE = 1 / 50;
// A second look compares this often, and gives up after so many steps.
const [LOOK_EVERY, LOOK_UP_TO] = [8, 40];
// A vector has been found where its residual is so small beside the largest eigenvalue.
const RESIDUAL = 1e-13;
// The library's bound on its error: at half the gap, one start in 200 that lacked a vector hid it.
const SURE = 0.005;

/** Numbers between -1 and 1 that are the same in every run. */
function* noise() {
  for (let seed = 1; ; ) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    yield seed / 2 ** 31 - 1;
  }
}

/**
 * The k algebraically largest eigenpairs of a symmetric matrix; `start` holds vectors in rows that
 * are near theirs, such as the `block` of an earlier answer for a matrix that has moved a little.
 * `scale` is the largest modulus of an eigenvalue, from below: the yardstick for what is zero.
 */
export function leadingEigenpairs(A, n, k = 2, { start = null } = {}) {
  if (n > DENSE_UP_TO && 8 * k < n) {
    const { size, copy } = scaledCopy(A);
    const found = subspaceSearch(copy, n, k, start) ?? inverseIteration(copy, n, k);
    if (found) return { ...found, values: found.values.map((value) => value * size), scale: found.scale * size };
  }
  const all = eigenpairs(A, n);
  const vectors = padColumns(all.vectors, n, n, k);
  const block = crossTable(Math.min(k + GUARDS, n), n, (c, i) => all.vectors[i * n + c]);
  const scale = Math.max(Math.abs(all.values[0]), Math.abs(all.values[n - 1]));
  return { values: all.values.slice(0, k), vectors, block, scale };
}

/** Subspace iteration with Rayleigh-Ritz on the last few powers; null where patience ends. */
function subspaceSearch(A, n, k, start) {
  const width = k + GUARDS;
  const random = noise();
  const anyRow = () => Float64Array.from({ length: n }, () => random.next().value);
  let block = Array.from({ length: width + 1 }, (_, r) =>
    start && (r + 1) * n <= start.length ? start.slice(r * n, (r + 1) * n) : anyRow(),
  );
  for (let cycle = 0; cycle < 2 + PATIENCE * n; cycle++) {
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
    const missed = secondLook(A, n, ritz, k, random);
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
function secondLook(A, n, ritz, k, random) {
  const [basis, products] = [ritz.vectors.slice(0, k), []];
  const [least, exact] = [ritz.values[k - 1], 1e-10 * ritz.scale];
  let row = Float64Array.from({ length: n }, () => random.next().value);
  for (let step = 1; step <= LOOK_UP_TO; step++) {
    const before = basis.length;
    extend(basis, row);
    const ended = basis.length === before;
    if (!ended) products.push((row = symmetricProduct(A, n, basis[before])));
    if (!ended && step % LOOK_EVERY) continue;
    const top = ritzPairs(basis.slice(k), products, 1);
    const [value, error] = [top.values[0], top.error(1)];
    if (value > least + exact) return top.vectors[0];
    if (error <= Math.max(exact, SURE * Math.min(Math.abs(value), 5 * (least - value)))) return null;
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

/** Solve (T - shift) y = x in place, by elimination with pivots; a zero pivot counts as rounding. */
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

function symmetricProduct(A, n, v) {
  const product = new Float64Array(n);
  for (let i = 0; i < n; i++) product[i] = dot(A, v, i * n);
  return product;
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
  const small = eigenpairs(symmetricTable(m, (r, c) => dot(basis[r], products[c])), m);
  const vectors = Array.from({ length: Math.min(width, m) }, (_, c) => combined(basis, small.vectors, c));
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

/** How small, relative to the largest, an eigenvalue of order n is rounding. */
const rankTolerance = (n) => 16 * Math.max(n, 16) * EPS;

/** Eigenvalues relative to the largest modulus, rounding replaced by zero. */
function signedSpectrum(values) {
  const largest = largestModulus(values);
  if (largest === 0) return values.map(() => 0);
  const tolerance = rankTolerance(values.length);
  return values.map((value) => (Math.abs(value) > tolerance * largest ? value / largest : 0));
}

const sumOf = (values, part) => values.reduce((sum, value, at) => sum + part(value, at), 0);

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
 * Points, and what places new objects, from the leading pairs of HAH; A itself is not centred.
 * Fewer columns than asked for come back where fewer eigenvalues are positive.
 * With `centred: false` nothing is centred: the mistake that Chapter 7 shows.
 */
export function fitGram(A, n, k = 2, { start = null, centred = true, scale = 0 } = {}) {
  const B = centred ? centerGram(A, n) : A;
  const pairs = leadingEigenpairs(B, n, k, { start });
  const size = Math.max(pairs.scale, scale);
  const kept = pairs.values.filter((value) => value > rankTolerance(n) * size).length;
  const middle = centred ? centredColumns : (V) => V;
  const vectors = padColumns(pairs.vectors, k, n, kept);
  const values = pairs.values.slice(0, kept);
  const points = middle(vectors, kept).map((v, at) => v * Math.sqrt(values[at % kept]));
  const coefficients = middle(points.map((y, at) => y / values[at % kept]), kept);
  const means = centred ? columnMeans(A, n) : new Float64Array(n);
  let all = null;
  const spectrum = () => (all ??= eigenvalues(B, n));
  return {
    points,
    columns: kept,
    eigenvalues: values,
    block: pairs.block,
    gram: B,
    spectrum,
    explained: () => goodnessOfFit(spectrum(), kept)[0],
    place: (rows) => multiplied(shifted(rows, n, means), n, coefficients, kept),
  };
}

/** Matrix product of A, with n columns, and B, with k. */
function multiplied(A, n, B, k) {
  const product = new Float64Array((A.length / n) * k);
  for (let i = 0; i < A.length / n; i++)
    for (let j = 0; j < n; j++)
      for (let c = 0; c < k; c++) product[i * k + c] += A[i * n + j] * B[j * k + c];
  return product;
}

/** Every dissimilarity with a constant: d + c, or sqrt(d^2 + 2 c). */
export function addConstant(D, constant, method) {
  if (method === "cailliez") return D.map((d) => d + constant);
  return D.map((d) => Math.sqrt(d * d + 2 * constant));
}

/** The smallest constant that makes dissimilarities Euclidean: "cailliez" or "lingoes". */
export function additiveConstant(D, n, method = "cailliez") {
  const unit = largestModulus(D);
  if (unit === 0) return 0;
  const scaled = D.map((d) => d / unit);
  const B = gramFromDistances(scaled, n);
  const values = eigenvalues(B, n);
  const least = values[n - 1];
  if (least >= -Math.max(1e-12, n * EPS) * values[0] && values[0] > 0) return 0;
  return method === "lingoes" ? -least * unit * unit : cailliezConstant(B, scaled, n) * unit;
}

/**
 * The largest c at which B + c B1 + c^2 / 2, the centred matrix of d + c, has an eigenvalue 0.
 * With x the vector of the least eigenvalue at c, x'(B + c B1 + c^2 / 2)x is below 0, and its larger
 * root in c is nearer to the constant, from below: the steps rise and double their digits.
 */
function cailliezConstant(B, D, n) {
  const B1 = centerGram(D, n).map((entry) => -entry);
  let [constant, start] = [0, null];
  for (let step = 0; step < 100; step++) {
    const negated = B.map((b, at) => -b - constant * B1[at]);
    for (let i = 0; i < n; i++) negated[i * n + i] -= (constant * constant) / 2;
    const least = leadingEigenpairs(negated, n, 1, { start });
    start = least.block;
    const x = centredColumns(least.vectors, 1);
    const [b, b1] = [B, B1].map((M) => dot(x, symmetricProduct(M, n, x)) / dot(x, x));
    const next = -b1 + Math.sqrt(Math.max(0, b1 * b1 - 2 * b));
    if (!(next > constant * (1 + 4 * EPS))) break;
    constant = next;
  }
  return constant;
}

/** Classical scaling; `additive` is null, "cailliez" or "lingoes". */
export function classicalScaling(D, n, k = 2, { additive = null, start = null } = {}) {
  const constant = additive ? additiveConstant(D, n, additive) : 0;
  const table = additive ? addConstant(D, constant, additive) : D.slice();
  for (let i = 0; i < n; i++) table[i * n + i] = 0;
  const fit = fitGram(halvedSquares(table), n, k, { start });
  const moved = (d) => (additive && d > 0 ? addConstant([d], constant, additive)[0] : d);
  return {
    ...fit,
    additiveConstant: constant,
    transform: (rows) => fit.place(halvedSquares(rows.map(moved))),
  };
}

/** A kernel k(x, y) = r(||x - y||), from r as a function of the squared distance. */
function isotropicKernel(value, definiteness) {
  return { isotropic: true, shiftFree: true, value, ...definiteness };
}

const POSITIVE = { positive: Infinity, conditional: Infinity };

/** A kernel of the inner product x'y. */
function productKernel(shiftFree, ofProduct) {
  const value = (_, product) => ofProduct(product);
  return { isotropic: false, shiftFree, value, ...POSITIVE };
}

export function Linear() {
  return productKernel(true, (product) => product);
}

/** (scale x'y + offset)^degree. */
export function Polynomial(degree, offset = 1, scale = 1) {
  return productKernel(false, (product) => (scale * product + offset) ** degree);
}

/** exp(-theta ||x - y||^2). */
export function RBF(theta) {
  return isotropicKernel((square) => Math.exp(-theta * square), POSITIVE);
}

/** exp(-theta ||x - y||). */
export function Exponential(theta) {
  return isotropicKernel((square) => Math.exp(-theta * Math.sqrt(square)), POSITIVE);
}

/** exp(-alpha d) cos(omega d), known to be positive definite up to some dimension. */
export function DampedCosine(alpha, omega) {
  const bound = omega === 0 ? Infinity : Math.PI / (2 * Math.atan2(omega, alpha));
  const dimension = Math.floor(bound * (1 + 1e-12));
  const known = { positive: dimension, conditional: dimension };
  const value = (square) => {
    const d = Math.sqrt(square);
    return Math.exp(-alpha * d) * Math.cos(omega * d);
  };
  return isotropicKernel(value, known);
}

/** -d^beta, conditionally positive definite for beta <= 2. */
export function Power(beta) {
  const known = { positive: 0, conditional: beta <= 2 ? Infinity : 0 };
  return isotropicKernel((square) => 0 - square ** (beta / 2), known);
}

/** r(delta), an isotropic kernel as a function of distance. */
export function profile(kernel, delta) {
  return delta.map((d) => kernel.value(d * d));
}

/** k(x_i, y_j) for the rows of X and of Y, or of X alone. */
export function kernelMatrix(kernel, X, p, Y = X) {
  const entry = kernel.isotropic
    ? (i, j) => kernel.value(squaredDistance(X, i, Y, j, p))
    : (i, j) => kernel.value(squaredDistance(X, i, Y, j, p), innerProduct(X, i, Y, j, p));
  return Y === X ? symmetricTable(X.length / p, entry) : crossTable(X.length / p, Y.length / p, entry);
}

/** Fit to a kernel matrix; one of zeros is underflow where the objects are known to differ. */
function kernelFit(K, n, k, options, { definite = false, distinct = false }) {
  const diagonal = Float64Array.from({ length: n }, (_, i) => K[i * n + i]);
  const largest = Math.max(largestModulus(columnMeans(K, n)), largestModulus(diagonal));
  if (!(largest <= LARGEST ** 2) || (largest < SMALLEST ** 2 && (largest > 0 || distinct))) {
    const what = largest < SMALLEST ** 2 ? "underflows" : "overflows";
    throw new Error(`The kernel matrix ${what}: rescale the data or the kernel's parameters.`);
  }
  const fit = fitGram(K, n, k, { ...options, scale: largestModulus(diagonal) });
  const trace = sumOf(diagonal, (_, i) => fit.gram[i * n + i]);
  const ofTrace = () => Math.min(1, sumOf(fit.eigenvalues, (value) => value) / trace);
  return { ...fit, kernelMatrix: K, explained: definite && trace > 0 ? ofTrace : fit.explained };
}

/** Kernel PCA of points; `transform` projects new ones. */
export function kernelPca(X, p, kernel, k = 2, options = {}) {
  const shift = kernel.shiftFree ? columnMeans(X, p) : new Float64Array(p);
  const centred = shifted(X, p, shift);
  const K = kernelMatrix(kernel, centred, p);
  const known = { definite: p <= kernel.conditional, distinct: X.some((x, at) => x !== X[at % p]) };
  const fit = kernelFit(K, X.length / p, k, options, known);
  const cross = (rows) => kernelMatrix(kernel, shifted(rows, p, shift), p, centred);
  return { ...fit, transform: (rows) => fit.place(cross(rows)) };
}

/** Kernel PCA of a kernel matrix; `transform` takes kernel values of new objects. */
export function kernelPcaFromGram(K, n, k = 2, options = {}) {
  const fit = kernelFit(K, n, k, options, {});
  return { ...fit, transform: fit.place };
}

/** Kernel MDS of dissimilarities; `transform` takes those of new objects. */
export function kernelMds(D, n, kernel, k = 2, options = {}) {
  const distinct = largestModulus(D) > 0;
  const fit = kernelFit(profile(kernel, D), n, k, options, { distinct });
  return { ...fit, transform: (rows) => fit.place(profile(kernel, rows)) };
}

/** Sum over ordered pairs of (d - delta)^2. */
export function rawStress(Y, p, D) {
  return sumOf(distances(Y, p), (d, at) => (d - D[at]) ** 2);
}

/** Kruskal's stress-1. */
export function kruskalStress(Y, p, D) {
  const size = sumOf(squaredDistances(Y, p), (square) => square);
  if (size === 0) throw new Error("All points of Y coincide, and stress-1 divides by their distances.");
  return Math.sqrt(rawStress(Y, p, D) / size);
}

/** One step of SMACOF: the minimum of the quadratic that lies above the stress and touches it at X. */
export function guttmanTransform(X, p, D) {
  const n = X.length / p;
  const pulled = new Float64Array(n * p);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const d = Math.sqrt(squaredDistance(X, i, X, j, p));
      if (d === 0) continue;
      const ratio = D[i * n + j] / d;
      for (let c = 0; c < p; c++) {
        const pull = ratio * (X[i * p + c] - X[j * p + c]);
        pulled[i * p + c] += pull;
        pulled[j * p + c] -= pull;
      }
    }
  }
  return centredColumns(pulled.map((x) => x / n), p);
}

/** The increasing sequence nearest to the values, by pooling neighbours that are out of order. */
export function isotonicRegression(values) {
  const [sums, ends] = [new Float64Array(values.length), new Int32Array(values.length)];
  const sizeOf = (b) => ends[b] - (b > 0 ? ends[b - 1] : 0);
  let last = -1;
  for (let at = 0; at < values.length; at++) {
    last += 1;
    sums[last] = values[at];
    ends[last] = at + 1;
    while (last > 0 && sums[last - 1] * sizeOf(last) > sums[last] * sizeOf(last - 1)) {
      sums[last - 1] += sums[last];
      ends[last - 1] = ends[last];
      last -= 1;
    }
  }
  const fitted = new Float64Array(values.length);
  for (let b = 0; b <= last; b++) fitted.fill(sums[b] / sizeOf(b), ends[b] - sizeOf(b), ends[b]);
  return fitted;
}

/** Where the pairs i < j stand in a square table, row by row. */
const pairPlaces = (n) =>
  Int32Array.from({ length: n * n }, (_, at) => at).filter((at) => at % n > Math.floor(at / n));

/** Put places in the order of their values: a short list, which is nearly in order, by insertion. */
function sortBy(places, values) {
  if (places.length > 100) return places.sort((a, b) => values[a] - values[b]);
  for (let at = 1; at < places.length; at++) {
    const place = places[at];
    let to = at;
    for (; to > 0 && values[places[to - 1]] > values[place]; to--) places[to] = places[to - 1];
    places[to] = place;
  }
}

/**
 * Disparities of ordinal scaling, as a function of a map and its number of columns: increasing in
 * delta, nearest to the map's distances, equal deltas left free (the primary approach), with the sum
 * of squares of D. The pairs are put in order once.
 */
export function monotoneDisparities(D, n) {
  const pairs = pairPlaces(n).sort((a, b) => D[a] - D[b]);
  const ties = [];
  for (let from = 0, to = 0; from < pairs.length; from = to) {
    while (to < pairs.length && D[pairs[to]] === D[pairs[from]]) to++;
    if (to > from + 1) ties.push(pairs.subarray(from, to));
  }
  const size = sumOf(pairs, (at) => D[at] ** 2);
  return (Y, p) => {
    const d = distances(Y, p);
    ties.forEach((tied) => sortBy(tied, d));
    const inOrder = new Float64Array(pairs.length);
    for (let rank = 0; rank < pairs.length; rank++) inOrder[rank] = d[pairs[rank]];
    const fitted = isotonicRegression(inOrder);
    const scale = Math.sqrt(size / sumOf(fitted, (value) => value * value));
    const table = new Float64Array(n * n);
    for (let rank = 0; rank < pairs.length; rank++) {
      const at = pairs[rank];
      table[at] = table[(at % n) * n + Math.floor(at / n)] = scale * fitted[rank];
    }
    return table;
  };
}

/** The median of the dissimilarities of different objects: the rule for a kernel's width begins there. */
export function medianDissimilarity(D, n) {
  const sorted = Float64Array.from(pairPlaces(n), (at) => D[at]).sort();
  const half = sorted.length >> 1;
  return (sorted[half] + sorted[sorted.length - 1 - half]) / 2;
}

/** The first columns of n points with p, and columns of zeros up to some number: a line in the plane. */
export function padColumns(Y, p, n, columns) {
  return crossTable(n, columns, (i, c) => (c < p ? Y[i * p + c] : 0));
}

/**
 * Turn, and reflect where that is nearer, and shift Y onto a target of the same shape; with
 * `scaling` stretch it too.
 */
export function procrustesAlign(Y, p, target, { scaling = false } = {}) {
  const [mean, targetMean] = [columnMeans(Y, p), columnMeans(target, p)];
  const [centred, goal] = [shifted(Y, p, mean), shifted(target, p, targetMean)];
  const [size, goalSize] = [centred, goal].map((M) => Math.sqrt(dot(M, M)));
  const cross = crossTable(p, p, (a, b) => {
    let sum = 0;
    for (let at = 0; at < Y.length; at += p) sum += centred[at + a] * goal[at + b];
    return sum / (size * goalSize || 1);
  });
  const { rotation, strength } = polarFactor(cross, p);
  const scale = scaling && size > 0 ? (strength * goalSize) / size : 1;
  const turned = multiplied(centred, p, rotation, p).map((y) => scale * y);
  const movedMean = multiplied(mean, p, rotation, p);
  return {
    points: turned.map((y, at) => y + targetMean[at % p]),
    rotation,
    translation: targetMean.map((t, c) => t - scale * movedMean[c]),
    scale,
    residual: Math.sqrt(sumOf(turned, (y, at) => (y - goal[at]) ** 2)),
  };
}

/** The orthogonal matrix UV' of C = USV', by one-sided Jacobi rotations, and the sum of S. */
function polarFactor(C, p) {
  const vectors = (entry) =>
    Array.from({ length: p }, (_, c) => Float64Array.from({ length: p }, (_, r) => entry(r, c)));
  const columns = vectors((r, c) => C[r * p + c]);
  const axes = vectors((r, c) => Number(r === c));
  for (let sweep = 0, turned = true; turned && sweep < 60; sweep++) {
    turned = false;
    for (let a = 0; a < p; a++)
      for (let b = 0; b < a; b++) turned = orthogonalise(columns, axes, a, b) || turned;
  }
  const lengths = columns.map((column) => Math.sqrt(dot(column, column)));
  const order = lengths.map((_, c) => c).sort((a, b) => lengths[b] - lengths[a]);
  const units = [];
  order.forEach((c) => {
    if (lengths[c] > 4 * EPS * lengths[order[0]]) units.push(columns[c].map((x) => x / lengths[c]));
    else complete(units, p);
  });
  const rotation = crossTable(p, p, (r, c) => sumOf(order, (axis, at) => units[at][r] * axes[axis][c]));
  return { rotation, strength: sumOf(lengths, (length) => length) };
}

/** Turn two columns, and their axes, until they are orthogonal; false where they are already. */
function orthogonalise(columns, axes, a, b) {
  const [u, v] = [columns[a], columns[b]];
  const [uu, vv, uv] = [dot(u, u), dot(v, v), dot(u, v)];
  if (uv === 0 || Math.abs(uv) <= EPS * Math.sqrt(uu * vv)) return false;
  const half = (vv - uu) / (2 * uv);
  const tangent = (half < 0 ? -1 : 1) / (Math.abs(half) + Math.sqrt(half * half + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  for (const vectors of [columns, axes]) {
    const [old, other] = [vectors[a], vectors[b]];
    vectors[a] = old.map((x, i) => cosine * (x - tangent * other[i]));
    vectors[b] = other.map((x, i) => cosine * (x + tangent * old[i]));
  }
  return true;
}

/** Add to orthonormal vectors the axis that they span least, made orthogonal to them. */
function complete(units, p) {
  const left = Array.from({ length: p }, (_, axis) => {
    const rest = Float64Array.from({ length: p }, (_, r) => Number(r === axis));
    for (let pass = 0; pass < 2; pass++) {
      for (const unit of units) {
        const part = dot(unit, rest);
        for (let i = 0; i < p; i++) rest[i] -= part * unit[i];
      }
    }
    return rest;
  }).reduce((best, rest) => (dot(rest, rest) > dot(best, best) ? rest : best));
  const length = Math.sqrt(dot(left, left));
  units.push(left.map((x) => x / length));
}

/** The k nearest other objects of each: those tied for the last place in the order of the data. */
export function nearestNeighbors(D, n, k) {
  return Array.from({ length: n }, (_, i) => {
    const row = D.slice(i * n, (i + 1) * n);
    row[i] = Infinity;
    const last = row.slice().sort()[k - 1];
    let places = k - row.filter((d) => d < (1 - TIE) * last).length;
    const taken = (d) => d < (1 - TIE) * last || (d <= (1 + TIE) * last && places-- > 0);
    return Array.from(row.keys()).filter((j) => taken(row[j]));
  });
}

/** Join two objects where one is a neighbour of the other: for each, its links to others. */
export function symmetricGraph(neighbors) {
  const joined = neighbors.map((near) => new Set(near));
  neighbors.forEach((near, i) => near.forEach((j) => joined[j].add(i)));
  return joined.map((near) => Array.from(near).sort((a, b) => a - b));
}

/** The objects of each connected component of a symmetric graph. */
export function components(graph) {
  const seen = new Set();
  return graph.flatMap((_, first) => {
    if (seen.has(first)) return [];
    const found = [first];
    seen.add(first);
    for (const i of found) {
      for (const j of graph[i]) {
        if (!seen.has(j)) found.push(j);
        seen.add(j);
      }
    }
    return [found.sort((a, b) => a - b)];
  });
}

/** Lengths of the shortest paths along a graph, infinite between its components. */
export function shortestPaths(graph, D, n) {
  const paths = new Float64Array(n * n).fill(Infinity);
  for (let i = 0; i < n; i++) pathsFrom(i, graph, D, n, paths.subarray(i * n, (i + 1) * n));
  return paths;
}

/** Dijkstra's algorithm with a binary heap of [length, object]. */
function pathsFrom(source, graph, D, n, reach) {
  const [heap, done] = [[[0, source]], new Uint8Array(n)];
  reach[source] = 0;
  while (heap.length) {
    const i = popLeast(heap)[1];
    if (done[i]) continue;
    done[i] = 1;
    for (const j of graph[i]) {
      const length = reach[i] + D[i * n + j];
      if (length >= reach[j]) continue;
      reach[j] = length;
      pushOnto(heap, [length, j]);
    }
  }
}

function pushOnto(heap, item) {
  let at = heap.push(item) - 1;
  for (let above = (at - 1) >> 1; at > 0 && heap[above][0] > item[0]; above = (at - 1) >> 1) {
    heap[at] = heap[above];
    at = above;
  }
  heap[at] = item;
}

function popLeast(heap) {
  const least = heap[0];
  const item = heap.pop();
  if (!heap.length) return least;
  let at = 0;
  for (let below = 1; below < heap.length; below = 2 * at + 1) {
    if (below + 1 < heap.length && heap[below + 1][0] < heap[below][0]) below++;
    if (heap[below][0] >= item[0]) break;
    heap[at] = heap[below];
    at = below;
  }
  heap[at] = item;
  return least;
}

/** Smallest number of neighbours that joins all, above one that does not. */
export function joiningCount(D, n, k) {
  let [low, high] = [k, n - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const joined = components(symmetricGraph(nearestNeighbors(D, n, middle))).length === 1;
    [low, high] = joined ? [low, middle] : [middle, high];
  }
  return high;
}

/** Why a graph has no shortest paths between all: `joins` is the smallest k that joins its parts. */
export function fallsApart(parts, k, joins) {
  const [first, second, ...others] = parts.sort((a, b) => b.length - a.length);
  const sizes = [first, second, ...others.slice(0, 3)].map((part) => part.length).join(", ");
  return (
    `The neighbour graph with n_neighbors = ${k} falls into ${parts.length} components, of sizes ` +
    `${sizes}${others.length > 3 ? ", ..." : ""}; object ${first[0]} is in the first, object ` +
    `${second[0]} in the second. n_neighbors = ${joins} is the smallest that joins them; or embed ` +
    "each on its own."
  );
}

/** A number with six digits, as Python's format .6g writes it. */
function sixDigits(value) {
  if (!Number.isFinite(value)) return { Infinity: "inf", "-Infinity": "-inf" }[value] ?? "nan";
  const [mantissa, exponent] = value.toExponential(5).split("e");
  const power = Number(exponent);
  const trimmed = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (power >= -4 && power < 6) return trimmed(value.toFixed(5 - power));
  return `${trimmed(mantissa)}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** The best entry of a square table and its place, the first where several are equal. */
function extreme(n, entry, better = (a, b) => a > b) {
  let [best, place] = [entry(0, 0), [0, 0]];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const found = entry(i, j);
      if (better(found, best)) [best, place] = [found, [i, j]];
    }
  }
  return { best, place };
}

/** What is wrong with the shape or the entries of a square table of numbers, or null. */
function checkSquare(table, name, entryName) {
  const [n, columns] = [table.length, table[0]?.length ?? 0];
  const whole = (words) => ({ sentence: `${name} ${words}`, entry: null });
  if (table.some((row) => row.length !== columns)) {
    return whole("is ragged: its rows have different lengths. Give rows of equal length.");
  }
  if (n !== columns) {
    const needed = "a square matrix with one row and one column for each object is needed.";
    return whole(`has shape (${n}, ${columns}); ${needed}`);
  }
  if (n < 2) return whole(`holds ${n} object(s); at least 2 are needed.`);
  const bad = table.flatMap((row, i) =>
    Array.from(row, (x, j) => (Number.isFinite(x) ? null : [i, j])).filter(Boolean),
  );
  if (bad.length) {
    const [i, j] = bad[0];
    const found = `${entryName(i, j)} is ${sixDigits(table[i][j])} (${bad.length} such entries in all)`;
    const advice = "Remove those rows or fill in the missing values first.";
    return { sentence: `${found}; every entry must be a finite number. ${advice}`, entry: [i, j] };
  }
  return null;
}

/** Data have the range itself, inner products its square. */
function checkRange(size, name, power = 1) {
  const [smallest, largest] = [SMALLEST ** power, LARGEST ** power];
  if (size === 0 || (size >= smallest && size <= largest)) return null;
  const range = `outside the range from ${sixDigits(smallest)} to ${sixDigits(largest)}`;
  const shown = sixDigits(Number(size.toPrecision(3)));
  const sentence = `The largest entry of ${name} is ${shown} in size, ${range}. Choose another unit.`;
  return { sentence, entry: null };
}

function checkSymmetry(table, name, entryName, largest) {
  const gap = extreme(table.length, (i, j) => Math.abs(table[i][j] - table[j][i]));
  if (gap.best <= SYMMETRY_TOLERANCE * largest) return null;
  const [i, j] = gap.place;
  const sentence =
    `${name} is not symmetric: ${entryName(i, j)} = ${sixDigits(table[i][j])} but ` +
    `${entryName(j, i)} = ${sixDigits(table[j][i])}. If both directions were measured, average them: ` +
    `(${name} + ${name}.T) / 2.`;
  return { sentence, entry: [i, j] };
}

/** How a sentence calls an entry: by the names of its objects, where they have any. */
const namedBy = (name, names) => (i, j) => `${name}[${names ? `${names[i]}, ${names[j]}` : `${i}, ${j}`}]`;

/**
 * What is wrong with a table of dissimilarities, in the library's words: { sentence, entry }, with
 * entry [i, j], or null where no single one is at fault; null where the table can be scaled.
 */
export function checkDissimilarities(table, names = null, name = "D") {
  const entryName = namedBy(name, names);
  const wrong = checkSquare(table, name, entryName);
  if (wrong) return wrong;
  const n = table.length;
  const highest = extreme(n, (i, j) => table[i][j]).best;
  const outside = checkRange(extreme(n, (i, j) => Math.abs(table[i][j])).best, name);
  if (outside) return outside;
  const lowest = extreme(n, (i, j) => table[i][j], (a, b) => a < b);
  if (lowest.best < -SYMMETRY_TOLERANCE * Math.max(0, highest)) {
    const found = `${entryName(...lowest.place)} = ${sixDigits(lowest.best)} is negative`;
    const advice = "If these are similarities, convert them first: d_ij^2 = c_ii + c_jj - 2 c_ij.";
    return { sentence: `${found}; dissimilarities are at least 0. ${advice}`, entry: lowest.place };
  }
  const diagonal = extreme(n, (i, j) => (i === j ? table[i][i] : -Infinity));
  if (diagonal.best > SYMMETRY_TOLERANCE * highest) {
    const found = `${entryName(...diagonal.place)} = ${sixDigits(diagonal.best)}`;
    const advice = `Set the diagonal to 0, or check that ${name} holds dissimilarities.`;
    const sentence = `${found}, but an object is at distance 0 from itself. ${advice}`;
    return { sentence, entry: diagonal.place };
  }
  return checkSymmetry(table, name, entryName, highest);
}

/** The same for a kernel matrix or similarities: square, finite and symmetric is enough. */
export function checkGram(table, names = null, name = "K") {
  const entryName = namedBy(name, names);
  const wrong = checkSquare(table, name, entryName);
  if (wrong) return wrong;
  const largest = extreme(table.length, (i, j) => Math.abs(table[i][j])).best;
  return checkRange(largest, name, 2) ?? checkSymmetry(table, name, entryName, largest);
}

/** A checked table as a matrix: symmetric, not negative, zero on the diagonal to the last bit. */
export function asDissimilarities(table) {
  const mean = (i, j) => Math.max(0, 0.5 * table[i][j] + 0.5 * table[j][i]);
  return symmetricTable(table.length, (i, j) => (i === j ? 0 : mean(i, j)));
}
