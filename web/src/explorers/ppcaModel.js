// What the explorer of probabilistic PCA computes and says.

import { sumOf } from "../core/matrix.js";
import { text, threeDigits } from "../ui/text.js";

export const [LEAST, MOST] = [-2, 1];
export const GRID = Array.from(
  { length: 121 },
  (_, i) => 10 ** (LEAST + ((MOST - LEAST) * i) / 120),
);

/**
 * Eigenvalues of the model C that fits best for k axes and some noise: none lies below the noise.
 */
export function modelSpectrum(variances, k, noise) {
  return variances.map((nu, i) => (i < k ? Math.max(nu, noise) : noise));
}

/** Log-likelihood of an object, from its data's second moments along the axes of C. */
export function heightOf(spectrum, moments) {
  const p = spectrum.length;
  return (
    -0.5 * (p * Math.log(2 * Math.PI) + sumOf(spectrum, (c, i) => Math.log(c) + moments[i] / c))
  );
}

/** The mean over objects that a fold has left out, under the model fitted to the others. */
export function unseenHeight(folds, k, noise) {
  const whole = sumOf(folds, ({ count }) => count);
  return sumOf(
    folds,
    ({ variances, moments, count }) =>
      (count / whole) * heightOf(modelSpectrum(variances, k, noise), moments),
  );
}

/** The noise of greatest likelihood: the mean of the discarded variances. */
export const bestNoise = (variances, k) =>
  sumOf(variances.slice(k), (nu) => nu) / (variances.length - k);

/**
 * What is left of each axis among the measurements: 1 - noise / nu, and nothing below the noise.
 */
function keptOf(variances, k, noise) {
  return variances.map((nu, i) => (i < k && nu > noise ? 1 - noise / nu : 0));
}

/** The setting of greatest likelihood for objects not seen, on a grid of the slider. */
export function bestUnseen({ variances, folds }) {
  let best = { height: -Infinity };
  for (let k = 0; k < variances.length; k++) {
    for (const noise of GRID) {
      const height = unseenHeight(folds, k, noise);
      if (height > best.height) best = { k, noise: threeDigits(noise), height };
    }
  }
  return best;
}

/** All that one setting shows. */
export function atSetting({ variances, folds }, k, noise) {
  const spectrum = modelSpectrum(variances, k, noise);
  const best = bestNoise(variances, k);
  const kept = keptOf(variances, k, noise);
  const whole = sumOf(variances, (nu) => nu);
  return {
    k,
    noise,
    spectrum,
    best,
    kept,
    height: heightOf(spectrum, variances),
    highest: heightOf(modelSpectrum(variances, k, best), variances),
    unseen: unseenHeight(folds, k, noise),
    signal: sumOf(variances, (nu, i) => nu * kept[i]) / whole,
  };
}

export const numbers = (k) => `${k} hidden number${k === 1 ? "" : "s"}`;

/** The banner's words; `noun` is what one object is called. */
export function modelVerdict({ k, noise, best, height, highest, unseen, kept, signal }, top, noun) {
  const below = highest - height;
  const places = kept.filter((part) => part > 0).length;
  const left =
    places < k
      ? `${places ? `only ${places}` : "none"} of ${k} ${k === 1 ? "axis" : "axes"} left`
      : `${text(100 * signal, 0)} % of the variance is signal`;
  const reason =
    `${text(height)} nats for each ${noun}, ${text(unseen)} for one not seen; ` + `${left}.`;
  if (below < 0.005) return { holds: true, head: `The most likely noise for k = ${k}.`, reason };
  const side =
    noise < best
      ? "Too little noise"
      : k > 0 && places === 0
        ? "All is noise, the map one point"
        : "Too much noise";
  if (top.height - unseen < 0.005)
    return {
      holds: true,
      head: `Best for ${noun}s not seen, ${text(below)} nats below the best for k = ${k}.`,
      reason,
    };
  return {
    holds: false,
    head: `${side}: ${text(below)} nats below the best for k = ${k}.`,
    reason,
  };
}

/** Where those not seen are most likely, in words. */
export function unseenSays({ unseen }, top, noun) {
  const gain = top.height - unseen;
  const best = `k = ${top.k}, σ² = ${top.noise}`;
  return gain < 0.005
    ? `No setting is better for ${noun}s not seen.`
    : `Best for ${noun}s not seen: ${best}, a gain of ${text(gain)} nats for each.`;
}
