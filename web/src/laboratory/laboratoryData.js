// The table that the laboratory has read.

import { columnsIn } from "./columns.js";
import { rejected } from "./tableFaults.js";

/** @import { Column } from "./columns.js" */
/** @import { Orientation } from "./fitOptions.js" */
/** @import { Options, ParsedTable } from "./tableParser.js" */
/** @typedef {{ name?: string, what?: string, unit?: string, note?: string }} About  a text */
/** @typedef {About & Options & { orientation?: Orientation | null }} Origin  and its use */

/** The table that was read, its origin, and the columns that a second table adds. */
export class LaboratoryData {
  parsed = /** @type {ParsedTable} */ (rejected("No text was read.")); // the table, or its fault
  meta = { name: "", what: "", unit: "" }; // what is measured; own data have no name
  source = /** @type {[string, Origin] | null} */ (null); // arguments of readText, to read it again
  addedColumns = /** @type {Column[]} */ ([]); // columns of a second table

  /** Set what is measured, and how to read the table again if it is a text.
   * @param {Origin} origin @param {[string, Origin] | null} source */
  setOrigin({ name = "", what = "", unit = "" }, source = null) {
    this.meta = { name, what, unit };
    this.source = source;
  }

  open(/** @type {ParsedTable} */ parsed) {
    this.parsed = parsed;
    this.addedColumns = [];
  }

  addColumns(/** @type {Column[]} */ columns) {
    this.addedColumns = columns;
  }

  columns() {
    return columnsIn(this.parsed, this.addedColumns);
  }

  nameOf = (/** @type {number} */ i) => this.parsed.names?.[i] ?? `row ${i}`;
}
