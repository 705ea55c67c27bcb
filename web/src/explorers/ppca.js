// Probabilistic PCA: the likelihood of each number of components and noise variance.

import { buttonGroup, choosing, listenToButtons } from "../ui/buttons.js";
import { marks } from "../ui/charts.js";
import { slider } from "../ui/controls.js";
import { handle } from "../ui/handles.js";
import { bindState, openPage, RESET } from "../ui/state.js";
import { appendText, setAttributes, svg, svgPaths } from "../ui/svg.js";
import { POWERS, setText, tenth, text, threeDigits } from "../ui/text.js";
import { areNumbers, isLike, isOneOf, isWhole } from "../ui/validators.js";
import { VERDICT } from "../ui/verdict.js";
import {
  atSetting,
  bestNoise,
  bestUnseen,
  GRID,
  heightOf,
  LEAST,
  MOST,
  modelSpectrum,
  modelVerdict,
  numbers,
  unseenHeight,
  unseenSays,
} from "./ppcaModel.js";

const CHART = { left: 30, right: 334, top: 12, ground: 128 };
const LIKELY = { left: 44, right: 334, top: 10, ground: 104 };
const MAP = { width: 340, height: 208 };
const SPACES = { places: "among the measurements", latent: "hidden numbers" };

/**
 * A drawing of the spectrum in which a handle stands for k and the noise: ten ranks and half a
 * variance a unit.
 */
function settingDrawing(root, count, top) {
  const { left, right, ground } = CHART;
  const [wide, unit] = [(right - left) / count, (ground - CHART.top) / top];
  const most = Math.min(top, 10 ** MOST);
  const inside = (low, high, value) => Math.max(low, Math.min(high, value));
  return {
    root,
    wide,
    unit,
    reach: [(count - 1) / 10, 2 * most],
    pixel: ([x, y]) => [left + wide * 10 * x, ground - (unit * y) / 2],
    world(event) {
      const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(
        root.getScreenCTM().inverse(),
      );
      return [(x - left) / wide / 10, (2 * (ground - y)) / unit];
    },
    clamp: ([x, y]) => [
      Math.round(10 * inside(0, (count - 1) / 10, x)) / 10,
      inside(2 * 10 ** LEAST, 2 * most, y),
    ],
  };
}

/** Draw the variances as bars, with their scale; return the bars. */
function varianceBars(root, variances, { wide, unit, top }) {
  const { left, right, ground } = CHART;
  for (let value = 0; value < top; value += Math.max(1, Math.ceil(top / 5))) {
    const y = tenth(ground - unit * value);
    svg(root, "path", { d: `M${left} ${y}H${right}`, class: "kx-rule" });
    appendText(root, value, { x: left - 5, y, class: "kx-tick kx-row" });
  }
  const bars = variances.map((nu, i) =>
    svg(root, "rect", {
      x: tenth(left + (i + 0.14) * wide),
      y: tenth(ground - unit * nu),
      width: tenth(0.72 * wide),
      height: Math.max(1, tenth(unit * nu)),
    }),
  );
  variances.forEach((_, i) =>
    appendText(root, i + 1, {
      x: tenth(left + (i + 0.5) * wide),
      y: ground + 10,
      class: "kx-tick",
      "text-anchor": "middle",
    }),
  );
  return bars;
}

/** The handle that stands for the number of components and the noise. */
function cornerHandle(drawing, state, { count, top }) {
  return handle(drawing, state, {
    name: "corner of the model",
    mark: "",
    className: "kx-corner",
    get: () => [state.n_components / 10, 2 * Math.min(state.noise, top)],
    move: ([x, y]) =>
      Object.assign(state, { n_components: Math.round(10 * x), noise: threeDigits(y / 2) }),
    said: () => ({
      "aria-valuemin": 0,
      "aria-valuemax": count - 1,
      "aria-valuenow": state.n_components,
      "aria-valuetext": `${numbers(state.n_components)}, noise variance ${text(state.noise, 3)}`,
    }),
  });
}

