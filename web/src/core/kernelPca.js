// Kernel PCA and kernel MDS.

import { fitGram } from "./fitGram.js";
import { kernelMatrix, profile } from "./kernels.js";
import { columnMeans, LARGEST, largestModulus, SMALLEST, shifted, sumOf } from "./matrix.js";

/** @import { Fit } from "./fitGram.js" */
/** @import { Kernel } from "./kernels.js" */
/** @typedef {Fit & { kernelMatrix: Matrix, transform: (rows: Matrix) => Matrix }} KernelFit */

/** Fit to a kernel matrix; if all its distances are zero although the objects differ, say why.
 * @param {Matrix} K @param {number} n @param {number} k */
function kernelFit(K, n, k, { definite = false, distinct = false } = {}) {
  const diagonal = Float64Array.from({ length: n }, (_, i) => K[i * n + i]);
  const largest = Math.max(largestModulus(columnMeans(K, n)), largestModulus(diagonal));
  if (!(largest <= LARGEST ** 2) || (largest < SMALLEST ** 2 && (largest > 0 || distinct))) {
    const what = largest < SMALLEST ** 2 ? "underflows" : "overflows";
    throw new Error(`The kernel matrix ${what}: rescale the data or the kernel's parameters.`);
  }
  const fit = fitGram(K, n, k, { scale: largestModulus(diagonal) });
  const trace = sumOf(diagonal, (_, i) => fit.gram[i * n + i]);
  const ofTrace = () => Math.min(1, sumOf(fit.eigenvalues, (value) => value) / trace);
  return { ...fit, kernelMatrix: K, explained: definite && trace > 0 ? ofTrace : fit.explained };
}

/** Return kernel PCA of points; `transform` projects new ones.
 * @type {(X: Matrix, p: number, kernel: Kernel, k?: number) => KernelFit} */
export function kernelPca(X, p, kernel, k = 2) {
  const shift = kernel.translationInvariant ? columnMeans(X, p) : new Float64Array(p);
  const centred = shifted(X, p, shift);
  const K = kernelMatrix(kernel, centred, p);
  const known = { definite: p <= kernel.conditional, distinct: X.some((x, at) => x !== X[at % p]) };
  const fit = kernelFit(K, X.length / p, k, known);
  const transform = (/** @type {Matrix} */ rows) =>
    fit.place(kernelMatrix(kernel, shifted(rows, p, shift), p, centred));
  return { ...fit, transform };
}

/** Return kernel PCA of a kernel matrix; `transform` takes kernel values of new objects. */
export function kernelPcaFromGram(/** @type {Matrix} */ K, /** @type {number} */ n, k = 2) {
  const fit = kernelFit(K, n, k);
  return { ...fit, transform: fit.place };
}

/** Return kernel MDS of dissimilarities; `transform` takes those of new objects.
 * @type {(D: Matrix, n: number, kernel: Kernel, k?: number) => KernelFit} */
export function kernelMds(D, n, kernel, k = 2) {
  const distinct = largestModulus(D) > 0;
  const fit = kernelFit(profile(kernel, D), n, k, { distinct });
  return { ...fit, transform: (rows) => fit.place(profile(kernel, rows)) };
}
