// The reader's table, kept in this browser over a reload.

const KEPT = "laboratory";

/** What a task gives, or else something, where the browser keeps nothing, or not so much. */
function ifKept(task, otherwise) {
  try {
    return task();
  } catch {
    return otherwise;
  }
}

/** Keep a reading, and say whether it is kept. */
export const keepTable = (reading) =>
  ifKept(() => localStorage.setItem(KEPT, JSON.stringify(reading)) ?? true, false);

/** Rows of numbers; what JSON could not write is a number that is missing. */
export const withHoles = (table) => table.map((row) => row.map((x) => x ?? NaN));

/** The reading that was kept, or null. */
export function keptTable() {
  // A reading without notes was kept by an older version.
  const restored = (reading) =>
    reading?.notes ? { ...reading, table: withHoles(reading.table) } : null;
  return ifKept(() => restored(JSON.parse(localStorage.getItem(KEPT))), null);
}

export const forgetTable = () => ifKept(() => localStorage.removeItem(KEPT));
