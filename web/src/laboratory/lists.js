// Lists with two names and a number in each line.

import { someOf } from "../ui/text.js";

const FROM = /^(from|source|i|row|a|.*(object|item|stim(ulus)?|brand|site)[ _]?[1ai]?)$/i;
const key = (a, b) => JSON.stringify([a, b]);
const different = (rows, c) => [...new Set(rows.map((row) => row[c]))];

/** The numbers in a column by the two names before them. */
function numbersBy(rows, [from, to, value], num) {
  const found = new Map();
  for (const row of rows) {
    const pair = key(row[from], row[to]);
    found.set(pair, [...(found.get(pair) ?? []), num(row[value])]);
  }
  return found;
}

/** The mean of some numbers, or NaN if none is known. */
function mean(given) {
  const known = given.filter(Number.isFinite);
  return known.reduce((sum, x) => sum + x, 0) / known.length;
}

/**
 * The square matrix of a list of pairs, or null. Some object is first in one pair and second in
 * another. Unless a title says from where the pairs go, there are three columns and half of the
 * pairs, or all pairs of whole numbers.
 */
function pairsIn({ rows, wordy, numeric, title }, places, num) {
  const [from, to, value] = places;
  const [firsts, seconds] = [from, to].map((c) =>
    different(
      rows.filter((row) => row[from] !== row[to]),
      c,
    ),
  );
  const names = different(
    rows.flatMap((row) => [[row[from]], [row[to]]]),
    0,
  );
  const numbers = numbersBy(rows, places, num);
  const at = (a, b) => numbers.get(key(a, b)) ?? numbers.get(key(b, a));
  const known = names.flatMap((a, i) => names.slice(0, i).filter((b) => at(a, b))).length;
  const all = (names.length * (names.length - 1)) / 2;
  const isEnough = wordy.length + numeric.length === 3 && known >= (wordy.length ? all / 2 : all);
  const isChained = firsts.some((name) => seconds.includes(name));
  if (names.length < 3 || names.includes("") || !isChained) return null;
  if (!isEnough && !FROM.test(title(from))) return null;
  const table = names.map((a) => names.map((b) => mean(at(a, b) ?? (a === b ? [0] : []))));
  const others = numeric.filter((c) => c !== value && c > to).map(title);
  const left = others.length ? `Left out: ${someOf(others)}.` : "";
  const isTwice = numbers.size < rows.length;
  const twice = isTwice ? "A pair that occurs several times has the mean of its values." : "";
  return { names, table, isSquare: true, notes: [`A list of ${rows.length} pairs.`, twice, left] };
}

/**
 * The table of a list with an object, a feature and an amount in each line, or null. An amount that
 * is not listed is 0, unless the list contains zeros.
 */
function amountsIn({ rows, wordy, numeric }, num) {
  if (wordy.length !== 2 || numeric.length !== 1) return null;
  const [names, columns] = wordy.map((c) => different(rows, c));
  const numbers = numbersBy(rows, [...wordy, ...numeric], num);
  const isList = numbers.size === rows.length && rows.length >= names.length + columns.length;
  if (!isList || names.length < 3 || names.some((name) => columns.includes(name))) return null;
  const empty = [...numbers.values()].some(([x]) => x === 0) ? NaN : 0;
  const table = names.map((a) => columns.map((b) => numbers.get(key(a, b))?.[0] ?? empty));
  const others = empty === 0 ? "0" : "missing";
  const notes = [`A list of ${rows.length} amounts; one that is not listed is ${others}.`];
  return { names, table, columns, isAmounts: true, notes };
}

/** The table of a list of pairs or amounts, or null if the columns are not such a list. */
export function listIn(columns, num, as) {
  const { rows, wordy, numeric } = columns;
  const isWhole = (c) => rows.every((row) => /^\d+$/.test(row[c]));
  const isNumbered = !wordy.length && numeric.length === 3 && numeric.slice(0, 2).every(isWhole);
  const pairs = wordy.flatMap((from) => wordy.filter((to) => to > from).map((to) => [from, to]));
  const valueAfter = (to) => numeric.find((c) => c > to) ?? numeric[0];
  const places = isNumbered ? [numeric] : pairs.map(([from, to]) => [from, to, valueAfter(to)]);
  for (const each of as === "points" ? [] : places) {
    const found = pairsIn(columns, each, num);
    if (found) return found;
  }
  return as === "auto" || as === "points" ? amountsIn(columns, num) : null;
}
