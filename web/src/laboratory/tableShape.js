// The shape of a table: square, triangular, or one row per point.

import { sumOf } from "../core/matrix.js";
import { cellNumber, isNamedTriangle } from "./parseCells.js";

/** Half of what the two directions differ by. */
export const skewPart = (table) => table.map((row, i) => row.map((x, j) => (x - table[j][i]) / 2));

/** The sum of the squares of all numbers. */
export const squaresOf = (table) => sumOf(table.flat(), (x) => x * x);
export const alike = (x, y) => Math.abs(x - y) <= 1e-6 * Math.abs(x);

export const differ = (cells) => new Set(cells).size === cells.length;

/**
 * Whether rows hold a square table from some column on, symmetric or one half of it. A few numbers
 * may be symmetric by chance: of them the diagonal must be constant.
 */
function holdsSquare(rows, from, marks) {
  const n = rows.length;
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0) - from;
  if (n < 3 || width > n || width < n - 1) return false;
  const table = rows.map((row) => rows.map((_, c) => cellNumber(row[from + c] ?? "", marks)));
  if (table.some((row) => row.includes(null))) return false;
  const empty = table.filter((row, i) => Number.isNaN(row[i])).length;
  if (empty && empty < n) return false;
  const half = mirrored(table);
  if (half) return half.every((row) => row.every(Number.isFinite));
  const diagonal = new Set(table.map((row, i) => row[i]));
  const symmetric = table.every((row, i) => row.every((x, j) => i === j || alike(x, table[j][i])));
  return symmetric && (n > 4 || diagonal.size === 1);
}

/** Whether the first row names the columns. */
function hasHead(grid, marks) {
  const words = (cell) => cell !== undefined && cell !== "" && cellNumber(cell, marks) === null;
  const [head, ...rows] = grid;
  if (rows.length === 0) return false;
  const numbers = (row) =>
    row.filter((cell) => cellNumber(cell, marks) !== null && cell !== "").length;
  const alone = head.length === 1 && !isNamedTriangle(grid, marks);
  const told = alone || head.filter((cell) => cell !== "").length > 1;
  if (told && !numbers(head) && rows.some((row) => numbers(row))) return true;
  const shifted = rows.at(-1).length === head.length + 1;
  const cornered = head[0] === "" || words(head[0]);
  const names = shifted ? head : cornered ? head.slice(1) : [];
  const heads = (name, own = "") => own === name || own.startsWith(`${name}. `);
  if (names.length > 1 && names.every((name, r) => heads(name, rows[r]?.[0]))) return true;
  if (differ(head) && holdsSquare(rows, 0, marks)) return true;
  const below = (c) =>
    rows.filter((row) => row[c] !== undefined && cellNumber(row[c], marks) !== null).length;
  return head.some((cell, c) => words(cell) && below(c) > rows.length / 2);
}

// Over a column of whole numbers that tell the rows apart and measure nothing.
const TITLES =
  "row|index|rownames|unnamed: 0|case|subject|participant|respondent|person|vp|site|plot|sample";
const ROW_TITLE = new RegExp(String.raw`^(|#|(.*[ _-])?(id|nr|no|code)\.?|${TITLES})$`, "i");

/** Head, names, words and numbers of a grid: which columns hold what. */
export function columnsOf(grid, marks) {
  const head = hasHead(grid, marks) ? grid[0] : null;
  const rows = head ? grid.slice(1) : grid;
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const shift = head && head.length === width - 1 ? 1 : 0;
  const title = (c) => (head ? (head[c - shift] ?? "") : "");
  const wordy = Array.from({ length: width }, (_, c) => {
    const cells = rows.map((row) => row[c] ?? "").filter((cell) => cell !== "");
    const words = cells.filter((cell) => cellNumber(cell, marks) === null);
    return words.length > 0 && words.length >= cells.length / 2;
  });
  const cornered = head && head.length === rows.length + 1 && rows.length > 1;
  const repeated = cornered && rows.every((row, r) => row[0] !== "" && row[0] === head[r + 1]);
  const firsts = rows.map((row) => row[0] ?? "");
  const counts =
    head && width > 1 && ROW_TITLE.test(title(0)) && firsts.every((cell) => /^\d+$/.test(cell));
  const titled = head && width > 1 && /^names?$/i.test(title(0));
  const unnamed = !head && !firsts.includes("") && differ(firsts);
  const numbered = unnamed && !holdsSquare(rows, 0, marks) && holdsSquare(rows, 1, marks);
  if (repeated || shift || counts || titled || numbered) wordy[0] = true;
  const numeric = wordy.flatMap((is, c) => (is ? [] : [c]));
  return { rows, wordy: wordy.flatMap((is, c) => (is ? [c] : [])), numeric, title };
}