/**
 * The variances, what the model says of them, and the corner to drag; returns a function that draws
 * them.
 */
function spectrumChart(host, state, { variances }) {
  const root = svg(host, "svg", { viewBox: "0 0 340 146", class: "kx-chart", role: "group" });
  const count = variances.length;
  const top = 1.05 * variances[0];
  const drawing = settingDrawing(root, count, top);
  const { left, right, ground } = CHART;
  const [wide, unit] = [drawing.wide, drawing.unit];
  const bars = varianceBars(root, variances, { wide, unit, top });
  const [mean, step] = svgPaths(root, ["kx-mean-line", "kx-model"]);
  const grip = cornerHandle(drawing, state, { count, top });
  return ({ k, noise, spectrum, best, kept }) => {
    bars.forEach((bar, i) =>
      setAttributes(bar, { class: kept[i] > 0 ? "kx-bar-kept" : "kx-bar-rest" }),
    );
    const y = (value) => tenth(Math.max(2, ground - unit * value));
    setAttributes(step, {
      d: spectrum
        .map((c, i) => `${i ? "V" : `M${left} `}${y(c)}H${tenth(left + (i + 1) * wide)}`)
        .join(""),
    });
    setAttributes(mean, { d: `M${tenth(left + k * wide)} ${y(best)}H${right}` });
    grip();
    setAttributes(root, {
      "aria-label":
        `${count} variances from ${text(variances[0])} down to ` +
        `${text(variances[count - 1])}; ${k} are kept, and the noise is ${text(noise, 3)}.`,
    });
  };
}

/** Draw the axes of the likelihood. */
function drawLikelihoodAxes(root, { x, y, low, high }) {
  const { left, right, ground } = LIKELY;
  for (const noise of [0.01, 0.1, 1, 10]) {
    appendText(root, noise, {
      x: x(noise),
      y: ground + 12,
      class: "kx-tick",
      "text-anchor": noise === 10 ? "end" : "middle",
    });
  }
  for (let height = low + 2; height < high; height += 4) {
    svg(root, "path", { d: `M${left} ${y(height)}H${right}`, class: "kx-rule" });
    appendText(root, text(height, 0), { x: left - 5, y: y(height), class: "kx-tick kx-row" });
  }
  appendText(root, "noise σ²", {
    x: (left + right) / 2,
    y: ground + 21,
    class: "kx-tick",
    "text-anchor": "middle",
  });
}

/**
 * The likelihood of all noises for this k, of the objects fitted to and of others; returns a
 * function that draws it.
 */
function likelihoodChart(host, data) {
  const root = svg(host, "svg", { viewBox: "0 0 340 130", class: "kx-chart", role: "img" });
  const { left, right, top, ground } = LIKELY;
  const p = data.variances.length;
  const ceiling = heightOf(
    modelSpectrum(data.variances, p - 1, bestNoise(data.variances, p - 1)),
    data.variances,
  );
  const high = Math.ceil(ceiling) + 1;
  const low = high - 14;
  const x = (noise) =>
    tenth(left + ((right - left) * (Math.log10(noise) - LEAST)) / (MOST - LEAST));
  const y = (height) =>
    tenth(ground - ((ground - top) * (Math.max(low - 9, height) - low)) / (high - low));
  drawLikelihoodAxes(root, { x, y, low, high });
  const frame = svg(root, "svg", { x: 0, y: 0, width: 340, height: ground, class: "kx-inside" });
  const kinds = ["kx-now", "kx-mean-line", "kx-unseen", "kx-seen"];
  const [now, best, unseen, seen] = svgPaths(frame, kinds);
  const [ring, dot] = ["kx-unseen-dot", "kx-seen-dot"].map((name) =>
    svg(root, "circle", { r: 5, class: name }),
  );
  const through = (of) =>
    GRID.map((noise, i) => `${i ? "L" : "M"}${x(noise)} ${y(of(noise))}`).join("");
  return (found) => {
    const { k, noise, height } = found;
    setAttributes(seen, {
      d: through((s) => heightOf(modelSpectrum(data.variances, k, s), data.variances)),
    });
    setAttributes(unseen, { d: through((s) => unseenHeight(data.folds, k, s)) });
    setAttributes(best, { d: `M${x(found.best)} ${top}V${ground}` });
    setAttributes(now, { d: `M${x(noise)} ${top}V${ground}` });
    for (const [mark, value] of [
      [dot, height],
      [ring, found.unseen],
    ]) {
      setAttributes(mark, { cx: x(noise), cy: Math.min(ground, Math.max(top, y(value))) });
      mark.classList.toggle("kx-off", value < low);
    }
    setAttributes(root, {
      "aria-label":
        `Log-likelihood against noise: ${text(height)} here, ${text(found.highest)} ` +
        `at the noise ${text(found.best, 3)}.`,
    });
  };
}

