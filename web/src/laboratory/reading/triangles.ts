// Triangles of square matrices, with or without a diagonal, names and the empty cells of a sheet.

import type { Entry, Names } from "../../core/matrix.ts";
import type { ToNumber } from "./cellNumbers.ts";
import type { TableDraft } from "./parsedTable.ts";
import { areDistinct, areEqual, type Cells, type IsCell } from "./rowsOfCells.ts";
import { withFilledDiagonal } from "./squareTables.ts";

type Parts = ReturnType<typeof partsOf>;
/** How cells are read, and what their layout says about a diagonal and the names. */
export type ReadingRules = { toNumber: ToNumber; diagonal: boolean | null; layoutNames: Names };

/** A year, which may name an object. */
export const YEAR = /^(1[5-9]|20)\d\d$/;

/** Return true for the same names, or ["a", "b"] and ["b", "c"], which differ in one name. */
export function haveSameNames(names: string[], head: string[]) {
  if (areEqual(names, head)) return names.length > 1 && !names.includes("");
  const [all, gap] = [new Set([...names, ...head]), Math.abs(names.length - head.length)];
  const isNear = gap < 2 && 2 * all.size <= names.length + head.length + 2 - gap && all.size > 2;
  return isNear && !all.has("") && areDistinct(names) && areDistinct(head);
}

/** Return the name of a row, the other cells that are filled, and where they start and end. */
function partsOf(row: Cells, isFilled: IsCell, place: string) {
  const [first, last] = [row.findIndex(isFilled), row.findLastIndex(isFilled)];
  const name = place === "first" ? first : place === "last" ? last : -1;
  const isCell = (cell: string, c: number) => c !== name && isFilled(cell);
  // ",3,a" with its name last: the cell "3" starts at 1 and ends before 2.
  const [start, end] = [row.findIndex(isCell), row.findLastIndex(isCell) + 1];
  const cells = row.slice(start, end);
  return { name: row[name], cells, start, end, isPadded: !isFilled(row.at(-1) ?? "") };
}

/** Return 1 if each row has one cell more than the row above it, -1 if one less, or else 0. */
function slopeOf(parts: Parts[], width: number) {
  const counts = parts.map(({ cells }) => cells.length);
  const [first, slope, last] = [counts[0], counts[1] - counts[0], counts[counts.length - 1]];
  const isStair = counts.every((count, r) => count === first + slope * r);
  // "4 5" above "6 7 8" has no row of at most one cell.
  if (Math.abs(slope) !== 1 || !isStair || Math.min(first, last) > 1) return 0;
  const filled = parts.filter(({ cells }) => cells.length);
  const isAligned = (side: "start" | "end") =>
    filled.every((part) => part[side] === filled[0][side]);
  const isPadded = parts.some((part) => part.isPadded);
  // "3," above "4,5": a table with an empty cell
  if (parts.length < 3 && isPadded && width <= Math.max(first, last)) return 0;
  // ";3;4" above ";;5", or "3 4" above "5"
  const isUpper = isAligned("end") || (isAligned("start") && !isPadded);
  return (slope > 0 ? isAligned("start") : isUpper) ? slope : 0;
}

/** "1990", "2000", "2010": return true for at least three years at equal intervals. */
function areYears(names: string[]) {
  const years = names.map((name) => (YEAR.test(name) ? Number(name) : NaN));
  const step = years[1] - years[0] || 1;
  return years.length > 2 && years.every((year, r) => year - years[0] === r * step);
}

/** Return true for "1 2", "(1) (2)" or "1. 2." above names, which are the numbers of objects. */
const areNumbersOf = (names: string[], titles: string[], isWord: IsCell) =>
  names.every(isWord) && titles.every((cell, c) => cell.replace(/[().]/g, "") === String(c + 1));

/** Return all names, in the order of the list that contains the first title. */
function allNames(names: string[], titles: string[]) {
  const isBefore = names.includes(titles[0]);
  return [...new Set(isBefore ? [...names, ...titles] : [...titles, ...names])];
}

/** How titles above a triangle agree with the names before its rows: example, test, all names. */
const AGREEMENTS: [example: string, agree: typeof areNumbersOf, objects: typeof allNames][] = [
  [",(1),(2) / Age,1 / Income,.5,1", areNumbersOf, (names) => names],
  ["a b c / a / b 3 / c 4 5", areEqual, allNames],
  ["a b / b 3 / c 4 5", haveSameNames, allNames],
];

