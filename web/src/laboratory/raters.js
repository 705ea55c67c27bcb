// Read several tables of the same objects.

import { crossTable } from "../core/matrix.js";
import { text } from "../ui/text.js";
import { cleanChoices, isPatchy } from "./choices.js";
import { fitJob } from "./fits.js";
import { withoutProgress } from "./generators.js";
import { MOST } from "./limits.js";
import { layoutOf } from "./printed.js";
import { squaresOf } from "./squares.js";
import { failed } from "./tableFaults.js";
import { readTable } from "./tableParser.js";

export const LISTED = 30;

/** The tables of a text, between blank lines or under R's lines like ", , 2": [{ title, text }]. */
function severalTexts(text) {
  const parts = text.replace(/\r\n?/g, "\n").split(/\n\s*\n/);
  const found = [];
  let title = "";
  for (const part of parts.filter((each) => each.trim())) {
    const [, sliced, rest] = part.match(/^\s*(?:, , *(.*)|#+ *(.*))(?:\n|$)/) ?? [];
    title = sliced ?? rest ?? title;
    const own = part.replace(/^\s*, , .*(\n|$)/, "");
    if (!own.replace(/^#.*$/gm, "").trim()) continue;
    found.push({ title: title.trim() || `table ${found.length + 1}`, text: own });
    title = "";
  }
  return found;
}

/** A square table with its objects in another order. */
const reordered = (table, order) => order.map((i) => order.map((j) => table[i][j]));

/** The place of each object in another table, by name if both have names; null if there is none. */
function orderIn(names, others, n, count) {
  if (n !== count) return null;
  const inOrder = Array.from({ length: n }, (_, i) => i);
  if (!names || !others || new Set(names).size < n) return inOrder;
  const order = names.map((name) => others.indexOf(name));
  return order.includes(-1) ? null : order;
}

/** The distance between two tables, relative to the norm of the second. */
function tableDistance(table, from) {
  const gaps = table.map((row, i) => row.map((x, j) => x - from[i][j]));
  const size = squaresOf(from);
  return size > 0 ? Math.sqrt(squaresOf(gaps) / size) : 0;
}

/**
 * Read a text: a table, or several square tables of the same objects, of which the mean is taken.
 */
export function readTables(words, options = {}) {
  const isWhole = words.length > MOST.characters || layoutOf(words).name;
  const parts = isWhole ? [] : severalTexts(words);
  if (parts.length < 2) return readTable(words, options);
  const readings = parts.map(({ text }) => readTable(text, options));
  const [first] = readings;
  const isAlike = ({ kind, table }) => kind === first.kind && table.length === first.table.length;
  const isSquare = first.kind && first.kind !== "points" && first.table.length > 2;
  if (!isSquare || !readings.every(isAlike)) return readTable(words, options);
  const orders = readings.map(({ names, table }) =>
    orderIn(first.names, names, first.table.length, table.length),
  );
  if (orders.includes(null))
    return failed("Several tables were found, and their objects have different names.");
  const at = readings.findIndex(({ wrong }) => wrong);
  if (at >= 0) return failed(`In ${parts[at].title}: ${readings[at].wrong.sentence}`);
  const tables = readings.map(({ table }, j) => reordered(table, orders[j]));
  const raters = parts.map(({ title }, j) => ({ title, table: tables[j] }));
  return meanOf(first, raters);
}

/** The reading of the mean of several tables. */
function meanOf(first, raters) {
  const table = first.table.map((row, i) =>
    row.map((_, j) => raters.reduce((sum, rater) => sum + rater.table[i][j], 0) / raters.length),
  );
  const made = `the mean of ${raters.length} tables`;
  return { ...first, table, raters, made, again: [], changes: [`This is ${made}.`] };
}

/** Describe the distance of each table from the mean, the largest first. */
export function raterWords({ raters, table }) {
  if (!raters) return "";
  const far = raters
    .map(({ title, table: own }) => [title, tableDistance(own, table)])
    .sort(([, a], [, b]) => b - a);
  const listed = far.slice(0, LISTED).map(([title, part]) => `${title} ${text(100 * part, 0)}%`);
  const more = far.length > LISTED ? `, and ${far.length - LISTED} more` : "";
  return (
    "Distance of each table from the mean, relative to the norm of the mean, the largest " +
    `first: ${listed.join(", ")}${more}. Models with weights for each rater, such as INDSCAL, ` +
    "are not fitted."
  );
}

/** The map of another reading of the same objects, in the order of the first. */
export function* otherJob({ reading, choices, names, count }) {
  const { kind, table, texts, wrong } = reading;
  if (wrong) throw new Error(wrong.sentence);
  const order = orderIn(names, reading.names, count, table.length);
  if (!order && table.length === count)
    throw new Error("The objects of this table have other names.");
  if (!order) throw new Error(`This table has ${table.length} objects, and the map has ${count}.`);
  const cleaned = cleanChoices(choices, kind, count, { patchy: isPatchy(table) });
  const { points } = yield* withoutProgress(fitJob({ kind, table, texts, choices: cleaned }));
  const k = cleaned.dimensions;
  return {
    points: crossTable(count, k, (i, c) => points[order[i] * k + c]),
    order,
    method: cleaned.method,
  };
}
