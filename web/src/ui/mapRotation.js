// Rotations and reflections of maps of the plane.

import { matrixProduct, toRows } from "../core/matrix.js";
import { procrustesAlign } from "../core/procrustes.js";
import { areNumbers } from "./validators.js";

/** @typedef {number[]} Rotation  [degrees, sign]; the sign of a reflection is -1 */

/** Return the rotation of an orthogonal 2 x 2 matrix. @type {(Q: Matrix) => Rotation} */
export const rotationOf = ([a, b, c, d]) => [
  Math.round((1800 * Math.atan2(c, a)) / Math.PI) / 10,
  a * d < b * c ? -1 : 1,
];

/** Return the matrix by which rows of points are multiplied. @type {(Q: Rotation) => Matrix} */
export function planeRotation([degrees, sign]) {
  const angle = (degrees * Math.PI) / 180;
  const sine = Math.sin(angle);
  const cosine = Math.cos(angle);
  return Float64Array.of(cosine, -sign * sine, sine, sign * cosine);
}

/** Return true for a valid rotation. @param {unknown} value @returns {value is Rotation} */
export const isRotation = (value) => areNumbers(value, 2, -180, 180) && Math.abs(value[1]) === 1;

/**
 * Return a function that finds the rotation of a map onto the previous one, and returns a function
 * that applies it. The first map, a map in a `fresh` state and a map with another number of objects
 * get the rotation of the state.
 * @param {{ fresh?: boolean, rotation: Rotation }} state
 * @returns {(Y: Matrix) => (M: Matrix) => number[][]}
 */
export function rotationOntoLastMap(state) {
  let last = /** @type {Matrix | null} */ (null);
  return (Y) => {
    const steady = !state.fresh && last?.length === Y.length;
    const Q = steady && last ? procrustesAlign(Y, 2, last).rotation : planeRotation(state.rotation);
    last = matrixProduct(Y, 2, Q, 2);
    state.rotation = rotationOf(Q);
    return (M) => toRows(matrixProduct(M, 2, Q, 2), 2);
  };
}
