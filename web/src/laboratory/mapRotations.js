// Rotations of the map and of the camera.

import { multiplied, multiply, toRows } from "../core/matrix.js";
import { polarFactor, procrustesAlign } from "../core/procrustes.js";
import { isRotation, planeRotation, rotationOf } from "../ui/mapRotation.js";
import { areNumbers } from "../ui/validators.js";

export const NO_ROTATION = [0, 1];

/** The matrix of a rotation [degrees, sign], by which rows of k coordinates are multiplied. */
export function rotationMatrix(rotation, k) {
  if (k === 2) return planeRotation(rotation);
  return Float64Array.from({ length: k * k }, (_, at) =>
    at === 0 ? rotation[1] : Number(at % (k + 1) === 0),
  );
}

/** A rotation that fits k dimensions: only a map of the plane is rotated by degrees. */
export function cleanRotation(given, k) {
  if (!isRotation(given)) return NO_ROTATION;
  return k === 2 ? [given[0], given[1]] : [0, given[1]];
}

/** Nine numbers of a view of a solid map, or null. */
export const cleanCamera = (given, k) => (k === 3 && areNumbers(given, 9, -1, 1) ? given : null);

/** The rows of a view from nine rounded numbers. */
export const cameraRows = (camera) => toRows(polarFactor(Float64Array.from(camera), 3).rotation, 3);

/** Nine rounded numbers of a view. */
export const cameraOf = (R) => R.flat().map((x) => Math.round(1000 * x) / 1000);

/** The views along one axis of a solid map, by the axes that are seen. */
export const AXIS_VIEWS = {
  "1, 2": [1, 0, 0, 0, 1, 0, 0, 0, 1],
  "1, 3": [1, 0, 0, 0, 0, 1, 0, -1, 0],
  "2, 3": [0, 1, 0, 0, 0, 1, 1, 0, 0],
};

/**
 * The rotation that aligns a map with the one before it. Points that differ on one axis of the
 * plane only stay on it. The axes of a map in three dimensions stay as well, and R, whose rows are
 * the directions of the view, is rotated instead.
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
  return { rotation: [0, side], R: multiply(R, inverse) };
}

/** A rotation, and then some degrees more, or the mirror image of what it shows. */
export function rotatedFurther(rotation, k, { degrees = 0, mirrored = false }) {
  if (k !== 2) return mirrored ? [0, -rotation[1]] : rotation;
  const more = mirrored ? Float64Array.of(-1, 0, 0, 1) : rotationMatrix([degrees, 1], 2);
  return rotationOf(multiplied(rotationMatrix(rotation, 2), 2, more, 2));
}
