// The numbers and the texts of the explorer of probabilistic PCA.

import { type Point, sumOf } from "../core/matrix.ts";
import { plural, text, threeDigits } from "../ui/text.ts";

type Fold = { variances: number[]; moments: number[]; count: number };
export type Data = { variances: number[]; folds: Fold[]; scores: Point[]; groups: number[] };
export type Result = ReturnType<typeof resultOf>;
export type Setting = ReturnType<typeof bestHeldOut>;
export interface State {
  show: "all" | "training"; // the view
  n_components: number; // k
  noise: number; // the noise variance
  space: "data" | "latent"; // the space of the map
}

/** Exponents of 10 between which the noise variance is chosen, and a grid between them. */
export const [MIN_EXPONENT, MAX_EXPONENT] = [-2, 1];
export const GRID = Array.from({ length: 121 }, (_, i) => 10 ** (MIN_EXPONENT + i / 40));

/** Return the eigenvalues of the best C for k axes and a noise variance. */
export function modelSpectrum(variances: number[], k: number, noise: number): number[] {
  return variances.map((nu, i) => (i < k ? Math.max(nu, noise) : noise));
}

/** Return the mean log-likelihood of data from their second moments along the axes of C. */
export function logLikelihood(spectrum: number[], moments: number[]) {
  const sum = sumOf(spectrum, (c, i) => Math.log(c) + moments[i] / c);
  return -0.5 * (spectrum.length * Math.log(2 * Math.PI) + sum);
}

/** Return the mean log-likelihood of held-out objects under the models of the other folds. */
export function heldOutLogLikelihood(folds: Fold[], k: number, noise: number): number {
  const total = sumOf(folds, ({ count }) => count);
  return sumOf(folds, ({ variances, moments, count }) => {
    const mean = logLikelihood(modelSpectrum(variances, k, noise), moments);
    return (count / total) * mean;
  });
}

/** Return the maximum-likelihood estimate of the noise variance: the mean discarded variance. */
export const noiseEstimate = (variances: number[], k: number) =>
  sumOf(variances.slice(k), (nu) => nu) / (variances.length - k);

/** Return the factors in data space: max(0, 1 - noise / nu) for k axes, then 0. */
function shrinkageOf(variances: number[], k: number, noise: number): number[] {
  return variances.map((nu, i) => (i < k && nu > noise ? 1 - noise / nu : 0));
}

export const spaceFactors = (shrinkage: number[], space: string) =>
  space === "latent" ? shrinkage.map(Math.sqrt) : shrinkage;

/** Return the k and the noise variance with the largest likelihood of held-out objects. */
export function bestHeldOut({ variances, folds }: Data) {
  let best = { k: 0, noise: 0, value: -Infinity };
  for (let k = 0; k < variances.length; k++) {
    for (const noise of GRID) {
      const value = heldOutLogLikelihood(folds, k, noise);
      if (value > best.value) best = { k, noise: threeDigits(noise), value };
    }
  }
  return best;
}

export function resultOf({ variances, folds }: Data, k: number, noise: number) {
  const spectrum = modelSpectrum(variances, k, noise);
  const estimate = noiseEstimate(variances, k);
  const shrinkage = shrinkageOf(variances, k, noise);
  return {
    k,
    noise,
    spectrum,
    estimate,
    shrinkage,
    logLikelihood: logLikelihood(spectrum, variances),
    maxLogLikelihood: logLikelihood(modelSpectrum(variances, k, estimate), variances),
    heldOut: heldOutLogLikelihood(folds, k, noise),
    explained: sumOf(variances, (nu, i) => nu * shrinkage[i]) / sumOf(variances, (nu) => nu),
  };
}

export const dimensions = (k: number) => plural(k, "latent dimension");

function axesText({ k, shrinkage, explained }: Result) {
  const positive = shrinkage.filter((factor) => factor > 0).length;
  if (positive === k)
    return `the latent coordinates explain ${text(100 * explained, 0)}% of the variance`;
  const lost = k - positive;
  return `${lost} of ${plural(k, "axis", "axes")} ${lost === 1 ? "has" : "have"} the length 0`;
}

/** Return the verdict. */
export function likelihoodVerdict(result: Result, top: Setting | null, name: string) {
  const { k, noise, estimate, logLikelihood, maxLogLikelihood, heldOut, shrinkage } = result;
  const below = maxLogLikelihood - logLikelihood;
  const others = top ? ` and ${text(heldOut)} per held-out ${name}` : "";
  const reason = `Log-likelihood: ${text(logLikelihood)} per ${name}${others}; ${axesText(result)}.`;
  if (below < 0.005) {
    const head = `σ² is the maximum-likelihood estimate for k = ${k}.`;
    return { holds: true, head, reason };
  }
  if (top && top.value - heldOut < 0.005) {
    const head = `Best for held-out ${name}s, but σ² is not the maximum-likelihood estimate.`;
    return { holds: true, head, reason };
  }
  const difference = `the log-likelihood per ${name} is ${text(below)} below its maximum for k = ${k}`;
  const isPoint = k > 0 && !shrinkage.some((factor) => factor > 0);
  const large = isPoint ? "The map is a single point" : "σ² is too large";
  return {
    holds: false,
    head: `${noise < estimate ? "σ² is too small" : large}: ${difference}.`,
    reason,
  };
}
