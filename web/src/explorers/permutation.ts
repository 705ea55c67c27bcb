// Permutation tests of two samples and of independence.

import { largestModulus, type Point, sumOf } from "../core/matrix.ts";
import { buttonGroup, choosing, listenToButtons } from "../ui/buttons.ts";
import { chart, framedChart, tick } from "../ui/charts.ts";
import { slider } from "../ui/controls.ts";
import { draggablePoints, handle } from "../ui/handles.ts";
import { type Drawing, plane } from "../ui/plane.ts";
import type { Explorer, Panel, Part, RenderProps, Validators } from "../ui/state.ts";
import { createExplorer, writeExplorerHtml } from "../ui/state.ts";
import { setAttributes, svg, svgPaths } from "../ui/svg.ts";
import { capital, hundredth, POWERS, setText, tenth, text } from "../ui/text.ts";
import { areNumbers, hasValues, isListOf, isOneOf, isWhole, isWithin } from "../ui/validators.ts";
import type { Result, State } from "./permutationModel.ts";
import * as permutation from "./permutationModel.ts";

const [WIDTH, HEIGHT] = [340, 196];
const KERNELS = { distance: "−distance<sup><i>β</i></sup>", RBF: "RBF" };
const TESTS = {
  "two-sample": "same distribution?",
  independence: "<i>x</i> and <i>y</i> independent?",
};
type Presets = Record<string, Point[]>;
const PRESETS = {
  "two-sample": { same: "identical", shift: "shifted", wide: "wider" },
  independence: { same: "independent", cross: "crossed" },
};

const sampleOf = ({ points, second }: State, side: number) =>
  points.flatMap((_, i) => (second.includes(i) === Boolean(side) ? [i] : []));

/** Return the position of the handle of a sample: above the first, below the second. */
function handlePosition(state: State, side: number, limits: Point): Point {
  const rows = sampleOf(state, side).map((i) => state.points[i]);
  const x = sumOf(rows, (row) => row[0]) / rows.length;
  const heights = rows.map((row) => row[1]);
  const y = side ? Math.min(...heights) - 0.5 : Math.max(...heights) + 0.5;
  return [hundredth(x), hundredth(Math.max(-limits[1], Math.min(limits[1], y)))];
}

/** Move a sample as a whole, within the plane. */
function movedSample(state: State, side: number, step: Point, limits: Point) {
  const sample = sampleOf(state, side);
  const clamped = step.map((by, axis) => {
    const values = sample.map((i) => state.points[i][axis]);
    return Math.min(
      limits[axis] - Math.max(...values),
      Math.max(-limits[axis] - Math.min(...values), by),
    );
  });
  return state.points.map((row, i) =>
    sample.includes(i) ? row.map((v, axis) => hundredth(v + clamped[axis])) : row,
  );
}

function sampleHandles(drawing: Drawing, state: State, explorer: Explorer) {
  const updates = [0, 1].map((side) =>
    handle(drawing, explorer, {
      name: `sample ${"AB"[side]}, as a whole`,
      mark: "AB"[side],
      className: `kx-sample kx-sample${side}`,
      get: () => handlePosition(state, side, drawing.limits),
      move(to) {
        const from = handlePosition(state, side, drawing.limits);
        state.points = movedSample(state, side, [to[0] - from[0], to[1] - from[1]], drawing.limits);
      },
      attributes() {
        const [smallest, largest] = [-1, 1].map((way) => {
          const far = movedSample(state, side, [way * 2 * drawing.limits[0], 0], drawing.limits);
          return handlePosition({ ...state, points: far }, side, drawing.limits)[0];
        });
        return { "aria-valuemin": smallest, "aria-valuemax": largest };
      },
    }),
  );
  return () => updates.forEach((update) => update());
}

