// Rotations and reflections of maps of the plane.

import { matrixProduct, toRows } from "../core/matrix.js";
import { procrustesAlign } from "../core/procrustes.js";
import { areNumbers } from "./validators.js";

/**
 * Return the angle of an orthogonal matrix in degrees, and -1 if it contains a reflection, else 1.
 */
export const rotationOf = ([a, b, c, d]) => [
  Math.round((1800 * Math.atan2(c, a)) / Math.PI) / 10,
  a * d < b * c ? -1 : 1,
];

/**
 * Return the matrix that `rotationOf` describes; it multiplies points, which are rows, from the
 * right.
 */
export function planeRotation([degrees, sign]) {
  const [sine, cosine] = [Math.sin, Math.cos].map((of) => of((degrees * Math.PI) / 180));
  return Float64Array.of(cosine, -sign * sine, sine, sign * cosine);
}

/** Return true for what `rotationOf` returns. */
export const isRotation = (value) => areNumbers(value, 2, -180, 180) && Math.abs(value[1]) === 1;

/**
 * Return a function that rotates each map onto the previous one, and returns a function that
 * rotates points into rows. The first map, one of a `fresh` state, and one of another number of
 * objects get the rotation of the state.
 */
export function rotationOntoLastMap(state) {
  let last = null;
  return (Y) => {
    const steady = !state.fresh && last?.length === Y.length;
    const Q = steady ? procrustesAlign(Y, 2, last).rotation : planeRotation(state.rotation);
    last = matrixProduct(Y, 2, Q, 2);
    state.rotation = rotationOf(Q);
    return (M) => toRows(matrixProduct(M, 2, Q, 2), 2);
  };
}
