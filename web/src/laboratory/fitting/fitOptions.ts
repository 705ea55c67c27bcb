// Methods and their parameters.

import { LIMITS } from "../reading/limits.ts";
import type { Kind } from "../reading/parsedTable.ts";
import { cleanCamera, cleanRotation } from "./mapRotations.ts";
import { hasPoints, METRICS, type Metric } from "./metrics.ts";

export type Choices = ReturnType<typeof cleanChoices> & { scale?: number };
export type FitChoices = NonNullable<Choices["kept"]>;
export type Orientation = Partial<Pick<Choices, "rotation" | "camera">>;
/** What a link asks for. */
export type UncheckedChoices = { [name: string]: unknown; kept?: UncheckedChoices | null };

/** Return the number of axes on which the points of a map differ, or 1 if all points are equal. */
export const axesOf = ({ axesUsed }: { axesUsed: number }) => Math.max(1, axesUsed);

/** Return true if a fit uses only the order of the dissimilarities. */
export const isOrdinal = ({ method, transform }: FitChoices) =>
  method === "stress" && transform === "ordinal";

/** Return true for the methods that fit the feature distances of a kernel. */
export const usesKernel = ({ method }: Pick<Choices, "method">) =>
  method === "kmds" || method === "kpca";

/** Return the unit of the distances on a map, or an empty text if they are not those of the table. */
export const mapUnit = (choices: FitChoices, unit: string) =>
  usesKernel(choices) || choices.metric !== "euclidean" || isOrdinal(choices) ? "" : unit;

/** Return the key of a column if it is one, or else the default. */
const cleanColumn = (given: unknown) =>
  typeof given === "string" && /^(none|[nw]\d{1,3})$/.test(given) ? given : "auto";

export const METHODS = {
  classical: "classical scaling",
  pca: "PCA",
  kmds: "kernel MDS",
  kpca: "kernel PCA",
  stress: "stress",
};
type Method = keyof typeof METHODS;
const KERNELS = ["RBF", "Exponential", "Power", "Polynomial"] as const;

export const keysOf = <T extends object>(options: T) => Object.keys(options) as (keyof T)[];

/** Return the methods for a kind of table: only stress if numbers are missing. */
export function methodsFor(
  kind: Kind | null,
  { metric = "euclidean" as Metric, incomplete = false, large = false } = {},
): Method[] {
  if (large) return ["classical"];
  if (incomplete) return ["stress"];
  if (kind === "points")
    return hasPoints(metric) ? keysOf(METHODS) : ["classical", "kmds", "stress"];
  return kind === "gram"
    ? ["kpca", "classical", "kmds", "stress"]
    : ["classical", "kmds", "stress"];
}

const validOr = <T extends string>(value: unknown, values: T[], otherwise: T): T =>
  values.find((valid) => valid === value) ?? otherwise;

export const kernelsFor = (method: Method, kind: Kind | null) =>
  KERNELS.filter((name) => name !== "Polynomial" || (method === "kpca" && kind === "points"));

/** Parameters that are not bandwidths: the smallest value, the largest value and the step. */
export const RANGES: Partial<Record<(typeof KERNELS)[number], number[]>> = {
  Power: [0.05, 2, 0.05],
  Polynomial: [1, 8, 1],
};

/** Return the choices that determine a fit. */
export function fitChoices(choices: Choices): FitChoices {
  const { rotation, camera, colour, labels, arrows, kept, scale, ...fit } = choices;
  return fit;
}

/** Return choices that are valid for a kind of table, with defaults for those that are not. */
export function cleanChoices(
  given: UncheckedChoices | null | undefined,
  kind: Kind | null,
  n: number,
  { incomplete = false } = {},
) {
  const large = n > LIMITS.withoutLandmarks;
  const cleanFit = (asked: UncheckedChoices) => {
    const distance = kind === "points" ? asked.metric : "";
    const metric = validOr(distance, keysOf(METRICS), "euclidean");
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
