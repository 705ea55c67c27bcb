// Kernel PCA and kernel MDS.

import { type Fit, fitGram } from "./fitGram.ts";
import { type Kernel, kernelMatrix, profile } from "./kernels.ts";
import type { Matrix } from "./matrix.ts";
import { columnMeans, LARGEST, largestModulus, SMALLEST, shifted, sumOf } from "./matrix.ts";

type KernelFit = Fit & { kernelMatrix: Matrix; transform: (rows: Matrix) => Matrix };

/** Fit to a kernel matrix; if all its distances are zero although the objects differ, say why. */
function kernelFit(K: Matrix, n: number, k: number, { definite = false, distinct = false } = {}) {
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

/** Return kernel PCA of points; `transform` projects new ones. */
export function kernelPca(X: Matrix, p: number, kernel: Kernel, k = 2): KernelFit {
  const shift = kernel.translationInvariant ? columnMeans(X, p) : new Float64Array(p);
  const centred = shifted(X, p, shift);
  const K = kernelMatrix(kernel, centred, p);
  const [definite, distinct] = [p <= kernel.conditional, X.some((x, at) => x !== X[at % p])];
  const fit = kernelFit(K, X.length / p, k, { definite, distinct });
  const transform = (rows: Matrix) =>
    fit.project(kernelMatrix(kernel, shifted(rows, p, shift), p, centred));
  return { ...fit, transform };
}

/** Return kernel PCA of a kernel matrix; `transform` takes kernel values of new objects. */
export function kernelPcaFromGram(K: Matrix, n: number, k = 2) {
  const fit = kernelFit(K, n, k);
  return { ...fit, transform: fit.project };
}

/** Return kernel MDS of dissimilarities; `transform` takes those of new objects. */
export function kernelMds(D: Matrix, n: number, kernel: Kernel, k = 2): KernelFit {
  const distinct = largestModulus(D) > 0;
  const fit = kernelFit(profile(kernel, D), n, k, { distinct });
  return { ...fit, transform: (rows) => fit.project(profile(kernel, rows)) };
}
