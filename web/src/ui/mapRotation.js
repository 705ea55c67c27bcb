// Rotations and reflections of maps of the plane.

import { multiplied } from "../core/matrix.js";
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
 * Return a function that rotates each map onto the previous one, and returns the rotation. The
 * first map, a fresh one, and one of another number of objects get the rotation `first`.
 */
export function steadyRotation() {
  let last = null;
  return (Y, first, fresh = false) => {
    const steady = !fresh && last?.length === Y.length;
    const rotation = steady ? procrustesAlign(Y, 2, last).rotation : planeRotation(first);
    last = multiplied(Y, 2, rotation, 2);
    return rotation;
  };
}
