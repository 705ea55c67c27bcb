// Layouts of programs. What each prints around a table is removed; lines of a basic layout remain.

import Papa from "papaparse";
import { cellNumber } from "./cellNumbers.ts";
import { LayoutError } from "./layoutError.ts";
import type { Kind } from "./parsedTable.ts";
import { type Line, linesOf } from "./rowsOfCells.ts";
import { checkComplete, checkText } from "./tableFaults.ts";

export type LayoutInfo = { diagonal?: boolean; names?: string[]; kind?: Kind };
type Contents = LayoutInfo & { lines: Line[] };
type Reader = (lines: Line[], text: string) => Contents;
type Fields = Record<string, unknown>;
type Layout = [string, RegExp, Reader];

const isNumber = (cell: string) => cellNumber(cell) !== null;
const tokens = (words: string) => words.trim().split(/\s+/).filter(Boolean);

/** Apply replacements [pattern, text] to lines, and leave out lines that become empty. */
const stripped = (lines: Line[], ...changes: [RegExp, string][]): Line[] =>
  lines.flatMap(({ line, words }) => {
    const bare = changes.reduce((rest, [from, to]) => rest.replace(from, to), words);
    return bare.trim() ? [{ line, words: bare }] : [];
  });

const keysOf = (objects: object[]) => [...new Set(objects.flatMap(Object.keys))];
/** Return rows of cells from JSON. */
function jsonRows(value: unknown): unknown[][] {
  const rowsOf = (records: Fields[], keys: string[]): unknown[][] =>
    records.map((record) => keys.map((key) => record[key]));
  // [{"name": "a", "x": 1}, {"name": "b", "x": 3}]
  if (Array.isArray(value)) return [keysOf(value), ...rowsOf(value, keysOf(value))];
  const table = value as Record<string, unknown[]>;
  const columns = Object.values(table);
  const lists = columns.filter(Array.isArray);
  // {"labels": ["a", "b"], "matrix": [[0, 3], [3, 0]]}, or {"a": {"a": 0, "b": 3}, "b": {...}}
  const matrix = lists.find(([first]) => Array.isArray(first)) as unknown[][] | undefined;
  if (!matrix && !columns.every((each) => each instanceof Object)) throw new TypeError();
  const isIndex = (each: unknown) => each !== matrix && each !== table.columns;
  const names = matrix ? lists.find(isIndex) : keysOf(columns);
  const rowOf = (name: string) => columns.map((column) => (column as unknown as Fields)[name]);
  const rows = matrix ?? keysOf(columns).map(rowOf);
  const named = names ? rows.map((row, r) => [names[r], ...row]) : rows;
  const titles = matrix ? (table.columns ?? names) : Object.keys(table);
  if (titles?.length !== rows[0].length) return named;
  return [names ? ["", ...titles] : titles, ...named];
}

