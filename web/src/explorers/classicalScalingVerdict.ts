// The verdict of the explorer of classical scaling.

import { percent, text } from "../ui/text.ts";
import type { Result, State } from "./classicalScalingModel.ts";

/** Return a length with a tenth only where it is not whole. */
export const km = (length: number) => String(Math.round(10 * length) / 10);
// Only the preface, in the same folder as the chapters, has a verdict with a link.
const WHY = ' <a href="03-distances-gram.html#ch-gram">Why?\u00a0See\u00a0Chapter\u00a03</a>';
const roundedPercent = (part: number) =>
  part > 0 && part < 0.0005 ? "less than 0.1%" : percent(part);
export const isOrAre = (count: number) => (count === 1 ? "is" : "are");
export const millions = (square: number) => text(square / 1e6, 3);

/** Return the verdict on the matrix, or on the map in the views that show the map only. */
export function scalingVerdict(state: State, result: Result, labels: string[]) {
  if (state.show === "map") return mapVerdict(result, labels);
  if (state.show === "cities") return changeVerdict(state, result, labels);
  const { negative, mass, constant } = result;
  const head = negative
    ? `Not Euclidean: ${negative} of ${labels.length} eigenvalues ${isOrAre(negative)} negative ` +
      `(negative mass ${text(mass, 3)}).`
    : `Euclidean${constant ? ", with the constant" : ""}: no eigenvalue is negative.`;
  return { holds: negative === 0, head, reason: reasonOf(state, result, labels) };
}

const pairName = ({ i, j }: { i: number; j: number }, labels: string[]) =>
  `${labels[i]}\u2013${labels[j]}`;

function mapVerdict({ pairs, worst }: Result, labels: string[]) {
  if (!worst.length)
    return { holds: true, head: "All distances on the map are as given.", reason: "" };
  const squares = pairs.reduce((sum, { table, map }) => sum + (table - map) ** 2, 0);
  const difference = text(Math.sqrt(squares / pairs.length), 0);
  const [{ table, map }] = worst;
  return {
    head: `The map is not exact: the root-mean-square difference is ${difference} km.`,
    reason:
      `The difference is largest for ${pairName(worst[0], labels)}: ${km(table)} km are given, ` +
      `and the map has ${text(map, 0)} km.`,
  };
}

/** Return what the last change of a distance, or of the place of a city, does to the map. */
function changeVerdict({ moved, edits }: State, result: Result, labels: string[]) {
  const { original, D, pairs, points, first } = result;
  const counts = `the ${pairs.length} distances between these ${labels.length} cities`;
  if (!edits.length) return { head: `This map is computed from ${counts}.`, reason: "" };
  const shift = (at: number) => Math.hypot(points[at] - first[at], points[at + 1] - first[at + 1]);
  const shifts = labels.map((_, j) => (j === moved[0] ? 0 : shift(2 * j)));
  const change = `move by up to ${text(Math.max(...shifts), 0)} km from the hollow dots.`;
  if (moved.length)
    return {
      head: `You moved ${labels[moved[0]]}.`,
      reason: `The matrix contains the distances from its new place. Other cities ${change}`,
    };
  const [i, j, length] = edits[edits.length - 1];
  const given = `${pairName({ i, j }, labels)}: ${km(length)} km`;
  const through = (k: number) => D[i * labels.length + k] + D[k * labels.length + j];
  const [best] = [...labels.keys()].sort((k, l) => through(k) - through(l));
  if (through(best) < length)
    return {
      holds: false,
      head: "No map has all these distances.",
      reason: `${given}, but ${km(through(best))} km through ${labels[best]}. Cities ${change}`,
      link: WHY,
    };
  const [{ map }] = pairs.filter((pair) => pair.i === i && pair.j === j);
  const before = km(original[i * labels.length + j]);
  const reason = `${given} instead of ${before} km, and ${text(map, 0)} km on the map.`;
  return { head: `Cities ${change}`, reason };
}

function reasonOf(state: State, result: Result, labels: string[]) {
  const { worst, constant, goodness, strainRatio } = result;
  const { moved, edits, method, base } = state;
  if (moved.length && worst.length) {
    const strained =
      strainRatio < 1e6 ? `is ${text(strainRatio, 2)} times the minimum` : "is no longer zero";
    return (
      `You moved ${labels[moved[0]]}: the strain ${strained}, and the largest residual is that of ` +
      `${pairName(worst[0], labels)}.`
    );
  }
  if (constant) {
    const [of, by] =
      method === "cailliez"
        ? ["Each dissimilarity", `${text(constant, 0)} km`]
        : ["The square of each dissimilarity", `2 \u00d7 ${millions(constant)} million km\u00b2`];
    const fit = roundedPercent(goodness[0]);
    return `${of} is increased by ${by}. The fit from absolute values is ${fit}.`;
  }
  if (edits.length) {
    const [i, j, length] = edits[edits.length - 1];
    const more = edits.length > 1 ? `, and ${edits.length - 1} more changed` : "";
    const [now, before] = [result.constants.cailliez, result.before].map((c) => text(c, 0));
    return (
      `${pairName({ i, j }, labels)} is ${km(length)} km${more}: Cailliez\u2019s constant is ` +
      `${now} km and was ${before} km.`
    );
  }
  if (base === "straight")
    return "Two eigenvalues are positive, and all distances on the map are as given.";
  const { table, map } = worst[0];
  return (
    `The largest residual is that of ${pairName(worst[0], labels)}: ${km(table)} km are given, ` +
    `and the map has ${text(map, 0)} km.`
  );
}
