// Split a text into lines, and its lines into rows of cells. A line is { line, words }, and a row
// { line, cells }, where line counts the lines of the text from 1.

import Papa from "papaparse";
import { cellNumber } from "./numbers.js";

/** A line that does not fit a layout and why, or Infinity where the whole text is refused. */
export class Misfit extends Error {
  constructor(line, why, layout = "") {
    super(why);
    Object.assign(this, { line, layout });
  }
}

const IGNORED = /^\s*(#(?!\s*[,;\t|])|(>{1,3}|julia>|In \[\d+\]:) |\. [a-z])/;
const LEFT_OUT = /(^|[\s,[])(\.\.\.|[\u2026\u22EE\u22EF\u22F1])([\s,\]]|$)/;

/**
 * The lines of a text without thin spaces within numbers, and how many comments and commands were
 * ignored.
 */
export function linesOf(text) {
  const all = text
    .replace(/^\uFEFF/, "")
    .replace(/(?<=\d)[\u00A0\u2007\u2009\u202F](?=\d{3}(?!\d))/g, "")
    .replace(/[\u00A0\u2007\u2009\u202F]/g, " ")
    .split(/\r\n?|\n/)
    .map((words, at) => ({ line: at + 1, words }))
    .filter(({ words }) => words.trim());
  // MEGA marks its names as comments.
  const isMega = /^\s*#mega/i.test(all[0]?.words);
  const lines = all.filter(({ words }) => isMega || !IGNORED.test(words));
  return { lines, ignored: all.length - lines.length };
}

/** Lines, unless a program left out numbers in one of them. */
export function checkWhole(lines) {
  const cut = lines.find(({ words }) => LEFT_OUT.test(words) && /\d|^[\s.\u22EE]+$/.test(words));
  if (!cut) return lines;
  throw new Misfit(cut.line, "numbers were left out here (\u2026): print or save all of them");
}

/** Whether commas are decimal marks: between spaces, each is in a number. */
function hasDecimalCommas(lines) {
  const rows = lines.map(({ words }) => words.trim().split(/\s+/));
  const marked = rows.flat().filter((cell) => cell.includes(","));
  const isDecimal = (cell) => /,\d/.test(cell) && cellNumber(cell, { decimal: "," }) !== null;
  return rows.some((row) => row.length > 1) && marked.every(isDecimal);
}

const SEPARATORS = { "|": "bars", "\t": "tabs", ";": "semicolons", ",": "commas", " ": "spaces" };

/** The first mark that half of the lines contain, or spaces. */
function separatorOf(lines) {
  const bare = lines.slice(0, 60).map(({ words }) => words.replace(/"[^"]*"/g, "a"));
  const isFrequent = (mark) => 2 * bare.filter((words) => words.includes(mark)).length;
  const [found = " "] = Object.keys(SEPARATORS).filter((mark) => isFrequent(mark) >= bare.length);
  return found === "," && hasDecimalCommas(lines) ? " " : found;
}

/** The rows of lines: { rows, separator, layout }. A quoted cell may contain ends of lines. */
export function rowsOf(lines) {
  const separator = separatorOf(lines);
  const texts = lines.map(({ words }) =>
    separator === " "
      ? words.trim().replace(/\s+/g, " ")
      : words.replace(/(?<=^|[|\t;,]) +(?=")/g, ""),
  );
  const { data, errors } = Papa.parse(texts.join("\n"), { delimiter: separator, newline: "\n" });
  let at = 0;
  const rows = data.map((cells) => {
    const { line } = lines[at];
    at += cells.join("").split("\n").length;
    return { line, cells: cells.map((cell) => cell.trim().replace(/^(\*\*|`|\$)(.*)\1$/, "$2")) };
  });
  const open = errors.find(({ type }) => type === "Quotes");
  if (open) throw new Misfit(rows[open.row].line, "a quotation mark is not closed");
  const filled = rows.filter(({ cells }) => cells.some(Boolean));
  return { rows: filled, separator, layout: `values separated by ${SEPARATORS[separator]}` };
}

/** Blocks of columns side by side. A later block has the names of the last rows, if any. */
export function sideBySide([first, ...others], isNamed = true) {
  const longest = others.find((block) => block.length > first.length);
  if (longest) throw new Misfit(longest.at(-1).line, "the first columns have fewer rows");
  return first.map(({ line, cells }, r) => {
    const more = others.flatMap((block) => {
      const row = r ? block.slice(1).at(r - first.length) : block[0];
      if (isNamed && r && row && row.cells[0] !== cells[0])
        throw new Misfit(row.line, `the row of ${cells[0]} is expected`);
      return row?.cells.slice(isNamed && r ? 1 : 0) ?? [];
    });
    return { line, cells: [...cells, ...more] };
  });
}

/** The blocks of columns of a printed table, which have the same words before their rows. */
function blocksOf(rows, isNumeric) {
  const firsts = rows.map(({ cells }) => cells[0]);
  const height = firsts.indexOf(firsts.at(-1)) + 1;
  const starts = firsts.flatMap((_, at) => (at % height ? [] : [at]));
  const heads = starts.flatMap((at) => rows[at].cells);
  const others = firsts.slice(1, height).filter((name) => !heads.includes(name));
  const isPrinted =
    rows.length % height === 0 &&
    firsts.every((first, at) => at % height === 0 || first === firsts[at % height]) &&
    (others.length <= 1 || !heads.some(isNumeric)) &&
    new Set(heads).size === heads.length;
  return isPrinted && height > 1 ? starts.map((at) => rows.slice(at, at + height)) : [rows];
}

/** Rows in which the words before the numbers are one name, without a line of pandas's index. */
function withNames(rows, isNumeric) {
  const wide = rows[0].cells.length;
  const isHead = wide > 1 && !rows[0].cells.some(isNumeric);
  const isIndex =
    isHead &&
    rows[1]?.cells.length === 1 &&
    !isNumeric(rows[1].cells[0]) &&
    rows[2]?.cells.length > wide;
  const [head, ...body] = isIndex ? rows.toSpliced(1, 1) : rows;
  const isLong = ({ cells }) => cells.slice(-wide).every(isNumeric) && !cells.every(isNumeric);
  const isTable = isHead && body.every(isLong);
  /** How many words are before the numbers at the end of a row, or 1. */
  const wordsIn = ({ cells }) => {
    const count = cells.findIndex(isNumeric);
    return cells.slice(count).every(isNumeric) ? count : 1;
  };
  const shapes = new Set(body.map((row) => `${row.cells.length} ${wordsIn(row)}`));
  if (!isTable && shapes.size < 2) return [head, ...body];
  const joined = ({ line, cells }, given) => {
    const count = Math.max(1, given);
    return { line, cells: [cells.slice(0, count).join(" "), ...cells.slice(count)] };
  };
  const named = body.map((row) => joined(row, isTable ? row.cells.length - wide : wordsIn(row)));
  // The first line of a lower triangle is a name, and not the names of columns.
  const isStair = named.every(
    ({ cells }, r) => cells.length === r + 2 && !head.cells.includes(cells[0]),
  );
  return [joined(head, isHead && isStair ? wide : wordsIn(head)), ...named];
}

/** Printed rows with names of several words in one cell, and blocks of columns side by side. */
export const printedRows = (rows, isNumeric) =>
  sideBySide(blocksOf(rows, isNumeric).map((block) => withNames(block, isNumeric)));
