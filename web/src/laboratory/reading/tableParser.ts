// Read a table from a text, whose rows are a matrix, a triangle of one, a list of pairs, or objects
// by variables. One layout has to fit every line; otherwise the first line that does not is named.
//
// A text is read in these steps, and each step takes the first possibility that fits:
// 1. `layoutOf` (programLayouts.ts): MEGA, JSON, brackets, Julia, MATLAB, SPSS, PHYLIP,
//    and otherwise a table without a layout of its own;
// 2. `separatorOf` (rowsOfCells.ts): bars, tabs, semicolons, commas, and otherwise spaces;
// 3. `withAndWithoutTitle`: if the first row may be a title, the table with it, then without it;
// 4. `stylesOf` (cellNumbers.ts): what commas and points in numbers mean;
// 5. `printedRows` (rowsOfCells.ts), if spaces separate cells: blocks of columns, long names;
// 6. `triangleOf` (triangles.ts): a triangle of a matrix;
// 7. `columnsOf` (tableShapes.ts): which columns are names, words and numbers;
// 8. `tableIn` (tableShapes.ts): a square matrix with the same names above it and before its rows;
// 9. `matrixOfPairs` (pairLists.ts): a list of pairs;
// 10. `tableIn`: another square matrix, and otherwise objects by variables;
// 11. `kindOf` (squareTables.ts): whether a square matrix has distances, similarities or points.
// A new layout needs a text in tests/web/laboratory_tables.toml.

import { plural, readableNumber } from "../../ui/text.ts";
import { cellNumber, isStarred, type Style, stylesOf, type ToNumber } from "./cellNumbers.ts";
import { LayoutError } from "./layoutError.ts";
import { matrixOfPairs } from "./pairLists.ts";
import type { Kind, Options, ParsedTable, TableDraft } from "./parsedTable.ts";
import { type LayoutInfo, layoutOf } from "./programLayouts.ts";
import { type Cells, printedRows, rowsOf } from "./rowsOfCells.ts";
import { kindOf } from "./squareTables.ts";
import { checkColumns, checkCount, faultOf, rejected, rejectionWords } from "./tableFaults.ts";
import { columnsOf, tableIn, withNamesAbove } from "./tableShapes.ts";
import { type ReadingRules, triangleOf } from "./triangles.ts";

type RawCells = { rows: Cells[]; separator: string; layout: string; notes: string[] };
type RawTable = LayoutInfo & RawCells & { title?: string }; // cells, and what their layout says

/** Return the raw table of a text. */
function rawTableOf({ name, read, ignored }: ReturnType<typeof layoutOf>): RawTable {
  const contents = read();
  const { rows, separator, layout } = rowsOf(contents.lines);
  if (!rows.length) throw new LayoutError(Infinity, "All lines are empty or comments.");
  const comments = plural(ignored, "comment or command", "comments or commands");
  const notes = ignored ? [`${comments} ignored.`] : [];
  return { ...contents, rows, separator, layout: name || layout, notes };
}

