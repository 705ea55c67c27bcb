// Totals, units and codes in a table.

import { MOST } from "./limits.js";
import { cellNumber, measured } from "./parseCells.js";
import { differ } from "./tableShape.js";

const TOTAL = /^((grand|column|row)[ -])?(totals?|sums?|means?|averages?|\u03a3)$/i;

/**
 * Whether the last row is called the sum or the mean of at least two others, or is that of three,
 * with a diagonal or without.
 */
function endsOnTotal(table, name) {
  const [last, others] = [table.at(-1), table.slice(0, -1)];
  const n = others.length;
  if (n < 3 || TOTAL.test(name)) return n > 1 && TOTAL.test(name);
  const cells = last.length === n + 1 ? last.slice(0, n) : last;
  const sums = cells.map((_, c) => others.reduce((sum, row) => sum + row[c], 0));
  const digits = Math.max(...cells.map((x) => String(x).split(".")[1]?.length ?? 0));
  const least = digits ? 0.51 / 10 ** digits : 0;
  const isPart = (part) =>
    cells.every((x, c) => Math.abs(x - sums[c] / part) <= Math.max(least, 1e-9 * Math.abs(x)));
  const isOther = others.some((row) => cells.some((x, c) => x !== row[c]));
  return cells.length > 2 && isOther && [1, n, n - 1].some(isPart);
}

/** Which of the last row and the last column may hold sums or means of the others. */
export function totalsOf({ table, names }, { wordy, numeric, title }) {
  const columns = table[0].map((_, c) => table.map((row) => row[c]));
  const isLast = numeric.at(-1) > (wordy.at(-1) ?? -1);
  const places = {
    row: endsOnTotal(table, names?.[table.length - 1]),
    column: isLast && endsOnTotal(columns, title(numeric.at(-1))),
  };
  return Object.keys(places).filter((place) => places[place]);
}

/** A grid without its last row or column. */
export const shorn = (grid, places) =>
  grid
    .slice(0, places.includes("row") ? -1 : undefined)
    .map((row) => (places.includes("column") ? row.slice(0, -1) : row));

/** A grid with as many rows as are taken, spread evenly. */
export const spreadOver = ([first, ...rows]) => {
  const step = rows.length / (MOST.objects - 1);
  return [first, ...Array.from({ length: MOST.objects - 1 }, (_, r) => rows[Math.floor(r * step)])];
};

const YES = /^(yes|y|true|t|ja|oui|s\u00ed|si|present|\+|x|\u2713)$/i;

/** A grid of words as columns of 0 and 1: one for yes and no, else one for each word. */
export function codedGrid(grid, marks) {
  const isHead = grid[0].some((cell, c) => c > 0 && grid.slice(1).every((row) => row[c] !== cell));
  const [head, rows] = isHead ? [grid[0], grid.slice(1)] : [[], grid];
  const from = Number(differ(rows.map(([name]) => name)));
  const made = grid[0].slice(from).flatMap((_, at) => {
    const [title, cells] = [
      head[at + from] || `column ${at + from + 1}`,
      rows.map((row) => row[at + from] ?? ""),
    ];
    const kinds = [...new Set(cells)];
    const yes = kinds.filter((kind) => YES.test(kind));
    if (kinds.length === 2 && yes.length === 1) return [{ title, cells, kind: yes[0] }];
    const words = kinds.length > 24 ? [] : kinds.filter((kind) => cellNumber(kind, marks) === null);
    return words.map((kind) => ({ title: `${title}: ${kind}`, cells, kind }));
  });
  const ones = (r) => made.map(({ cells, kind }) => String(Number(cells[r] === kind)));
  return [
    ["", ...made.map(({ title }) => title)],
    ...rows.map(([name], r) => [from ? name : String(r), ...ones(r)]),
  ];
}

/** Columns of rows that begin with a name each and hold numbers alone after it. */
export function namedRows(rows) {
  const numeric = Array.from({ length: rows.at(-1).length - 1 }, (_, c) => c + 1);
  return { rows, wordy: [0], numeric, title: () => "" };
}

/** A reading of which something more is said, now and after a repair. */
export function told(found, note) {
  if (!note || !found.said) return found;
  const notes = [found.about.notes, note].filter(Boolean).join(" ");
  return { ...found, about: { ...found.about, notes }, said: `${found.said} ${note}` };
}

/** The units of columns, after the first, that write one behind or before each number. */
export function unitsOf([, ...rows], wordy) {
  const found = wordy.flatMap((c) => {
    const cells = rows.map((row) => row[c] ?? "").filter((cell) => cellNumber(cell) === null);
    const units = new Set(cells.map((cell) => measured(cell)?.unit));
    return c > 0 && units.size === 1 ? [...units] : [];
  });
  return [...new Set(found.filter(Boolean))];
}
