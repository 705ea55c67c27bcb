// The numbers and the texts of the explorer of a new object.

import { classicalScaling } from "../core/classicalScaling.js";
import {
  distances,
  fromRows,
  largestModulus,
  matrixProduct,
  squaredDistances,
  sumOf,
  sumOfSquares,
  toRows,
} from "../core/matrix.js";
import { procrustesAlign } from "../core/procrustes.js";
import { text } from "../ui/text.js";

/** @typedef {ReturnType<typeof mapOf>} OldMap */
/**
 * @typedef {object} State
 * @property {number[]} new_point  the point on the map
 * @property {number} squared_height  its squared height
 * @property {number[]} edited_distances  the distances if one was edited, or empty
 */

export const fourDigits = (/** @type {number} */ value) => Math.round(1e4 * value) / 1e4;

/** Return the old points and their map by classical scaling, with the rotation onto the points. */
export function mapOf(/** @type {Point[]} */ points) {
  const X = fromRows(points);
  const n = points.length;
  const fit = classicalScaling(distances(X, 2), n, 2);
  return { X, n, fit, rotation: procrustesAlign(fit.points, 2, X).rotation };
}

/** Return the distances of a point above the plane from the old points.
 * @type {(map: OldMap, point: Point, squaredHeight: number) => number[]} */
export function distancesFrom({ X, n }, point, squaredHeight) {
  const squares = squaredDistances(X, 2, Float64Array.from(point));
  return Array.from({ length: n }, (_, i) => Math.sqrt(Math.max(0, squares[i] + squaredHeight)));
}

/**
 * Return the position of a new object by Gower's formula, the terms of its sum, its squared height,
 * and the length of the part of g outside the column space of B; g is the new row of the Gram
 * matrix, and g0 its diagonal entry.
 */
export function placeByGower(/** @type {OldMap} */ map, /** @type {number[]} */ d) {
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
    position: Array.from(y),
    terms: toRows(terms, 2),
    squaredHeight: g0 - sumOfSquares(y),
    outside: Math.sqrt(sumOfSquares(outside)),
    norm: Math.sqrt(sumOfSquares(g)),
    scale: largestModulus(fit.gram) + Math.abs(g0),
  };
}

export function resultOf(/** @type {State} */ state, /** @type {OldMap} */ map) {
  const { edited_distances: edited, new_point, squared_height } = state;
  return placeByGower(map, edited.length ? edited : distancesFrom(map, new_point, squared_height));
}

export function newPointVerdict(/** @type {ReturnType<typeof placeByGower>} */ found) {
  const { position, squaredHeight, outside, norm, scale } = found;
  const at = `(${position.map((x) => text(x)).join(", ")})`;
  const h2 = `h² = ${text(squaredHeight)}`;
  if (outside > 1e-3 * scale) {
    const reason =
      `Gower’s formula gives ${at} and ${h2}, but g is not in the column space of B: g has ` +
      `length ${text(norm)}, and its distance from this space is ${text(outside)}.`;
    return { holds: false, head: "No point has these distances.", reason };
  }
  if (squaredHeight < -0.005) {
    const excess = text(-squaredHeight);
    const reason = `At ${at}, each squared distance on the map is ${excess} larger than the given one.`;
    return { holds: false, head: `No point has these distances: ${h2}.`, reason };
  }
  if (squaredHeight < 0.005) {
    const reason = "All circles intersect there, so the map shows all distances exactly.";
    return { holds: true, head: `The point is on the map, at ${at}.`, reason };
  }
  const reason = `${h2}: on the map, each squared distance is too small by this number.`;
  return { head: `Position ${at}, height ${text(Math.sqrt(squaredHeight))}.`, reason };
}

/** Return the states of the buttons. */
export function presetsFor(/** @type {OldMap} */ map) {
  const wrong = distancesFrom(map, [1.5, -0.9], 0).map(fourDigits);
  wrong[0] = fourDigits(wrong[0] + 0.8);
  /** @type {(squared_height: number, edited_distances?: number[]) => State} */
  const at = (squared_height, edited_distances = []) => ({
    new_point: [1.5, -0.9],
    squared_height,
    edited_distances,
  });
  return { flat: at(0), above: at(1.44), small: at(-0.8), wrong: at(0, wrong) };
}