const REMARK = /^[("]?(\*|(notes?|sources?)[.:])/i; // "* p < .05" or "Source: an atlas"
const TITLE = /^[^:=]*[:=]$|^table \d|^symmetric \w+\[/i; // "Distances in km:", "Table 1. Roads"
const LIKE_TITLE = /\p{L}\.$|\b(between|by|from|in|of|per)\b/iu; // "Distances in km", "Mean ratings."

/**
 * Leave out remarks below a table, and a title above it. If the first row may be a title, or the
 * names of the columns, return the table with this row and without it.
 */
function withAndWithoutTitle(raw: RawTable, text: string, options: Options): RawTable[] {
  const { rows, separator } = raw;
  const { isTitled } = options;
  const last = rows.findLastIndex(([cell]) => !REMARK.test(cell));
  const [first, ...others] = last < 0 ? rows : rows.slice(0, last + 1);
  const words = first.join(" ").trim();
  const isAboveEmptyLine = text.split(/\r\n?|\n/)[first.line]?.trim() === "";
  const isTitle = isTitled || (TITLE.test(words) && !others.some(([cell]) => TITLE.test(cell)));
  const [[start = ""] = [], next = []] = others;
  // "Road distances" above "0 3 4"; above "1 3 4", these are the titles of numbered rows.
  const isShort = first.length === next.length - 1 && cellNumber(start) !== null && start !== "1";
  // "Distances on maps" above three rows
  const isSentence = first.length === others.length && /^\p{Lu}\p{Ll}+( \p{Ll}+)+$/u.test(words);
  const isLikeTitle = isAboveEmptyLine || isShort || isSentence || LIKE_TITLE.test(words);
  const isPossible = separator === " " && /\p{L}/u.test(words) && isLikeTitle;
  // "Distances in km,,"
  const isAlone = separator !== " " && first.filter(Boolean).length === 1;
  const notes = others.length < rows.length - 1 ? ["Remarks below the table were left out."] : [];
  const whole = { ...raw, rows: [first, ...others], notes: [...raw.notes, ...notes] };
  const below = { ...whole, rows: others, notes: [...whole.notes, `Title: \u201c${words}\u201d.`] };
  if (others.length < 2 || !(isTitle || isPossible || isAboveEmptyLine || isAlone)) return [whole];
  return isTitle ? [below] : [{ ...whole, title: isPossible ? words : "" }, below];
}

/** Return the table in rows, which may be a triangle or pairs. */
function draftOf(rows: Cells[], rules: ReadingRules, isMatrix = true): TableDraft {
  const triangle = isMatrix ? triangleOf(rows, rules) : null;
  if (triangle) return triangle;
  const columns = columnsOf(rows, rules.toNumber);
  const table = tableIn(checkColumns(columns), rules);
  return (!table.isCertain && isMatrix && matrixOfPairs(columns, rules.toNumber)) || table;
}

/** Return the table in some rows and its kind, as the layout and the options say. */
function tableFromRows(
  raw: RawTable,
  toNumber: ToNumber,
  { as = "auto", diagonal = raw.diagonal }: Options,
): TableDraft & { kind: Kind } {
  const { names: layoutNames = null } = raw;
  const rules = { toNumber, diagonal: diagonal ?? null, layoutNames };
  const draft = draftOf(withNamesAbove(raw.rows), rules, as !== "points");
  const n = draft.table.length;
  const why = `the matrix has ${n} rows for ${layoutNames?.length} names`;
  if (layoutNames && layoutNames.length !== n)
    throw new LayoutError(raw.rows[raw.rows.length - 1].line, why);
  checkCount(n);
  const likelyKind = draft.isSquare ? (raw.kind ?? kindOf(draft.table, draft.isCertain)) : "points";
  const kind = as === "auto" ? likelyKind : as;
  return { ...((kind === "points" && draft.points) || draft), kind };
}

/**
 * Return what is unclear in a text, with words of a button, how it was read, and options to change:
 * a diagonal, a possible title, and a cell that the styles read differently.
 */
function unclearIn({ hasDiagonal }: TableDraft, styles: Style[], title = "", cell = "") {
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

function parseRows(raw: RawTable, text: string, options: Options): ParsedTable {
  const [style, other] = options.style ? [options.style] : stylesOf(raw.rows, raw.separator);
  const numbers = new Map<string, number | null>();
  const toNumber: ToNumber = (cell) => {
    let number = numbers.get(cell);
    if (number === undefined) numbers.set(cell, (number = cellNumber(cell, style)));
    return number;
  };
  const isNumeric = (cell: string) => toNumber(cell) !== null;
  const rows = raw.separator === " " ? printedRows(raw.rows, isNumeric) : raw.rows;
  const draft = tableFromRows({ ...raw, rows }, toNumber, options);
  const { kind, table, names = null, columns = [], texts = [], groups = null } = draft;
  const cells = rows.flat();
  const isUnclear = (cell: string) => !Object.is(toNumber(cell), cellNumber(cell, other));
  const cell = other && cells.find(isUnclear);
  const unclear = unclearIn(draft, [style, other], raw.title, cell);
  const alternatives = unclear.map(({ words, why, changes }) => {
    return { words, why, text, options: { ...options, as: kind, ...changes } };
  });
  const hasStars = options.as === "auto" && cells.some(isStarred);
  const fault = faultOf({ kind, table, names, columns }, hasStars);
  const notes = [...raw.notes, style.note ?? "", ...(draft.notes ?? [])].filter(Boolean);
  const data = { kind, table, names, columns, texts, groups, groupTitle: draft.groupTitle ?? "" };
  return { ...data, layout: raw.layout, notes, changes: [], fault, alternatives };
}

/** Parse a text. */
export function readTable(text: string, given: Options = {}): ParsedTable {
  const options: Options = { as: "auto", ...given };
  const errors: LayoutError[] = [];
  const attempt = <Value>(task: () => Value): Value | undefined => {
    try {
      return task();
    } catch (error) {
      if (!(error instanceof LayoutError)) throw error;
      return void errors.push(error);
    }
  };
  const layout = attempt(() => layoutOf(text));
  const raw = layout && attempt(() => rawTableOf(layout));
  for (const variant of raw ? withAndWithoutTitle(raw, text, options) : []) {
    const parsed = attempt(() => parseRows(variant, text, options));
    if (parsed) return parsed;
  }
  return rejected(rejectionWords(text, errors, raw?.layout ?? layout?.name));
}
