// Chapter 11: Isomap of a rolled sheet, with edges that can be cut.

import { buttonGroup, listenToButtons } from "../ui/buttons.js";
import { slider } from "../ui/controls.js";
import { eachFrame } from "../ui/frames.js";
import { bindState, openPage, RESET } from "../ui/state.js";
import { areNumbers, isLike, isListOf, isWhole, isWithin } from "../ui/validators.js";
import { VERDICT } from "../ui/verdict.js";
import { isomapPanel, marksOf, rollPanel } from "./isomapDrawings.js";
import {
  curveOf,
  FEWEST,
  FEWEST_POINTS,
  findNext,
  graphResult,
  MOST,
  MOST_CUT,
  PRESETS,
  verdict,
} from "./isomapModel.js";
import { blameTables, curvePanel } from "./isomapPanels.js";

/** What the presets make of a state, for so many points. */
function presetsFor(most) {
  const preset = ([name, [n, k]]) => [
    name,
    { n_points: Math.min(most, n), n_neighbors: k, cut: [] },
  ];
  return Object.fromEntries(Object.entries(PRESETS).map(preset));
}

/** What stands on a button of a preset. */
const named = ([name, { n_neighbors: k, n_points: n }]) => [
  name,
  `<i>κ</i> = ${k}, <i>n</i> = ${n}`,
];

const presetButtons = (presets) => {
  const names = Object.fromEntries(Object.entries(presets).map(named));
  return buttonGroup("Graphs", "preset", names, "samples");
};

const VIEWS = { side: "from the side", turned: "turned" };

const pageOf = (presets) => `
  <p class="kx-question">At which <i>κ</i> does the roll stop unrolling, and which edge is to
    blame?</p>
  <div class="kx-bar"
    style="--order:5">${presetButtons(presets)}<span>${RESET}</span></div>
  ${VERDICT}
  <div class="kx-columns">
    <div class="kx-column">
      <section style="--order:1"><p class="kx-title">The roll <small
        class="kx-control">drag it, or use the arrow keys</small></p>
        <div data-part="roll"></div></section>
      <section class="kx-control" style="--order:3" data-part="sliders"></section>
      <section style="--order:6"><div
        class="kx-bar">${buttonGroup("View", "view", VIEWS, "modes")}</div>
        <p class="kx-key"><span class="kx-wire">edge</span><span
          class="kx-wrong">short circuit</span><span class="kx-gone">cut</span></p></section>
      <section style="--order:8"><table
        class="kx-list"><caption>Figures of graph and map</caption><tbody
          data-part="facts"></tbody></table></section>
    </div>
    <div class="kx-column">
      <section style="--order:2"><p
        class="kx-title">Isomap’s map <small>turned onto the sheet</small></p>
        <div data-part="map"></div></section>
      <section class="kx-control" style="--order:7"><table
        class="kx-list kx-blame"><caption>The worst short circuits</caption>
          <thead><tr><th scope="col">short circuit</th><th scope="col"
            class="kx-distance">space</th><th scope="col">sheet</th><th
              scope="col">paths</th><td></td></tr></thead>
          <tbody data-part="blame"></tbody></table>
        <div class="kx-bar"><button type="button" class="kx-action"
          data-part="back">put back</button></div></section>
      <section style="--order:4"><p
        class="kx-title">Negative mass <small>for each <i>κ</i>, no edge cut</small></p>
        <div data-part="curve"></div></section>
    </div>
  </div>`;

/** What the traits may be, for so many points. */
function fitsFor(most) {
  const isPair = (pair) =>
    areNumbers(pair, 2, 0, most - 1) && pair.every(Number.isInteger) && pair[0] < pair[1];
  return {
    n_points: isWhole(FEWEST_POINTS, most),
    n_neighbors: isWhole(FEWEST, MOST),
    cut: isListOf(isPair, 0, MOST_CUT),
    view: (value) => isWithin([180, 90])(value) && value.every(Number.isInteger),
  };
}

/** Follow the buttons of presets and views; returns a function that marks those on show. */
function buttonPanel(el, state, presets) {
  const views = { side: { view: [0, 0] }, turned: { view: [35, 20] } };
  const among = (states) => [
    (name) => Object.assign(state, structuredClone(states[name])),
    (name) => isLike(state, states[name]),
  ];
  return listenToButtons(el, state, { preset: among(presets), view: among(views) });
}

/** Draw the curve value by value; at once where there are no frames. */
function unfoldCurve(el, state, memory, draw) {
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

/** The sliders of the number of neighbours and of the number of points. */
function sliders(host, state, mostPoints) {
  const neighbors = { name: "κ", least: FEWEST, most: MOST, step: 1 };
  const points = { name: "n", least: FEWEST_POINTS, most: mostPoints, step: 1 };
  return [
    slider(host, state, "n_neighbors", { ...neighbors, words: (k) => `${k} neighbours` }),
    slider(host, state, "n_points", { ...points, words: (n) => `${n} points` }),
  ];
}

function render({ model, el }) {
  const data = { points: model.get("points"), sheet: model.get("sheet") };
  const [most, marks, memory, state] = [data.points.length, marksOf(data.sheet), {}, {}];
  const presets = presetsFor(most);
  const part = openPage(el, pageOf(presets), "isomap");
  const [roll, buttons, curve] = [
    rollPanel(part("roll"), data, marks, state),
    buttonPanel(el, state, presets),
    curvePanel(part("curve")),
  ];
  const drawCurve = () => curve(curveOf(memory), state.result);
  const turns = eachFrame(() => [roll, buttons].forEach((panel) => panel()));
  state.turn = (view) => {
    state.view = view;
    turns.later();
  };
  state.change = (values) => {
    Object.assign(state, values);
    state.save();
  };
  return bindState(state, {
    model,
    el,
    fits: fitsFor(most),
    result: () => graphResult(state, data, memory),
    panels: [
      roll,
      buttons,
      isomapPanel(part("map"), data, marks),
      blameTables(part, state),
      ...sliders(part("sliders"), state, most),
      drawCurve,
      (_, moving) => moving && clearTimeout(state.waiting),
    ],
    words: () => verdict(state.result),
    stop() {
      clearTimeout(state.waiting);
      turns.cancel();
    },
    settled: () => unfoldCurve(el, state, memory, drawCurve),
  });
}

export default { render, unlinked: ["points", "sheet"] };
