// Rotations of the map and of the camera, and alignment with the previous map.

import { type Matrix, matrixProduct, productOfRows, toRows } from "../../core/matrix.ts";
import { polarFactor, procrustesAlign } from "../../core/procrustes.ts";
import { isRotation, planeRotation, type Rotation, rotationOf } from "../../ui/mapRotation.ts";
import { areNumbers } from "../../ui/validators.ts";

export const NO_ROTATION: Rotation = [0, 1];

/** Return the matrix of a rotation, which multiplies rows of k coordinates. */
export function rotationMatrix(rotation: Rotation, k: number) {
  if (k === 2) return planeRotation(rotation);
  return Float64Array.from({ length: k * k }, (_, at) =>
    at === 0 ? rotation[1] : Number(at % (k + 1) === 0),
  );
}

/** Return a rotation that is valid in k dimensions: only in the plane, it is by degrees. */
export function cleanRotation(given: unknown, k: number): Rotation {
  if (!isRotation(given)) return NO_ROTATION;
  return k === 2 ? [given[0], given[1]] : [0, given[1]];
}

/** Return the nine numbers of a view of a map in space, or null if they are not valid. */
export const cleanCamera = (given: unknown, k: number) =>
  k === 3 && areNumbers(given, 9, -1, 1) ? given : null;

/** Return the rows of a view from nine rounded numbers. */
export const cameraRows = (camera: number[]): number[][] =>
  toRows(polarFactor(Float64Array.from(camera), 3).rotation, 3);

/** Return nine rounded numbers of a view. */
export const cameraOf = (R: number[][]): number[] =>
  R.flat().map((x) => Math.round(1000 * x) / 1000);

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
 */
export function alignWithShown(
  points: Matrix,
  k: number,
  shown: Matrix,
  { filled, R }: { filled: number; R: number[][] },
): { rotation: Rotation; R: number[][] } {
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

/** Rotate by some more degrees, or reflect what a rotation shows. */
export function rotatedFurther(
  rotation: Rotation,
  k: number,
  { degrees = 0, mirrored = false }: { degrees?: number; mirrored?: boolean },
): Rotation {
  if (k !== 2) return mirrored ? [0, -rotation[1]] : rotation;
  const more = mirrored ? Float64Array.of(-1, 0, 0, 1) : rotationMatrix([degrees, 1], 2);
  return rotationOf(matrixProduct(rotationMatrix(rotation, 2), 2, more, 2));
}
