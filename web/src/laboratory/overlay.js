// Align one map with another.

import { centredColumns, dot, squaredDistance } from "../core/matrix.js";
import { procrustesAlign } from "../core/procrustes.js";
import { text } from "../ui/text.js";
import { columnsIn } from "./columns.js";

/**
 * Another map aligned with one, with a scale factor: its points, m squared, and the distance of
 * each point from its place.
 */
export function alignedWith(points, k, other) {
  const { points: aligned, residual } = procrustesAlign(other, k, points, { scaling: true });
  const centred = centredColumns(points, k);
  const gaps = Array.from({ length: points.length / k }, (_, i) =>
    Math.sqrt(squaredDistance(points, i, aligned, i, k)),
  );
  return { points: aligned, mSquared: residual ** 2 / (dot(centred, centred) || 1), gaps };
}

/** What a comparison says. */
export function comparedWords({ mSquared, gaps }, title, nameOf) {
  const far = [...gaps.keys()].sort((i, j) => gaps[j] - gaps[i]).slice(0, 3);
  const apart = mSquared > 1e-6 ? ` Farthest apart: ${far.map(nameOf).join(", ")}.` : "";
  return (
    `Hollow marks: ${title}, aligned with this map. m\u00b2 = ${text(mSquared, 3)}; 0 means ` +
    `that the maps have the same shape, 1 that they have nothing in common.${apart}`
  );
}

/** The columns of another table of points, in the order of the first. */
export function columnsAdded(reading, order) {
  const ordered = (list) => list && order.map((i) => list[i]);
  const inOrder = (each) => ({ ...each, values: ordered(each.values), cells: ordered(each.cells) });
  return reading.kind === "points" ? columnsIn(reading).map(inOrder) : [];
}
