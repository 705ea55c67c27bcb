// Why a text is rejected, and why a table cannot be mapped.

import { largestModulus } from "../core/matrix.js";
import { checkDissimilarities, checkGram, checkRange } from "../core/validation.js";
import { MEASURED } from "./cellNumbers.js";
import { LayoutError } from "./layoutError.js";
import { LIMITS } from "./limits.js";
import { areDistinct } from "./rowsOfCells.js";

/** @import { Columns } from "./tableShapes.js" */
/** @import { ParsedTable } from "./tableParser.js" */
/** @typedef {Pick<ParsedTable, "kind" | "table" | "names" | "columns">} NamedTable */

/** Return what is wrong with a table of points, or null. */
function checkPointTable(/** @type {NamedTable} */ { table, names, columns }) {
  const place = (/** @type {number} */ i, /** @type {number} */ j) =>
    `The ${columns[j] || `value in column ${j + 1}`} of ${names?.[i] ?? `row ${i + 1}`}`;
  for (let i = 0; i < table.length; i++) {
    for (let j = 0; j < table[i].length; j++) {
      if (Number.isFinite(table[i][j])) continue;
      const fault = Number.isNaN(table[i][j]) ? "missing" : "infinite";
      const sentence = `${place(i, j)} is ${fault}. Remove such rows, or fill in the values first.`;
      return { sentence, entry: [i, j] };
    }
  }
  return checkRange(
    table.reduce((size, row) => Math.max(size, largestModulus(row)), 0),
    "X",
  );
}

/** Texts that are rejected before any line is read, and why. @type {[RegExp, string][]} */
const REJECTED = [
  [/^\s*$/, "The text is empty. Paste a table, or choose a file or an example."],
  [/\bROWTYPE_/i, "This is a matrix file of SPSS. Paste the matrix alone, with its names."],
  [/Sig\. \(\d-tailed\)/, "Leave out the lines Sig. and N of SPSS, and the words before them."],
  [/^\s*'data.frame':/, "This is what str() prints. Print the table itself."],
  [/^\s*[=@]\w/, "The cells contain formulas. Paste their values."],
  [
    /^\s*<(!doctype|html|table|\?xml|[a-z]+[\s>])/i,
    "This is HTML or XML, not a table of numbers. Copy the cells from the page as you see it, " +
      "or save them as CSV.",
  ],
];

/** Return true if a text is several square matrices without names, between empty lines. */
function isSeveral(/** @type {string} */ text) {
  const parts = text.trim().split(/\n[^\S\n]*\n\s*/);
  /** @type {(part: string) => string[][]} */
  const rowsOf = (part) => part.split("\n").map((line) => line.trim().split(/[\s,;]+/));
  const isSquare = (/** @type {string[][]} */ rows) =>
    rows.length > 1 &&
    rows.every((row) => row.length === rows.length && !/[^-+.\d]/.test(row.join("")));
  return parts.length > 1 && parts.map(rowsOf).every(isSquare);
}

/** Reject the whole text for a reason, if a condition is met. */
function rejectIf(/** @type {boolean} */ condition, /** @type {string} */ sentence) {
  if (condition) throw new LayoutError(Infinity, sentence);
}

/** Reject a text before any line is read. */
export function checkText(/** @type {string} */ text) {
  const millions = LIMITS.characters / 1e6;
  const long =
    `The text has more than ${millions} million characters and was not read. Round its numbers, ` +
    "or take a part of it.";
  rejectIf(text.length > LIMITS.characters, long);
  const found = REJECTED.find(([mark]) => mark.test(text));
  if (found) throw new LayoutError(Infinity, found[1]);
  rejectIf(isSeveral(text), "Several matrices were found. Paste one of them, or their mean.");
}

const PROSE =
  "No line of this text looks like a row of a table. Paste only the table, with one row in each " +
  "line: the examples of layouts below show how.";

