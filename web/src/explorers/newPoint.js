// Chapter 10: the position of a new object from its distances.

import { classicalScaling } from "../core/classicalScaling.js";
import {
  distances,
  fromRows,
  largestModulus,
  multiplied,
  squaredDistances,
  sumOf,
  toRows,
} from "../core/matrix.js";
import { procrustesAlign } from "../core/procrustes.js";
import { buttonGroup, listenToButtons } from "../ui/buttons.js";
import { range } from "../ui/controls.js";
import { handle } from "../ui/handles.js";
import { plane } from "../ui/plane.js";
import { bindState, openPage, RESET } from "../ui/state.js";
import { appendText, hatching, setAttributes, svg } from "../ui/svg.js";
import { tenth, text } from "../ui/text.js";
import { areNumbers, isLike } from "../ui/validators.js";
import { VERDICT } from "../ui/verdict.js";

const PLANE = { width: 340, height: 202, unit: 46 };
const [SHORTEST, LONGEST, LOW, HIGH] = [0, 6, -2, 4];
const NAMES = "ABCDEF";
const fourDigits = (value) => Math.round(1e4 * value) / 1e4;

/** The old points and their map by classical scaling, with what turns it onto them. */
export function mapOf(points) {
  const X = fromRows(points);
  const n = points.length;
  const fit = classicalScaling(distances(X, 2), n, 2);
  return { X, n, fit, turn: procrustesAlign(fit.points, 2, X).rotation };
}

/** The distances of a place of the plane from the old points, a number added to their squares. */
export function distancesFrom({ X, n }, place, squaredHeight) {
  const squares = squaredDistances(X, 2, Float64Array.from(place));
  return Array.from({ length: n }, (_, i) => Math.sqrt(Math.max(0, squares[i] + squaredHeight)));
}

/**
 * A row of the Gram matrix for a new object, about the mean of the old ones, and the mean of d^2 -
 * b: the squared distance from there, where the object is a point.
 */
function addedGram(gram, n, d) {
  const b = Array.from({ length: n }, (_, i) => gram[i * n + i]);
  const square = sumOf(d, (di, i) => di * di - b[i]) / n;
  return { g: d.map((di, i) => (b[i] - di * di + square) / 2), square };
}

/** Where Gower's formula puts a new object, the terms of its sum, and what its distances say. */
export function placed({ X, n, fit, turn }, d) {
  const { g, square } = addedGram(fit.gram, n, d);
  const y = multiplied(fit.transform(Float64Array.from(d)), 2, turn, 2);
  const terms = multiplied(
    fit.points.map((one, at) => (one * g[at >> 1]) / fit.eigenvalues[at % 2]),
    2,
    turn,
    2,
  );
  const outside = g.map((gi, i) => gi - X[2 * i] * y[0] - X[2 * i + 1] * y[1]);
  const length = (v) => Math.sqrt(sumOf(v, (x) => x * x));
  return {
    g,
    d,
    square,
    place: Array.from(y),
    terms: toRows(terms, 2),
    height: square - sumOf(y, (x) => x * x),
    outside: length(outside),
    size: length(g),
    scale: largestModulus(fit.gram) + Math.abs(square),
  };
}

/** The banner's words. */
function newPointVerdict({ place, height, outside, size, scale }) {
  const at = `(${place.map((x) => text(x)).join(", ")})`;
  if (outside > 1e-3 * scale) {
    const reason =
      `It lands at ${at} with h² = ${text(height)}, but of g, ${text(size)} long, ` +
      `${text(outside)} lie outside the column space of B.`;
    return { holds: false, head: "No point has these distances.", reason };
  }
  if (height < -0.005) {
    const reason =
      `It lands at ${at}, but on the map each of its squared distances is ` +
      `${text(-height)} longer than the one given.`;
    return { holds: false, head: `No point: h² = ${text(height)}.`, reason };
  }
  if (height < 0.005)
    return {
      holds: true,
      head: `It lands at ${at}, on the map.`,
      reason: "All circles meet there: the map shows each of its distances.",
    };
  const reason =
    `h² = ${text(height)}: on the map each of its squared distances is that much ` + `too short.`;
  return { head: `It lands at ${at} and stands ${text(Math.sqrt(height))} above the map.`, reason };
}

/** An arrow from one pixel to another. */
function arrowFrom([x0, y0], [x1, y1]) {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 1) return "";
  const [ux, uy, wing] = [(x1 - x0) / length, (y1 - y0) / length, Math.min(6, length / 2)];
  const side = (way) =>
    [x1 - wing * (ux + way * 0.55 * uy), y1 - wing * (uy - way * 0.55 * ux)].map(tenth).join(" ");
  const tip = [x1, y1].map(tenth).join(" ");
  return `M${[x0, y0].map(tenth).join(" ")}L${tip}M${side(1)}L${tip}L${side(-1)}`;
}

