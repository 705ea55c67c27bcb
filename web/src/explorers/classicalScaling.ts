// Chapter 4: classical scaling of road distances.

import type { Point } from "../core/matrix.ts";
import { fromPairs } from "../core/pairs.ts";
import { listenToButtons } from "../ui/buttons.ts";
import type { Part, RenderProps } from "../ui/state.ts";
import { createExplorer, traitsNamed, writeExplorerHtml } from "../ui/state.ts";
import { hundredth } from "../ui/text.ts";
import { areNumbers, hasValues, isOneOf, isWhole } from "../ui/validators.ts";
import { CITIES_HTML, HTML } from "./classicalScalingHtml.ts";
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

const HINTS = {
  all: "Drag a city, choose two cities and change their distance, or add a constant.",
  map: "Drag a city, or choose two cities and change their distance.",
  cities: "Drag a city, or change a distance.",
};

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

export interface PanelContext {
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
  const unchanged: Change = { base: "roads", share: 0, moved: [] };
  const change = (edits: number[][], more?: Change): Change => ({ ...unchanged, edits, ...more });
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
  const part = writeExplorerHtml(el, hasCities ? CITIES_HTML : HTML, "classical-scaling", show);
  el.classList.toggle("kx-cities", hasCities);
  el.querySelector("details")?.toggleAttribute("open", globalThis.innerWidth >= 640); // not in the build
  const data: Data = traitsNamed(model, ["labels", "upper", "places", "coast"]);
  const { labels, coast } = data;
  const cache = {};
  const [state, explorer] = createExplorer<State, Result, Omit<State, "show">>({
    model,
    el,
    validators: validatorsFor(labels.length),
    unsavedFields: { show },
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

export default { render, linksOmit: ["labels", "upper", "places", "coast", "show"] };
