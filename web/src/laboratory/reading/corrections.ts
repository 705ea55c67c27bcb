// Corrections of a table, which the laboratory makes on request.

import type { Table } from "../../core/matrix.ts";
import { components } from "../../core/neighborGraph.ts";
import { plural, readableNumber, someOf } from "../../ui/text.ts";
import { LIMITS } from "./limits.ts";
import type { ParsedTable } from "./parsedTable.ts";
import {
  isClose,
  isIncomplete,
  largestKnown,
  skewShare,
  withZeroDiagonal,
} from "./squareTables.ts";
import { faultOf } from "./tableFaults.ts";
import { readTable } from "./tableParser.ts";

export type Correction = { words: string; why: string; apply: () => ParsedTable }; // a button
type Changes = Partial<ParsedTable> & { checked?: Table }; // `checked` has no gaps
type CorrectionSpec = { words: string; changes: Changes; done: string; why?: string };

/** Return the rows to leave out until no number is missing; in a matrix, the emptiest one first. */
function rowsToLeave({ kind, table }: ParsedTable) {
  if (kind === "points") return table.flatMap((row, i) => (row.every(Number.isFinite) ? [] : [i]));
  const left: number[] = [];
  for (;;) {
    const kept = table.flatMap((_, i) => (left.includes(i) ? [] : [i]));
    const missing = kept.map(
      (i) => kept.filter((j) => ![table[i][j], table[j][i]].every(Number.isFinite)).length,
    );
    const most = Math.max(0, ...missing);
    if (most === 0) return left.sort((i, j) => i - j);
    left.push(kept[missing.indexOf(most)]);
  }
}

/** Change a parsed table, add a sentence on the change, and check the new table. */
function corrected(parsed: ParsedTable, changes: Changes, done: string): ParsedTable {
  const changed = { ...parsed, ...changes, changes: [...parsed.changes, done], alternatives: [] };
  return { ...changed, fault: faultOf({ ...changed, table: changes.checked ?? changed.table }) };
}

function correction(parsed: ParsedTable, spec: CorrectionSpec): Correction {
  const { words, changes, done, why = "" } = spec;
  return { words, why, apply: () => corrected(parsed, changes, done) };
}

/** Leave out rows, and their columns in a matrix; return null if fewer than three rows remain. */
export function leaveOutRows(
  parsed: ParsedTable,
  left = rowsToLeave(parsed),
  which = "with missing values",
): Correction | null {
  const { kind, table, names, groups, texts } = parsed;
  const kept = table.flatMap((_, i) => (left.includes(i) ? [] : [i]));
  if (!left.length || kept.length < 3) return null;
  const changes = {
    table: kept.map((i) => (kind === "points" ? table[i] : kept.map((j) => table[i][j]))),
    names: kept.map((i) => names?.[i] ?? String(i)),
    groups: groups && kept.map((i) => groups[i]),
    texts: texts.map(({ title, cells }) => ({ title, cells: kept.map((i) => cells[i]) })),
  };
  const count = plural(left.length, "row");
  const listed = someOf(left.map((i) => names?.[i] ?? `row ${i}`));
  const done = `${count} ${which} ${left.length > 1 ? "were" : "was"} left out: ${listed}.`;
  return correction(parsed, { words: `leave out ${count}`, changes, done });
}

/** Replace missing numbers by the mean of their column; return null if a column has no numbers. */
function fillInMeans(parsed: ParsedTable) {
  const { kind, table } = parsed;
  if (kind !== "points") return null;
  const columns = table[0].map((_, c) => table.map((row) => row[c]).filter(Number.isFinite));
  const missing = columns.reduce((sum, column) => sum + table.length - column.length, 0);
  if (!missing || columns.some((column) => !column.length)) return null;
  const means = columns.map((column) => column.reduce((sum, x) => sum + x / column.length, 0));
  const filled = table.map((row) => row.map((x, c) => (Number.isFinite(x) ? x : means[c])));
  const count = plural(missing, "missing value was", "missing values were");
  const done = `${count} replaced by the mean of the column.`;
  const words = "fill in the mean of the column";
  return correction(parsed, { words, changes: { table: filled }, done });
}

/** Set the diagonal of dissimilarities to 0; return null if it is 0 or other values are missing. */
function clearDiagonal(parsed: ParsedTable) {
  const [{ kind, table }, cleared] = [parsed, withZeroDiagonal(parsed.table)];
  if (kind !== "dissimilarities" || isIncomplete(cleared) || table.every((row, i) => row[i] === 0))
    return null;
  const changes = { table: cleared, provenance: "your D with zeros on its diagonal" };
  const [words, done] = ["set the diagonal to 0", "The diagonal was set to 0."];
  return correction(parsed, { words, changes, done });
}

