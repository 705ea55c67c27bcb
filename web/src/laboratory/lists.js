// Lists with two names and a number in each line.

import { someOf } from "../ui/text.js";

const FROM = /^(from|source|i|row|a|.*(object|item|stim(ulus)?|brand|site)[ _]?[1ai]?)$/i;
const key = (a, b) => JSON.stringify([a, b]);

/** The columns of a list of pairs, [from, to, value], in the order in which they are tried. */
function pairColumns({ rows, wordy, numeric }) {
  if (wordy.length >= 2 && numeric.length) {
    const value = (to) => numeric.find((c) => c > to) ?? numeric[0];
    return wordy.flatMap((from, at) => wordy.slice(at + 1).map((to) => [from, to, value(to)]));
  }
  const isWhole = (c) => rows.every((row) => /^\d+$/.test(row[c]));
  return !wordy.length && numeric.length === 3 && [0, 1].every(isWhole) ? [numeric] : [];
}

/**
 * The square matrix of a list of pairs in three columns, or null. Some object is first in one pair
 * and second in another. Unless a title says from where the pairs go, there are three columns and
 * half of the pairs, or all pairs of whole numbers.
 */
function pairsAt({ rows, wordy, numeric, title }, [from, to, value], num) {
  const cells = new Map();
  for (const row of rows) {
    const pair = key(row[from], row[to]);
    cells.set(pair, [...(cells.get(pair) ?? []), num(row[value])]);
  }
  const different = rows.filter((row) => row[from] !== row[to]);
  const seconds = new Set(different.map((row) => row[to]));
  const names = [...new Set(rows.flatMap((row) => [row[from], row[to]]))];
  const at = (a, b) => cells.get(key(a, b)) ?? cells.get(key(b, a));
  const known = names.flatMap((a, i) => names.slice(0, i).filter((b) => at(a, b))).length;
  const most = (names.length * (names.length - 1)) / 2;
  const isTitled = FROM.test(title(from));
  const repeated = rows.length - cells.size;
  const isAlone =
    wordy.length + numeric.length === 3 && !(repeated && different.length < rows.length);
  const enough = isTitled ? Math.min(names.length - 1, most / 2) : wordy.length ? most / 2 : most;
  const isChained = different.some((row) => seconds.has(row[from]));
  if (names.length < 3 || names.includes("") || !isChained || known < enough) return null;
  if (!isTitled && !isAlone) return null;
  const mean = (given) => {
    const numbers = given.filter(Number.isFinite);
    return numbers.length ? numbers.reduce((sum, x) => sum + x / numbers.length, 0) : NaN;
  };
  const table = names.map((a) => names.map((b) => mean(at(a, b) ?? (a === b ? [0] : []))));
  const others = numeric.filter((c) => c !== value && c > to).map(title);
  const left = others.length ? `Left out: ${someOf(others)}.` : "";
  const twice = repeated ? "A pair that occurs several times has the mean of its values." : "";
  const notes = [`A list of ${rows.length} pairs.`, twice, left];
  return { names, table, isSquare: true, notes };
}

/**
 * The table of a list with an object, a feature and an amount in each line, or null. An amount that
 * is not listed is 0, unless the list contains zeros.
 */
function amounts({ rows, wordy, numeric }, num) {
  if (wordy.length !== 2 || numeric.length !== 1) return null;
  const cells = new Map(
    rows.map((row) => [key(row[wordy[0]], row[wordy[1]]), num(row[numeric[0]])]),
  );
  const [names, columns] = wordy.map((c) => [...new Set(rows.map((row) => row[c]))]);
  const isList = cells.size === rows.length && rows.length >= names.length + columns.length;
  if (!isList || names.length < 3 || names.some((name) => columns.includes(name))) return null;
  const empty = [...cells.values()].includes(0) ? NaN : 0;
  const table = names.map((a) => columns.map((b) => cells.get(key(a, b)) ?? empty));
  const others = Number.isNaN(empty) ? "missing" : "0";
  const notes = [`A list of ${rows.length} amounts; one that is not listed is ${others}.`];
  return { names, table, columns, isAmounts: true, notes };
}

/** The table of a list of pairs or amounts, or null if the columns are not such a list. */
export function listIn(columns, num, as) {
  for (const places of as === "points" ? [] : pairColumns(columns)) {
    const found = pairsAt(columns, places, num);
    if (found) return found;
  }
  return as === "auto" || as === "points" ? amounts(columns, num) : null;
}