function pointsPanel(host: Element, state: State, explorer: Explorer) {
  const drawing = plane(host, [WIDTH, HEIGHT], 46, "Points of two samples that can be dragged");
  const rug = svg(drawing.root, "path", { class: "kx-rug", "aria-hidden": "true" });
  const isSecond = (i: number) => state.second.includes(i);
  const { spots, drawDots } = draggablePoints(drawing, state.points.length, state, explorer, {
    attributes: () => ({
      "aria-label":
        `point ${state.chosen + 1} of ${state.points.length}` +
        (state.test === "independence" ? "" : `, sample ${isSecond(state.chosen) ? "B" : "A"}`),
      class: `kx-handle kx-chosen-point${isSecond(state.chosen) ? " kx-second-sample" : ""}`,
    }),
  });
  const drawHandles = sampleHandles(drawing, state, explorer);
  spots.forEach((spot, i) => spot.classList.toggle("kx-second-sample", isSecond(i)));
  return () => {
    const pixels = state.points.map(drawing.pixel);
    const ticks = pixels.map(
      ([x, y]) => `M${tenth(x)} ${HEIGHT / 2}v-8M${-WIDTH / 2} ${tenth(y)}h8`,
    );
    setAttributes(rug, { d: state.test === "independence" ? ticks.join("") : "" });
    drawDots(pixels);
    drawHandles();
  };
}

function histogramPanel(host: Element, state: State): Panel<Result> {
  const root = chart(host, 340, 116);
  const kinds = ["kx-permuted", "kx-permuted kx-reached", "kx-shown"];
  const [weak, strong, one] = svgPaths(root, kinds);
  const axis = svg(root, "path", {
    class: "kx-axis",
    d: `M10 ${permutation.GROUND}H${permutation.RIGHT}`,
  });
  const mark = svg(root, "path", { class: "kx-observed" });
  tick(root, "0", [10, permutation.GROUND + 12]);
  const most = tick(root, "", [permutation.RIGHT, permutation.GROUND + 12], "end");
  const label = tick(root, "", [0, 8]);
  axis.after(mark);
  return (result) => {
    const { top, all, strong: above } = permutation.histogram(result);
    const [wide, unit] = [(permutation.RIGHT - 10) / permutation.BINS, 70 / largestModulus(all)];
    const xOf = (value: number) => tenth(10 + ((permutation.RIGHT - 10) * value) / top);
    const bar = (from: number, to: number, bin: number) => {
      if (!(to > from)) return "";
      const height = unit * (to - from);
      const start = `M${tenth(10 + bin * wide)} ${tenth(permutation.GROUND - unit * from)}`;
      return `${start}v${tenth(-height)}h${tenth(0.86 * wide)}v${tenth(height)}z`;
    };
    setAttributes(weak, { d: Array.from(all, (count, b) => bar(above[b], count, b)).join("") });
    setAttributes(strong, { d: Array.from(all, (_, b) => bar(0, above[b], b)).join("") });
    const x = xOf(Math.max(0, result.observed));
    setAttributes(mark, { d: `M${x} ${permutation.GROUND + 4}V14` });
    const right = x > 200;
    setAttributes(label, { x: x + (right ? 5 : -5), "text-anchor": right ? "end" : "start" });
    label.textContent = `observed: ${permutation.threeDigitText(result.observed)}`;
    most.textContent = permutation.threeDigitText(top);
    const { permuted } = result;
    const value = Math.max(0, permuted[state.permutation]);
    setAttributes(one, { d: `M${xOf(value)} ${permutation.GROUND + 2}l-5 8h10z` });
    const ends = [Math.min(...permuted), Math.max(...permuted)].map(permutation.threeDigitText);
    const words =
      `Histogram of the values for ${permuted.length} permutations, from ${ends.join(" to ")}; ` +
      `the observed value is ${permutation.threeDigitText(result.observed)}.`;
    setAttributes(root, { "aria-label": words });
  };
}

