// Read a table from a text: one layout has to fit every line of it. A text is split into lines, a
// program's decoration is removed, the lines are split into rows of cells, and the rows have the
// shape of a matrix, of a list of pairs, or of objects by variables. The first line that does not
// fit is named.

import { plural, someOf } from "../ui/text.js";
import { Misfit, printedRows, rowsOf } from "./cells.js";
import { MOST } from "./limits.js";
import { listIn } from "./lists.js";
import { cellNumber, isStarred, stylesOf } from "./numbers.js";
import { layoutOf } from "./printed.js";
import { readable } from "./readable.js";
import { columnsOf, kindOf, tableIn } from "./shapes.js";
import { failed, faultOf, refusal, refusalOf, tooMany } from "./tableFaults.js";

/** Reject the whole text with a sentence, if there is one. */
function refuse(sentence) {
  if (sentence) throw new Misfit(Infinity, sentence);
}

/** The rows of a text, and what the layout of a program says about them. */
function sheetOf({ name, read, ignored }) {
  const given = read();
  const { rows, separator, layout } = given.rows ? given : rowsOf(given.lines);
  refuse(!rows.length && "All lines are empty or comments.");
  const comments = plural(ignored, "comment or command", "comments or commands");
  const notes = [given.note, ignored ? `${comments} ignored.` : ""];
  return { ...given, rows, separator, layout: name || layout, notes };
}