/** Return true if a cell of a line is a number, perhaps with a unit, or half of its words are. */
function isLikeRow(/** @type {string} */ line) {
  const isNumber = (/** @type {string} */ cell) => MEASURED.test(cell.trim());
  const words = line.trim().split(/\s+/);
  const isRow = 2 * words.filter(isNumber).length >= words.length;
  return isRow || line.split(/[\t;,|[\]{}]/).some(isNumber);
}

/** Describe the first line that does not fit, of the layout that reads the most lines.
 * @type {(text: string, errors: LayoutError[], nearest?: string) => string} */
export function rejectionWords(text, errors, nearest) {
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
const longListWords = (/** @type {string} */ first, /** @type {string} */ second) =>
  "Each line has two names and a number, but the lines do not contain at least half of the pairs " +
  `of one set of objects. Spread a list of counts into one row for each ${first || "first name"} ` +
  `and one column for each ${second || "second name"}, with 0 for pairs that do not occur: by a ` +
  "pivot table, pivot_wider() in R or pivot() in pandas. If each line is an object, begin it with " +
  "a name of its own.";

const LEFT_OUT = /(^|[\s,[])(\.\.\.|[\u2026\u22EE\u22EF\u22F1])([\s,\]]|$)/;

/** Return lines, or throw an error at the first line where a program left out numbers. */
export function checkComplete(/** @type {Line[]} */ lines) {
  const cut = lines.find(({ words }) => LEFT_OUT.test(words) && /\d|^[\s.\u22EE]+$/.test(words));
  if (cut)
    throw new LayoutError(
      cut.line,
      "numbers were left out here (\u2026): print or save all of them",
    );
  return lines;
}

/** Return columns, but reject those without numbers, or more than the laboratory takes. */
export function checkColumns(/** @type {Columns} */ columns) {
  const count = columns.numberColumns.length;
  const wide = `The table has ${count} columns of numbers, which are more than ${LIMITS.columns}.`;
  rejectIf(!count, "No numbers were found. Choose one of the layouts below to see an example.");
  rejectIf(count > LIMITS.columns && columns.rows.length !== count, wide);
  return columns;
}

/** Reject a list of two names and a number in which both names occur repeatedly. */
export function checkLongList(/** @type {Columns} */ { rows, textColumns, numberColumns, title }) {
  const isIndex = (/** @type {number} */ c) =>
    rows.every((row, r) => [r, r + 1].includes(Number(row[c])));
  const [from, to, ...more] = textColumns.filter((c) => !isIndex(c));
  if (to === undefined || more.length || numberColumns.length > 1) return;
  const pairs = new Set(rows.map((row) => JSON.stringify([row[from], row[to]])));
  const isNamed = [from, to].some((c) => areDistinct(rows.map((row) => row[c])));
  rejectIf(!isNamed && 2 * pairs.size > rows.length, longListWords(title(from), title(to)));
}

/** Reject more objects than the laboratory takes. */
export function checkCount(/** @type {number} */ count) {
  const long =
    `The table has ${count} objects; the laboratory takes up to ${LIMITS.objects} objects. Take a ` +
    "part of them, or use kmds_lib, which takes more.";
  rejectIf(count > LIMITS.objects, long);
}

/** @type {(sentence: string) => ParsedTable} */
export function rejected(sentence) {
  const nothing = { kind: null, table: [], names: null, groups: null, columns: [], texts: [] };
  return { ...nothing, notes: [], changes: [], alternatives: [], wrong: { sentence, entry: null } };
}

const STARRED =
  "Are these correlations? Numbers with stars usually are, and then a large number means similar.";

/** Return why a table is not mapped, or null. @returns {ParsedTable["wrong"]} */
export function faultOf(/** @type {NamedTable} */ found, isStarred = false) {
  const { kind, table, names } = found;
  if (kind === "points") return checkPointTable(found);
  if (kind === "dissimilarities" && isStarred)
    return { sentence: STARRED, entry: null, isQuestion: true };
  return (kind === "gram" ? checkGram : checkDissimilarities)(table, names);
}
