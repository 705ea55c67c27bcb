// Kernels and kernel matrices.

import type { Entry, Matrix } from "./matrix.ts";
import { crossTable, innerProduct, squaredDistance, symmetricTable } from "./matrix.ts";

export interface Kernel {
  // k(x, y), from the squared distance and the inner product of x and y.
  value: (square: number, product?: number) => number;
  isotropic: boolean; // true if the distance determines the value
  translationInvariant: boolean; // true if the fit is the same for translated points
  positive: number; // the largest dimension in which it is positive definite
  conditional: number; // the same for conditionally positive definite
}

/** Return the kernel k(x, y) = r(||x - y||); r is a function of the squared distance. */
function isotropicKernel(
  value: Kernel["value"],
  definiteness: Pick<Kernel, "positive" | "conditional">,
): Kernel {
  return { isotropic: true, translationInvariant: true, value, ...definiteness };
}

const POSITIVE = { positive: Infinity, conditional: Infinity };

/** Return the kernel that is a function of the inner product x'y. */
function productKernel(
  translationInvariant: boolean,
  ofProduct: (product: number) => number,
): Kernel {
  const value = (_: number, product = NaN) => ofProduct(product);
  return { isotropic: false, translationInvariant, value, ...POSITIVE };
}

export function Linear() {
  return productKernel(true, (product) => product);
}

/** (scale x'y + offset)^degree. */
export function Polynomial(degree: number, offset = 1, scale = 1) {
  return productKernel(false, (product) => (scale * product + offset) ** degree);
}

/** exp(-theta ||x - y||^2). */
export function RBF(theta: number): Kernel {
  return isotropicKernel((square) => Math.exp(-theta * square), POSITIVE);
}

/** exp(-theta ||x - y||). */
export function Exponential(theta: number): Kernel {
  return isotropicKernel((square) => Math.exp(-theta * Math.sqrt(square)), POSITIVE);
}

/** exp(-alpha d) cos(omega d), known to be positive definite up to some dimension. */
export function DampedCosine(alpha: number, omega: number) {
  const bound = omega === 0 ? Infinity : Math.PI / (2 * Math.atan2(omega, alpha));
  const dimension = Math.floor(bound * (1 + 1e-12));
  const definiteness = { positive: dimension, conditional: dimension };
  const value = (square: number) => {
    const d = Math.sqrt(square);
    return Math.exp(-alpha * d) * Math.cos(omega * d);
  };
  return isotropicKernel(value, definiteness);
}

/** -d^beta, conditionally positive definite for beta <= 2. */
export function Power(beta: number): Kernel {
  const definiteness = { positive: 0, conditional: beta <= 2 ? Infinity : 0 };
  return isotropicKernel((square) => 0 - square ** (beta / 2), definiteness);
}

/** Return the matrix of r(delta) for an isotropic kernel. */
export function profile(kernel: Kernel, delta: Matrix) {
  return delta.map((d) => kernel.value(d * d));
}

/** Return the matrix of k(x_i, y_j) for the rows of X and of Y, or of X alone. */
export function kernelMatrix(kernel: Kernel, X: Matrix, p: number, Y = X): Matrix {
  const entry: Entry = kernel.isotropic
    ? (i, j) => kernel.value(squaredDistance(X, i, Y, j, p))
    : (i, j) => kernel.value(squaredDistance(X, i, Y, j, p), innerProduct(X, i, Y, j, p));
  return Y === X
    ? symmetricTable(X.length / p, entry)
    : crossTable(X.length / p, Y.length / p, entry);
}