const REMARK = /^[("]?(\*|(notes?|sources?)[.:])/i;
const TITLE = /[:=]$|\p{L}\.$|^table\b|^symmetric \w+\[/iu;

/** Rows without the remarks below them, and without what may be a title above them. */
function variantsOf({ rows, separator }, text) {
  const last = rows.findLastIndex(({ cells }) => !REMARK.test(cells[0]));
  const [first, ...others] = last < 0 ? rows : rows.slice(0, last + 1);
  const words = first.cells.join(" ").trim();
  const isAlone = first.cells.filter(Boolean).length === 1;
  const isApart = text.split(/\r\n?|\n/)[first.line]?.trim() === "";
  const isTitle = isApart || (separator === " " ? TITLE.test(words) : isAlone);
  const isLeft = others.length < rows.length - 1;
  const notes = isLeft ? ["The remarks below the table were left out."] : [];
  const whole = { rows: [first, ...others], notes };
  const without = { rows: others, notes: [`Title: \u201c${words}\u201d.`, ...notes] };
  return isTitle && others.length > 1 ? [whole, without] : [whole];
}

/** The shape of some rows, as their sheet and the options say. */
function shapeOf(rows, num, sheet, { as, diagonal = sheet.diagonal }) {
  const columns = columnsOf(rows, num);
  refuse(refusalOf(columns));
  const found = tableIn(columns, num, { ...sheet, diagonal });
  const isNamed = found.isSquare && !found.isByPlace;
  const shape = (isNamed ? null : listIn(columns, num, as)) ?? found;
  const n = shape.table.length;
  if (sheet.names && sheet.names.length !== n)
    throw new Misfit(rows.at(-1).line, `the matrix has ${n} rows for ${sheet.names.length} names`);
  refuse(n > MOST.objects && tooMany(n));
  const own = shape.isSquare ? (sheet.kind ?? kindOf(shape.table, shape.isByPlace)) : "points";
  return { shape, kind: as === "auto" ? own : as };
}

/** The reading of a shape as a kind of table, with sentences on how it was read. */
function readingOf(shape, kind, notes) {
  const isPoints = kind === "points";
  const own = (isPoints && shape.points) || shape;
  const { table, names = null, columns = [], texts = [], group = null } = own;
  const others = texts.filter((each) => isPoints && each !== group).map(({ title }) => title);
  const words = others.length ? `Columns of words: ${someOf(others)}.` : "";
  const colours = group && `Colours: ${group.title} (${new Set(group.cells).size} kinds).`;
  return {
    kind,
    table,
    names,
    columns,
    texts,
    groups: group?.cells ?? null,
    groupTitle: group?.title ?? "",
    notes: [...notes, ...(shape.notes ?? []), words, colours].filter(Boolean),
    changes: [],
    isAmounts: shape.isAmounts,
    wrong: faultOf(kind, table, names, columns),
  };
}

/** Other ways to read the same rows, where numbers or a triangle leave a choice. */
function otherWays(cells, [style, other], isWhole) {
  const ways = [];
  if (other) {
    const isOpen = (cell) => !Object.is(...[style, other].map((each) => cellNumber(cell, each)));
    const cell = cells.find(isOpen);
    const [first, second] = [style, other].map((each) => readable(cellNumber(cell, each)));
    const why = `\u201c${cell}\u201d was read as ${first}.`;
    ways.push({ words: `read ${cell} as ${second}`, why, changes: { style: other } });
  }
  if (isWhole !== undefined) {
    const words = `the diagonal is ${isWhole ? "not " : ""}included`;
    const why = `The triangle was read with${isWhole ? "" : "out"} its diagonal.`;
    ways.push({ words, why, changes: { diagonal: !isWhole } });
  }
  return ways;
}

const STARRED =
  "Are these correlations? Numbers with stars usually are, and then a large number means similar.";

/** The reading of some rows. */
function readRows(variant, sheet, text, options) {
  const styles = options.style ? [options.style] : stylesOf(variant.rows, sheet.separator);
  const known = new Map();
  const num = (cell) => {
    if (!known.has(cell)) known.set(cell, cellNumber(cell, styles[0]));
    return known.get(cell);
  };
  const isNumeric = (cell) => num(cell) !== null;
  const rows = sheet.separator === " " ? printedRows(variant.rows, isNumeric) : variant.rows;
  const { shape, kind } = shapeOf(rows, num, sheet, options);
  const notes = [...sheet.notes, ...variant.notes, styles[0].note];
  const { wrong, ...reading } = readingOf(shape, kind, notes);
  const cells = rows.flatMap((row) => row.cells);
  const isAsked = kind === "dissimilarities" && options.as === "auto" && cells.some(isStarred);
  const again = otherWays(cells, styles, shape.isWhole).map(({ changes, ...way }) => {
    return { ...way, text, options: { ...options, as: kind, ...changes } };
  });
  const question = { sentence: STARRED, entry: null, isQuestion: true };
  return { ...reading, layout: sheet.layout, wrong: isAsked ? question : wrong, again };
}

/** The sentence on the line that fits the nearest layout least. */
function misfitWords(text, misfits, nearest) {
  const { line, message, layout } = misfits.reduce((a, b) => (b.line > a.line ? b : a));
  if (line === Infinity) return message;
  const words = (text.split(/\r\n?|\n/)[line - 1] ?? "").trim();
  const quote = words.length > 40 ? `${words.slice(0, 40)}\u2026` : words;
  const names = [...new Set([layout, nearest])].filter(Boolean).join(", with ");
  const near = names ? ` The nearest layout is ${names}.` : "";
  return `Line ${line} (\u201c${quote}\u201d) does not fit: ${message}.${near}`;
}

/**
 * Read a text. Returns { kind, table, names, columns, texts, groups, notes, changes, wrong, again }:
 * kind is "dissimilarities", "gram" or "points", wrong is { sentence, entry } or null, and again
 * are other ways to read it. Options choose the kind (as), the style of numbers, and whether a
 * triangle includes its diagonal.
 */
export function readTable(text, given = {}) {
  const options = { as: "auto", ...given };
  const misfits = [];
  const attempt = (task) => {
    try {
      return task();
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      misfits.push(error);
    }
  };
  const layout = attempt(() => refuse(refusal(text)) ?? layoutOf(text));
  const sheet = layout && attempt(() => sheetOf(layout));
  for (const variant of sheet ? variantsOf(sheet, text) : []) {
    const found = attempt(() => readRows(variant, sheet, text, options));
    if (found) return found;
  }
  return failed(misfitWords(text, misfits, sheet?.layout ?? layout?.name));
}
