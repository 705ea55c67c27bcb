// Tables and maps as CSV.

import { type Names, toRows } from "../../core/matrix.ts";
import { axesOf } from "../fitting/fitOptions.ts";
import type { LaboratoryFit } from "../fitting/fits.ts";
import type { ParsedTable } from "../reading/parsedTable.ts";

/** Return the table as CSV; Gower’s metric also uses words. */
export function tableCsv(
  { kind, table, columns, names, texts = [] }: ParsedTable,
  { metric = "" } = {},
) {
  const objects = table.map((_, i) => names?.[i] ?? String(i));
  if (kind !== "points") return csvOf(objects, names, table);
  const numbers = table[0].map((_, c) => columns[c] || `x${c + 1}`);
  const more = metric === "gower" ? texts : [];
  const rows = table.map((row, i) => [...row, ...more.map(({ cells }) => cells[i])]);
  return csvOf([...numbers, ...more.map(({ title }) => title)], names, rows);
}

/** Return a table as CSV, with names and numbers written in full. */
export function csvOf(header: string[], names: Names, rows: ArrayLike<string | number>[]): string {
  const quoted = (x: string) => (/[",\n]/.test(x) ? `"${x.replace(/"/g, '""')}"` : x);
  const lines = rows.map((row, i) =>
    [quoted(names?.[i] ?? String(i)), ...Array.from(row, (cell) => quoted(String(cell)))].join(","),
  );
  return `${[["name", ...header].map(quoted).join(","), ...lines].join("\n")}\n`;
}

/** Return the points of a map as CSV, with a column for each axis on which they differ. */
export function pointsCsv(fit: LaboratoryFit, names: Names, points = fit.points): string {
  const k = axesOf(fit);
  const rows = toRows(points, fit.choices.dimensions).map((row) => row.slice(0, k));
  const header = Array.from({ length: k }, (_, c) => `y${c + 1}`);
  return csvOf(header, names, rows);
}
