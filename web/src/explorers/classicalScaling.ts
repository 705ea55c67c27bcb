// Chapter 4: classical scaling of road distances.

import type { Point } from "../core/matrix.ts";
import { fromPairs } from "../core/pairs.ts";
import { buttonGroup, listenToButtons } from "../ui/buttons.ts";
import type { Part, RenderProps } from "../ui/state.ts";
import { createExplorer, RESET, traitsNamed, writeExplorerHtml } from "../ui/state.ts";
import { hundredth } from "../ui/text.ts";
import { areNumbers, hasValues, isOneOf, isWhole } from "../ui/validators.ts";
import { entryFields, matrixPanel } from "./classicalScalingMatrix.ts";
import type { Data, Result, ScalingExplorer, State } from "./classicalScalingModel.ts";
import { ENTRY_MOST, resultOf } from "./classicalScalingModel.ts";
import {
  constantPanel,
  factTables,
  mapPanel,
  rootsPanel,
  shepardPanel,
  stepsPanel,
} from "./classicalScalingPanels.ts";
import { km, scalingVerdict } from "./classicalScalingVerdict.ts";

const MATRICES = { roads: "as given", halved: "one halved", straight: "straight lines" };
const POSSIBLE = { near: "Athens\u2013Rome 2000 km", same: "Rome at Stockholm" };
const IMPOSSIBLE = { far: "Rome\u2013Paris 6000 km" };
const METHODS = {
  cailliez: "<i>\u03b4</i> + <i>c</i> <small>Cailliez</small>",
  lingoes: "\u221a(<i>\u03b4</i>\u00b2 + 2<i>c</i>) <small>Lingoes</small>",
};
const HINTS = {
  all: "Drag a city, choose two cities and change their distance, or add a constant.",
  map: "Drag a city, or choose two cities and change their distance.",
  cities: "Drag a city, or change a distance.",
};
const ENTRY = `
  <div class="kx-entry"><select data-part="row" aria-label="first city"></select>
    <select data-part="column" aria-label="second city"></select>
    <label><input type="text" inputmode="decimal" autocomplete="off" data-part="entry">
      km</label></div>
  <div class="kx-bar"><p class="kx-note" data-part="typed" aria-live="polite"></p>`;
// The view "map" has no eigenvalues, no constant and no measures of fit.
const PAGE = `
  <div class="kx-columns">
    <div class="kx-column">
      <section class="kx-always kx-above-verdict"><p class="kx-title"><span class="kx-distance">Matrix \u0394</span>
        <small>of dissimilarities (km)</small></p>
        <div data-part="matrix"></div>
        <div class="kx-bar">${buttonGroup("Distances", "preset", MATRICES)}</div></section>
      <section class="kx-always kx-control">${ENTRY}<span>${RESET}</span></div></section>
      <section data-show="all" style="--order:5"><p
        class="kx-title">Eigenvalues of <i>B</i> <small>as \u221a|<i>\u03bb</i>|, in 1000
          km</small></p>
        <div data-part="spectrum"></div></section>
      <section data-show="all" style="--order:6">
        <table class="kx-facts"><caption>Measures of fit</caption><tbody
          data-part="facts"></tbody></table></section>
    </div>
    <div class="kx-column">
      <section class="kx-always"><p class="kx-title">Map by classical scaling</p>
        <div data-part="map"></div><p class="kx-note" data-part="square"></p></section>
      <section><table
          class="kx-list"><caption>The three pairs with the largest differences</caption>
          <thead><tr><th scope="col">largest differences</th><th scope="col"
            class="kx-distance" data-part="entries"></th><th scope="col">map</th></tr></thead>
          <tbody data-part="worst"></tbody></table>
        <p class="kx-note" data-show="map">The difference in the banner is the root mean square over
          all pairs. Stronger colours represent longer distances. <span class="kx-control">“One
            halved” halves the distance between Barcelona and Rome, and “straight lines” replaces
            all road distances by the distances on the true map.</span></p></section>
      <section class="kx-always kx-control" data-show="all"><p
        class="kx-title">Additive constant</p>
        <div class="kx-bar">${buttonGroup("Constant", "method", METHODS, "modes")}</div>
        <div data-part="constant"></div></section>
      <section data-show="all" style="--order:6"><p
        class="kx-title">Shepard diagram <small>one dot for each pair of cities</small></p>
        <div data-part="shepard"></div></section>
    </div>
  </div>`;

