// Read a table from a text: one layout has to fit every line of it.

import { plural, someOf } from "../ui/text.js";
import { checkWhole, linesOf, Misfit, rowsOf, withNames, withoutBlocks } from "./cells.js";
import { MOST } from "./limits.js";
import { listIn } from "./lists.js";
import { cellNumber, isStarred, stylesOf } from "./numbers.js";
import { PRINTED, undressed } from "./printed.js";
import { readable } from "./readable.js";
import { columnsOf, evenRows, kindOf, tableIn } from "./shapes.js";
import { failed, faultOf, refusal, refusalOf, tooMany } from "./tableFaults.js";

/** The layout of a program that lines have, which may contain empty lines; or undefined. */
const layoutOf = (lines) => PRINTED.find(([, mark]) => mark.test(textOfLines(lines)));
const textOfLines = (lines) => lines.map(({ words }) => words).join("\n");

/** Whether a text has the layout of a program, which may contain empty lines. */
export const isPrinted = (text) => Boolean(layoutOf(linesOf(text).lines));

/** The rows of a text, by the layout of a program or by their separator. */
function sheetOf(text) {
  const { lines, ignored } = linesOf(text);
  const [layout, , read] = layoutOf(lines) ?? [];
  checkWhole(lines);
  try {
    const given = read?.(lines, textOfLines(lines)) ?? { lines: undressed(lines) };
    const sheet = given.rows ? { rows: given.rows, separator: "" } : rowsOf(given.lines);
    const comments = plural(ignored, "comment or command", "comments or commands");
    const notes = [given.note, ignored ? `${comments} ignored.` : ""];
    return { ...given, ...sheet, layout: layout ?? sheet.layout, notes };
  } catch (error) {
    if (error instanceof Misfit) error.layout ||= layout ?? "";
    throw error;
  }
}