/** Average the two directions of a matrix; return null if they agree or a number is missing. */
function averageDirections(parsed: ParsedTable) {
  const { kind, table } = parsed;
  if (kind === "points" || table.some((row) => !row.every(Number.isFinite))) return null;
  const share = skewShare(table);
  if (table.every((row, i) => row.every((x, j) => isClose(x, table[j][i])))) return null;
  const why = `The skew-symmetric part has ${readableNumber(100 * share, 3)}% of the sum of squares.`;
  const mean = table.map((row, i) => row.map((x, j) => x / 2 + table[j][i] / 2));
  const done = `Both directions were averaged. ${why}`;
  const changes = { table: mean, provenance: "(D + D.T) / 2 of your D" };
  return correction(parsed, { words: "average both directions", changes, done, why });
}

/** Replace missing entries by those of the other direction, or by 0 on the diagonal. */
const withOtherDirection = (table: Table) =>
  table.map((row, i) => row.map((x, j) => (Number.isNaN(x) ? (i === j ? 0 : table[j][i]) : x)));

/** Return true if known numbers connect all objects. */
function isConnected(table: Table) {
  const neighborsIn = (row: number[]) => row.flatMap((x, j) => (Number.isNaN(x) ? [] : [j]));
  return components(withOtherDirection(table).map(neighborsIn)).length === 1;
}

/** Fit the known pairs by stress; return null if none is missing or they do not connect all. */
function fitKnownPairs(parsed: ParsedTable) {
  const { kind, table } = parsed;
  const n = table.length;
  if (kind !== "dissimilarities" || n < 3 || n > LIMITS.withoutLandmarks) return null;
  const either = withOtherDirection(table);
  const missing = either.flat().filter(Number.isNaN).length / 2;
  if (!isConnected(table) || (!missing && !isIncomplete(withZeroDiagonal(table)))) return null;
  const largest = Math.max(0, largestKnown(either));
  const checked = either.map((row) => row.map((x) => (Number.isNaN(x) ? largest : x)));
  const pairs = (n * (n - 1)) / 2;
  const words = missing ? "fit by stress without them" : "take the direction that is there";
  const done = missing
    ? `${missing} of ${pairs} dissimilarities ${missing === 1 ? "is" : "are"} missing. Only ` +
      `stress can be computed without them.`
    : "Where one direction was missing, the other one was used for both.";
  return correction(parsed, { words, changes: { table: either, checked }, done });
}

/** Return the corrections of a table, and other ways to read its text. */
export function correctionsOf(parsed: ParsedTable): Correction[] {
  const { fault, table } = parsed;
  const alternatives = (parsed.alternatives ?? []).map(({ words, why, text, options }) => {
    return { words, why, apply: () => readTable(text, options) };
  });
  const isRagged = parsed.kind !== "points" && table.some((row) => row.length !== table.length);
  if (!table.length || (fault && isRagged)) return alternatives;
  const codes = codeCorrections(parsed);
  if (!fault)
    return [...alternatives, ...codes, ...summaryCorrections(parsed), ...likelyConversions(parsed)];
  const no = { words: "no, they are dissimilarities", changes: {}, done: "" };
  if (fault.isQuestion) return [...conversionsOf(parsed), correction(parsed, no)];
  return [...alternatives, ...(codes.length ? codes : correctionsOfFault(parsed))];
}

/** Return the corrections of a table with a fault at one of its entries. */
function correctionsOfFault(parsed: ParsedTable) {
  const { kind, table } = parsed;
  const note = table.some((row) => row.some((x) => Math.abs(x) === Infinity))
    ? "Infinite entries count as missing."
    : "";
  const finite = table.map((row) => row.map((x) => (Math.abs(x) === Infinity ? NaN : x)));
  const known = { ...parsed, table: finite, changes: [...parsed.changes, note].filter(Boolean) };
  const ways = [fitKnownPairs, leaveOutRows, fillInMeans, averageDirections, clearDiagonal];
  const why = kind === "dissimilarities" ? correlationWords(known) : "";
  return [...ways.flatMap((way) => way(known) ?? []), ...(why ? conversionsOf(known, why) : [])];
}

