// Layouts of programs: what they print, and files of matrices.

import { Misfit } from "./cells.js";
import { cellNumber } from "./numbers.js";

const isNumber = (cell) => cellNumber(cell) !== null;
const tokens = (words) => words.trim().split(/\s+/).filter(Boolean);
const without = (lines, other) => lines.filter(({ words }) => !other.test(words));
const rewritten = (lines, change) =>
  lines.map(({ line, words }) => ({ line, words: change(words) }));
const filled = (cell) => (cell === null || cell === undefined ? "NA" : String(cell));

/** The cells of records, of labels and a matrix, or of an object of objects in JSON. */
function jsonCells(value) {
  if (Array.isArray(value)) {
    const keys = [...new Set(value.flatMap(Object.keys))];
    return [keys, ...value.map((record) => keys.map((name) => filled(record[name])))];
  }
  const entries = Object.entries(value);
  const lists = entries.filter(([, each]) => Array.isArray(each));
  const [key, matrix] = lists.find(([, [first]]) => Array.isArray(first)) ?? [];
  if (matrix) {
    const [names] = lists
      .filter(([name]) => ![key, "columns"].includes(name))
      .map(([, each]) => each);
    const head = value.columns ?? (matrix[0].length === names?.length ? names : null);
    const rows = matrix.map((row, r) => [...(names ? [filled(names[r])] : []), ...row.map(filled)]);
    return head ? [[...(names ? [""] : []), ...head.map(filled)], ...rows] : rows;
  }
  if (!entries.every(([, each]) => each?.constructor === Object))
    throw new Misfit(1, "records, or labels and a matrix, are expected");
  const rows = [...new Set(entries.flatMap(([, column]) => Object.keys(column)))];
  const cells = rows.map((row) => [row, ...entries.map(([, column]) => filled(column[row]))]);
  return [["", ...entries.map(([name]) => name)], ...cells];
}

