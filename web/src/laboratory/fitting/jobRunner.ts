// Run a job in a worker, or on the page if there is none.

import type { Matrix } from "../../core/matrix.ts";
import { setAttributes } from "../../ui/svg.ts";
import type { Done, Input, JobMessage, JobName, Progress, Reply } from "./worker.ts";
import { serveJobs } from "./worker.ts";

type Fail = (why: string) => void;
type Running = { job: JobMessage; done: (result: unknown) => void; failed: Fail };

function showProgress(busy: Element, { steps, done, of }: Progress) {
  const [bar, words] = busy.children;
  if (of) setAttributes(bar, { value: done, max: of });
  if (of || steps) words.textContent = of ? `${done} of ${of}` : `${steps} steps`;
}

/** Return functions that run one job at a time; `busy` and the points so far show its progress. */
export function jobRunner(busy: HTMLElement, showPoints: (points: Matrix) => void) {
  let running: Running | null = null; // the job, and what receives its result
  let last = 0;
  let worker: Worker | null | undefined;
  const show = (started: Running | null) => {
    running = started;
    busy.hidden = !started;
  };
  const receive = ({ data: { id, progress, result, error } }: { data: Reply }) => {
    if (!running || id !== running.job.id) return;
    if (progress?.points) showPoints(progress.points);
    if (progress) return showProgress(busy, progress);
    const { done, failed } = running;
    show(null);
    if (error === undefined) done(result);
    else failed(error);
  };
  const onPage = serveJobs((data) => receive({ data }));
  const runOnPage = () => {
    worker = null;
    if (running) send(running.job);
  };
  const send = (data: JobMessage) => {
    if (worker === undefined) worker = startWorker(receive, runOnPage);
    if (worker) worker.postMessage(data);
    else onPage({ data });
  };
  const command = (name: "finish" | "cancel") =>
    running && send({ ...running.job, request: null, command: name });
  return {
    isRunning: () => running !== null,
    start<J extends JobName>(name: J, request: Input<J>, done: Done<J>, failed: Fail): void {
      const job = { id: (last += 1), name, request };
      show({ job, done: done as Running["done"], failed });
      busy.children[0].removeAttribute("value");
      busy.children[1].textContent = "computing \u2026";
      send(job);
    },
    finish: () => command("finish"), // takes what is computed
    cancel() {
      command("cancel");
      show(null);
    },
    terminate: () => worker?.terminate(),
  };
}

/**
 * Start a worker; return null if there is none. Its script is a text, because a page opened from a
 * folder may not start a worker from a file, and a widget in Jupyter has no file beside it.
 */
function startWorker(onmessage: (event: { data: Reply }) => void, onerror: () => void) {
  if (typeof WORKER_SCRIPT === "undefined" || typeof Worker === "undefined") return null;
  const script = new Blob([WORKER_SCRIPT], { type: "text/javascript" });
  try {
    return Object.assign(new Worker(URL.createObjectURL(script)), { onmessage, onerror });
  } catch {
    return null;
  }
}
