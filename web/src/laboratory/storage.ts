// The reader's table, which the browser stores until the reader deletes it.

import type { ParsedTable } from "./tableParser.ts";

type Stored = (number | null)[][]; // rows of numbers, as JSON writes them

const KEY = "laboratory";

/**
 * Return the result of a task, or `otherwise` if the browser has no room or denies storage, which
 * pages of the book then replace.
 */
function withStorage<Value>(task: () => Value, otherwise: Value): Value {
  try {
    return localStorage instanceof Storage ? task() : otherwise;
  } catch {
    return otherwise;
  }
}

/** Store a parsed table, if that is possible. */
export const storeTable = (parsed: ParsedTable) =>
  withStorage(() => localStorage.setItem(KEY, JSON.stringify(parsed)), undefined);

/** Return true for rows of numbers or null of the same length, as many as columns unless points. */
export const isTable = (table: Stored, kind: string) =>
  table.length > 1 &&
  ["dissimilarities", "gram", "points"].includes(kind) &&
  (kind === "points" || table.length === table[0].length) &&
  table.every((row) => row.length === table[0].length) &&
  table.flat().every((x) => x === null || Number.isFinite(x));

/** Replace null, as JSON writes a missing number, by NaN. */
export const withMissing = (table: Stored) => table.map((row) => row.map((x) => x ?? NaN));

/** Return the table that the browser stores, or null. */
export function storedTable(): ParsedTable | null {
  const restored = (parsed: ParsedTable | null) =>
    parsed && { ...parsed, table: withMissing(parsed.table) };
  return withStorage(() => restored(JSON.parse(localStorage.getItem(KEY) ?? "null")), null);
}

export const forgetTable = () => withStorage(() => localStorage.removeItem(KEY), undefined);
