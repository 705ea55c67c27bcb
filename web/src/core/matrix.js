// Matrices and vectors. A matrix is a Float64Array, row by row: a square one comes with its order
// n, points come with their number of columns p.

export const EPS = Number.EPSILON;
export const [SMALLEST, LARGEST] = [1e-60, 1e60];

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
export function shifted(X, p, shift) {
  return X.map((x, at) => x - shift[at % p]);
}

/** The columns minus their means. */
export function centredColumns(X, p) {
  return shifted(X, p, columnMeans(X, p));
}

/** u'v, where u begins at some entry; in four sums, so that no addition waits for the last one. */
export function dot(u, v, at = 0) {
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

export function largestModulus(values) {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]));
  return largest;
}

/** Squared distance of row i of X and row j of Y, from differences. */
export function squaredDistance(X, i, Y, j, p) {
  let sum = 0;
  for (let c = 0; c < p; c++) {
    const gap = X[i * p + c] - Y[j * p + c];
    sum += gap * gap;
  }
  return sum;
}

export function innerProduct(X, i, Y, j, p) {
  let sum = 0;
  for (let c = 0; c < p; c++) sum += X[i * p + c] * Y[j * p + c];
  return sum;
}

/** A matrix of what `entry(i, j)` says, symmetric: it is asked for j <= i alone. */
export function symmetricTable(n, entry) {
  const table = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) table[i * n + j] = table[j * n + i] = entry(i, j);
  return table;
}

export function crossTable(m, n, entry) {
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

/** A column of a matrix with p columns. */
export function columnOf(M, p, c) {
  return M.filter((_, at) => at % p === c);
}

export function symmetricProduct(A, n, v) {
  const product = new Float64Array(n);
  for (let i = 0; i < n; i++) product[i] = dot(A, v, i * n);
  return product;
}

export const sumOf = (values, part) => values.reduce((sum, value, at) => sum + part(value, at), 0);

/** Matrix product of A, with n columns, and B, with k. */
export function multiplied(A, n, B, k) {
  const product = new Float64Array((A.length / n) * k);
  for (let i = 0; i < A.length / n; i++)
    for (let j = 0; j < n; j++)
      for (let c = 0; c < k; c++) product[i * k + c] += A[i * n + j] * B[j * k + c];
  return product;
}

/**
 * The first columns of n points with p, and columns of zeros up to some number: a line in the
 * plane.
 */
export function padColumns(Y, p, n, columns) {
  return crossTable(n, columns, (i, c) => (c < p ? Y[i * p + c] : 0));
}

/** Matrix product of arrays of rows. */
export function multiply(A, B) {
  return A.map((row) => B[0].map((_, j) => row.reduce((sum, a, k) => sum + a * B[k][j], 0)));
}
