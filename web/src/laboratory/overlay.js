// Lay one map onto another.

import { centredColumns, dot, squaredDistance } from "../core/matrix.js";
import { procrustesAlign } from "../core/procrustes.js";
import { text } from "../ui/text.js";
import { columnsIn } from "./columns.js";

/**
 * Another map turned, shifted and stretched onto one: its points, m squared, and how far each lies
 * off.
 */
export function laidOn(points, k, other) {
  const { points: laid, residual } = procrustesAlign(other, k, points, { scaling: true });
  const centred = centredColumns(points, k);
  const gaps = Array.from({ length: points.length / k }, (_, i) =>
    Math.sqrt(squaredDistance(points, i, laid, i, k)),
  );
  return { points: laid, mSquared: residual ** 2 / (dot(centred, centred) || 1), gaps };
}

/** What a comparison says. */
export function comparedWords({ mSquared, gaps }, title, nameOf) {
  const far = [...gaps.keys()].sort((i, j) => gaps[j] - gaps[i]).slice(0, 3);
  const apart = mSquared > 1e-6 ? ` Farthest apart: ${far.map(nameOf).join(", ")}.` : "";
  return (
    `Hollow marks: ${title}, laid on this map. m\u00b2 = ${text(mSquared, 3)}, where 0 is ` +
    `agreement up to turn, shift and scale, and 1 nothing in common.${apart}`
  );
}

/** The columns of another table of points, in the order of the first. */
export function columnsAdded(reading, order) {
  const inOrder = ({ title, values, cells }) =>
    values
      ? { title, values: order.map((i) => values[i]) }
      : { title, cells: order.map((i) => cells[i]) };
  return reading.kind === "points" ? columnsIn(reading).map(inOrder) : [];
}