const HIDDEN = { "aria-hidden": "true" };

/** Draw the old points with their names; return the circle around each. */
function oldPoints(drawing, X) {
  const pixels = toRows(X, 2).map(drawing.pixel);
  const rings = pixels.map(() => svg(drawing.root, "circle", { class: "kx-reach", ...HIDDEN }));
  pixels.forEach(([x, y], i) => {
    const [cx, cy] = [tenth(x), tenth(y)];
    setAttributes(rings[i], { cx, cy });
    svg(drawing.root, "circle", { cx, cy, r: 4, class: "kx-place", ...HIDDEN });
    const place = { x: tenth(x - 9), y: tenth(y + 9), "text-anchor": "middle" };
    appendText(drawing.root, NAMES[i], { ...place, class: "kx-name", ...HIDDEN });
  });
  return rings;
}

/**
 * The map with circles, the sum of the terms, the place found and the new point; returns a function
 * that draws it.
 */
function mapPanel(host, state, { X }) {
  const drawing = plane(host, {
    ...PLANE,
    label: "Map of the old points, with a new point x to drag",
  });
  const rings = oldPoints(drawing, X);
  const chain = svg(drawing.root, "path", { class: "kx-chain", ...HIDDEN });
  svg(drawing.root, "path", { d: "M-5 0h10M0-5v10", class: "kx-mean", ...HIDDEN });
  const foot = svg(drawing.root, "path", { class: "kx-foot", ...HIDDEN });
  const grip = handle(drawing, state, {
    name: "new point x",
    mark: "x",
    className: "kx-new",
    get: () => state.new_point,
    move: (point) => Object.assign(state, { new_point: point, pulled: [] }),
  });
  return ({ d, place, terms }) => {
    d.forEach((length, i) => setAttributes(rings[i], { r: tenth(PLANE.unit * length) }));
    const ends = [[0, 0]];
    for (const [x, y] of terms) ends.push([ends.at(-1)[0] + x, ends.at(-1)[1] + y]);
    const pixels = ends.map(drawing.pixel);
    setAttributes(chain, {
      d: pixels
        .slice(1)
        .map((end, i) => arrowFrom(pixels[i], end))
        .join(""),
    });
    const [x, y] = drawing.pixel(place).map(tenth);
    setAttributes(foot, { d: `M${x - 15} ${y - 15}h30v30h-30z` });
    grip();
    host.classList.toggle("kx-detached", state.pulled.length > 0);
  };
}

/**
 * A slider for each distance, with its entry of g as a signed bar; returns a function that shows
 * them.
 */
function pullPanel(host, state, n) {
  const rows = Array.from({ length: n }, (_, i) => {
    const show = range(host, state, {
      name: NAMES[i],
      least: SHORTEST,
      most: LONGEST,
      step: 0.02,
      words: (length) => text(length),
      input: (length) =>
        (state.pulled = state.result.d.map((d, k) => fourDigits(k === i ? length : d))),
    });
    const row = host.lastElementChild;
    setAttributes(row.querySelector("input"), { "aria-label": `distance to ${NAMES[i]}` });
    row.insertAdjacentHTML("beforeend", '<i class="kx-track"><b></b></i><var></var>');
    return { show, row, bar: row.querySelector("b"), value: row.querySelector("var") };
  });
  return ({ d, g }) => {
    const most = Math.max(4, ...g.map(Math.abs));
    rows.forEach(({ show, row, bar, value }, i) => {
      show(d[i]);
      const width = (50 * Math.abs(g[i])) / most;
      bar.style.left = `${g[i] < 0 ? 50 - width : 50}%`;
      bar.style.width = `${width}%`;
      row.classList.toggle("kx-negative", g[i] < 0);
      value.textContent = text(g[i]);
    });
  };
}

/**
 * The triangle of mean, place and point, or what is missing to it; returns a function that draws
 * it.
 */
