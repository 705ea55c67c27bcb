// Compare the map with another one, which is aligned with it.

import { crossTable } from "../core/matrix.ts";
import { text } from "../ui/text.ts";
import { columnsIn } from "./columns.ts";
import { cleanChoices, type FitChoices, fitChoices, type Given, METHODS } from "./fitOptions.ts";
import { fitSteps } from "./fits.ts";
import { withoutProgress } from "./generators.ts";
import type { Laboratory } from "./laboratory.ts";
import { isIncomplete } from "./squareTables.ts";
import type { ParsedTable } from "./tableParser.ts";
import type { Done } from "./worker.ts";

/** Describe a comparison of two maps. */
export function comparisonWords(
  { mSquared, gaps }: { mSquared: number; gaps: number[] },
  title: string,
  nameOf: NameOf,
): string {
  const far = [...gaps.keys()].sort((i, j) => gaps[j] - gaps[i]).slice(0, 3);
  const farthest = mSquared > 1e-6 ? ` Farthest apart: ${far.map(nameOf).join(", ")}.` : "";
  return (
    `Hollow marks: ${title}, aligned with this map. m\u00b2 = ${text(mSquared, 3)}; 0 means ` +
    `that the maps have the same shape, 1 that they have nothing in common.${farthest}`
  );
}

/** Return the columns of another table of points, in the order of the first table. */
function columnsAdded(parsed: ParsedTable, order: number[]) {
  const table = order.map((i) => parsed.table[i]);
  const texts = parsed.texts.map((each) => ({ ...each, cells: order.map((i) => each.cells[i]) }));
  return parsed.kind === "points" ? columnsIn({ ...parsed, table, texts }) : [];
}

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

/** Compare the map with another one, of a table or of choices. */
export function compareWith(
  lab: Laboratory,
  parsed: ParsedTable,
  title: string,
  given?: FitChoices,
): void {
  const { data, map } = lab;
  if (lab.runner.isRunning() || !map.fit) return;
  const choices = given ?? { ...map.fit.choices, parameter: null };
  const { names, table } = data.parsed;
  const show: Done<"comparison"> = ({ points, order, method }) => {
    map.compareWith({ points, title: `${title}, by ${METHODS[method]}` });
    const isOther = parsed !== data.parsed;
    if (isOther && parsed.kind === "points") data.addColumns(columnsAdded(parsed, order));
    lab.refresh(isOther ? { kept: null } : {});
  };
  lab.part("comparisonError").textContent = "";
  const request = { parsed, choices, names, count: table.length };
  const fail = (why: string) => (lab.part("comparisonError").textContent = why);
  lab.runner.start("comparison", request, show, fail);
}

/** Keep the map that is shown, in the link and to compare the next one with it, or forget it. */
export function keepMap(lab: Laboratory, isKept: boolean) {
  const { fit, shown } = lab.map;
  if (!fit || !shown) return;
  const kept = fitChoices(fit.choices);
  const map = { points: shown.slice(), title: `${KEPT_MAP}, by ${METHODS[kept.method]}` };
  lab.map.compareWith(isKept ? map : null);
  lab.refresh({ kept: isKept ? kept : null });
}

const KEPT_MAP = "the map that was kept";

/** Compute the map that a link says was kept, and compare with it. */
export function compareWithKeptMap(lab: Laboratory) {
  const { kept, dimensions } = lab.choices;
  if (kept?.dimensions === dimensions && !lab.map.other)
    compareWith(lab, lab.data.parsed, KEPT_MAP, kept);
}
