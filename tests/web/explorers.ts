// What the tests ask the explorers. Their inputs come from JSON.

import { fromRows, toRows } from "../../web/src/core/matrix.ts";
import { fromPairs } from "../../web/src/core/pairs.ts";
import { atWidth, wideLimit } from "../../web/src/explorers/bandwidthModel.ts";
import {
  basisVerdict,
  invariants,
  MAPS,
  type Rows,
  similar,
} from "../../web/src/explorers/changeOfBasisModel.ts";
import { graphResult, isomapVerdict } from "../../web/src/explorers/isomapModel.ts";
import * as kernel from "../../web/src/explorers/kernelModel.ts";
import {
  distancesFrom,
  mapOf,
  newPointVerdict,
  placeByGower,
} from "../../web/src/explorers/newPointModel.ts";
import { computeBoth, type State } from "../../web/src/explorers/pcaVsScalingModel.ts";
import * as permutation from "../../web/src/explorers/permutationModel.ts";
import * as ppca from "../../web/src/explorers/ppcaModel.ts";
import * as smacof from "../../web/src/explorers/smacofModel.ts";
import { stressVerdict } from "../../web/src/explorers/smacofVerdict.ts";
import * as truncatedSvd from "../../web/src/explorers/truncatedSvdModel.ts";

type Given = any;

/** Return a result with a verdict on it. */
export const judged = <R>(result: R, verdict: (result: R) => object) =>
  Object.assign({}, result, { said: verdict(result) });

/** Apply Isomap, without some of the worst edges. */
export function isomapWithout(data: Given, n_points: number, n_neighbors: number, count: number) {
  const state: Given = { n_points, n_neighbors, removed: [] };
  state.removed = graphResult(state, data)
    .worst.slice(0, count)
    .map(({ i, j }) => [i, j]);
  const found = judged(graphResult(state, data), (result) => isomapVerdict(result, "all"));
  return { ...found, without: state.removed };
}

export const sliderRanges = () =>
  Object.entries(kernel.FAMILIES).map(([name, [, sliders]]) => {
    const ranges = sliders.map(({ name, ends, log }: Given) => [
      name,
      ...ends.slice(0, 2).map((end: number) => (log ? 10 ** end : end)),
    ]);
    return [name, ranges];
  });

export function kernelPcaOf(state: Given, places: number[][]) {
  const result = kernel.resultOf(state);
  const { values, fit, project } = result;
  const said = [
    kernel.functionVerdict(kernel.resultOf({ ...state, show: "function" }), {
      ...state,
      test: places[0],
    }),
    ...[1, 2].map((component) => kernel.componentVerdict(result, { ...state, component })),
  ];
  return { values, points: fit.points, projected: project(fromRows(places)), said };
}

export function mapAtWidth(upper: number[], n: number, name: Given, theta: number) {
  const D = fromPairs(upper, n);
  return atWidth({ D, n, wide: wideLimit(D, n, name) }, name, theta);
}

/** Return the axes and the coordinates that are shown while a point is dragged. */
export function drag(steps: Given[], state: Given) {
  let last: State["last"] = null;
  return steps.map((points) => {
    const found = computeBoth(points, state, last);
    last = { axes: found.axes, second: found.computed };
    return [...found.axes, ...found.second];
  });
}

export function permutationTests(n: number, states: permutation.State[]) {
  const permutations = permutation.randomPermutations(n);
  const results = states.map((state) => {
    const found = permutation.computeTest(state, permutations);
    const bars = Object.values(permutation.histogram(found)).slice(1);
    const plain = permutation.simpleStatistics(state);
    return { ...found, bars, plain, said: permutation.testVerdict(found, state) };
  });
  return [permutations, results];
}

/** Return the best held-out setting, and the results for settings and for the estimated noise. */
export function ppcaResults(data: ppca.Data, settings: number[][]) {
  const { variances } = data;
  const best = variances.map((_, k) => [k, ppca.noiseEstimate(variances, k)]).slice(1);
  const top = ppca.bestHeldOut(data);
  const verdict = (result: ppca.Result) => ppca.likelihoodVerdict(result, top, "leaf");
  const resultAt = ([k, noise]: number[]) => judged(ppca.resultOf(data, k, noise), verdict);
  return [top, settings.map(resultAt), best.map(resultAt)];
}

export const changeBasis = (basis: Rows) =>
  Object.values(MAPS).map((M) => {
    const Mnew = similar(M, basis);
    return { M, basis, Mnew, facts: Mnew && invariants(Mnew), said: basisVerdict(Mnew) };
  });

export function smacofPath(roads: number[], best: number[][], run: number[]) {
  const data = smacof.dataOf(21, roads, best);
  const path = smacof.computePath(run, data);
  path.computeTo(smacof.MAX_STEPS);
  const last = path.maps[path.maps.length - 1];
  const maps = path.maps.map((map) => toRows(map, 2));
  const said = [2, path.maps.length - 1].map((steps) => {
    const state: Given = { run, steps, kept_runs: [], tried: [0, 0] };
    return stressVerdict(
      state,
      smacof.resultOf(state, data, () => path),
      [],
    );
  });
  return { ...smacof.worstCity(last, data), stresses: path.stresses, maps, said };
}

export function placePoints(old: Given, places: Given[], heights: number[], rows: number[][]) {
  const map = mapOf(old);
  const from = places.map((place, i) => distancesFrom(map, place, heights[i]));
  return [from, rows.map((d) => judged(placeByGower(map, d), newPointVerdict))];
}

export function approximate(state: Given, kept: number[][]) {
  const { image, gram } = truncatedSvd.decompose(state);
  return [image, gram].map((terms) => {
    const verdict = (result: truncatedSvd.Result) => truncatedSvd.rankVerdict(result, terms);
    return kept.map((each) => judged(truncatedSvd.resultOf(terms, each), verdict));
  });
}
