// The numbers and the texts of the explorer of a new object.

import { classicalScaling } from "../core/classicalScaling.ts";
import type { Point } from "../core/matrix.ts";
import {
  distances,
  fromRows,
  largestModulus,
  matrixProduct,
  squaredDistances,
  sumOf,
  sumOfSquares,
  toRows,
} from "../core/matrix.ts";
import { procrustesAlign } from "../core/procrustes.ts";
import { text } from "../ui/text.ts";

export type OldMap = ReturnType<typeof mapOf>;
export type Result = ReturnType<typeof placeByGower>;
export interface State {
  new_point: Point; // the point on the map
  squared_height: number; // its squared height
  edited_distances: number[]; // the distances if one was edited, or empty
}

export const fourDigits = (value: number) => Math.round(1e4 * value) / 1e4;

/** Return the old points and their map by classical scaling, with the rotation onto the points. */
export function mapOf(points: Point[]) {
  const X = fromRows(points);
  const n = points.length;
  const fit = classicalScaling(distances(X, 2), n, 2);
  return { X, n, fit, rotation: procrustesAlign(fit.points, 2, X).rotation };
}

/** Return the distances of a point above the plane from the old points. */
export function distancesFrom({ X, n }: OldMap, point: Point, squaredHeight: number): number[] {
  const squares = squaredDistances(X, 2, Float64Array.from(point));
  return Array.from({ length: n }, (_, i) => Math.sqrt(Math.max(0, squares[i] + squaredHeight)));
}

/**
 * Return the position of a new object by Gower's formula, the terms of its sum, its squared height,
 * and the length of the part of g outside the column space of B; g is the new row of the Gram
 * matrix, and g0 its diagonal entry.
 */
export function placeByGower(map: OldMap, d: number[]) {
  const { X, n, fit, rotation } = map;
  const b = Array.from({ length: n }, (_, i) => fit.gram[i * n + i]);
  const g0 = sumOf(d, (di, i) => di * di - b[i]) / n;
  const g = d.map((di, i) => (b[i] - di * di + g0) / 2);
  const y = matrixProduct(fit.transform(Float64Array.from(d)), 2, rotation, 2);
  const weighted = fit.points.map((one, at) => (one * g[at >> 1]) / fit.eigenvalues[at % 2]);
  const terms = matrixProduct(weighted, 2, rotation, 2);
  const outside = g.map((gi, i) => gi - X[2 * i] * y[0] - X[2 * i + 1] * y[1]);
  return {
    g,
    d,
    position: [y[0], y[1]] satisfies Point,
    terms: toRows(terms, 2),
    squaredHeight: g0 - sumOfSquares(y),
    outside: Math.sqrt(sumOfSquares(outside)),
    norm: Math.sqrt(sumOfSquares(g)),
    scale: largestModulus(fit.gram) + Math.abs(g0),
  };
}

export function resultOf(state: State, map: OldMap) {
  const { edited_distances: edited, new_point, squared_height } = state;
  return placeByGower(map, edited.length ? edited : distancesFrom(map, new_point, squared_height));
}

export function newPointVerdict(result: Result) {
  const { position, squaredHeight, outside, norm, scale } = result;
  const place = `(${position.map((x) => text(x)).join(", ")})`;
  const h2 = `h² = ${text(squaredHeight)}`;
  if (outside > 1e-3 * scale) {
    const reason =
      `Gower’s formula gives ${place} and ${h2}, but g is not in the column space of B: g has ` +
      `length ${text(norm)}, and its distance from this space is ${text(outside)}.`;
    return { holds: false, head: "No point has these distances.", reason };
  }
  if (squaredHeight < -0.005) {
    const excess = text(-squaredHeight);
    const reason = `At ${place}, each squared distance on the map is ${excess} larger than the given one.`;
    return { holds: false, head: `No point has these distances: ${h2}.`, reason };
  }
  if (squaredHeight < 0.005) {
    const reason = "All circles intersect there, so the map shows all distances exactly.";
    return { holds: true, head: `The point is on the map, at ${place}.`, reason };
  }
  const reason = `Its position is ${place}. On the map, each squared distance is too small by ${h2}.`;
  return { head: `The point is ${text(Math.sqrt(squaredHeight))} above the map.`, reason };
}

/** Return the states of the buttons. */
export function presetsFor(map: OldMap) {
  const wrong = distancesFrom(map, [1.5, -0.9], 0).map(fourDigits);
  wrong[0] = fourDigits(wrong[0] + 0.8);
  const stateOf = (squared_height: number, edited_distances: number[] = []): State => ({
    new_point: [1.5, -0.9],
    squared_height,
    edited_distances,
  });
  return { flat: stateOf(0), above: stateOf(1.44), small: stateOf(-0.8), wrong: stateOf(0, wrong) };
}
