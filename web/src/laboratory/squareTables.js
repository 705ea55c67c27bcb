// What is computed from square matrices.

import { sumOf } from "../core/matrix.js";

/** Half of what the two directions differ by. */
export const skewPart = (table) => table.map((row, i) => row.map((x, j) => (x - table[j][i]) / 2));

/** The sum of the squares of all numbers. */
export const sumOfSquares = (table) => sumOf(table.flat(), (x) => x * x);

export const isClose = (x, y) => Math.abs(x - y) <= 1e-6 * Math.abs(x);
export const withZeroDiagonal = (table) =>
  table.map((row, i) => row.map((x, j) => (i === j ? 0 : x)));

/** The largest of the numbers that are known. */
export const largestKnown = (table) =>
  table.reduce((high, row) => Math.max(high, ...row.filter((x) => !Number.isNaN(x))), -Infinity);
