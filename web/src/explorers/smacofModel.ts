// The numbers of the explorer of SMACOF.

import { classicalScaling } from "../core/classicalScaling.ts";
import type { Matrix, Point } from "../core/matrix.ts";
import {
  centredColumns,
  distances,
  dot,
  fromRows,
  matrixProduct,
  sumOf,
  toRows,
} from "../core/matrix.ts";
import { disagreements, fromPairs } from "../core/pairs.ts";
import { procrustesAlign } from "../core/procrustes.ts";
import { guttmanTransform, kruskalStress, rawStress } from "../core/stress.ts";
import type { Explorer } from "../ui/state.ts";

export type Result = ReturnType<typeof resultOf>;
export type SmacofExplorer = Explorer<Result>;
export type Data = { D: Matrix; best: Matrix; minStress: number };
type StressOf = (run: number[]) => number;
export type PathOf = (run: number[]) => ReturnType<typeof descent>;
export interface State {
  run: number[]; // [seed], or [city, x, y, ...] in km if the city was dragged
  steps: number; // the number of steps that are shown
  kept_runs: number[][]; // [count of random starts, ...run] for each final map
  tried: number[]; // the largest seed and the number of the random starts
  chosen: number; // the city to drag
  points: Point[]; // the places on the map, which follow from the other fields
  dragging: boolean; // true while a city is dragged, when its run is not computed
  running: boolean; // true during an animation
}

export const MAX_STEPS = 1000;
/** A run has ended if a step moves the points by less than this fraction of their norm. */
const TOLERANCE = 1e-5;
const RADIUS = 2.2;
/** Final maps whose stresses differ by less, in (1000 km)^2, count as equal. */
export const STRESS_TOLERANCE = 0.005;
export const MAX_MINIMA = 12;
const MAX_DRAGGED = 6;
export const BATCH = 20;
/** Smallest errors, in 1000 km, of springs with the three line widths. */
export const LEVELS = [0.1, 0.3, 0.8];

/** Return the distance matrix, and the best known map with its stress. */
export function dataOf(n: number, roadDistances: number[], rows: number[][]): Data {
  const [D, best] = [fromPairs(roadDistances, n), fromRows(rows)];
  return { D, best, minStress: rawStress(best, 2, D) };
}

