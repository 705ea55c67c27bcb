// Split a text into lines, and its lines into cells.

import Papa from "papaparse";
import { cellNumber } from "./numbers.js";

/** A line that does not fit a layout: its number, and what is wrong with it. */
export class Misfit extends Error {
  constructor(line, why, layout = "") {
    super(why);
    Object.assign(this, { line, layout });
  }
}

const COMMENT = /^\s*#(?!\s*[,;\t|])/;
const PROMPT = /^\s*(>{1,3} |julia> |In \[\d+\]:|\. [a-z])/;
const LEFT_OUT = /(^|[\s,[])(\.\.\.|[\u2026\u22EE\u22EF\u22F1])([\s,\]]|$)/;

/** A text with simple line ends and spaces, and without thin spaces within numbers. */
const plainText = (text) =>
  text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/(?<=\d)[\u00A0\u2007\u2009\u202F](?=\d{3}(?!\d))/g, "")
    .replace(/[\u00A0\u2007\u2009\u202F]/g, " ");

/** Throw an error at a line in which a program left out numbers. */
export function checkWhole(lines) {
  const cut = lines.find(({ words }) => LEFT_OUT.test(words) && /\d|^[\s.\u22EE]+$/.test(words));
  if (cut)
    throw new Misfit(cut.line, "numbers were left out here (\u2026): print or save all of them");
}

/** The lines of a text, [{ line, words }], and how many comments and commands were ignored. */
export function linesOf(text) {
  const all = plainText(text)
    .split("\n")
    .map((words, at) => ({ line: at + 1, words }))
    .filter(({ words }) => words.trim());
  // MEGA marks its names as comments.
  const lines = /^\s*#mega/i.test(text)
    ? all
    : all.filter(({ words }) => !COMMENT.test(words) && !PROMPT.test(words));
  return { lines, ignored: all.length - lines.length };
}

const isNumber = (cell) => cellNumber(cell) !== null || cellNumber(cell, { decimal: "," }) !== null;

/** Whether commas are decimal marks: between spaces, each is in a number. */
function hasDecimalCommas(lines) {
  const rows = lines.map(({ words }) => words.trim().split(/\s+/));
  const marked = rows.flat().filter((cell) => cell.includes(","));
  return rows.some((row) => row.length > 1) && marked.every(isNumber);
}

