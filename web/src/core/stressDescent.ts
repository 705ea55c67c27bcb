// Minimise the stress by L-BFGS, and by the Guttman transform where it fails, as in the library.

import { classicalScaling } from "./classicalScaling.ts";
import { monotoneDisparities } from "./disparities.ts";
import {
  centredColumns,
  distances,
  dot,
  largestModulus,
  type Matrix,
  padColumns,
  sumOf,
  sumOfSquares,
} from "./matrix.ts";
import { noise } from "./random.ts";
import { lossAndGradient } from "./stress.ts";

type Disparities = ((X: Matrix, k: number) => Matrix) & { isFitted?: boolean };
type Descent = ReturnType<typeof stressAt>; // a map, its stress and the gradient
type Memory = { move: Matrix; change: Matrix }[]; // past changes of points and gradient

/** Return classical scaling at the size of minimum stress, with zeros on missing axes. */
function stressStart(D: Matrix, n: number, k: number) {
  const fit = classicalScaling(D, n, k);
  const X = padColumns(fit.points, fit.axesUsed, n, k);
  const d = distances(X, k);
  const scale = sumOf(d, (x, at) => x * D[at]) / (sumOfSquares(d) || 1);
  return X.map((x) => x * scale);
}

/** Replace missing dissimilarities by the map's distances, so that they exert no pull. */
const withoutMissing = (D: Matrix, d: Matrix) => D.map((x, at) => (Number.isNaN(x) ? d[at] : x));

/** Return stress-1 over the pairs whose dissimilarity is known. */
export function stressOver(points: Matrix, k: number, target: Matrix, D: Matrix): number {
  const d = distances(points, k);
  const over = (part: (x: number, at: number) => number) =>
    sumOf(d, (x, at) => (Number.isNaN(D[at]) ? 0 : part(x, at)));
  return Math.sqrt(over((x, at) => (x - target[at]) ** 2) / over((x) => x * x));
}

interface StressData {
  n: number;
  D: Matrix;
  complete: Matrix;
  choices: { dimensions: number; transform: string };
}

/**
 * Yield the steps to a map of minimum stress from a start, by default classical scaling; return
 * the map. Missing entries are NaN in D, and estimated in the `complete` matrix.
 */
export function* stressMap({ n, D, complete, choices }: StressData, start?: Matrix | null) {
  const k = choices.dimensions;
  if (largestModulus(complete) === 0)
    throw new Error("All dissimilarities are 0: the best map is a single point.");
  const ordinal = choices.transform === "ordinal";
  const fitted = () => Object.assign(monotoneDisparities(D, n), { isFitted: true });
  const disparities: Disparities = ordinal
    ? fitted()
    : D === complete
      ? () => D
      : (X) => withoutMissing(D, distances(X, k));
  const found = yield* descendedPastSaddle(start ?? stressStart(complete, n, k), k, disparities);
  return { ...found, axesUsed: k };
}

const REST = 1e-6;
const MOST_STEPS = 2000;
const MEMORY = 8;
const ARMIJO = 1e-4;
const PERTURBATION = 1e-3; // of an end, relative to its points
const MIN_DECREASE = 1e-3; // after it, relative to the loss, if the end was a saddle

/** Return a map at the scale of its disparities, with its raw stress and the gradient. */
function stressAt(points: Matrix, k: number, disparities: Disparities) {
  const centred = centredColumns(points, k);
  const target = disparities(centred, k);
  const { scale, ratio } = disparities.isFitted
    ? scaleOf(centred, k, target)
    : { scale: 1, ratio: 1 };
  const X = scale === 1 ? centred : centred.map((x) => scale * x);
  return { points: X, target, ...lossAndGradient(X, k, target, ratio) };
}

/**
 * Return the scale at which fitted disparities, of fixed size, are the projection of the
 * distances, and the sum of d^2 divided by that of disparity^2 at this scale.
 */
function scaleOf(X: Matrix, k: number, target: Matrix) {
  const d = distances(X, k);
  const squaredDisparities = dot(target, target);
  const scale = squaredDisparities / dot(target, d);
  return { scale, ratio: (scale * scale * dot(d, d)) / squaredDisparities };
}

const plus = (u: Matrix, v: Matrix, factor = 1) => u.map((x, at) => x + factor * v[at]);

/** Return the step from a map to its Guttman transform with equal weights. */
const guttmanStep = ({ gradient, target }: Descent) =>
  gradient.map((x) => -x / (4 * Math.sqrt(target.length)));

/** Return the L-BFGS direction, from the Guttman transform (Nocedal & Wright, algorithm 7.4). */
function quasiNewton(gradient: Matrix, memory: Memory) {
  let q = gradient;
  const weights: number[] = [];
  for (const { move, change } of [...memory].reverse()) {
    const weight = dot(move, q) / dot(move, change);
    weights.unshift(weight);
    q = plus(q, change, -weight);
  }
  const { move, change } = memory[memory.length - 1];
  const size = dot(move, change) / dot(change, change);
  let r = q.map((x) => size * x);
  memory.forEach((past, i) => {
    r = plus(r, past.move, weights[i] - dot(past.change, r) / dot(past.move, past.change));
  });
  return r.map((x) => -x);
}

/** Take the L-BFGS step if it decreases the stress enough, else the Guttman transform. */
function stepFrom(state: Descent, memory: Memory, evaluate: (X: Matrix) => Descent): Descent {
  if (memory.length) {
    const direction = quasiNewton(state.gradient, memory);
    const next = evaluate(plus(state.points, direction));
    if (next.loss < state.loss + ARMIJO * dot(state.gradient, direction)) return next;
    memory.length = 0;
  }
  return evaluate(plus(state.points, guttmanStep(state)));
}

const NO_END = { loss: Number.POSITIVE_INFINITY, steps: 0 };
const length = (x: Matrix) => Math.sqrt(dot(x, x));

/** Descend, perturb the end and descend again, because the first end may be a saddle. */
function* descendedPastSaddle(start: Matrix, k: number, disparities: Disparities) {
  const end = yield* descended(start, k, disparities);
  const perfect = REST ** 2 * sumOfSquares(end.target);
  if (!end.converged || end.loss <= perfect) return end;
  const random = noise();
  const change = end.points.map(() => random.next().value);
  const size = (PERTURBATION * length(end.points)) / length(change);
  const again = yield* descended(plus(end.points, change, size), k, disparities, end);
  return end.loss - again.loss > MIN_DECREASE * end.loss + 100 * perfect ? again : end;
}

/** Yield steps below the loss of an `end` until a Guttman step is < 1e-6 of the points' size. */
function* descended(start: Matrix, k: number, disparities: Disparities, end = NO_END) {
  const evaluate = (X: Matrix) => stressAt(X, k, disparities);
  let state = evaluate(start);
  const memory: Memory = [];
  const perfect = REST ** 2 * sumOfSquares(state.target);
  let steps = end.steps;
  let stopped = false;
  let converged = false;
  for (;;) {
    converged = state.loss <= perfect || length(guttmanStep(state)) <= REST * length(state.points);
    if (converged || stopped || steps === MOST_STEPS) break;
    const next = stepFrom(state, memory, evaluate);
    converged = !(next.loss < state.loss);
    if (converged) break;
    const move = plus(next.points, state.points, -1);
    const change = plus(next.gradient, state.gradient, -1);
    if (dot(move, change) > 0) memory.push({ move, change });
    if (memory.length > MEMORY) memory.shift();
    state = next;
    steps += 1;
    if (state.loss < end.loss) stopped = yield { steps, points: state.points };
  }
  return { points: state.points, target: state.target, loss: state.loss, steps, converged };
}
