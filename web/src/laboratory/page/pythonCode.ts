// Python code and a notebook that compute the same map.

import type { Rotation } from "../../ui/mapRotation.ts";
import type { Choices } from "../fitting/fitOptions.ts";
import { landmarkStep } from "../fitting/fits.ts";
import { NO_ROTATION } from "../fitting/mapRotations.ts";
import { hasPoints, type Metric } from "../fitting/metrics.ts";
import { LANDMARKS, LIMITS } from "../reading/limits.ts";
import type { ParsedTable } from "../reading/parsedTable.ts";
import { isIncomplete } from "../reading/squareTables.ts";

/** The lines of Python that fit the columns of X to the map. */
const ARROW_LINES = [
  "A = np.column_stack([np.ones(len(points)), points])",
  "grown = A @ np.linalg.lstsq(A, X, rcond=None)[0]",
  "r_squared = grown.var(axis=0) / X.var(axis=0)",
];

/** Return the imports and the lines of Python that compute D from X, and from columns of words. */
function metricLines(metric: Metric, wordsFrom = 0) {
  if (metric === "gower") {
    const lines = [
      "ranges = np.where(np.ptp(X, axis=0) > 0, np.ptp(X, axis=0), 1)",
      "gaps = [abs(np.subtract.outer(x, x)) / r for x, r in zip(X.T, ranges)]",
    ];
    if (wordsFrom)
      lines.push(
        `words = np.array([row[${wordsFrom + 1}:] for row in rows])`,
        "gaps += [np.not_equal.outer(w, w) for w in words.T]",
      );
    return [[], [...lines, "D = np.mean(gaps, axis=0)"]];
  }
  const of = metric === "jaccard" ? "X != 0" : "X";
  return [
    ["from scipy.spatial.distance import pdist, squareform"],
    [`D = squareform(pdist(${of}, "${metric}"))`],
  ];
}

/** Return the lines of Python that rotate the points of a fit as on the page. */
function rotationLines([degrees, sign]: Rotation, k: number, axesUsed: number): string[] {
  if (axesUsed === 0 || (degrees === 0 && sign === 1)) return ["points = fit.points"];
  if (axesUsed === 1) return [`points = ${k === 2 && degrees === 0 ? "" : "-"}fit.points`];
  if (k === 3) return [`points = fit.points * ${axesUsed === 2 ? "[-1, 1]" : "[-1, 1, 1]"}`];
  const signs = sign === 1 ? ["-sine", "cosine"] : ["sine", "-cosine"];
  return [
    `sine, cosine = np.sin(np.radians(${degrees})), np.cos(np.radians(${degrees}))`,
    `points = fit.points @ [[cosine, ${signs[0]}], [sine, ${signs[1]}]]`,
  ];
}

