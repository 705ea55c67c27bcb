// Fit a method to a table. A fit is a generator that yields its progress, so that it can run in a
// worker and be stopped.

import { addConstant, classicalScaling } from "../../core/classicalScaling.ts";
import { medianDissimilarity } from "../../core/disparities.ts";
import { eigenvalues } from "../../core/eigenpairs.ts";
import type { Fit } from "../../core/fitGram.ts";
import { distancesFromGram, gramFromDistances } from "../../core/gram.ts";
import { kernelMds, kernelPca, kernelPcaFromGram } from "../../core/kernelPca.ts";
import { Exponential, Linear, Polynomial, Power, RBF } from "../../core/kernels.ts";
import {
  centredColumns,
  columnMeans,
  crossTable,
  distances,
  fromRows,
  largestModulus,
  type Matrix,
  padColumns,
  sumOf,
  symmetricTable,
} from "../../core/matrix.ts";
import { components, shortestPaths } from "../../core/neighborGraph.ts";
import { countSigns, goodnessOfFit, negativeMass } from "../../core/spectrum.ts";
import { stressMap, stressOver } from "../../core/stressDescent.ts";
import { asDissimilarities, sixDigits } from "../../core/validation.ts";
import { LANDMARKS, LIMITS } from "../reading/limits.ts";
import type { ParsedTable } from "../reading/parsedTable.ts";
import { isIncomplete } from "../reading/squareTables.ts";
import type { Choices } from "./fitOptions.ts";
import { runToEnd } from "./generators.ts";
import { dissimilaritiesBy, hasPoints } from "./metrics.ts";

export type FitRequest = Pick<ParsedTable, "kind" | "table" | "texts"> & { choices: Choices };
export type FitInput = ReturnType<typeof prepareFit>;
/** What a method computes. */
type MethodResult = Pick<LaboratoryFit, "points" | "target" | "axesUsed"> &
  Partial<Fit & Omit<LaboratoryFit, "spectrum">>;
/** A map and its measures of fit. */
export interface LaboratoryFit {
  choices: FitInput["choices"]; // with all parameters
  points: Matrix;
  spectrum: Float64Array;
  delta: Matrix; // the dissimilarities; NaN where they are missing
  target: Matrix; // the distances to which the points are fitted
  axesUsed: number; // the number of axes on which the points differ
  goodness: number[]; // the explained fractions of all and of the positive eigenvalues
  negativeMass: number;
  stress: number | null; // stress-1, or null if all points are equal
  constant: number; // the additive constant
  landmarks: number; // their number, or 0 if there are none
  steps: number | null;
  converged: boolean;
}

/** A fit, or only its map while the slider moves. */
export type PartialFit = Pick<LaboratoryFit, "choices" | "points" | "delta" | "target"> &
  Partial<LaboratoryFit>;

/** Return the rows as a matrix; standardise columns of points if the metric says so. */
function tableOf({ kind, table, choices: { metric } }: FitRequest) {
  if (kind === "gram")
    return symmetricTable(table.length, (i, j) => 0.5 * table[i][j] + 0.5 * table[j][i]);
  if (kind !== "points") return asDissimilarities(table);
  const flat = fromRows(table);
  if (metric !== "standardised") return flat;
  const p = table[0].length;
  const centred = centredColumns(flat, p);
  const squares = centred.map((x) => x * x);
  const spread = columnMeans(squares, p).map(Math.sqrt);
  const negligible = 1e-12 * largestModulus(flat);
  return centred.map((x, at) => (spread[at % p] > negligible ? x / spread[at % p] : 0));
}

function dissimilaritiesOf(data: Matrix, request: FitRequest) {
  const { kind, table, texts } = request;
  const { metric } = request.choices;
  const n = table.length;
  if (kind === "points")
    return hasPoints(metric)
      ? distances(data, data.length / n)
      : dissimilaritiesBy(metric, table, texts);
  if (kind !== "gram") return data;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const square = data[i * n + i] + data[j * n + j] - 2 * data[i * n + j];
      if (square >= -1e-8 * largestModulus(data)) continue;
      throw new Error(
        `K[${i}, ${i}] + K[${j}, ${j}] - 2 K[${i}, ${j}] = ${sixDigits(square)} is negative, ` +
          "so K gives no distances. Choose kernel PCA, which takes the matrix as it is.",
      );
    }
  }
  return distancesFromGram(data, n);
}

export const rounded = (value: number) => Number(value.toPrecision(4));

/** Return the initial parameter of a kernel. By the median rule, the median pair gets exp(-1/2). */
export function initialParameter(kernel: Choices["kernel"], D: Matrix, n: number): number {
  if (kernel === "Power") return 1;
  if (kernel === "Polynomial") return 2;
  const median = medianDissimilarity(D, n) || largestModulus(D) || 1;
  return rounded(kernel === "RBF" ? 1 / (2 * median * median) : 1 / (2 * median));
}

const KERNELS = { RBF, Exponential, Power };

/** Return the kernel for some choices; the scale of a polynomial makes the mean of x'x one. */
function kernelFunction({ kernel, parameter, scale }: FitInput["choices"]) {
  return kernel === "Polynomial" ? Polynomial(parameter, 1, scale) : KERNELS[kernel](parameter);
}

