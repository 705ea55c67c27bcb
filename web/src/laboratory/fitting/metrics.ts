// Dissimilarities of the rows of a table.

import type { Entry, Matrix, Table } from "../../core/matrix.ts";
import { centredColumns, dot, sumOf, symmetricTable } from "../../core/matrix.ts";
import { leaveOutRows } from "../reading/corrections.ts";
import type { ParsedTable, TextColumn } from "../reading/parsedTable.ts";

/** The metrics: the name of each, when to use it, and the section that explains it. */
export const METRICS = {
  euclidean: { name: "Euclidean", use: "variables in the same unit", section: "B" },
  standardised: {
    name: "Euclidean, unit variance",
    use: "variables in different units",
    section: "B",
  },
  cityblock: {
    name: "Manhattan",
    use: "sums of absolute differences, in which one large difference has less weight",
    section: "negative",
  },
  correlation: {
    name: "correlation",
    use: "profiles whose shape matters, but not their level or size",
    section: "similarity",
  },
  cosine: {
    name: "cosine",
    use: "counts of words whose proportions matter, but not the length of the text",
    section: "similarity",
  },
  braycurtis: {
    name: "Bray\u2013Curtis",
    use: "amounts, such as counts of species: the fraction that two rows do not share",
    section: "negative",
  },
  jaccard: {
    name: "Jaccard",
    use: "presence and absence: the fraction of features that only one of two rows has",
    section: "similarity",
  },
  gower: {
    name: "Gower",
    use: "numbers and words: the mean difference, with each variable scaled to its range",
    section: "negative",
  },
} as const;
export type Metric = keyof typeof METRICS;
type EuclideanMetric = "euclidean" | "standardised";
type OtherMetric = Exclude<Metric, EuclideanMetric>;

/** Return true if a metric is Euclidean, which PCA needs. */
export const hasPoints = (metric: Metric): metric is EuclideanMetric =>
  metric === "euclidean" || metric === "standardised";

/** Distance functions of two rows, as scipy.spatial.distance has them. */
const BETWEEN: Record<Exclude<OtherMetric, "gower">, (x: Matrix, y: Matrix) => number> = {
  cityblock: (x, y) => x.reduce((sum, a, c) => sum + Math.abs(a - y[c]), 0),
  cosine: (x, y) => Math.max(0, 1 - dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y))),
  correlation: (x, y) => BETWEEN.cosine(centredColumns(x, 1), centredColumns(y, 1)),
  braycurtis(x, y) {
    const all = x.reduce((sum, a, c) => sum + a + y[c], 0);
    return all > 0 ? BETWEEN.cityblock(x, y) / all : 0;
  },
  jaccard(x, y) {
    const either = x.filter((a, c) => a !== 0 || y[c] !== 0).length;
    const one = x.filter((a, c) => (a !== 0) !== (y[c] !== 0)).length;
    return either ? one / either : 0;
  },
};

/** Return the rows for which a metric is not defined, what they contain, and which rows these are. */
export function rowsWithoutDissimilarities(by: Metric, rows: Table) {
  const isFlat = (row: number[]) => row.every((x) => x === row[0]);
  const isZero = (row: number[]) => row.every((x) => x === 0);
  const unfit: Partial<Record<Metric, [isUnfit: typeof isFlat, why: string, which: string]>> = {
    braycurtis: [
      (row) => row.some((x) => x < 0),
      "a negative number, but Bray\u2013Curtis compares amounts",
      "with a negative number",
    ],
    cosine: [isZero, "only zeros, so it has no direction", "of zeros only"],
    correlation: [isFlat, "equal numbers only, so it has no correlation", "of equal numbers"],
  };
  const [isUnfit, why, which] = unfit[by] ?? [() => false, "", ""];
  return { left: rows.flatMap((row, i) => (isUnfit(row) ? [i] : [])), why, which };
}

/** Return a button that leaves out the rows for which a metric is not defined. */
export function correctionsForMetric(parsed: ParsedTable, metric: Metric) {
  if (parsed.kind !== "points") return [];
  const { left, which } = rowsWithoutDissimilarities(metric, parsed.table);
  return [leaveOutRows(parsed, left, which) ?? []].flat();
}

/**
 * Return Gower's dissimilarity of two rows: the mean difference over all columns, where numbers are
 * divided by the range of their column and words differ by 0 or 1.
 */
function gowerBetween(rows: Table, texts: TextColumn[]): Entry {
  const p = rows[0].length;
  const ranges = Array.from({ length: p }, (_, c) => {
    const column = rows.map((row) => row[c]);
    return column.reduce((a, b) => Math.max(a, b)) - column.reduce((a, b) => Math.min(a, b));
  });
  return (i, j) => {
    const numbers = sumOf(ranges, (range, c) =>
      range > 0 ? Math.abs(rows[i][c] - rows[j][c]) / range : 0,
    );
    const differ = texts.filter(({ cells }) => cells[i] !== cells[j]).length;
    return (numbers + differ) / (p + texts.length);
  };
}

/** Return the dissimilarities of the rows of a table by a metric that is not Euclidean. */
export function dissimilaritiesBy(metric: OtherMetric, rows: Table, texts: TextColumn[] = []) {
  const { left, why } = rowsWithoutDissimilarities(metric, rows);
  const more = left.length > 1 ? ` (${left.length} such rows in all)` : "";
  if (left.length)
    throw new Error(
      `Row ${left[0]} contains ${why}${more}. Leave it out, or choose another distance than ` +
        `${METRICS[metric].name}.`,
    );
  const X = rows.map((row) => Float64Array.from(row));
  const between: Entry =
    metric === "gower" ? gowerBetween(rows, texts) : (i, j) => BETWEEN[metric](X[i], X[j]);
  return symmetricTable(rows.length, (i, j) => (i === j ? 0 : between(i, j)));
}
