// Fits: what a method makes of a table. Each is a generator that yields how far it has come, so that
// it runs beside the page, in a worker, and can be stopped.

export const METHODS = {
  classical: "classical scaling",
  pca: "PCA",
  kmds: "kernel MDS",
  kpca: "kernel PCA",
  stress: "stress",
};

/** Whether numbers are missing from a table. */
export const isPatchy = (table) => table.some((row) => row.some(Number.isNaN));

/** The methods that a kind of table admits: where numbers are missing stress alone. */
export function methodsFor(kind, { metric = "euclidean", patchy = false } = {}) {
  if (patchy) return ["stress"];
  if (kind === "points") return hasPoints(metric) ? Object.keys(METHODS) : ["classical", "kmds", "stress"];
  return kind === "gram" ? ["kpca", "classical", "kmds", "stress"] : ["classical", "kmds", "stress"];
}

const isOn = (value, names, otherwise) => (names.includes(value) ? value : otherwise);

/** Choices that fit a kind of table: what is unknown or out of range becomes what is usual. */
export function cleanChoices(given, kind, n, { patchy = false } = {}) {
  const metric = isOn(kind === "points" ? given?.metric : "", Object.keys(METRICS), "euclidean");
  const methods = methodsFor(kind, { metric, patchy });
  const k = Math.min(n - 1, given?.dimensions === 3 ? 3 : 2);
  const method = isOn(given?.method, methods, methods[0]);
  const kernels =
    method === "kpca" && kind === "points"
      ? ["RBF", "Exponential", "Power", "Polynomial"]
      : ["RBF", "Exponential", "Power"];
  const kernel = isOn(given?.kernel, kernels, "RBF");
  const number = Number(given?.parameter);
  const [low, high] = { Power: [0.05, 2], Polynomial: [1, 8] }[kernel] ?? [1e-130, 1e130];
  const valid = given?.parameter !== null && given?.parameter !== "" && number >= low && number <= high;
  return {
    method,
    additive: isOn(given?.additive, ["", "lingoes", "cailliez"], ""),
    kernel,
    parameter: valid && (kernel !== "Polynomial" || Number.isInteger(number)) ? number : null,
    transform: isOn(patchy ? "" : given?.transform, ["identity", "ordinal"], "identity"),
    metric,
    dimensions: k,
    turn: cleanTurn(given?.turn, k),
    camera: cleanCamera(given?.camera, k),
  };
}

/** The rows as a matrix; points with every column divided by its standard deviation where asked. */
function tableOf({ kind, table, metric }) {
  const flat = fromRows(table);
  if (kind === "gram")
    return symmetricTable(
      table.length,
      (i, j) => 0.5 * flat[i * table.length + j] + 0.5 * flat[j * table.length + i],
    );
  if (kind !== "points") return asDissimilarities(table);
  if (metric !== "standardised") return flat;
  const p = table[0].length;
  const centred = centredColumns(flat, p);
  const spread = columnMeans(
    centred.map((x) => x * x),
    p,
  ).map(Math.sqrt);
  const least = 1e-12 * largestModulus(flat);
  return centred.map((x, at) => (spread[at % p] > least ? x / spread[at % p] : 0));
}

/** Dissimilarities of whatever a table holds. */
function dissimilaritiesOf(data, { kind, table, texts, choices: { metric } }) {
  const n = table.length;
  if (kind === "points")
    return hasPoints(metric) ? distances(data, data.length / n) : dissimilaritiesBy(metric, table, texts);
  if (kind !== "gram") return data;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const square = data[i * n + i] + data[j * n + j] - 2 * data[i * n + j];
      if (square >= -1e-8 * largestModulus(data)) continue;
      throw new Error(
        `K[${i}, ${i}] + K[${j}, ${j}] - 2 K[${i}, ${j}] = ${sixDigits(square)} is negative, so K gives no ` +
          "distances. Choose kernel PCA, which takes the matrix as it is.",
      );
    }
  }
  return distancesFromGram(data, n);
}

const rounded = (value, digits = 4) => Number(value.toPrecision(digits));

/** Where a kernel's parameter starts: the median rule gives the median pair exp(-1/2). */
export function startOf(kernel, D, n) {
  if (kernel === "Power") return 1;
  if (kernel === "Polynomial") return 2;
  const median = medianDissimilarity(D, n) || largestModulus(D) || 1;
  return rounded(kernel === "RBF" ? 1 / (2 * median * median) : 1 / (2 * median));
}

/** The kernel of some choices; a polynomial's scale makes the mean of x'x one. */
function kernelOf({ kernel, parameter, scale }) {
  if (kernel === "Polynomial") return Polynomial(parameter, 1, scale);
  return { RBF, Exponential, Power }[kernel](parameter);
}

