// Chapter 5: the scores from a covariance matrix and from distances.

import { columnOf, largestModulus, type Point } from "../core/matrix.ts";
import { buttonGroup, listenToButtons } from "../ui/buttons.ts";
import { framedChart } from "../ui/charts.ts";
import { draggablePoints } from "../ui/handles.ts";
import { plane } from "../ui/plane.ts";
import type { Explorer, Panel, RenderProps, Validators } from "../ui/state.ts";
import { createExplorer, writeExplorerHtml } from "../ui/state.ts";
import { appendText, setAttributes, svg, svgPaths } from "../ui/svg.ts";
import { factRows } from "../ui/tables.ts";
import { setText, tenth, text } from "../ui/text.ts";
import { areNumbers, hasValues, isListOf, isOneOf, isWhole, isWithin } from "../ui/validators.ts";
import type { Result, State } from "./pcaVsScalingModel.ts";
import { AXES, computeBoth, scoresVerdict } from "./pcaVsScalingModel.ts";

const UNIT = 100;
const MAX_COORDINATES = [1.56, 1.31];
const [FEWEST, MOST] = [4, 20];

const SIGNS = { false: "signs as computed", true: "equal signs" };
const FLIPS = { 0: "flip axis 1 (B)", 1: "flip axis 2 (B)" };
type Presets = Record<string, Point[]>;
const PRESETS = {
  unequal: "unequal variances",
  equal: "equal variances",
  line: "on a line",
  outlier: "with an outlier",
  irises: "irises",
};

const HTML = `
  <div class="kx-columns">
    <div class="kx-column">
    <section class="kx-always kx-above-verdict">
    <p class="kx-title">Measurements <small class="kx-control">drag a point</small></p>
    <div data-part="plane"></div>
    <div class="kx-bar">${buttonGroup("Points", "preset", PRESETS)}</div>
    </section>
    <section style="--order:6">
    <div class="kx-bar"><button type="button" data-chosen="next">next point</button></div>
    <p class="kx-note">The half-axes of the ellipse are two standard deviations. The grid lines are
      1 cm apart.</p></section>
    </div>
    <div class="kx-column">
    <section class="kx-always">
    <p class="kx-title">Scores on axis 1 <small>lines join equal points</small></p>
    <div data-part="axis1"></div>
    <p class="kx-title kx-next">Scores on axis 2</p><div data-part="axis2"></div>
    <p class="kx-key"><span class="kx-first">PCA, from <i>S</i></span>
      <span class="kx-second">classical scaling, from distances</span></p>
      <div class="kx-bar kx-control">${buttonGroup("Signs", "agree", SIGNS, "modes")}</div>
      <div class="kx-bar kx-control">${buttonGroup("Scores from distances", "flip", FLIPS)}</div></section>
    <section style="--order:5">
    <table class="kx-list"><caption>Eigenvalues of both matrices</caption>
    <thead><tr><td></td><th scope="col">axis 1</th><th scope="col">axis 2</th></tr></thead>
    <tbody data-part="facts"></tbody></table><p class="kx-note" data-part="zeros"></p></section>
    </div>
  </div>`;

const FACTS: [string, (result: Result, axis: number) => string][] = [
  ["<i>λ</i> of <i>nS</i> (cm²)", ({ variances, n }, axis) => text(n * variances[axis], 4)],
  ["<i>λ</i> of <i>B</i> (cm²)", ({ values }, axis) => text(values[axis], 4)],
  ["<i>λ</i> of <i>S</i> (cm²)", ({ variances }, axis) => text(variances[axis], 4)],
];

function factsTable(host: Element, note: Element): Panel<Result> {
  const rows = factRows(host, FACTS, 2);
  return (result) => {
    FACTS.forEach(([, value], row) =>
      AXES.forEach((axis) => (rows[row][axis + 1].textContent = value(result, axis))),
    );
    const { n, zeros } = result;
    setText(note, `S is 2 × 2. B is ${n} × ${n}, and ${zeros} of its eigenvalues are zero.`);
  };
}

