// Why a text is rejected, and why a table cannot be mapped.

import { checkDissimilarities, checkGram, checkRange } from "../../core/validation.ts";
import { MEASURED } from "./cellNumbers.ts";
import { LayoutError } from "./layoutError.ts";
import { LIMITS } from "./limits.ts";
import type { ParsedTable } from "./parsedTable.ts";
import { areDistinct, type Line } from "./rowsOfCells.ts";
import type { Columns } from "./tableShapes.ts";

type NamedTable = Pick<ParsedTable, "kind" | "table" | "names" | "columns">;

/** Return what is wrong with a table of points, or null. */
function checkPointTable({ table, names, columns }: NamedTable) {
  const i = table.findIndex((row) => !row.every(Number.isFinite));
  if (i < 0) return checkRange(table, "X");
  const j = table[i].findIndex((x) => !Number.isFinite(x));
  const place = `The ${columns[j] || `value in column ${j + 1}`} of ${names?.[i] ?? `row ${i + 1}`}`;
  const fault = Number.isNaN(table[i][j]) ? "missing" : "infinite";
  const sentence = `${place} is ${fault}. Remove such rows, or fill in the values first.`;
  return { sentence, entry: [i, j] };
}

const HTML =
  "This is HTML or XML, not a table of numbers. Copy the cells from the page as you see it, or " +
  "save them as CSV.";
/** Texts that are rejected before any line is read, and why. */
const REJECTED: [RegExp, string][] = [
  [/^\s*$/, "The text is empty. Paste a table, or choose a file or an example."],
  [/\bROWTYPE_/i, "This is a matrix file of SPSS. Paste the matrix alone, with its names."],
  [/Sig\. \(\d-tailed\)/, "Leave out the lines Sig. and N of SPSS, and the words before them."],
  [/^\s*'data.frame':/, "This is what str() prints. Print the table itself."],
  [/^\s*[=@]\w/, "The cells contain formulas. Paste their values."],
  [/^\s*<(!doctype|html|table|\?xml|[a-z]+[\s>])/i, HTML],
];

/** Return true if a text is several square matrices without names, between empty lines. */
function isSeveral(text: string) {
  const parts = text.trim().split(/\n[^\S\n]*\n\s*/);
  const rowsOf = (part: string): string[][] =>
    part.split("\n").map((line) => line.trim().split(/[\s,;]+/));
  const isSquare = (rows: string[][]) =>
    rows.length > 1 &&
    rows.every((row) => row.length === rows.length && !/[^-+.\d]/.test(row.join("")));
  return parts.length > 1 && parts.map(rowsOf).every(isSquare);
}

/** Reject the whole text for a reason, if a condition is met. */
function rejectIf(condition: boolean, sentence: string) {
  if (condition) throw new LayoutError(Infinity, sentence);
}

/** Reject a text before any line is read. */
export function checkText(text: string) {
  const millions = LIMITS.characters / 1e6;
  const long =
    `The text has more than ${millions} million characters and was not read. Round its numbers, ` +
    "or take a part of it.";
  rejectIf(text.length > LIMITS.characters, long);
  for (const [mark, why] of REJECTED) rejectIf(mark.test(text), why);
  rejectIf(isSeveral(text), "Several matrices were found. Paste one of them, or their mean.");
}

const PROSE =
  "No line of this text looks like a row of a table. Paste only the table, with one row in each " +
  "line: the examples of layouts below show how.";

/** Return true if a cell of a line is a number, perhaps with a unit, or half of its words are. */
function isLikeRow(line: string) {
  const isNumber = (cell: string) => MEASURED.test(cell.trim());
  const words = line.trim().split(/\s+/);
  const isRow = 2 * words.filter(isNumber).length >= words.length;
  return isRow || line.split(/[\t;,|[\]{}]/).some(isNumber);
}

