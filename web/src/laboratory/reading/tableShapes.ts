// The shapes of tables: square matrices and their triangles, and objects by variables.

import type { Table } from "../../core/matrix.ts";
import { plural } from "../../ui/text.ts";
import { MEASURED, type ToNumber } from "./cellNumbers.ts";
import { LayoutError } from "./layoutError.ts";
import type { TableDraft, TextColumn } from "./parsedTable.ts";
import { areDistinct, areEqual, type Cells, type IsCell, rowOf } from "./rowsOfCells.ts";
import { isDistanceMatrix, withFilledDiagonal } from "./squareTables.ts";
import { haveSameNames, type ReadingRules, YEAR } from "./triangles.ts";

export type Columns = ReturnType<typeof columnsOf>; // rows and the places of words and of numbers

const longest = (rows: Cells[]) => rows.reduce((most, { length }) => Math.max(most, length), 0);
/** Return true if the cells of rows are a distance matrix, from a column on. */
const isDistance = (rows: Cells[], toNumber: ToNumber, from = 0) =>
  isDistanceMatrix(rows.map((row) => row.slice(from).map((cell) => toNumber(cell) ?? NaN)));

/** Return by how many columns the titles are shifted, or null if the first row has no titles. */
function titleShift([first, ...body]: Cells[], toNumber: ToNumber) {
  const [corner, ...others] = first;
  const [names, width] = [body.map(([name]) => name), longest(body)];
  const isWord: IsCell = (cell) =>
    cell !== "" && toNumber(cell) === null && !/^[-+]?[\d.,]+$/.test(cell);
  const isYear: IsCell = (cell) => YEAR.test(cell);
  const isNumber = (cell = "") => toNumber(cell) !== null || MEASURED.test(cell);
  const isAboveNumbers = (cell: string, c: number) =>
    isWord(cell) && 2 * body.filter((row) => isNumber(row[c])).length > body.length;
  const isShort = first.length === width - 1; // one cell less than below it
  const isAsLong = first.length === width;
  const isBesideNames = isAsLong && names.every(isWord);
  const areNames = areDistinct(names) || names.some(isWord);
  const hasCorner = !isShort && (corner === "" || first.every(isWord));
  const isMatrix = () => isDistance(body, toNumber);
  const tests: [example: string, shift: 0 | 1, isTitled: () => boolean][] = [
    ["a b c / a 3 4 / b 3 5 / c 4 5", 1, () => names.length > 2 && areEqual(names, first)],
    ["3 2 1 / 1 4 3 0 / 2 5 0 3 / 3 0 5 4", 1, () => isShort && haveSameNames(names, first)],
    ["x y / 1 5 6 / 2 7 8", 1, () => isShort && first.some(isWord) && areNames && !isMatrix()],
    [",1,2 / 1,0,3 / 2,3,0", 0, () => hasCorner && haveSameNames(names, others)],
    ["x,y / 1,2 / 3,4", 0, () => isAsLong && first.some(isAboveNumbers)],
    [",1,2 / FR,3,4 / DE,5,6", 0, () => isBesideNames && corner === ""],
    ["country,1990,2000 / FR,1,2 / DE,3,4", 0, () => isBesideNames && others.every(isYear)],
    ["1,2,3 / 0,3,4 / 3,0,5 / 4,5,0", 0, () => isAsLong && isMatrix()],
  ];
  return tests.find(([, , isTitled]) => isTitled())?.[1] ?? null;
}

/** Insert the empty cells of a diagonal that is not given; reject rows of unequal length. */
function withEmptyCells(rows: Cells[], width: number, isSquare: boolean): Cells[] {
  const counts = rows.map(({ length }) => length);
  const firstNotOn = (slope: number) =>
    counts.findIndex((count, r) => count !== counts[0] + slope * r);
  const step = Math.sign(counts[1] - counts[0]);
  const [uneven, offStair] = [firstNotOn(0), firstNotOn(step)];
  if (uneven < 0 && counts[0] === width) return rows;
  // "a b c" above "a 3 4", "b 3 5" and "c 4 5"
  if (uneven < 0 && isSquare && rows.length > 2)
    return rows.map((row, r) => rowOf(row.line, row.toSpliced(r + 1, 0, "")));
  // "0", "3 0" and "4 0": a triangle, whose third row is too short
  const isTriangle =
    offStair > uneven && counts.at(-1) !== counts[0] && counts[0] + offStair * step > 0;
  const [odd, slope] = isTriangle ? [offStair, step] : [Math.max(0, uneven), 0];
  const expected = uneven < 0 ? width : counts[0] + odd * slope;
  const why = `it has ${plural(counts[odd], "value")} instead of ${expected}`;
  const layout = isTriangle ? "a triangle of a matrix" : "a table with rows of equal length";
  throw new LayoutError(rows[odd].line, why, layout);
}

