// What the tests ask the laboratory. Their inputs come from JSON.

import { fromRows, productOfRows, toRows } from "../../web/src/core/matrix.ts";
import { rawStress } from "../../web/src/core/stress.ts";
import * as comparison from "../../web/src/laboratory/fitting/comparison.ts";
import { cleanChoices, methodsFor } from "../../web/src/laboratory/fitting/fitOptions.ts";
import { fitSteps, type LaboratoryFit } from "../../web/src/laboratory/fitting/fits.ts";
import { runToEnd } from "../../web/src/laboratory/fitting/generators.ts";
import { alignWithShown, rotationMatrix } from "../../web/src/laboratory/fitting/mapRotations.ts";
import { correctionsForMetric, type Metric } from "../../web/src/laboratory/fitting/metrics.ts";
import { arrowsOf, groupsBy } from "../../web/src/laboratory/map/columns.ts";
import { csvOf, pointsCsv, tableCsv } from "../../web/src/laboratory/page/csv.ts";
import * as messages from "../../web/src/laboratory/page/messages.ts";
import { notebookOf, pythonCode } from "../../web/src/laboratory/page/pythonCode.ts";
import { correctionsOf } from "../../web/src/laboratory/reading/corrections.ts";
import { columnsIn, type ParsedTable } from "../../web/src/laboratory/reading/parsedTable.ts";
import { isIncomplete } from "../../web/src/laboratory/reading/squareTables.ts";
import { readTable } from "../../web/src/laboratory/reading/tableParser.ts";
import type { Rotation } from "../../web/src/ui/mapRotation.ts";

type Parsed = Pick<ParsedTable, "kind" | "table"> & Partial<ParsedTable>;

export const link = (_: string, words: string) => words;

function requestOf({ kind, table, texts = [] }: Parsed, asked = {}, about = {}) {
  return { kind, table, texts, choices: cleanChoices(asked, kind, table.length, about) };
}

export function fitted(parsed: Parsed, asked = {}, about = {}): LaboratoryFit {
  return runToEnd(fitSteps(requestOf(parsed, asked, about)));
}

/** Return a fit with the table and the Python code that the page saves. */
export function withFiles(parsed: ParsedTable, asked = {}, about = {}) {
  const fit = fitted(parsed, asked, about);
  const csv = tableCsv(parsed, fit.choices);
  return { ...parsed, ...fit, csv, python: pythonCode(parsed, fit.choices) };
}

function withWords(parsed: ParsedTable, asked: object) {
  const { table, names } = parsed;
  try {
    const fit = fitted(parsed, asked);
    const { plain, html } = messages.report(fit, parsed, "", link);
    const verdict = Object.values(messages.verdictOf(fit, link)).flat();
    const words = [plain + html, messages.dimensionWords(fit, link), ...verdict].join(" ");
    const [python, saved] = [pythonCode(parsed, fit.choices), pointsCsv(fit, names)];
    const csv = csvOf(table[0].map(String), names, table);
    return { ...fit, n: table.length, words, python, csv, saved };
  } catch (error) {
    return { error: String(error) };
  }
}

/** Fit a table by all methods with their options, in two and three dimensions. */
export function fitAll(name: string, text: string, options: Record<string, object[]>) {
  const parsed = readTable(text);
  const choices = methodsFor(parsed.kind).flatMap((method) =>
    options[method].flatMap((option) =>
      [2, 3].map((dimensions) => ({ method, dimensions, ...option })),
    ),
  );
  return choices.map((asked) => ({ ...withWords(parsed, asked), name, asked }));
}

/** Return whether the verdict on a fit by stress says that no map is exact. */
export function isExcluded(text: string, transform: string) {
  const parsed = readTable(text);
  const about = { incomplete: isIncomplete(parsed.table) };
  const fit = fitted(parsed, { method: "stress", transform }, about);
  return JSON.stringify(messages.verdictOf(fit, link)).includes("No map");
}