/**
 * Scores on both first axes, joined to what the model leaves of them; returns a function that draws
 * them.
 */
function placesPanel(host, state, { variances, scores, groups }) {
  const root = svg(host, "svg", {
    viewBox: `${-MAP.width / 2} ${-MAP.height / 2} ${MAP.width} ${MAP.height}`,
    class: "kx-chart kx-frame",
    role: "img",
  });
  svg(root, "path", {
    d: `M${-MAP.width / 2} 0h${MAP.width}M0 ${-MAP.height / 2}v${MAP.height}`,
    class: "kx-rule",
  });
  const [from, links] = svgPaths(root, ["kx-before", "kx-joined"]);
  const place = marks(svg(root, "g", { class: "kx-after" }));
  const reach = [0, 1].map((axis) => Math.max(...scores.map((row) => Math.abs(row[axis]))));
  const whitened = scores.map((row) => row.map((y, axis) => y / Math.sqrt(variances[axis])));
  const fit = (rows) =>
    Math.min(
      ...[0, 1].map(
        (axis) => [162, 98][axis] / Math.max(...rows.map((row) => Math.abs(row[axis]))),
      ),
    );
  const units = { places: Math.min(162 / reach[0], 98 / reach[1]), latent: fit(whitened) };
  return ({ kept, k }) => {
    const latent = state.space === "latent";
    const rows = latent ? whitened : scores;
    const factors = latent ? kept.map(Math.sqrt) : kept;
    const pixels = (of) =>
      rows.map((row) => row.map((y, axis) => (axis ? -1 : 1) * units[state.space] * of(y, axis)));
    const [before, after] = [pixels((y) => y), pixels((y, axis) => y * factors[axis])];
    const pair = (at) => at.map(tenth).join(" ");
    setAttributes(from, { d: before.map((at) => `M${pair(at)}h0`).join("") });
    setAttributes(links, { d: before.map((at, i) => `M${pair(at)}L${pair(after[i])}`).join("") });
    place(after, groups);
    const left = [0, 1].map((axis) => text(100 * factors[axis], 1));
    setAttributes(root, {
      "aria-label":
        `Map of ${scores.length} objects for ${numbers(k)}: ${left[0]} % of axis 1 ` +
        `and ${left[1]} % of axis 2 are left.`,
    });
  };
}

