// Chapter 8: kernel MDS of road distances at each bandwidth.

import { largestModulus, type Numbers, type Point, sumOfSquares } from "../core/matrix.ts";
import { toPairs } from "../core/pairs.ts";
import { buttonGroup, choosing, listenToButtons } from "../ui/buttons.ts";
import { addGroupKey, chart, mapFrame, marks, spectrumPanel, ticksTo } from "../ui/charts.ts";
import { slider } from "../ui/controls.ts";
import { isRotation, rotatedOntoLast } from "../ui/mapRotation.ts";
import type { Explorer, Part, RenderProps, Validators } from "../ui/state.ts";
import { createExplorer, writeExplorerHtml } from "../ui/state.ts";
import { appendText, setAttributes, svg } from "../ui/svg.ts";
import { POWERS, tenth, text } from "../ui/text.ts";
import { areNumbers, isOneOf } from "../ui/validators.ts";
import type { Prepared, Preset, Result, State } from "./bandwidthModel.ts";
import * as bandwidth from "./bandwidthModel.ts";

const ENDS = [bandwidth.WIDEST, bandwidth.NARROWEST, 0.05];
const [ACROSS, UP, LEFT, BELOW] = [340, 232, 34, 38];

type Axes = { right: number; top: number; ticks: number[][] };
type Pixel = (x: number, y: number) => Point;

/** Append a chart with two axes from 0; return its drawing, its scale, and a function for lines. */
function graph(host: Element, { right, top, ticks }: Axes, names: string[]) {
  const root = chart(host, ACROSS, UP, { class: "kx-chart kx-graph" });
  const [wide, high] = [ACROSS - LEFT - 8, UP - BELOW - 18];
  const pixel: Pixel = (x, y) => [
    tenth(LEFT + (wide * x) / right),
    tenth(UP - BELOW - (high * y) / top),
  ];
  const note = (x: number, y: number, words: string | number, anchor: string) =>
    appendText(root, words, { x, y, "text-anchor": anchor });
  for (const x of ticks[0]) note(pixel(x, 0)[0], UP - 22, x, "middle");
  for (const y of ticks[1]) note(LEFT - 5, pixel(0, y)[1] + 4, y, "end");
  note(LEFT - 26, 11, names[1], "start");
  note(ACROSS - 4, UP - 5, names[0], "end");
  svg(root, "path", { d: `M${LEFT} 18V${UP - BELOW}H${ACROSS}`, class: "kx-rule" });
  return { root, pixel, line: (name: string) => svg(root, "path", { class: name }) };
}

/** Return a path through points of a chart. */
const through = (pixel: Pixel, xs: Numbers, ys: Numbers) =>
  `M${Array.from(xs, (x, i) => pixel(x, ys[i]).join(" ")).join("L")}`;

/** Return a path of dots at points of a chart. */
const dotsAt = (pixel: Pixel, xs: Numbers, ys: Numbers) =>
  Array.from(xs, (x, i) => `M${pixel(x, ys[i]).join(" ")}h0`).join("");

const steps = (end: number, count: number) =>
  Array.from({ length: count + 1 }, (_, i) => (end * i) / count);

