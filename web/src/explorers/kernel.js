// Chapters 6 and 7: the kernel matrix, the spectrum and the components of points in the plane.

import { kernelMatrix } from "../core/kernels.js";
import { columnOf, largestModulus, padColumns } from "../core/matrix.js";
import { countSigns } from "../core/spectrum.js";
import { spectrumPanel } from "../ui/charts.js";
import { isTurn } from "../ui/mapRotation.js";
import { bindState, openPage } from "../ui/state.js";
import { setText, text } from "../ui/text.js";
import { isListOf, isOneOf, isWhole, isWithin } from "../ui/validators.js";
import {
  COMPONENTS,
  cleanKernel,
  componentVerdict,
  DIGITS,
  FAMILIES,
  FEWEST,
  kernelVerdict,
  MOST,
  REACH,
  study,
} from "./kernelModel.js";
import { pageOf } from "./kernelPage.js";
import { buttonPanel, mapPanel, matrixPanel, parameterPanel, pointsPanel } from "./kernelPanels.js";

/** The words below the spectrum. */
function spectrumWords({ values, scale }) {
  const { positive, negative } = countSigns(values, scale);
  const n = values.length;
  const first = Array.from(values.slice(0, 4), (v, r) => `λ${DIGITS[r]} = ${text(v)}`).join(", ");
  return (
    `${first}; ${positive} positive, ${n - positive - negative} zero, ${negative} negative, ` +
    `smallest ${text(values[n - 1], 3)}.`
  );
}

const lines = (size, what) =>
  `Lines at ¼, ½ and ¾ of the largest ${what}, ${text(size)}, dashed where negative.`;

/** Draw the field of the first question, k(., x); returns the words for it. */
function drawFunction(panel, { k, rows }, { test }) {
  const x = Float64Array.from(test);
  const [at, own] = [rows(x), kernelMatrix(k, x, 2)[0]];
  const size = Math.max(largestModulus(at), Math.abs(own));
  panel.draw(kernelMatrix(k, panel.at, 2, x), size);
  const ends = [Math.min(...at), Math.max(...at)].map((v) => text(v));
  return `k(x, x) = ${text(own)}; k(x, xᵢ) runs from ${ends.join(" to ")}. ${lines(size, "value")}`;
}

/** The field and the scores with such signs that the heat map turns over as little as possible. */
function steadyScores({ fit: { points, columns }, place }, at, last, state) {
  const f = place(at);
  const product = (c) => f.reduce((sum, v, i) => sum + (i % columns === c ? v * last.f[i] : 0), 0);
  const steady = !state.fresh && last?.columns === columns;
  state.signs = state.signs.map((sign, c) =>
    steady && c < columns ? (product(c) < 0 ? -1 : 1) : sign,
  );
  const turned = (M) => M.map((v, i) => v * state.signs[i % columns]);
  return { f: turned(f), Y: turned(points), turned, columns };
}

/** Draw a component over the plane, and the map; returns what is said of x. */
function drawComponent(panel, map, found, state, { f, Y, turned, columns }) {
  const [x, c] = [turned(found.place(Float64Array.from(state.test))), found.offsets];
  const right = state.centring === "fit" ? x.map((v, at) => v - c[at]) : x;
  const r = state.component - 1;
  const column = (M) => columnOf(M, columns, r);
  const size = r < columns ? largestModulus(column(Y)) : 0;
  panel.draw(column(f), size);
  const flat = (M, rows) => padColumns(M, columns, rows, 2);
  map(flat(Y, found.n), flat(x, 1), flat(right, 1), state);
  const score =
    `x scores ${text(x[r] ?? 0, 3)} on component ${r + 1} (c = ` + `${text(c[r] ?? 0, 3)}). `;
  return size ? score + lines(size, "score of a point") : "";
}

/** All that is drawn from the state but its buttons; returns a function that draws it. */
function viewOf(part, state, panel) {
  const write = (name, words) => setText(part(name), words);
  const map = state.asks === "components" ? mapPanel(part("map")) : null;
  const [matrix, bars] = [matrixPanel(part("matrix")), spectrumPanel(part("spectrum"))];
  const parameters = parameterPanel(part("parameters"), state);
  let last = null;
  const drawMap = (found) => {
    last = steadyScores(found, panel.at, last, state);
    found.offsets = last.turned(found.offsets);
    return drawComponent(panel, map, found, state, last);
  };
  const kind = (r, value) => {
    const sign = value < 0 ? "kx-bar-minus" : !map || r < 2 ? "kx-bar-kept" : "kx-bar-rest";
    return map && r === state.component - 1 ? `${sign} kx-now` : sign;
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
    write("formula", `k(x, y) = ${FAMILIES[state.kernel.name][2](state.kernel)}`);
    write("values", spectrumWords(found));
    state.fresh = false;
  };
}

/** What the traits of a model may be; points and groups fit together or not at all. */
function fitsOf(model) {
  const isPoint = isWithin(REACH);
  const whole = () => {
    const [points, groups] = [model.get("points"), model.get("groups")];
    return (
      isListOf(isPoint, FEWEST, MOST)(points) &&
      isListOf(isWhole(0, 2), points.length, points.length)(groups)
    );
  };
  return {
    points: whole,
    groups: whole,
    kernel: cleanKernel,
    component: isWhole(1, COMPONENTS),
    centring: isOneOf("all", "fit", "none"),
    test: isPoint,
    chosen: (value, { points }) => whole() && isWhole(0, points.length - 1)(value),
    signs: isListOf(isOneOf(1, -1), COMPONENTS, COMPONENTS),
    turn: isTurn,
  };
}

function render({ model, el }) {
  const asks = model.get("asks");
  const part = openPage(el, pageOf(asks), "kernel");
  const state = {
    asks,
    moved() {
      panel.place();
      state.later();
    },
  };
  const panel = pointsPanel(part("points"), state);
  return bindState(state, {
    model,
    el,
    fits: fitsOf(model),
    loaded: () => Object.assign(state, { kernel: cleanKernel(state.kernel), fresh: true }),
    result: () => study(state),
    panels: [viewOf(part, state, panel), buttonPanel(el, state, model.get("presets"))],
    words: () =>
      asks === "components" ? componentVerdict(state.result, state) : kernelVerdict(state.result),
  });
}

export default { render, unlinked: ["asks", "presets"] };
