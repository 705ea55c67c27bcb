// Isomap of a rolled sheet, with edges that can be removed.

import { buttonGroup, choosingOne, listenToButtons } from "../ui/buttons.ts";
import { slider } from "../ui/controls.ts";
import { eachFrame } from "../ui/frames.ts";
import type { Explorer, Part, RenderProps, Validators } from "../ui/state.ts";
import { createExplorer, traitsNamed, writeExplorerHtml } from "../ui/state.ts";
import { areNumbers, isListOf, isWhole, isWithin } from "../ui/validators.ts";
import { isomapPanel, marksOf, rollPanel } from "./isomapDrawings.ts";
import type { Cache, Data, Result, State } from "./isomapModel.ts";
import * as isomap from "./isomapModel.ts";
import { curvePanel, graphTables } from "./isomapPanels.ts";

type States = Record<string, Partial<State>>;

function presetsFor(most: number): States {
  const of = ([n, k]: number[]) => ({ n_points: Math.min(most, n), n_neighbors: k, removed: [] });
  return Object.fromEntries(Object.entries(isomap.PRESETS).map(([name, one]) => [name, of(one)]));
}

function presetButtons(presets: States) {
  const labels = Object.entries(presets).map(([name, { n_neighbors: k, n_points: n }]) => [
    name,
    `<i>κ</i> = ${k}, <i>n</i> = ${n}`,
  ]);
  return buttonGroup("Graph", "preset", Object.fromEntries(labels));
}

const VIEWS = { side: "side view", oblique: "oblique view" };

const SHORT_CIRCUITS = `<table
  class="kx-list kx-short-circuits"><caption>Short circuits on most shortest paths</caption>
    <thead><tr><th scope="col">short circuit</th><th scope="col" class="kx-distance">space</th><th
      scope="col">sheet</th><th scope="col">paths</th><td></td></tr></thead>
    <tbody data-part="shortCircuits"></tbody></table>`;

// The view "map" does not show the negative mass.
const htmlOf = (presets: States, show: string) => `
  <div class="kx-columns">
    <div class="kx-column">
      <section class="kx-always kx-above-verdict"><p class="kx-title">Roll and neighbour graph <small
        class="kx-control">drag it</small></p>
        <div data-part="roll"></div></section>
    </div>
    <div class="kx-column">
      <section class="kx-always"><p
        class="kx-title">Isomap map <small>aligned with the sheet</small></p>
        <div data-part="map"></div>
        <p class="kx-key"><span class="kx-wire">edge</span><span
          class="kx-wrong">short circuit</span><span class="kx-removed">removed</span></p></section>
    </div>
  </div>
  <div class="kx-columns">
    <section class="kx-control">
      <div class="kx-bar">${buttonGroup("View", "view", VIEWS, "modes")}</div></section>
    <section class="kx-always kx-control" data-part="neighbors"></section>
    <section class="kx-always kx-control" data-part="points"></section>
  </div>
  <section class="kx-always">
    <div class="kx-bar">${presetButtons(presets)}<button type="button"
      class="kx-control" data-part="restore"></button></div></section>
  <div class="kx-columns">
    <div class="kx-column">
      <section><table
        class="kx-list"><caption>Graph and map</caption><tbody
          data-part="facts"></tbody></table></section>
      ${show === "all" ? `<section class="kx-always"><div class="kx-control">${SHORT_CIRCUITS}</div></section>` : ""}
    </div>
    <div class="kx-column">
      <section class="kx-always" data-show="all"><p
        class="kx-title">Negative mass <small>for each <i>κ</i>, with all edges</small></p>
        <div data-part="curve"></div></section>
      ${show === "all" ? "" : `<section class="kx-control">${SHORT_CIRCUITS}</section>`}
    </div>
  </div>
  <section><p class="kx-note">The ends of a short circuit are more than twice as far apart on the
    sheet as in space. The one with rings belongs to the largest number of shortest paths. The grid
    lines are 10 apart.</p></section>`;

