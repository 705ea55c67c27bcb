// Isomap of a rolled sheet, with edges that can be removed.

import { buttonGroup, listenToButtons } from "../ui/buttons.js";
import { slider } from "../ui/controls.js";
import { eachFrame } from "../ui/frames.js";
import { bindState, openPage, RESET, traitsNamed } from "../ui/state.js";
import { areNumbers, isLike, isListOf, isWhole, isWithin } from "../ui/validators.js";
import { VERDICT } from "../ui/verdict.js";
import { isomapPanel, marksOf, rollPanel } from "./isomapDrawings.js";
import {
  curveOf,
  FEWEST,
  FEWEST_POINTS,
  findNext,
  graphResult,
  isomapVerdict,
  MAX_REMOVED,
  MOST,
  PRESETS,
} from "./isomapModel.js";
import { curvePanel, graphTables } from "./isomapPanels.js";

/** Return the states of the presets for at most `most` points. */
function presetsFor(most) {
  const preset = ([name, [n, k]]) => [
    name,
    { n_points: Math.min(most, n), n_neighbors: k, removed: [] },
  ];
  return Object.fromEntries(Object.entries(PRESETS).map(preset));
}

const presetLabel = ([name, { n_neighbors: k, n_points: n }]) => [
  name,
  `<i>κ</i> = ${k}, <i>n</i> = ${n}`,
];

const presetButtons = (presets) => {
  const labels = Object.fromEntries(Object.entries(presets).map(presetLabel));
  return buttonGroup("Graphs", "preset", labels);
};

const VIEWS = { side: "side view", oblique: "oblique view" };

// The view "map" does not show the negative mass.
const pageOf = (presets, show) => `
  ${VERDICT}
  <div class="kx-columns">
    <div class="kx-column">
      <section class="kx-main"><p class="kx-title">Roll and neighbour graph <small
        class="kx-control">drag it</small></p>
        <div data-part="roll"></div>
        <div class="kx-bar">${presetButtons(presets)}<span>${RESET}</span></div></section>
      <section class="kx-control">
        <div class="kx-bar">${buttonGroup("View", "view", VIEWS, "modes")}</div></section>
      <section class="kx-main kx-control"><div data-part="neighbors"></div>
        <div data-part="points"></div></section>
      <section><table
        class="kx-list"><caption>Graph and map</caption><tbody
          data-part="facts"></tbody></table></section>
    </div>
    <div class="kx-column">
      <section class="kx-main"><p
        class="kx-title">Isomap map <small>aligned with the sheet</small></p>
        <div data-part="map"></div>
        <p class="kx-key"><span class="kx-wire">edge</span><span
          class="kx-wrong">short circuit</span><span class="kx-removed">removed</span></p></section>
      <section class="kx-main" data-show="all"><p
        class="kx-title">Negative mass <small>for each <i>κ</i>, with all edges</small></p>
        <div data-part="curve"></div></section>
      <section class="kx-control ${show === "all" ? "kx-main" : ""}"><table
        class="kx-list kx-short-circuits"><caption>Short circuits on most shortest paths</caption>
          <thead><tr><th scope="col">short circuit</th><th scope="col"
            class="kx-distance">space</th><th scope="col">sheet</th><th
              scope="col">paths</th><td></td></tr></thead>
          <tbody data-part="shortCircuits"></tbody></table>
        <div class="kx-bar"><button type="button"
          data-part="restore"></button></div></section>
    </div>
  </div>`;

/** Return the validators of the traits for at most `most` points. */
function validatorsFor(most) {
  const isPair = (pair) =>
    areNumbers(pair, 2, 0, most - 1) && pair.every(Number.isInteger) && pair[0] < pair[1];
  return {
    n_points: isWhole(FEWEST_POINTS, most),
    n_neighbors: isWhole(FEWEST, MOST),
    removed: isListOf(isPair, 0, MAX_REMOVED),
    view: (value) => isWithin([180, 90])(value) && value.every(Number.isInteger),
  };
}

/** Follow the buttons of presets and views; return a function that marks those that are on. */
function buttonPanel(el, state, presets) {
  const views = { side: { view: [0, 0] }, oblique: { view: [35, 20] } };
  const among = (states) => [
    (name) => Object.assign(state, structuredClone(states[name])),
    (name) => isLike(state, states[name]),
  ];
  return listenToButtons(el, state, { preset: among(presets), view: among(views) });
}

/** Draw the curve value by value; at once where there are no frames. */
function completeCurve(el, state, memory, draw) {
  if (typeof requestAnimationFrame === "undefined") {
    while (findNext(memory));
    draw();
    return;
  }
  const step = () => {
    if (!el.isConnected || !findNext(memory)) return;
    draw();
    state.waiting = setTimeout(step, 30);
  };
  clearTimeout(state.waiting);
  state.waiting = setTimeout(step, 150);
}

/** Append the sliders for the numbers of neighbours and of points. */
function sliders(part, state, mostPoints) {
  const neighbors = { name: "κ", ends: [FEWEST, MOST, 1], words: (k) => `${k} neighbours` };
  const points = { name: "n", ends: [FEWEST_POINTS, mostPoints, 1], words: (n) => `${n} points` };
  return [
    slider(part("neighbors"), state, "n_neighbors", neighbors),
    slider(part("points"), state, "n_points", points),
  ];
}

function render({ model, el }) {
  const data = traitsNamed(model, ["points", "sheet"]);
  const [most, marks, memory] = [data.points.length, marksOf(data.sheet), {}];
  const state = { show: model.get("show") };
  const presets = presetsFor(most);
  const part = openPage(el, pageOf(presets, state.show), "isomap", state.show);
  const [roll, buttons, curve] = [
    rollPanel(part("roll"), data, marks, state),
    buttonPanel(el, state, presets),
    curvePanel(part("curve")),
  ];
  const drawCurve = () => curve(curveOf(memory), state.result);
  const rotations = eachFrame(() => [roll, buttons].forEach((panel) => panel()));
  state.rotate = (view) => {
    state.view = view;
    rotations.later();
  };
  state.change = (values) => {
    Object.assign(state, values);
    state.save();
  };
  return bindState(state, {
    model,
    el,
    validators: validatorsFor(most),
    result: () => graphResult(state, data, memory),
    panels: [
      roll,
      buttons,
      isomapPanel(part("map"), data, marks),
      graphTables(part, state),
      ...sliders(part, state, most),
      drawCurve,
      (_, moving) => moving && clearTimeout(state.waiting),
    ],
    hint: "Drag the roll, or change the number κ of neighbours.",
    verdict: () => isomapVerdict(state.result, state.show),
    stop() {
      clearTimeout(state.waiting);
      rotations.cancel();
    },
    settled: () => state.show === "all" && completeCurve(el, state, memory, drawCurve),
  });
}

export default { render, notInLinks: ["show", "points", "sheet"] };
