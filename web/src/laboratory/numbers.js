// The numbers in the cells of a table.

const MINUS = /^[\u2010-\u2015\u2212\uFE63\uFF0D](?=[\d.,])/;
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
const STARS = /^([-+]?[\d.,]*\d) ?[*\u2020\u2021]{1,4}$/;
const MISSING = /^(<?na>?|nan|[#n][/]?n?\/a|null|none|nothing|missing|--|[.?\u2013\u2014-])?$/i;
const INFINITE = /^[-+]?(inf(inity)?|\u221e)$/i;
const GROUPED = {
  ",": /^[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/,
  ".": /^[-+]?[1-9]\d{0,2}(\.\d{3})+(,\d+)?$/,
};
const PLAIN = { decimal: ".", group: "" };
const STYLES = [
  PLAIN,
  { decimal: ",", group: "" },
  { decimal: ".", group: "," },
  { decimal: ",", group: "." },
];

/** A cell with a hyphen for a minus, without stars and without spaces between thousands. */
function unmarked(cell) {
  const plain = cell
    .trim()
    .replace(MINUS, "-")
    .replace(/e\u2212/i, "e-")
    .replace(STARS, "$1");
  return /^[-+]?\d{1,3}([ '\u2019]\d{3})+([.,]\d+)?$/.test(plain)
    ? plain.replace(/[ '\u2019]/g, "")
    : plain;
}

/** Whether a number has the stars or daggers of a significance level behind it. */
export const isStarred = (cell) => STARS.test(cell.trim());

/** The number in a cell; NaN where it is missing, null where the cell contains something else. */
export function cellNumber(cell, { decimal, group } = PLAIN) {
  if (decimal === "." && /^-?\d+(\.\d+)?$/.test(cell)) return Number(cell);
  let plain = unmarked(cell);
  if (MISSING.test(plain)) return NaN;
  if (group && GROUPED[group].test(plain)) plain = plain.replaceAll(group, "");
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
  const isMarked = (cell) => /\d/.test(cell) && /[.,]/.test(cell);
  const isNumber = (cell) => STYLES.some((style) => cellNumber(cell, style) !== null);
  const marked = [...new Set(rows.flatMap(({ cells }) => cells.filter(isMarked)))].filter(isNumber);
  const [first = PLAIN, ...more] = STYLES.filter((style) =>
    marked.every((cell) => cellNumber(cell, style) !== null),
  );
  const other = more.find((style) =>
    marked.some((cell) => cellNumber(cell, style) !== cellNumber(cell, first)),
  );
  if (!other) return [first];
  const isMixed = rows[0].cells.some((_, c) => {
    const column = rows.map(({ cells }) => cells[c] ?? "");
    return (
      column.some((cell) => isMarked(cell) && isNumber(cell)) &&
      column.some((cell) => /^[-+]?[1-9]\d{0,2}$/.test(cell))
    );
  });
  if (first.decimal === ".") return isMixed ? [first, other] : [first];
  return separator === "," || isMixed ? [other, first] : [first, other];
}