/** ";1;2" above "1. Age" and "2. Income": replace numbers above the columns by these names. */
export function withNamesAbove([first, ...body]: Cells[]) {
  const numbers = first.slice(1, first.findLastIndex(Boolean) + 1);
  const isNumber = (cell: string, r: number) => body[r]?.[0].match(/^(.+?)[. ]\D/)?.[1] === cell;
  const isNumbered = numbers.length > 1 && numbers.every(isNumber);
  return [isNumbered ? rowOf(first.line, [first[0], ...body.map(([own]) => own)]) : first, ...body];
}

// "Subject", "case_id" or "#": whole numbers in this column identify the rows.
const TITLES =
  "row|index|rownames|unnamed: 0|case|caseno_|subject|obs|observation|participant|respondent|person|vp|site|plot|sample";
const COUNTED = new RegExp(String.raw`^(|#|(.*[ _-])?(id|nr|no|code)\.?|${TITLES})$`, "i");

/** Return the titles of columns, empty above names without a title, and the rows below them. */
function headOf(rows: Cells[], toNumber: ToNumber) {
  const shift = titleShift(rows, toNumber);
  // "(cm);(kg)", or ",cm,kg" below "name,x,y": a row of units
  const isBelowName = rows[0][0] !== "" && rows[1]?.[0] === "";
  const isUnit: IsCell = (cell) =>
    /^([[(].*[\])])?$/.test(cell) || (isBelowName && Number.isNaN(toNumber(cell) ?? NaN));
  const hasUnits = rows.length > 2 && rows[1].every(isUnit);
  const body = shift === null ? rows : rows.slice(hasUnits ? 2 : 1);
  if (body.length < 2) throw new LayoutError(rows[0].line, "a second row of values is expected");
  const titles: string[] = shift === null ? [] : shift ? ["", ...rows[0]] : rows[0];
  return { shift, titles, body };
}

/** Return true if at least half of the filled cells in a column are words. */
function isText(body: Cells[], c: number, toNumber: ToNumber) {
  const cells = body.map((row) => row[c]).filter(Boolean);
  // "170 cm" is no word, except in the first column, where it may be a name.
  const words = cells.filter((cell) => toNumber(cell) === null && !(c && MEASURED.test(cell)));
  return words.length > 0 && 2 * words.length >= cells.length;
}

/** Return true if the first column identifies the rows although it does not contain words. */
function hasNumbersAsNames({ shift, titles, body }: ReturnType<typeof headOf>, toNumber: ToNumber) {
  const names = body.map(([name]) => name);
  // "1 0 3 4", "2 3 0 5" and "3 4 5 0" without titles: names before a distance matrix
  if (shift === null) return areDistinct(names) && isDistance(body, toNumber, 1);
  if (shift === 1) return true; // "x y" above "1 5 6" and "2 7 8"
  // "id,x" above "1,5"; "year,1,2" above "1,0,3" and "2,3,0"; "name,x" above "7.5,5"
  const isCounted = COUNTED.test(titles[0]) && names.every((name) => /^\d+$/.test(name));
  return isCounted || haveSameNames(names, titles.slice(1)) || /^names?$/i.test(titles[0]);
}

/** Reject a row without a name if rows have names, and words in a column of numbers. */
function refuseOddCells(body: Cells[], areTexts: boolean[], toNumber: ToNumber) {
  const blank = areTexts[0] && body.find(([name]) => !name);
  if (blank) throw new LayoutError(blank.line, "it has no name", "a table with a name in each row");
  const isOdd = (cell: string, c: number) => !areTexts[c] && toNumber(cell) === null;
  const odd = body.find((row) => row.some(isOdd));
  const why = `\u201c${odd?.find(isOdd)?.slice(0, 40)}\u201d is not a number`;
  if (odd) throw new LayoutError(odd.line, why, "a table with rows of equal length");
}

