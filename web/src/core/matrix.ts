// Matrices and vectors.

/** A matrix, row by row. A square one comes with its order n, points with their columns p. */
export type Matrix = Float64Array;
export type Numbers = ArrayLike<number>;
/** Returns the entry in row i and column j of a matrix. */
export type Entry = (i: number, j: number) => number;
/** A point of the plane, [x, y]. */
export type Point = [number, number];
/** The rows of numbers of a reader's table; NaN where a number is missing. */
export type Table = number[][];
/** The names of the rows of a table, or null if they have none. */
export type Names = string[] | null;

export const EPS = Number.EPSILON;
export const [SMALLEST, LARGEST] = [1e-60, 1e60];

/** Return the matrix of an array of rows. */
export function fromRows(rows: Numbers[]) {
  const columns = rows.length ? rows[0].length : 0;
  const flat = new Float64Array(rows.length * columns);
  rows.forEach((row, i) => flat.set(row, i * columns));
  return flat;
}

/** Return the rows of a matrix as arrays. */
export function toRows(flat: Matrix, columns: 2): Point[];
export function toRows(flat: Matrix, columns: number): number[][];
export function toRows(flat: Matrix, columns: number): number[][] {
  return Array.from({ length: flat.length / columns }, (_, i) =>
    Array.from(flat.subarray(i * columns, (i + 1) * columns)),
  );
}

/** Return the mean of each column. */
export function columnMeans(X: Matrix, p: number): Float64Array {
  const n = X.length / p;
  const means = new Float64Array(p);
  X.forEach((x, at) => (means[at % p] += x));
  return means.map((sum) => sum / n);
}

/** Return the rows minus a vector. */
export function shifted(X: Matrix, p: number, shift: Numbers): Matrix {
  return X.map((x, at) => x - shift[at % p]);
}

/** Return the columns minus their means. */
export function centredColumns(X: Matrix, p: number): Matrix {
  return shifted(X, p, columnMeans(X, p));
}

/** Return the inner product of v and a part of u. Four sums let the processor add in parallel. */
export function dot(u: Numbers, v: Numbers, start = 0) {
  let [a, b, c, d] = [0, 0, 0, 0];
  const fours = v.length - (v.length % 4);
  for (let i = 0; i < fours; i += 4) {
    a += u[start + i] * v[i];
    b += u[start + i + 1] * v[i + 1];
    c += u[start + i + 2] * v[i + 2];
    d += u[start + i + 3] * v[i + 3];
  }
  for (let i = fours; i < v.length; i++) a += u[start + i] * v[i];
  return a + b + (c + d);
}

export function largestModulus(values: Numbers): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]));
  return largest;
}

/** Return the squared distance between row i of X and row j of Y, computed from differences. */
export function squaredDistance(X: Matrix, i: number, Y: Matrix, j: number, p: number): number {
  let sum = 0;
  for (let c = 0; c < p; c++) {
    const gap = X[i * p + c] - Y[j * p + c];
    sum += gap * gap;
  }
  return sum;
}

export function innerProduct(X: Matrix, i: number, Y: Matrix, j: number, p: number): number {
  let sum = 0;
  for (let c = 0; c < p; c++) sum += X[i * p + c] * Y[j * p + c];
  return sum;
}

/** Return the symmetric matrix with the given entries, for j <= i. */
export function symmetricTable(n: number, entry: Entry) {
  const table = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) table[i * n + j] = table[j * n + i] = entry(i, j);
  return table;
}

/** Return the matrix with these entries. */
export function crossTable(m: number, n: number, entry: Entry): Matrix {
  const table = new Float64Array(m * n);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) table[i * n + j] = entry(i, j);
  return table;
}

/** Return the squared distances between the rows of X, or between those of X and Y. */
export function squaredDistances(X: Matrix, p: number, Y = X) {
  if (Y === X) return symmetricTable(X.length / p, (i, j) => squaredDistance(X, i, X, j, p));
  return crossTable(X.length / p, Y.length / p, (i, j) => squaredDistance(X, i, Y, j, p));
}

/** Return the distances between the rows of X, or between those of X and Y. */
export function distances(X: Matrix, p: number, Y = X) {
  return squaredDistances(X, p, Y).map(Math.sqrt);
}

export function columnOf(M: Matrix, p: number, c: number): Matrix {
  return M.filter((_, at) => at % p === c);
}

export function symmetricProduct(A: Matrix, n: number, v: Numbers): Matrix {
  const product = new Float64Array(n);
  for (let i = 0; i < n; i++) product[i] = dot(A, v, i * n);
  return product;
}

/** Return the sum of a function of the values. */
export function sumOf<V>(values: ArrayLike<V>, part: (value: V, i: number) => number): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += part(values[i], i);
  return sum;
}

export const sumOfSquares = (values: Numbers) => sumOf(values, (v) => v * v);

/** Return the product of A, with n columns, and B, with k columns. */
export function matrixProduct(A: Matrix, n: number, B: Matrix, k: number): Matrix {
  const product = new Float64Array((A.length / n) * k);
  for (let i = 0; i < A.length / n; i++)
    for (let j = 0; j < n; j++)
      for (let c = 0; c < k; c++) product[i * k + c] += A[i * n + j] * B[j * k + c];
  return product;
}

/** Return the first columns of n points with p columns, and columns of zeros up to a number. */
export function padColumns(Y: Matrix, p: number, n: number, columns: number): Matrix {
  return crossTable(n, columns, (i, c) => (c < p ? Y[i * p + c] : 0));
}

/** Return the product of two matrices that are arrays of rows. */
export function productOfRows(A: number[][], B: number[][]) {
  return A.map((row) => B[0].map((_, j) => row.reduce((sum, a, k) => sum + a * B[k][j], 0)));
}
