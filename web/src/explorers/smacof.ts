// SMACOF from a start that the reader chooses.

import { type Point, toRows } from "../core/matrix.ts";
import { buttonGroup } from "../ui/buttons.ts";
import { fillSelect } from "../ui/controls.ts";
import type { Explorer, Part, RenderProps, Validators } from "../ui/state.ts";
import { createExplorer, writeExplorerHtml } from "../ui/state.ts";
import { areNumbers, isListOf, isWhole } from "../ui/validators.ts";
import { partOf } from "../ui/verdict.ts";
import type { Data, PathOf, Result, SmacofExplorer, State } from "./smacofModel.ts";
import * as smacof from "./smacofModel.ts";
import { errorTable, mapPanel, minimaPanel, stepsPanel, tracePanel } from "./smacofPanels.ts";
import { stressVerdict } from "./smacofVerdict.ts";

type Records = ReturnType<typeof recorder>;
type Saved = Omit<State, "dragging" | "running">;
export interface PanelContext {
  part: Part;
  labels: string[];
  state: State;
  explorer: SmacofExplorer;
  actions: ReturnType<typeof actionsOn>;
}

/** Starts on the list: a seed, or 0 for the classical map; the first option is any other start. */
const STARTS = [
  ["", "choose a start"],
  ["11", "Rome misplaced"],
  ["2", "Stockholm misplaced"],
  ["0", "classical map"],
];
const RANDOM_STARTS = { draw: "random", batch: `${smacof.BATCH} random starts` };
const STEPPING = { step: "one step", run: "run" };

const HTML = `
  <div class="kx-columns">
    <div class="kx-column">
      <section class="kx-always kx-above-verdict"><p class="kx-title">Map and springs <small
        class="kx-control">drag a city</small></p>
        <div data-part="map"></div>
        <p class="kx-key"><span class="kx-pressed">too short: pushes</span><span
          class="kx-stretched">too long: pulls</span></p></section>
      <section class="kx-always kx-control"><div class="kx-bar"><select data-part="start"
        aria-label="start"></select>${buttonGroup("Random starts", "do", RANDOM_STARTS)}</div>
        <div class="kx-bar">${buttonGroup("SMACOF", "do", STEPPING)}</div>
      </section>
    </div>
    <div class="kx-column">
      <section class="kx-always"><p class="kx-title">Stress after each step <small>dashed: earlier runs</small></p>
        <div data-part="trace"></div></section>
      <section class="kx-always"><div class="kx-scroll"><table
          class="kx-list kx-ended"><caption>Final maps: stress, the city with the largest
            stress, and the number of random starts that end there</caption>
          <thead><tr><th scope="col">stress</th><th scope="col">misplaced city</th><th
            scope="col">starts</th><td class="kx-control"></td></tr></thead>
          <tbody data-part="minima"></tbody></table></div></section>
      <section style="--order:5"><table
          class="kx-list"><caption>The three pairs with the largest errors, and the stress of the
            map</caption>
          <thead><tr><th scope="col">largest errors (km)</th><th scope="col"
            class="kx-distance">road</th><th scope="col">map</th></tr></thead>
          <tbody data-part="errors"></tbody></table></section>
    </div>
  </div>
  <div class="kx-columns">
    <section class="kx-control" data-part="steps"></section>
    <section class="kx-control"><label class="kx-range">city to
      drag <select data-part="city"></select></label></section>
  </div>
  <section><p class="kx-note">The table lists the final maps of the runs. The lines become thicker at
    errors of 300 and 800 km. The grid lines are 1000 km apart.</p></section>`;

/** Return true for a run: a seed, or a city that was dragged and all positions in km. */
function isRun(value: unknown, n: number) {
  if (!Array.isArray(value) || !value.every(Number.isInteger)) return false;
  if (value.length === 1) return areNumbers(value, 1, 0, 1e6);
  const [city, ...places] = value;
  const areDistinct = places.some((v, at) => v !== places[at % 2]);
  return areNumbers(places, 2 * n, -9999, 9999) && city >= 0 && city < n && areDistinct;
}

function validatorsFor(n: number): Validators<Saved> {
  const isMinimum = (value: unknown) =>
    Array.isArray(value) && isWhole(0, 1e6)(value[0]) && isRun(value.slice(1), n);
  return {
    run: (value) => isRun(value, n),
    steps: isWhole(0, smacof.MAX_STEPS),
    kept_runs: isListOf(isMinimum, 0, smacof.MAX_MINIMA),
    tried: isListOf(isWhole(0, 1e6), 2, 2),
    chosen: isWhole(0, n - 1),
    points: () => false, // computed from the others
  };
}

/** Return functions that record the final map of a run, and that return the next seed. */
function recorder(state: State, data: Data, pathOf: PathOf) {
  const stressOf = (run: number[]) => smacof.finalMap(run, data, pathOf).stress;
  return {
    record(run: number[]) {
      const isNew = run.length === 1 && run[0] > state.tried[0];
      if (isNew) state.tried = [run[0], state.tried[1] + 1];
      state.kept_runs = smacof.addMinimum(state.kept_runs, run, Number(isNew), stressOf);
    },
    nextSeed: () => Math.max(state.tried[0], state.run.length === 1 ? state.run[0] : 0) + 1,
  };
}

