// Functions of square tables, which are arrays of rows.

import { sumOfSquares, type Table } from "../../core/matrix.ts";

export const isIncomplete = (table: Table) => table.some((row) => row.some(Number.isNaN));

export const isClose = (x: number, y: number): boolean => Math.abs(x - y) <= 1e-6 * Math.abs(x);
export const withZeroDiagonal = (table: Table) =>
  table.map((row, i) => row.map((x, j) => (i === j ? 0 : x)));

/** Replace the diagonal by zeros if all its numbers are missing. */
export const withFilledDiagonal = (table: Table) =>
  table.every((row, i) => Number.isNaN(row[i])) ? withZeroDiagonal(table) : table;

/** Return the fraction of the skew-symmetric part in the sum of squares off the diagonal. */
export function skewShare(table: Table) {
  const skew = table.map((row, i) => row.map((x, j) => (x - table[j][i]) / 2));
  const all = sumOfSquares(withZeroDiagonal(table).flat());
  return all > 0 ? sumOfSquares(skew.flat()) / all : 0;
}

/** Return true for a symmetric matrix of at least three objects with zeros on its diagonal. */
export function isDistanceMatrix(table: Table) {
  if (table.length < 3 || table.some((row) => row.length !== table.length)) return false;
  const whole = withFilledDiagonal(table);
  return whole.every((row, i) => row[i] === 0 && row.every((x, j) => isClose(x, whole[j][i])));
}

export const largestKnown = (table: Table) =>
  table.reduce((high, row) => Math.max(high, ...row.filter((x) => !Number.isNaN(x))), -Infinity);

/** Return the kind of a square table: dissimilarities, similarities ("gram"), or points. */
export function kindOf(table: Table, isCertain = false) {
  const diagonal = table.map((row, i) => row[i]);
  const zeros = diagonal.filter((x) => !x).length;
  if (zeros === table.length) return "dissimilarities";
  const lower = table.flatMap((row, i) => row.slice(0, i));
  const odd = table.flatMap((row, i) =>
    row.filter((x, j) => j < i && !Number.isNaN(x) && !isClose(x, table[j][i])),
  );
  if (!isCertain && 2 * odd.length >= lower.length) return "points";
  const [known, top] = [lower.filter(Number.isFinite), diagonal.reduce((a, b) => Math.max(a, b))];
  const isBelow = known.every((x) => x >= top) && known.some((x) => x > top);
  const isNearZero = isBelow && diagonal.every((x) => x >= 0);
  return 2 * zeros > table.length || isNearZero ? "dissimilarities" : "gram";
}
