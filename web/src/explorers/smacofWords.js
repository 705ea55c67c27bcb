// What the explorer of stress says.

import { plural, text } from "../ui/text.js";
import { SAME } from "./smacofModel.js";

export const km = (length) => `${text(1000 * length, 0)} km`;

/** How a run began, in words. */
const beginning = (run, labels) => {
  if (run.length > 1) return `where you put ${labels[run[0]]}`;
  return run[0] ? `random start ${run[0]}` : "the classical start";
};

/** What the state comes to, in words. */
export function sentence(state, result, labels) {
  const { stress, steps, ended, least, springs } = result;
  const { run } = state;
  if (ended) return endSentence(state, result, labels);
  const { i, j, table, map } = springs[0];
  const worst =
    `The worst spring is ${labels[i]}\u2013${labels[j]}: ${km(table)} by road, ` +
    `${km(map)} on the map.`;
  if (steps) {
    const fall = text(result.path.stresses[steps - 1] - stress, 2);
    return {
      head: `Stress ${text(stress, 2)} after ${plural(steps, "step")}.`,
      reason: `The last step took off ${fall}. ${worst}`,
    };
  }
  const head = `Stress ${text(stress, 2)}, before the first step.`;
  if (run.length > 1) return { head, reason: `You moved ${labels[run[0]]}. ${worst}` };
  const where = run[0]
    ? `Random start ${run[0]}: the cities were thrown into a disc.`
    : `The map of least strain; the least stress known is ${text(least, 2)}.`;
  return { head, reason: `${where} ${worst}` };
}

/** The same, where no step leads on. */
function endSentence({ run, tried }, { stress, steps, least, city, off, ends }, labels) {
  const here = ends.find((end) => Math.abs(end.stress - stress) < SAME)?.times ?? 0;
  const share = tried[1] ? ` Of ${plural(tried[1], "random start")}, ${here} ended here.` : "";
  const from = `${plural(steps, "step")} from ${beginning(run, labels)}`;
  if (stress < least + SAME)
    return {
      holds: true,
      head: `Stress ${text(stress, 2)}: the least known.`,
      reason: `It took ${from}.${share}`,
    };
  const head = `Stuck: stress ${text(stress, 2)}, the least known is ${text(least, 2)}.`;
  const reason =
    `After ${from} no step leads on. ${labels[city]} is ${km(off)} from its place on ` +
    `the best map.${share}`;
  return { holds: false, head, reason };
}
