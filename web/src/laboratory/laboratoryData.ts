// The table that the laboratory has read.

import { type Column, columnsIn } from "./columns.ts";
import type { Choices, Orientation } from "./fitOptions.ts";
import { rejected } from "./tableFaults.ts";
import type { Options, ParsedTable } from "./tableParser.ts";

type About = { name?: string; what?: string; unit?: string; note?: string }; // a text
export type Origin = About & Options & { orientation?: Orientation | null }; // and its use

/** The table that was read, its origin, and the columns that a second table adds. */
export class LaboratoryData {
  parsed: ParsedTable = rejected("No text was read."); // the table, or its fault
  meta = { name: "", what: "", unit: "" }; // what is measured; own data have no name
  source: [string, Origin] | null = null; // arguments of readText, to read it again
  addedColumns: Column[] = []; // columns of a second table

  /** Set what is measured, and how to read the table again if it is a text. */
  setOrigin({ name = "", what = "", unit = "" }: Origin, source: [string, Origin] | null = null) {
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