/** JSON, or a record of JSON on each line. */
function readJson(_, text) {
  const plain = text.replace(/(?<=[[,:]\s*)(NaN|-?Infinity)\b/g, "null");
  for (const words of [plain, `[${plain.trim().replace(/\}\s*\n\s*\{/g, "},{")}]`])
    try {
      return { rows: jsonCells(JSON.parse(words)).map((cells) => ({ line: 1, cells })) };
    } catch (error) {
      if (error instanceof Misfit) throw error;
    }
  throw new Misfit(1, "this is not complete JSON");
}

const ROWS = /(?<!Out)\[([^[\]]*)\]/g;
const BRACKETS =
  /^\s*(Out\[\d+\]:\s*)?(\w+\s*=\s*)?([\w.]+\s*\(\s*)?\[[\s,]*\]\s*(,\s*\w+\s*=\s*[\w.'":<]+\s*)*\)?\s*;?\s*$/;

/** Lists in brackets, as Python, NumPy and PyTorch print them, or rows that end on semicolons. */
function readBrackets(lines, text) {
  const found = Array.from(text.matchAll(ROWS));
  const lineAt = (at) => lines[text.slice(0, at).split("\n").length - 1].line;
  if (!/\[\s*\[/.test(text)) {
    const [[, inside]] = found;
    return {
      lines: inside
        .split(/[;\n]/)
        .filter((words) => words.trim())
        .map((words, r) => ({ line: r + 1, words })),
    };
  }
  if (!BRACKETS.test(text.replace(ROWS, "")))
    throw new Misfit(lines.at(-1).line, "brackets around rows of numbers are expected");
  const cell = /"([^"]*)"|'([^']*)'|[^\s,]+/g;
  const cells = (words) => Array.from(words.matchAll(cell), ([all, a, b]) => a ?? b ?? all);
  return {
    rows: found.map(({ 1: inside, index }) => ({ line: lineAt(index), cells: cells(inside) })),
  };
}

/** A matrix under a line like "D =", with a common factor and blocks of columns. */
function readMatlab([, ...lines]) {
  let [factor, from] = [1, 0];
  const rows = [];
  for (const { line, words } of lines) {
    const [, scale] = words.match(/^\s*([\d.]+e[-+]?\d+)\s*\*\s*$/i) ?? [];
    if (scale) factor = Number(scale);
    else if (/^\s*columns? \d+( (through|and|to) \d+)?:?\s*$/i.test(words)) from = 0;
    else {
      const cells = tokens(words);
      if (!cells.every(isNumber)) throw new Misfit(line, "a line of numbers is expected");
      const scaled = cells.map((cell) =>
        String(Number((cellNumber(cell) * factor).toPrecision(12))),
      );
      rows[from] = { line, cells: [...(rows[from]?.cells ?? []), ...scaled] };
      from += 1;
    }
  }
  return { rows };
}

const STATA_RULE = /^\s*-+\+-+\s*$/;

/** Correlations with names before a bar, in blocks of columns with the names of these above. */
function readStata(all) {
  const lines = without(all, /^\s*\(obs=[\d,]+\)\s*$/);
  const cells = new Map();
  let [from, count, isLeft] = [0, 0, false];
  for (const [at, { line, words }] of lines.entries()) {
    if (STATA_RULE.test(words)) continue;
    const [name, values] = words.split("|").map((part) => part.trim());
    const own = tokens(values ?? "")
      .map((cell) => (cell === "*" ? "" : cell))
      .filter(Boolean);
    if (STATA_RULE.test(lines[at + 1]?.words)) [from, count] = [from + count, own.length];
    else if (values === undefined || own.length > count || !own.every(isNumber))
      throw new Misfit(line, `a bar and up to ${count} numbers are expected`);
    else if (name) cells.set(name, [...(cells.get(name) ?? Array(from).fill("")), ...own]);
    else isLeft ||= own.length > 0;
  }
  const names = [...cells.keys()];
  const rows = names.map((name, r) => [
    name,
    ...cells.get(name),
    ...Array(names.length - 1 - r).fill(""),
  ]);
  return {
    rows: [["", ...names], ...rows].map((row, r) => ({ line: r + 1, cells: row })),
    kind: "gram",
    note: isLeft ? "Lines of significance levels or counts were left out." : "",
  };
}

const PROXIMITIES =
  /^\W*((proximity|dissimilarity) matrix|case|this is a (dis)?similarity matrix)\W*$|^[-|\s]+$/i;

/**
 * A proximity matrix of SPSS: its title, its measure, and cases with numbers before their names.
 */
function readSpss(lines) {
  const first = lines.findIndex(({ words }) => /(^|[\s|])1(\s*:|\t2\b)/.test(words));
  if (first < 0)
    throw new Misfit(lines.at(-1).line, "a line with the cases 1:, 2:, ... is expected");
  const isSimilarity = lines.some(({ words }) => /this is a similarity matrix/i.test(words));
  const bare = (words) => words.replace(/\|/g, " ").replace(/(^|\s)\d+\s*:\s*(?=\S)/g, "$1");
  const kind = isSimilarity ? "gram" : "dissimilarities";
  return { lines: rewritten(without(lines.slice(first), PROXIMITIES), bare), kind };
}

/** A square or lower triangular matrix of PHYLIP; a row may go on in the next line. */
function readPhylip([{ line, words }, ...rest]) {
  const n = Number(words);
  const isMore = (each) => rest.length > n && isNumber(tokens(each.words)[0]);
  const lines = rest.reduce(
    (all, each) =>
      isMore(each) && all.length
        ? [...all.slice(0, -1), { ...all.at(-1), words: `${all.at(-1).words} ${each.words}` }]
        : [...all, each],
    [],
  );
  if (lines.length !== n)
    throw new Misfit(line, `it announces ${n} objects, and ${lines.length} follow`);
  return { lines, kind: "dissimilarities" };
}

/** A matrix or a list of edges in UCINET's DL. */
function readDl(all, text) {
  const [head, data] = text.split(/^\s*data\s*:/im);
  const n = Number(head.match(/\bn\s*=\s*(\d+)/i)?.[1]);
  const format = head.match(/format\s*=\s*(\w+)/i)?.[1].toLowerCase() ?? "fullmatrix";
  if (!n || data === undefined) throw new Misfit(1, "n=... and a line data: are expected");
  if (!["fullmatrix", "lowerhalf", "upperhalf", "edgelist1"].includes(format))
    throw new Misfit(
      1,
      `the format ${format} is not fullmatrix, lowerhalf, upperhalf or edgelist1`,
    );
  const lines = all.slice(head.split("\n").length);
  const labels = head.match(/labels\s*:\s*([\s\S]*)$/i)?.[1].match(/"[^"]*"|[^\s,]+/g);
  const names = labels?.map((name) => name.replace(/"/g, ""));
  if (format === "edgelist1") return { lines: [{ line: 1, words: "from to value" }, ...lines] };
  return { lines, names, diagonal: !/diagonal\s*=?\s*absent/i.test(head) };
}

/** Distances of MEGA: names after #, then a triangle, perhaps with numbers in brackets. */
function readMega([, ...all]) {
  const isName = ({ words }) => /^\s*(\[\s*\d+\s*\])?\s*#/.test(words);
  const body = without(all, /^\s*(title\b|!|[^#[]*;\s*$)/i);
  const names = body.filter(isName).map(({ words }) => words.replace(/^[^#]*#\s*/, "").trim());
  const inside = body.filter((each) => !isName(each));
  const bare = rewritten(inside, (words) => words.replace(/\[[^\]]*\]/g, " "));
  return {
    lines: bare.filter(({ words }) => words.trim()),
    names,
    diagonal: false,
    kind: "dissimilarities",
  };
}

/** A matrix under a line like "4×4 Matrix{Float64}:"; a dot in the middle is an empty cell. */
const readJulia = ([, ...lines]) => ({
  lines: rewritten(lines, (words) => words.replaceAll("\u22C5", ".")),
});

const MATLAB = /^\s*\w[\w.]*\s*=\s*\n\s*([-+.\d]|nan|inf|columns? \d)/i;
const OPENING = /^\s*(Out\[\d+\]:\s*)?(\w+\s*=\s*)?(([\w.]+\s*\(\s*)?\[\s*\[|\[[^[\]]*\]\s*;?\s*$)/;

/** The layouts: name, the mark in the text by which it is recognised, and what reads its lines. */
export const PRINTED = [
  ["MEGA", /^\s*#mega/i, readMega],
  ["JSON", /^\s*(\{|\[\s*\{)\s*"/, readJson],
  ["rows in brackets", OPENING, readBrackets],
  ["the output of Julia", /^\s*\d+[\u00D7x]\d+ .*\{.*:\s*\n/, readJulia],
  ["the output of MATLAB", MATLAB, readMatlab],
  ["the output of Stata", /^\s*-+\+-+\s*$/m, readStata],
  ["proximities of SPSS", /^\W*proximity matrix|this is a \w+ matrix\W*$/im, readSpss],
  ["UCINET DL", /^\s*dl\b/i, readDl],
  ["PHYLIP", /^\s*\d+\s*\n\s*[^\s\d.+-]/, readPhylip],
];

const PRINTED_TYPES = /^\s*(<\w+>\s*)+$|^\s*\[\d+ rows x \d+ columns\]\s*$/;

/** Lines of R and pandas without types, brackets round the numbers of rows, and backslashes. */
export const undressed = (lines) =>
  rewritten(without(lines, PRINTED_TYPES), (words) =>
    words.replace(/\[(?:(\d+),|,(\d+))\]/g, "$1$2").replace(/\s\\\s*$/, ""),
  );
