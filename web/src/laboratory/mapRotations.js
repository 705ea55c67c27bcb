// Rotations of the map and of the camera, and alignment with other maps.

import { centredColumns, dot, matrixProduct, productOfRows, toRows } from "../core/matrix.js";
import { polarFactor, procrustesAlign } from "../core/procrustes.js";
import { isRotation, planeRotation, rotationOf } from "../ui/mapRotation.js";
import { areNumbers } from "../ui/validators.js";

/** @import { Rotation } from "../ui/mapRotation.js" */

export const NO_ROTATION = [0, 1];

/** Return the matrix of a rotation, which multiplies rows of k coordinates. */
export function rotationMatrix(/** @type {Rotation} */ rotation, /** @type {number} */ k) {
  if (k === 2) return planeRotation(rotation);
  return Float64Array.from({ length: k * k }, (_, at) =>
    at === 0 ? rotation[1] : Number(at % (k + 1) === 0),
  );
}

/** Return a rotation that is valid in k dimensions: only in the plane, it is by degrees. */
export function cleanRotation(/** @type {unknown} */ given, /** @type {number} */ k) {
  if (!isRotation(given)) return NO_ROTATION;
  return k === 2 ? [given[0], given[1]] : [0, given[1]];
}

/** Return the nine numbers of a view of a map in space, or null if they are not valid. */
export const cleanCamera = (/** @type {unknown} */ given, /** @type {number} */ k) =>
  k === 3 && areNumbers(given, 9, -1, 1) ? given : null;

/** Return the rows of a view from nine rounded numbers. @type {(camera: number[]) => number[][]} */
export const cameraRows = (camera) => toRows(polarFactor(Float64Array.from(camera), 3).rotation, 3);

/** Return nine rounded numbers of a view. @type {(R: number[][]) => number[]} */
export const cameraOf = (R) => R.flat().map((x) => Math.round(1000 * x) / 1000);

/** The views of a map in space along one axis, by the two axes that are seen. */
export const AXIS_VIEWS = {
  "1, 2": [1, 0, 0, 0, 1, 0, 0, 0, 1],
  "1, 3": [1, 0, 0, 0, 0, 1, 0, -1, 0],
  "2, 3": [0, 1, 0, 0, 0, 1, 1, 0, 0],
};

/**
 * Return the rotation that aligns a map with the previous one. If points in the plane differ on one
 * axis only, they stay on it. In space, the axes stay as well, and the view is rotated instead: R,
 * whose rows are its directions.
 * @type {(points: Matrix, k: number, shown: Matrix, camera: { filled: number, R: number[][] }) =>
 *   { rotation: Rotation, R: number[][] }}
 */
export function alignWithShown(points, k, shown, { filled, R }) {
  const { rotation: Q } = procrustesAlign(points, k, shown);
  if (k === 1) return { rotation: [0, Q[0] < 0 ? -1 : 1], R };
  if (k === 2) return { rotation: filled > 1 ? rotationOf(Q) : [Q[0] < 0 ? 180 : 0, 1], R };
  const rows = toRows(Q, 3);
  const [a, b, c] = rows;
  const volume =
    a[0] * (b[1] * c[2] - b[2] * c[1]) -
    a[1] * (b[0] * c[2] - b[2] * c[0]) +
    a[2] * (b[0] * c[1] - b[1] * c[0]);
  const side = volume < 0 ? -1 : 1;
  const inverse = rows[0].map((_, j) => rows.map((row, i) => row[j] * (i === 0 ? side : 1)));
  return { rotation: [0, side], R: productOfRows(R, inverse) };
}

/**
 * Align another map with one by rotation, reflection, translation and scaling; return its points,
 * m squared, and the distance between the two positions of each object.
 * @param {Matrix} points @param {number} k @param {Matrix} other
 */
export function overlayOf(points, k, other) {
  const { points: aligned, residual } = procrustesAlign(other, k, points, { scaling: true });
  const centred = centredColumns(points, k);
  const errors = points.map((x, at) => x - aligned[at]);
  const gaps = toRows(errors, k).map((row) => Math.hypot(...row));
  return { points: aligned, mSquared: residual ** 2 / (dot(centred, centred) || 1), gaps };
}

/**
 * Rotate by some more degrees, or reflect what a rotation shows.
 * @type {(rotation: Rotation, k: number, change: { degrees?: number, mirrored?: boolean }) =>
 *   Rotation}
 */
export function rotatedFurther(rotation, k, { degrees = 0, mirrored = false }) {
  if (k !== 2) return mirrored ? [0, -rotation[1]] : rotation;
  const more = mirrored ? Float64Array.of(-1, 0, 0, 1) : rotationMatrix([degrees, 1], 2);
  return rotationOf(matrixProduct(rotationMatrix(rotation, 2), 2, more, 2));
}