type Saved = Omit<State, "show">;
function validatorsFor(most: number): Validators<Saved> {
  const isPair = (pair: unknown) =>
    areNumbers(pair, 2, 0, most - 1) && pair.every(Number.isInteger) && pair[0] < pair[1];
  return {
    n_points: isWhole(isomap.FEWEST_POINTS, most),
    n_neighbors: isWhole(isomap.FEWEST, isomap.MOST),
    removed: isListOf(isPair, 0, isomap.MAX_REMOVED),
    view: (value) => isWithin([180, 90])(value) && isListOf(isWhole(-180, 180), 2, 2)(value),
  };
}

function buttonPanel(el: Element, state: State, explorer: Explorer, presets: States) {
  const views = { side: { view: [0, 0] }, oblique: { view: [35, 20] } };
  const kinds = { preset: choosingOne(state, presets), view: choosingOne(state, views) };
  return listenToButtons(el, explorer, kinds);
}

/** Return `complete()`, which draws the curve value by value or, without frames, at once. */
function curveTimer(el: Element, cache: Cache, draw: () => void) {
  let waiting = 0;
  const step = () => {
    if (!el.isConnected || !isomap.findNext(cache)) return;
    draw();
    waiting = setTimeout(step, 30);
  };
  const stop = () => clearTimeout(waiting);
  const complete = () => {
    stop();
    if (typeof requestAnimationFrame !== "undefined") return void (waiting = setTimeout(step, 150));
    while (isomap.findNext(cache));
    draw();
  };
  return { complete, stop };
}

function sliders(part: Part, state: State, explorer: Explorer, mostPoints: number) {
  const { FEWEST, FEWEST_POINTS, MOST } = isomap;
  const neighbors = { name: "κ", ends: [FEWEST, MOST, 1], words: (k: number) => `${k} neighbours` };
  const ends = [FEWEST_POINTS, mostPoints, 1];
  const points = { name: "n", ends, words: (n: number) => `${n} points` };
  return [
    slider(part("neighbors"), explorer, state, "n_neighbors", neighbors),
    slider(part("points"), explorer, state, "n_points", points),
  ];
}

function render({ model, el }: RenderProps) {
  const data: Data = traitsNamed(model, ["points", "sheet"]);
  const [most, marks] = [data.points.length, marksOf(data.sheet)];
  const cache = { maps: {} } as Cache; // results that do not change
  const show: State["show"] = model.get("show");
  const presets = presetsFor(most);
  const part = writeExplorerHtml(el, htmlOf(presets, show), "isomap", show);
  const [state, explorer] = createExplorer<State, Result, Saved>({
    model,
    el,
    validators: validatorsFor(most),
    unsavedFields: { show },
    result: (state) => isomap.graphResult(state, data, cache),
    hint: "Drag the roll, or change the number κ of neighbours.",
    verdict: (result) => isomap.isomapVerdict(result, show),
    stop() {
      timer.stop();
      rotations.cancel();
    },
    whenAtRest: () => show === "all" && timer.complete(),
  });
  // A rotation changes neither the graph nor the map.
  const rotations = eachFrame(() => [roll, buttons].forEach((panel) => panel()));
  const rotate = (view: number[]) => {
    state.view = view;
    rotations.later();
  };
  const roll = rollPanel(part("roll"), data, marks, { state, explorer, rotate });
  const buttons = buttonPanel(el, state, explorer, presets);
  const curve = curvePanel(part("curve"));
  const drawCurve = () => curve(isomap.curveOf(cache), explorer.result);
  const timer = curveTimer(el, cache, drawCurve);
  return explorer.start([
    roll,
    buttons,
    isomapPanel(part("map"), data, marks),
    graphTables(part, state, explorer),
    ...sliders(part, state, explorer, most),
    drawCurve,
    (_, moving) => moving && timer.stop(),
  ]);
}

export default { render, linksOmit: ["show", "points", "sheet"] };
