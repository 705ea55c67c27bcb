// The verdict of the explorer of SMACOF.

import { plural, text } from "../ui/text.ts";
import type { Verdict } from "../ui/verdict.ts";
import { type Result, STRESS_TOLERANCE, type State } from "./smacofModel.ts";

export const km = (length: number) => `${text(1000 * length, 0)} km`;

const startName = (run: number[], labels: string[]) => {
  if (run.length > 1) return `the position of ${labels[run[0]]} that you chose`;
  return run[0] ? "a random start" : "the classical map";
};

export function stressVerdict(state: State, result: Result, labels: string[]): Verdict {
  const { stress, steps, ended, minStress, springs } = result;
  const { run } = state;
  if (ended) return finalVerdict(state, result, labels);
  const { i, j, table, map } = springs[0];
  const worst =
    `Largest error: ${labels[i]}\u2013${labels[j]}, ${km(table)} by road, ` +
    `${km(map)} on the map.`;
  if (steps) {
    const decrease = text(result.path.stresses[steps - 1] - stress);
    const head = `Stress ${text(stress)} after ${plural(steps, "step")}.`;
    return { head, reason: `The last step decreased it by ${decrease}. ${worst}` };
  }
  const head = `Stress ${text(stress)} before the first step.`;
  if (run.length > 1) return { head, reason: `You moved ${labels[run[0]]}. ${worst}` };
  const start = run[0]
    ? "The cities have random positions in a disc."
    : `This is the map of classical scaling. The smallest known stress is ${text(minStress)}.`;
  return { head, reason: `${start} ${worst}` };
}

function finalVerdict({ run, tried }: State, result: Result, labels: string[]): Verdict {
  const { stress, steps, minStress, city, distance, runs } = result;
  const isHere = (one: { stress: number }) => Math.abs(one.stress - stress) < STRESS_TOLERANCE;
  const here = runs.find(isHere)?.count ?? 0;
  const tries = tried[1] ? ` Of ${plural(tried[1], "random start")}, ${here} ended here.` : "";
  const from = `${plural(steps, "step")} from ${startName(run, labels)}`;
  if (stress < minStress + STRESS_TOLERANCE) {
    const head = `Stress ${text(stress)}, the smallest known value.`;
    return { holds: true, head, reason: `Reached after ${from}.${tries}` };
  }
  const head = `Local minimum: stress ${text(stress)}; the smallest known is ${text(minStress)}.`;
  const reason =
    `Reached after ${from}. ${labels[city]} is ${km(distance)} from its position on the best ` +
    `map.${tries}`;
  return { holds: false, head, reason };
}
