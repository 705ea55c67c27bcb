// The numbers in the cells of a table.

import type { Cells } from "./rowsOfCells.ts";

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$|^[-+]?Infinity$/i;
const STARS = /^([-+]?[\d.,]*\d) ?[*\u2020\u2021]{1,4}$/; // ".42**"
/** "170 cm", "$3", "1/2", "3:45" or "3.1 (0.2)", which are no numbers, but no names either. */
export const MEASURED = /^[^\w\s.,-]?\s?[-+]?\d[\d.,]*(\s?[:/(\u00B1h]\s?[\d.,]+)?\s?\D{0,5}$/;
const MISSING = /^(<?na>?|nan|[#n][/]?n?\/a|null|none|nothing|missing|--|[.?\u2013\u2014-])?$/i;
const GROUPED: Record<string, RegExp> = {
  ",": /^[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/, // "1,234.5"
  ".": /^[-+]?[1-9]\d{0,2}(\.\d{3})+(,\d+)?$/, // "1.234,5"
  " ": /^[-+]?\d{1,3}([ '\u2019]\d{3})+([.,]\d+)?$/, // "1 234" or "1'234"
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

export const isStarred = (cell: string) => STARS.test(cell.trim());

/** Return the number in a cell: NaN if it is missing, null if the cell contains something else. */
export function cellNumber(cell: string, { decimal, group = "" } = STYLES[0]) {
  let plain = cell
    .trim()
    .replace(/^[\u2010-\u2015\u2212\uFE63\uFF0D](?=[\d.,])/, "-") // a true minus sign, or a dash
    .replace(/e\u2212/i, "e-")
    .replace(/(?<=\d)d(?=[-+]\d+$)/i, "e") // "3.0D+00" in Fortran
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
  const longest = rows.reduce((a, b) => (b.length > a.length ? b : a));
  const columns = longest.map((_, c) => rows.map((row) => row[c] ?? ""));
  const isWholeNumber = (cell: string) => /^[-+]?[1-9]\d{0,2}$/.test(cell);
  // "713" and "1,745" in one column: the mark probably separates thousands.
  const isMixed = columns.some((cells) => cells.some(isWholeNumber) && cells.some(isMarked));
  // "1.054" between tabs or semicolons may be German: the page offers 1054.
  if (first.decimal === ".") return isMixed || /[;\t]/.test(separator) ? [first, other] : [first];
  // `"0","2,804"`: between commas, too; but "0\t2,804" is 2.804.
  return separator === "," || isMixed ? [other, first] : [first, other];
}
