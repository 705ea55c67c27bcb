// The numbers and the texts of the explorer of the bandwidth.

import { classicalScaling } from "../core/classicalScaling.ts";
import { medianDissimilarity } from "../core/disparities.ts";
import { kernelMds } from "../core/kernelPca.ts";
import { Exponential, RBF } from "../core/kernels.ts";
import type { Matrix, Numbers, Point } from "../core/matrix.ts";
import { distances, padColumns, sumOfSquares } from "../core/matrix.ts";
import { fromPairs, toPairs } from "../core/pairs.ts";
import { procrustesAlign } from "../core/procrustes.ts";
import { explained } from "../core/spectrum.ts";
import { POWERS, percent, text } from "../ui/text.ts";

type KernelName = keyof typeof KERNELS;
export type Preset = "wide" | "median" | "narrow";
type Data = { D: Matrix; n: number; wide: ReturnType<typeof wideLimit> };
export type Result = ReturnType<typeof atWidth>;
export type Prepared = ReturnType<typeof prepared>;
export interface State {
  show: "all" | "map"; // the view
  kernel: KernelName;
  theta: number; // the parameter of the kernel
  rotation: Point; // the rotation of the map
  last: Matrix | null; // the last map since the state was loaded
}

export const [WIDEST, NARROWEST] = [-4, 3];
export const KERNELS = { RBF, Exponential };

/** Return the limit of wide kernels: classical scaling of D or, if exponential, of its root. */
export function wideLimit(D: Matrix, n: number, kernel: KernelName) {
  return classicalScaling(kernel === "RBF" ? D : D.map(Math.sqrt), n, 2);
}

/** Return the results for one theta; the unit is the root mean square of the feature distances. */
export function atWidth({ D, n, wide }: Data, kernel: KernelName, theta: number) {
  const k = KERNELS[kernel](theta);
  const fit = kernelMds(D, n, k, 2);
  const f = (d: number) => Math.sqrt(Math.max(0, 2 * (1 - k.value(d * d))));
  const feature = toPairs(D, n).map(f);
  const points = padColumns(fit.points, fit.axesUsed, n, 2);
  const target = padColumns(wide.points, wide.axesUsed, n, 2);
  const { residual } = procrustesAlign(points, 2, target, { scaling: true });
  return {
    fit,
    f,
    feature,
    unit: Math.sqrt(sumOfSquares(feature) / feature.length),
    points,
    onMap: toPairs(distances(points, 2), n),
    gamma: explained(fit.spectrum()),
    gap: residual / Math.sqrt(sumOfSquares(target)),
    ratio: Math.max(...feature) / Math.min(...feature),
  };
}

/** Return the verdict on a bandwidth; the view "map" has no feature distances and no limits. */
export function bandwidthVerdict(result: Result, n: number, wideGamma: Numbers, state: State) {
  const { gamma, gap, ratio } = result;
  const source = state.kernel === "RBF" ? "classical scaling" : "classical scaling of √δ";
  const rounded = 100 * gap < 1 ? text(Math.max(0.01, 100 * gap), 2) : text(100 * gap, 0);
  const isLimit = gap < 0.01;
  const difference = `${isLimit ? "Almost" : "Not"} the map of ${source}: ${rounded}% difference.`;
  const reason = `It represents ${percent(gamma[1])} of the variance.`;
  if (state.show === "map") return { head: difference, reason };
  const range =
    `γ(2) = ${text(gamma[1], 3)}; its limits are ${text(wideGamma[1], 3)} for wide ` +
    `and ${text(2 / (n - 1), 3)} for narrow kernels.`;
  if (isLimit) return { holds: true, head: difference, reason: range };
  if (ratio < 1.01)
    return {
      holds: false,
      head: "All feature distances are equal, up to 1%.",
      reason: `The map shows almost nothing of the data. ${range}`,
    };
  const spread = `The largest feature distance is ${text(ratio, 2)} times the smallest.`;
  return { head: difference, reason: `${spread} ${range}` };
}

/** Return the theta of a button: an end of the slider, or the theta of the median rule. */
export function presetWidth(name: Preset, median: number, kernel: KernelName): number {
  const rule = -Math.log10(2 * median ** (kernel === "RBF" ? 2 : 1));
  const inside = Math.min(NARROWEST, Math.max(WIDEST, rule));
  return POWERS.to({ wide: WIDEST, median: inside, narrow: NARROWEST }[name]);
}

/** Return the dissimilarity matrix, its median and the limits of wide kernels. */
export function prepared(upper: number[]) {
  const n = (1 + Math.sqrt(1 + 8 * upper.length)) / 2;
  const D = fromPairs(upper, n);
  const limit = (kernel: KernelName) => {
    const wide = wideLimit(D, n, kernel);
    return { wide, wideGamma: explained(wide.spectrum()) };
  };
  return {
    D,
    n,
    median: medianDissimilarity(D, n),
    limits: { RBF: limit("RBF"), Exponential: limit("Exponential") },
  };
}
