// Reading: a text that somebody pasted becomes numbers, names and a sentence that says what they are.

export const MOST = { objects: 500, columns: 1000, characters: 6e6 };
const MINUS = /^[\u2010-\u2015\u2212\uFE63\uFF0D]/;
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
const MISSING = /^(na|nan|n\/a|null|none|[.?\u2013\u2014-])?$/i;

/** The number in a cell; NaN where it says that none is there, null where it holds words. */
export function cellNumber(cell, comma = false) {
  const plain = cell
    .trim()
    .replace(MINUS, "-")
    .replace(/e\u2212/i, "e-");
  const pointed = comma ? plain.replace(",", ".") : plain;
  if (NUMBER.test(pointed)) return Number(pointed);
  return MISSING.test(cell.trim()) ? NaN : null;
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

/** Words and numbers between spaces; the words at the head of a line are one name. */
function spacedCells(line, comma) {
  const cells = Array.from(line.matchAll(/"([^"]*)"|\S+/g), (found) => found[1] ?? found[0]);
  const first = cells.findIndex((cell) => cellNumber(cell, comma) !== null);
  if (first < 2 || cells.slice(first).some((cell) => cellNumber(cell, comma) === null)) return cells;
  return [cells.slice(0, first).join(" "), ...cells.slice(first)];
}

/** What separates the cells: a tab, a semicolon, a comma, or spaces. */
function separatorOf(lines) {
  const some = lines.slice(0, 60);
  const often = (mark) => some.filter((line) => line.includes(mark)).length >= some.length / 2;
  if (often("\t")) return "\t";
  if (often(";")) return ";";
  if (!often(",")) return " ";
  const decimal = (line) =>
    line.trim().split(/\s+/).length > 1 &&
    line
      .split(",")
      .slice(1)
      .every((rest) => /^\d/.test(rest)) &&
    line
      .trim()
      .split(/\s+/)
      .every((cell) => cell.split(",").length <= 2);
  return some.filter((line) => line.includes(",")).every(decimal) ? " " : ",";
}

/** The rows of a text as cells, without empty ones and comments, and whether its decimals are commas. */
function gridOf(text) {
  const plain = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/[\u00A0\u2007\u202F]/g, " ");
  const lines = plain.split("\n").filter((line) => line.trim() && !line.trim().startsWith("#"));
  const separator = separatorOf(lines);
  const split = (comma) =>
    separator === " "
      ? lines.map((line) => spacedCells(line, comma))
      : quotedCells(lines.join("\n"), separator).filter((row) => row.some((cell) => cell !== ""));
  const commas = split(true);
  const holds = (pattern) => commas.some((row) => row.some((cell) => pattern.test(cell)));
  const comma = holds(/^[-\u2212]?\d+,\d+$/) && !holds(/^[-\u2212]?\d*\.\d+$/);
  const grid = comma ? commas : split(false);
  while (grid.length && grid.every((row) => row.length > 1 && row.at(-1) === ""))
    grid.forEach((row) => row.pop());
  return { grid, comma, separator, lines };
}

/**
 * A triangle as R prints `dist`: the names of all objects but the last over the columns, of all but
 * the first before the rows, perhaps in several blocks of columns; null where the text is none.
 */
