// Compute the jobs that the page sends, in a worker or, if there is none, on the page itself.

import { comparisonSteps } from "./comparison.js";
import { fitSteps } from "./fits.js";
import { chanceSteps, stabilitySteps } from "./stability.js";
import { readTable } from "./tableParser.js";

/** Read a text in one step. */
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

/** Take the steps of a job, and pause every 60 ms to report progress and accept commands. */
async function runInSlices(steps, { tell, state }) {
  let last = performance.now();
  for (let step = steps.next(); ; step = steps.next(state.stop)) {
    if (step.done) return step.value;
    if (performance.now() - last < 60) continue;
    tell(step.value);
    await new Promise((done) => setTimeout(done, 0));
    if (state.drop) return null;
    last = performance.now();
  }
}

/** Run the jobs that a port receives, and send progress and results. */
export function serveJobs(port) {
  const running = new Map();
  port.onmessage = async ({ data: { id, name, request, command } }) => {
    if (command) return Object.assign(running.get(id) ?? {}, { [command]: true });
    const state = { stop: false, drop: false };
    running.set(id, state);
    try {
      const tell = (progress) => port.postMessage({ id, progress });
      const result = await runInSlices(STEPS[name](request), { tell, state });
      if (!state.drop) port.postMessage({ id, result });
    } catch (error) {
      port.postMessage({ id, error: error.message });
    }
    running.delete(id);
  };
}
