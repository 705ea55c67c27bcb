// Fits: how far apart two rows are said to be, and what a method makes of a table. A fit is a generator
// that yields how far it has come, so that it runs beside the page, in a worker, and can be stopped.

/** Name, when to use it, its place in SciPy, and the section that leads there. */
const METRICS = {
  euclidean: { name: "Euclidean", use: "columns in one unit", section: "B" },
  standardised: { name: "Euclidean, unit variance", use: "columns in different units", section: "B" },
  cityblock: { name: "Manhattan", use: "sums of differences, in which one odd column counts less", section: "negative" },
  correlation: { name: "correlation", use: "profiles, of which the shape counts and neither level nor size", section: "similarity" },
  cosine: { name: "cosine", use: "counts of words, of which the mixture counts and not the length of the text", section: "similarity" },
  braycurtis: { name: "Bray\u2013Curtis", use: "amounts of species at sites: the part that two do not share", section: "negative" },
  jaccard: { name: "Jaccard", use: "what is there or not: the part that only one of two has", section: "similarity" },
  gower: { name: "Gower", use: "columns of numbers and of words: the mean difference, each column in its range", section: "negative" },
};

/** Whether a metric is Euclidean distance of some points, as PCA needs. */
const hasPoints = (metric) => metric === "euclidean" || metric === "standardised";

/** Distance functions of two rows, as scipy.spatial.distance has them. */
const BETWEEN = {
  cityblock: (x, y) => x.reduce((sum, a, c) => sum + Math.abs(a - y[c]), 0),
  cosine: (x, y) => Math.max(0, 1 - dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y))),
  correlation: (x, y) => BETWEEN.cosine(centredColumns(x, 1), centredColumns(y, 1)),
  braycurtis(x, y) {
    const all = x.reduce((sum, a, c) => sum + a + y[c], 0);
    return all > 0 ? BETWEEN.cityblock(x, y) / all : 0;
  },
  jaccard(x, y) {
    const either = x.filter((a, c) => a !== 0 || y[c] !== 0).length;
    const one = x.filter((a, c) => (a !== 0) !== (y[c] !== 0)).length;
    return either ? one / either : 0;
  },
};

/** The rows that have no dissimilarities of a kind, and words for why they have none. */
function unfitRows(metric, rows) {
  const flat = (row) => row.every((x) => x === row[0]);
  const [isUnfit, why, which] = {
    braycurtis: [(row) => row.some((x) => x < 0), "a negative number, and Bray\u2013Curtis compares amounts", "with a negative number"],
    cosine: [(row) => row.every((x) => x === 0), "zeros alone, and has no direction", "of zeros alone"],
    correlation: [flat, "one number throughout, and correlates with nothing", "with one number throughout"],
  }[metric] ?? [() => false];
  return { left: rows.flatMap((row, i) => (isUnfit(row) ? [i] : [])), why, which };
}

/** The mean of differences over columns: of numbers in their range, of words 0 or 1. */
function gowerBetween(rows, texts) {
  const p = rows[0].length;
  const ends = Array.from({ length: p }, (_, c) => {
    const column = rows.map((row) => row[c]);
    return column.reduce((high, x) => Math.max(high, x), -Infinity) - column.reduce((low, x) => Math.min(low, x), Infinity);
  });
  return (i, j) => {
    const numbers = ends.reduce((sum, end, c) => sum + (end > 0 ? Math.abs(rows[i][c] - rows[j][c]) / end : 0), 0);
    const differ = texts.filter(({ cells }) => cells[i] !== cells[j]).length;
    return (numbers + differ) / (p + texts.length);
  };
}

/** Dissimilarities of the rows of a table, by a metric that is not Euclidean. */
export function dissimilaritiesBy(metric, rows, texts = []) {
  const { left, why } = unfitRows(metric, rows);
  const more = left.length > 1 ? ` (${left.length} such rows in all)` : "";
  if (left.length)
    throw new Error(`Row ${left[0]} holds ${why}${more}. Leave it out, or choose another distance than ${METRICS[metric].name}.`);
  const between = metric === "gower" ? gowerBetween(rows, texts) : (i, j) => BETWEEN[metric](rows[i], rows[j]);
  return symmetricTable(rows.length, (i, j) => (i === j ? 0 : between(i, j)));
}

/** The lines of Python that make D of X, after what they import; words stand from a column on. */
function metricLines(metric, wordsFrom = 0) {
  if (metric === "gower") {
    const lines = [
      "ranges = np.where(np.ptp(X, axis=0) > 0, np.ptp(X, axis=0), 1)",
      "gaps = [abs(np.subtract.outer(x, x)) / r for x, r in zip(X.T, ranges)]",
    ];
    if (wordsFrom)
      lines.push(
        `words = np.array([row[${wordsFrom + 1}:] for row in rows])`,
        "gaps += [np.not_equal.outer(w, w) for w in words.T]",
      );
    return [[], [...lines, "D = np.mean(gaps, axis=0)"]];
  }
  const of = metric === "jaccard" ? "X != 0" : "X";
  return [["from scipy.spatial.distance import pdist, squareform"], [`D = squareform(pdist(${of}, "${metric}"))`]];
}

const METHODS = {
  classical: "classical scaling",
  pca: "PCA",
  kmds: "kernel MDS",
  kpca: "kernel PCA",
  stress: "stress",
};

/** Whether numbers are missing from a table. */
const isPatchy = (table) => table.some((row) => row.some(Number.isNaN));

/** The methods that a kind of table admits: where numbers are missing stress alone. */
export function methodsFor(kind, { metric = "euclidean", patchy = false, large = false } = {}) {
  if (large) return ["classical"];
  if (patchy) return ["stress"];
  if (kind === "points") return hasPoints(metric) ? Object.keys(METHODS) : ["classical", "kmds", "stress"];
  return kind === "gram" ? ["kpca", "classical", "kmds", "stress"] : ["classical", "kmds", "stress"];
}

const isOn = (value, names, otherwise) => (names.includes(value) ? value : otherwise);

/** The kernels that a method admits. */
const kernelsFor = (method, kind) =>
  ["RBF", "Exponential", "Power", ...(method === "kpca" && kind === "points" ? ["Polynomial"] : [])];

/** The least, the largest and the step of a kernel's parameter that is no width. */
const RANGES = { Power: [0.05, 2, 0.05], Polynomial: [1, 8, 1] };

/** What of the choices makes a fit, and not how it lies and is shown. */
const fitOf = ({ turn, camera, colour, labels, arrows, kept, scale, ...fit }) => fit;

/** Choices that fit a kind of table: what is unknown or out of range becomes what is usual. */
export function cleanChoices(given, kind, n, { patchy = false } = {}) {
  const metric = isOn(kind === "points" ? given?.metric : "", Object.keys(METRICS), "euclidean");
  const large = n > MOST.whole;
  const methods = methodsFor(kind, { metric, patchy, large });
  const k = Math.min(n - 1, given?.dimensions === 3 ? 3 : 2);
  const method = isOn(given?.method, methods, methods[0]);
  const kernel = isOn(given?.kernel, kernelsFor(method, kind), "RBF");
  const number = Number(given?.parameter);
  const [low, high] = RANGES[kernel] ?? [1e-130, 1e130];
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
function startOf(kernel, D, n) {
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
  return { ...fit, target: distancesFromGram(fit.kernelMatrix, n) };
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
function mapNow(ready, parameter, start) {
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
