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
 * Rotate a map onto the last one, and return its points. The first map of a state that was loaded
 * and a map with another number of objects get the rotation of the state.
 */
export function rotatedOntoLast(Y: Matrix, state: { last: Matrix | null; rotation: Rotation }) {
  const { last, rotation } = state;
  const steady = last?.length === Y.length;
  const Q = steady ? procrustesAlign(Y, 2, last).rotation : planeRotation(rotation);
  state.rotation = rotationOf(Q);
  state.last = matrixProduct(Y, 2, Q, 2);
  return toRows(state.last, 2);
}
