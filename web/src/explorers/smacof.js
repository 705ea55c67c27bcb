// SMACOF from a start that the reader chooses.

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
  addMinimum,
  BATCH,
  finalMap,
  MAX_MINIMA,
  MAX_STEPS,
  PRESETS,
  pathCache,
  resultOf,
} from "./smacofModel.js";
import { errorTable, mapPanel, minimaPanel, stepsPanel, tracePanel } from "./smacofPanels.js";
import { stressVerdict } from "./smacofVerdict.js";

const STARTS = { rome: "Rome misplaced", stockholm: "Stockholm misplaced", classical: "classical" };
const RANDOM_STARTS = { draw: "random", batch: `${BATCH} random starts` };
const STEPPING = { step: "one step", run: "run" };

const PAGE = `
  ${VERDICT}
  <div class="kx-columns">
    <div class="kx-column">
      <section class="kx-main"><p class="kx-title">Map and springs <small
        class="kx-control">drag a city</small></p>
        <div data-part="map"></div>
        <p class="kx-key"><span class="kx-pressed">too short: pushes</span><span
          class="kx-stretched">too long: pulls</span></p>
        <div class="kx-bar kx-control">${buttonGroup("Steps", "do", STEPPING)}
          <span>${RESET}</span></div>
        <div class="kx-bar">start ${buttonGroup("Starts", "preset", STARTS)}${buttonGroup(
          "Random starts",
          "do",
          RANDOM_STARTS,
        )}</div></section>
      <section class="kx-control"><div class="kx-entry"><label>city to drag <select
        data-part="city"></select></label></div></section>
      <section class="kx-control" data-part="steps"></section>
      <section><p class="kx-note">The lines become thicker at errors of 300 and 800 km. The grid
        lines are 1000 km apart.</p></section>
    </div>
    <div class="kx-column">
      <section><p
        class="kx-title">Stress after each step <small>dashed: earlier runs</small></p>
        <div data-part="trace"></div></section>
      <section class="kx-main"><div class="kx-scroll"><table
          class="kx-list kx-ended"><caption>Final maps: stress, the city with the largest
            stress, and the number of random starts that end there</caption>
          <thead><tr><th scope="col">stress</th><th scope="col">misplaced city</th><th
            scope="col">starts</th><td class="kx-control"></td></tr></thead>
          <tbody data-part="minima"></tbody></table></div></section>
      <section><table
          class="kx-list"><caption>The three pairs with the largest errors, and the stress of the
            map</caption>
          <thead><tr><th scope="col">largest errors (km)</th><th scope="col"
            class="kx-distance">road</th><th scope="col">map</th></tr></thead>
          <tbody data-part="errors"></tbody></table></section>
    </div>
  </div>`;

/** Return true for a run: a seed, or a city that was dragged and all positions in km. */
function isRun(value, n) {
  if (!Array.isArray(value) || !value.every(Number.isInteger)) return false;
  if (value.length === 1) return areNumbers(value, 1, 0, 1e6);
  const [city, ...places] = value;
  const isApart = places.some((v, at) => v !== places[at % 2]);
  return areNumbers(places, 2 * n, -9999, 9999) && city >= 0 && city < n && isApart;
}

/** Return the validators of the traits for n cities. */
function validatorsFor(n) {
  const isMinimum = (value) =>
    Array.isArray(value) && isWhole(0, 1e6)(value[0]) && isRun(value.slice(1), n);
  return {
    run: (value) => isRun(value, n),
    steps: isWhole(0, MAX_STEPS),
    minima: isListOf(isMinimum, 0, MAX_MINIMA),
    tried: isListOf(isWhole(0, 1e6), 2, 2),
    chosen: isWhole(0, n - 1),
    points: () => false, // computed from the others
  };
}

/** Return functions that record the final map of a run, and that return the next seed. */
function recorder(state, data, pathOf) {
  const stressOf = (run) => finalMap(run, data, pathOf).stress;
  return {
    record(run) {
      const isNew = run.length === 1 && run[0] > state.tried[0];
      if (isNew) state.tried = [run[0], state.tried[1] + 1];
      state.minima = addMinimum(state.minima, run, Number(isNew), stressOf);
    },
    nextSeed: () => Math.max(state.tried[0], state.run.length === 1 ? state.run[0] : 0) + 1,
  };
}

