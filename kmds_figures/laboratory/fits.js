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
export function methodsFor(kind, { metric = "euclidean", patchy = false, large = false } = {}) {
  if (large) return ["classical"];
  if (patchy) return ["stress"];
  if (kind === "points") return hasPoints(metric) ? Object.keys(METHODS) : ["classical", "kmds", "stress"];
  return kind === "gram" ? ["kpca", "classical", "kmds", "stress"] : ["classical", "kmds", "stress"];
}

const isOn = (value, names, otherwise) => (names.includes(value) ? value : otherwise);

/** What of the choices makes a fit, and not how it lies and is shown. */
export const fitOf = ({ turn, camera, colour, labels, arrows, kept, scale, ...fit }) => fit;

/** Choices that fit a kind of table: what is unknown or out of range becomes what is usual. */
export function cleanChoices(given, kind, n, { patchy = false } = {}) {
  const metric = isOn(kind === "points" ? given?.metric : "", Object.keys(METRICS), "euclidean");
  const large = n > MOST.whole;
  const methods = methodsFor(kind, { metric, patchy, large });
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
    additive: isOn(large ? "" : given?.additive, ["", "lingoes", "cailliez"], ""),
    kernel,
    parameter: valid && (kernel !== "Polynomial" || Number.isInteger(number)) ? number : null,
    transform: isOn(patchy ? "" : given?.transform, ["identity", "ordinal"], "identity"),
    metric,
    dimensions: k,
    turn: cleanTurn(given?.turn, k),
    camera: cleanCamera(given?.camera, k),
    kept: given?.kept ? fitOf(cleanChoices({ ...given.kept, kept: null }, kind, n, { patchy })) : null,
    colour: cleanColumn(given?.colour),
    labels: cleanColumn(given?.labels),
    arrows: given?.arrows === true,
  };
}

/** The rows as a matrix; points with every column divided by its standard deviation where asked. */
function tableOf({ kind, table, metric }) {
  if (kind === "gram") return symmetricTable(table.length, (i, j) => 0.5 * table[i][j] + 0.5 * table[j][i]);
  if (kind !== "points") return asDissimilarities(table);
  const flat = fromRows(table);
  if (metric !== "standardised") return flat;
  const p = table[0].length;
  const centred = centredColumns(flat, p);
  const spread = columnMeans(centred.map((x) => x * x), p).map(Math.sqrt);
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
  if (n > MOST.whole) return landmarkMap(D, n, k);
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

const LANDMARKS = 200;

/** The step from one landmark to the next among n objects: they spread evenly, and fall in with no period. */
export function landmarkStep(n) {
  const divisor = (a, b) => (b ? divisor(b, a % b) : a);
  let step = Math.round(0.618 * n);
  while (divisor(step, n) > 1) step += 1;
  return step;
}

/** Classical scaling of some objects, the landmarks, which place all the others. */
function landmarkMap(D, n, k) {
  const step = landmarkStep(n);
  const rows = Array.from({ length: LANDMARKS }, (_, r) => (r * step) % n);
  const among = (from) => crossTable(from.length, LANDMARKS, (i, j) => D[from[i] * n + rows[j]]);
  const fit = classicalScaling(among(rows), LANDMARKS, k);
  const points = fit.transform(among(Array.from({ length: n }, (_, i) => i)));
  return { ...fit, points, target: D, landmarks: LANDMARKS };
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

/** Dissimilarities with the map's own distances where one is missing, which ask for nothing. */
const patched = (D, d) => D.map((x, at) => (Number.isNaN(x) ? d[at] : x));

/** Stress-1 over the pairs that the table holds. */
function stressOver(points, k, target, D) {
  const d = distances(points, k);
  let [gaps, squares] = [0, 0];
  for (let at = 0; at < d.length; at++) {
    if (Number.isNaN(D[at])) continue;
    gaps += (d[at] - target[at]) ** 2;
    squares += d[at] ** 2;
  }
  return Math.sqrt(gaps / squares);
}

/** The map of least stress that is reached from a start, or from classical scaling. */
function* stressMap({ n, D, whole, choices }, start) {
  const k = choices.dimensions;
  if (largestModulus(whole) === 0) throw new Error("All dissimilarities are 0: the best map is a single point.");
  const ordinal = choices.transform === "ordinal";
  const fitted = () => Object.assign(monotoneDisparities(D, n), { isFitted: true });
  const disparities = ordinal ? fitted() : D === whole ? () => D : (X) => patched(D, distances(X, k));
  const found = yield* descended(start ?? stressStart(whole, n, k), k, disparities);
  return { ...found, columns: k };
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
    landmarks: found.landmarks ?? 0,
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