function printedTriangle(grid, lines, comma) {
  const isHead = (row) => row.every((cell) => cellNumber(cell, comma) === null);
  const numbered =
    grid[0].slice(1).join() ===
    grid
      .slice(1, -1)
      .map((row) => row[0])
      .join();
  if (!(grid.length > 2 && (isHead(grid[0]) || numbered))) return null;
  const second = numbered ? -1 : grid.slice(1).findIndex(isHead);
  const height = second < 0 ? grid.length - 1 : second;
  const rows = grid.slice(1, height + 1).map((row) => [row[0]]);
  for (let head = 0; head < grid.length; head += height + 1) {
    rows.forEach((row, r) => row.push(...(grid[head + 1 + r] ?? []).slice(1)));
  }
  if (!rows.every((row, r) => row.length === r + 2 && row[0] !== "")) return null;
  const head = lines[0].trim().replace(/"/g, "");
  const first = numbered ? grid[0][0] : head.slice(0, head.indexOf(` ${rows[0][0]}`)).trim() || grid[0][0];
  if (first === rows[0][0] || (height > 1 && !numbered && !head.includes(` ${rows[0][0]}`))) return null;
  return [[first], ...rows];
}

/** Whether the first row names the columns. */
function hasHead(grid, comma) {
  const words = (cell) => cell !== undefined && cell !== "" && cellNumber(cell, comma) === null;
  const [head, ...rows] = grid;
  if (rows.length === 0) return false;
  const numbers = (row) => row.filter((cell) => cellNumber(cell, comma) !== null && cell !== "").length;
  const told = head.filter((cell) => cell !== "").length > 1 || head.length === 1;
  if (told && !numbers(head) && rows.some((row) => numbers(row))) return true;
  const names = head[0] === "" || words(head[0]) ? head.slice(1) : [];
  if (names.length > 1 && names.every((name, r) => rows[r]?.[0] === name)) return true;
  const below = (c) =>
    rows.filter((row) => row[c] !== undefined && cellNumber(row[c], comma) !== null).length;
  return head.some((cell, c) => words(cell) && below(c) > rows.length / 2);
}

/** Head, names, words and numbers of a grid: which columns hold what. */
function columnsOf(grid, comma) {
  const head = hasHead(grid, comma) ? grid[0] : null;
  const rows = head ? grid.slice(1) : grid;
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const shift = head && head.length === width - 1 ? 1 : 0;
  const title = (c) => (head ? (head[c - shift] ?? "") : "");
  const wordy = Array.from({ length: width }, (_, c) => {
    const cells = rows.map((row) => row[c] ?? "").filter((cell) => cell !== "");
    const words = cells.filter((cell) => cellNumber(cell, comma) === null);
    return words.length > 0 && words.length >= cells.length / 2;
  });
  const cornered = head && head.length === rows.length + 1 && rows.length > 1;
  const repeated = cornered && rows.every((row, r) => row[0] !== "" && row[0] === head[r + 1]);
  if (repeated || shift) wordy[0] = true;
  const numeric = wordy.flatMap((is, c) => (is ? [] : [c]));
  return { rows, wordy: wordy.flatMap((is, c) => (is ? [c] : [])), numeric, title };
}

/** Names and colours from the columns of words: names differ, a colour stands for several rows. */
function wordsOf(rows, wordy, title) {
  const columns = wordy.map((c) => ({
    title: title(c),
    cells: rows.map((row) => (row[c] ?? "").slice(0, 80)),
  }));
  const kinds = (column) => new Set(column.cells).size;
  const named = columns.find((column) => kinds(column) > 0.8 * rows.length || column.cells.length < 4);
  const group = columns.find(
    (column) => column !== named && kinds(column) <= 24 && kinds(column) < rows.length,
  );
  const others = columns.filter((column) => column !== named && column !== group);
  return {
    names: named?.cells ?? null,
    group: group ?? null,
    others: others.map((column) => column.title || "one"),
  };
}

/** Fill the half of a square table that was left empty from the other; null where neither is. */
function mirrored(table) {
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

/** A triangle without empty cells, whose rows grow by one: with a diagonal, or without. */
function triangle(rows, printed) {
  const first = rows[0].length;
  if (rows.length < 2 || first > 1 || !rows.every((row, r) => row.length === r + first)) return null;
  const ends = first === 1 && !printed ? rows.map((row) => row.at(-1)) : null;
  const diagonal = ends?.every((end) => end === ends[0]);
  const lower = first === 0 || diagonal ? rows : [[], ...rows];
  const at = (i, j) => lower[i][j] ?? (i === j ? 0 : NaN);
  return lower.map((_, i) => lower.map((_, j) => (j <= i ? at(i, j) : at(j, i))));
}

/** What a square table is: dissimilarities, similarities, or points with as many columns. */
function kindOf(table, sameNames) {
  const n = table.length;
  const width = table[0].length;
  const diagonal = table.slice(0, width).map((row, i) => row[i]);
  const zeros = diagonal.filter((x) => x === 0 || Number.isNaN(x)).length;
  if (n !== width)
    return sameNames || (zeros === diagonal.length && zeros > 2) ? "dissimilarities" : "points";
  let [equal, pairs] = [0, 0];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      pairs++;
      if (Math.abs(table[i][j] - table[j][i]) <= 1e-6 * Math.abs(table[i][j])) equal++;
    }
  }
  if (zeros === n && n > 1) return "dissimilarities";
  if (!sameNames && equal <= pairs / 2) return "points";
  return zeros > n / 2 ? "dissimilarities" : "gram";
}

/** What is wrong with a table of points, in the library's words, or null. */
function checkPointTable(table, names, columns) {
  const place = (i, j) => `X[${names?.[i] ?? i}, ${columns[j] || j}]`;
  for (let i = 0; i < table.length; i++) {
    for (let j = 0; j < table[i].length; j++) {
      if (Number.isFinite(table[i][j])) continue;
      const found = `${place(i, j)} is ${sixDigits(table[i][j])}; every entry must be a finite number.`;
      return { sentence: `${found} Remove those rows or fill in the missing values first.`, entry: [i, j] };
    }
  }
  if (table.length < 2) return { sentence: "X holds 1 point; at least 2 are needed.", entry: null };
  return checkRange(
    table.reduce((size, row) => Math.max(size, largestModulus(row)), 0),
    "X",
  );
}

/** The first sentence that refuses a text before any cell is read, or null. */
function refusal(text) {
  if (!text.trim()) return "Nothing is there to read. Paste a table, or choose a file or a sample.";
  if (text.length > MOST.characters) {
    const most = MOST.characters / 1e6;
    return `The text holds more than ${most} million characters, and 500 objects need fewer. Nothing was read.`;
  }
  if (/^\s*<(!doctype|html|table|\?xml|[a-z]+[\s>])/i.test(text)) {
    return "This is HTML or XML and no table of numbers. Copy the cells from the page as you see it, or save them as CSV.";
  }
  return null;
}