const REMARK = /^[("]?(\*|(notes?|sources?)[.:])/i;

/** Rows without the remarks below them, and without what may be a title above them. */
function variantsOf({ rows, separator }) {
  const last = rows.findLastIndex(({ cells }) => !REMARK.test(cells[0]));
  const [first, ...others] = last < 0 ? rows : rows.slice(0, last + 1);
  const words = first.cells.join(" ").trim();
  const isAlone = first.cells.filter(Boolean).length === 1;
  const isApart = others[0]?.line > first.line + 1;
  const isTitle =
    isApart || (separator === " " ? /[:=.]$|^table\b|^symmetric \w+\[/i.test(words) : isAlone);
  const remarks =
    last > 0 && last < rows.length - 1 ? ["The remarks below the table were left out."] : [];
  const whole = { rows: [first, ...others], notes: remarks };
  const without = { rows: others, notes: [`Title: \u201c${words}\u201d.`, ...remarks] };
  return isTitle && others.length > 1 ? [whole, without] : [whole];
}

/** The kind of table, its numbers and what belongs to them, and sentences on how it was read. */
function readingOf(shape, { as, kind: told }, notes) {
  const square = shape.isSquare ? (told ?? kindOf(shape.table, shape.isByPlace)) : "points";
  const kind = as === "auto" ? square : as;
  const isPoints = kind === "points";
  const own = (isPoints && shape.points) || shape;
  const { table, names = null, columns = [], texts = [], group = null } = own;
  const others = isPoints ? texts.filter((each) => each !== group).map(({ title }) => title) : [];
  const said = [
    ...notes,
    others.length ? `Columns of words: ${someOf(others)}.` : "",
    group ? `Colours: ${group.title} (${new Set(group.cells).size} kinds).` : "",
  ];
  return {
    kind,
    table,
    names,
    columns: isPoints ? columns : [],
    texts,
    groups: group?.cells ?? null,
    groupTitle: group?.title ?? "",
    notes: said.filter(Boolean),
    changes: [],
    isAmounts: shape.isAmounts,
    wrong: faultOf(kind, table, names, columns),
  };
}

const MARKS = { ".": "point", ",": "comma" };

/** How numbers with commas or points were read, and the other way where there are two. */
function styleWords([style, other], cells, another) {
  const note = [
    style.decimal === "," ? "The decimal mark is a comma." : "",
    style.group ? `A ${MARKS[style.group]} separates thousands.` : "",
  ]
    .filter(Boolean)
    .join(" ");
  if (!other) return { note, again: [] };
  const cell = cells.find((each) => cellNumber(each, style) !== cellNumber(each, other));
  const [first, second] = [style, other].map((each) => readable(cellNumber(cell, each)));
  const why = `\u201c${cell}\u201d was read as ${first}.`;
  return { note, again: [another(`read ${cell} as ${second}`, { style: other }, why)] };
}

const STARRED =
  "Are these correlations? Numbers with stars usually are, and then a large number means similar.";

/** Other ways to read the same text: its numbers, or the diagonal of its triangle. */
function otherWays({ isWhole }, styleAgain, another) {
  if (isWhole === null || isWhole === undefined) return styleAgain;
  const [words, why] = isWhole
    ? ["the diagonal is not included", "The triangle was read with its diagonal."]
    : ["the diagonal is included", "The triangle was read without its diagonal."];
  return [...styleAgain, another(words, { diagonal: !isWhole }, why)];
}

/** The shape of some rows, as options and their sheet say. */
function shapeOf(rows, num, sheet, options) {
  const even = evenRows(rows, num);
  const columns = columnsOf(even, num);
  const refused = refusalOf(columns);
  if (refused) return { refused };
  const isTriangle = even.some(({ cells }, r) => cells.length !== rows[r].cells.length);
  const form = { ...sheet, isTriangle, diagonal: options.diagonal ?? sheet.diagonal };
  const found = tableIn(columns, num, form);
  const isNamed = found.isSquare && !found.isByPlace;
  const shape = (isNamed ? null : listIn(columns, num, options.as)) ?? found;
  const n = shape.table.length;
  if (sheet.names && sheet.names.length !== n)
    throw new Misfit(rows.at(-1).line, `the matrix has ${n} rows for ${sheet.names.length} names`);
  return n > MOST.objects ? { refused: tooMany(n) } : shape;
}

/** The reading of some rows. */
function readRows(variant, sheet, text, options) {
  const styles = options.style ? [options.style] : stylesOf(variant.rows, sheet.separator);
  const known = new Map();
  const num = (cell) => {
    if (!known.has(cell)) known.set(cell, cellNumber(cell, styles[0]));
    return known.get(cell);
  };
  const isSpaced = sheet.separator === " ";
  const rows = isSpaced
    ? withNames(withoutBlocks(variant.rows), (cell) => num(cell) !== null)
    : variant.rows;
  const shape = shapeOf(rows, num, sheet, options);
  if (shape.refused) return failed(shape.refused);
  const notes = [...sheet.notes, ...variant.notes, ...(shape.notes ?? [])];
  const reading = readingOf(shape, { ...options, kind: sheet.kind }, notes);
  const another = (words, changes, why) => {
    const changed = { ...options, as: reading.kind, ...changes };
    return { words, why, text, options: changed };
  };
  const cells = rows.flatMap((row) => row.cells);
  const { note, again } = styleWords(styles, cells, another);
  const isAsked = reading.kind === "dissimilarities" && options.as === "auto";
  const question = { sentence: STARRED, entry: null, isQuestion: true };
  return {
    ...reading,
    layout: sheet.layout,
    notes: [...reading.notes, note].filter(Boolean),
    wrong: isAsked && cells.some(isStarred) ? question : reading.wrong,
    again: otherWays(shape, again, another),
  };
}

/** The sentence on a line that fits no layout. */
function misfitWords({ line, message, layout }, text) {
  const words = (text.split(/\r\n?|\n/)[line - 1] ?? "").trim();
  const quote = words.length > 40 ? `${words.slice(0, 40)}\u2026` : words;
  const nearest = layout ? ` The nearest layout is ${layout}.` : "";
  return `Line ${line} (\u201c${quote}\u201d) does not fit: ${message}.${nearest}`;
}

/**
 * Read a text. Returns { kind, table, names, columns, texts, groups, notes, changes, wrong, again }:
 * kind is "dissimilarities", "gram" or "points", wrong is { sentence, entry } or null, and again
 * are other ways to read it. Options choose the kind (as), the style of numbers, and whether a
 * triangle includes its diagonal.
 */
export function readTable(text, given = {}) {
  const refused = refusal(text);
  if (refused) return failed(refused);
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
  const sheet = attempt(() => sheetOf(text));
  if (sheet && !sheet.rows.length) return failed("All lines are empty or comments.");
  for (const variant of sheet ? variantsOf(sheet) : []) {
    const found = attempt(() => readRows(variant, sheet, text, options));
    if (found) return found;
  }
  const furthest = misfits.reduce((best, each) => (each.line > best.line ? each : best));
  if (sheet && furthest.layout !== sheet.layout)
    furthest.layout = [furthest.layout, sheet.layout].filter(Boolean).join(", with ");
  return failed(misfitWords(furthest, text));
}