/** What separates the cells: the first of these marks that half of the lines contain. */
function separatorOf(lines) {
  const bare = lines.slice(0, 60).map(({ words }) => words.replace(/"[^"]*"/g, "a"));
  const isFrequent = (mark) => 2 * bare.filter((words) => words.includes(mark)).length;
  const separator = ["\t", ";", ","].find((mark) => isFrequent(mark) >= bare.length) ?? " ";
  return separator === "," && hasDecimalCommas(lines) ? " " : separator;
}

/** The rows of lines with a separator; a quoted cell may contain it, and ends of lines. */
function delimitedRows(lines, delimiter) {
  const text = lines.map(({ words }) => words.replace(/([,;\t]) +(?=")/g, "$1")).join("\n");
  const { data, errors } = Papa.parse(text, { delimiter, newline: "\n" });
  let at = 0;
  const rows = data.map((cells) => {
    const { line } = lines[at];
    at += 1 + (cells.join("").match(/\n/g) ?? []).length;
    return { line, cells: cells.map((cell) => cell.trim()) };
  });
  const open = errors.find(({ type }) => type === "Quotes");
  if (open) throw new Misfit(rows[open.row].line, "a quotation mark is not closed");
  return rows.filter(({ cells }) => cells.some(Boolean));
}

const spacedRow = ({ line, words }) => ({
  line,
  cells: Array.from(words.matchAll(/"([^"]*)"|\S+/g), ([all, quoted]) => quoted ?? all),
});

const RULE = /^[\s|:+=\u2500-\u257F-]*[-=\u2500-\u257F][\s|:+=\u2500-\u257F-]*$/;
const LATEX = /^\s*(\\(begin|end|hline|(top|mid|bottom)rule|centering|caption|label)\b.*)$/;

/** The rows of a table between bars, as in Markdown, or ampersands, as in LaTeX; or null. */
function barredRows(lines) {
  const inside = lines.filter(({ words }) => !RULE.test(words) && !LATEX.test(words));
  const mark = ["|", "&", "\u2502"].find(
    (each) => inside.length > 1 && inside.every(({ words }) => words.includes(each)),
  );
  if (!mark) return null;
  const plain = (cell) => cell.trim().replace(/^(\*\*|`|\$)(.*)\1$/, "$2");
  return inside.map(({ line, words }) => {
    const bare = words.replace(/^\s*[|\u2502]|\s*(\\\\.*|[|\u2502])?\s*$/g, "");
    return { line, cells: bare.split(mark).map(plain) };
  });
}

const NAMES = { "\t": "tabs", ";": "semicolons", ",": "commas", " ": "spaces", "|": "bars" };

/** The rows of lines: { rows, separator, layout }. */
export function rowsOf(lines) {
  const barred = barredRows(lines);
  const separator = barred ? "|" : separatorOf(lines);
  const rows =
    barred ?? (separator === " " ? lines.map(spacedRow) : delimitedRows(lines, separator));
  return { rows, separator, layout: `values separated by ${NAMES[separator]}` };
}

/**
 * The rows of a printed table in which blocks of columns are below one another, with the blocks
 * side by side: each block has a line of names, and the same words before its rows.
 */
export function withoutBlocks(rows) {
  const [n, firsts] = [rows.length, rows.map(({ cells }) => cells[0])];
  for (let height = 2; 2 * height <= n; height++) {
    const isSame = (first, at) => at % height === 0 || first === firsts[at % height];
    if (n % height || !firsts.every(isSame)) continue;
    const heads = rows.filter((_, at) => at % height === 0).flatMap(({ cells }) => cells);
    const names = firsts.slice(1, height);
    const missing = names.filter((name) => !heads.includes(name)).length;
    const isHead = missing <= 1 || heads.every((cell) => cellNumber(cell) === null);
    if (!isHead || new Set(heads).size < heads.length || new Set(names).size < names.length)
      continue;
    return rows.slice(0, height).map(({ line, cells }, r) => {
      const from = r
        ? Math.max(
            1,
            cells.findIndex((cell) => cellNumber(cell) !== null),
          )
        : 0;
      const more = rows.filter((_, at) => at >= height && at % height === r);
      return { line, cells: [...cells, ...more.flatMap((row) => row.cells.slice(from))] };
    });
  }
  return rows;
}

/** The rows of cells between spaces in which the words before the numbers are one name. */
export function withNames(rows, isNumeric) {
  const [head, ...body] = rows;
  const wide = head.cells.length;
  const isHead = wide > 1 && !head.cells.some(isNumeric);
  const joined = ({ line, cells }, at) =>
    at > 1 ? { line, cells: [cells.slice(0, at).join(" "), ...cells.slice(at)] } : { line, cells };
  const isLong = ({ cells }) =>
    cells.slice(-wide).every(isNumeric) && cells.slice(0, -wide).some((cell) => !isNumeric(cell));
  if (isHead && body.length > 1 && body.every(isLong))
    return [head, ...body.map((row) => joined(row, row.cells.length - wide))];
  const firsts = rows.map(({ cells }) => cells.findIndex(isNumeric));
  const isEven = ({ cells }, r) =>
    cells.length === body[0].cells.length && firsts[r + 1] === firsts[1];
  if (body.every(isEven)) return rows;
  const named = rows.map((row, r) =>
    joined(row, row.cells.slice(firsts[r]).every(isNumeric) ? firsts[r] : 0),
  );
  const isStair = named.slice(1).every(({ cells }, r) => cells.length === r + 2);
  const isFirst =
    isStair && isHead && !named.some(({ cells }, r) => r && head.cells.includes(cells[0]));
  return isFirst ? [joined(head, wide), ...named.slice(1)] : named;
}