function shepardPanels(part: Part, { D, n }: Prepared) {
  const delta = toPairs(D, n);
  const right = Math.max(...delta);
  const top = 1.06 * (right / Math.sqrt(sumOfSquares(delta) / delta.length));
  const ticks = [ticksTo(right * 1.04), ticksTo(top)];
  const onMapName = "distance on the map";
  const first = graph(part("delta"), { right: right * 1.04, top, ticks }, ["δ", onMapName]);
  const axes = { right: top, top, ticks: [ticks[1], ticks[1]] };
  const second = graph(part("feature"), axes, ["feature distance f(δ)", onMapName]);
  const dots = [first, second].map(({ line }) => line("kx-dots"));
  const curve = first.line("kx-curve");
  setAttributes(second.line("kx-curve kx-dash"), { d: through(second.pixel, [0, top], [0, top]) });
  const grid = steps(right * 1.04, 60);
  return ({ f, feature, onMap, unit }: Result) => {
    const [map, far] = [onMap, feature].map((values) => values.map((d) => d / unit));
    const onCurve = grid.map((d) => f(d) / unit);
    setAttributes(curve, { d: through(first.pixel, grid, onCurve) });
    setAttributes(dots[0], { d: dotsAt(first.pixel, delta, map) });
    setAttributes(dots[1], { d: dotsAt(second.pixel, far, map) });
    const ends = [Math.min(...far), Math.max(...far)].map((d) => text(d));
    const all = `${delta.length} pairs: distance on the map against δ.`;
    setAttributes(first.root, { "aria-label": `${all} All dots are on the curve f or below it.` });
    const words =
      "Distance on the map against feature distance, which ranges from " +
      `${ends.join(" to ")} times its root mean square. No dot is above the diagonal.`;
    setAttributes(second.root, { "aria-label": words });
  };
}

function gammaPanel(host: Element, n: number) {
  const names = ["number of dimensions k", "γ(k)"];
  const ticks = [
    [1, ...ticksTo(n - 1).slice(1)],
    [0, 0.5, 1],
  ];
  const { root, pixel, line } = graph(host, { right: n - 1, top: 1.04, ticks }, names);
  const ks = steps(n - 1, n - 1);
  const kinds = ["wide", "narrow", "gamma", "two-dimensions"];
  const [wide, narrow, now, mark] = kinds.map((kind) => line(`kx-curve kx-${kind}`));
  setAttributes(narrow, { d: through(pixel, [0, n - 1], [0, 1]) });
  return (gamma: Float64Array, wideGamma: Float64Array) => {
    setAttributes(wide, { d: through(pixel, ks, [0, ...wideGamma]) });
    setAttributes(now, { d: through(pixel, ks, [0, ...gamma]) });
    setAttributes(mark, { d: dotsAt(pixel, [2], [gamma[1]]) });
    const half = gamma.findIndex((g) => g >= 0.5) + 1;
    const words =
      `γ(1) = ${text(gamma[0], 3)}, γ(2) = ${text(gamma[1], 3)}; γ(k) is at least one half ` +
      `for ${half} dimensions.`;
    setAttributes(root, { "aria-label": words });
  };
}

function mapPanel(host: Element, groups: number[], state: State) {
  const root = mapFrame(host, 340, 260);
  const scale = svg(root, "path", { class: "kx-scale" });
  appendText(root, 1, { x: -156, y: 113 });
  const drawMarks = marks(svg(root, "g"));
  return ({ points, unit, gamma }: Result) => {
    const rows = rotatedOntoLast(points, state);
    const reach = rows.map(([x, y]) => Math.max(Math.abs(x) / 162, Math.abs(y) / 122));
    const pixels = Math.min(150, unit / Math.max(...reach)); // per unit; all points are inside
    const places = rows.map(([x, y]): Point => [(pixels * x) / unit, (-pixels * y) / unit]);
    drawMarks(places, groups);
    setAttributes(scale, { d: `M-160 112v6h${tenth(pixels)}v-6` });
    setAttributes(root, {
      "aria-label": `Map of ${rows.length} objects, whose explained fraction is ${text(gamma[1], 3)}.`,
    });
  };
}

const PRESETS = { wide: "wide", median: "median rule", narrow: "narrow" };
const KERNEL_NAMES = { RBF: "RBF", Exponential: "exponential" };

