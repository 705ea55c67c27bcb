// Run a job in a worker, or on the page if there is none.

import { setAttributes } from "../ui/svg.js";
import { serveJobs } from "./worker.js";

/** @typedef {{ id: number, name: string, request: object }} Job  a computation in worker.js */
/** @typedef {{ job: Job, done: (result: any) => void, failed: (why: string) => void }} Running */

function showProgress(busy, { steps, done, of }) {
  const [bar, words] = busy.children;
  if (of) setAttributes(bar, { value: done, max: of });
  if (of || steps) words.textContent = of ? `${done} of ${of}` : `${steps} steps`;
}

/** Return functions that run one job at a time; `busy` and the points so far show its progress. */
export function jobRunner(/** @type {HTMLElement} */ busy, showPoints) {
  let running = /** @type {Running | null} */ (null); // the job, and what receives its result
  let last = 0;
  let worker;
  const show = (/** @type {Running | null} */ started) => {
    running = started;
    busy.hidden = !started;
  };
  const receive = ({ data: { id, progress, result, error } }) => {
    if (!running || id !== running.job.id) return;
    if (progress?.points) showPoints(progress.points);
    if (progress) return showProgress(busy, progress);
    const { done, failed } = running;
    show(null);
    if (error === undefined) done(result);
    else failed(error);
  };
  const pagePort = { postMessage: (data) => receive({ data }) };
  serveJobs(pagePort);
  const runOnPage = () => {
    worker = null;
    if (running) send(running.job);
  };
  const send = (data) => {
    if (worker === undefined) worker = startWorker(receive, runOnPage);
    (worker ?? { postMessage: () => pagePort.onmessage({ data }) }).postMessage(data);
  };
  const command = (name) => running && send({ id: running.job.id, command: name });
  return {
    isRunning: () => running !== null,
    start(name, request, done, failed) {
      const job = { id: (last += 1), name, request };
      show({ job, done, failed });
      busy.children[0].removeAttribute("value");
      busy.children[1].textContent = "computing \u2026";
      send(job);
    },
    stop: () => command("stop"),
    drop() {
      command("drop");
      show(null);
    },
    close: () => worker?.terminate(),
  };
}

/**
 * Start a worker; return null if there is none. Its script is a text, because a page opened from a
 * folder may not start a worker from a file, and a widget in Jupyter has no file beside it.
 */
function startWorker(receive, runOnPage) {
  if (typeof WORKER_SCRIPT === "undefined" || typeof Worker === "undefined") return null;
  const script = new Blob([WORKER_SCRIPT], { type: "text/javascript" });
  try {
    return Object.assign(new Worker(URL.createObjectURL(script)), {
      onmessage: receive,
      onerror: runOnPage,
    });
  } catch {
    return null;
  }
}