/** The page, `noun` being what one object is called; objects may be `grouped`. */
const pageOf = (noun, grouped) => `
  <p class="kx-question">How much noise must you believe in for this map to be the best one?</p>
  <div class="kx-bar kx-flow"><button type="button" class="kx-action"
    data-best="noise">most likely <i>σ</i>²</button><button type="button" class="kx-action"
      data-best="unseen">best for
      ${noun}s not seen</button></div>
  ${VERDICT}
  <div class="kx-columns">
    <div class="kx-column">
      <section style="--order:1"><p class="kx-title">Variances of the data <small
        class="kx-control">drag the corner</small></p>
        <div data-part="spectrum"></div>
        <p class="kx-key"><span class="kx-keep">kept</span><span
          class="kx-drop">discarded</span><span class="kx-model-key">the model</span><span
            class="kx-mean-key">most likely noise</span></p></section>
      <section class="kx-control" style="--order:2"><div data-part="rank"></div><div
        data-part="noise"></div></section>
      <section style="--order:4"><p class="kx-title">Log-likelihood <small>nats for each
        ${noun}</small></p><div data-part="likelihood"></div>
        <p class="kx-key"><span class="kx-seen-key">fitted to</span><span
          class="kx-unseen-key">not seen</span><span class="kx-now-key">this noise</span><span
            class="kx-mean-key">most likely noise</span></p>
        <p class="kx-note" data-part="unseen"></p></section>
    </div>
    <div class="kx-column">
      <section style="--order:3"><p class="kx-title">Map <small>where the model places the
        ${noun}s</small></p><div data-part="map"></div>
        <p class="kx-key"><span class="kx-before-key">by PCA</span><span
          class="kx-after-key">by the
            model</span>${grouped ? '<span class="kx-shapes-key">groups</span>' : ""}</p>
        <div class="kx-bar kx-flow kx-control">
          ${buttonGroup("Map", "space", SPACES, "modes")}${RESET}</div>
        <p class="kx-note" data-part="left"></p></section>
    </div>
  </div>`;

/** What is left of both axes of the map, in words. */
function leftSays({ kept }, space) {
  const of = space === "latent" ? kept.map(Math.sqrt) : kept;
  const than = space === "latent" ? "scores of variance 1" : "scores of PCA";
  return (
    `Of the ${than} the model keeps ${text(100 * of[0], 1)} % on axis 1 and ` +
    `${text(100 * of[1], 1)} % on axis 2.`
  );
}

/** The buttons; returns a function that shows which are on. */
function buttonPanel(el, state, data, top) {
  const settings = {
    noise: () => ({ noise: threeDigits(bestNoise(data.variances, state.n_components)) }),
    unseen: () => ({ n_components: top.k, noise: top.noise }),
  };
  return listenToButtons(el, state, {
    best: [
      (name) => Object.assign(state, settings[name]()),
      (name) => isLike(state, settings[name]()),
    ],
    space: choosing(state, "space"),
  });
}

function render({ model, el }) {
  const noun = model.get("noun");
  const data = Object.fromEntries(
    ["variances", "folds", "scores", "groups"].map((name) => [name, model.get(name)]),
  );
  const part = openPage(el, pageOf(noun, new Set(data.groups).size > 1), "ppca");
  const count = data.variances.length;
  const top = bestUnseen(data);
  const state = {};
  return bindState(state, {
    model,
    el,
    fits: {
      n_components: isWhole(0, count - 1),
      noise: (noise) => areNumbers([noise], 1, 10 ** LEAST, 10 ** MOST),
      space: isOneOf(...Object.keys(SPACES)),
    },
    result: () => atSetting(data, state.n_components, state.noise),
    panels: [
      spectrumChart(part("spectrum"), state, data),
      likelihoodChart(part("likelihood"), data),
      placesPanel(part("map"), state, data),
      slider(part("rank"), state, "n_components", {
        name: "k",
        least: 0,
        most: count - 1,
        step: 1,
      }),
      slider(part("noise"), state, "noise", {
        name: "σ²",
        least: LEAST,
        most: MOST,
        step: 0.005,
        ...POWERS,
      }),
      buttonPanel(el, state, data, top),
      (found) => {
        setText(part("left"), leftSays(found, state.space));
        setText(part("unseen"), unseenSays(found, top, noun));
      },
    ],
    words: () => modelVerdict(state.result, top, noun),
  });
}

export default { render, unlinked: ["variances", "folds", "scores", "groups", "noun"] };
