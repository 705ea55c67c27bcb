// Matrices and vectors.

export const EPS = Number.EPSILON;
export const [SMALLEST, LARGEST] = [1e-60, 1e60];

/** Return the matrix of an array of rows. @param {ArrayLike<number>[]} rows */
export function fromRows(rows) {
  const columns = rows.length ? rows[0].length : 0;
  const flat = new Float64Array(rows.length * columns);
  rows.forEach((row, i) => flat.set(row, i * columns));
  return flat;
}

/** Return the rows of a matrix as arrays. @type {(flat: Matrix, columns: number) => number[][]} */
export function toRows(flat, columns) {
  return Array.from({ length: flat.length / columns }, (_, i) =>
    Array.from(flat.subarray(i * columns, (i + 1) * columns)),
  );
}

/** Return the mean of each column. @type {(X: Matrix, p: number) => Float64Array} */
export function columnMeans(X, p) {
  const n = X.length / p;
  const means = new Float64Array(p);
  for (let at = 0; at < X.length; at += p) for (let c = 0; c < p; c++) means[c] += X[at + c];
  return means.map((sum) => sum / n);
}

/** Return the rows minus a vector. @type {(X: Matrix, p: number, shift: Numbers) => Matrix} */
export function shifted(X, p, shift) {
  return X.map((x, at) => x - shift[at % p]);
}

/** Return the columns minus their means. @type {(X: Matrix, p: number) => Matrix} */
export function centredColumns(X, p) {
  return shifted(X, p, columnMeans(X, p));
}

/** Return the inner product of v and a part of u. Four sums let the processor add in parallel. */
export function dot(/** @type {Numbers} */ u, /** @type {Numbers} */ v, at = 0) {
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

/** @type {(values: Numbers) => number} */
export function largestModulus(values) {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]));
  return largest;
}

/** Return the squared distance between row i of X and row j of Y, computed from differences.
 * @type {(X: Matrix, i: number, Y: Matrix, j: number, p: number) => number} */
export function squaredDistance(X, i, Y, j, p) {
  let sum = 0;
  for (let c = 0; c < p; c++) {
    const gap = X[i * p + c] - Y[j * p + c];
    sum += gap * gap;
  }
  return sum;
}

/** @type {(X: Matrix, i: number, Y: Matrix, j: number, p: number) => number} */
export function innerProduct(X, i, Y, j, p) {
  let sum = 0;
  for (let c = 0; c < p; c++) sum += X[i * p + c] * Y[j * p + c];
  return sum;
}

/** Return the symmetric matrix with the given entries, for j <= i. */
export function symmetricTable(/** @type {number} */ n, /** @type {Entry} */ entry) {
  const table = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) table[i * n + j] = table[j * n + i] = entry(i, j);
  return table;
}

/** Return the matrix with these entries. @type {(m: number, n: number, entry: Entry) => Matrix} */
export function crossTable(m, n, entry) {
  const table = new Float64Array(m * n);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) table[i * n + j] = entry(i, j);
  return table;
}

/** Return the squared distances between the rows of X, or between those of X and Y. */
export function squaredDistances(/** @type {Matrix} */ X, /** @type {number} */ p, Y = X) {
  if (Y === X) return symmetricTable(X.length / p, (i, j) => squaredDistance(X, i, X, j, p));
  return crossTable(X.length / p, Y.length / p, (i, j) => squaredDistance(X, i, Y, j, p));
}

/** Return the distances between the rows of X, or between those of X and Y. */
export function distances(/** @type {Matrix} */ X, /** @type {number} */ p, Y = X) {
  return squaredDistances(X, p, Y).map(Math.sqrt);
}

/** @type {(M: Matrix, p: number, c: number) => Matrix} */
export function columnOf(M, p, c) {
  return M.filter((_, at) => at % p === c);
}

/** @type {(A: Matrix, n: number, v: Numbers) => Matrix} */
export function symmetricProduct(A, n, v) {
  const product = new Float64Array(n);
  for (let i = 0; i < n; i++) product[i] = dot(A, v, i * n);
  return product;
}

/** Return the sum of a function of the values.
 * @type {<V>(values: ArrayLike<V>, part: (value: V, at: number) => number) => number} */
export function sumOf(values, part) {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += part(values[at], at);
  return sum;
}

export const sumOfSquares = (/** @type {Numbers} */ values) => sumOf(values, (v) => v * v);

/** Return the product of A, with n columns, and B, with k columns.
 * @type {(A: Matrix, n: number, B: Matrix, k: number) => Matrix} */
export function matrixProduct(A, n, B, k) {
  const product = new Float64Array((A.length / n) * k);
  for (let i = 0; i < A.length / n; i++)
    for (let j = 0; j < n; j++)
      for (let c = 0; c < k; c++) product[i * k + c] += A[i * n + j] * B[j * k + c];
  return product;
}

/** Return the first columns of n points with p columns, and columns of zeros up to a number.
 * @type {(Y: Matrix, p: number, n: number, columns: number) => Matrix} */
export function padColumns(Y, p, n, columns) {
  return crossTable(n, columns, (i, c) => (c < p ? Y[i * p + c] : 0));
}

/** Return the product of two matrices that are arrays of rows. */
export function productOfRows(/** @type {number[][]} */ A, /** @type {number[][]} */ B) {
  return A.map((row) => B[0].map((_, j) => row.reduce((sum, a, k) => sum + a * B[k][j], 0)));
}
