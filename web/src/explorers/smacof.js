// Chapter 9: the descent of the stress from a start.

import { fromRows, toRows } from "../core/matrix.js";
import { fromPairs } from "../core/pairs.js";
import { rawStress } from "../core/stress.js";
import { buttonGroup } from "../ui/buttons.js";
import { fillSelect } from "../ui/controls.js";
import { bindState, openPage, RESET } from "../ui/state.js";
import { setAttributes } from "../ui/svg.js";
import { areNumbers, isListOf, isWhole } from "../ui/validators.js";
import { VERDICT } from "../ui/verdict.js";
import {
  BATCH,
  endOf,
  MOST_ENDS,
  MOST_STEPS,
  PRESETS,
  recaller,
  resultOf,
  withEnd,
} from "./smacofModel.js";
import { endsPanel, figures, mapPanel, stepsPanel, tracePanel } from "./smacofPanels.js";
import { sentence } from "./smacofWords.js";

const STARTS = { rome: "stuck: Rome", stockholm: "stuck: Stockholm", classical: "classical start" };
const RANDOM_STARTS = { draw: "new random start", batch: `${BATCH} at once` };
const STEPPING = { step: "one step", run: "run" };

const PAGE = `
  <p class="kx-question">Which maps does this table get stuck in, and what frees them?</p>
  <div class="kx-bar" style="--order:4">${buttonGroup("Starts", "preset", STARTS, "samples")}
    ${buttonGroup("Random starts", "do", RANDOM_STARTS, "actions")}
    <span>${RESET}</span>
  </div>
  ${VERDICT}
  <div class="kx-columns">
    <div class="kx-column">
      <section style="--order:1"><p class="kx-title">Map and springs <small
        class="kx-control">drag a city</small></p>
        <div data-part="map"></div>
        <p class="kx-key"><span class="kx-pressed">too short: pushes</span><span
          class="kx-stretched">too long: pulls</span></p></section>
      <section style="--order:5">
        <p class="kx-note">The thicker, the more: from 100, 300 and 800 km on. A square of the
          grid is 1000 km wide.</p>
        <div class="kx-entry kx-control"><select data-part="city"
          aria-label="city to drag"></select></div></section>
      <section class="kx-control kx-steps" style="--order:3">
        <div
          class="kx-bar">${buttonGroup("Steps", "do", STEPPING, "actions")}</div>
        <div data-part="steps"></div></section>
    </div>
    <div class="kx-column">
      <section style="--order:2"><p
        class="kx-title">Stress, step by step <small>dashed: the runs below</small></p>
        <div data-part="trace"></div></section>
      <section style="--order:6">
        <div class="kx-scroll"><table
          class="kx-list kx-ended"><caption>Stress at which runs have ended, the city with the
            most stress, and how many random starts ended there</caption>
          <thead><tr><th scope="col">ended at</th><th scope="col">misplaced</th><th
            scope="col">starts</th><td class="kx-control"></td></tr></thead>
          <tbody data-part="ends"></tbody></table></div></section>
      <section style="--order:7">
        <table
          class="kx-list"><caption>The three springs that are farthest from their length, and the
            figures of the map</caption>
          <thead><tr><th scope="col">worst springs (km)</th><th scope="col"
            class="kx-distance">table</th><th scope="col">map</th></tr></thead>
          <tbody data-part="worst"></tbody></table></section>
    </div>
  </div>`;

/** Whether a value is a run: a seed, or a city and all places in km. */
function isRun(value, n) {
  if (!Array.isArray(value) || !value.every(Number.isInteger)) return false;
  if (value.length === 1) return areNumbers(value, 1, 0, 1e6);
  const [city, ...places] = value;
  const isApart = places.some((v, at) => v !== places[at % 2]);
  return areNumbers(places, 2 * n, -9999, 9999) && city >= 0 && city < n && isApart;
}

/** What the traits may be, for n cities. */
function fitsFor(n) {
  const isEnd = (end) => Array.isArray(end) && isWhole(0, 1e6)(end[0]) && isRun(end.slice(1), n);
  return {
    run: (value) => isRun(value, n),
    steps: isWhole(0, MOST_STEPS),
    ends: isListOf(isEnd, 0, MOST_ENDS),
    tried: isListOf(isWhole(0, 1e6), 2, 2),
    chosen: isWhole(0, n - 1),
    points: () => false, // they follow from the others
  };
}

/** Notes where runs end, and says which seed comes next. */
function recorder(state, data, recall) {
  const stressOf = (run) => endOf(run, data, recall).stress;
  return {
    record(run) {
      const isNew = run.length === 1 && run[0] > state.tried[0];
      if (isNew) state.tried = [run[0], state.tried[1] + 1];
      state.ends = withEnd(state.ends, run, Number(isNew), stressOf);
    },
    nextSeed: () => Math.max(state.tried[0], state.run.length === 1 ? state.run[0] : 0) + 1,
  };
}