/** Return the distance from a place along a direction to the edge of the drawing. */
const distanceToEdge = (place: Point, u: Point) =>
  Math.min(
    ...[144, 120].map((edge, i) => (edge - Math.sign(u[i]) * place[i]) / Math.abs(u[i] || 1e-9)),
  );

function axisArrow(root: Element, axis: number) {
  const arrow = svg(root, "path", { class: "kx-unit" });
  const name = svg(root, "text", { class: "kx-name" });
  return (place: Point, direction: Point, half: number) => {
    const [[x, y], [ux, uy]] = [place, direction];
    const xy = (along: number, aside: number) =>
      [x + along * ux - aside * uy, y + along * uy + aside * ux].map(tenth).join(" ");
    const wings = `M${xy(half - 8, 5)}L${xy(half, 0)} ${xy(half - 8, -5)}`;
    setAttributes(arrow, { d: half ? `M${xy(-half, 0)}L${xy(half, 0)}${wings}` : "" });
    const room = distanceToEdge([x, y], [ux, uy]);
    const end = half + 12 > room ? xy(room, 13) : xy(half + 12, 0);
    setAttributes(name, { transform: `translate(${end})` });
    name.textContent = half ? ["u₁", "u₂"][axis] : "";
  };
}

function planePanel(host: Element, state: State, explorer: Explorer): Panel<Result> {
  const drawing = plane(host, [340, 290], UNIT, "Points that can be dragged, in centimetres");
  const ellipse = svg(drawing.root, "ellipse", { class: "kx-ellipse" });
  const arrows = AXES.map((axis) => axisArrow(drawing.root, axis));
  const mean = svg(drawing.root, "path", { class: "kx-mean", d: "M-5-5L5 5M-5 5L5-5" });
  const { spots, drawDots } = draggablePoints(drawing, MOST, state, explorer, {
    attributes: () => ({ "aria-label": `point ${state.chosen + 1} of ${state.points.length}` }),
    spoken: ([x, y]) => `x ${text(x)} cm, y ${text(y)} cm`,
  });
  return ({ mean: middle, axes, variances, n }) => {
    const center = drawing.pixel([middle[0], middle[1]]);
    const [rx, ry] = Array.from(variances, (nu) => tenth(2 * UNIT * Math.sqrt(nu)));
    const transform = `translate(${center.map(tenth)})`;
    const angle = (-180 * Math.atan2(axes[2], axes[0])) / Math.PI;
    setAttributes(ellipse, { rx, ry, transform: `${transform} rotate(${tenth(angle)})` });
    setAttributes(mean, { transform });
    arrows.forEach((arrow, axis) => arrow(center, [axes[axis], -axes[2 + axis]], axis ? ry : rx));
    spots.forEach((spot, i) => setAttributes(spot, { display: i < n ? "inline" : "none" }));
    drawDots(state.points.map(drawing.pixel));
  };
}

const RING = "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0";

const marksAt = (pixels: Point[], mark: string) => ({
  d: pixels.map((pixel) => `M${pixel.map(tenth).join(" ")}${mark}`).join(""),
});

const linesAt = (starts: Point[], ends: Point[]) => ({
  d: starts.map((start, i) => `M${[...start, ...ends[i]].map(tenth).join(" ")}`).join(""),
});

/** Describe the lines between the scores Y and Z, of which `size` is the largest. */
function describeLines(Y: number[], Z: number[], size: number) {
  if (largestModulus(Y) === 0) return "All scores are zero.";
  if (Y.every((y, i) => Math.abs(y - Z[i]) < 1e-6 * size))
    return "All lines are vertical: the scores are equal.";
  if (Y.every((y, i) => Math.abs(y + Z[i]) < 1e-6 * size))
    return "All lines cross at zero: the scores have opposite signs.";
  return "The lines cross in many places: the axes are different.";
}

