// Run jobs in a worker, or on the page if there is none.

import { serveJobs } from "./worker.js";

/** Return functions that start a job, and that close the worker. */
export function jobRunner() {
  const waiting = new Map();
  const receive = ({ data: { id, progress, result, error } }) => {
    const handlers = waiting.get(id);
    if (!handlers) return;
    if (progress) return handlers.progress(progress);
    waiting.delete(id);
    if (error === undefined) handlers.result(result);
    else handlers.error(error);
  };
  const pagePort = { postMessage: (data) => receive({ data }) };
  serveJobs(pagePort);
  const runOnPage = () => {
    worker = null;
    for (const [id, { order }] of waiting) pagePort.onmessage({ data: { id, ...order } });
  };
  let worker;
  const send = (data) => {
    if (worker === undefined) worker = startWorker(receive, runOnPage);
    (worker ?? { postMessage: () => pagePort.onmessage({ data }) }).postMessage(data);
  };
  let last = 0;
  return {
    start(job, request, handlers) {
      const [id, order] = [(last += 1), { job, request }];
      waiting.set(id, { progress() {}, ...handlers, order });
      send({ id, ...order });
      return {
        stop: () => send({ id, command: "stop" }),
        drop: () => waiting.delete(id) && send({ id, command: "drop" }),
      };
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
