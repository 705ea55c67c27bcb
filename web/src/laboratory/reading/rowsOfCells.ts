// Split a text into lines, and its lines into rows.

import Papa from "papaparse";
import { cellNumber } from "./cellNumbers.ts";
import { LayoutError } from "./layoutError.ts";

/** A line of a reader's text: its number and what it contains. */
export type Line = { line: number; words: string };
/** A row of cells with the line from which it was read. */
export type Cells = string[] & Line;
export type IsCell = (cell: string) => boolean;

export const rowOf = (line: number, cells: string[], words = ""): Cells =>
  Object.assign([...cells], { line, words });
export const areDistinct = (cells: string[]) => new Set(cells).size === cells.length;
export const areEqual = (a: string[], b: string[]): boolean =>
  a.length === b.length && a.every((cell, c) => cell === b[c]);

// "# a comment" (but MEGA's "#name" is none), "> dist(X)", "julia> D", "In [2]:"
const IGNORED = /^\s*(#+(?![^\s>])(?!\s*[,;\t|])|(>{1,3}|julia>|In \[\d+\]:) )/;

/** Return the lines of a text, and how many comments and commands were ignored. */
export function linesOf(text: string) {
  const all = text
    .replace(/[\u200B\uFEFF]|(?<=\d)[\u00A0\u2007\u2009\u202F](?=\d{3}(?!\d))/g, "") // "1 234"
    .replace(/[\u00A0\u2007\u2009\u202F]/g, " ")
    .split(/\r\n?|\n/)
    .map((words, l) => ({ line: l + 1, words }))
    .filter(({ words }) => words.trim());
  const lines = all.filter(({ words }) => !IGNORED.test(words));
  return { lines, ignored: all.length - lines.length };
}

const SEPARATORS: Record<string, string> = {
  "|": "bars",
  "\t": "tabs",
  ";": "semicolons",
  ",": "commas",
  " ": "spaces",
};

/** Return the separator in most lines; in "1,5 2,5" it is a space. */
function separatorOf(lines: Line[]) {
  const bare = lines.slice(0, 60).map(({ words }) => words.replace(/"[^"]*"/g, "a"));
  const [separator = " "] = Object.keys(SEPARATORS).filter(
    (mark) => 2 * bare.filter((words) => words.includes(mark)).length >= bare.length,
  );
  if (separator !== ",") return separator;
  const rows = lines.map(({ words }) => words.trim().split(/\s+/));
  const isDecimal: IsCell = (cell) =>
    /,\d/.test(cell) && cellNumber(cell, { decimal: "," }) !== null;
  const isPlain = rows.flat().every((cell) => !cell.includes(",") || isDecimal(cell));
  return isPlain && rows.some((row) => row.length > 1) ? " " : ",";
}

/** `'Lee, K.',1` and `a, "b"`: write quotation marks as CSV has them. */
const withDoubleQuotes = (words: string) =>
  words
    .replace(/(?<=^|[|\t;,]) *'([^'"]*)'(?= *([|\t;,]|$))/g, '"$1"')
    .replace(/(?<=^|[|\t;,]) +(?=")/g, "");

/** Return rows of cells, their separator and its name. A quoted cell may contain line breaks. */
export function rowsOf(lines: Line[]) {
  const separator = separatorOf(lines);
  const isSpaced = separator === " ";
  const texts = lines.map(({ words }) =>
    isSpaced ? words.trim().replace(/\s+/g, " ") : withDoubleQuotes(words),
  );
  const { data, errors }: { data: string[][]; errors: { type: string; row: number }[] } =
    Papa.parse(texts.join("\n"), { delimiter: separator, newline: "\n" });
  let index = 0; // of the line with the first cell
  const rows = data.map((cells) => {
    const { line, words } = lines[index];
    index += cells.join("").split("\n").length;
    const plain = cells.map((cell) => cell.trim().replace(/^(\*\*|`|\$)(.*)\1$/, "$2")); // "**a**"
    return rowOf(line, plain, words);
  });
  const open = errors.find(({ type }) => type === "Quotes");
  if (open) throw new LayoutError(rows[open.row].line, "a quotation mark is not closed");
  const filled = rows.filter((row) => row.some(Boolean));
  return { rows: filled, separator, layout: `values separated by ${SEPARATORS[separator]}` };
}

/** Join the first cells of a row to one name. */
const joined = (row: Cells, count: number) =>
  rowOf(row.line, [row.slice(0, count).join(" "), ...row.slice(count)]);

/** "New York Reno" above "New York 0 3" and "Reno 3 0", or above a triangle: split the names above. */
function splitHead([head, ...body]: Cells[]) {
  const words = head.join(" ");
  for (const numbersIn of [(r: number) => r + 1, () => body.length]) {
    const rows = body.map((row, r) => joined(row, row.length - numbersIn(r)));
    const names = rows.map(([name]) => name);
    if (words === names.join(" ")) return [rowOf(head.line, names), ...rows];
    // "New York Reno" above "Reno 3" and "Rome 4 5": New York has no row, and Rome no title
    const others = names.slice(0, -1);
    const end = ` ${others.join(" ")}`;
    const first = words.endsWith(end) && words.slice(0, -end.length);
    if (first) return [rowOf(head.line, [first, ...others]), ...rows];
  }
  return null;
}

/** Join the words before the numbers of a row to one name; leave out pandas's line of the index. */
function withNames(rows: Cells[], isNumeric: IsCell) {
  const split = !isNumeric(rows[0][0]) && splitHead(rows);
  if (split) return split;
  const width = rows[0].length;
  const isHead = width > 1 && !rows[0].some(isNumeric);
  // "x y" above "city" and "Reno 1 2": the name of the index
  const isIndex = isHead && rows[1]?.length === 1 && !isNumeric(rows[1][0]);
  const [head, ...body] = isIndex && rows[2]?.length > width ? rows.toSpliced(1, 1) : rows;
  // "x y" above "New York 1 2" and "Reno 3 4": a number below each title
  const isBelow = (row: Cells) => row.slice(-width).every(isNumeric) && !row.every(isNumeric);
  const isTable = isHead && body.every(isBelow);
  const wordsIn = (row: Cells) => {
    const count = row.findIndex(isNumeric);
    return row.slice(count).every(isNumeric) ? Math.max(1, count) : 1;
  };
  // "Los Angeles 0 500": a title above the names? Not if the first line is indented, as by R.
  const isUnclear = (row: Cells) =>
    wordsIn(row) > 1 && (isHead ? row.length === width + 1 : row.length > wordsIn(row) + 1);
  const isClear = (isHead ? /^\s|"/ : /"/).test(rows[0].words);
  const below = isHead ? body : rows;
  if (!isClear && below.length && below.every(isUnclear))
    throw new LayoutError(below[0].line, "a name of several words needs quotation marks");
  const shapes = new Set(body.map((row) => `${row.length} ${wordsIn(row)}`));
  if (!isTable && shapes.size < 2) return [head, ...body];
  const named = body.map((row) => joined(row, isTable ? row.length - width : wordsIn(row)));
  // "Hook of Holland" above "New York .5": one name, not three titles; "(1) (2) (3)" are titles.
  const isStair =
    !head.includes("(1)") &&
    named.every((row, r) => row.length === r + 2 && !head.includes(row[0]));
  return [joined(head, isHead && isStair ? width : wordsIn(head)), ...named];
}

/** Return printed rows with each name in one cell, and with blocks of columns side by side. */
export function printedRows(rows: Cells[], isNumeric: IsCell) {
  const firsts = rows.map(([first]) => first);
  // "  a b" above rows a to d, then "  c d" above rows a to d: blocks of columns
  const height = firsts.indexOf(firsts[firsts.length - 1]) + 1;
  const names = firsts.slice(1, height);
  const starts = firsts.flatMap((_, r) => (r % height ? [] : [r]));
  const heads = starts.flatMap((start) => rows[start]);
  const hasNames = (start: number) => areEqual(firsts.slice(start + 1, start + height), names);
  const isKnown = names.filter((name) => !heads.includes(name)).length < 2;
  const isBlocks =
    starts.every(hasNames) && areDistinct(heads) && (isKnown || !heads.some(isNumeric));
  const parts = isBlocks ? starts.map((start) => rows.slice(start, start + height)) : [rows];
  const blocks = parts.map((part) => withNames(part, isNumeric));
  return blocks[0].map(({ line, 0: name }, r) => {
    const odd = r && blocks.find((block) => block[r][0] !== name);
    if (odd) throw new LayoutError(odd[r].line, `the row of ${name} is expected`);
    const cells = blocks.flatMap((block, b) => block[r].slice(r && b ? 1 : 0));
    return rowOf(line, cells);
  });
}
