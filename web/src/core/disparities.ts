// Disparities of ordinal scaling.

import { distances, type Matrix, type Numbers, sumOf } from "./matrix.ts";
import { toPairs } from "./pairs.ts";

/** Return the increasing sequence closest to some values, by pooling adjacent violators. */
function isotonicRegression(values: Matrix) {
  const sums = new Float64Array(values.length);
  const ends = new Int32Array(values.length);
  const sizeOf = (b: number) => ends[b] - (b > 0 ? ends[b - 1] : 0);
  let last = -1;
  for (let i = 0; i < values.length; i++) {
    last += 1;
    sums[last] = values[i];
    ends[last] = i + 1;
    while (last > 0 && sums[last - 1] * sizeOf(last) > sums[last] * sizeOf(last - 1)) {
      sums[last - 1] += sums[last];
      ends[last - 1] = ends[last];
      last -= 1;
    }
  }
  const fitted = new Float64Array(values.length);
  for (let b = 0; b <= last; b++) fitted.fill(sums[b] / sizeOf(b), ends[b] - sizeOf(b), ends[b]);
  return fitted;
}

/** Return the indices of the entries i < j of a square matrix, row by row. */
const pairPlaces = (n: number) =>
  Int32Array.from({ length: n * n }, (_, at) => at).filter((at) => at % n > Math.floor(at / n));

/** Sort indices by their values: by insertion if they are few, because they are nearly sorted. */
function sortBy(places: Int32Array, values: Numbers) {
  if (places.length > 100) return void places.sort((a, b) => values[a] - values[b]);
  for (let i = 1; i < places.length; i++) {
    const place = places[i];
    let to = i;
    for (; to > 0 && values[places[to - 1]] > values[place]; to--) places[to] = places[to - 1];
    places[to] = place;
  }
}

/**
 * Return a function that computes the disparities of ordinal scaling for points Y with p columns:
 * the numbers closest to the distances of Y that increase with D. Equal dissimilarities may have
 * different disparities (the primary approach to ties). The sum of squares is that of D.
 */
export function monotoneDisparities(D: Matrix, n: number): (Y: Matrix, p: number) => Matrix {
  const pairs = pairPlaces(n).sort((a, b) => D[a] - D[b]);
  const ties: Int32Array[] = [];
  for (let from = 0, to = 0; from < pairs.length; from = to) {
    while (to < pairs.length && D[pairs[to]] === D[pairs[from]]) to++;
    if (to > from + 1) ties.push(pairs.subarray(from, to));
  }
  const size = sumOf(pairs, (at) => D[at] ** 2);
  return (Y, p) => {
    const d = distances(Y, p);
    ties.forEach((tied) => sortBy(tied, d));
    const inOrder = new Float64Array(pairs.length);
    for (let rank = 0; rank < pairs.length; rank++) inOrder[rank] = d[pairs[rank]];
    const fitted = isotonicRegression(inOrder);
    const scale = Math.sqrt(size / sumOf(fitted, (value) => value * value));
    const table = new Float64Array(n * n);
    for (let rank = 0; rank < pairs.length; rank++) {
      const at = pairs[rank];
      table[at] = table[(at % n) * n + Math.floor(at / n)] = scale * fitted[rank];
    }
    return table;
  };
}

/** Return the median of the dissimilarities between different objects, for the median rule. */
export function medianDissimilarity(D: Matrix, n: number) {
  const sorted = toPairs(D, n).sort();
  const half = sorted.length >> 1;
  return (sorted[half] + sorted[sorted.length - 1 - half]) / 2;
}
