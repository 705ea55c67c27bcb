// The table that the laboratory has read.

import { type Column, columnsIn, type Options, type ParsedTable } from "../reading/parsedTable.ts";
import { rejected } from "../reading/tableFaults.ts";
import type { Choices, Orientation } from "./fitOptions.ts";

type Description = { name?: string; what?: string; unit?: string; note?: string };
/** What a text describes, how to read it, and how to orient its map. */
export type TextOptions = Description & Options & { orientation?: Orientation | null };

/** The table that was read, its origin, and the columns that a second table adds. */
export class LaboratoryData {
  parsed: ParsedTable = rejected("No text was read."); // the table, or its fault
  meta = { name: "", what: "", unit: "" }; // what is measured; own data have no name
  source: [string, TextOptions] | null = null; // arguments of readText, to read it again
  addedColumns: Column[] = []; // columns of a second table

  /** Set what is measured, and how to read the table again if it is a text. */
  setSource(options: TextOptions, source: [string, TextOptions] | null = null) {
    const { name = "", what = "", unit = "" } = options;
    this.meta = { name, what, unit };
    this.source = source;
  }

  open(parsed: ParsedTable) {
    this.parsed = parsed;
    this.addedColumns = [];
  }

  /** Return what a fit with some choices needs. */
  request(choices: Choices) {
    const { kind, table, texts } = this.parsed;
    return { kind, table, texts, choices };
  }

  columns() {
    return columnsIn(this.parsed, this.addedColumns);
  }

  nameOf = (i: number) => this.parsed.names?.[i] ?? `row ${i}`;
}