function failed(sentence) {
  return { kind: null, table: [], names: null, groups: null, said: "", wrong: { sentence, entry: null } };
}

/**
 * Read a text. Returns { kind, table, names, columns, groups, said, wrong }: kind is
 * "dissimilarities", "gram" or "points", wrong is { sentence, entry } or null.
 */
export function readTable(text, { as = "auto", what = "", unit = "" } = {}) {
  const refused = refusal(text);
  if (refused) return failed(refused);
  const { grid, comma, separator, lines } = gridOf(text);
  if (!grid.length) return failed("Every line is empty or a comment. Paste a table, or choose a sample.");
  const printed = separator === " " && as !== "points" ? printedTriangle(grid, lines, comma) : null;
  const { rows, wordy, numeric, title } = printed
    ? { rows: printed, wordy: [0], numeric: printed.slice(1).map((_, c) => c + 1), title: () => "" }
    : columnsOf(grid, comma);
  if (!numeric.length || !rows.length) {
    const why = /^["']?[=@]/m.test(text)
      ? "Its cells hold formulas: paste their values."
      : "Its cells hold words alone.";
    return failed(`No numbers were found. ${why}`);
  }
  const tooMany = numeric.length > MOST.columns && rows.length !== numeric.length;
  if (tooMany) {
    return failed(
      `The table has ${numeric.length} columns of numbers; the laboratory takes up to ${MOST.columns}.`,
    );
  }
  if (rows.length > MOST.objects) {
    const more = "Take a part of them, or use kmds_lib, which takes more.";
    return failed(
      `The table has ${rows.length} rows; the laboratory takes up to ${MOST.objects} objects. ${more}`,
    );
  }
  return shaped({ rows, wordy, numeric, title, printed: Boolean(printed), comma }, { as, what, unit });
}

function faultOf(kind, table, names, columns) {
  if (kind === "points") return checkPointTable(table, names, columns);
  return (kind === "gram" ? checkGram : checkDissimilarities)(table, names);
}

/** Numbers, kind and sentence of a table whose columns are known. */
function shaped({ rows, wordy, numeric, title, printed, comma }, { as, what, unit }) {
  const ends = rows.map((row) => row.findLastIndex((cell) => cell !== "") + 1);
  const cut = rows.map((row, r) =>
    numeric.filter((c) => c < ends[r]).map((c) => cellNumber(row[c], comma) ?? NaN),
  );
  const full = rows.map((row) =>
    numeric.map((c) => (row[c] === undefined ? NaN : (cellNumber(row[c], comma) ?? NaN))),
  );
  const square = full.length === numeric.length ? mirrored(full) : null;
  const half = as === "points" ? null : (triangle(cut, printed) ?? square);
  const columns = numeric.map(title);
  const { names, group, others } = wordsOf(rows, half ? wordy.slice(0, 1) : wordy, title);
  const table = half ?? full;
  const allNames = names && half && names.length < table.length ? [columns[0] || "1", ...names] : names;
  const same =
    Boolean(names) && columns.length > 1 && columns.every((name, c) => name !== "" && name === names[c]);
  const kind = as !== "auto" ? as : kindOf(table, same);
  const own =
    kind === "points"
      ? names
      : (allNames ?? (columns.every((name) => name) && columns.length === table.length ? columns : null));
  const wrong = faultOf(kind, table, own, columns);
  const groups = kind === "points" && group ? group.cells : null;
  const found = { kind, table, names: own, columns: kind === "points" ? columns : [], groups, wrong };
  const notes = [
    comma ? "Decimal commas were understood." : "",
    kind === "points" && others.length ? `Left out: ${others.join(", ")}.` : "",
  ];
  const said = saidBack(found, { half: Boolean(half), group, what, unit });
  return { ...found, said: [said, ...notes].filter(Boolean).join(" ") };
}

/** What was understood, in a sentence. */
function saidBack({ kind, table, columns, groups, wrong }, { half, group, what, unit }) {
  const n = table.length;
  const count = `${n} ${what || (kind === "points" ? "points" : "objects")}`;
  const values = table.flat().filter(Number.isFinite);
  if (kind === "points") {
    const named = columns.filter(Boolean);
    const listed = named.length && named.length <= 6 ? ` (${named.join(", ")})` : "";
    const colour = groups
      ? `, coloured by ${group.title || "their words"} (${new Set(groups).size} kinds)`
      : "";
    return `${count}, ${columns.length} column${columns.length > 1 ? "s" : ""} of numbers${listed}${colour}.`;
  }
  const shape = half ? "one half of a square table" : "a square table";
  const off = table.flatMap((row, i) => row.filter((x, j) => i !== j && Number.isFinite(x)));
  const [low, high] = off.reduce(([a, b], x) => [Math.min(a, x), Math.max(b, x)], [Infinity, -Infinity]);
  const range = off.length
    ? `from ${sixDigits(low)} to ${sixDigits(high)}${unit ? ` ${unit}` : ""}`
    : `${values.length} numbers`;
  const noun = kind === "gram" ? "similarities" : "dissimilarities";
  return `${count}, ${shape} of ${noun}, ${wrong ? "" : "symmetric, "}${range}.`;
}
