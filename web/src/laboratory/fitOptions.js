// Methods and their parameters.

import { LIMITS } from "./limits.js";
import { cleanCamera, cleanRotation } from "./mapRotations.js";
import { hasPoints, METRICS } from "./metrics.js";

/** @typedef {ReturnType<typeof cleanChoices> & { scale?: number }} Choices */
/** @typedef {NonNullable<Choices["kept"]>} FitChoices */
/** @typedef {Partial<Pick<Choices, "rotation" | "camera">>} Orientation */
/** @typedef {{ [name: string]: unknown, kept?: Given | null }} Given  what a link asks for */

/** Return the number of axes on which the points of a map differ, or 1 if all points are equal. */
export const axesOf = (/** @type {{ axesUsed: number }} */ { axesUsed }) => Math.max(1, axesUsed);

/** Return the key of a column if it is one, or else the default. */
const cleanColumn = (/** @type {unknown} */ given) =>
  typeof given === "string" && /^(none|[nw]\d{1,3})$/.test(given) ? given : "auto";

export const METHODS = /** @type {Record<string, string>} */ ({
  classical: "classical scaling",
  pca: "PCA",
  kmds: "kernel MDS",
  kpca: "kernel PCA",
  stress: "stress",
});

/** Return the methods for a kind of table: only stress if numbers are missing.
 * @param {string | null} kind */
export function methodsFor(kind, { metric = "euclidean", incomplete = false, large = false } = {}) {
  if (large) return ["classical"];
  if (incomplete) return ["stress"];
  if (kind === "points")
    return hasPoints(metric) ? Object.keys(METHODS) : ["classical", "kmds", "stress"];
  return kind === "gram"
    ? ["kpca", "classical", "kmds", "stress"]
    : ["classical", "kmds", "stress"];
}

/** @type {<T extends string>(value: unknown, values: T[], otherwise: T) => T} */
const validOr = (value, values, otherwise) => values.find((valid) => valid === value) ?? otherwise;

/** @type {(method: string, kind: string | null) => string[]} */
export const kernelsFor = (method, kind) => [
  "RBF",
  "Exponential",
  "Power",
  ...(method === "kpca" && kind === "points" ? ["Polynomial"] : []),
];

/** Parameters that are not bandwidths: the smallest value, the largest value and the step.
 * @type {Record<string, number[]>} */
export const RANGES = { Power: [0.05, 2, 0.05], Polynomial: [1, 8, 1] };

/** Return the choices that determine a fit. @type {(choices: Choices) => FitChoices} */
export const fitChoices = ({ rotation, camera, colour, labels, arrows, kept, scale, ...fit }) =>
  fit;

/** Return choices that are valid for a kind of table, with defaults for those that are not.
 * @param {Given | null | undefined} given @param {string | null} kind @param {number} n */
export function cleanChoices(given, kind, n, { incomplete = false } = {}) {
  const large = n > LIMITS.withoutLandmarks;
  const cleanFit = (/** @type {Given} */ asked) => {
    const distance = kind === "points" ? asked.metric : "";
    const metric = validOr(distance, Object.keys(METRICS), "euclidean");
    const methods = methodsFor(kind, { metric, incomplete, large });
    const method = validOr(asked.method, methods, methods[0]);
    const kernel = validOr(asked.kernel, kernelsFor(method, kind), "RBF");
    const number = Number(asked.parameter); // null and an empty text are 0, which is too small
    const [low, high] = RANGES[kernel] ?? [1e-130, 1e130];
    const valid = number >= low && number <= high;
    return {
      method,
      additive: validOr(large ? "" : asked.additive, ["", "lingoes", "cailliez"], ""),
      kernel,
      parameter: valid && (kernel !== "Polynomial" || Number.isInteger(number)) ? number : null,
      transform: validOr(incomplete ? "" : asked.transform, ["identity", "ordinal"], "identity"),
      metric,
      dimensions: Math.min(n - 1, asked.dimensions === 3 ? 3 : 2),
    };
  };
  const fit = cleanFit(given ?? {});
  return {
    ...fit,
    rotation: cleanRotation(given?.rotation, fit.dimensions),
    camera: cleanCamera(given?.camera, fit.dimensions),
    kept: given?.kept ? cleanFit(given.kept) : null,
    colour: cleanColumn(given?.colour),
    labels: cleanColumn(given?.labels),
    arrows: given?.arrows === true,
  };
}