type Convert = (s: number, top: number) => number;
/** Conversions of similarities: the library's name, the words of a button, the largest value. */
const CONVERSIONS: { how: string; words: string; convert: Convert; most?: number }[] = [
  { how: "max-minus", words: "max \u2212 s", convert: (s, top) => top - s },
  { how: "one-minus", words: "1 \u2212 s", convert: (s) => 1 - s, most: 1 },
  { how: "gram", words: "\u221a(2 \u2212 2s)", convert: (s) => Math.sqrt(2 - 2 * s), most: 1 },
];

/** Convert similarities to dissimilarities, with zeros on the diagonal. */
function converted(table: Table, { convert }: (typeof CONVERSIONS)[0]) {
  const top = largestKnown(table);
  return table.map((row, i) => row.map((s, j) => (i === j ? 0 : convert(s, top))));
}

/** Return a button for each conversion of similarities to dissimilarities. */
function conversionsOf(parsed: ParsedTable, why = "") {
  const [isGram, { table }] = [parsed.kind === "gram", parsed];
  const most = largestKnown(table.map((row, i) => row.filter((_, j) => i !== j)));
  const isFitting = ({ how, most: top = Infinity }: (typeof CONVERSIONS)[0]) =>
    !(isGram && how === "gram") && !(most > top);
  return CONVERSIONS.filter(isFitting).map((conversion, index) => {
    const { how, words } = conversion;
    const done = `The values s were read as similarities, and each was converted to ${words}.`;
    const ones = how === "gram" ? " with ones on its diagonal" : "";
    const provenance = `similarities_to_dissimilarities(S, "${how}") of your S${ones}`;
    const changes: Changes = { kind: "dissimilarities", provenance, converted: true };
    return {
      words: `${isGram ? "distances" : "similarities"}: ${words}`,
      why: index === 0 ? why : "",
      apply: () => corrected(parsed, { ...changes, table: converted(table, conversion) }, done),
    };
  });
}

/** Return conversions for a table without faults if it has similarities or perhaps correlations. */
function likelyConversions(parsed: ParsedTable) {
  const { kind, table, converted: isDone } = parsed;
  if (kind === "points" || isDone || isIncomplete(table)) return [];
  const why = correlationWords(parsed);
  return why || kind === "gram" ? conversionsOf(parsed, why) : [];
}

/** Ask whether the numbers are correlations, or return an empty text. */
function correlationWords({ kind, table }: ParsedTable) {
  const values = table.flatMap((row, i) => row.filter((_, j) => i !== j));
  const isWithin = values.every((x) => Math.abs(x) <= 1) && values.some((x) => x !== 0);
  if (!isWithin) return "";
  const means =
    kind === "gram"
      ? "Classical scaling then computes distances from them; a button converts them in another way."
      : "Then a large number means similar.";
  const isUnit = table.every((row, i) => row[i] === 1) && values.some((x) => x < 0);
  const why = isUnit ? "the diagonal is 1 and some are negative" : "all are between \u22121 and 1";
  return `Are these numbers correlations? They may be, because ${why}. ${means}`;
}

/** Ask whether a number such as -99, far from all others, or -1 means that a value is missing. */
function codeCorrections(parsed: ParsedTable) {
  const { table, kind } = parsed;
  const off = table.flatMap((row, i) => row.filter((_, j) => kind === "points" || i !== j));
  const isFar = (x: number, y: number) => y === x || (x < 0 ? y >= 0 : 2 * Math.abs(y) <= x);
  const isCode = (x: number) =>
    /^(-?9{1,5}|10{3,})$/.test(String(x)) || (x === -1 && off.some((y) => y > 1));
  const code = off.find((x) => isCode(x) && off.every((y) => Number.isNaN(y) || isFar(x, y)));
  if (code === undefined || off.every((y) => y === code)) return [];
  const holes = table.map((row) => row.map((x) => (x === code ? NaN : x)));
  const reason = code < 0 ? "No other value is negative." : "It is far from all other values.";
  const why = `Does ${readableNumber(code)} mean that a value is missing? ${reason}`;
  const done = `${readableNumber(code)} was read as a missing value.`;
  const words = `${readableNumber(code)} is missing`;
  return [correction(parsed, { words, changes: { table: holes }, done, why })];
}

/** Ask whether the last row of a table of points is the sum or the mean of the others. */
function summaryCorrections(parsed: ParsedTable) {
  const name = parsed.names?.at(-1) ?? "";
  if (parsed.kind !== "points" || !/^(grand )?(totals?|sums?|means?|average)$/i.test(name))
    return [];
  const offer = leaveOutRows(parsed, [parsed.table.length - 1], "with a sum or mean");
  return offer ? [{ ...offer, why: `Is \u201c${name}\u201d an object? It was read as one.` }] : [];
}
