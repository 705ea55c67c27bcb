// Read a table from a text, whose rows are a matrix, a triangle of one, a list of pairs, or objects
// by variables. One layout has to fit every line; otherwise the first line that does not is named.
//
// A text is read in these steps, and each step takes the first possibility that fits:
// 1. `layoutOf` (programLayouts.js): MEGA, JSON, brackets, Julia, MATLAB, Stata, SPSS, UCINET DL,
//    PHYLIP, and otherwise a table without a layout of its own;
// 2. `separatorOf` (rowsOfCells.js): bars, tabs, semicolons, commas, and otherwise spaces;
// 3. `withAndWithoutTitle`: if the first row may be a title, the table with it, then without it;
// 4. `stylesOf` (cellNumbers.js): what commas and points in numbers mean;
// 5. `printedRows` (rowsOfCells.js), if spaces separate cells: blocks of columns, long names;
// 6. `triangleOf` (triangles.js): a triangle of a matrix;
// 7. `columnsOf` (tableShapes.js): which columns are names, words and numbers;
// 8. `tableIn` (tableShapes.js): a square matrix with the same names above it and before its rows;
// 9. `matrixOfPairs` (pairLists.js): a list of pairs;
// 10. `tableIn`: another square matrix, and otherwise objects by variables;
// 11. `kindOf` (squareTables.js): whether a square matrix has distances, similarities or points.
// A new layout needs a text in tests/figures/laboratory_tables.toml.

import { plural, readableNumber } from "../ui/text.js";
import { cellNumber, isStarred, stylesOf } from "./cellNumbers.js";
import { LayoutError } from "./layoutError.js";
import { matrixOfPairs } from "./pairLists.js";
import { layoutOf } from "./programLayouts.js";
import { printedRows, rowsOf } from "./rowsOfCells.js";
import { kindOf } from "./squareTables.js";
import { checkColumns, checkCount, faultOf, rejected, rejectionWords } from "./tableFaults.js";
import { columnsOf, tableIn, withNamesAbove } from "./tableShapes.js";
import { triangleOf } from "./triangles.js";

/** @import { Fault } from "../core/validation.js" */
/** @import { Style } from "./cellNumbers.js" */
/** @import { TextColumn } from "./columns.js" */
/** @import { Given } from "./programLayouts.js" */
/** @import { Shape } from "./tableShapes.js" */
/** @import { Reading } from "./triangles.js" */
/** @typedef {"dissimilarities" | "gram" | "points"} Kind  "gram" for similarities */
/** @typedef {{ as?: Kind | "auto", diagonal?: boolean, style?: Style, isTitled?: boolean }} Options */
/** @typedef {{ words: string, why: string, text: string, options: Options }} Alternative */
/** @typedef {Given & { rows: Cells[], separator: string, layout: string, notes: string[] }} Raw */
/** @typedef {Raw & { title?: string }} RawTable  cells, and what their layout says about them */

/** Return the raw table of a text. @type {(layout: ReturnType<typeof layoutOf>) => RawTable} */
function rawTableOf({ name, read, ignored }) {
  const given = read();
  const { rows, separator, layout } = rowsOf(given.lines);
  if (!rows.length) throw new LayoutError(Infinity, "All lines are empty or comments.");
  const comments = plural(ignored, "comment or command", "comments or commands");
  const notes = [given.note ?? "", ignored ? `${comments} ignored.` : ""];
  return { ...given, rows, separator, layout: name || layout, notes };
}

