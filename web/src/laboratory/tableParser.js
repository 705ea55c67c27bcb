// Read a table from a text.

import { plural, someOf } from "../ui/text.js";
import { MOST } from "./limits.js";
import { cellNumber, gridOf, measured, readable } from "./parseCells.js";
import {
  codedGrid,
  namedRows,
  shorn,
  spreadOver,
  told,
  totalsOf,
  unitsOf,
} from "./tableCleaning.js";
import { failed, faultOf, raggedness, refusal, tooMany, unfitFor } from "./tableFaults.js";
import {
  columnsOf,
  isHollow,
  kindOf,
  mirrored,
  triangle,
  withLastRow,
  withZeros,
  wordsOf,
} from "./tableShape.js";
import { listTable, printedTable, undressed } from "./textFormats.js";

/**
 * Read a text. Returns { kind, table, names, columns, groups, said, wrong }: kind is
 * "dissimilarities", "gram" or "points", wrong is { sentence, entry } or null. Options say what the
 * table is, which units are no part of its numbers, and whether its words become numbers.
 */
export function readTable(text, options = {}) {
  const refused = refusal(text);
  if (refused) return failed(refused);
  const { grid: cells, marks, separator, lines, comments } = gridOf(undressed(text), options.units);
  if (!cells.length)
    return failed("Every line is empty or a comment. Paste a table, or choose a sample.");
  const grid = options.coded ? codedGrid(cells, marks) : options.spread ? spreadOver(cells) : cells;
  const printed = separator === " " && options.as !== "points" ? printedTable(lines, marks) : null;
  const form = {
    as: "auto",
    what: "",
    unit: "",
    ...options,
    printed: Boolean(printed),
    marks,
    text,
  };
  const readRows = (rows) => {
    const left = shorn(rows, options.totals ?? []);
    return readCells(left, printed ? namedRows(printed) : columnsOf(left, marks), form);
  };
  const first = readRows(grid);
  const isOpen = first.wrong && !printed && (first.kind === "points" || !first.wrong.entry);
  const { body, outside } = isOpen ? bodyOf(grid, marks, separator) : { outside: [] };
  const found = outside.length ? readRows(body) : first;
  const { units, coded, spread, totals } = options;
  const repaired = [
    units ? `Signs and units were left out: ${units.join(", ")}.` : "",
    coded ? "Words became columns of 0 and 1: one for yes and no, else one for each word." : "",
    spread ? "Rows were taken that are spread evenly over the table." : "",
    totals
      ? `The last ${totals.join(" and ")} ${totals.length > 1 ? "were" : "was"} left out.`
      : "",
  ]
    .filter(Boolean)
    .join(" ");
  const outer = outside.length ? `Lines that are no rows were left out: ${someOf(outside)}.` : "";
  const begun = comments
    ? `${plural(comments, "line that begins with # was", "lines that begin with # were")} left out.`
    : "";
  return { ...told(found, [repaired, outer, begun].filter(Boolean).join(" ")), repaired };
}

/** Read cells whose columns are known: as pairs, a square table, or points. */
function readCells(grid, columns, form) {
  const { text, printed, marks, ...options } = form;
  const listed = printed ? null : listTable(columns, marks, form.as);
  const amounts = listed?.titles;
  const known = listed
    ? { ...namedRows(listed.rows), title: (c) => amounts?.[c - 1] ?? "" }
    : columns;
  const another = (words, changes, why = "") => [
    { words, why, text, options: { ...options, ...changes } },
  ];
  const units = listed ? [] : unitsOf(grid, known.wordy);
  const more = grid.slice(1).flatMap((row) => row.slice(1).filter(measured));
  const why = `Cells like \u201c${more.at(-1)}\u201d hold more than a number.`;
  const again = units.length ? another("leave signs and units out", { units }, why) : [];
  if (units.length ? !known.numeric.length : more.length > (grid.length * (grid[0].length - 1)) / 2)
    return failed(
      `${why} Leave the sign or the unit out.`,
      again.map((each) => ({ ...each, why: "" })),
    );
  const unfit = unfitFor(grid, known, another, text);
  if (unfit) return unfit;
  const found = shaped(known, amounts ? { ...form, as: "points" } : form);
  if (found.table.length > MOST.objects) return failed(tooMany(found.table.length, "objects"));
  const totals = printed || listed ? [] : totalsOf(found, known);
  const last = `last ${totals.join(" and ")}`;
  if (totals.length)
    again.push(
      ...another(
        `leave out the ${last}`,
        { totals },
        `The ${last} may hold sums or means of the others.`,
      ),
    );
  return { ...told(found, listed?.note), again, amounts: Boolean(amounts) };
}

/**
 * A grid without the lines above and below its table and one of units below its head, and what
 * these say.
 */
