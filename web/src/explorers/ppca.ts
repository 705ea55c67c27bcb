// Probabilistic PCA with a variable number of components and noise variance.

import type { Point } from "../core/matrix.ts";
import { buttonGroup, choosing, listenToButtons } from "../ui/buttons.ts";
import { addGroupKey, chart, mapFrame, marks, type Scale, tick } from "../ui/charts.ts";
import { slider } from "../ui/controls.ts";
import { handle } from "../ui/handles.ts";
import type { Drawing } from "../ui/plane.ts";
import type { Explorer, RenderProps } from "../ui/state.ts";
import { createExplorer, traitsNamed, writeExplorerHtml } from "../ui/state.ts";
import { placeIn, setAttributes, svg, svgPaths } from "../ui/svg.ts";
import { POWERS, percent, setText, tenth, text, threeDigits } from "../ui/text.ts";
import { areNumbers, hasValues, isOneOf, isWhole } from "../ui/validators.ts";
import type { Data, Result, Setting, State } from "./ppcaModel.ts";
import * as ppca from "./ppcaModel.ts";

type Likelihood = (k: number, noise: number) => number;
type Axes = Record<"x" | "y", Scale> & Record<"low" | "high", number>;

const SPECTRUM_CHART = { left: 30, right: 334, top: 12, ground: 128 };
const LIKELIHOOD_CHART = { left: 44, right: 334, top: 10, ground: 104 };
const EXPONENTS = ppca.MAX_EXPONENT - ppca.MIN_EXPONENT;
const NOISES = [ppca.MIN_EXPONENT, ppca.MAX_EXPONENT, 0.005];
/** Distance in pixels below which a mark covers the dot that is joined to it, at least partly. */
const COVERED = 7;
const SPACES = { data: "data space", latent: "latent coordinates" };

type SettingDrawing = Drawing & Record<"top" | "wide" | "unit", number>;
/** Return a drawing whose coordinates are k / 10 and twice the noise variance. */
function settingDrawing(root: SVGSVGElement, count: number, top: number): SettingDrawing {
  const { left, right, ground } = SPECTRUM_CHART;
  const [wide, unit] = [(right - left) / count, (ground - SPECTRUM_CHART.top) / top];
  const highest = Math.min(top, 10 ** ppca.MAX_EXPONENT);
  const clip = (low: number, high: number, value: number) => Math.max(low, Math.min(high, value));
  return {
    root,
    top,
    wide,
    unit,
    limits: [(count - 1) / 10, 2 * highest],
    pixel: ([x, y]) => [left + wide * 10 * x, ground - (unit * y) / 2],
    world(event) {
      const { x, y } = placeIn(root, event);
      return [(x - left) / wide / 10, (2 * (ground - y)) / unit];
    },
    clamp: ([x, y]) => [
      Math.round(10 * clip(0, (count - 1) / 10, x)) / 10,
      clip(2 * 10 ** ppca.MIN_EXPONENT, 2 * highest, y),
    ],
    reduction: () => 1, // since the handle is always inside
  };
}

/** Draw the variances as bars, with their scale; return the bars. */
function varianceBars({ root, wide, unit, top }: SettingDrawing, variances: number[]) {
  const { left, right, ground } = SPECTRUM_CHART;
  for (let value = 0; value < top; value += Math.max(1, Math.ceil(top / 5))) {
    const y = tenth(ground - unit * value);
    svg(root, "path", { d: `M${left} ${y}H${right}`, class: "kx-rule" });
    tick(root, value, [left - 5, y], "end");
  }
  const bars = variances.map((nu, i) =>
    svg(root, "rect", {
      x: tenth(left + (i + 0.14) * wide),
      y: tenth(ground - unit * nu),
      width: tenth(0.72 * wide),
      height: Math.max(1, tenth(unit * nu)),
    }),
  );
  variances.forEach((_, i) => tick(root, i + 1, [tenth(left + (i + 0.5) * wide), ground + 10]));
  return bars;
}