// The view "map" has the map and its kernel only.
const HTML = `
  <div class="kx-columns">
    <div class="kx-column">
      <section class="kx-always kx-above-verdict"><p
        class="kx-title">Map <small>rotated onto the previous map</small></p>
        <div data-part="map"></div><p class="kx-key" data-part="names"></p>
        <div class="kx-bar">${buttonGroup("Bandwidth", "width", PRESETS)}</div>
        <div class="kx-bar">${buttonGroup("Kernel", "kernel", KERNEL_NAMES, "modes")}</div>
        <div class="kx-control" data-part="width"></div>
      </section>
      <section data-show="all"><p
        class="kx-title">Shepard diagram against <i>δ</i> <small>the curve is
          <i>f</i></small></p><div data-part="delta"></div></section>
    </div>
    <div class="kx-column" data-show="all">
      <section><p class="kx-title">Shepard diagram against <i>f</i>(<i>δ</i>)
        <small>with diagonal</small></p><div
          data-part="feature"></div></section>
      <section><p
        class="kx-title">Eigenvalues of <i>HKH</i> <small>two are kept</small></p><div
          data-part="spectrum"></div></section>
      <section><p class="kx-title">Explained fraction</p><div data-part="gamma"></div>
        <p class="kx-key"><span class="kx-gamma">this <i>θ</i></span><span
          class="kx-wide">limit of wide kernels</span><span
          class="kx-narrow">limit of narrow kernels</span></p></section>
    </div>
  </div>
  <section data-show="all"><p class="kx-note">The unit of length is the root mean square of the
    feature distances <i>f</i>(<i>δ</i>).</p></section>`;

function viewOf(part: Part, state: State, data: Prepared, groups: number[]) {
  const [map, shepard, gamma] = [
    mapPanel(part("map"), groups, state),
    shepardPanels(part, data),
    gammaPanel(part("gamma"), data.n),
  ];
  const bars = spectrumPanel(part("spectrum"));
  const kind = (r: number, value: number) =>
    value < 0 ? "kx-bar-minus" : r < 2 ? "kx-bar-kept" : "kx-bar-rest";
  return (shown: Result) => {
    map(shown);
    shepard(shown);
    gamma(shown.gamma, data.limits[state.kernel].wideGamma);
    bars(shown.fit.spectrum(), "HKH", kind, largestModulus(shown.fit.kernelMatrix));
  };
}

type Saved = Omit<State, "show" | "last">;
const VALIDATORS: Validators<Saved> = {
  kernel: isOneOf(...Object.keys(bandwidth.KERNELS)),
  theta: (theta) => areNumbers([theta], 1, 10 ** bandwidth.WIDEST, 10 ** bandwidth.NARROWEST),
  rotation: isRotation,
};

function buttonPanel(el: Element, state: State, explorer: Explorer, data: Prepared) {
  const width = (name: string) => bandwidth.presetWidth(name as Preset, data.median, state.kernel);
  return listenToButtons(el, explorer, {
    kernel: choosing(state, "kernel"),
    width: [(name) => (state.theta = width(name)), (name) => width(name) === state.theta],
  });
}

function render({ model, el }: RenderProps) {
  const show: State["show"] = model.get("show");
  const part = writeExplorerHtml(el, HTML, "bandwidth", show);
  const groups: number[] = model.get("groups");
  addGroupKey(part("names"), model.get("names"));
  const data = bandwidth.prepared(model.get("upper"));
  const [state, explorer] = createExplorer<State, Result, Saved>({
    model,
    el,
    validators: VALIDATORS,
    unsavedFields: { show, last: null },
    loaded: (state) => (state.last = null),
    result: ({ kernel, theta }) =>
      bandwidth.atWidth({ ...data, wide: data.limits[kernel].wide }, kernel, theta),
    hint: "Move the slider of θ, or choose another kernel.",
    verdict: (result, state) =>
      bandwidth.bandwidthVerdict(result, data.n, data.limits[state.kernel].wideGamma, state),
  });
  return explorer.start([
    viewOf(part, state, data, groups),
    buttonPanel(el, state, explorer, data),
    slider(part("width"), explorer, state, "theta", { name: "θ", ends: ENDS, ...POWERS }),
  ]);
}

export default { render, linksOmit: ["upper", "groups", "names", "show"] };
