// The numbers and the texts of the explorer of a rotated line.

import { type Point, sumOf } from "../core/matrix.ts";
import { text } from "../ui/text.ts";

export type State = { angle: number }; // the angle of the line, in degrees
export type Result = ReturnType<typeof sumsOfSquares>;
export type View = "variances" | "projections" | "distances";
export type Data = { show: View; points: Point[]; axes: string[] }; // the names of both axes

/**
 * Return the sums over all points of the squares along and across a line, of the products of both
 * coordinates, the smallest possible sum across, and the angle at which it is attained.
 */
export function sumsOfSquares(points: Point[], degrees: number) {
  const angle = (degrees * Math.PI) / 180;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const scores = points.map(([x, y]): Point => [c * x + s * y, c * y - s * x]);
  const [along, across] = [sumOf(scores, ([u]) => u * u), sumOf(scores, ([, v]) => v * v)];
  const product = sumOf(scores, ([u, v]) => u * v);
  const best = degrees + (90 * Math.atan2(2 * product, along - across)) / Math.PI;
  const smallest = (along + across - Math.hypot(along - across, 2 * product)) / 2;
  const onAxes = ([u, v]: Point): Point => [c * u - s * v, s * u + c * v];
  return { scores, onAxes, along, across, product, smallest, best: ((best % 180) + 180) % 180 };
}

export function rotationVerdict(show: View, result: Result, n: number) {
  const { along, across, product, smallest } = result;
  const isAxis = Math.abs(product) <= 0.02 * n;
  if (show === "variances")
    return {
      holds: isAxis || undefined,
      head:
        `The rotated axes are ${isAxis ? "almost" : "not"} the axes of the ellipse: the ` +
        `covariance is ${text(product / n)}.`,
      reason:
        `The variances are ${text(along / n)} and ${text(across / n)}. For every angle, the ` +
        `trace is ${text((along + across) / n)} and the determinant ` +
        `${text((along * across - product * product) / n / n)}.`,
    };
  const isBest = text(across) === text(smallest);
  const ratio = text(across / smallest);
  if (show === "projections")
    return {
      holds: isBest || undefined,
      head: isBest
        ? `No line through the origin is closer to the points: squared errors ${text(across)}.`
        : `Another line has smaller squared errors: ${text(smallest)} instead of ${text(across)}.`,
      reason:
        `Squared lengths of the projections: ${text(along)}. For every line, the two sums add up ` +
        `to ${text(along + across)}.`,
    };
  return {
    holds: ratio === "1.00" || undefined,
    head: `The loss is ${ratio} times the smallest possible loss.`,
    reason: "No dot is above the diagonal.",
  };
}