function cornerHandle(drawing: SettingDrawing, state: State, explorer: Explorer, count: number) {
  return handle(drawing, explorer, {
    name: "number of components k and noise variance",
    className: "kx-corner",
    get: () => [state.n_components / 10, 2 * Math.min(state.noise, drawing.top)],
    move([x, y]) {
      state.n_components = Math.round(10 * x);
      state.noise = threeDigits(y / 2);
    },
    attributes: () => ({
      "aria-valuemin": 0,
      "aria-valuemax": count - 1,
      "aria-valuenow": state.n_components,
      "aria-valuetext": `${ppca.dimensions(state.n_components)}, noise variance ${text(state.noise, 3)}`,
    }),
  });
}

/** Append the variances of the data and of the model, and a corner that can be dragged. */
function spectrumChart(host: Element, state: State, explorer: Explorer, { variances }: Data) {
  const root = chart(host, 340, 146, { role: "group" });
  const count = variances.length;
  const top = 1.05 * variances[0];
  const drawing = settingDrawing(root, count, top);
  const { left, right, ground } = SPECTRUM_CHART;
  const { wide, unit } = drawing;
  const bars = varianceBars(drawing, variances);
  const [mean, step] = svgPaths(root, ["kx-mean-line", "kx-model"]);
  const drawHandle = cornerHandle(drawing, state, explorer, count);
  return ({ k, noise, spectrum, estimate, shrinkage }: Result) => {
    bars.forEach((bar, i) =>
      setAttributes(bar, { class: shrinkage[i] > 0 ? "kx-bar-kept" : "kx-bar-rest" }),
    );
    const y = (value: number) => tenth(Math.max(2, ground - unit * value));
    const stairs = spectrum.map((c, i) => `V${y(c)}H${tenth(left + (i + 1) * wide)}`);
    setAttributes(step, { d: `M${left} ${stairs.join("").slice(1)}` });
    setAttributes(mean, { d: `M${tenth(left + k * wide)} ${y(estimate)}H${right}` });
    drawHandle();
    const words =
      `${count} variances from ${text(variances[0])} down to ` +
      `${text(variances[count - 1])}; ${k} are kept, and the noise variance is ${text(noise, 3)}.`;
    setAttributes(root, { "aria-label": words });
  };
}

function drawLikelihoodAxes(root: Element, { x, y, low, high }: Axes) {
  const { left, right, ground } = LIKELIHOOD_CHART;
  for (const noise of [0.01, 0.1, 1, 10]) {
    tick(root, noise, [x(noise), ground + 12], noise === 10 ? "end" : "middle");
  }
  for (let height = low + 2; height < high; height += 4) {
    svg(root, "path", { d: `M${left} ${y(height)}H${right}`, class: "kx-rule" });
    tick(root, text(height, 0), [left - 5, y(height)], "end");
  }
  tick(root, "noise variance σ²", [(left + right) / 2, ground + 30]);
}

