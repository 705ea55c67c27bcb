// Lists of pairs: two names and a number in each line.

import { someOf } from "../../ui/text.ts";
import type { ToNumber } from "./cellNumbers.ts";
import { checkLongList } from "./tableFaults.ts";
import type { Columns } from "./tableShapes.ts";

// "from;to;km", "stim1,stim2,rating", "Object A,Object B,similarity"
const FROM = /^(from|source|i|row|a|.*(object|item|stim(ulus)?|brand|site)[ _]?[1ai]?)$/i;

const mean = (values: number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;

/** Return the matrix of pairs, or null if no object is first in one pair and second in another. */
function matrixFrom(columns: Columns, [from, to, value]: number[], toNumber: ToNumber) {
  const { rows, textColumns: texts, numberColumns: numbers, title } = columns;
  const valuesOfPairs = new Map<string, number[]>();
  const key = (...pair: string[]) => JSON.stringify(pair);
  for (const row of rows) {
    const pair = key(row[from], row[to]);
    const number = toNumber(row[value]) ?? NaN;
    valuesOfPairs.set(pair, [...(valuesOfPairs.get(pair) ?? []), number].filter(Number.isFinite));
  }
  const others = rows.filter((row) => row[from] !== row[to]);
  const seconds = new Set(others.map((row) => row[to]));
  const names = [...new Set(rows.flatMap((row) => [row[from], row[to]]))];
  const isChained = others.some((row) => seconds.has(row[from]));
  if (names.length < 3 || names.includes("") || !isChained) return null;
  // "from,to,km,minutes" needs few pairs, "S1,oak,3" half of them, and "1 2 3" all of them.
  const valuesOf = (a: string, b: string) =>
    valuesOfPairs.get(key(a, b)) ?? valuesOfPairs.get(key(b, a));
  const known = names.flatMap((a, i) => names.slice(0, i).filter((b) => valuesOf(a, b))).length;
  const all = (names.length * (names.length - 1)) / 2;
  const isTitled = FROM.test(title(from));
  const needed = isTitled ? Math.min(names.length - 1, all / 2) : texts.length ? all / 2 : all;
  if (known < needed || !(isTitled || texts.length + numbers.length === 3)) return null;
  const table = names.map((a) => names.map((b) => mean(valuesOf(a, b) ?? (a === b ? [0] : []))));
  const left = numbers.filter((c) => c !== value && c > to).map(title);
  const notes = [`A list of ${rows.length} pairs.`];
  if (valuesOfPairs.size < rows.length) notes.push("A repeated pair has the mean of its values.");
  if (left.length) notes.push(`Left out: ${someOf(left)}.`);
  return { names, table, isSquare: true, isCertain: true, notes };
}

/** Return the matrix of the first columns that are a list of pairs, or undefined. */
export function matrixOfPairs(columns: Columns, toNumber: ToNumber) {
  const { rows, textColumns: texts, numberColumns: numbers } = columns;
  const isWhole = (c: number) => rows.every((row) => /^\d+$/.test(row[c]));
  const isNumbered = !texts.length && numbers.length === 3 && numbers.slice(0, 2).every(isWhole);
  const pairs = texts.flatMap((from) => texts.filter((to) => to > from).map((to) => [from, to]));
  const valueAfter = (to: number) => numbers.find((c) => c > to) ?? numbers[0];
  const places = isNumbered ? [numbers] : pairs.map(([from, to]) => [from, to, valueAfter(to)]);
  const matrix = places.map((each) => matrixFrom(columns, each, toNumber)).find(Boolean);
  if (!matrix) checkLongList(columns);
  return matrix;
}
