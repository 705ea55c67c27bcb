// Formats of text: NumPy, R, Markdown, LaTeX, lists of pairs.

import { someOf } from "../ui/text.js";
import { MOST } from "./limits.js";
import { cellNumber } from "./parseCells.js";

/**
 * A table between bars, as in Markdown, or ampersands, as in LaTeX, with tabs in their place;
 * others stay.
 */
function withoutBars(text) {
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(\\\w+\s*)?$/.test(line));
  const mark = ["|", "&"].find(
    (each) => lines.length > 1 && lines.every((line) => line.includes(each)),
  );
  if (!mark) return text;
  const cells = (line) => line.replace(/^\s*\||(\||\\\\.*)?\s*$/g, "").split(mark);
  const isRule = (line) => cells(line).every((cell) => /^\s*:?-+:?\s*$/.test(cell));
  const plain = (cell) => cell.trim().replace(/^(\*\*|`)(.*)\1$/, "$2");
  return lines
    .filter((line) => !isRule(line))
    .map((line) => cells(line).map(plain).join("\t"))
    .join("\n");
}

const IN_BRACKETS = /^\s*(np\.)?(array\(|matrix\()?\s*\[\s*\[/;

/** Numbers between brackets, as NumPy, Python and JSON write them, with a row on each line. */
function withoutBrackets(text) {
  if (!IN_BRACKETS.test(text)) return text;
  const rows = text.match(/\[[^[\]]*\]/g) ?? [];
  const plain = (row) =>
    row
      .slice(1, -1)
      .replace(/[\s,]+/g, " ")
      .trim();
  return rows.map(plain).join("\n");
}

/**
 * Records of JSON, in a list or one on each line, as lines of cells below their keys; other texts
 * stay.
 */
function withoutBraces(text) {
  if (!/^\s*\[?\s*\{\s*"/.test(text)) return text;
  const list = /^\s*\[/.test(text) ? text : `[${text.replace(/\}\s*\{/g, "},{")}]`;
  const quoted = (value) =>
    `"${String(value ?? "")
      .replace(/\s+/g, " ")
      .replace(/"/g, '""')}"`;
  try {
    const records = JSON.parse(list.replace(/(:\s*)(NaN|-?Infinity)/g, '$1"$2"'));
    const keys = [...new Set(records.flatMap(Object.keys))];
    const rows = [keys, ...records.map((record) => keys.map((key) => record[key]))];
    return rows.map((row) => row.map(quoted).join("\t")).join("\n");
  } catch {
    return text;
  }
}

/**
 * What R prints without its prompts, the brackets round its numbers of rows and columns, and a
 * tibble's types.
 */
const withoutMarks = (text) =>
  text.replace(/^(> .*|[ \t]*(<\w+> *)+)$/gm, "").replace(/\[(?:(\d+),|,(\d+))\]/g, "$1$2");

/** A text in plain lines of cells. */
export const undressed = (text) => withoutBrackets(withoutBars(withoutMarks(withoutBraces(text))));

/** The sentence that refuses a text of a known kind that holds no whole table, or null. */
export function noTable(text) {
  if (IN_BRACKETS.test(text) && /\.\.\.|\u2026/.test(text))
    return (
      "NumPy left numbers out of this print (\u2026). Save the whole table with np.savetxt, " +
      "or print it after np.set_printoptions(threshold=np.inf)."
    );
  const tokens = text.trim().split(/\s+/);
  const words = tokens.filter((token) =>
    /^[("\u201c]?\p{L}[\p{L}'\u2019-]*[.,;:!?)"\u201d]*$/u.test(token),
  );
  const isProse = /\p{Ll}[.!?]["\u201d)]?(\s+\p{Lu}|\s*$)/u.test(text) && !/[\t|]/.test(text);
  const cells = text
    .split(/\r?\n/)
    .filter((line) => /(^|[,;])\s*[-+]?[\d.]+\s*([,;]|$)/.test(line));
  return cells.length < 2 && tokens.length >= 12 && words.length > 0.7 * tokens.length && isProse
    ? "This reads as prose and not as a table: one line for each object, with its numbers, " +
        "is needed."
    : null;
}

const begins = (bytes, ...marks) => marks.every((mark, at) => bytes[at] === mark);

/** The text of a file's bytes: UTF-16 where they begin so, UTF-8, or else what Windows writes. */
export function textOf(bytes) {
  if (begins(bytes, 0xff, 0xfe)) return new TextDecoder("utf-16le").decode(bytes);
  if (begins(bytes, 0xfe, 0xff)) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** The sentence that refuses a file by its first bytes, or null. */
export function noText(bytes) {
  if (begins(bytes, 0x50, 0x4b, 3, 4) || begins(bytes, 0xd0, 0xcf, 0x11, 0xe0))
    return (
      "This is a spreadsheet file (.xlsx, .ods, .xls) or an archive. Open it, save the sheet " +
      "with the table as CSV, and choose that file."
    );
  return begins(bytes, 0x25, 0x50, 0x44, 0x46)
    ? "This is a PDF. Copy the cells of its table, or save them as CSV."
    : null;
}

const PRINTED = [
  { below: 1, numbers: (r) => r + 1 },
  { below: 0, numbers: (r) => r + 1 },
  { below: 0, numbers: (_, rows) => rows },
];

/**
 * A table as R prints `dist` or a matrix: names over the columns and before the rows, perhaps in
 * several blocks of columns under one another. Its rows as cells, or null where the text is none.
 */
export function printedTable(lines, marks) {
  const words = lines.map((line) => line.replace(/"/g, "").trim().split(/\s+/));
  const isNumber = (cell) => cellNumber(cell, marks) !== null;
  if (words.length < 2 || (words.length === 2 && !(words[0].length === 1 && words[1].length > 1)))
    return null;
  if (words.length === 2 && isNumber(words[0][0]) && !/^\s/.test(lines[0])) return null;
  for (const shape of PRINTED) {
    for (let height = 2; height <= Math.min(words.length, MOST.objects + 1); height++) {
      if (words.length % height || (height === 2 && words.length > 2)) continue;
      const rows = height - 1;
      const whole = height === words.length;
      const below = whole ? [] : words.slice(height + 1, 2 * height);
      if (!below.every(([first], r) => first === words[r + 1][0])) continue;
      const widest = whole ? rows : Math.min(rows - 1, words[0].length);
      for (let wide = whole ? rows : 1; wide <= widest; wide++) {
        const found = unfolded(words, { ...shape, rows, wide, isNumber });
        if (found) return found;
      }
    }
  }
  return null;
}

/** The printed table if its blocks have this height and the first of them this width, or null. */
function unfolded(words, { below, numbers, rows, wide, isNumber }) {
  const [names, cells] = [[], []];
  for (let r = 0; r < rows; r++) {
    const line = words[r + 1];
    const count = Math.min(wide, numbers(r, rows));
    const name = line.slice(0, -count);
    if (!name.length || !line.slice(-count).every(isNumber)) return null;
    names.push(name);
    cells.push(line.slice(-count));
  }
  const head = [...words[0]];
  for (let top = rows + 1; top < words.length; top += rows + 1) {
    head.push(...words[top]);
    for (let r = 0; r < rows; r++) {
      const line = words[top + r + 1];
      if (!names[r].every((word, at) => word === line[at])) return null;
      cells[r].push(...line.slice(names[r].length));
    }
  }
  if (!cells.every((row, r) => row.length === numbers(r, rows) && row.every(isNumber))) return null;
  const over = names.slice(0, rows - below).flat();
  const first = head.slice(0, head.length - over.length);
  const same = over.every((word, at) => word === head[first.length + at]);
  if (!same || first.length > 0 !== (below === 1)) return null;
  const table = cells.map((row, r) => [names[r].join(" "), ...row]);
  return below ? [[first.join(" ")], ...table] : table;
}

const FROM = /^(from|source|i|row|a|.*(object|item|stim(ulus)?|brand|site)[ _]?[1ai]?)$/i;

/** Columns that may name two objects and a number in each row: [from, to, value]. */
function pairColumns({ rows, wordy, numeric }) {
  if (wordy.length >= 2 && numeric.length) {
    const value = (to) => numeric.find((c) => c > to) ?? numeric[0];
    return wordy.flatMap((from, at) => wordy.slice(at + 1).map((to) => [from, to, value(to)]));
  }
  const bare = wordy.length === 0 && numeric.length === 3;
  const whole = (c) => rows.every((row) => /^\d+$/.test(row[c] ?? ""));
  return bare && whole(numeric[0]) && whole(numeric[1]) ? [numeric] : [];
}

/**
 * The table of a list of pairs or of amounts: { rows, note, titles }, its rows as cells with a name
 * before each, or null.
 */
export function listTable(columns, marks, as) {
  for (const places of as === "points" ? [] : pairColumns(columns)) {
    const found = pairsAt(columns, places, marks);
    if (found) return found;
  }
  return as === "auto" ? amountTable(columns, marks) : null;
}

/**
 * The pairs in three columns. A list of whole numbers has to hold all of them, or a head that says
 * from where they go; so does one with more columns, or with a pair that stands twice.
 */
function pairsAt({ rows, wordy, numeric, title }, [from, to, value], marks) {
  const cells = new Map();
  const [all, first, second] = [new Set(), new Set(), new Set()];
  for (const row of rows) {
    const [a, b] = [row[from] ?? "", row[to] ?? ""];
    if (a === "" || b === "") return null;
    const key = JSON.stringify([a, b]);
    cells.set(key, [...(cells.get(key) ?? []), row[value] ?? ""]);
    for (const name of [a, b]) all.add(name);
    if (a !== b) [first.add(a), second.add(b)];
  }
  const isTold = FROM.test(title(from));
  const more = rows.length - cells.size;
  const alone =
    wordy.length + numeric.length === 3 && (!more || rows.every((row) => row[from] !== row[to]));
  const names = [...all];
  const n = names.length;
  const at = (a, b) => cells.get(JSON.stringify([a, b]));
  const known = names.flatMap((a, i) => names.slice(0, i).filter((b) => at(a, b) ?? at(b, a)));
  const most = (n * (n - 1)) / 2;
  const enough = isTold ? Math.min(n - 1, most / 2) : wordy.length ? most / 2 : most;
  if (
    n < 3 ||
    !(isTold || alone) ||
    ![...first].some((a) => second.has(a)) ||
    known.length < enough
  )
    return null;
  const mean = (given) => {
    const numbers = given.map((cell) => cellNumber(cell, marks)).filter(Number.isFinite);
    if (given.length === 1 || !numbers.length) return given[0];
    return String(numbers.reduce((sum, x) => sum + x, 0) / numbers.length).replace(
      ".",
      marks.decimal,
    );
  };
  const cell = (a, b) => mean(at(a, b) ?? at(b, a) ?? [a === b ? "0" : "NA"]);
  const twice = more ? " Pairs that stand more than once took their mean." : "";
  const left = numeric.filter((c) => c !== value && c > to).map(title);
  const others = left.length ? ` Left out: ${someOf(left)}.` : "";
  const note = `It was read as a list of ${rows.length} pairs.${twice}${others}`;
  return { rows: names.map((a) => [a, ...names.map((b) => cell(a, b))]), note };
}

/**
 * A list with a line for each amount that an object has of something, as a table of points, or
 * null. What is not listed is 0 where no zero is listed, else missing.
 */
function amountTable({ rows, wordy, numeric, title }, marks) {
  const cells = new Map(
    rows.map((row) => [JSON.stringify([row[wordy[0]], row[wordy[1]]]), row[numeric[0]]]),
  );
  const [names, titles] = wordy.map((c) => [...new Set(rows.map((row) => row[c] ?? ""))]);
  if (wordy.length !== 2 || numeric.length !== 1 || cells.size < rows.length) return null;
  if (
    names.length < 3 ||
    rows.length < names.length + titles.length ||
    names.some((name) => titles.includes(name))
  )
    return null;
  const [empty, what] = [...cells.values()].some((cell) => cellNumber(cell, marks) === 0)
    ? ["NA", "missing"]
    : ["0", "0"];
  const unlisted =
    cells.size < names.length * titles.length ? ` What is not listed is ${what}.` : "";
  const [each, all] = wordy.map((c) => title(c) || `word of column ${c + 1}`);
  const note =
    `It was read as a list of ${rows.length} numbers: a row for each ${each}, a column ` +
    `for each ${all}.${unlisted}`;
  const cell = (a, b) => cells.get(JSON.stringify([a, b])) ?? empty;
  return { rows: names.map((a) => [a, ...titles.map((b) => cell(a, b))]), note, titles };
}