/** Append the log-likelihood of the training and, unless `isReduced`, the held-out objects. */
function likelihoodChart(host: Element, data: Data, isReduced: boolean) {
  const root = chart(host, 340, 140);
  const { left, right, top, ground } = LIKELIHOOD_CHART;
  const p = data.variances.length;
  const training: Likelihood = (k, noise) =>
    ppca.logLikelihood(ppca.modelSpectrum(data.variances, k, noise), data.variances);
  const high = Math.ceil(training(p - 1, ppca.noiseEstimate(data.variances, p - 1))) + 1;
  const low = high - 14;
  const x = (noise: number) =>
    tenth(left + ((right - left) * (Math.log10(noise) - ppca.MIN_EXPONENT)) / EXPONENTS);
  const y = (height: number) =>
    tenth(ground - ((ground - top) * (Math.max(low - 9, height) - low)) / (high - low));
  drawLikelihoodAxes(root, { x, y, low, high });
  const frame = svg(root, "svg", { x: 0, y: 0, width: 340, height: ground, class: "kx-inside" });
  const [chosen, estimate] = svgPaths(frame, ["kx-current", "kx-mean-line"]);
  const curve = (name: string, valueAt: Likelihood, chosenValue: (result: Result) => number) => {
    const path = svg(frame, "path", { class: name });
    const dot = svg(root, "circle", { r: 5, class: `${name}-dot` });
    return (result: Result) => {
      const point = (noise: number, i: number) =>
        `${i ? "L" : "M"}${x(noise)} ${y(valueAt(result.k, noise))}`;
      setAttributes(path, { d: ppca.GRID.map(point).join("") });
      const value = chosenValue(result);
      const cy = Math.min(ground, Math.max(top, y(value)));
      setAttributes(dot, { cx: x(result.noise), cy });
      dot.classList.toggle("kx-faded", value < low);
    };
  };
  const heldOut: Likelihood = (k, noise) => ppca.heldOutLogLikelihood(data.folds, k, noise);
  const curves = [curve("kx-training", training, (result) => result.logLikelihood)];
  if (!isReduced) curves.unshift(curve("kx-held-out", heldOut, (result) => result.heldOut));
  return (result: Result) => {
    curves.forEach((draw) => draw(result));
    setAttributes(estimate, { d: `M${x(result.estimate)} ${top}V${ground}` });
    setAttributes(chosen, { d: `M${x(result.noise)} ${top}V${ground}` });
    const words =
      `Log-likelihood against noise variance: ${text(result.logLikelihood)} here, maximum ` +
      `${text(result.maxLogLikelihood)} at ${text(result.estimate, 3)}.`;
    setAttributes(root, { "aria-label": words });
  };
}

/** Append the scores on the first two axes, joined to the posterior means; explain dots that show. */
function mapPanel(host: Element, scoreKey: HTMLElement, state: State, data: Data) {
  const { variances, scores, groups } = data;
  const root = mapFrame(host, 340, 216);
  const [scoreDots, links] = svgPaths(root, ["kx-before", "kx-joined"]);
  const drawMarks = marks(svg(root, "g"));
  const whitened = scores.map((row) => row.map((y, axis) => y / Math.sqrt(variances[axis])));
  const farthest = (rows: Point[], axis: number) =>
    Math.max(...rows.map((row) => Math.abs(row[axis])));
  const unitFor = (rows: Point[]) => Math.min(162 / farthest(rows, 0), 102 / farthest(rows, 1));
  const units = { data: unitFor(scores), latent: unitFor(whitened) };
  return (result: Result) => {
    const { shrinkage, k } = result;
    const rows = state.space === "latent" ? whitened : scores;
    const factors = ppca.spaceFactors(shrinkage, state.space);
    const unit = units[state.space];
    const pixels = (factor: number[]) =>
      rows.map((row) => row.map((y, axis) => (axis ? -1 : 1) * unit * y * factor[axis]));
    const [before, after] = [pixels([1, 1]), pixels(factors)];
    const pair = (dot: Point) => dot.map(tenth).join(" ");
    setAttributes(scoreDots, { d: before.map((dot) => `M${pair(dot)}h0`).join("") });
    setAttributes(links, { d: before.map((dot, i) => `M${pair(dot)}L${pair(after[i])}`).join("") });
    drawMarks(after, groups);
    const isCovered = ([x, y]: Point, i: number) =>
      Math.hypot(x - after[i][0], y - after[i][1]) < COVERED;
    scoreKey.hidden = before.every(isCovered);
    const words = `Map of ${scores.length} objects with ${ppca.dimensions(k)}. `;
    setAttributes(root, { "aria-label": words + shrinkageText(result, state.space) });
  };
}

