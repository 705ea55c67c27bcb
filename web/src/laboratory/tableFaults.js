// Why a text cannot be read as a table.

import { largestModulus } from "../core/matrix.js";
import { checkDissimilarities, checkGram, checkRange, sixDigits } from "../core/validation.js";
import { MOST } from "./limits.js";
import { noTable } from "./textFormats.js";

/** What is wrong with a table of points, in the library's words, or null. */
function checkPointTable(table, names, columns) {
  const place = (i, j) => `X[${names?.[i] ?? i}, ${columns[j] || j}]`;
  for (let i = 0; i < table.length; i++) {
    for (let j = 0; j < table[i].length; j++) {
      if (Number.isFinite(table[i][j])) continue;
      const found =
        `${place(i, j)} is ${sixDigits(table[i][j])}; every entry must be a finite ` + `number.`;
      return {
        sentence: `${found} Remove those rows or fill in the missing values first.`,
        entry: [i, j],
      };
    }
  }
  if (table.length < 2) return { sentence: "X holds 1 point; at least 2 are needed.", entry: null };
  return checkRange(
    table.reduce((size, row) => Math.max(size, largestModulus(row)), 0),
    "X",
  );
}

/** The first sentence that refuses a text before any cell is read, or null. */
export function refusal(text) {
  if (!text.trim()) return "Nothing is there to read. Paste a table, or choose a file or a sample.";
  if (text.length > MOST.characters) {
    const most = MOST.characters / 1e6;
    return (
      `The text holds more than ${most} million characters. Nothing was read: round its ` +
      `numbers, or take a part of it.`
    );
  }
  if (/^\s*<(!doctype|html|table|\?xml|[a-z]+[\s>])/i.test(text)) {
    return (
      "This is HTML or XML and no table of numbers. Copy the cells from the page as you see " +
      "it, or save them as CSV."
    );
  }
  return noTable(text);
}

/**
 * A reading that was refused, with other ways to read the same text: [{ words, why, text, options
 * }].
 */
export function failed(sentence, again = []) {
  return {
    kind: null,
    table: [],
    names: null,
    groups: null,
    said: "",
    wrong: { sentence, entry: null },
    again,
  };
}

export function tooMany(count, what) {
  const more = "Take a part of them, or use kmds_lib, which takes more.";
  return (
    `The table has ${count} ${what}; the laboratory takes up to ${MOST.objects} objects. ` +
    `${more}`
  );
}

/**
 * The refusal of cells that can be no table of the laboratory's, with another way to read them; or
 * null.
 */
export function unfitFor(grid, { rows, wordy, numeric }, another, text) {
  const lone = grid.length === 1 && !grid[0].some((cell) => /\d/.test(cell));
  if (!numeric.length || !rows.length || lone) {
    if (/^["']?[=@]/m.test(text))
      return failed("No numbers were found. Its cells hold formulas: paste their values.");
    const why = lone
      ? "There is one line of words, and no numbers below it."
      : "Its cells hold words alone.";
    const isTable = grid.length > 2 && wordy.length > 1;
    return failed(
      `No numbers were found. ${why}`,
      isTable ? another("make columns of 0 and 1", { coded: true }) : [],
    );
  }
  if (numeric.length > MOST.columns && rows.length !== numeric.length)
    return failed(
      `The table has ${numeric.length} columns of numbers; the laboratory takes up to ` +
        `${MOST.columns}.`,
    );
  if (rows.length <= MOST.objects) return null;
  const isPoints = rows.length !== numeric.length;
  return failed(
    tooMany(rows.length, "rows"),
    isPoints ? another("take a part of them", { spread: true }) : [],
  );
}

/** A sentence on rows that end before the others do, or null. */
export function raggedness(rows, numeric, name) {
  const width = Math.max(...numeric) + 1;
  const short = rows.findIndex((row) => row.length < width);
  if (short < 0) return null;
  const long = rows.findIndex((row) => row.length >= width);
  const sentence =
    `${name} is ragged: row ${short} has ${rows[short].length} cells, row ${long} has ${width}. ` +
    "Give rows of equal length.";
  return { sentence, entry: null };
}

export function faultOf(kind, table, names, columns) {
  if (kind === "points") return checkPointTable(table, names, columns);
  return (kind === "gram" ? checkGram : checkDissimilarities)(table, names);
}
