// Methods and their parameters.

import { LIMITS } from "./limits.js";
import { cleanCamera, cleanRotation } from "./mapRotations.js";
import { hasPoints, METRICS } from "./metrics.js";

/** @typedef {ReturnType<typeof cleanChoices> & { scale?: number }} Choices */

/** Return the number of axes on which the points of a map differ, or 1 if all points are equal. */
export const axesOf = ({ columns }) => Math.max(1, columns);

/** Return the key of a column if it is one, or else the default. */
const cleanColumn = (given) => (/^(none|[nw]\d{1,3})$/.test(given) ? given : "auto");

export const METHODS = {
  classical: "classical scaling",
  pca: "PCA",
  kmds: "kernel MDS",
  kpca: "kernel PCA",
  stress: "stress",
};

/** Return the methods for a kind of table: only stress if numbers are missing. */
export function methodsFor(kind, { metric = "euclidean", incomplete = false, large = false } = {}) {
  if (large) return ["classical"];
  if (incomplete) return ["stress"];
  if (kind === "points")
    return hasPoints(metric) ? Object.keys(METHODS) : ["classical", "kmds", "stress"];
  return kind === "gram"
    ? ["kpca", "classical", "kmds", "stress"]
    : ["classical", "kmds", "stress"];
}

const validOr = (value, names, otherwise) => (names.includes(value) ? value : otherwise);

export const kernelsFor = (method, kind) => [
  "RBF",
  "Exponential",
  "Power",
  ...(method === "kpca" && kind === "points" ? ["Polynomial"] : []),
];

/** Parameters that are not bandwidths: the smallest value, the largest value and the step. */
export const RANGES = { Power: [0.05, 2, 0.05], Polynomial: [1, 8, 1] };

/** Return the choices that determine a fit, without those of its orientation and display. */
export const fitChoices = ({ rotation, camera, colour, labels, arrows, kept, scale, ...fit }) =>
  fit;

/** Return choices that are valid for a kind of table, with defaults for those that are not. */
export function cleanChoices(given, kind, n, { incomplete = false } = {}) {
  const metric = validOr(kind === "points" ? given?.metric : "", Object.keys(METRICS), "euclidean");
  const large = n > LIMITS.withoutLandmarks;
  const methods = methodsFor(kind, { metric, incomplete, large });
  const k = Math.min(n - 1, given?.dimensions === 3 ? 3 : 2);
  const method = validOr(given?.method, methods, methods[0]);
  const kernel = validOr(given?.kernel, kernelsFor(method, kind), "RBF");
  const number = Number(given?.parameter);
  const [low, high] = RANGES[kernel] ?? [1e-130, 1e130];
  const valid =
    given?.parameter !== null && given?.parameter !== "" && number >= low && number <= high;
  return {
    method,
    additive: validOr(large ? "" : given?.additive, ["", "lingoes", "cailliez"], ""),
    kernel,
    parameter: valid && (kernel !== "Polynomial" || Number.isInteger(number)) ? number : null,
    transform: validOr(incomplete ? "" : given?.transform, ["identity", "ordinal"], "identity"),
    metric,
    dimensions: k,
    rotation: cleanRotation(given?.rotation, k),
    camera: cleanCamera(given?.camera, k),
    kept: given?.kept
      ? fitChoices(cleanChoices({ ...given.kept, kept: null }, kind, n, { incomplete }))
      : null,
    colour: cleanColumn(given?.colour),
    labels: cleanColumn(given?.labels),
    arrows: given?.arrows === true,
  };
}
