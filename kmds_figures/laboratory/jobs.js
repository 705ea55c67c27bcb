// Jobs: fits run beside the page, in a worker, tell how far they are, and can be stopped.

/** Run a job to its end at once. */
export function runNow(steps) {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

const JOBS = {
  fit: fitJob,
  stability: stabilityJob,
  chance: chanceJob,
  other: otherJob,
  *read({ words, options }) {
    return readTables(words, options);
  },
};

/** Run a job, and breathe often enough to tell how far it is and to hear that it shall stop. */
async function runBreathing(steps, { tell, state }) {
  let last = performance.now();
  for (let step = steps.next(); ; step = steps.next(state.stopped)) {
    if (step.done) return step.value;
    if (performance.now() - last < 60) continue;
    tell(step.value);
    await new Promise((done) => setTimeout(done, 0));
    if (state.dropped) return null;
    last = performance.now();
  }
}

/** The worker's side: jobs come in, progress and results go out; a newer fit drops an older one. */
function serveJobs(port) {
  const running = new Map();
  port.onmessage = async ({ data: { id, job, request, command } }) => {
    if (command)
      return Object.assign(running.get(id) ?? {}, command === "stop" ? { stopped: true } : { dropped: true });
    const state = { stopped: false, dropped: false };
    running.set(id, state);
    try {
      const tell = (progress) => port.postMessage({ id, progress });
      const result = await runBreathing(JOBS[job](request), { tell, state });
      if (!state.dropped) port.postMessage({ id, result });
    } catch (error) {
      port.postMessage({ id, error: error.message });
    }
    running.delete(id);
  };
}

/** A desk that takes jobs: a worker with the text of this module, or the page itself where it has none. */
function jobDesk(source) {
  const waiting = new Map();
  const hear = ({ data: { id, progress, result, error } }) => {
    const asked = waiting.get(id);
    if (!asked) return;
    if (progress) return asked.progress(progress);
    waiting.delete(id);
    if (error === undefined) asked.result(result);
    else asked.error(error);
  };
  const near = { postMessage: (data) => hear({ data }) };
  serveJobs(near);
  const fail = () => {
    worker = null;
    for (const [id, { order }] of waiting) near.onmessage({ data: { id, ...order } });
  };
  let worker;
  const send = (data) => {
    if (worker === undefined) worker = workerOf(source(), hear, fail);
    (worker ?? { postMessage: () => near.onmessage({ data }) }).postMessage(data);
  };
  let last = 0;
  return {
    ask(job, request, handlers) {
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

/** A worker from a module's text, which needs no exports there; null where the browser has none. */
function workerOf(source, hear, fail) {
  if (!source || typeof Worker === "undefined") return null;
  const script = source.replace(/^export default .*$/m, "").replace(/^export /gm, "");
  const address = URL.createObjectURL(new Blob([`${script}\nserveJobs(self);`], { type: "text/javascript" }));
  try {
    return Object.assign(new Worker(address), { onmessage: hear, onerror: fail });
  } catch {
    return null;
  }
}
