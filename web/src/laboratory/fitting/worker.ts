// Compute the jobs that the page sends, in a worker or, if there is none, on the page itself.

import type { Matrix } from "../../core/matrix.ts";
import type { Options } from "../reading/parsedTable.ts";
import { readTable } from "../reading/tableParser.ts";
import { chanceSteps, comparisonSteps, stabilitySteps } from "./comparison.ts";
import { fitSteps } from "./fits.ts";

export type JobName = keyof typeof STEPS;
export type Input<J extends JobName> = Parameters<(typeof STEPS)[J]>[0];
type Step<J extends JobName> = ReturnType<ReturnType<(typeof STEPS)[J]>["next"]>;
export type Done<J extends JobName> = (r: Extract<Step<J>, { done: true }>["value"]) => void;
export type Progress = { steps?: number; points?: Matrix; done?: number; of?: number };
type Command = "finish" | "cancel";
export type JobMessage = { id: number; name: JobName; request: unknown; command?: Command };
type Steps = Generator<Progress, unknown, boolean>;
export type Reply = { id: number; progress?: Progress; result?: unknown; error?: string };
type Run = { tell: (progress: Progress) => void; finish: boolean; cancel: boolean };

/** Read a text in one step. */
// biome-ignore lint/correctness/useYield: the other jobs have more steps
function* readSteps({ words, options }: { words: string; options: Options }) {
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
async function runInSlices(steps: Steps, run: Run) {
  let last = performance.now();
  for (let step = steps.next(); ; step = steps.next(run.finish)) {
    if (step.done) return step.value;
    if (performance.now() - last < 60) continue;
    run.tell(step.value);
    await new Promise((done) => setTimeout(done, 0));
    if (run.cancel) return null;
    last = performance.now();
  }
}

/** Return a function that runs jobs and obeys commands; `reply` gets progress and results. */
export function serveJobs(reply: (reply: Reply) => void) {
  const running = new Map<number, Run>();
  return async ({ data: { id, name, request, command } }: { data: JobMessage }) => {
    if (command) return void Object.assign(running.get(id) ?? {}, { [command]: true });
    const tell = (progress: Progress) => reply({ id, progress });
    const run = { tell, finish: false, cancel: false };
    running.set(id, run);
    try {
      const steps = STEPS[name] as (request: unknown) => Steps;
      const result = await runInSlices(steps(request), run);
      if (!run.cancel) reply({ id, result });
    } catch (error) {
      reply({ id, error: (error as Error).message });
    }
    running.delete(id);
  };
}