const REMARK = /^[("]?(\*|(notes?|sources?)[.:])/i;
const TITLE = /^[^:=]*[:=]$|^table \d|^symmetric \w+\[/i;
const LIKE_TITLE = /\p{L}\.$|\b(between|by|from|in|of|per)\b/iu;

/**
 * Leave out remarks below a table, and a title above it. If the first row may be a title, or the
 * names of the columns, return the table with this row and without it.
 * @type {(raw: RawTable, text: string, options: Options) => RawTable[]}
 */
function withAndWithoutTitle(raw, text, options) {
  const { rows, separator } = raw;
  const { isTitled } = options;
  const last = rows.findLastIndex(([cell]) => !REMARK.test(cell));
  const [first, ...others] = last < 0 ? rows : rows.slice(0, last + 1);
  const words = first.join(" ").trim();
  const isApart = text.split(/\r\n?|\n/)[first.line]?.trim() === "";
  const isTitle = isTitled || (TITLE.test(words) && !others.some(([cell]) => TITLE.test(cell)));
  const [[start = ""] = [], next = []] = others;
  const isShort = first.length === next.length - 1 && cellNumber(start) !== null && start !== "1";
  const isSentence = first.length === others.length && /^\p{Lu}\p{Ll}+( \p{Ll}+)+$/u.test(words);
  const isLike = isApart || isShort || isSentence || LIKE_TITLE.test(words);
  const isAsked = separator === " " && /\p{L}/u.test(words) && isLike;
  const isAlone = separator !== " " && first.filter(Boolean).length === 1;
  const notes = others.length < rows.length - 1 ? ["Remarks below the table were left out."] : [];
  const whole = { ...raw, rows: [first, ...others], notes: [...raw.notes, ...notes] };
  const below = { ...whole, rows: others, notes: [...whole.notes, `Title: \u201c${words}\u201d.`] };
  if (others.length < 2 || !(isTitle || isAsked || isApart || isAlone)) return [whole];
  return isTitle ? [below] : [{ ...whole, title: isAsked ? words : "" }, below];
}

/** Return the table in rows, which may be a triangle or pairs. @returns {Shape} */
function shapeOf(/** @type {Cells[]} */ rows, /** @type {Reading} */ reading, isMatrix = true) {
  const triangle = isMatrix ? triangleOf(rows, reading) : null;
  if (triangle) return triangle;
  const columns = columnsOf(rows, reading.toNumber);
  const found = tableIn(checkColumns(columns), reading);
  return (!found.isCertain && isMatrix && matrixOfPairs(columns, reading.toNumber)) || found;
}

/** Return the table in some rows and its kind, as the layout and the options say.
 * @type {(raw: RawTable, toNumber: ToNumber, options: Options) => Shape & { kind: Kind }} */
function tableFromRows(raw, toNumber, { as = "auto", diagonal = raw.diagonal }) {
  const [rows, { names: given }] = [withNamesAbove(raw.rows), raw];
  const shape = shapeOf(rows, { toNumber, diagonal, given }, as !== "points");
  const n = shape.table.length;
  const why = `the matrix has ${n} rows for ${given?.length} names`;
  if (given && given.length !== n) throw new LayoutError(rows[rows.length - 1].line, why);
  checkCount(n);
  const own = shape.isSquare ? (raw.kind ?? kindOf(shape.table, shape.isCertain)) : "points";
  const kind = as === "auto" ? own : as;
  return { ...((kind === "points" && shape.points) || shape), kind };
}

/** Return what is unclear in a text: words of a button, how it was read, and options to change.
 * @param {{ title?: string, cell?: string, styles: Style[], hasDiagonal?: boolean }} read */
function unclearIn({ title, cell = "", styles, hasDiagonal }) {
  const [number, other] = styles.map((style) => readableNumber(cellNumber(cell, style) ?? NaN));
  const asNames = `Is \u201c${title}\u201d a title? It was read as names of columns.`;
  const asNumber = `\u201c${cell}\u201d was read as ${number}.`;
  const asTriangle = `The triangle was read with${hasDiagonal ? "" : "out"} its diagonal.`;
  const included = `the diagonal is ${hasDiagonal ? "not " : ""}included`;
  const diagonal = hasDiagonal === undefined ? null : { diagonal: !hasDiagonal };
  return [
    title && { words: "the first line is a title", why: asNames, changes: { isTitled: true } },
    cell && { words: `read ${cell} as ${other}`, why: asNumber, changes: { style: styles[1] } },
    diagonal && { words: included, why: asTriangle, changes: diagonal },
  ].flatMap((each) => each || []);
}

/** @type {(raw: RawTable, text: string, options: Options) => ParsedTable} */
function parseRows(raw, text, options) {
  const [first, style] = options.style ? [options.style] : stylesOf(raw.rows, raw.separator);
  const known = new Map();
  /** @type {ToNumber} */
  const toNumber = (cell) => {
    if (!known.has(cell)) known.set(cell, cellNumber(cell, first));
    return known.get(cell);
  };
  const isNumeric = (/** @type {string} */ cell) => toNumber(cell) !== null;
  const rows = raw.separator === " " ? printedRows(raw.rows, isNumeric) : raw.rows;
  const shape = tableFromRows({ ...raw, rows }, toNumber, options);
  const { kind, table, names = null, columns = [], texts = [], groups = null, hasDiagonal } = shape;
  const cells = rows.flat();
  const isOther = (/** @type {string} */ cell) =>
    !Object.is(cellNumber(cell, first), cellNumber(cell, style));
  const cell = style && cells.find(isOther);
  const unclear = unclearIn({ title: raw.title, cell, styles: [first, style], hasDiagonal });
  const alternatives = unclear.map(({ words, why, changes }) => {
    return { words, why, text, options: { ...options, as: kind, ...changes } };
  });
  const isAsked = options.as === "auto" && cells.some(isStarred);
  const wrong = faultOf({ kind, table, names, columns }, isAsked);
  const notes = [...raw.notes, first.note ?? "", ...(shape.notes ?? [])].filter(Boolean);
  const data = { kind, table, names, columns, texts, groups, groupTitle: shape.groupTitle ?? "" };
  return { ...data, layout: raw.layout, notes, changes: [], wrong, alternatives };
}

/**
 * What was read. A table that a link or the browser stored has no layout and no alternatives.
 * @typedef {object} ParsedTable
 * @property {Kind | null} kind
 * @property {Table} table
 * @property {Names} names  the names of the objects
 * @property {string[]} columns  the titles of the columns of numbers
 * @property {TextColumn[]} texts  the columns of words
 * @property {string[] | null} groups  the words of the column that colours the map
 * @property {string} [groupTitle]
 * @property {string} [layout]
 * @property {string[]} notes  sentences on how the text was read
 * @property {string[]} changes  sentences on what the reader has changed in the table since
 * @property {Fault & { isQuestion?: boolean } | null} wrong  why there is no map
 * @property {Alternative[]} [alternatives]
 * @property {string} [provenance]  what a corrected table contains, for the Python code
 * @property {boolean} [converted]  whether the reader has converted similarities
 */

/** Parse a text. @type {(text: string, given?: Options) => ParsedTable} */
export function readTable(text, given = {}) {
  const options = /** @type {Options} */ ({ as: "auto", ...given });
  const errors = /** @type {LayoutError[]} */ ([]);
  /** @type {<Value>(task: () => Value) => Value | undefined} */
  const attempt = (task) => {
    try {
      return task();
    } catch (error) {
      if (!(error instanceof LayoutError)) throw error;
      errors.push(error);
    }
  };
  const layout = attempt(() => layoutOf(text));
  const raw = layout && attempt(() => rawTableOf(layout));
  for (const variant of raw ? withAndWithoutTitle(raw, text, options) : []) {
    const found = attempt(() => parseRows(variant, text, options));
    if (found) return found;
  }
  return rejected(rejectionWords(text, errors, raw?.layout ?? layout?.name));
}