/** Names and colours from the columns of words: names differ, a colour stands for several rows. */
export function wordsOf(rows, wordy, title) {
  const columns = wordy.map((c) => ({
    title: title(c),
    place: c,
    cells: rows.map((row) => (row[c] ?? "").slice(0, 80)),
  }));
  const kinds = (column) => new Set(column.cells).size;
  const apart = columns.filter((column) => kinds(column) > 0.8 * rows.length || rows.length < 4);
  const named = apart.find(({ cells }) => /\p{L}/u.test(cells[0])) ?? apart[0];
  const isGroup = (count) => count > 1 && count <= 24 && count < rows.length;
  const group = columns.find((column) => column !== named && isGroup(kinds(column)));
  const texts = columns
    .filter((column) => column !== named)
    .map(({ title, place, cells }) => ({ title: title || `column ${place + 1}`, cells }));
  const others = texts.filter(({ cells }) => cells !== group?.cells).map(({ title }) => title);
  return { names: named?.cells ?? null, group: group ?? null, texts, others };
}

/** Fill the half of a square table that was left empty from the other; null where neither is. */
export function mirrored(table) {
  const n = table.length;
  const half = (upper) =>
    table.every((row, i) => row.every((x, j) => (upper ? j <= i : j >= i) || Number.isNaN(x)));
  const [noUpper, noLower] = [half(true), half(false)];
  if (n < 2 || noUpper === noLower) return null;
  return table.map((row, i) =>
    row.map((x, j) => {
      if (i === j) return Number.isNaN(x) ? 0 : x;
      return noUpper === j > i ? table[j][i] : x;
    }),
  );
}

export const withZeros = (table) => table.map((row, i) => row.map((x, j) => (i === j ? 0 : x)));

/** Whether a table is square, with an empty diagonal. */
export const isHollow = (table) =>
  table.length === table[0].length && table.every((row, i) => Number.isNaN(row[i]));

/** A table, and a row below it where the upper half of a square table ends before its empty one. */
export function withLastRow(table) {
  const [n, width] = [table.length, table[0].length];
  const cut = n === width - 1 && table.every((row, i) => Number.isNaN(row[i]));
  return cut ? [...table, Array(width).fill(NaN)] : table;
}

/** The rows of a triangle, from the lower or the upper half of a table; null where it is none. */
function stepped(rows) {
  const [first, last] = [rows[0].length, rows.at(-1).length];
  const step = Math.sign(last - first);
  if (rows.length < 2 || step === 0 || (step > 0 ? first > 1 : last !== 1)) return null;
  if (!rows.every((row, r) => row.length === first + step * r)) return null;
  return step > 0 ? rows : rows.map((_, c) => rows.slice(0, c + 1).map((row, i) => row[c - i]));
}

/** Whether the last number of each row of a triangle is its diagonal. */
function endsOnDiagonal(rows, as) {
  const ends = rows.map((row) => row.at(-1));
  const others = rows.flatMap((row) => row.slice(0, -1));
  if (as === "gram" || ends.every((end) => end === 0) || ends.every(Number.isNaN)) return true;
  if (as === "dissimilarities") return false;
  const alike = ends.every((end) => end === ends[0]);
  if (alike && others.every((x) => x <= ends[0]) && others.some((x) => x < ends[0])) return true;
  return ends.every((end) => end >= 0) && others.some((x) => x < 0);
}

/** The square table of a triangle without empty cells: with a diagonal, or without. */
export function triangle(cells, as, printed) {
  const rows = stepped(cells);
  if (!rows) return null;
  const whole = printed || rows[0].length === 0 || endsOnDiagonal(rows, as);
  const lower = whole ? rows : [[], ...rows];
  const at = (i, j) => lower[i][j] ?? (i === j ? 0 : NaN);
  return lower.map((_, i) => lower.map((_, j) => (j <= i ? at(i, j) : at(j, i))));
}

/** What a square table is: dissimilarities, similarities, or points with as many columns. */
export function kindOf(table, sameNames) {
  const n = table.length;
  const width = table[0].length;
  const diagonal = table.slice(0, width).map((row, i) => row[i]);
  const zeros = diagonal.filter((x) => x === 0 || Number.isNaN(x)).length;
  if (n !== width)
    return sameNames || (zeros === diagonal.length && zeros > 2) ? "dissimilarities" : "points";
  let [equal, pairs, least, most] = [0, 0, Infinity, 0];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      pairs++;
      [least, most] = [Math.min(least, table[i][j]), Math.max(most, table[i][j])];
      if (alike(table[i][j], table[j][i])) equal++;
    }
  }
  if (zeros === n && n > 1) return "dissimilarities";
  if (!sameNames && equal <= pairs / 2) return "points";
  return zeros > n / 2 || diagonal.every((x) => x >= 0 && x <= least && x < most)
    ? "dissimilarities"
    : "gram";
}