function stripPanel(host: Element, axis: number, state: State): Panel<Result> {
  const root = framedChart(host, 340, 82, 0);
  const kinds = ["kx-rule", "kx-joined", "kx-joined kx-selected", "kx-first", "kx-second"];
  const [rule, links, link, dots, rings] = svgPaths(root, kinds);
  ["from S", "from B"].forEach((words, row) =>
    appendText(root, words, { x: -164, y: row ? 78 : 12 }),
  );
  return ({ scores, second }) => {
    const size = Math.max(...[scores, second].map(largestModulus));
    const unit = Math.min(UNIT, 160 / (size || 1));
    const [upper, lower] = [scores, second].map((M) => Array.from(columnOf(M, 2, axis)));
    const placeAt =
      (down: number) =>
      (y: number): Point => [unit * y, down];
    const [above, below] = [upper.map(placeAt(22)), lower.map(placeAt(60))];
    const marks = [-1, 1].map((cm) => `M${tenth(cm * unit)} 16V66`);
    setAttributes(rule, { d: `M0 0V82${marks.join("")}` });
    setAttributes(links, linesAt(above, below));
    setAttributes(link, linesAt([above[state.chosen]], [below[state.chosen]]));
    setAttributes(dots, marksAt(above, "h0"));
    setAttributes(rings, marksAt(below, RING));
    const words =
      `Scores on axis ${axis + 1}: from S above, from B below. ` +
      `${describeLines(upper, lower, size)}`;
    setAttributes(root, { "aria-label": words });
  };
}

function buttonPanel(el: Element, state: State, explorer: Explorer<Result>, presets: Presets) {
  const showPoints = (points: Point[]) =>
    Object.assign(state, { points, chosen: points.length - 1, signs: [1, 1, 1, 1], last: null });
  const flip = (axis: number) => {
    if (state.agree) AXES.forEach((k) => (state.signs[2 + k] *= explorer.result.differ[k]));
    state.signs[2 + axis] *= -1;
    Object.assign(state, { agree: false, last: null });
  };
  return listenToButtons(el, explorer, {
    preset: [
      (name) => showPoints(structuredClone(presets[name])),
      (name) => hasValues(state, { points: presets[name] }),
    ],
    agree: [(name) => (state.agree = name === "true"), (name) => String(state.agree) === name],
    flip: [(axis) => flip(Number(axis))],
    chosen: [() => (state.chosen = (state.chosen + 1) % state.points.length)],
  });
}

type Saved = Omit<State, "last">;
const VALIDATORS: Validators<Saved> = {
  points: isListOf(isWithin(MAX_COORDINATES), FEWEST, MOST),
  chosen: (value, { points }) => isWhole(0, points.length - 1)(value),
  signs: (value) => areNumbers(value, 4) && value.every(isOneOf(1, -1)),
  agree: isOneOf(true, false),
};

function render({ model, el }: RenderProps) {
  const part = writeExplorerHtml(el, HTML, "pca-vs-scaling");
  const result = (state: State) => {
    const both = computeBoth(state.points, state, state.last);
    state.signs = both.signs;
    state.last = { axes: both.axes, second: both.computed };
    return both;
  };
  const loaded = (state: State) => {
    state.chosen = Math.min(state.chosen, state.points.length - 1);
    state.last = null;
  };
  const [state, explorer] = createExplorer<State, Result, Saved>({
    model,
    el,
    validators: VALIDATORS,
    unsavedFields: { last: null },
    loaded,
    result,
    hint: "Drag a point, choose other points, or flip an axis.",
    verdict: (both, { agree }) => scoresVerdict(both, agree),
  });
  return explorer.start([
    planePanel(part("plane"), state, explorer),
    ...AXES.map((axis) => stripPanel(part(`axis${axis + 1}`), axis, state)),
    factsTable(part("facts"), part("zeros")),
    buttonPanel(el, state, explorer, model.get("presets")),
  ]);
}

export default { render, linksOmit: ["presets"] };
