// The position of a new object from its distances.

import { type Matrix, type Point, toRows } from "../core/matrix.ts";
import { buttonGroup, choosingOne, listenToButtons } from "../ui/buttons.ts";
import { chart } from "../ui/charts.ts";
import { range } from "../ui/controls.ts";
import { handle } from "../ui/handles.ts";
import { type Drawing, plane } from "../ui/plane.ts";
import type { Explorer, Panel, RenderProps } from "../ui/state.ts";
import { createExplorer, writeExplorerHtml } from "../ui/state.ts";
import { appendText, hatching, setAttributes, svg, svgPaths } from "../ui/svg.ts";
import { tenth, text } from "../ui/text.ts";
import { areNumbers } from "../ui/validators.ts";
import { partOf } from "../ui/verdict.ts";
import type { OldMap, Result, State } from "./newPointModel.ts";
import { fourDigits, mapOf, newPointVerdict, presetsFor, resultOf } from "./newPointModel.ts";

const UNIT = 46;
const [SHORTEST, LONGEST, LOW, HIGH] = [0, 6, -2, 4];
const NAMES = "ABCDEF";

function arrowPath([x0, y0]: Point, [x1, y1]: Point) {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 1) return "";
  const [ux, uy, wing] = [(x1 - x0) / length, (y1 - y0) / length, Math.min(6, length / 2)];
  const side = (way: number) =>
    [x1 - wing * (ux + way * 0.55 * uy), y1 - wing * (uy - way * 0.55 * ux)].map(tenth).join(" ");
  const tip = [x1, y1].map(tenth).join(" ");
  return `M${[x0, y0].map(tenth).join(" ")}L${tip}M${side(1)}L${tip}L${side(-1)}`;
}

const HIDDEN = { "aria-hidden": "true" };

/** Draw the old points; return their circles, and a function that keeps names off a handle. */
function drawOldPoints(drawing: Drawing, X: Matrix) {
  const pixels = toRows(X, 2).map(drawing.pixel);
  const circles = pixels.map(() =>
    svg(drawing.root, "circle", { class: "kx-distance-circle", ...HIDDEN }),
  );
  const names = pixels.map(([x, y], i) => {
    const [cx, cy] = [tenth(x), tenth(y)];
    setAttributes(circles[i], { cx, cy });
    svg(drawing.root, "circle", { cx, cy, r: 4, class: "kx-place", ...HIDDEN });
    const attributes = { "text-anchor": "middle", class: "kx-name", ...HIDDEN };
    return appendText(drawing.root, NAMES[i], attributes);
  });
  const write = ([left, top]: Point) =>
    pixels.forEach(([x, y], i) => {
      const far = Math.hypot(x - left, y - top);
      const isNear = far > 0 && far < 36;
      const by = Math.max(13, 24 - far) / far;
      const [dx, dy] = isNear ? [by * (x - left), by * (y - top)] : [-9, 9];
      setAttributes(names[i], { x: tenth(x + dx), y: tenth(y + dy) });
    });
  return { circles, write };
}

/** Append the map with circles, the terms of the sum, the position and the new point. */
function mapPanel(host: Element, state: State, explorer: Explorer, { X }: OldMap): Panel<Result> {
  const label = "Map of the old points, and a new point x that can be dragged";
  const drawing = plane(host, [340, 202], UNIT, label);
  const { circles, write } = drawOldPoints(drawing, X);
  const chain = svg(drawing.root, "path", { class: "kx-chain", ...HIDDEN });
  svg(drawing.root, "path", { d: "M-5 0h10M0-5v10", class: "kx-mean", ...HIDDEN });
  const square = svg(drawing.root, "path", { class: "kx-position", ...HIDDEN });
  const drawHandle = handle(drawing, explorer, {
    name: "new point x",
    mark: "x",
    className: "kx-new",
    get: () => state.new_point,
    move: (point) => Object.assign(state, { new_point: point, edited_distances: [] }),
  });
  return ({ d, position, terms }) => {
    d.forEach((length, i) => setAttributes(circles[i], { r: tenth(UNIT * length) }));
    const ends: Point[] = [[0, 0]];
    terms.forEach(([x, y], i) => ends.push([ends[i][0] + x, ends[i][1] + y]));
    const pixels = ends.map(drawing.pixel);
    const arrows = pixels.slice(1).map((end, i) => arrowPath(pixels[i], end));
    setAttributes(chain, { d: arrows.join("") });
    const [x, y] = drawing.pixel(position).map(tenth);
    setAttributes(square, { d: `M${x - 15} ${y - 15}h30v30h-30z` });
    drawHandle();
    write(drawing.pixel(state.new_point));
    host.classList.toggle("kx-detached", state.edited_distances.length > 0);
  };
}