/** Yield pseudo-random numbers between 0 and 1 for a seed (mulberry32). */
function* uniform(seed: number): Generator<number, never> {
  for (let a = Math.imul(seed, 0x9e3779b9); ; ) {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    yield ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** Return n random points, uniformly distributed in a disc. */
function randomStart(seed: number, n: number) {
  const random = uniform(seed);
  const points = Array.from({ length: n }, () => {
    const radius = RADIUS * Math.sqrt(random.next().value);
    const angle = 2 * Math.PI * random.next().value;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  return fromRows(points);
}

/** Return the maps of SMACOF from a start, with their raw stress; `computeTo` adds more. */
function descent(start: Matrix, D: Matrix) {
  const path = { maps: [start], stresses: [rawStress(start, 2, D)], ended: false, computeTo };
  function computeTo(steps: number) {
    while (!path.ended && path.maps.length <= steps) {
      const last = path.maps[path.maps.length - 1];
      const next = guttmanTransform(last, 2, D);
      path.maps.push(next);
      path.stresses.push(rawStress(next, 2, D));
      const moved = Math.sqrt(sumOf(next, (y, at) => (y - last[at]) ** 2));
      path.ended = moved <= TOLERANCE * Math.sqrt(dot(next, next)) || path.maps.length > MAX_STEPS;
    }
    return Math.min(steps, path.maps.length - 1);
  }
  return path;
}

/**
 * Return the maps of a run. [seed] starts at random, or at the classical map, and is rotated so
 * that the final positions of all cities but one agree with the best map; [city, x, y, ...]
 * starts at the given positions in km, after the city was dragged.
 */
export function computePath(run: number[], data: Data) {
  const { D, best } = data;
  const n = best.length / 2;
  const given = Float64Array.from(run.slice(1), (v) => v / 1000);
  if (given.length) return descent(given, D);
  const start = run[0] === 0 ? classicalScaling(D, n, 2).points : randomStart(run[0], n);
  const path = descent(centredColumns(start, 2), D);
  const end = path.maps[path.computeTo(MAX_STEPS)];
  const { rotation } = worstCity(end, data);
  path.maps.forEach((map, step) => (path.maps[step] = matrixProduct(map, 2, rotation, 2)));
  return path;
}

/** Return a function that computes the maps of a run, and keeps those of the last few runs. */
export function pathCache(data: Data) {
  const paths = new Map();
  return (run: number[]) => {
    const key = JSON.stringify(run);
    const path = paths.get(key) ?? computePath(run, data);
    paths.delete(key);
    paths.set(key, path);
    if (paths.size > 2 * MAX_MINIMA) paths.delete(paths.keys().next().value);
    return path;
  };
}

/**
 * Return the city with the largest stress, and its distance from its position on the best map after
 * an alignment of the other cities.
 */
export function worstCity(points: Matrix, { best, D }: Data) {
  const n = best.length / 2;
  const d = toRows(distances(points, 2), n);
  const stresses = toRows(D, n).map((row, i) => sumOf(row, (delta, j) => (delta - d[i][j]) ** 2));
  const city = stresses.indexOf(Math.max(...stresses));
  const others = (Y: Matrix) => Y.filter((_, at) => Math.floor(at / 2) !== city);
  const { rotation, translation } = procrustesAlign(others(points), 2, others(best));
  const place = matrixProduct(points.slice(2 * city, 2 * city + 2), 2, rotation, 2);
  const distance = Math.hypot(...place.map((y, c) => y + translation[c] - best[2 * city + c]));
  return { city, distance, rotation };
}

/** Return a run's final map. */
export function finalMap(run: number[], data: Data, pathOf: PathOf) {
  const path = pathOf(run);
  const steps = path.computeTo(MAX_STEPS);
  return { run, steps, stress: path.stresses[steps], ...worstCity(path.maps[steps], data), path };
}

/** Return the result of a state; while a city is dragged, its run is not computed to the end. */
export function resultOf(state: State, data: Data, pathOf: PathOf) {
  const path = pathOf(state.run);
  const length = state.dragging ? 0 : path.computeTo(MAX_STEPS);
  const steps = path.computeTo(state.steps);
  const points = path.maps[steps];
  const runs = state.kept_runs.map(([count, ...run]) => ({
    count,
    ...finalMap(run, data, pathOf),
  }));
  return {
    path,
    steps,
    length,
    points,
    runs,
    ended: path.ended && steps === path.maps.length - 1,
    stress: path.stresses[steps],
    stress1: kruskalStress(points, 2, data.D),
    minStress: data.minStress,
    springs: disagreements(data.D, points, data.best.length / 2),
    ...worstCity(points, data),
  };
}

/** Add a final map, or increase the count of a known one; the smallest stress is first. */
export function addMinimum(records: number[][], run: number[], count: number, stressOf: StressOf) {
  const stress = stressOf(run);
  const isSame = ([, ...other]: number[]) => Math.abs(stressOf(other) - stress) < STRESS_TOLERANCE;
  const same = records.find(isSame);
  const all = same
    ? records.map((one) => (one === same ? [one[0] + count, ...one.slice(1)] : one))
    : [...records, [count, ...run]];
  const sorted = all.sort(([, ...a], [, ...b]) => stressOf(a) - stressOf(b));
  const wasDragged = (one: number[]) => one.length > 2;
  const removable = sorted.filter((one) => !isSame(one));
  if (sorted.filter(wasDragged).length > MAX_DRAGGED)
    return sorted.filter((one) => one !== removable.findLast(wasDragged));
  return sorted.length > MAX_MINIMA ? sorted.filter((one) => one !== removable.at(-1)) : sorted;
}
