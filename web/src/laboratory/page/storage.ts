// The reader's table, which the browser stores until the reader deletes it.

import type { Kind, ParsedTable } from "../reading/parsedTable.ts";

type Stored = (number | null)[][]; // rows of numbers, as JSON writes them
export type OwnTable = { kind: Kind; table: Stored; names: string[]; groups: string[] };

const KEY = "laboratory";

/** Return true for rows of numbers or null of the same length, as many as columns unless points. */
const isTable = (table: Stored, kind: string) =>
  table.length > 1 &&
  ["dissimilarities", "gram", "points"].includes(kind) &&
  (kind === "points" || table.length === table[0].length) &&
  table.every((row) => row.length === table[0].length) &&
  table.flat().every((x) => x === null || Number.isFinite(x));

/** Replace null, as JSON writes a missing number, by NaN. */
const withMissing = (table: Stored) => table.map((row) => row.map((x) => x ?? NaN));

/** Return the reader's table in the traits of a model, or null if it is not there. */
export function tableInTraits({ kind, table, names, groups }: OwnTable): ParsedTable | null {
  if (!isTable(table, kind)) return null;
  return {
    kind,
    table: withMissing(table),
    names: names.length ? names : null,
    groups: groups.length ? groups : null,
    groupTitle: groups.length ? "group" : "",
    columns: [],
    texts: groups.length ? [{ title: "group", cells: groups }] : [],
    notes: [],
    changes: [],
    fault: null,
  };
}

/** The table that the browser stores, which it does on the site only. */
export class StoredTable {
  onSite: boolean;
  buttons: HTMLElement[]; // show the table, and delete it

  constructor(onSite: boolean, buttons: HTMLElement[]) {
    this.onSite = onSite;
    this.buttons = buttons;
  }

  /**
   * Return the result of a task, or null if the browser has no room or denies storage, which pages
   * of the book then replace.
   */
  attempt<Value>(task: () => Value): Value | null {
    try {
      return this.onSite && localStorage instanceof Storage ? task() : null;
    } catch {
      return null;
    }
  }

  /** Return the table, or null. */
  read(): ParsedTable | null {
    const restored = (parsed: ParsedTable | null) =>
      parsed && { ...parsed, table: withMissing(parsed.table) };
    return this.attempt(() => restored(JSON.parse(localStorage.getItem(KEY) ?? "null")));
  }

  /** Store a table, if one is given and that is possible; offer to show and delete what is stored. */
  write(parsed: ParsedTable | null) {
    if (parsed) this.attempt(() => localStorage.setItem(KEY, JSON.stringify(parsed)));
    const isStored = this.read() !== null;
    for (const button of this.buttons) button.hidden = !isStored;
  }

  remove() {
    this.attempt(() => localStorage.removeItem(KEY));
    this.write(null);
  }
}