/** What a fit needs to know of a table: numbers, dissimilarities, and the choices with all numbers. */
export function prepared(request) {
  const { kind, table, choices } = request;
  const n = table.length;
  const data = tableOf({ kind, table, metric: choices.metric });
  const direct = kind === "gram" && choices.method === "kpca";
  const D = direct ? distancesFromGram(data, n) : dissimilaritiesOf(data, request);
  const whole = isPatchy(table) ? filled(D, n) : D;
  const parameter = choices.parameter ?? startOf(choices.kernel, whole, n);
  const scale = kind === "points" ? rounded(1 / (sumOf(data, (x) => x * x) / n || 1)) : 1;
  return { kind, n, data, D, whole, choices: { ...choices, parameter, scale } };
}

/** Dissimilarities with the shortest paths over the others where one is missing. */
function filled(D, n) {
  const graph = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => j).filter((j) => j !== i && !Number.isNaN(D[i * n + j])),
  );
  if (components(graph).length > 1)
    throw new Error("The dissimilarities that are there do not join all objects, so that no map is one.");
  const paths = shortestPaths(graph, D, n);
  return D.map((x, at) => (Number.isNaN(x) ? paths[at] : x));
}

/**
 * Points and the distances that they aim at: { points, columns, target, gram, ... }. Stress starts
 * from points, a kernel's search from the block of an earlier one.
 */
export function* mapOf(job, start = null) {
  const { kind, n, data, D, choices } = job;
  const k = choices.dimensions;
  if (choices.method === "stress") return yield* stressMap(job, start);
  if (choices.method === "classical") {
    const fit = classicalScaling(D, n, k, { additive: choices.additive || null });
    const target = choices.additive ? addConstant(D, fit.additiveConstant, choices.additive) : D.slice();
    for (let i = 0; i < n; i++) target[i * n + i] = 0;
    return { ...fit, target, constant: fit.additiveConstant };
  }
  const p = data.length / n;
  if (choices.method === "pca") return { ...pcaMap(data, p, k), target: D };
  const direct = choices.method === "kpca" && kind === "gram";
  if (direct) return { ...kernelPcaFromGram(data, n, k), target: D };
  const kernel = kernelOf(choices);
  const fit =
    choices.method === "kpca"
      ? kernelPca(data, p, kernel, k, { start })
      : kernelMds(D, n, kernel, k, { start });
  return { ...fit, target: featureDistances(fit.kernelMatrix, n) };
}

/** PCA in any unit: the inner products are taken of numbers up to one. */
function pcaMap(data, p, k) {
  const size = largestModulus(data) || 1;
  const times = (values, factor) => values.map((value) => value * factor);
  const fit = kernelPca(times(data, 1 / size), p, Linear(), k);
  const spectrum = () => times(fit.spectrum(), size * size);
  return { ...fit, points: times(fit.points, size), spectrum, gram: times(fit.gram, size * size) };
}

/** Classical scaling at the size that fits best, with a little noise on an axis that it lacks. */
function stressStart(D, n, k) {
  const fit = classicalScaling(D, n, k);
  const X = padColumns(fit.points, fit.columns, n, k);
  const size = Math.sqrt(sumOf(X, (x) => x * x) / X.length) || largestModulus(D);
  const random = noise();
  const full = X.map((x, at) => (at % k < fit.columns ? x : 0.01 * size * random.next().value));
  const d = distances(full, k);
  const scale = sumOf(d, (x, at) => x * D[at]) / (sumOf(d, (x) => x * x) || 1);
  return full.map((x) => x * scale);
}

const [REST, MOST_STEPS] = [1e-6, 2000];

/** Dissimilarities with the map's own distances where one is missing, which ask for nothing. */
const patched = (D, d) => D.map((x, at) => (Number.isNaN(x) ? d[at] : x));

/** Stress-1 over the pairs that the table holds. */
function stressOver(points, k, target, D) {
  const known = (values) => Float64Array.from(values).filter((_, at) => !Number.isNaN(D[at]));
  const d = distances(points, k);
  const square = (values) => sumOf(values, (x) => x * x);
  return Math.sqrt(square(known(d.map((x, at) => x - target[at]))) / square(known(d)));
}

/**
 * Majorisation until a step moves the points by less than a millionth of their size. Two of three
 * steps go twice as far: the majorising parabola has its old value there, so that stress cannot rise.
 */
function* stressMap({ n, D, whole, choices }, start) {
  const k = choices.dimensions;
  if (largestModulus(whole) === 0) throw new Error("All dissimilarities are 0: the best map is a single point.");
  const ordinal = choices.transform === "ordinal";
  const disparities = ordinal ? monotoneDisparities(D, n) : D === whole ? () => D : (X) => patched(D, distances(X, k));
  let X = start ?? stressStart(whole, n, k);
  let target = disparities(X, k);
  let [steps, moved, stopped] = [0, Infinity, false];
  while (steps < MOST_STEPS && moved > REST && !stopped) {
    const next = guttmanTransform(X, k, target);
    const gap = sumOf(next, (x, at) => (x - X[at]) ** 2);
    moved = Math.sqrt(gap / (sumOf(next, (x) => x * x) || 1));
    const far = steps % 3 && moved > REST;
    X = far ? next.map((x, at) => 2 * x - X[at]) : next;
    target = disparities(X, k);
    steps += 1;
    stopped = yield { steps, points: X, moved };
  }
  const d = distances(X, k);
  const scale = ordinal ? sumOf(target, (x) => x * x) / sumOf(d, (x, at) => x * target[at]) : 1;
  return { points: X.map((x) => x * scale), columns: k, target, steps, converged: moved <= REST };
}

