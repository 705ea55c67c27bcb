// What is read from a text.

import type { Names, Table } from "../../core/matrix.ts";
import type { Fault } from "../../core/validation.ts";
import type { Style } from "./cellNumbers.ts";

export type Kind = "dissimilarities" | "gram" | "points"; // "gram" for similarities
export type Options = { as?: Kind | "auto"; diagonal?: boolean; style?: Style; isTitled?: boolean };
export type TextColumn = { title: string; cells: string[] };
/** A column of words or of numbers; `key` tells it from the others. */
export type Column = { title: string; values?: number[]; cells?: string[]; key?: string };
type Alternative = { words: string; why: string; text: string; options: Options };

/** What was read. A table that a link or the browser stored has no layout and no alternatives. */
export interface ParsedTable {
  kind: Kind | null;
  table: Table;
  names: Names; // the names of the objects
  columns: string[]; // the titles of the columns of numbers
  texts: TextColumn[]; // the columns of words
  groups: string[] | null; // the words of the column that colours the map
  groupTitle?: string;
  layout?: string;
  notes: string[]; // sentences on how the text was read
  changes: string[]; // sentences on what the reader has changed in the table since
  fault: (Fault & { isQuestion?: boolean }) | null; // why there is no map
  alternatives?: Alternative[];
  provenance?: string; // what a corrected table contains, for the Python code
  converted?: boolean; // whether the reader has converted similarities
}

/** A square matrix, which may also be read as `points`, or a table of points. */
export type TableDraft = Partial<ParsedTable> & {
  table: Table;
  isSquare?: boolean;
  isCertain?: boolean;
  hasDiagonal?: boolean;
  points?: TableDraft;
};

/** Return the columns of a table and those that were added from another one. */
export function columnsIn(parsed: ParsedTable, added: Column[] = []) {
  const { kind, table, columns, texts } = parsed;
  const numbers = (kind === "points" ? table[0] : []).map((_, c) => ({
    title: columns[c] || `column ${c + 1}`,
    values: table.map((row) => row[c]),
  }));
  const all: Column[] = [...numbers, ...(texts ?? []), ...added];
  const words = all.filter((each) => each.cells).map((each, c) => ({ ...each, key: `w${c}` }));
  const counts = all.filter((each) => each.values).map((each, c) => ({ ...each, key: `n${c}` }));
  return [...words, ...counts];
}