/** Return a notebook that installs the library, contains the table and computes the map. */
export function notebookOf(csv: string, code: string, library = "") {
  const lines = (words: string) => words.match(/.*\n|.+$/g) ?? [];
  const cell = (source: string) => ({
    cell_type: "code",
    execution_count: null,
    metadata: {},
    outputs: [],
    source: lines(source.trimEnd()),
  });
  const install = `%pip install --quiet "${library}"`;
  const needed = `try:\n    import kmds_lib\nexcept ImportError:\n    ${install}`;
  const alone = code.replace(/^# pip install.*\n/, "");
  const title = { cell_type: "markdown", metadata: {}, source: ["# A map of my table"] };
  const sources = [needed, `%%writefile table.csv\n${csv}`, alone, "points"];
  return JSON.stringify({
    cells: [title, ...sources.map(cell)],
    metadata: {
      kernelspec: { display_name: "Python 3", language: "python", name: "python3" },
      language_info: { name: "python" },
    },
    nbformat: 4,
    nbformat_minor: 4,
  });
}

/** Return the code for the input of a method: its name, kmds_lib imports, lines, other imports. */
function inputLines(
  { kind, table, texts = [] }: ParsedTable,
  { method, metric }: Choices,
): [string, string[], string[], string[]] {
  const name = kind === "points" ? "X" : kind === "gram" ? "K" : "D";
  const p = table[0].length;
  const mixed = metric === "gower" && texts.length > 0;
  const lines = [`${name} = np.array([row[1:${mixed ? p + 1 : ""}] for row in rows], dtype=float)`];
  if (kind === "points" && metric === "standardised") {
    lines.push(
      "spread = X.std(axis=0)",
      "spread[spread <= 1e-12 * np.abs(X).max()] = np.inf",
      "X = (X - X.mean(axis=0)) / spread",
    );
  }
  if (kind === "points" && !hasPoints(metric)) {
    const [others, metricCode] = metricLines(metric, mixed ? p : 0);
    return ["D", [], [...lines, ...metricCode], others];
  }
  const direct = method === "pca" || method === "kpca" || kind === "dissimilarities";
  if (direct) return [name, [], lines, []];
  const from = kind === "points" ? "distances" : "similarities_to_dissimilarities";
  return ["D", [from], [...lines, `D = ${from}(${name})`], []];
}

const landmarkRows = (n: number) => `np.arange(${LANDMARKS}) * ${landmarkStep(n)} % ${n}`;

/** Return the call that fits a method to an input: the function, and its arguments. */
function fitCall(name: string, { kind, table }: ParsedTable, choices: Choices) {
  const { method, additive, kernel, parameter, scale, transform, dimensions } = choices;
  const kernelCode =
    kernel === "Polynomial" ? `Polynomial(${parameter}, 1.0, ${scale})` : `${kernel}(${parameter})`;
  const k = method === "pca" ? Math.min(dimensions, table[0].length) : dimensions;
  const direct = method === "kpca" && kind === "gram";
  const landmarks = `, metric="precomputed", landmarks=${landmarkRows(table.length)}`;
  const weights = isIncomplete(table) ? ", weights=~np.isnan(D)" : "";
  const calls: Record<Choices["method"] | "landmarks", string[]> = {
    classical: ["classical_scaling", additive ? `, additive="${additive}"` : ""],
    pca: ["pca", ""],
    kmds: ["kernel_mds", `, ${kernelCode}`],
    kpca: direct ? ["kernel_pca_from_gram", ""] : ["kernel_pca", `, ${kernelCode}`],
    landmarks: ["landmark_scaling", landmarks],
    stress: ["smacof", `, transform="${transform}", tol=1e-6${weights}`],
  };
  const [call, options] = calls[table.length > LIMITS.withoutLandmarks ? "landmarks" : method];
  const byKernel = options.includes(kernelCode);
  const parts = byKernel
    ? `${name}${options}, n_components=${k}`
    : `${name}, n_components=${k}${options}`;
  return { call, parts, byKernel };
}

/** Return Python code for the same map. */
export function pythonCode(
  parsed: ParsedTable,
  choices: Choices,
  { axesUsed = choices.dimensions, library = "" } = {},
) {
  const { method, kernel, dimensions } = choices;
  const { kind, provenance } = parsed;
  const [name, needed, lines, others] = inputLines(parsed, choices);
  const { call, parts, byKernel } = fitCall(name, parsed, choices);
  const imports = [call, ...needed, ...(byKernel ? [kernel] : [])].sort();
  const figures = method === "stress" ? "fit.stress" : "fit.explained, fit.negative_mass";
  return [
    ...(library ? [`# pip install "${library}"`] : []),
    "import csv",
    "",
    "import numpy as np",
    `from kmds_lib import ${imports.join(", ")}`,
    ...others,
    "",
    ...(provenance ? [`# table.csv contains ${provenance}`] : []),
    'with open("table.csv", newline="", encoding="utf-8") as file:',
    "    header, *rows = csv.reader(file)",
    ...lines,
    `fit = ${call}(${parts})`,
    `print(${figures})`,
    ...rotationLines(choices.rotation ?? NO_ROTATION, dimensions, axesUsed),
    ...(choices.arrows && kind === "points" ? ARROW_LINES : []),
    "",
  ].join("\n");
}
