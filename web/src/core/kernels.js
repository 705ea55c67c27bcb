// Kernels and kernel matrices.

import { crossTable, innerProduct, squaredDistance, symmetricTable } from "./matrix.js";

/**
 * @typedef {object} Kernel
 * @property {(square: number, product?: number) => number} value  k(x, y), from the squared
 *   distance and the inner product of x and y
 * @property {boolean} isotropic  true if the distance determines the value
 * @property {boolean} translationInvariant  true if the fit is the same for translated points
 * @property {number} positive  the largest dimension in which it is positive definite
 * @property {number} conditional  the same for conditionally positive definite
 */

/** Return the kernel k(x, y) = r(||x - y||); r is a function of the squared distance.
 * @type {(value: Kernel["value"], known: Pick<Kernel, "positive" | "conditional">) => Kernel} */
function isotropicKernel(value, known) {
  return { isotropic: true, translationInvariant: true, value, ...known };
}

const POSITIVE = { positive: Infinity, conditional: Infinity };

/** Return the kernel that is a function of the inner product x'y.
 * @type {(translationInvariant: boolean, ofProduct: (product: number) => number) => Kernel} */
function productKernel(translationInvariant, ofProduct) {
  const value = (/** @type {number} */ _, product = NaN) => ofProduct(product);
  return { isotropic: false, translationInvariant, value, ...POSITIVE };
}

export function Linear() {
  return productKernel(true, (product) => product);
}

/** (scale x'y + offset)^degree. */
export function Polynomial(/** @type {number} */ degree, offset = 1, scale = 1) {
  return productKernel(false, (product) => (scale * product + offset) ** degree);
}

/** exp(-theta ||x - y||^2). @type {(theta: number) => Kernel} */
export function RBF(theta) {
  return isotropicKernel((square) => Math.exp(-theta * square), POSITIVE);
}

/** exp(-theta ||x - y||). @type {(theta: number) => Kernel} */
export function Exponential(theta) {
  return isotropicKernel((square) => Math.exp(-theta * Math.sqrt(square)), POSITIVE);
}

/** exp(-alpha d) cos(omega d), known to be positive definite up to some dimension. */
export function DampedCosine(/** @type {number} */ alpha, /** @type {number} */ omega) {
  const bound = omega === 0 ? Infinity : Math.PI / (2 * Math.atan2(omega, alpha));
  const dimension = Math.floor(bound * (1 + 1e-12));
  const known = { positive: dimension, conditional: dimension };
  const value = (/** @type {number} */ square) => {
    const d = Math.sqrt(square);
    return Math.exp(-alpha * d) * Math.cos(omega * d);
  };
  return isotropicKernel(value, known);
}

/** -d^beta, conditionally positive definite for beta <= 2. @type {(beta: number) => Kernel} */
export function Power(beta) {
  const known = { positive: 0, conditional: beta <= 2 ? Infinity : 0 };
  return isotropicKernel((square) => 0 - square ** (beta / 2), known);
}

/** Return the matrix of r(delta) for an isotropic kernel. */
export function profile(/** @type {Kernel} */ kernel, /** @type {Matrix} */ delta) {
  return delta.map((d) => kernel.value(d * d));
}

/** Return the matrix of k(x_i, y_j) for the rows of X and of Y, or of X alone.
 * @type {(kernel: Kernel, X: Matrix, p: number, Y?: Matrix) => Matrix} */
export function kernelMatrix(kernel, X, p, Y = X) {
  /** @type {Entry} */
  const entry = kernel.isotropic
    ? (i, j) => kernel.value(squaredDistance(X, i, Y, j, p))
    : (i, j) => kernel.value(squaredDistance(X, i, Y, j, p), innerProduct(X, i, Y, j, p));
  return Y === X
    ? symmetricTable(X.length / p, entry)
    : crossTable(X.length / p, Y.length / p, entry);
}