// The view "cities": a map and its distances, in words that need no definition.
const CITIES = `
  <section class="kx-always kx-above-verdict kx-control kx-named">
    <div class="kx-bar">${buttonGroup("Try", "preset", POSSIBLE)}<span
      >${buttonGroup("Impossible", "preset", IMPOSSIBLE)}</span><span>${RESET}</span></div></section>
  <div class="kx-columns">
    <div class="kx-column">
      <section class="kx-always kx-above-verdict"><p class="kx-title">Map from road distances alone
          <small class="kx-control">drag a city</small></p>
        <div data-part="map"></div><p class="kx-note"><span data-part="pair"></span> The coastline
          was fitted to the map afterwards.</p></section>
    </div>
    <div class="kx-column">
      <section class="kx-always"><p class="kx-title kx-distance">Road distances (km)</p>
        <div data-part="matrix"></div></section>
      <section class="kx-control kx-always">${ENTRY}</div></section>
    </div>
  </div>
  <details><summary>How the map is made</summary>
    <section class="kx-always" style="scroll-margin-top:6rem" id="how-the-map-is-made"><p
        class="kx-title">1. Inner products (million km\u00b2)</p><p class="kx-note">Square the
        distances, subtract means so that each row and each column has mean 0, and multiply by
        \u2212\u00bd. The result is a table of inner products (the <a
        href="03-distances-gram.html#from-distances-to-the-gram-matrix">Gram matrix</a>), which are
        negative for points in opposite directions from the centre.</p>
      <table><tbody data-part="gram"></tbody></table></section>
    <section class="kx-always"><p class="kx-title">2. Eigenvalues (million km\u00b2)</p><p
        class="kx-note">The <a
        href="04-classical-scaling.html#the-classical-scaling-algorithm">eigenvalues</a> of this table
        measure how far the cities extend in different directions. For the road distances two are
        large, so two coordinates are nearly enough. <a
        href="04-classical-scaling.html#negative-eigenvalues">Negative ones</a> show that no points
        have exactly these distances, in any number of dimensions.</p>
      <div class="kx-bars" data-part="eigenvalues"></div></section>
    <section class="kx-always"><p class="kx-title">3. Coordinates (km)</p><p class="kx-note">Each
        eigenvalue has an eigenvector, a list with one number for each city. The first two lists,
        multiplied by the square roots of their eigenvalues, are the coordinates. Finally, the map is
        <a href="04-classical-scaling.html#procrustes-alignment">rotated</a> and moved so that north
        is at the top.</p>
      <table style="max-width:270px"><tbody data-part="coordinates"></tbody></table></section></details>`;

const isPair = (value: unknown, n: number) =>
  areNumbers(value, 2, 0, n - 1) && value.every(Number.isInteger) && value[0] !== value[1];

function validatorsFor(n: number) {
  const isEdit = (edit: unknown) =>
    areNumbers(edit, 3, 0, ENTRY_MOST) && isPair(edit.slice(0, 2), n) && edit[0] < edit[1];
  const areEdits = (value: unknown) =>
    Array.isArray(value) &&
    value.every(isEdit) &&
    new Set(value.map(([i, j]) => i * n + j)).size === value.length;
  const isMove = (value: unknown) =>
    areNumbers(value, 0) || (areNumbers(value, 3, -1e5, 1e5) && isWhole(0, n - 1)(value[0]));
  return {
    base: isOneOf("roads", "straight"),
    edits: areEdits,
    method: isOneOf("cailliez", "lingoes"),
    share: (value: unknown) => areNumbers([value], 1, 0, 1),
    chosen: (value: unknown) => isPair(value, n),
    moved: isMove,
  };
}

