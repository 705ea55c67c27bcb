// Keeping: a reader's own table outlives a reload, in the browser alone.

const KEPT = "laboratory";

/** Keep a reading; false where the browser keeps nothing, or not so much. */
export function keepTable(reading) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(reading));
    return true;
  } catch {
    return false;
  }
}

/** Rows of numbers; what JSON could not write is a number that is missing. */
const withHoles = (table) => table.map((row) => row.map((x) => x ?? NaN));

/** The reading that was kept, or null. */
export function keptTable() {
  try {
    const reading = JSON.parse(localStorage.getItem(KEPT));
    return reading && { ...reading, table: withHoles(reading.table) };
  } catch {
    return null;
  }
}

export function forgetTable() {
  try {
    localStorage.removeItem(KEPT);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