/** Return functions that draw the state in each frame until `isDone()`, and that stop this. */
function frameLoop(state: State, explorer: Explorer) {
  let frame = 0;
  const stop = () => {
    if (frame) cancelAnimationFrame(frame);
    frame = 0;
    state.running = false;
  };
  const run = (isDone: (now: number) => boolean, end: () => void) => {
    state.running = true;
    const next = (now: number) => {
      if (isDone(now)) return end();
      explorer.draw();
      frame = requestAnimationFrame(next);
    };
    frame = requestAnimationFrame(next);
  };
  return { stop, run };
}

/** Return the functions that change the state and take many frames, and those that end them. */
function animationsOn(state: State, explorer: SmacofExplorer, records: Records) {
  const { record, nextSeed } = records;
  const { stop, run } = frameLoop(state, explorer);
  const show = (run: number[], steps: number) => {
    stop();
    Object.assign(state, { run, steps });
    explorer.save();
  };
  const showEnd = () => show(state.run, smacof.MAX_STEPS);
  /** Take ever faster steps until the run has ended, or pause. */
  const play = () => {
    const { steps, ended } = explorer.result;
    if (state.running) return show(state.run, steps);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return showEnd();
    let start: number | null = null;
    run((now) => {
      state.steps =
        Math.floor(((ended ? 0 : steps) + 1) * Math.exp((now - (start ??= now)) / 700)) - 1;
      return state.steps >= explorer.result.length;
    }, showEnd);
  };
  /** Try random starts. */
  const batch = () => {
    stop();
    let left = smacof.BATCH;
    run(() => {
      Object.assign(state, { run: [nextSeed()], steps: smacof.MAX_STEPS });
      record(state.run);
      left -= 1;
      return left === 0;
    }, showEnd);
  };
  return { stop, show, play, batch };
}

function actionsOn(state: State, explorer: SmacofExplorer, records: Records) {
  const { show, stop, ...animations } = animationsOn(state, explorer, records);
  return {
    ...animations,
    show,
    stop,
    drawStart: () => show([records.nextSeed()], 0),
    step: () => show(state.run, explorer.result.steps + 1),
    setSteps(steps: number) {
      stop();
      state.steps = steps;
    },
    choose(city: number) {
      state.chosen = city;
      show(state.run, explorer.result.steps);
    },
    move(point: Point) {
      stop();
      const positions = Array.from(explorer.result.points);
      positions.splice(2 * state.chosen, 2, ...point);
      const run = [state.chosen, ...positions.map((v) => Math.round(1000 * v))];
      Object.assign(state, { run, steps: 0, dragging: true });
    },
  };
}

function buttonPanel(el: Element, { state, actions }: PanelContext) {
  const { drawStart, batch, step, play } = actions;
  for (const [name, action] of Object.entries({ draw: drawStart, batch, step, run: play }))
    partOf(el, `[data-do="${name}"]`).addEventListener("click", () => action());
  return ({ ended }: Result) => {
    partOf<HTMLButtonElement>(el, '[data-do="step"]').disabled = ended;
    partOf(el, '[data-do="run"]').textContent = state.running ? "pause" : "run";
  };
}

function startField({ part, state, actions }: PanelContext) {
  const field = part<HTMLSelectElement>("start");
  fillSelect(field, STARTS);
  field.addEventListener("change", () => {
    const seed = Number(field.value);
    if (field.value) actions.show([seed], seed ? smacof.MAX_STEPS : 0);
  });
  return () => {
    const option = STARTS.findIndex(([run]) => run === String(state.run));
    (field.children[Math.max(0, option)] as HTMLOptionElement).selected = true;
  };
}

function cityField({ part, labels, state, actions }: PanelContext) {
  const field = part<HTMLSelectElement>("city");
  fillSelect(field, Object.entries(labels));
  field.addEventListener("change", () => actions.choose(Number(field.value)));
  return () => ((field.children[state.chosen] as HTMLOptionElement).selected = true);
}

function render({ model, el }: RenderProps) {
  const part = writeExplorerHtml(el, HTML, "smacof");
  const labels: string[] = model.get("labels");
  const data = smacof.dataOf(labels.length, model.get("road_distances"), model.get("best"));
  const pathOf = smacof.pathCache(data);
  const result = (state: State) => smacof.resultOf(state, data, pathOf);
  const beforeSave = (state: State) => {
    state.dragging = false;
    const { ended, points } = result(state);
    const rounded = points.map((v) => Math.round(1e4 * v) / 1e4);
    state.points = toRows(rounded, 2);
    if (!ended) return;
    state.steps = smacof.MAX_STEPS;
    records.record(state.run);
  };
  const [state, explorer] = createExplorer<State, Result, Saved>({
    model,
    el,
    result,
    beforeSave,
    stop: () => actions.stop(),
    validators: validatorsFor(labels.length),
    unsavedFields: { dragging: false, running: false },
    loaded: (state) => (state.dragging = false),
    hint: "The run has ended. Drag a city and press run, or choose another start.",
    verdict: (found, state) => stressVerdict(state, found, labels),
  });
  const records = recorder(state, data, pathOf);
  const actions = actionsOn(state, explorer, records);
  const context = { part, labels, state, explorer, actions };
  return explorer.start([
    mapPanel(context),
    tracePanel(part("trace")),
    minimaPanel(context),
    stepsPanel(context),
    errorTable(part("errors"), labels),
    buttonPanel(el, context),
    startField(context),
    cityField(context),
  ]);
}

export default { render, linksOmit: ["labels", "road_distances", "best", "points"] };
