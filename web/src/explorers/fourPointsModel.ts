// The numbers and the texts of the explorer of four points.

import { eigenpairs } from "../core/eigenpairs.ts";
import { gramFromDistances } from "../core/gram.ts";
import { type Point, toRows } from "../core/matrix.ts";
import { fromPairs, pairsAmong } from "../core/pairs.ts";
import { subscript, text } from "../ui/text.ts";

export interface State {
  show: "all" | "distances"; // the view
  points: Point[];
  distances: number[]; // the six distances if one was edited, or empty
}
export type Result = ReturnType<typeof scaling> & { lengths: number[] };

export const PAIRS = pairsAmong(4);
/** Largest distance that can be entered. */
export const LONGEST = 99;

/** A square, one with too long a diagonal, a centre too close to three corners, a folded square. */
export const PRESETS: Record<string, { points?: Point[]; lengths?: number[] }> = {
  square: { points: toRows(Float64Array.of(-1, 1, 1, 1, 1, -1, -1, -1), 2) },
  violated: { lengths: [2, 5, 2, 2, 2 * Math.SQRT2, 2] },
  triangles: { lengths: [2, 2, 1, 2, 1, 1] },
  folded: { lengths: [2, 2 * Math.SQRT2, 2, 2, 2.2, 2] },
};

/** Return the name of the preset that a state shows, or null. */
export function presetOf({ points, distances }: State) {
  const same = (a: number[], b: number[]) =>
    a.length === b.length && a.every((value, i) => Math.abs(value - b[i]) < 1e-12);
  const match = ({ points: corners, lengths = [] }: (typeof PRESETS)[string]) =>
    same(distances, lengths) && (!corners || same(points.flat(), corners.flat()));
  return Object.keys(PRESETS).find((name) => match(PRESETS[name])) ?? null;
}

export const lengthsOf = ({ points, distances }: Pick<State, "points" | "distances">) =>
  distances.length
    ? distances
    : PAIRS.map(([i, j]) => Math.hypot(points[i][0] - points[j][0], points[i][1] - points[j][1]));

/** Return B, its eigenvalues and the map of classical scaling in the plane. */
export function scaling(lengths: number[]) {
  const B = gramFromDistances(fromPairs(lengths, 4), 4);
  const { values, vectors } = eigenpairs(B, 4);
  const [first, second] = values.map((value) => Math.sqrt(Math.max(value, 0)));
  const map = toRows(vectors, 4).map(([u, v]): Point => [first * u, second * v]);
  const tolerance = 1e-9 * Math.max(1e-12, ...values.map(Math.abs));
  const rounded = Array.from(values, (value) => (Math.abs(value) <= tolerance ? 0 : value));
  return { B: toRows(B, 4), values: rounded, map };
}

/** Return [i, j, k] for the most violated inequality d_ij <= d_ik + d_kj, or null. */
function violatedTriangle(D: number[][]) {
  let worst = { excess: 1e-9 * Math.max(...D.flat()), indices: null as number[] | null };
  for (const [i, j] of PAIRS) {
    for (let k = 0; k < 4; k++) {
      const excess = D[i][j] - D[i][k] - D[k][j];
      if (k !== i && k !== j && excess > worst.excess) worst = { excess, indices: [i, j, k] };
    }
  }
  return worst.indices;
}

/** Return the verdict on six distances; the view "distances" has no eigenvalues and no map. */
export function distancesVerdict(lengths: number[], values: number[], show: string) {
  const isAll = show === "all";
  const lowest = Math.min(...values);
  if (lowest < 0) {
    const head = isAll
      ? `Not Euclidean: the smallest eigenvalue is ${text(lowest)}.`
      : "No points have these distances.";
    return { holds: false, head, reason: reasonAgainst(lengths) };
  }
  const dimensions = values.filter((value) => value > 0).length;
  const space = ["a single point", "a line", "the plane", "three dimensions"][dimensions];
  if (!isAll) return { holds: true, head: `Points in ${space} have these distances.`, reason: "" };
  const reason =
    dimensions < 3
      ? "The four points have all six distances."
      : `Points in the plane cannot have them, and the map omits \u03bb\u2083 = ${text(values[2])}.`;
  return { holds: true, head: `Euclidean: points in ${space} have these distances.`, reason };
}

/** Return why no points have some distances. */
function reasonAgainst(lengths: number[]) {
  const D = toRows(fromPairs(lengths, 4), 4);
  const violated = violatedTriangle(D);
  if (!violated)
    return "Every three points form a triangle, but the four triangles do not fit together.";
  const [i, j, k] = violated;
  const d = (a: number, b: number) => `d${subscript(a + 1)}${subscript(b + 1)}`;
  return (
    `The triangle inequality is violated: ${d(i, j)} = ${text(D[i][j])} is larger than ` +
    `${d(i, k)} + ${d(k, j)} = ${text(D[i][k] + D[k][j])}.`
  );
}