/** Append a slider for each distance, with its entry of g as a signed bar. */
function distancePanel(host: Element, state: State, explorer: Explorer<Result>, n: number) {
  const rows = Array.from({ length: n }, (_, i) => {
    const show = range(host, explorer, {
      name: NAMES[i],
      ends: [SHORTEST, LONGEST, 0.02],
      words: (length) => text(length),
      input(length) {
        const edited = explorer.result.d.map((d, k) => fourDigits(k === i ? length : d));
        state.edited_distances = edited;
      },
    });
    const row = host.lastElementChild as HTMLElement;
    setAttributes(partOf(row, "input"), { "aria-label": `distance to ${NAMES[i]}` });
    row.insertAdjacentHTML("beforeend", '<i class="kx-track"><b></b></i><var></var>');
    return { show, row, bar: partOf(row, "b"), value: partOf(row, "var") };
  });
  return ({ d, g }: Result) => {
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

/** Append the triangle of mean, position and point, or the negative squared height. */
function heightPanel(host: Element): Panel<Result> {
  const root = chart(host, 340, 118);
  const kinds = ["kx-rule", "kx-along", "kx-slope", "kx-up", "kx-down"];
  const [ground, base, slope, up, down] = svgPaths(root, kinds);
  const hatch = hatching(root, "below");
  const negative = svg(root, "rect", { fill: hatch });
  const words = svg(root, "text", { class: "kx-tick" });
  return ({ position, squaredHeight: height }) => {
    const [along, h] = [Math.hypot(...position), Math.sqrt(Math.abs(height))];
    const unit = Math.min(UNIT, 230 / (along || 1), 72 / (h || 1));
    const [x, y, level] = [20 + unit * along, unit * h, height < 0 ? 20 : 96].map(tenth);
    setAttributes(ground, { d: `M0 ${level}H340` });
    setAttributes(base, { d: `M20 ${level}H${x}` });
    setAttributes(slope, { d: height < 0 ? "" : `M20 ${level}L${x} ${tenth(level - y)}` });
    setAttributes(up, { d: height < 0 ? "" : `M${x} ${level}v${-y}` });
    setAttributes(down, { d: height < 0 ? `M${x - 5} ${level}h10v${y}h-10z` : "" });
    setAttributes(negative, { x: x - 5, y: level, width: 10, height: height < 0 ? y : 0 });
    setAttributes(words, { x: x + 12, y: tenth(height < 0 ? level + y / 2 + 6 : level - y / 2) });
    words.textContent = height < 0 ? `h² = ${text(height)}` : `h = ${text(h)}`;
    const found = height < 0 ? `h² is ${text(height)}` : `the height is ${text(h)}`;
    const label = `Side view: the position is ${text(along)} from the mean, and ${found}.`;
    setAttributes(root, { "aria-label": label });
  };
}

const PRESETS = {
  flat: "on the map",
  above: "above the map",
  small: "distances too small",
  wrong: "one wrong distance",
};

const HTML = `
  <div class="kx-columns">
    <div class="kx-column"><section class="kx-always kx-above-verdict"><p class="kx-title">Map from above
      <small class="kx-control">drag <i>x</i></small></p>
      <div data-part="map"></div>
      <p class="kx-key"><span class="kx-circle-key">circles of radius <i>d</i></span><span
        class="kx-chain-key">terms of the sum, from the mean</span><span
          class="kx-position-key">position</span></p>
      <div class="kx-bar">${buttonGroup("New point", "preset", PRESETS)}</div></section></div>
    <div class="kx-column"><section class="kx-always"><p class="kx-title">Map from the side</p>
      <div data-part="side"></div>
      <div class="kx-control" data-part="height"></div></section>
      <section class="kx-always">
      <p class="kx-title kx-heads"><span class="kx-distance">Distances <i>d</i> <small
        class="kx-control">change one</small></span><span class="kx-product"><i>g</i></span></p>
      <div class="kx-distances" data-part="distances"></div></section></div>
  </div>`;

/** Append the slider that adds a number to all squared distances. */
function heightSlider(host: Element, state: State, explorer: Explorer<Result>): Panel<Result> {
  const show = range(host, explorer, {
    name: "h²",
    ends: [LOW, HIGH, 0.02],
    words: (square) => text(square),
    input(square) {
      const added = square - explorer.result.squaredHeight;
      if (!state.edited_distances.length) state.squared_height = square;
      else
        state.edited_distances = explorer.result.d.map((d) =>
          fourDigits(Math.sqrt(Math.max(0, d * d + added))),
        );
    },
  });
  return ({ squaredHeight }) => show(squaredHeight);
}

function render({ model, el }: RenderProps) {
  const part = writeExplorerHtml(el, HTML, "new-point");
  const map = mapOf(model.get("points"));
  const [state, explorer] = createExplorer<State, Result>({
    model,
    el,
    validators: {
      new_point: (value) => areNumbers(value, 2, -3.5, 3.5),
      squared_height: (value) => areNumbers([value], 1, LOW, HIGH),
      edited_distances: (value) => areNumbers(value, 0) || areNumbers(value, map.n, SHORTEST, 9),
    },
    unsavedFields: {},
    result: (state) => resultOf(state, map),
    hint: "Drag x, move the slider for h², or change a distance.",
    verdict: newPointVerdict,
  });
  return explorer.start([
    mapPanel(part("map"), state, explorer, map),
    distancePanel(part("distances"), state, explorer, map.n),
    heightPanel(part("side")),
    heightSlider(part("height"), state, explorer),
    listenToButtons(el, explorer, { preset: choosingOne(state, presetsFor(map)) }),
  ]);
}

export default { render, linksOmit: ["points"] };