/** Return the HTML; `name` is what one object is called. */
const htmlOf = (name: string, show: State["show"]) => `
  <div class="kx-columns">
    <div class="kx-column">
      <section class="kx-always kx-above-verdict"><p class="kx-title">Variances of the data
        <small class="kx-control">drag the corner</small></p>
        <div data-part="spectrum"></div>
        <p class="kx-key"><span class="kx-kept-key">kept</span>
          <span class="kx-discarded-key">discarded</span><span class="kx-model-key">model</span>
          <span class="kx-mean-key">maximum-likelihood <i>σ</i>²</span></p></section>
      <section class="${show === "all" ? "kx-always" : ""}">
        <p class="kx-title">Log-likelihood <small>mean per ${name}</small></p>
        <div data-part="likelihood"></div>
        <p class="kx-key" data-show="all"><span class="kx-training-key">${name}s used for the fit</span>
          <span class="kx-held-out-key">held-out ${name}s</span></p></section>
    </div>
    <div class="kx-column">
      <section class="kx-always kx-effect"><p class="kx-title">Map of the ${name}s</p>
        <div data-part="map"></div>
        <p class="kx-key" data-part="mapKey">
          <span class="kx-before-key" data-part="scoreKey">PCA</span>
          <span class="kx-after-key">posterior mean</span></p>
        <div class="kx-bar kx-control">
          ${buttonGroup("Space", "space", SPACES, "modes")}</div></section>
      <section class="kx-always kx-control">
        <div data-part="rank"></div><div data-part="noise"></div><div class="kx-bar">
          <button type="button" data-best="noise">maximum-likelihood <i>σ</i>²</button>
          <button type="button" data-show="all" data-best="heldOut">best for held-out
            ${name}s</button></div><p class="kx-note" data-part="shrinkage"></p></section>
    </div>
  </div>`;

/** Describe the shrinkage of both axes of the map. */
function shrinkageText({ shrinkage }: Result, space: State["space"]) {
  const isLatent = space === "latent";
  const scores = isLatent ? "standardised scores" : "scores of PCA";
  const means = `posterior means${isLatent ? "" : ", mapped back,"}`;
  const [first, second] = ppca.spaceFactors(shrinkage, space).map(percent);
  return `The ${means} are ${first} of the ${scores} on axis 1 and ${second} on axis 2.`;
}

function buttonPanel(el: Element, state: State, explorer: Explorer, data: Data, top: Setting) {
  const settings: Record<string, () => Partial<State>> = {
    noise: () => ({ noise: threeDigits(ppca.noiseEstimate(data.variances, state.n_components)) }),
    heldOut: () => ({ n_components: top.k, noise: top.noise }),
  };
  return listenToButtons(el, explorer, {
    best: [
      (name) => Object.assign(state, settings[name]()),
      (name) => hasValues(state, settings[name]()),
    ],
    space: choosing(state, "space"),
  });
}

function render({ model, el }: RenderProps) {
  const name: string = model.get("object_name");
  const data: Data = traitsNamed(model, ["variances", "folds", "scores", "groups"]);
  const show: State["show"] = model.get("show");
  const isReduced = show !== "all";
  const part = writeExplorerHtml(el, htmlOf(name, show), "ppca", show);
  addGroupKey(part("mapKey"), model.get("group_names"));
  const count = data.variances.length;
  const top = ppca.bestHeldOut(data);
  const [state, explorer] = createExplorer<State, Result, Omit<State, "show">>({
    model,
    el,
    validators: {
      n_components: isWhole(0, count - 1),
      noise: (noise) => areNumbers([noise], 1, 10 ** ppca.MIN_EXPONENT, 10 ** ppca.MAX_EXPONENT),
      space: isOneOf(...Object.keys(SPACES)),
    },
    unsavedFields: { show },
    result: ({ n_components, noise }) => ppca.resultOf(data, n_components, noise),
    hint: "Drag the corner of the line, or move a slider.",
    verdict: (result) => ppca.likelihoodVerdict(result, isReduced ? null : top, name),
  });
  const notes = (result: Result) => setText(part("shrinkage"), shrinkageText(result, state.space));
  return explorer.start([
    spectrumChart(part("spectrum"), state, explorer, data),
    likelihoodChart(part("likelihood"), data, isReduced),
    mapPanel(part("map"), part("scoreKey"), state, data),
    slider(part("rank"), explorer, state, "n_components", { name: "k", ends: [0, count - 1, 1] }),
    slider(part("noise"), explorer, state, "noise", { name: "σ²", ends: NOISES, ...POWERS }),
    buttonPanel(el, state, explorer, data, top),
    notes,
  ]);
}

export default {
  render,
  linksOmit: ["show", "variances", "folds", "scores", "groups", "group_names", "object_name"],
};
