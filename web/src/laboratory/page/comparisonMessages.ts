// Sentences on how a map differs from others: another map, maps without one object, permuted data.

import { text } from "../../ui/text.ts";
import { bandOf, type Chance, type Stability } from "../fitting/comparison.ts";
import type { Link, NameOf } from "./messages.ts";

/** Describe a comparison of two maps. */
export function comparisonWords(
  { mSquared, gaps }: { mSquared: number; gaps: number[] },
  title: string,
  nameOf: NameOf,
): string {
  const far = [...gaps.keys()].sort((i, j) => gaps[j] - gaps[i]).slice(0, 3);
  const farthest = mSquared > 1e-6 ? ` Farthest apart: ${far.map(nameOf).join(", ")}.` : "";
  return (
    `Hollow marks: ${title}, aligned with this map. m\u00b2 = ${text(mSquared, 3)}; 0 means ` +
    `that the maps have the same shape, 1 that they have nothing in common.${farthest}`
  );
}

/** Describe how stable the map is if objects are left out in turn. */
export function stabilityWords({ moves, influence, chosen }: Stability, name: NameOf, link: Link) {
  const [ordered, last] = [Array.from(moves).sort((a, b) => a - b), moves.length - 1];
  const middle = (ordered[Math.floor(last / 2)] + ordered[Math.ceil(last / 2)]) / 2;
  const top = (values: number[]) => values.indexOf(Math.max(...values));
  const percent = (part: number) => `${text(100 * part, part < 0.1 ? 1 : 0)}%`;
  const [far, strong] = [top(moves), top(influence)];
  return {
    html:
      `${chosen.length} of ${moves.length} objects ${chosen.length === 1 ? "was" : "were"} ` +
      `${link("stability", "left out in turn")}, and each map was aligned with this one. `,
    plain:
      `The median movement of an object is ${percent(middle)} of the map\u2019s radius; the largest ` +
      `is that of ${name(far)}, ${percent(moves[far])}. ${name(chosen[strong])} has the largest ` +
      `influence: without it, the others move by ${percent(influence[strong])}.`,
  };
}

/** Describe the curve of a table in comparison with those of permuted tables. */
export function chanceWords({ observed, permuted, byStress }: Chance, k: number): string {
  const band = bandOf(permuted);
  const i = Math.min(k, observed.length) - 1;
  const [low, high] = band[i];
  const isAhead = byStress ? observed[i] < low : observed[i] > high;
  const what = byStress ? "stress-1" : "explained fraction";
  const dimensions = `${i + 1} dimension${i ? "s" : ""}`;
  const verdict = isAhead
    ? `${byStress ? "smaller" : "larger"} than in all of them`
    : "no better than by chance";
  const spread = `from ${text(low, 2)} to ${text(high, 2)}`;
  return (
    `With ${dimensions}, the ${what} is ${text(observed[i], 2)}; in ${permuted.length} random ` +
    `permutations of the data it is ${spread}: ${verdict}.`
  );
}
