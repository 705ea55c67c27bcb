// Chapters 6 and 7: the kernel matrix, the spectrum and the components of points in the plane.

import { kernelMatrix } from "../core/kernels.js";
import { columnOf, largestModulus, padColumns } from "../core/matrix.js";
import { countSigns } from "../core/spectrum.js";
import { spectrumPanel } from "../ui/charts.js";
import { isRotation } from "../ui/mapRotation.js";
import { explorerOf, openPage } from "../ui/state.js";
import { setText, text } from "../ui/text.js";
import { isListOf, isOneOf, isWhole, isWithin } from "../ui/validators.js";
import * as kernels from "./kernelModel.js";
import { pageOf } from "./kernelPage.js";
import { buttonPanel, mapPanel, matrixPanel, parameterPanel, pointsPanel } from "./kernelPanels.js";

/** @import { State } from "./kernelModel.js" */

function spectrumText({ values, scale }) {
  const { positive, negative } = countSigns(values, scale);
  const n = values.length;
  const first = Array.from(values.slice(0, 4), (v, r) => `λ${kernels.DIGITS[r]} = ${text(v)}`).join(
    ", ",
  );
  return (
    `${first}; ${positive} positive, ${n - positive - negative} zero, ${negative} negative, ` +
    `smallest ${text(values[n - 1], 3)}.`
  );
}

const levels = (size, what) =>
  `Level curves at ¼, ½ and ¾ of the largest ${what}, ${text(size)}; dashed lines are negative.`;

/** Draw the level curves of k(., x); return the text below them. */
function drawFunction(panel, { k, rows }, { test }) {
  const x = Float64Array.from(test);
  const [at, own] = [rows(x), kernelMatrix(k, x, 2)[0]];
  const size = Math.max(largestModulus(at), Math.abs(own));
  panel.draw(kernelMatrix(k, panel.at, 2, x), size);
  return levels(size, "value");
}

/** Return the component in the plane and the scores, with signs that fit the previous drawing. */
function steadyScores({ fit: { points, columns }, place }, at, last, /** @type {State} */ state) {
  const f = place(at);
  const product = (c) => f.reduce((sum, v, i) => sum + (i % columns === c ? v * last.f[i] : 0), 0);
  const steady = !state.fresh && last?.columns === columns;
  state.signs = state.signs.map((sign, c) =>
    steady && c < columns ? (product(c) < 0 ? -1 : 1) : sign,
  );
  const signed = (M) => M.map((v, i) => v * state.signs[i % columns]);
  return { f: signed(f), Y: signed(points), signed, columns };
}

/** Draw the level curves of a component, and the map; return the text below them. */
function drawComponent(panel, map, found, /** @type {State} */ state, { f, Y, signed, columns }) {
  const [x, c] = [signed(found.place(Float64Array.from(state.test))), found.offsets];
  const right = state.centring === "fit" ? x.map((v, at) => v - c[at]) : x;
  const r = state.component - 1;
  const column = (M) => columnOf(M, columns, r);
  const size = r < columns ? largestModulus(column(Y)) : 0;
  panel.draw(column(f), size);
  const flat = (M, rows) => padColumns(M, columns, rows, 2);
  map(flat(Y, found.n), flat(x, 1), flat(right, 1));
  const score =
    `The score of x on component ${r + 1} is ${text(x[r] ?? 0, 3)}, and the constant c is ` +
    `${text(c[r] ?? 0, 3)}. `;
  const isFull = state.show === "components";
  return size ? (isFull ? score : "") + levels(size, "score of a point") : "";
}

function viewOf(part, /** @type {State} */ state, explorer) {
  const write = (name, words) => setText(part(name), words);
  const panel = pointsPanel(part("points"), state, explorer);
  const map = kernels.isAboutComponents(state.show) ? mapPanel(part("map"), state) : null;
  const [matrix, bars] = [matrixPanel(part("matrix")), spectrumPanel(part("spectrum"))];
  const parameters = parameterPanel(part("parameters"), state, explorer);
  let last = null;
  const drawMap = (found) => {
    last = steadyScores(found, panel.at, last, state);
    found.offsets = last.signed(found.offsets);
    return drawComponent(panel, map, found, state, last);
  };
  const kind = (r, value) => {
    const sign = value < 0 ? "kx-bar-minus" : !map || r < 2 ? "kx-bar-kept" : "kx-bar-rest";
    return map && r === state.component - 1 ? `${sign} kx-current` : sign;
  };
  return (found) => {
    const name = map && state.centring !== "none" ? "HKH" : "K";
    parameters();
    panel.place();
    write("read", map ? drawMap(found) : drawFunction(panel, found, state));
    write("field", map ? `Component ${state.component}` : "k(·, x)");
    bars(found.values, name, kind, found.scale);
    matrix(found, name, state.chosen);
    for (const label of ["of", "name"]) write(label, name);
    write("formula", `k(x, y) = ${kernels.FAMILIES[state.kernel.name][2](state.kernel)}`);
    write("values", spectrumText(found));
    state.fresh = false;
  };
}

/** Return the validators of the traits; points and groups are accepted together or not at all. */
function validatorsFor(model) {
  const isPoint = isWithin(kernels.MAX_COORDINATES);
  const whole = () => {
    const [points, groups] = [model.get("points"), model.get("groups")];
    return (
      isListOf(isPoint, kernels.FEWEST, kernels.MOST)(points) &&
      isListOf(isWhole(0, 2), points.length, points.length)(groups)
    );
  };
  return {
    points: whole,
    groups: whole,
    kernel: kernels.cleanKernel,
    component: isWhole(1, kernels.COMPONENTS),
    centring: isOneOf("all", "fit", "none"),
    test: isPoint,
    chosen: (value, { points }) => whole() && isWhole(0, points.length - 1)(value),
    signs: isListOf(isOneOf(1, -1), kernels.COMPONENTS, kernels.COMPONENTS),
    rotation: isRotation,
  };
}

const HINTS = {
  components: "Drag a point or x, choose a component, or change the kernel.",
  component: "Drag a point, choose a component, or move the slider of θ.",
  definiteness: "Drag a point or x, or choose another function.",
  function: "Drag x, or choose another function.",
};

function verdictOf(result, /** @type {State} */ state) {
  if (kernels.isAboutComponents(state.show)) return kernels.componentVerdict(result, state);
  if (state.show === "function") return kernels.functionVerdict(result, state.test);
  return kernels.definitenessVerdict(result);
}

function render({ model, el }) {
  const show = model.get("show");
  const part = openPage(el, pageOf(show), "kernel", show);
  const state = /** @type {State} */ ({ show });
  const explorer = explorerOf(state, {
    model,
    el,
    validators: validatorsFor(model),
    loaded: () => Object.assign(state, { kernel: kernels.cleanKernel(state.kernel), fresh: true }),
    result: () => kernels.resultOf(state),
    hint: HINTS[show],
    verdict: (result) => verdictOf(result, state),
  });
  return explorer.start([
    viewOf(part, state, explorer),
    buttonPanel(el, state, explorer, model.get("presets")),
  ]);
}

export default { render, notInLinks: ["show", "presets"] };