/** Return which columns contain names, words and numbers, and the title of each. */
export function columnsOf(rows: Cells[], toNumber: ToNumber) {
  // "a,1,2,," and "b,3,4,,": cut off columns of empty cells at the ends of rows.
  const end = rows.reduce((most, row) => Math.max(most, row.findLastIndex(Boolean) + 1), 0);
  const cut = rows.map((row) => rowOf(row.line, row.slice(0, end)));
  const head = headOf(cut, toNumber);
  const { titles, body } = head;
  const width = Math.max(longest(body), titles.length);
  const areTexts = Array.from({ length: width }, (_, c) => isText(body, c, toNumber));
  const names = body.map(([name]) => name);
  // "1 Rome 3 4": the number of a row before its name
  const isFrom = (start: number) => names.every((name, r) => Number(name) === start + r);
  const isNumbered = areTexts[1] && (isFrom(0) || isFrom(1));
  areTexts[0] ||= isNumbered || (width > 1 && hasNumbersAsNames(head, toNumber));
  refuseOddCells(body, areTexts, toNumber);
  const filled = withEmptyCells(body, width, areEqual(names, titles.slice(1)));
  const textColumns = areTexts.flatMap((is, c) => (is ? [c] : []));
  const numberColumns = areTexts.flatMap((is, c) => (is ? [] : [c]));
  return { rows: filled, textColumns, numberColumns, title: (c: number) => titles[c] ?? "" };
}

/** Choose a column of distinct names and one of groups among the columns of words. */
function namesAndGroups({ rows, textColumns, title }: Columns) {
  const columns = textColumns.map((c) => ({
    title: title(c) || `column ${c + 1}`,
    cells: rows.map((row) => row[c].slice(0, 80)),
  }));
  const countOf = ({ cells }: TextColumn) => new Set(cells).size;
  const distinct = columns.filter((each) => countOf(each) > 0.8 * rows.length || rows.length < 4);
  const named = distinct.find(({ cells }) => /\p{L}/u.test(cells[0])) ?? distinct[0];
  const texts = columns.filter((column) => column !== named);
  const isGroup = (each: TextColumn) =>
    countOf(each) > 1 && countOf(each) <= Math.min(24, rows.length - 1);
  const { cells: groups = null, title: groupTitle = "" } = texts.find(isGroup) ?? {};
  const isFirst = textColumns[columns.indexOf(named)] === 0;
  const notes = named && !isFirst ? [`The names were read from \u201c${named.title}\u201d.`] : [];
  return { names: named?.cells ?? null, groups, groupTitle, texts, notes };
}

/** Return the square matrix of objects whose names are before the rows and above the columns. */
function squareByNames(rows: Cells[], names: string[], titles: string[], numbers: Table): Table {
  const all = [...names, ...titles];
  const odd = all.find((name) => !names.includes(name) || !titles.includes(name)) ?? "";
  const [missing, r] = names.includes(odd) ? ["column", names.indexOf(odd)] : ["row", 0];
  if (odd) throw new LayoutError(rows[r].line, `there is no ${missing} for \u201c${odd}\u201d`);
  const isSame = areEqual(names, titles);
  const order = names.map((name, c) => (isSame ? c : titles.indexOf(name)));
  return withFilledDiagonal(numbers.map((row) => order.map((c) => row[c])));
}

/** Return a square matrix or points. */
export function tableIn(columns: Columns, { toNumber, layoutNames }: ReadingRules): TableDraft {
  const { rows, textColumns, numberColumns, title } = columns;
  const numbers = rows.map((row) => numberColumns.map((c) => toNumber(row[c]) ?? NaN));
  const titles = numberColumns.map(title);
  const { notes, ...words } = namesAndGroups(columns);
  const points = { ...words, table: numbers, columns: titles, notes };
  const first = rows.map((row) => row[textColumns[0]]);
  if (textColumns.length && haveSameNames(first, titles)) {
    const texts = words.texts.filter(({ cells }) => !areEqual(cells, first));
    const table = squareByNames(rows, first, titles, numbers);
    return { ...words, names: first, texts, table, isSquare: true, isCertain: true, points };
  }
  const isTitled = titles.every(Boolean);
  const isOther = textColumns.length && isTitled && !isDistanceMatrix(numbers);
  if (numbers.length !== numbers[0].length || isOther) return points;
  const names = layoutNames ?? words.names ?? (isTitled ? titles : null);
  const isCertain = Boolean(layoutNames);
  return { ...words, names, table: withFilledDiagonal(numbers), isSquare: true, isCertain, points };
}
