// What the explorer of classical scaling says.

import { text } from "../ui/text.js";

/** A length as the table shows it, with a tenth only where it is not whole. */
export const km = (length) => String(Math.round(10 * length) / 10);
export const percent = (part) =>
  part > 0 && part < 0.0005 ? "less than 0.1 %" : `${text(100 * part, 1)} %`;
export const isOrAre = (count) => (count === 1 ? "is" : "are");
export const millions = (square) => text(square / 1e6, 3);

/** What the state comes to, in words: on the table, and on what was done to it. */
export function sentence(state, result, labels) {
  const { negative, mass, constant } = result;
  const head = negative
    ? `Not Euclidean: ${negative} of ${labels.length} eigenvalues ${isOrAre(negative)} negative, ` +
      `${percent(mass)} of the spectrum.`
    : `Euclidean${constant ? ", with the constant" : ""}: no eigenvalue is negative.`;
  return { holds: negative === 0, head, reason: reasonOf(state, result, labels) };
}

function reasonOf(state, result, labels) {
  const { worst, constant, fits, strainRatio } = result;
  const { moved, edits, method, base } = state;
  const between = ({ i, j }) => `${labels[i]}\u2013${labels[j]}`;
  if (moved.length && worst.length) {
    const strained =
      strainRatio < 1e6 ? `is ${text(strainRatio, 2)} times the least` : "is no longer zero";
    return (
      `You moved ${labels[moved[0]]}: the strain ${strained}, and ${between(worst[0])} ` +
      `disagrees most.`
    );
  }
  if (constant) {
    const [of, by] =
      method === "cailliez"
        ? ["Every entry", `${text(constant, 0)} km`]
        : ["The square of every entry", `2 \u00d7 ${millions(constant)} million km\u00b2`];
    return `${of} has grown by ${by}, and two axes hold ${percent(fits[0])} of the spectrum.`;
  }
  if (edits.length) {
    const [i, j, length] = edits.at(-1);
    const more = edits.length > 1 ? `, and ${edits.length - 1} more changed` : "";
    const [now, before] = [result.constants.cailliez, result.before].map((c) => text(c, 0));
    return (
      `${between({ i, j })} is ${km(length)} km${more}: Cailliez\u2019s constant is ${now} ` +
      `km and was ${before} km.`
    );
  }
  if (base === "straight")
    return (
      "Points in a plane have these distances: two eigenvalues, and the map agrees with " +
      "every entry."
    );
  const { table, map } = worst[0];
  return (
    `Map and table disagree most on ${between(worst[0])}: ${km(table)} km in the table, ` +
    `${text(map, 0)} km on the map.`
  );
}