function permutationPanel(host: Element, state: State, permutations: Int32Array[], note: Element) {
  const unit = 30;
  const root = framedChart(host, 340, 132);
  const [full, open] = svgPaths(root, ["kx-full", "kx-hollow"]);
  return ({ permuted, n }: Result) => {
    const order = permutations[state.permutation];
    const { points, second } = state;
    const isTwoSample = state.test === "two-sample";
    const inSecond = isTwoSample ? second.map((i) => order[i]) : [];
    const xy = (i: number) => (isTwoSample ? points[i] : [points[i][0], points[order[i]][1]]);
    const ring = (i: number) =>
      `M${tenth(unit * xy(i)[0] - 3.4)} ${tenth(-unit * xy(i)[1])}a3.4 3.4 0 1 0 6.8 0a3.4 ` +
      "3.4 0 1 0-6.8 0";
    const all = Array.from({ length: n }, (_, i) => i);
    const rings = (members: number[]) => ({ d: members.map(ring).join("") });
    setAttributes(full, rings(all.filter((i) => !inSecond.includes(i))));
    setAttributes(open, rings(inSecond));
    const what = isTwoSample ? "labels shuffled" : "y coordinates shuffled";
    const value = permutation.threeDigitText(permuted[state.permutation]);
    note.textContent = `Permutation ${state.permutation + 1}, ${what}: ${value}`;
    setAttributes(root, { "aria-label": `Points, ${what}.` });
  };
}

function contributionPanel(host: Element, note: Element, n: number): Panel<Result> {
  const root = chart(host, 340, 98);
  const bars = svg(root, "path", { class: "kx-contribution" });
  const [left, wide] = [34, 300 / n];
  svg(root, "path", { class: "kx-axis", d: `M${left} 80H340` });
  for (const r of [1, 10, 20, 30].filter((r) => r <= n))
    tick(root, r, [left + (r - 0.5) * wide, 91]);
  const top = svg(root, "text", { class: "kx-tick kx-row", x: left - 4, y: 8 });
  return ({ contributions, observed }) => {
    const isZero = observed < 1e-12;
    const most = isZero ? 0 : Math.max(...contributions);
    const bar = (value: number, r: number) => {
      const height = most > 0 ? tenth((74 * Math.max(0, value)) / most) : 0;
      const start = `M${tenth(left + (r + 0.12) * wide)} 80`;
      return height ? `${start}v${-height}h${tenth(0.76 * wide)}v${height}z` : "";
    };
    setAttributes(bars, { d: contributions.map(bar).join("") });
    const share = (values: number[]) => text((100 * sumOf(values, (value) => value)) / observed, 0);
    top.textContent = isZero ? "" : `${share([most])}%`;
    note.textContent = isZero
      ? "The statistic is 0, so no eigenvector contributes."
      : `Eigenvector ${1 + contributions.indexOf(most)} of ${n} contributes most, ` +
        `${share([most])}%; eigenvectors 1 and 2 contribute ${share(contributions.slice(0, 2))}%.`;
    setAttributes(root, { "aria-label": `Contributions to the statistic. ${note.textContent}` });
  };
}

const presetGroups = Object.entries(PRESETS).map(
  ([test, names]) => `<span data-part="${test}">${buttonGroup("Points", "preset", names)}</span>`,
);

const HTML = `
  <div class="kx-columns">
    <div class="kx-column">
      <section class="kx-always kx-above-verdict"><p class="kx-title">Points
        <small class="kx-control">drag a point<span class="kx-sample">, or A or B</span></small>
        <button type="button" class="kx-control" data-next>next point</button></p>
        <div data-part="points"></div><p class="kx-note" data-part="simple"></p>
        <div class="kx-bar kx-control">${buttonGroup("Test", "test", TESTS, "modes")}</div>
        <div class="kx-bar kx-control">${presetGroups.join("")}</div></section>
    </div>
    <div class="kx-column">
      <section class="kx-always kx-control">
        <div class="kx-bar">${buttonGroup("Kernel", "kernel", KERNELS, "modes")}</div>
        <div data-part="exponent"></div><div data-part="theta"></div></section>
      <section class="kx-always kx-effect"><p class="kx-title"><span data-part="statistic"></span>
        <small>for ${permutation.N_PERMUTATIONS} permutations<span class="kx-shown">, ▲ for the one below</span></small></p>
        <div data-part="histogram"></div></section>
    </div>
  </div>
  <div class="kx-columns">
    <div class="kx-column">
      <section style="--order:5"><p class="kx-title">One permutation
        <button type="button" class="kx-control" data-shuffle>shuffle again</button></p>
        <div data-part="permutation"></div><p class="kx-note" data-part="permuted"></p></section>
    </div>
    <div class="kx-column">
      <section style="--order:6"><p class="kx-title">Contributions of the eigenvectors of
        <i>HKH</i></p>
        <div data-part="contributions"></div><p class="kx-note" data-part="share"></p></section>
    </div>
  </div>`;

