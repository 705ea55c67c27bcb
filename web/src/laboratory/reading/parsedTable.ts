// What is read from a text.

import type { Names, Table } from "../../core/matrix.ts";
import type { Fault } from "../../core/validation.ts";
import type { Style } from "./cellNumbers.ts";

export type Kind = "dissimilarities" | "gram" | "points"; // "gram" for similarities
export type Options = { as?: Kind | "auto"; diagonal?: boolean; style?: Style; isTitled?: boolean };
export type TextColumn = { title: string; cells: string[] };
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
