// Run a job in a worker, or on the page if there is none.

import { setAttributes } from "../ui/svg.js";
import { serveJobs } from "./worker.js";

/** @import { Done, Input, JobName, Order, Progress, Reply } from "./worker.js" */
/** @typedef {(why: string) => void} Fail */
/** @typedef {{ job: Order, done: (result: any) => void, failed: Fail }} Running */

function showProgress(/** @type {Element} */ busy, /** @type {Progress} */ { steps, done, of }) {
  const [bar, words] = busy.children;
  if (of) setAttributes(bar, { value: done, max: of });
  if (of || steps) words.textContent = of ? `${done} of ${of}` : `${steps} steps`;
}

/** Return functions that run one job at a time; `busy` and the points so far show its progress.
 * @param {HTMLElement} busy @param {(points: Matrix) => void} showPoints */
export function jobRunner(busy, showPoints) {
  let running = /** @type {Running | null} */ (null); // the job, and what receives its result
  let last = 0;
  let worker = /** @type {Worker | null | undefined} */ (undefined);
  const show = (/** @type {Running | null} */ started) => {
    running = started;
    busy.hidden = !started;
  };
  const receive = (/** @type {{ data: Reply }} */ { data: { id, progress, result, error } }) => {
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
  const send = (/** @type {Order} */ data) => {
    if (worker === undefined) worker = startWorker(receive, runOnPage);
    if (worker) worker.postMessage(data);
    else onPage({ data });
  };
  const command = (/** @type {"stop" | "drop"} */ name) =>
    running && send({ ...running.job, request: null, command: name });
  return {
    isRunning: () => running !== null,
    /** @type {<J extends JobName>(name: J, input: Input<J>, done: Done<J>, fail: Fail) => void} */
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
 * @type {(onmessage: (event: { data: Reply }) => void, onerror: () => void) => Worker | null}
 */
function startWorker(onmessage, onerror) {
  if (typeof WORKER_SCRIPT === "undefined" || typeof Worker === "undefined") return null;
  const script = new Blob([WORKER_SCRIPT], { type: "text/javascript" });
  try {
    return Object.assign(new Worker(URL.createObjectURL(script)), { onmessage, onerror });
  } catch {
    return null;
  }
}
