// Functions of square tables, which are arrays of rows.

import { sumOf } from "../core/matrix.js";

/** Return the skew-symmetric part of a matrix. */
export const skewPart = (table) => table.map((row, i) => row.map((x, j) => (x - table[j][i]) / 2));

/** Return the sum of the squares of all numbers. */
export const sumOfSquares = (table) => sumOf(table.flat(), (x) => x * x);

export const isClose = (x, y) => Math.abs(x - y) <= 1e-6 * Math.abs(x);
export const withZeroDiagonal = (table) =>
  table.map((row, i) => row.map((x, j) => (i === j ? 0 : x)));

/** Replace the diagonal by zeros if all its numbers are missing. */
export const withFilledDiagonal = (table) =>
  table.every((row, i) => Number.isNaN(row[i])) ? withZeroDiagonal(table) : table;

/** Return the largest of the known numbers. */
export const largestKnown = (table) =>
  table.reduce((high, row) => Math.max(high, ...row.filter((x) => !Number.isNaN(x))), -Infinity);
