// Layouts of programs: what each prints around a table is removed, so that lines or rows of a basic
// layout remain.

import { checkWhole, linesOf, Misfit, sideBySide } from "./cells.js";
import { cellNumber } from "./numbers.js";

const isNumber = (cell) => cellNumber(cell) !== null;
const tokens = (words) => words.trim().split(/\s+/).filter(Boolean);

/** Lines without those that a pattern describes, with replacements in the others. */
const stripped = (lines, drop, ...changes) =>
  lines.flatMap(({ line, words }) => {
    const bare = changes.reduce((found, [from, to]) => found.replace(from, to), words);
    return drop.test(words) || !bare.trim() ? [] : [{ line, words: bare }];
  });

/** The cells of records, of labels and a matrix, or of an object of objects in JSON. */
function jsonCells(value) {
  if (Array.isArray(value)) {
    const keys = [...new Set(value.flatMap(Object.keys))];
    return [keys, ...value.map((record) => keys.map((key) => record[key]))];
  }
  const entries = Object.entries(value);
  const lists = entries.filter(([, each]) => Array.isArray(each));
  const matrix = lists.find(([, [first]]) => Array.isArray(first))?.[1];
  if (matrix) {
    const names = lists.find(([key, each]) => each !== matrix && key !== "columns")?.[1];
    const titles = value.columns ?? names;
    const head = titles?.length === matrix[0].length ? [["", ...titles]] : [];
    const rows = [...head, ...matrix.map((row, r) => [names?.[r], ...row])];
    return names ? rows : rows.map((row) => row.slice(1));
  }
  if (!entries.every(([, each]) => each?.constructor === Object))
    throw new Misfit(1, "records, or labels and a matrix, are expected");
  const keys = [...new Set(entries.flatMap(([, column]) => Object.keys(column)))];
  const rows = keys.map((key) => [key, ...entries.map(([, column]) => column[key])]);
  return [["", ...entries.map(([name]) => name)], ...rows];
}