/** What a reader does to the state. */
function actionsOn(state, { record, nextSeed }) {
  return {
    go(run, steps) {
      state.stop();
      Object.assign(state, { run, steps });
      state.save();
    },
    drawStart: () => state.go([nextSeed()], 0),
    step: () => state.go(state.run, state.result.steps + 1),
    tryNext: () => record(Object.assign(state, { run: [nextSeed()], steps: MOST_STEPS }).run),
    choose(city) {
      state.chosen = city;
      state.go(state.run, state.result.steps);
    },
    move(point) {
      state.stop();
      const places = Array.from(state.result.points);
      places.splice(2 * state.chosen, 2, ...point);
      Object.assign(state, {
        run: [state.chosen, ...places.map((v) => Math.round(1000 * v))],
        steps: 0,
        held: true,
      });
    },
  };
}

/**
 * What takes many frames: `play` steps ever faster until the run has ended, `batch` tries starts.
 */
function player(state) {
  let frame = 0;
  const untilDone = (show) => {
    state.running = true;
    const next = (now) => {
      if (show(now)) return state.go(state.run, MOST_STEPS);
      state.draw();
      frame = requestAnimationFrame(next);
    };
    frame = requestAnimationFrame(next);
  };
  const stop = () => {
    if (frame) cancelAnimationFrame(frame);
    frame = 0;
    state.running = false;
  };
  const play = () => {
    if (state.running) return state.go(state.run, state.result.steps);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches)
      return state.go(state.run, MOST_STEPS);
    const from = state.result.ended ? 0 : state.result.steps;
    let start = null;
    untilDone((now) => {
      start ??= now;
      state.steps = Math.floor((from + 1) * Math.exp((now - start) / 700)) - 1;
      return state.steps >= state.result.length;
    });
  };
  const batch = () => {
    stop();
    let left = BATCH;
    untilDone(() => {
      state.tryNext();
      left -= 1;
      return left === 0;
    });
  };
  return { stop, play, batch };
}

/** Follow the buttons; returns a function that marks them. */
function buttonPanel(el, state) {
  const presets = [...el.querySelectorAll("[data-preset]")];
  for (const button of presets) {
    const { preset } = button.dataset;
    button.addEventListener("click", () =>
      state.go(PRESETS[preset], preset === "classical" ? 0 : MOST_STEPS),
    );
  }
  const actions = { draw: "drawStart", batch: "batch", step: "step", run: "play" };
  for (const [name, action] of Object.entries(actions)) {
    el.querySelector(`[data-do="${name}"]`).addEventListener("click", () => state[action]());
  }
  return ({ ended }) => {
    for (const button of presets)
      setAttributes(button, {
        "aria-pressed": String(PRESETS[button.dataset.preset]) === String(state.run),
      });
    el.querySelector('[data-do="run"]').textContent = state.running
      ? "pause"
      : ended
        ? "run again"
        : "run";
  };
}

/** The field that names the city to drag; returns a function that shows it. */
function cityField(field, labels, state) {
  fillSelect(
    field,
    labels.map((name, i) => [i, `drag ${name}`]),
  );
  field.addEventListener("change", () => state.choose(Number(field.value)));
  return () => (field.children[state.chosen].selected = true);
}

/** The roads, and the best map with its stress. */
export function dataOf(n, table, rows) {
  const [D, best] = [fromPairs(table, n), fromRows(rows)];
  return { D, best, least: rawStress(best, 2, D) };
}

function render({ model, el }) {
  const part = openPage(el, PAGE, "smacof");
  const labels = model.get("labels");
  const data = dataOf(labels.length, model.get("table"), model.get("best"));
  const recall = recaller(data);
  const state = {};
  const records = recorder(state, data, recall);
  Object.assign(state, actionsOn(state, records), player(state));
  const result = () => resultOf(state, data, recall);
  const panels = [
    mapPanel(part("map"), labels, state),
    tracePanel(part("trace")),
    endsPanel(part("ends"), labels, state),
    stepsPanel(part("steps"), state),
    figures(part("worst"), labels),
    buttonPanel(el, state),
    cityField(part("city"), labels, state),
  ];
  const settle = () => {
    state.held = false;
    const { ended, points } = result();
    state.points = toRows(
      points.map((v) => Math.round(1e4 * v) / 1e4),
      2,
    );
    if (!ended) return;
    state.steps = MOST_STEPS;
    records.record(state.run);
  };
  return bindState(state, {
    model,
    el,
    result,
    panels,
    settle,
    stop: state.stop,
    fits: fitsFor(labels.length),
    loaded: () => (state.held = false),
    words: () => sentence(state, state.result, labels),
  });
}

export default { render, unlinked: ["labels", "table", "best", "points"] };