function sliderPanel(part: Part, state: State, explorer: Explorer) {
  const kinds = {
    exponent: { name: "β", ends: [0.1, 2, 0.05], to: hundredth },
    theta: { name: "θ", ends: [-3, 2, 0.05], ...POWERS },
  };
  const sliders = Object.entries(kinds).map(([trait, options]) =>
    slider(part(trait), explorer, state, trait as keyof typeof kinds, options),
  );
  return () => {
    sliders.forEach((show) => show());
    for (const trait of Object.keys(kinds)) {
      part(trait).style.display = (trait === "theta") === (state.kernel === "RBF") ? "" : "none";
    }
  };
}

function buttonPanel(el: Element, part: Part, state: State, explorer: Explorer, presets: Presets) {
  const showButtons = listenToButtons(el, explorer, {
    test: choosing(state, "test"),
    kernel: choosing(state, "kernel"),
    preset: [
      (name) => (state.points = structuredClone(presets[name])),
      (name) => hasValues(state, { points: presets[name] }),
    ],
    next: [() => (state.chosen = (state.chosen + 1) % state.points.length)],
    shuffle: [() => (state.permutation = (state.permutation + 1) % permutation.N_PERMUTATIONS)],
  });
  return () => {
    showButtons();
    for (const test of Object.keys(TESTS))
      part(test).style.display = test === state.test ? "" : "none";
  };
}

type Saved = Omit<State, "second">;
const validatorsFor = (n: number): Validators<Saved> => ({
  points: isListOf(isWithin([3.4, 1.83]), n, n),
  chosen: isWhole(0, n - 1),
  test: isOneOf(...Object.keys(TESTS)),
  kernel: isOneOf(...Object.keys(KERNELS)),
  exponent: (value) => areNumbers([value], 1, 0.1, 2),
  theta: (value) => areNumbers([value], 1, 1e-3, 100),
  permutation: isWhole(0, permutation.N_PERMUTATIONS - 1),
});

function render({ model, el }: RenderProps) {
  const part = writeExplorerHtml(el, HTML, "permutation");
  const second: number[] = model.get("second");
  const n = model.get<State>("start").points.length;
  const permutations = permutation.randomPermutations(n);
  const titles = (result: Result) => {
    part("statistic").textContent = capital(permutation.STATISTICS[state.test][state.kernel]);
    setText(part("simple"), permutation.simpleStatisticsText(state, result));
    el.classList.toggle("kx-from-product", state.kernel === "RBF");
    el.classList.toggle("kx-unlikely", permutation.isUnlikely(result));
    el.classList.toggle("kx-independence", state.test === "independence");
  };
  const [state, explorer] = createExplorer<State, Result, Saved>({
    model,
    el,
    validators: validatorsFor(n),
    unsavedFields: { second },
    result: (state) => permutation.computeTest(state, permutations),
    hint: "Drag a point or a sample, or choose a test.",
    verdict: permutation.testVerdict,
  });
  return explorer.start([
    pointsPanel(part("points"), state, explorer),
    histogramPanel(part("histogram"), state),
    permutationPanel(part("permutation"), state, permutations, part("permuted")),
    contributionPanel(part("contributions"), part("share"), n),
    sliderPanel(part, state, explorer),
    buttonPanel(el, part, state, explorer, model.get("presets")),
    titles,
  ]);
}

export default { render, linksOmit: ["presets", "second"] };