/** Describe the first line that does not fit, of the layout that reads the most lines. */
export function rejectionWords(text: string, errors: LayoutError[], nearest?: string): string {
  const { line, message, layout } = errors.reduce((a, b) => (b.line > a.line ? b : a));
  if (line === Infinity) return message;
  if (!text.split("\n").some(isLikeRow)) return PROSE;
  const words = (text.split(/\r\n?|\n/)[line - 1] ?? "").trim();
  const quote = words.length > 40 ? `${words.slice(0, 40)}\u2026` : words;
  const names = [...new Set([layout, nearest])].filter(Boolean).join(", with ");
  const near = names && ` The nearest layout is ${names}.`;
  return `Line ${line} (\u201c${quote}\u201d) does not fit: ${message}.${near}`;
}

/** Explain how to spread a list of counts by two names, whose titles are given. */
const longListWords = (first: string, second: string) =>
  "Each line has two names and a number, but the lines do not contain at least half of the pairs " +
  `of one set of objects. Spread a list of counts into one row for each ${first || "first name"} ` +
  `and one column for each ${second || "second name"}, with 0 for pairs that do not occur: by a ` +
  "pivot table, pivot_wider() in R or pivot() in pandas. If each line is an object, begin it with " +
  "a name of its own.";

const LEFT_OUT = /(^|[\s,[])(\.\.\.|[\u2026\u22EE\u22EF\u22F1])([\s,\]]|$)/;

/** Return lines, or throw an error at the first line where a program left out numbers. */
export function checkComplete(lines: Line[]) {
  const cut = lines.find(({ words }) => LEFT_OUT.test(words) && /\d|^[\s.\u22EE]+$/.test(words));
  const why = "numbers were left out here (\u2026): print or save all of them";
  if (cut) throw new LayoutError(cut.line, why);
  return lines;
}

/** Return columns, but reject those without numbers, or more than the laboratory takes. */
export function checkColumns(columns: Columns) {
  const count = columns.numberColumns.length;
  const wide = `The table has ${count} columns of numbers, which are more than ${LIMITS.columns}.`;
  rejectIf(!count, "No numbers were found. Choose one of the layouts below to see an example.");
  rejectIf(count > LIMITS.columns && columns.rows.length !== count, wide);
  return columns;
}

/** Reject a list of two names and a number in which both names occur repeatedly. */
export function checkLongList({ rows, textColumns, numberColumns, title }: Columns) {
  const isIndex = (c: number) => rows.every((row, r) => [r, r + 1].includes(Number(row[c])));
  const [from, to, ...more] = textColumns.filter((c) => !isIndex(c));
  if (to === undefined || more.length || numberColumns.length > 1) return;
  const pairs = new Set(rows.map((row) => JSON.stringify([row[from], row[to]])));
  const isNamed = [from, to].some((c) => areDistinct(rows.map((row) => row[c])));
  rejectIf(!isNamed && 2 * pairs.size > rows.length, longListWords(title(from), title(to)));
}

/** Reject more objects than the laboratory takes. */
export function checkCount(count: number) {
  const long =
    `The table has ${count} objects; the laboratory takes up to ${LIMITS.objects} objects. Take a ` +
    "part of them, or use kmds_lib, which takes more.";
  rejectIf(count > LIMITS.objects, long);
}

export function rejected(sentence: string): ParsedTable {
  const nothing = { kind: null, table: [], names: null, groups: null, columns: [], texts: [] };
  return { ...nothing, notes: [], changes: [], alternatives: [], fault: { sentence, entry: null } };
}

const STARRED =
  "Are these correlations? Numbers with stars usually are, and then a large number means similar.";

/** Return why a table is not mapped, or null. */
export function faultOf(named: NamedTable, isStarred = false): ParsedTable["fault"] {
  const { kind, table, names } = named;
  if (kind === "points") return checkPointTable(named);
  if (kind === "dissimilarities" && isStarred)
    return { sentence: STARRED, entry: null, isQuestion: true };
  return (kind === "gram" ? checkGram : checkDissimilarities)(table, names);
}