/** Return the names in the head, the rows and the layout of a triangle, or null if they disagree. */
function namesOf(head: Names, names: Names, layoutNames: Names, isWord: IsCell) {
  if (!head && !names) return layoutNames ?? []; // "3" above "4 5"
  if (!head) return names && (names.every(isWord) || areYears(names)) ? names : null; // "a", "b 3"
  const above = head.filter(Boolean);
  if (!names) return above.every(isWord) || above.every((cell) => YEAR.test(cell)) ? above : null;
  const ways = [above, head[0] ? above.slice(1) : above]; // "a b c", or "name a b c"
  for (const [, agree, objects] of AGREEMENTS) {
    const agreeing = ways.find((way) => agree(names, way, isWord));
    if (agreeing) return objects(names, agreeing);
  }
  return null;
}

type TriangleCells = { head: Cells | null; body: Cells[]; place: string; isFilled: IsCell };
/** Return the matrix of a triangle below a head, or null; `place` says where rows have names. */
function triangleBelow(triangle: TriangleCells, rules: ReadingRules): TableDraft | null {
  const { head, body, place, isFilled } = triangle;
  const { toNumber, diagonal, layoutNames } = rules;
  const parts = body.map((row) => partsOf(row, isFilled, place));
  const isNamed = place !== "none";
  const longest = Math.max(...body.map((row) => row.length));
  const width = head && isNamed ? Infinity : longest - Number(isNamed);
  const slope = slopeOf(parts, width);
  const isWord = (cell: string) => toNumber(cell) === null;
  if (!slope || parts.some(({ cells }) => cells.some(isWord))) return null;
  const names = isNamed ? parts.map(({ name }) => name) : null;
  const objectNames = namesOf(head, names, layoutNames, isWord);
  // "1 2 3", "4 5", "6" in reverse order is "6", "5 4", "3 2 1".
  const inOrder = <Value>(values: Value[]): Value[] => (slope > 0 ? values : values.toReversed());
  const cells = inOrder(parts).map((part) => inOrder(part.cells.map(toNumber)));
  const [first, last] = [cells[0].length, cells[cells.length - 1].length];
  // "a 0" and "b 3 0" have a name for each cell of the longest row; "a" and "b 3" have one more.
  const [isWhole, isLarger] = [0, 1].map((more) => objectNames?.length === last + more);
  // "a 1" and "b 3 2" may lack the name of a first object; "1" and "3 2" may lack a diagonal.
  const isUnclear = !head && (names ? isWhole : !isWhole && !isLarger);
  if (!isUnclear && !isWhole && !isLarger) return null;
  const ends = cells.map((row) => row.at(-1));
  const hasDiagonal = isUnclear ? (diagonal ?? (isNamed || new Set(ends).size === 1)) : isWhole;
  const [n, shift] = hasDiagonal ? [last, 1 - first] : [last + 1, -first];
  const entry: Entry = (i, j) => (i < j ? entry(j, i) : (cells[i + shift]?.[j] ?? NaN));
  const objects = Array.from({ length: n }, (_, i) => i);
  const table = inOrder(objects.map((i) => inOrder(objects.map((j) => entry(i, j)))));
  const withAnother = names && inOrder([`object ${slope > 0 ? 1 : n}`, ...inOrder(names)]);
  const complete = [objectNames, withAnother].find((each) => each?.length === n) ?? null;
  const isGuess = isUnclear && diagonal === null && ends.some(Boolean);
  const whole = withFilledDiagonal(table);
  const draft = { names: complete, table: whole, isSquare: true, isCertain: true };
  return isGuess ? { ...draft, hasDiagonal } : draft; // a button offers the other reading
}

/** Return the matrix of a triangle, whose other cells are empty or marked as missing, or null. */
export function triangleOf(rows: Cells[], rules: ReadingRules) {
  const isKnown = (cell: string) => cell !== "" && !Number.isNaN(rules.toNumber(cell));
  // "3,," or "3,-,-"; with or without titles; "a,3", "3,a" or "3"
  for (const isFilled of [Boolean, isKnown])
    for (const head of [null, rows[0]])
      for (const place of ["first", "last", "none"]) {
        const body = head ? rows.slice(1) : rows;
        const triangle = triangleBelow({ head, body, place, isFilled }, rules);
        if (triangle) return triangle;
      }
  return null;
}
