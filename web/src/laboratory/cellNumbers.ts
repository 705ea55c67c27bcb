// The numbers in the cells of a table.

import type { Cells } from "./rowsOfCells.ts";

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$|^[-+]?Infinity$/i;
const STARS = /^([-+]?[\d.,]*\d) ?[*\u2020\u2021]{1,4}$/;
/** A number with a unit, a fraction, a time, or a mean with its standard deviation. */
export const MEASURED = /^[^\w\s.,-]?\s?[-+]?\d[\d.,]*(\s?[:/(\u00B1h]\s?[\d.,]+)?\s?\D{0,5}$/;
const MISSING = /^(<?na>?|nan|[#n][/]?n?\/a|null|none|nothing|missing|--|[.?\u2013\u2014-])?$/i;
const GROUPED: Record<string, RegExp> = {
  ",": /^[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/,
  ".": /^[-+]?[1-9]\d{0,2}(\.\d{3})+(,\d+)?$/,
  " ": /^[-+]?\d{1,3}([ '\u2019]\d{3})+([.,]\d+)?$/,
};
/** Returns the number in a cell: NaN if it is missing, null if the cell contains something else. */
export type ToNumber = (cell: string) => number | null;
export type Style = { decimal: string; group?: string; note?: string }; // marks in numbers

/** How numbers are written, with a note for the reader. */
const STYLES: Style[] = [
  { decimal: ".", group: "", note: "" },
  { decimal: ",", group: "", note: "The decimal mark is a comma." },
  { decimal: ".", group: ",", note: "A comma separates thousands." },
  { decimal: ",", group: ".", note: "The decimal mark is a comma. A point separates thousands." },
];

/** Return true if the stars or daggers of a significance level follow a number. */
export const isStarred = (cell: string) => STARS.test(cell.trim());

/** Return the number in a cell: NaN if it is missing, null if the cell contains something else. */
export function cellNumber(cell: string, { decimal, group = "" } = STYLES[0]) {
  let plain = cell
    .trim()
    .replace(/^[\u2010-\u2015\u2212\uFE63\uFF0D](?=[\d.,])/, "-")
    .replace(/e\u2212/i, "e-")
    .replace(/(?<=\d)d(?=[-+]\d+$)/i, "e")
    .replace(/(?<=^[-+]?)(inf|\u221e)$/i, "Infinity")
    .replace(STARS, "$1");
  if (MISSING.test(plain)) return NaN;
  if (GROUPED[" "].test(plain)) plain = plain.replace(/[ '\u2019]/g, "");
  if (GROUPED[group]?.test(plain)) plain = plain.replaceAll(group, "");
  if (decimal === ",") plain = plain.includes(".") ? "" : plain.replace(",", ".");
  return NUMBER.test(plain) ? Number(plain) : null;
}

/** Return the style of the numbers in rows, and another one in which they also can be read. */
export function stylesOf(rows: Cells[], separator: string) {
  const isMarked = (cell: string) =>
    /\d[.,]|[.,]\d/.test(cell) && STYLES.some((style) => cellNumber(cell, style) !== null);
  const marked = [...new Set(rows.flat())].filter(isMarked);
  const numbersIn = (style: Style) => marked.map((cell) => cellNumber(cell, style));
  const [first = STYLES[0], ...more] = STYLES.filter((style) => !numbersIn(style).includes(null));
  const other = more.find((style) => String(numbersIn(style)) !== String(numbersIn(first)));
  if (!other) return [first];
  // Between commas, or in a column with whole numbers, the marks probably separate thousands.
  const longest = rows.reduce((a, b) => (b.length > a.length ? b : a));
  const columns = longest.map((_, c) => rows.map((row) => row[c] ?? ""));
  const isWholeNumber = (cell: string) => /^[-+]?[1-9]\d{0,2}$/.test(cell);
  const isMixed = columns.some((cells) => cells.some(isWholeNumber) && cells.some(isMarked));
  if (first.decimal === ".") return isMixed || /[;\t]/.test(separator) ? [first, other] : [first];
  return separator === "," || isMixed ? [other, first] : [first, other];
}