/** All that the page says about one choice: the map, its spectrum, its fit. */
export function* fitJob(request) {
  const job = prepared(request);
  const { n, D, whole, choices } = job;
  const found = yield* mapOf(job);
  const k = choices.dimensions;
  const points = padColumns(found.points, found.columns, n, k);
  const B = found.gram ?? gramFromDistances(whole, n);
  yield { steps: found.steps ?? 0, points };
  const spectrum = found.spectrum ? found.spectrum() : eigenvalues(B, n);
  const flat = points.every((x) => x === 0);
  return {
    choices,
    points,
    spectrum,
    delta: D,
    target: found.target,
    columns: found.columns,
    goodness: goodnessOfFit(spectrum, Math.max(1, Math.min(found.columns, countSigns(spectrum).positive))),
    negativeMass: negativeMass(spectrum),
    stress: flat ? null : stressOver(points, k, found.target, D),
    constant: found.constant ?? 0,
    steps: found.steps ?? null,
    converged: found.converged ?? true,
  };
}

/** The map alone of a prepared job, while its parameter is dragged: no spectrum, no figures. */
export function mapNow(ready, parameter, start) {
  const job = { ...ready, choices: { ...ready.choices, parameter } };
  const { points, columns, target, block } = runNow(mapOf(job, start));
  return {
    choices: job.choices,
    points: padColumns(points, columns, job.n, job.choices.dimensions),
    delta: job.D,
    target,
    block,
  };
}

export const MOST_LEFT_OUT = 60;

/** The objects that are left out in turn: all, or some spread evenly over the table. */
export function leftOut(n) {
  const count = Math.min(n, MOST_LEFT_OUT);
  return Array.from({ length: count }, (_, r) => Math.floor((r * n) / count));
}

/** The same request without one object. */
function without(request, job, i) {
  const rows = request.table.filter((_, r) => r !== i);
  const table = request.kind === "points" ? rows : rows.map((row) => row.filter((_, c) => c !== i));
  const texts = request.texts?.map(({ cells }) => ({ cells: cells.filter((_, r) => r !== i) }));
  return prepared({ ...request, table, texts, choices: { ...request.choices, parameter: job.choices.parameter } });
}

/** Where the others go when objects are left out in turn, each map laid on the full one. */
export function* stabilityJob({ request, points }) {
  const job = prepared(request);
  const k = job.choices.dimensions;
  const chosen = leftOut(job.n);
  const clouds = [];
  for (const i of chosen) {
    const rest = points.filter((_, at) => Math.floor(at / k) !== i);
    const smaller = without(request, job, i);
    smaller.choices.scale = job.choices.scale;
    const steps = mapOf(smaller, request.choices.method === "stress" ? rest : null);
    let step = steps.next();
    while (!step.done) step = steps.next((yield { done: clouds.length, of: chosen.length }) === true);
    const found = padColumns(step.value.points, step.value.columns, job.n - 1, k);
    const turned = procrustesAlign(found, k, rest).points;
    const all = new Float64Array(job.n * k).fill(NaN);
    all.set(turned.subarray(0, i * k));
    all.set(turned.subarray(i * k), (i + 1) * k);
    clouds.push(all);
    if ((yield { done: clouds.length, of: chosen.length }) === true) break;
  }
  return { clouds, chosen: chosen.slice(0, clouds.length), ...spreadOf(clouds, points, k) };
}

/** How far each object moves, and how far each that was left out moves the others, beside the map's size. */
function spreadOf(clouds, points, k) {
  const n = points.length / k;
  const size = Math.sqrt(sumOf(centredColumns(points, k), (x) => x * x) / n) || 1;
  const far = (cloud, j) => {
    let square = 0;
    for (let c = 0; c < k; c++) square += (cloud[j * k + c] - points[j * k + c]) ** 2;
    return square;
  };
  const meanRoot = (squares) => {
    const known = squares.filter(Number.isFinite);
    return known.length ? Math.sqrt(sumOf(known, (x) => x) / known.length) / size : 0;
  };
  const objects = Array.from({ length: n }, (_, j) => j);
  return {
    moves: objects.map((j) => meanRoot(clouds.map((cloud) => far(cloud, j)))),
    influence: clouds.map((cloud) => meanRoot(objects.map((j) => far(cloud, j)))),
  };
}

/** Run a job to its end at once. */
export function runNow(steps) {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

const JOBS = { fit: fitJob, stability: stabilityJob, chance: (request) => chanceJob(request) };

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
export function serveJobs(port) {
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
export function jobDesk(source) {
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
