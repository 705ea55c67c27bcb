// What the explorer of stress computes.

import { classicalScaling } from "../core/classicalScaling.js";
import {
  centredColumns,
  distances,
  dot,
  fromRows,
  multiplied,
  sumOf,
  toRows,
} from "../core/matrix.js";
import { disagreements } from "../core/pairs.js";
import { procrustesAlign } from "../core/procrustes.js";
import { guttmanTransform, kruskalStress, rawStress } from "../core/stress.js";

export const MOST_STEPS = 1000;
/** A run has ended where a step moves the points by less than this share of their size. */
const TOLERANCE = 1e-5;
const RADIUS = 2.2;
/** Ends whose stresses differ by less, in (1000 km)^2, are taken for one map. */
export const SAME = 0.005;
export const MOST_ENDS = 12;
const MOST_BY_HAND = 6;
/**
 * Starts by number; 0 is the classical one. Those drawn by the buttons follow on what was tried.
 */
export const PRESETS = { classical: [0], rome: [11], stockholm: [2] };
export const BATCH = 20;
/** Errors, in 1000 km, from which on a spring is drawn, drawn thicker, and thickest. */
export const LEVELS = [0.1, 0.3, 0.8];

/** Numbers between 0 and 1 that a seed determines (mulberry32). */
function* uniform(seed) {
  for (let a = Math.imul(seed, 0x9e3779b9); ; ) {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    yield ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** n points, drawn evenly from a disc. */
function randomStart(seed, n) {
  const random = uniform(seed);
  const points = Array.from({ length: n }, () => {
    const radius = RADIUS * Math.sqrt(random.next().value);
    const angle = 2 * Math.PI * random.next().value;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  return fromRows(points);
}

/** SMACOF from a start: its maps and their raw stress, as far as `reach(steps)` was asked. */
export function descent(start, D) {
  const path = { maps: [start], stresses: [rawStress(start, 2, D)], ended: false };
  path.reach = (steps) => {
    while (!path.ended && path.maps.length <= steps) {
      const last = path.maps.at(-1);
      const next = guttmanTransform(last, 2, D);
      path.maps.push(next);
      path.stresses.push(rawStress(next, 2, D));
      const moved = Math.sqrt(sumOf(next, (y, at) => (y - last[at]) ** 2));
      path.ended = moved <= TOLERANCE * Math.sqrt(dot(next, next)) || path.maps.length > MOST_STEPS;
    }
    return Math.min(steps, path.maps.length - 1);
  };
  return path;
}

/**
 * The descent of a run: [seed] starts at random, or at the classical map, and is turned so that
 * all but the city with the most stress end upon the best map; [city, x, y, ...] starts where a
 * hand left the cities, in km.
 */
export function pathOf(run, data) {
  const { D, best } = data;
  const n = best.length / 2;
  if (run.length > 1)
    return descent(
      Float64Array.from(run.slice(1), (v) => v / 1000),
      D,
    );
  const start = run[0] === 0 ? classicalScaling(D, n, 2).points : randomStart(run[0], n);
  const path = descent(centredColumns(start, 2), D);
  const end = path.maps[path.reach(MOST_STEPS)];
  const { rotation } = misplaced(end, data);
  path.maps.forEach((map, at) => (path.maps[at] = multiplied(map, 2, rotation, 2)));
  return path;
}

/** The paths of the last few runs, each computed once. */
export function recaller(data) {
  const known = new Map();
  return (run) => {
    const key = JSON.stringify(run);
    const path = known.get(key) ?? pathOf(run, data);
    known.delete(key);
    known.set(key, path);
    if (known.size > 2 * MOST_ENDS) known.delete(known.keys().next().value);
    return path;
  };
}

/**
 * The city with the most stress, and how far it is from its place when the others lie on theirs.
 */
export function misplaced(points, { best, D }) {
  const n = best.length / 2;
  const d = toRows(distances(points, 2), n);
  const stresses = toRows(D, n).map((row, i) => sumOf(row, (delta, j) => (delta - d[i][j]) ** 2));
  const city = stresses.indexOf(Math.max(...stresses));
  const others = (Y) => Y.filter((_, at) => Math.floor(at / 2) !== city);
  const { rotation, translation } = procrustesAlign(others(points), 2, others(best));
  const place = multiplied(points.slice(2 * city, 2 * city + 2), 2, rotation, 2);
  const off = Math.hypot(...place.map((y, c) => y + translation[c] - best[2 * city + c]));
  return { city, off, rotation };
}

/** Where the descent from a run ends. */
export function endOf(run, data, recall) {
  const path = recall(run);
  const steps = path.reach(MOST_STEPS);
  return { run, steps, stress: path.stresses[steps], ...misplaced(path.maps[steps], data), path };
}

/** What a state comes to; while a hand holds a city, where its run will end is left open. */
export function resultOf(state, data, recall) {
  const path = recall(state.run);
  const length = state.held ? 0 : path.reach(MOST_STEPS);
  const steps = path.reach(state.steps);
  const points = path.maps[steps];
  const ends = state.ends.map(([times, ...run]) => ({ times, ...endOf(run, data, recall) }));
  return {
    path,
    steps,
    length,
    points,
    ends,
    ended: path.ended && steps === path.maps.length - 1,
    stress: path.stresses[steps],
    stress1: kruskalStress(points, 2, data.D),
    least: data.least,
    springs: disagreements(data.D, points, data.best.length / 2),
    ...misplaced(points, data),
  };
}

/** The ends with one more, or with its count raised where it is known; the lowest stress first. */
export function withEnd(ends, run, times, stressOf) {
  const stress = stressOf(run);
  const same = ends.find(([, ...other]) => Math.abs(stressOf(other) - stress) < SAME);
  const all = same
    ? ends.map((end) => (end === same ? [end[0] + times, ...end.slice(1)] : end))
    : [...ends, [times, ...run]];
  const sorted = all.sort(([, ...a], [, ...b]) => stressOf(a) - stressOf(b));
  const byHand = (end) => end.length > 2;
  const droppable = sorted.filter(([, ...other]) => Math.abs(stressOf(other) - stress) >= SAME);
  if (sorted.filter(byHand).length > MOST_BY_HAND)
    return sorted.filter((end) => end !== droppable.findLast(byHand));
  return sorted.length > MOST_ENDS ? sorted.filter((end) => end !== droppable.at(-1)) : sorted;
}
