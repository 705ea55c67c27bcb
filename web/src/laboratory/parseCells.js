// Split a text into cells, and read their numbers.

const MINUS = /^[\u2010-\u2015\u2212\uFE63\uFF0D]/;
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
const STARS = /^([-+]?[\d.,]*\d) ?[*\u2020\u2021]{1,4}$/;
const MISSING = /^(na|nan|n\/a|null|none|[.?\u2013\u2014-])?$/i;
const INFINITE = /^[-+]?(inf(inity)?|\u221e)$/i;

/** A number for a reader: so many digits, a true minus, a power of ten in place of an exponent. */
export function readable(value, digits = 6) {
  const [mantissa, power] = value
    .toExponential(digits - 1)
    .split("e")
    .map(Number);
  const minus = (words) => words.replace("-", "\u2212");
  if (!value || Math.abs(value) === Infinity || (power >= -4 && power < 7))
    return minus(String(Number(value.toPrecision(digits))));
  const raised = String(power).replace(
    /./g,
    (mark) => "\u2070\u00B9\u00B2\u00B3\u2074\u2075\u2076\u2077\u2078\u2079"[mark] ?? "\u207B",
  );
  return `${minus(String(mantissa))} \u00D7 10${raised}`;
}

const PLAIN = { decimal: ".", group: "" };
const DOUBTFUL = { ...PLAIN, doubtful: true };
const COMMA = { decimal: ",", group: "" };
const [COMMA_GROUPS, POINT_GROUPS] = [
  { decimal: ".", group: "," },
  { decimal: ",", group: "." },
];
const GROUPED = {
  ",": /^[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/,
  ".": /^[-+]?[1-9]\d{0,2}(\.\d{3})+(,\d+)?$/,
};

/** A cell with a hyphen for a minus, and without the spaces and apostrophes that part thousands. */
function unmarked(cell) {
  if (/^[-+.\d]+$/.test(cell)) return cell;
  const plain = cell
    .trim()
    .replace(MINUS, "-")
    .replace(/e\u2212/i, "e-")
    .replace(STARS, "$1");
  return /^[-+]?\d{1,3}([ '\u2019]\d{3})+([.,]\d+)?$/.test(plain)
    ? plain.replace(/[ '\u2019]/g, "")
    : plain;
}

/** The number in a cell; NaN where it says that none is there, null where it holds words. */
export function cellNumber(cell, { decimal, group } = PLAIN) {
  if (decimal === "." && !group && /^-?\d+(\.\d+)?$/.test(cell)) return Number(cell);
  let plain = unmarked(cell);
  if (group && GROUPED[group].test(plain)) plain = plain.replaceAll(group, "");
  if (decimal === ",") plain = plain.replace(",", ".");
  if (NUMBER.test(plain)) return Number(plain);
  if (INFINITE.test(plain)) return plain.startsWith("-") ? -Infinity : Infinity;
  return MISSING.test(cell.trim()) ? NaN : null;
}

/**
 * Which marks the numbers of a grid have: those that make numbers of most cells. A comma before
 * three digits parts thousands where the same column holds numbers below a thousand too, or where
 * commas part the cells.
 */
function marksOf(grid, separator) {
  const cells = grid
    .flat()
    .map(unmarked)
    .filter((cell) => /^[-+]?[\d.,]+(e[-+]?\d+)?$/i.test(cell));
  const commas = cells.filter((cell) => cell.includes(","));
  if (!commas.length && !cells.some((cell) => /\..*\./.test(cell))) {
    const pointed = cells.filter((cell) => cell.includes("."));
    return pointed.length > 1 && pointed.every((cell) => GROUPED["."].test(cell))
      ? DOUBTFUL
      : PLAIN;
  }
  const read = (marks) => cells.filter((cell) => cellNumber(cell, marks) !== null).length;
  const best = [COMMA, PLAIN, COMMA_GROUPS, POINT_GROUPS].reduce((a, b) =>
    read(b) > read(a) ? b : a,
  );
  if (best !== COMMA || !commas.every((cell) => GROUPED[","].test(cell))) return best;
  const mixed = grid[0].some((_, c) => {
    const column = grid.map((row) => unmarked(row[c] ?? ""));
    return (
      column.some((cell) => cell.includes(",")) &&
      column.some((cell) => /^[-+]?[1-9]\d{0,2}$/.test(cell))
    );
  });
  return mixed || separator === "," ? COMMA_GROUPS : COMMA;
}

/** The cells of a text with a separator; a quoted cell may hold separators and ends of lines. */
function quotedCells(text, separator) {
  const [rows, quote] = [[[]], '"'];
  let [cell, inside] = ["", false];
  const close = () => {
    rows.at(-1).push(cell.trim());
    cell = "";
  };
  for (let at = 0; at < text.length; at++) {
    const mark = text[at];
    if (inside && mark === quote && text[at + 1] === quote) cell += text[++at];
    else if (mark === quote && (inside || cell.trim() === "")) inside = !inside;
    else if (!inside && mark === separator) close();
    else if (!inside && mark === "\n") {
      close();
      rows.push([]);
    } else cell += mark;
  }
  close();
  return rows;
}

const CURRENCY = String.raw`\u20ac$\u00a3\u00a5`;
const MEASURED = new RegExp(
  `^([${CURRENCY}]?) ?([-+]?\\d[\\d.,]*)\\s?(%|[a-z\u00b5${CURRENCY}\u00b0\u00b2\u00b3/]{1,5})?$`,
  "i",
);

/** A number with a sign before it or a unit behind it: { number, unit }; or null. */
export function measured(cell) {
  const [, before, number, behind] = cell.match(MEASURED) ?? [];
  return before || behind ? { number, unit: before || behind } : null;
}

/** Words and numbers between spaces. */
const spacedCells = (line) =>
  Array.from(line.matchAll(/"([^"]*)"|\S+/g), (found) => found[1] ?? found[0]);

/** The cells of a line in which the words before the numbers are one name. */
function withOneName(cells, marks) {
  const first = cells.findIndex((cell) => cellNumber(cell, marks) !== null);
  if (first < 2 || cells.slice(first).some((cell) => cellNumber(cell, marks) === null))
    return cells;
  return [cells.slice(0, first).join(" "), ...cells.slice(first)];
}

/**
 * Rows below a head that has a word for each number that they end on: what stands before these is
 * one name.
 */
function withLongNames([head, ...rows], marks) {
  const isNumber = (cell) => cellNumber(cell, marks) !== null;
  const wide = head.length;
  const fits = (row) => row.length > wide && row.slice(-wide).every(isNumber);
  if (wide < 2 || rows.length < 2 || head.some(isNumber) || !rows.every(fits)) return null;
  return [head, ...rows.map((row) => [row.slice(0, -wide).join(" "), ...row.slice(-wide)])];
}

/** What separates the cells: a tab, a semicolon, a comma, or spaces. */
function separatorOf(lines) {
  const some = lines.slice(0, 60).map((line) => line.replace(/"[^"]*"/g, "a"));
  const often = (mark) => some.filter((line) => line.includes(mark)).length >= some.length / 2;
  if (often("\t")) return "\t";
  if (often(";")) return ";";
  if (!often(",")) return " ";
  const isNumber = (cell) =>
    [COMMA, COMMA_GROUPS, POINT_GROUPS].some((marks) => cellNumber(cell, marks) !== null);
  const rows = some.filter((line) => line.includes(",")).map((line) => line.trim().split(/\s+/));
  if (!rows.flat().every((cell) => !cell.includes(",") || isNumber(cell))) return ",";
  const column = rows.length < some.length || rows.some(([cell]) => /,0\d+$/.test(cell));
  return column || rows.some((cells) => cells.length > 1) ? " " : ",";
}

/** The lines of a text, without empty ones and comments, and how many comments there were. */
function linesOf(text) {
  const joined = (space) => new RegExp(`(?<=\\d)[${space}](?=\\d{3}(?!\\d))`, "g");
  const plain = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .replace(joined("\u2007\u2009\u202F"), "")
    .replace(/[\t;]/.test(text) ? joined("\u00A0") : /(?!)/, "")
    .replace(/[\u00A0\u2007\u2009\u202F]/g, " ");
  const filled = plain.split("\n").filter((line) => line.trim());
  const lines = filled.filter((line) => !line.trim().startsWith("#"));
  return lines.length > filled.length / 2
    ? { lines, comments: filled.length - lines.length }
    : { lines: filled, comments: 0 };
}

/** Whether a grid is a triangle with a name before each row, alone in the first, and no head. */
export function isNamedTriangle([first, ...rows], marks) {
  const words = (cell) => cell !== "" && !Number.isFinite(cellNumber(cell, marks) ?? NaN);
  const stepped = rows.every((row, r) => row.length === r + 2 && words(row[0]));
  const isHead = first.length > 1 && rows.some((row) => first.includes(row[0]));
  return rows.length > 1 && stepped && first.every(words) && !isHead;
}

/** The rows of a text as cells, without some units, and the marks of its numbers. */
export function gridOf(text, units = []) {
  const { lines, comments } = linesOf(text);
  const separator = separatorOf(lines);
  const whole =
    separator === " "
      ? lines.map(spacedCells)
      : quotedCells(lines.join("\n"), separator).filter((row) => row.some((cell) => cell !== ""));
  const bare = (cell) => (units.includes(measured(cell)?.unit) ? measured(cell).number : cell);
  const cells = units.length ? whole.map((row) => row.map(bare)) : whole;
  const marks = cells.length ? marksOf(cells, separator) : PLAIN;
  const named = () => withLongNames(cells, marks) ?? cells.map((row) => withOneName(row, marks));
  const grid = separator === " " && cells.length ? named() : cells;
  while (grid.length && grid.every((row) => row.length > 1 && row.at(-1) === ""))
    grid.forEach((row) => row.pop());
  if (separator === " " && isNamedTriangle(grid, marks)) grid[0] = [grid[0].join(" ")];
  return { grid, marks, separator, lines, comments };
}
