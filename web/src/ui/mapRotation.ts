// Rotations and reflections of maps of the plane.

import { type Matrix, matrixProduct, type Point, toRows } from "../core/matrix.ts";
import { procrustesAlign } from "../core/procrustes.ts";
import { areNumbers } from "./validators.ts";

export type Rotation = Point; // [degrees, sign]; the sign of a reflection is -1

/** Return the rotation of an orthogonal 2 x 2 matrix. */
export const rotationOf = ([a, b, c, d]: Matrix): Rotation => [
  Math.round((1800 * Math.atan2(c, a)) / Math.PI) / 10,
  a * d < b * c ? -1 : 1,
];

/** Return the matrix by which rows of points are multiplied. */
export function planeRotation([degrees, sign]: Rotation): Matrix {
  const angle = (degrees * Math.PI) / 180;
  const sine = Math.sin(angle);
  const cosine = Math.cos(angle);
  return Float64Array.of(cosine, -sign * sine, sine, sign * cosine);
}

/** Return true for a valid rotation. */
export const isRotation = (value: unknown): value is Rotation =>
  areNumbers(value, 2, -180, 180) && Math.abs(value[1]) === 1;

/**
 * Return a function that finds the rotation of a map onto the previous one, and returns a function
 * that applies it. The first map, that of a state that was `justLoaded`, and a map with another
 * number of objects get the rotation of the state.
 */
export function rotationOntoLastMap(state: { justLoaded?: boolean; rotation: Rotation }) {
  let last: Matrix | null = null;
  return (Y: Matrix) => {
    const steady = !state.justLoaded && last?.length === Y.length;
    const Q = steady && last ? procrustesAlign(Y, 2, last).rotation : planeRotation(state.rotation);
    last = matrixProduct(Y, 2, Q, 2);
    state.rotation = rotationOf(Q);
    return (M: Matrix) => toRows(matrixProduct(M, 2, Q, 2), 2);
  };
}