export function fitWithMissing(text: string) {
  const parsed = correctionsOf(readTable(text))[0].apply();
  return withFiles(parsed, { method: "classical" }, { incomplete: true });
}

/** Minimise the stress, and return the fit with the raw stress of each step. */
export function descend(table: number[][], transform: string) {
  const request = requestOf({ kind: "dissimilarities", table }, { method: "stress", transform });
  const maps = fitSteps(request) as Iterable<LaboratoryFit>;
  const losses = Array.from(maps, ({ points }) => rawStress(points, 2, fromRows(table)));
  return { ...runToEnd(fitSteps(request)), losses };
}

export function leaveOneOut(parsed: Parsed, asked: object) {
  const { points } = fitted(parsed, asked);
  return runToEnd(comparison.stabilitySteps({ request: requestOf(parsed, asked), points }));
}

export function permute(parsed: Parsed) {
  const request = requestOf(parsed, { method: "classical" });
  const tables = [...comparison.permutedTables(request)];
  return { ...runToEnd(comparison.chanceSteps(request)), tables };
}

export function errorWords(table: number[][]) {
  const fit = fitted({ kind: "dissimilarities", table }, { method: "classical" });
  return [null, 0].map((i) => messages.nearWords(fit, i, String, "km"));
}

/** Rotate points, and return the matrix of the rotation and the rotation that is recovered. */
export function recoverRotation(Y: number[][], R: number[][], k: number, rotation: Rotation) {
  const [points, Q] = [fromRows(Y).slice(0, 10 * k), rotationMatrix(rotation, k)];
  const shown = fromRows(productOfRows(toRows(points, k), toRows(Q, k)));
  return [Q, alignWithShown(points, k, shown, { filled: k, R }).rotation];
}

export function saveRotated(text: string, library: string, asked: object) {
  const parsed = readTable(text, { as: "points" });
  const { points, ...fit } = fitted(parsed, { method: "classical", ...asked });
  const k = fit.choices.dimensions;
  const Q = toRows(rotationMatrix(fit.choices.rotation, k), k);
  const rotated = fromRows(productOfRows(toRows(points, k), Q));
  const code = pythonCode(parsed, fit.choices, { axesUsed: fit.axesUsed, library });
  const csv = tableCsv(parsed);
  const saved = pointsCsv({ points, ...fit }, null, rotated);
  return { code, csv, saved, notebook: notebookOf(csv, code, library) };
}

export function drawArrows(text: string) {
  const parsed = readTable(text);
  const fit = withFiles(parsed, { method: "pca", arrows: true });
  return { ...fit, arrows: arrowsOf(fit.points, 2, columnsIn(parsed)) };
}

export function groupByValue(values: number[]) {
  const { names, groupOf } = groupsBy({ title: "", values });
  return { names, groups: values.map((_, i) => groupOf(i)) };
}

/** Read a text, and press buttons that correct the table. */
export function readAndCorrect(text: string, press: string[] = [], metric: Metric = "euclidean") {
  const first = readTable(text);
  let last = first;
  for (const button of press) {
    const offered = [...correctionsOf(last), ...correctionsForMetric(last, metric)];
    last = offered.find(({ words }) => words === button)?.apply() ?? last;
  }
  return { first, last };
}

/** Save a table without and with names of its objects, and read both files. */
export function readAgain(text: string) {
  const { table, columns } = readTable(text);
  const header = table[0].map((_, c) => columns[c] || `x${c + 1}`);
  const years = table.map((_, i) => String(1990 + i));
  return [null, years].map((names) => [table, readTable(csvOf(header, names, table))]);
}

/** Return notes on how a text was read, the head of the verdict, and the report. */
export function reportOn(text: string) {
  const parsed = readTable(text);
  const fit = fitted(parsed);
  const report = messages.report(fit, parsed, "", link).html + messages.dimensionWords(fit, link);
  return [parsed.notes, messages.verdictOf(fit, link).head, report];
}