function bodyOf(grid, marks, separator) {
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0);
  const filled = grid.map((row) => row.filter((cell) => cell !== ""));
  const words = filled.map(
    (cells) => cells.filter((cell) => cellNumber(cell, marks) === null).length,
  );
  const isWordy = (r) => 2 * words[r] > filled[r].length || /:/.test(grid[r][0]);
  const isRow = (_, r) => !isWordy(r) || (separator !== " " && 2 * filled[r].length > width);
  const [first, last] = [grid.findIndex(isRow), grid.findLastIndex(isRow)];
  const isHead =
    separator === " " && first > 0 && [0, 1].includes(grid[first].length - grid[first - 1].length);
  const top = isHead ? first - 1 : first;
  const isNamed = (r) => grid[r][0] !== "" && cellNumber(grid[r + 1]?.[0] ?? "", marks) === null;
  const isUnits = (r) =>
    r === top + 1 && words[top] > 1 && words[r] > 1 && words[r] === filled[r].length && !isNamed(r);
  const isBody = grid.map((_, r) => r >= top && r <= last && !isUnits(r));
  const [, ...rows] = grid.filter((_, r) => isBody[r]);
  const isEven = rows.length > 1 && rows.every((row) => row.length === rows[0].length);
  const outside = isEven ? filled.filter((_, r) => !isBody[r]).map((cells) => cells.join(" ")) : [];
  return { body: [grid[top], ...rows], outside };
}

/** Numbers, kind and sentence of a table whose columns are known. */
function shaped({ rows, wordy, numeric, title }, { as, what, unit, printed, marks }) {
  const ends = rows.map((row) => row.findLastIndex((cell) => cell !== "") + 1);
  const cut = rows.map((row, r) =>
    numeric.filter((c) => c < ends[r]).map((c) => cellNumber(row[c], marks) ?? NaN),
  );
  const full = rows.map((row) =>
    numeric.map((c) => (row[c] === undefined ? NaN : (cellNumber(row[c], marks) ?? NaN))),
  );
  const whole = withLastRow(full);
  const square = whole.length === numeric.length ? mirrored(whole) : null;
  const half = as === "points" ? null : (triangle(cut, as, printed) ?? square);
  const columns = numeric.map(title);
  const { names, group, texts, others } = wordsOf(rows, half ? wordy.slice(0, 1) : wordy, title);
  const numbers = half ?? full;
  const table = as !== "points" && isHollow(numbers) ? withZeros(numbers) : numbers;
  const same =
    Boolean(names) &&
    columns.length > 1 &&
    columns.every((name, c) => name !== "" && name === names[c]);
  const kind = as !== "auto" ? as : kindOf(table, same);
  const own =
    kind === "points" ? names : namesOf({ rows, wordy, numeric, title }, names, table.length);
  const ragged = half ? null : raggedness(rows, numeric, { points: "X", gram: "K" }[kind] ?? "D");
  const wrong = ragged ?? faultOf(kind, table, own, columns);
  const groups = !half && group ? group.cells : null;
  const notes = [
    marks.decimal === "," ? "Decimal commas were understood." : "",
    marks.doubtful ? "Points were taken to mark decimals, not thousands." : "",
    marks.group ? `${marks.group === "," ? "Commas" : "Points"} were taken to part thousands.` : "",
    kind === "points" && title(0) && names?.every((id, i) => /^\d+$/.test(id) && id === rows[i][0])
      ? `Rows are named by ${title(0)}.`
      : "",
    kind === "points" && others.length ? `Left out: ${someOf(others)}.` : "",
  ].filter(Boolean);
  const about = { half: Boolean(half), group, what, unit, notes: notes.join(" ") };
  const beside = { columns: kind === "points" ? columns : [], texts: half ? [] : texts };
  const found = { kind, table, names: own, ...beside, groups, wrong, about };
  return { ...found, said: [saidBack(found, about), ...notes].join(" ") };
}

/**
 * Names of n objects: before the rows, of which the first may be missing, or over the columns; or
 * null.
 */
function namesOf({ rows, wordy, numeric, title }, names, n) {
  const over = Array.from({ length: n }, (_, c) => title(numeric[0] + c));
  const before = names ?? (wordy.length ? rows.map((row) => row[wordy[0]] ?? "") : null);
  if (before?.length === n) return before;
  if (before?.length === n - 1) return [over[0] || "1", ...before];
  return over.every(Boolean) ? over : null;
}

/** What was understood, in a sentence. */
export function saidBack({ kind, table, columns, groups, wrong }, { half, group, what, unit }) {
  const n = table.length;
  const count = `${n} ${what || (kind === "points" ? "points" : "objects")}`;
  const values = table.flat().filter(Number.isFinite);
  const colour = groups
    ? `, coloured by ${group.title || "their words"} (${new Set(groups).size} kinds)`
    : "";
  if (kind === "points") {
    const named = columns.filter(Boolean);
    const listed = named.length && named.length <= 6 ? ` (${named.join(", ")})` : "";
    return (
      `${count}, ${columns.length} column${columns.length > 1 ? "s" : ""} of ` +
      `numbers${listed}${colour}.`
    );
  }
  const shape = half ? "one half of a square table" : "a square table";
  const off = table.flatMap((row, i) => row.filter((x, j) => i !== j && Number.isFinite(x)));
  const [low, high] = off.reduce(
    ([a, b], x) => [Math.min(a, x), Math.max(b, x)],
    [Infinity, -Infinity],
  );
  const range = off.length
    ? `from ${readable(low)} to ${readable(high)}${unit ? ` ${unit}` : ""}`
    : `${values.length} numbers`;
  const noun = kind === "gram" ? "similarities" : "dissimilarities";
  return `${count}, ${shape} of ${noun}, ${wrong ? "" : "symmetric, "}${range}${colour}.`;
}