/** Return the input of a fit: the numbers, the dissimilarities, and choices with all parameters. */
export function prepareFit(request: FitRequest) {
  const { kind, table, choices } = request;
  const n = table.length;
  const data = tableOf(request);
  const direct = kind === "gram" && choices.method === "kpca";
  const D = direct ? distancesFromGram(data, n) : dissimilaritiesOf(data, request);
  const complete = isIncomplete(table) ? filled(D, n) : D;
  const parameter = choices.parameter ?? initialParameter(choices.kernel, complete, n);
  const scale = kind === "points" ? rounded(1 / (sumOf(data, (x) => x * x) / n || 1)) : 1;
  return { kind, n, data, D, complete, choices: { ...choices, parameter, scale } };
}

/** Replace missing dissimilarities by shortest paths along the others. */
function filled(D: Matrix, n: number) {
  const graph = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => j).filter((j) => j !== i && !Number.isNaN(D[i * n + j])),
  );
  if (components(graph).length > 1)
    throw new Error(
      "The known dissimilarities do not connect all objects, so there is no map of all of them.",
    );
  const paths = shortestPaths(graph, D, n);
  return D.map((x, at) => (Number.isNaN(x) ? paths[at] : x));
}

/** Compute the points and the distances to which they are fitted; stress may start from points. */
export function* computeMap(input: FitInput, start: Matrix | null = null) {
  const { kind, n, data, D, choices } = input;
  const k = choices.dimensions;
  if (choices.method === "stress") return yield* stressMap(input, start);
  if (n > LIMITS.withoutLandmarks) return landmarkMap(D, n, k);
  if (choices.method === "classical") {
    const fit = classicalScaling(D, n, k, { additive: choices.additive || undefined });
    const target = choices.additive
      ? addConstant(D, fit.additiveConstant, choices.additive)
      : D.slice();
    for (let i = 0; i < n; i++) target[i * n + i] = 0;
    return { ...fit, target, constant: fit.additiveConstant };
  }
  const p = data.length / n;
  if (choices.method === "pca") return { ...pcaMap(data, p, k), target: D };
  const direct = choices.method === "kpca" && kind === "gram";
  if (direct) return { ...kernelPcaFromGram(data, n, k), target: D };
  const kernel = kernelFunction(choices);
  const fit =
    choices.method === "kpca" ? kernelPca(data, p, kernel, k) : kernelMds(D, n, kernel, k);
  return { ...fit, target: distancesFromGram(fit.kernelMatrix, n) };
}

/** Return the step from one landmark to the next, which has no common divisor with n. */
export function landmarkStep(n: number) {
  const divisor = (a: number, b: number): number => (b ? divisor(b, a % b) : a);
  let step = Math.round(0.618 * n);
  while (divisor(step, n) > 1) step += 1;
  return step;
}

/** Scale the landmarks by classical scaling, and project the other objects on their map. */
function landmarkMap(D: Matrix, n: number, k: number) {
  const step = landmarkStep(n);
  const rows = Array.from({ length: LANDMARKS }, (_, r) => (r * step) % n);
  const among = (from: number[]) =>
    crossTable(from.length, LANDMARKS, (i, j) => D[from[i] * n + rows[j]]);
  const fit = classicalScaling(among(rows), LANDMARKS, k);
  const points = fit.transform(among(Array.from({ length: n }, (_, i) => i)));
  return { ...fit, points, target: D, landmarks: LANDMARKS };
}

/** Compute PCA in any unit: divide numbers by the largest one first, and multiply afterwards. */
function pcaMap(data: Matrix, p: number, k: number) {
  const size = largestModulus(data) || 1;
  const times = (values: Matrix, factor: number): Matrix => values.map((value) => value * factor);
  const fit = kernelPca(times(data, 1 / size), p, Linear(), k);
  const spectrum = () => times(fit.spectrum(), size * size);
  return { ...fit, points: times(fit.points, size), spectrum, gram: times(fit.gram, size * size) };
}

/** Compute the map, its spectrum and its measures of fit. */
export function* fitSteps(request: FitRequest) {
  const input = prepareFit(request);
  const { n, D, complete, choices } = input;
  const result: MethodResult = yield* computeMap(input);
  const k = choices.dimensions;
  const points = padColumns(result.points, result.axesUsed, n, k);
  const B = result.gram ?? gramFromDistances(complete, n);
  yield { steps: result.steps ?? 0, points };
  const spectrum = result.spectrum ? result.spectrum() : eigenvalues(B, n);
  const flat = points.every((x) => x === 0);
  const used = Math.max(1, Math.min(result.axesUsed, countSigns(spectrum).positive));
  return {
    choices,
    points,
    spectrum,
    delta: D,
    target: result.target,
    axesUsed: result.axesUsed,
    goodness: goodnessOfFit(spectrum, used),
    negativeMass: negativeMass(spectrum),
    stress: flat ? null : stressOver(points, k, result.target, D),
    constant: result.constant ?? 0,
    landmarks: result.landmarks ?? 0,
    steps: result.steps ?? null,
    converged: result.converged ?? true,
  };
}

/** Compute only the map for a value of the parameter, while its slider moves. */
export function mapForParameter(prepared: FitInput, parameter: number) {
  const input = { ...prepared, choices: { ...prepared.choices, parameter } };
  const { points, axesUsed, target } = runToEnd(computeMap(input));
  return {
    choices: input.choices,
    points: padColumns(points, axesUsed, input.n, input.choices.dimensions),
    delta: input.D,
    target,
  };
}
