// Rotations and reflections of maps of the plane.

import { multiplied } from "../core/matrix.js";
import { procrustesAlign } from "../core/procrustes.js";
import { areNumbers } from "./validators.js";

/**
 * Return the angle of an orthogonal matrix in degrees, and -1 if it contains a reflection, else
 * 1.
 */
export const turnOf = ([a, b, c, d]) => [
  Math.round((1800 * Math.atan2(c, a)) / Math.PI) / 10,
  a * d < b * c ? -1 : 1,
];

/** Return the matrix of a turn [degrees, side] of the plane, whose points are rows before it. */
export function planeRotation([degrees, side]) {
  const [sine, cosine] = [Math.sin, Math.cos].map((of) => of((degrees * Math.PI) / 180));
  return Float64Array.of(cosine, -side * sine, sine, side * cosine);
}

/** Return true for what `turnOf` returns. */
export const isTurn = (value) => areNumbers(value, 2, -180, 180) && Math.abs(value[1]) === 1;

/**
 * Return a function that rotates each map onto the last one shown, and returns the rotation. The
 * first map, a fresh one, and one of another number of objects get the given rotation.
 */
export function steadyTurn() {
  let last = null;
  return (Y, turn, fresh = false) => {
    const steady = !fresh && last?.length === Y.length;
    const rotation = steady ? procrustesAlign(Y, 2, last).rotation : planeRotation(turn);
    last = multiplied(Y, 2, rotation, 2);
    return rotation;
  };
}