export interface Context {
  part: Part;
  labels: string[];
  coast: string; // the path of the coastline
  state: State;
  explorer: ScalingExplorer;
  actions: ReturnType<typeof actionsOn>;
}
function actionsOn(state: State, explorer: ScalingExplorer, n: number) {
  return {
    choose(pair: State["chosen"]) {
      state.chosen = pair;
      explorer.save();
    },
    edit(typed: number) {
      const length = Math.round(10 * typed) / 10;
      const [i, j] = [...state.chosen].sort((a, b) => a - b);
      const others = state.edits.filter(([a, b]) => a !== i || b !== j);
      const isOld = km(explorer.result.original[i * n + j]) === km(length);
      state.edits = isOld ? others : [...others, [i, j, length]];
      state.moved = [];
      explorer.draw();
    },
    setShare: (share: number) => Object.assign(state, { share, moved: [] }),
    setMethod: (method: string) => Object.assign(state, { method, moved: [] }),
    /** Move the chosen city to a place in km. In the view "cities", its distances change. */
    move(place: Point, points: Point[]) {
      const city = state.chosen[0];
      state.moved = [city, ...place];
      if (state.show !== "cities") return;
      const others = state.edits.filter(([a, b]) => a !== city && b !== city);
      const length = ([x, y]: Point) => Math.round(Math.hypot(x - place[0], y - place[1]));
      const row = points.map((point, j) => [
        ...[city, j].sort((a, b) => a - b),
        Math.min(ENTRY_MOST, length(point)),
      ]);
      state.edits = [...others, ...row.filter((_, j) => j !== city)];
    },
  };
}

type Change = Partial<State>;
/** Return the changes that each button makes. At Stockholm, Rome has Stockholm's distances. */
function presetsOf({ labels, upper }: Data, show: State["show"]): Record<string, Change> {
  const [n, roads] = [labels.length, fromPairs(upper, labels.length)];
  const names = ["Athens", "Barcelona", "Rome", "Paris", "Stockholm"];
  const [athens, barcelona, rome, paris, stockholm] = names.map((name) => labels.indexOf(name));
  const edit = (i: number, j: number, length: number) => [...[i, j].sort((a, b) => a - b), length];
  const still: Change = { base: "roads", share: 0, moved: [] };
  const change = (edits: number[][], more?: Change): Change => ({ ...still, edits, ...more });
  if (show !== "cities")
    return {
      roads: change([]),
      halved: change([edit(barcelona, rome, roads[barcelona * n + rome] / 2)], {
        chosen: [barcelona, rome],
      }),
      straight: change([], { base: "straight" }),
    };
  return {
    near: change([edit(athens, rome, 2000)], { chosen: [athens, rome] }),
    far: change([edit(rome, paris, 6000)], { chosen: [rome, paris] }),
    same: change(
      labels.flatMap((_, j) => (j === rome ? [] : [edit(rome, j, roads[stockholm * n + j])])),
      { chosen: [rome, stockholm] },
    ),
  };
}

function listenToPresets(el: Element, state: State, explorer: ScalingExplorer, data: Data) {
  const presets = presetsOf(data, state.show);
  return listenToButtons(el, explorer, {
    preset: [
      (name) => Object.assign(state, structuredClone(presets[name])),
      (name) => hasValues(state, { base: presets[name].base, edits: presets[name].edits }),
    ],
  });
}

function render({ model, el }: RenderProps) {
  const show: State["show"] = model.get("show");
  const hasCities = show === "cities";
  const part = writeExplorerHtml(el, hasCities ? CITIES : PAGE, "classical-scaling", show);
  el.querySelector("details")?.toggleAttribute("open", globalThis.innerWidth >= 640); // not in the build
  const data: Data = traitsNamed(model, ["labels", "upper", "places", "coast"]);
  const { labels, coast } = data;
  const cache = {};
  const [state, explorer] = createExplorer<State, Result, Omit<State, "show">>({
    model,
    el,
    validators: validatorsFor(labels.length),
    unsaved: { show },
    loaded: (state) => (state.share = hundredth(state.share)),
    result: (state) => resultOf(state, data, cache),
    hint: HINTS[show],
    verdict: (result, state) => scalingVerdict(state, result, labels),
  });
  const actions = actionsOn(state, explorer, labels.length);
  const context = { part, labels, coast, state, explorer, actions };
  return explorer.start([
    entryFields(context),
    matrixPanel(context),
    mapPanel(context),
    listenToPresets(el, state, explorer, data),
    ...(hasCities
      ? [stepsPanel(context)]
      : [
          rootsPanel(part("spectrum"), labels.length),
          shepardPanel(part("shepard"), state),
          constantPanel(el, context),
          factTables(part, labels),
        ]),
  ]);
}

export default { render, notInLinks: ["labels", "upper", "places", "coast", "show"] };
