// Rotations and reflections of maps of the plane.

import { multiplied } from "../core/matrix.js";
import { procrustesAlign } from "../core/procrustes.js";
import { areNumbers } from "./validators.js";

/** The turn of a map of the plane: an angle in degrees, and -1 where it is mirrored. */
export const turnOf = ([a, b, c, d]) => [
  Math.round((1800 * Math.atan2(c, a)) / Math.PI) / 10,
  a * d < b * c ? -1 : 1,
];

export const isTurn = (value) => areNumbers(value, 2, -180, 180) && Math.abs(value[1]) === 1;

/**
 * Turns each map of the plane onto the last one shown: a function from a map to its rotation. The
 * first map, a fresh one and one of another number of objects get the turn that is given.
 */
export function steadyTurn() {
  let last = null;
  return (Y, [degrees, side], fresh = false) => {
    const [sine, cosine] = [Math.sin, Math.cos].map((of) => of((degrees * Math.PI) / 180));
    const given = Float64Array.of(cosine, -side * sine, sine, side * cosine);
    const steady = !fresh && last?.length === Y.length;
    const rotation = steady ? procrustesAlign(Y, 2, last).rotation : given;
    last = multiplied(Y, 2, rotation, 2);
    return rotation;
  };
}
