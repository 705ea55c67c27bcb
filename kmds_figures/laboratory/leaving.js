// Leaving out: where the others go when one object is left out.

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
