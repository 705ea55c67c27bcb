// Fit a map of another table, to compare it with the map of the first one.

import { crossTable } from "../core/matrix.ts";
import { cleanChoices, type Given } from "./fitOptions.ts";
import { fitSteps } from "./fits.ts";
import { withoutProgress } from "./generators.ts";
import { isIncomplete } from "./squareTables.ts";
import type { ParsedTable } from "./tableParser.ts";

/** Return the row of each object in another table, by name if both have names, or null. */
function orderIn(names: Names, others: Names, n: number) {
  const inOrder = Array.from({ length: n }, (_, i) => i);
  if (!names || !others || new Set(names).size < n) return inOrder;
  const order = names.map((name) => others.indexOf(name));
  return order.includes(-1) ? null : order;
}

/** Another table, the choices for its map, and the names and the number of the objects. */
type OtherTable = { parsed: ParsedTable; choices: Given; names: Names; count: number };

/** Fit a map to another table of the same objects, in the order of the first table. */
export function* comparisonSteps({ parsed, choices, names, count }: OtherTable) {
  const { kind, table, texts, wrong } = parsed;
  if (wrong) throw new Error(wrong.sentence);
  if (table.length !== count)
    throw new Error(`This table has ${table.length} objects, and the map has ${count}.`);
  const order = orderIn(names, parsed.names, count);
  if (!order) throw new Error("The objects of this table have other names.");
  const cleaned = cleanChoices(choices, kind, count, { incomplete: isIncomplete(table) });
  const { points } = yield* withoutProgress(fitSteps({ kind, table, texts, choices: cleaned }));
  const k = cleaned.dimensions;
  return {
    points: crossTable(count, k, (i, c) => points[order[i] * k + c]),
    order,
    method: cleaned.method,
  };
}