/** Read JSON, or a record of JSON in each line. */
function readJson(_: Line[], text: string): Contents {
  const known = text.replace(/(?<=[[,:]\s*)(NaN|-?Infinity)\b/g, "null");
  const records = known.replace(/\}\s*\n\s*\{/g, "},{");
  try {
    const rows = jsonRows(JSON.parse(records === known ? known : `[${records}]`));
    const filled = rows.map((row) => row.map((cell) => cell ?? "NA"));
    const plain: string = Papa.unparse(filled, { delimiter: "\t", newline: "\n" });
    return { lines: plain.split("\n").map((words) => ({ line: 1, words })) };
  } catch {
    throw new LayoutError(Infinity, "This is not a table in JSON.");
  }
}

// `D = np.array([[0, 3],`, "Out[2]: array([[0, 3]," or "D = [0 3; 3 0];"
const ROWS = /(?<!Out)\[([^[\]]*)\]/g;
const NAME = String.raw`\s*(Out\[\d+\]:\s*)?(\w+\s*=\s*)?([\w.]+\s*\(\s*)?`;
const OPENING = new RegExp(String.raw`^${NAME}(\[\s*\[|\[[^[\]]*\]\s*;?\s*$)`);
const AROUND = new RegExp(String.raw`^${NAME}\[[\s,]*\]\s*(,\s*\w+\s*=[^,()]+)*\)?[\s;]*$`);

/** Read lists in brackets of Python and NumPy, or rows that end with semicolons. */
function readBrackets(lines: Line[], text: string): Contents {
  const rows = Array.from(text.matchAll(ROWS));
  if (!/\[\s*\[/.test(text))
    return { lines: rows[0][1].split(/[;\n]/).map((words, r) => ({ line: r + 1, words })) };
  const lineAt = (offset: number) => lines[text.slice(0, offset).split("\n").length - 1].line;
  if (!AROUND.test(text.replace(ROWS, "")))
    throw new LayoutError(lineAt(text.length), "brackets around rows of numbers are expected");
  const plain = (words: string) =>
    words.replace(/\n/g, " ").replace(/(?<=^|[\s,])'([^']*)'/g, '"$1"');
  return { lines: rows.map((row) => ({ line: lineAt(row.index), words: plain(row[1]) })) };
}

/** Read a matrix below "D =", with a common factor and blocks of columns. */
function readMatlab([, ...all]: Line[]): Contents {
  const [, factor] = all[0].words.match(/^\s*([\d.]+e[-+]?\d+)\s*\*\s*$/i) ?? [];
  const scaled = (cell: string) =>
    Number(((cellNumber(cell) ?? NaN) * Number(factor ?? 1)).toPrecision(12));
  const lines: Line[] = [];
  let start = 0;
  for (const [index, { line, words }] of all.slice(factor ? 1 : 0).entries()) {
    const [r, cells] = [index - start, tokens(words)];
    if (/^\s*columns? \d+( (through|and|to) \d+)?:?\s*$/i.test(words)) start = index + 1;
    else if (!cells.every(isNumber)) throw new LayoutError(line, "numbers are expected");
    else lines[r] = { line, words: [lines[r]?.words, ...cells.map(scaled)].join(" ") };
  }
  return { lines };
}

// "Proximity Matrix", "Case", "This is a dissimilarity matrix", "|---|---|"
const PROXIMITIES = /^\W*(case|(this is a )?(proximity|(dis)?similarity) matrix)\W*$|^[-|\s]+$/i;

/** Read proximities of SPSS: titles, and rows with a number before each name. */
function readSpss(lines: Line[], text: string): Contents {
  const first = lines.findIndex(({ words }) => /(^|[\s|])1(\s*:|\t2\b)/.test(words));
  const kind = /this is a similarity matrix/i.test(text) ? "gram" : "dissimilarities";
  const [body, number] = [lines.slice(first), /(?<=^|\s)\d+\s*:\s*(?=\S)/g];
  return { lines: stripped(body, [PROXIMITIES, ""], [/\|/g, " "], [number, ""]), kind };
}

/** Read a square or a triangle of PHYLIP, whose rows may have several lines. */
function readPhylip([{ line, words }, ...rest]: Line[], text: string): Contents {
  const n = Number(words);
  const joined = rest.length > n ? text.replace(/\n(?=\s*[-+.\d])/g, " ") : text;
  const [, ...rows] = joined.split("\n");
  const lines = rows.map((row, r) => ({ line: rest[r].line, words: row }));
  if (lines.length === n) return { lines, kind: "dissimilarities" };
  throw new LayoutError(line, `it announces ${n} objects, and ${lines.length} follow`);
}

/** Read distances of MEGA: names after #, then a triangle, perhaps with numbers. */
function readMega([, ...all]: Line[]): Contents {
  const body = stripped(all, [/^\s*(title\b|!|[^#[]*;\s*$).*/i, ""], [/^\s*(\[.*\])?\s*#\s*/, "#"]);
  const names = stripped(body, [/^[^#].*|#/, ""]).map(({ words }) => words.trim());
  const lines = stripped(body, [/^#.*|\[[^\]]*\]/g, ""]);
  return { lines, names, diagonal: false, kind: "dissimilarities" };
}

/** Read a matrix below "4×4 Matrix{Float64}:", where raised dots are empty cells. */
const readJulia: Reader = ([, ...lines]) => ({ lines: stripped(lines, [/\u22C5/g, "."]) });

/** What programs print beside cells, and what replaces it. */
const DECORATION: [RegExp, string][] = [
  // "|:--|--:|", "<chr> <dbl>", "[3 rows x 3 columns]", "(74 rows)" and "\hline"
  [/^[\s|:+=\u2500-\u257F-]*([-=]{3}|[-=:]\||[\u2500-\u257F])[\s|:+=\u2500-\u257F-]*$/, ""],
  [/^\s*((<\w+>\s*)+|\[\d+ rows x \d+ columns\]\s*|\(\d+ rows?\))$/, ""],
  [/^\s*\\(begin|end|hline|(top|mid|bottom)rule|centering|caption|label)\b.*/, ""],
  // "[1,]" and "[,1]" of R, "0 & 3 \\" of LaTeX, "A  B  \" of pandas, and bars at the ends
  [/\[(?:(\d+),|,(\d+))\]/g, "$1$2"],
  [/^(.*)\\\\.*$/, "$1"],
  [/\s\\\s*$/, ""],
  [/\u2502/g, "|"],
  [/ (-+>|\u2192) /g, " "], // "a -> b 3"
  [/^\s*\||\|\s*$/g, ""],
];

/** The layouts: name, mark in the text, reader. */
const LAYOUTS: Layout[] = [
  ["MEGA", /^\s*#mega/i, readMega],
  ["JSON", /^\s*(\{|\[\s*\{)\s*"/, readJson],
  ["rows in brackets", OPENING, readBrackets],
  ["the output of Julia", /^\s*\d+[\u00D7x]\d+ .*\{.*:\s*\n/, readJulia],
  ["the output of MATLAB", /^\s*\w[\w.]*\s*=\s*\n\s*([-+.\d]|nan|inf|columns? \d)/i, readMatlab],
  ["proximities of SPSS", /^\W*proximity matrix|this is a \w+ matrix\W*$/im, readSpss],
  ["PHYLIP", /^\s*\d+\s*\n\s*[^\s\d.+-]/, readPhylip],
];
/** Read other lines; in LaTeX, those with cells end with two backslashes. */
function readPlain(all: Line[]): Contents {
  const withBars = (row: string) => row.replaceAll("&", "|");
  const lines = all.map(({ line, words }) => ({ line, words: words.replace(/^.*\\\\/, withBars) }));
  return { lines: stripped(lines, ...DECORATION) };
}

/** Return the layout of a text: its name, what reads it, and how many comments were ignored. */
export function layoutOf(text: string) {
  checkText(text);
  const { lines, ignored } = linesOf(text);
  const words = lines.map((each) => each.words).join("\n");
  const [name, , reader] = LAYOUTS.find(([, mark]) => mark.test(words)) ?? ["", /^/, readPlain];
  const read = () => reader(checkComplete(lines), words);
  return { name, ignored, read };
}
