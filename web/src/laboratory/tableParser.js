// Read a table from a text, whose rows are a matrix, a triangle of one, a list of pairs, or objects
// by variables. One layout has to fit every line; otherwise the first line that does not is named.

import { plural } from "../ui/text.js";
import { cellNumber, isStarred, stylesOf } from "./cellNumbers.js";
import { LayoutError } from "./layoutError.js";
import { matrixOfPairs } from "./pairLists.js";
import { layoutOf } from "./programLayouts.js";
import { printedRows, rowsOf } from "./rowsOfCells.js";
import { kindOf } from "./squareTables.js";
import { checkColumns, checkCount, faultOf, rejected, rejectionWords } from "./tableFaults.js";
import { columnsOf, tableIn, withNamesAbove } from "./tableShapes.js";
import { triangleOf } from "./triangles.js";

/** Return the rows of a text, and what the layout of a program says about them. */
function sheetOf({ name, read, ignored }) {
  const given = read();
  const { rows, separator, layout } = rowsOf(given.lines);
  if (!rows.length) throw new LayoutError(Infinity, "All lines are empty or comments.");
  const comments = plural(ignored, "comment or command", "comments or commands");
  const notes = [given.note, ignored && `${comments} ignored.`];
  return { ...given, rows, separator, layout: name || layout, notes };
}

const REMARK = /^[("]?(\*|(notes?|sources?)[.:])/i;
const TITLE = /^[^:=]*[:=]$|^table \d|^symmetric \w+\[/i;
const LIKE_TITLE = /\p{L}\.$|\b(between|by|from|in|of|per)\b/iu;

/** Return the rows without remarks below them, also without a first row that may be a title. */
function variantsOf(sheet, text, { isTitled }) {
  const { rows, separator } = sheet;
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
  const whole = { ...sheet, rows: [first, ...others], notes: [...sheet.notes, ...notes] };
  const below = { ...whole, rows: others, notes: [...whole.notes, `Title: \u201c${words}\u201d.`] };
  if (others.length < 2 || !(isTitle || isAsked || isApart || isAlone)) return [whole];
  return isTitle ? [below] : [{ ...whole, title: isAsked && words }, below];
}

/** Return the shape of some rows and the kind of table, as the layout and the options say. */
function shapeOf(given, toNumber, sheet, { as, diagonal = sheet.diagonal }) {
  const rows = withNamesAbove(given);
  const isMatrix = as !== "points";
  const triangle = isMatrix && triangleOf(rows, { toNumber, diagonal, given: sheet.names });
  const columns = triangle ? null : columnsOf(rows, toNumber);
  if (columns) checkColumns(columns);
  const found = triangle || tableIn(columns, toNumber, sheet.names);
  const shape = (!found.isCertain && isMatrix && matrixOfPairs(columns, toNumber)) || found;
  const n = shape.table.length;
  const why = `the matrix has ${n} rows for ${sheet.names?.length} names`;
  if (sheet.names && sheet.names.length !== n) throw new LayoutError(rows.at(-1).line, why);
  checkCount(n);
  const own = shape.isSquare ? (sheet.kind ?? kindOf(shape.table, shape.isCertain)) : "points";
  const kind = as === "auto" ? own : as;
  return { ...((kind === "points" && shape.points) || shape), kind };
}

/** Return the reading of some rows. */
function readRows(sheet, text, options) {
  const styles = options.style ? [options.style] : stylesOf(sheet.rows, sheet.separator);
  const known = new Map();
  const toNumber = (cell) => {
    if (!known.has(cell)) known.set(cell, cellNumber(cell, styles[0]));
    return known.get(cell);
  };
  const isNumeric = (cell) => toNumber(cell) !== null;
  const rows = sheet.separator === " " ? printedRows(sheet.rows, isNumeric) : sheet.rows;
  const shape = shapeOf(rows, toNumber, sheet, options);
  const { kind, table, names = null, columns = [], texts = [], groups = null, hasDiagonal } = shape;
  const cells = rows.flat();
  const isOther = (cell) => !Object.is(...styles.map((style) => cellNumber(cell, style)));
  const unclear = [
    sheet.title && ["title", sheet.title, { isTitled: true }],
    styles[1] && ["number", [cells.find(isOther), styles[0]], { style: styles[1] }],
    hasDiagonal !== undefined && ["diagonal", hasDiagonal, { diagonal: !hasDiagonal }],
  ];
  const again = unclear.filter(Boolean).map(([what, value, changes]) => {
    return { what, value, text, options: { ...options, as: kind, ...changes } };
  });
  const isAsked = options.as === "auto" && cells.some(isStarred);
  const wrong = faultOf(kind, table, names, columns, isAsked);
  const notes = [...sheet.notes, styles[0].note, ...(shape.notes ?? [])].filter(Boolean);
  const data = { kind, table, names, columns, texts, groups, groupTitle: shape.groupTitle ?? "" };
  return { ...data, layout: sheet.layout, notes, changes: [], wrong, again };
}

/**
 * Read a text: { kind, table, names, columns, texts, groups, notes, changes, wrong, again }. The kind
 * is "dissimilarities", "gram" or "points", `wrong` is { sentence, entry } or null, and `again` are
 * other ways to read it, with the options `style` (of numbers), `diagonal` and `isTitled`.
 */
export function readTable(text, given = {}) {
  const options = { as: "auto", ...given };
  const errors = [];
  const attempt = (task) => {
    try {
      return task();
    } catch (error) {
      if (!(error instanceof LayoutError)) throw error;
      errors.push(error);
    }
  };
  const layout = attempt(() => layoutOf(text));
  const sheet = layout && attempt(() => sheetOf(layout));
  for (const variant of sheet ? variantsOf(sheet, text, options) : []) {
    const found = attempt(() => readRows(variant, text, options));
    if (found) return found;
  }
  return rejected(rejectionWords(text, errors, sheet?.layout ?? layout?.name));
}
