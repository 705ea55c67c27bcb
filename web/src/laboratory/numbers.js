// The numbers in the cells of a table.

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
const STARS = /^([-+]?[\d.,]*\d) ?[*\u2020\u2021]{1,4}$/;
const MISSING = /^(<?na>?|nan|[#n][/]?n?\/a|null|none|nothing|missing|--|[.?\u2013\u2014-])?$/i;
const INFINITE = /^[-+]?(inf(inity)?|\u221e)$/i;
const GROUPED = {
  ",": /^[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/,
  ".": /^[-+]?[1-9]\d{0,2}(\.\d{3})+(,\d+)?$/,
  " ": /^[-+]?\d{1,3}([ '\u2019]\d{3})+([.,]\d+)?$/,
};
/** How numbers are written: their decimal mark, and the mark between thousands. */
const STYLES = [
  { decimal: ".", group: "", note: "" },
  { decimal: ",", group: "", note: "The decimal mark is a comma." },
  { decimal: ".", group: ",", note: "A comma separates thousands." },
  { decimal: ",", group: ".", note: "The decimal mark is a comma. A point separates thousands." },
];

/** Whether a number has the stars or daggers of a significance level behind it. */
export const isStarred = (cell) => STARS.test(cell.trim());

/** The number in a cell; NaN where it is missing, null where the cell contains something else. */
export function cellNumber(cell, { decimal, group } = STYLES[0]) {
  let plain = cell
    .trim()
    .replace(/^[\u2010-\u2015\u2212\uFE63\uFF0D](?=[\d.,])/, "-")
    .replace(/e\u2212/i, "e-")
    .replace(STARS, "$1");
  if (MISSING.test(plain)) return NaN;
  if (GROUPED[" "].test(plain)) plain = plain.replace(/[ '\u2019]/g, "");
  if (GROUPED[group]?.test(plain)) plain = plain.replaceAll(group, "");
  if (decimal === ",") plain = plain.includes(".") ? "" : plain.replace(",", ".");
  if (NUMBER.test(plain)) return Number(plain);
  if (!INFINITE.test(plain)) return null;
  return plain.startsWith("-") ? -Infinity : Infinity;
}

/**
 * How the numbers of some rows are written: [the style, another one in which they are numbers,
 * too]. Where both a decimal comma and commas between thousands are possible, cells that are
 * separated by commas, and whole numbers in the same column, speak for thousands.
 */
export function stylesOf(rows, separator) {
  const isNumber = (cell) => STYLES.some((style) => cellNumber(cell, style) !== null);
  const isMarked = (cell) => /\d/.test(cell) && /[.,]/.test(cell) && isNumber(cell);
  const marked = [...new Set(rows.flatMap(({ cells }) => cells))].filter(isMarked);
  const numbersIn = (style) => marked.map((cell) => cellNumber(cell, style));
  const fitting = STYLES.filter((style) => !numbersIn(style).includes(null));
  const [first = STYLES[0], ...more] = fitting;
  const other = more.find((style) => String(numbersIn(style)) !== String(numbersIn(first)));
  if (!other) return [first];
  const isMixed = rows[0].cells.some((_, c) => {
    const column = rows.map(({ cells }) => cells[c] ?? "");
    return column.some((cell) => /^[-+]?[1-9]\d{0,2}$/.test(cell)) && column.some(isMarked);
  });
  if (first.decimal === ".") return isMixed ? [first, other] : [first];
  return separator === "," || isMixed ? [other, first] : [first, other];
}