function heightPanel(host) {
  const root = svg(host, "svg", { viewBox: "0 0 340 118", class: "kx-chart", role: "img" });
  const line = (name) => svg(root, "path", { class: name });
  const [ground, base, slope, up, down] = [
    "kx-rule",
    "kx-along",
    "kx-slope",
    "kx-up",
    "kx-down",
  ].map(line);
  const hatch = hatching(root, "below");
  const missing = svg(root, "rect", { fill: hatch });
  const words = svg(root, "text", { class: "kx-tick" });
  return ({ place, height }) => {
    const [along, h] = [Math.hypot(...place), Math.sqrt(Math.abs(height))];
    const unit = Math.min(PLANE.unit, 230 / (along || 1), 72 / (h || 1));
    const [x, y, level] = [20 + unit * along, unit * h, height < 0 ? 20 : 96].map(tenth);
    setAttributes(ground, { d: `M0 ${level}H340` });
    setAttributes(base, { d: `M20 ${level}H${x}` });
    setAttributes(slope, { d: height < 0 ? "" : `M20 ${level}L${x} ${tenth(level - y)}` });
    setAttributes(up, { d: height < 0 ? "" : `M${x} ${level}v${-y}` });
    setAttributes(down, { d: height < 0 ? `M${x - 5} ${level}h10v${y}h-10z` : "" });
    setAttributes(missing, { x: x - 5, y: level, width: 10, height: height < 0 ? y : 0 });
    setAttributes(words, { x: x + 12, y: tenth(height < 0 ? level + y / 2 + 6 : level - y / 2) });
    words.textContent = height < 0 ? `h² = ${text(height)}` : `h = ${text(h)}`;
    const seen = height < 0 ? `h² is ${text(height)}: no height.` : `height ${text(h)}.`;
    setAttributes(root, {
      "aria-label": `Seen from the side: the place is ${text(along)} from the mean; ${seen}`,
    });
  };
}

const PRESETS = {
  flat: "on the map",
  above: "above it",
  near: "too near",
  wrong: "one wrong distance",
};

/** The state of each button. */
function presetsFor(map) {
  const wrong = distancesFrom(map, [1.5, -0.9], 0).map(fourDigits);
  wrong[0] = fourDigits(wrong[0] + 0.8);
  const at = (squared_height, pulled = []) => ({ new_point: [1.5, -0.9], squared_height, pulled });
  return { flat: at(0), above: at(1.44), near: at(-0.8), wrong: at(0, wrong) };
}

const PAGE = `
  <p class="kx-question">Where do its distances put a new point, and how high above the map?</p>
  <div
    class="kx-bar kx-flow">${buttonGroup("The new point", "preset", PRESETS, "samples")}<span
      >${RESET}</span></div>
  ${VERDICT}
  <div class="kx-columns">
    <div class="kx-column"><section style="--order:1"><p class="kx-title">The map, from above
      <small class="kx-control">drag <i>x</i></small></p>
      <div data-part="map"></div>
      <div class="kx-control" data-part="height"></div></section>
      <section style="--order:3"><p class="kx-title">The map, from the side</p><div
        data-part="side"></div></section></div>
    <div class="kx-column"><section style="--order:2">
      <p class="kx-title kx-heads"><span class="kx-distance">Distances <i>d</i> <small
        class="kx-control">pull one</small></span><span class="kx-product"><i>g</i></span></p>
      <div class="kx-pulls" data-part="pulls"></div></section>
      <section style="--order:4"><p class="kx-key"><span class="kx-ring-key">circles of radius
        <i>d</i></span><span
          class="kx-chain-key">one arrow for each entry of <i>g</i>, from the mean</span><span
            class="kx-foot-key">where it lands</span></p></section></div>
  </div>`;

/** The buttons; returns a function that shows which is on. */
function buttonPanel(el, state, presets) {
  const show = (name) => Object.assign(state, structuredClone(presets[name]));
  return listenToButtons(el, state, { preset: [show, (name) => isLike(state, presets[name])] });
}

/** The slider that adds one number to all squared distances; returns a function that shows it. */
function liftPanel(host, state) {
  const show = range(host, state, {
    name: "h²",
    least: LOW,
    most: HIGH,
    step: 0.02,
    words: (square) => text(square),
    input(square) {
      const more = square - state.result.height;
      if (!state.pulled.length) state.squared_height = square;
      else
        state.pulled = state.result.d.map((d) => fourDigits(Math.sqrt(Math.max(0, d * d + more))));
    },
  });
  return ({ height }) => show(height);
}

function render({ model, el }) {
  const part = openPage(el, PAGE, "new-point");
  const map = mapOf(model.get("points"));
  const state = {};
  return bindState(state, {
    model,
    el,
    fits: {
      new_point: (value) => areNumbers(value, 2, -3.5, 3.5),
      squared_height: (value) => areNumbers([value], 1, LOW, HIGH),
      pulled: (value) => areNumbers(value, 0) || areNumbers(value, map.n, SHORTEST, 9),
    },
    result: () =>
      placed(
        map,
        state.pulled.length
          ? state.pulled
          : distancesFrom(map, state.new_point, state.squared_height),
      ),
    panels: [
      mapPanel(part("map"), state, map),
      pullPanel(part("pulls"), state, map.n),
      heightPanel(part("side")),
      liftPanel(part("height"), state),
      buttonPanel(el, state, presetsFor(map)),
    ],
    words: () => newPointVerdict(state.result),
  });
}

export default { render, unlinked: ["points"] };