/** JSON, or a record of JSON on each line. */
function readJson(_, text) {
  const plain = text.replace(/(?<=[[,:]\s*)(NaN|-?Infinity)\b/g, "null");
  for (const words of [plain, `[${plain.trim().replace(/\}\s*\n\s*\{/g, "},{")}]`])
    try {
      const rows = jsonCells(JSON.parse(words));
      return { rows: rows.map((row) => ({ line: 1, cells: row.map((x) => String(x ?? "NA")) })) };
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
  if (!/\[\s*\[/.test(text))
    return { lines: found[0][1].split(/[;\n]/).map((words, r) => ({ line: r + 1, words })) };
  if (!BRACKETS.test(text.replace(ROWS, "")))
    throw new Misfit(lines.at(-1).line, "brackets around rows of numbers are expected");
  const lineAt = (at) => lines[text.slice(0, at).split("\n").length - 1].line;
  const plain = (words) => words.replace(/\n/g, " ").replace(/(?<=^|[\s,])'([^']*)'/g, '"$1"');
  return { lines: found.map((row) => ({ line: lineAt(row.index), words: plain(row[1]) })) };
}

/** A matrix under a line like "D =", with a common factor and blocks of columns. */
function readMatlab([, ...lines]) {
  const [, scale] = lines[0].words.match(/^\s*([\d.]+e[-+]?\d+)\s*\*\s*$/i) ?? [];
  const scaled = (cell) => String(Number((cellNumber(cell) * (scale ?? 1)).toPrecision(12)));
  const blocks = [[]];
  for (const { line, words } of lines.slice(scale ? 1 : 0))
    if (/^\s*columns? \d+( (through|and|to) \d+)?:?\s*$/i.test(words)) blocks.push([]);
    else if (tokens(words).every(isNumber))
      blocks.at(-1).push({ line, cells: tokens(words).map(scaled) });
    else throw new Misfit(line, "a line of numbers is expected");
  const filled = blocks.filter((block) => block.length);
  return { rows: sideBySide(filled, false) };
}

/** Correlations with names before a bar, in blocks below the names of columns and a rule. */
function readStata(all) {
  const lines = stripped(all, /^\s*\(obs=[\d,]+\)\s*$/, [/\s\*(?=\s|$)/g, ""]);
  const [blocks, isRule] = [[], (at) => /^\s*-+\+-+\s*$/.test(lines[at]?.words)];
  let note = "";
  for (const [at, { line, words }] of lines.entries()) {
    const [name, values = [], ...more] = words.split("|").map(tokens);
    if (isRule(at)) continue;
    if (isRule(at + 1)) blocks.push([]);
    else if (!blocks.length || more.length || !values.every(isNumber))
      throw new Misfit(line, "a name, a bar and numbers are expected");
    if (isRule(at + 1) || name.length) blocks.at(-1).push({ line, cells: [...name, ...values] });
    else if (values.length) note = "Lines of significance levels or counts were left out.";
  }
  return { rows: sideBySide(blocks), kind: "gram", diagonal: true, note };
}

const PROXIMITIES =
  /^\W*((proximity|dissimilarity) matrix|case|this is a (dis)?similarity matrix)\W*$|^[-|\s]+$/i;

/** Proximities of SPSS: a title, a measure, and cases with numbers before their names. */
function readSpss(lines, text) {
  const first = lines.findIndex(({ words }) => /(^|[\s|])1(\s*:|\t2\b)/.test(words));
  if (first < 0)
    throw new Misfit(lines.at(-1).line, "a line with the cases 1:, 2:, ... is expected");
  const kind = /this is a similarity matrix/i.test(text) ? "gram" : "dissimilarities";
  const number = [/(^|\s)\d+\s*:\s*(?=\S)/g, "$1"];
  return { lines: stripped(lines.slice(first), PROXIMITIES, [/\|/g, " "], number), kind };
}

/** A square or lower triangular matrix of PHYLIP; a row may go on in the next line. */
function readPhylip([{ line, words }, ...rest]) {
  const [n, lines] = [Number(words), []];
  for (const each of rest)
    if (lines.length && rest.length > n && isNumber(tokens(each.words)[0]))
      lines.push({ line: each.line, words: `${lines.pop().words} ${each.words}` });
    else lines.push(each);
  if (lines.length !== n)
    throw new Misfit(line, `it announces ${n} objects, and ${lines.length} follow`);
  return { lines, kind: "dissimilarities" };
}

/** A matrix or a list of edges in UCINET's DL. */
function readDl(all, text) {
  const [head, data] = text.split(/^\s*data\s*:/im);
  const [, format = "fullmatrix"] = head.toLowerCase().match(/format\s*=\s*(\w+)/) ?? [];
  if (!/\bn\s*=\s*\d/i.test(head) || data === undefined)
    throw new Misfit(1, "n=... and a line data: are expected");
  if (!/^(fullmatrix|lowerhalf|upperhalf|edgelist1)$/.test(format))
    throw new Misfit(
      1,
      `the format ${format} is not fullmatrix, lowerhalf, upperhalf or edgelist1`,
    );
  const lines = all.slice(head.split("\n").length);
  if (format === "edgelist1") return { lines: [{ line: 1, words: "from to value" }, ...lines] };
  const labels = head.match(/labels\s*:\s*([\s\S]*)$/i)?.[1].match(/"[^"]*"|[^\s,]+/g);
  const names = labels?.map((name) => name.replace(/"/g, ""));
  return { lines, names, diagonal: !/diagonal\s*=?\s*absent/i.test(head) };
}

/** Distances of MEGA: names after #, then a triangle, perhaps with numbers in brackets. */
function readMega([, ...all]) {
  const body = stripped(all, /^\s*(title\b|!|[^#[]*;\s*$)/i, [/^\s*(\[\s*\d+\s*\])?\s*#\s*/, "#"]);
  const names = stripped(body, /^[^#]/, [/#/, ""]).map(({ words }) => words.trim());
  const lines = stripped(body, /^#/, [/\[[^\]]*\]/g, " "]);
  return { lines, names, diagonal: false, kind: "dissimilarities" };
}

/** A matrix under a line like "4×4 Matrix{Float64}:"; a dot in the middle is an empty cell. */
const readJulia = ([, ...lines]) => ({ lines: stripped(lines, /^$/, [/\u22C5/g, "."]) });

const MATLAB = /^\s*\w[\w.]*\s*=\s*\n\s*([-+.\d]|nan|inf|columns? \d)/i;
const OPENING = /^\s*(Out\[\d+\]:\s*)?(\w+\s*=\s*)?(([\w.]+\s*\(\s*)?\[\s*\[|\[[^[\]]*\]\s*;?\s*$)/;
/** The types of columns and the size of a table in R and pandas, rules, and commands of LaTeX. */
const BESIDE =
  /^\s*(<\w+>\s*)+$|^\s*\[\d+ rows x \d+ columns\]\s*$|^[\s|:+=\u2500-\u257F-]*([-=]{3}|[-=:]\||[\u2500-\u257F])[\s|:+=\u2500-\u257F-]*$|^\s*\\(begin|end|hline|(top|mid|bottom)rule|centering|caption|label)\b/;

/** Tables of R, pandas, Markdown and LaTeX, and all others. */
const readPlain = (lines) => ({
  lines: stripped(
    lines,
    BESIDE,
    [/\[(?:(\d+),|,(\d+))\]/g, "$1$2"],
    [/^(.*)\\\\.*$/, (_, row) => row.replaceAll("&", "|")],
    [/\s\\\s*$/, ""],
    [/\u2502/g, "|"],
    [/^\s*\||\|\s*$/g, ""],
  ),
});

/** The layouts: name, the mark in the text by which it is recognised, and what reads its lines. */
const LAYOUTS = [
  ["MEGA", /^\s*#mega/i, readMega],
  ["JSON", /^\s*(\{|\[\s*\{)\s*"/, readJson],
  ["rows in brackets", OPENING, readBrackets],
  ["the output of Julia", /^\s*\d+[\u00D7x]\d+ .*\{.*:\s*\n/, readJulia],
  ["the output of MATLAB", MATLAB, readMatlab],
  ["the output of Stata", /^\s*-+\+-+\s*$/m, readStata],
  ["proximities of SPSS", /^\W*proximity matrix|this is a \w+ matrix\W*$/im, readSpss],
  ["UCINET DL", /^\s*dl\b/i, readDl],
  ["PHYLIP", /^\s*\d+\s*\n\s*[^\s\d.+-]/, readPhylip],
  ["", /^/, readPlain],
];

/** The layout of a text: its name, what reads it, and how many comments were ignored. */
export function layoutOf(text) {
  const { lines, ignored } = linesOf(text);
  const words = lines.map((each) => each.words).join("\n");
  const [name, , read] = LAYOUTS.find(([, mark]) => mark.test(words));
  return { name, ignored, read: () => read(checkWhole(lines), words) };
}