/** Return the functions that change the state when the reader acts. */
function actionsOn(state, { record, nextSeed }) {
  return {
    show(run, steps) {
      state.stop();
      Object.assign(state, { run, steps });
      state.save();
    },
    drawStart: () => state.show([nextSeed()], 0),
    step: () => state.show(state.run, state.result.steps + 1),
    tryNext: () => record(Object.assign(state, { run: [nextSeed()], steps: MAX_STEPS }).run),
    choose(city) {
      state.chosen = city;
      state.show(state.run, state.result.steps);
    },
    move(point) {
      state.stop();
      const positions = Array.from(state.result.points);
      positions.splice(2 * state.chosen, 2, ...point);
      Object.assign(state, {
        run: [state.chosen, ...positions.map((v) => Math.round(1000 * v))],
        steps: 0,
        dragging: true,
      });
    },
  };
}

/**
 * Return the functions that take many frames: `play` takes ever faster steps until the run has
 * ended, and `batch` tries random starts.
 */
function player(state) {
  let frame = 0;
  const animateUntil = (isDone) => {
    state.running = true;
    const next = (now) => {
      if (isDone(now)) return state.show(state.run, MAX_STEPS);
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
    if (state.running) return state.show(state.run, state.result.steps);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches)
      return state.show(state.run, MAX_STEPS);
    const from = state.result.ended ? 0 : state.result.steps;
    let start = null;
    animateUntil((now) => {
      start ??= now;
      state.steps = Math.floor((from + 1) * Math.exp((now - start) / 700)) - 1;
      return state.steps >= state.result.length;
    });
  };
  const batch = () => {
    stop();
    let left = BATCH;
    animateUntil(() => {
      state.tryNext();
      left -= 1;
      return left === 0;
    });
  };
  return { stop, play, batch };
}

/** Follow the buttons; return a function that marks those that are on. */
function buttonPanel(el, state) {
  const presets = [...el.querySelectorAll("[data-preset]")];
  for (const button of presets) {
    const { preset } = button.dataset;
    button.addEventListener("click", () =>
      state.show(PRESETS[preset], preset === "classical" ? 0 : MAX_STEPS),
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
    el.querySelector('[data-do="step"]').disabled = ended;
    el.querySelector('[data-do="run"]').textContent = state.running
      ? "pause"
      : ended
        ? "run again"
        : "run";
  };
}

/** Fill the list of the cities that can be dragged; return a function that selects one. */
function cityField(field, labels, state) {
  fillSelect(field, [...labels.entries()]);
  field.addEventListener("change", () => state.choose(Number(field.value)));
  return () => (field.children[state.chosen].selected = true);
}

/** Return the distance matrix, and the best known map with its stress. */
export function dataOf(n, roadDistances, rows) {
  const [D, best] = [fromPairs(roadDistances, n), fromRows(rows)];
  return { D, best, minStress: rawStress(best, 2, D) };
}

function render({ model, el }) {
  const part = openPage(el, PAGE, "smacof");
  const labels = model.get("labels");
  const data = dataOf(labels.length, model.get("road_distances"), model.get("best"));
  const pathOf = pathCache(data);
  const state = {};
  const records = recorder(state, data, pathOf);
  Object.assign(state, actionsOn(state, records), player(state));
  const result = () => resultOf(state, data, pathOf);
  const panels = [
    mapPanel(part("map"), labels, state),
    tracePanel(part("trace")),
    minimaPanel(part("minima"), labels, state),
    stepsPanel(part("steps"), state),
    errorTable(part("errors"), labels),
    buttonPanel(el, state),
    cityField(part("city"), labels, state),
  ];
  const settle = () => {
    state.dragging = false;
    const { ended, points } = result();
    state.points = toRows(
      points.map((v) => Math.round(1e4 * v) / 1e4),
      2,
    );
    if (!ended) return;
    state.steps = MAX_STEPS;
    records.record(state.run);
  };
  return bindState(state, {
    model,
    el,
    result,
    panels,
    settle,
    stop: state.stop,
    validators: validatorsFor(labels.length),
    loaded: () => (state.dragging = false),
    hint: "The run has ended. Drag a city and press run, or choose another start.",
    verdict: () => stressVerdict(state, state.result, labels),
  });
}

export default { render, notInLinks: ["labels", "road_distances", "best", "points"] };
