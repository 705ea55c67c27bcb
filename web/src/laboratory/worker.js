// Compute the jobs that the page sends, in a worker or, if there is none, on the page itself.

import { comparisonSteps } from "./comparison.js";
import { fitSteps } from "./fits.js";
import { chanceSteps, stabilitySteps } from "./stability.js";
import { readTable } from "./tableParser.js";

/** @import { Options } from "./tableParser.js" */
/** @typedef {keyof typeof STEPS} JobName */
/** @template {JobName} J @typedef {Parameters<typeof STEPS[J]>[0]} Input */
/** @template {JobName} J @typedef {ReturnType<ReturnType<typeof STEPS[J]>["next"]>} Step */
/** @template {JobName} J @typedef {(r: Extract<Step<J>, { done: true }>["value"]) => void} Done */
/** @typedef {{ steps?: number, points?: Matrix, done?: number, of?: number }} Progress */
/** @typedef {{ id: number, name: JobName, request: any, command?: "stop" | "drop" }} Order */
/** @typedef {{ id: number, progress?: Progress, result?: unknown, error?: string }} Reply */
/** @typedef {{ tell: (progress: Progress) => void, stop: boolean, drop: boolean }} Run */

/** Read a text in one step. @param {{ words: string, options: Options }} request */
// biome-ignore lint/correctness/useYield: the other jobs have more steps
function* readSteps({ words, options }) {
  return readTable(words, options);
}

/** The steps of each job, by its name. */
const STEPS = {
  fit: fitSteps,
  stability: stabilitySteps,
  chance: chanceSteps,
  comparison: comparisonSteps,
  read: readSteps,
};

/** Take the steps of a job, and pause every 60 ms to report progress and accept commands.
 * @param {Generator<Progress, unknown, boolean>} steps @param {Run} run */
async function runInSlices(steps, run) {
  let last = performance.now();
  for (let step = steps.next(); ; step = steps.next(run.stop)) {
    if (step.done) return step.value;
    if (performance.now() - last < 60) continue;
    run.tell(step.value);
    await new Promise((done) => setTimeout(done, 0));
    if (run.drop) return null;
    last = performance.now();
  }
}

/** Return a function that runs jobs and obeys commands; `reply` gets progress and results. */
export function serveJobs(/** @type {(reply: Reply) => void} */ reply) {
  const running = /** @type {Map<number, Run>} */ (new Map());
  return async (/** @type {{ data: Order }} */ { data: { id, name, request, command } }) => {
    if (command) return Object.assign(running.get(id) ?? {}, { [command]: true });
    const tell = (/** @type {Progress} */ progress) => reply({ id, progress });
    const run = { tell, stop: false, drop: false };
    running.set(id, run);
    try {
      const result = await runInSlices(STEPS[name](request), run);
      if (!run.drop) reply({ id, result });
    } catch (error) {
      reply({ id, error: /** @type {Error} */ (error).message });
    }
    running.delete(id);
  };
}
