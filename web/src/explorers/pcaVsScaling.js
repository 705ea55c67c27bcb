// Chapter 5: the scores from a covariance matrix and from distances.

import { classicalScaling } from "../core/classicalScaling.js";
import { eigenpairs } from "../core/eigenpairs.js";
import {
  centredColumns,
  columnMeans,
  columnOf,
  distances,
  dot,
  fromRows,
  largestModulus,
  matrixProduct,
  padColumns,
  shifted,
} from "../core/matrix.js";
import { procrustesAlign } from "../core/procrustes.js";
import { countSigns, rankTolerance } from "../core/spectrum.js";
import { buttonGroup, listenToButtons } from "../ui/buttons.js";
import { framedChart } from "../ui/charts.js";
import { draggablePoints } from "../ui/handles.js";
import { plane } from "../ui/plane.js";
import { explorerOf, openExplorer, RESET } from "../ui/state.js";
import { appendText, setAttributes, svg, svgPaths } from "../ui/svg.js";
import { factRows } from "../ui/tables.js";
import { capital, setText, tenth, text } from "../ui/text.js";
import { areNumbers, isLike, isListOf, isOneOf, isWhole, isWithin } from "../ui/validators.js";

/**
 * @typedef {object} State
 * @property {number[][]} points
 * @property {number} chosen  the index of the chosen point
 * @property {number[]} signs  the signs of both axes by PCA and by classical scaling
 * @property {boolean} agree  true if the signs of both maps are made equal
 * @property {any} last  the axes and the map before a point was moved, or null
 */

const UNIT = 100;
const MAX_COORDINATES = [1.56, 1.31];
const [FEWEST, MOST] = [4, 20];
/** Relative difference up to which two eigenvalues count as equal. */
const EQUAL = 1e-9;
const AXES = [0, 1];

/** Return mean, axes, variances and scores by PCA, from S = X'HX / n. */
function pca(X) {
  const n = X.length / 2;
  // Relative to the first point, equal points are exactly zero.
  const centred = centredColumns(shifted(X, 2, X.subarray(0, 2)), 2);
  const [u, v] = AXES.map((axis) => columnOf(centred, 2, axis));
  const S = Float64Array.of(dot(u, u), dot(u, v), dot(v, u), dot(v, v)).map((sum) => sum / n);
  const { values, vectors } = eigenpairs(S, 2);
  const rank = values.filter((value) => value > rankTolerance(n) * values[0]).length;
  const scores = matrixProduct(centred, 2, vectors, 2).map((y, at) => (at % 2 < rank ? y : 0));
  return {
    mean: columnMeans(X, 2),
    axes: vectors,
    variances: values.map((v, r) => (r < rank ? v : 0)),
    rank,
    scores,
  };
}

/** Return the principal coordinates and all eigenvalues of B by classical scaling. */
function scaleDistances(D, n) {
  const fit = classicalScaling(D, n, 2);
  return { values: fit.spectrum(), scores: padColumns(fit.points, fit.axesUsed, n, 2) };
}

const multiplyColumns = (Y, signs) => Y.map((y, at) => y * signs[at % 2]);

/** Return -1 for each column of two matrices with a negative inner product, otherwise 1. */
function signsBetween(Y, Z) {
  return AXES.map((axis) => (dot(columnOf(Y, 2, axis), columnOf(Z, 2, axis)) < 0 ? -1 : 1));
}

/** Return the largest difference: as computed, after sign changes, after a rotation. */
function differences(Y, Z) {
  const largest = (A) => largestModulus(A.map((a, at) => a - Y[at]));
  return {
    asComputed: largest(Z),
    withEqualSigns: largest(multiplyColumns(Z, signsBetween(Y, Z))),
    rotated: largest(procrustesAlign(Z, 2, Y).points),
  };
}

/** Compute both maps. Their signs are given, or agree with the `last` maps. */
export function computeBoth(points, { signs, agree }, /** @type {any} */ last = null) {
  const X = fromRows(points);
  const n = points.length;
  const [first, second] = [pca(X), scaleDistances(distances(X, 2), n)];
  const own = last
    ? [...signsBetween(last.axes, first.axes), ...signsBetween(last.second, second.scores)]
    : signs;
  const [axes, scores] = [first.axes, first.scores].map((M) => multiplyColumns(M, own));
  const computed = multiplyColumns(second.scores, own.slice(2));
  const differ = signsBetween(scores, computed);
  const shown = agree ? multiplyColumns(computed, differ) : computed;
  return {
    n,
    ...first,
    axes,
    scores,
    signs: own,
    computed,
    second: shown,
    differ,
    values: second.values,
    zeros: n - countSigns(second.values).positive,
    differences: differences(scores, shown),
    equal:
      first.rank === 2 && first.variances[0] - first.variances[1] <= EQUAL * first.variances[0],
  };
}

/** Return a length as text; a small one by the power of ten that it is below. */
function lengthText(length) {
  if (length >= 0.005) return `${text(length)} cm`;
  const power = String(Math.min(12, Math.floor(-Math.log10(length))));
  return `less than 10⁻${power.replace(/./g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit])} cm`;
}

/** Return the verdict if no direction is the first axis. */
function equalEigenvaluesVerdict({ asComputed, withEqualSigns, rotated }) {
  const reason =
    `The scores differ by up to ${lengthText(asComputed)}, with the best signs by ` +
    `${lengthText(withEqualSigns)}, and after a rotation by ${lengthText(rotated)}. Both maps ` +
    "are correct.";
  return { head: "λ₁ = λ₂: the axes are not unique.", reason };
}

/** Return what is special about the eigenvalues, as a sentence. */
function eigenvaluesText({ rank, variances, n }) {
  if (rank === 1) return "The points lie on a line, so the second eigenvalue is zero.";
  const lambdas = AXES.map((axis) => text(n * variances[axis], 4)).join(" and ");
  const areClose = variances[1] > 0.9 * variances[0];
  const warning = areClose ? " They are close, so moving a point can rotate the axes far." : "";
  return `Both nS and B have the eigenvalues ${lambdas} cm².${warning}`;
}

function scoresVerdict(found, agree) {
  const { rank, equal, differ } = found;
  if (rank === 0)
    return { head: "All points coincide.", reason: "S and B are zero, so there are no axes." };
  if (equal) return equalEigenvaluesVerdict(found.differences);
  const opposite = AXES.slice(0, rank).filter((axis) => differ[axis] < 0);
  const which = opposite.length === 2 ? "both axes" : `axis ${opposite[0] + 1}`;
  const difference = `they differ by ${lengthText(found.differences.withEqualSigns)}`;
  const eigenvalues = eigenvaluesText(found);
  if (opposite.length && !agree) {
    const head = `The scores are equal up to the sign of ${which}.`;
    return { holds: true, head, reason: `With equal signs, ${difference}. ${eigenvalues}` };
  }
  const change = opposite.length ? `After a change of sign on ${which}, ` : "";
  const reason = `${capital(`${change}${difference}`)}. ${eigenvalues}`;
  return { holds: true, head: "The scores are equal.", reason };
}

const SIGNS = { false: "signs as computed", true: "equal signs" };
const FLIPS = { 0: "flip axis 1 (B)", 1: "flip axis 2 (B)" };
const PRESETS = {
  unequal: "unequal variances",
  equal: "equal variances",
  line: "on a line",
  outlier: "with an outlier",
  irises: "irises",
};

const PAGE = `
  <div class="kx-columns">
    <div class="kx-column">
    <section class="kx-main"><p class="kx-title">Measurements <small
      class="kx-control">drag a point</small></p>
    <div data-part="plane"></div>
    <div class="kx-bar">${buttonGroup("Points", "preset", PRESETS)}
      <span>${RESET}</span></div>
    </section>
    <section style="--order:6"><div class="kx-bar"><button type="button"
      data-chosen="next">next point</button></div>
    <p class="kx-note">The half-axes of the ellipse are two standard deviations. The grid lines are
      1 cm apart.</p></section>
    </div>
    <div class="kx-column">
    <section class="kx-main"><p
      class="kx-title">Scores on axis 1 <small>lines join equal points</small></p><div
        data-part="axis1"></div>
    <p class="kx-title kx-next">Scores on axis 2</p><div data-part="axis2"></div>
    <p class="kx-key"><span class="kx-first">PCA, from <i>S</i></span><span
      class="kx-second">classical scaling, from distances</span></p></section>
    <section class="kx-main kx-control"><div
      class="kx-bar">${buttonGroup("Signs", "agree", SIGNS, "modes")}</div>
      <div class="kx-bar">${buttonGroup("Scores from distances", "flip", FLIPS)}</div></section>
    <section style="--order:5">
    <table class="kx-list"><caption>Eigenvalues of both matrices</caption>
    <thead><tr><td></td><th scope="col">axis 1</th><th scope="col">axis 2</th></tr></thead>
    <tbody data-part="facts"></tbody></table><p class="kx-note" data-part="zeros"></p></section>
    </div>
  </div>`;

/** @type {[string, (found: any, axis: number) => string][]} */
const FACTS = [
  ["<i>λ</i> of <i>nS</i> (cm²)", ({ variances, n }, axis) => text(n * variances[axis], 4)],
  ["<i>λ</i> of <i>B</i> (cm²)", ({ values }, axis) => text(values[axis], 4)],
  ["<i>λ</i> of <i>S</i> (cm²)", ({ variances }, axis) => text(variances[axis], 4)],
];

function factsTable(host, note) {
  const rows = factRows(host, FACTS, 2);
  return (found) => {
    FACTS.forEach(([, value], row) =>
      AXES.forEach((axis) => (rows[row][axis + 1].textContent = value(found, axis))),
    );
    setText(
      note,
      `S is 2 × 2. B is ${found.n} × ${found.n}, and ${found.zeros} of its eigenvalues are zero.`,
    );
  };
}

/** Return the distance from a place along a direction to the edge of the drawing. */
const distanceToEdge = (place, u) =>
  Math.min(
    ...[144, 120].map((edge, i) => (edge - Math.sign(u[i]) * place[i]) / Math.abs(u[i] || 1e-9)),
  );

function axisArrow(root, axis) {
  const arrow = svg(root, "path", { class: "kx-unit" });
  const name = svg(root, "text", { class: "kx-name" });
  return (place, direction, half) => {
    const [[x, y], [ux, uy]] = [place, direction];
    const at = (along, aside) =>
      [x + along * ux - aside * uy, y + along * uy + aside * ux].map(tenth).join(" ");
    const wings = `M${at(half - 8, 5)}L${at(half, 0)} ${at(half - 8, -5)}`;
    setAttributes(arrow, { d: half ? `M${at(-half, 0)}L${at(half, 0)}${wings}` : "" });
    const room = distanceToEdge([x, y], [ux, uy]);
    setAttributes(name, {
      transform: `translate(${half + 12 > room ? at(room, 13) : at(half + 12, 0)})`,
    });
    name.textContent = half ? ["u₁", "u₂"][axis] : "";
  };
}

function planePanel(host, /** @type {State} */ state, explorer) {
  const drawing = plane(host, [340, 290], UNIT, "Points that can be dragged, in centimetres");
  const ellipse = svg(drawing.root, "ellipse", { class: "kx-ellipse" });
  const arrows = AXES.map((axis) => axisArrow(drawing.root, axis));
  const mean = svg(drawing.root, "path", { class: "kx-mean", d: "M-5-5L5 5M-5 5L5-5" });
  const { spots, place } = draggablePoints(drawing, MOST, state, explorer, {
    attributes: () => ({ "aria-label": `point ${state.chosen + 1} of ${state.points.length}` }),
    spoken: ([x, y]) => `x ${text(x)} cm, y ${text(y)} cm`,
  });
  return ({ mean: middle, axes, variances, n }) => {
    const center = drawing.pixel(middle);
    const [rx, ry] = Array.from(variances, (nu) => tenth(2 * UNIT * Math.sqrt(nu)));
    const transform = `translate(${center.map(tenth)})`;
    const angle = (-180 * Math.atan2(axes[2], axes[0])) / Math.PI;
    setAttributes(ellipse, { rx, ry, transform: `${transform} rotate(${tenth(angle)})` });
    setAttributes(mean, { transform });
    arrows.forEach((arrow, axis) => arrow(center, [axes[axis], -axes[2 + axis]], axis ? ry : rx));
    spots.forEach((spot, i) => setAttributes(spot, { display: i < n ? "inline" : "none" }));
    place(state.points.map(drawing.pixel));
  };
}

const RING = "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0";

const marksAt = (pixels, mark) => ({
  d: pixels.map((at) => `M${at.map(tenth).join(" ")}${mark}`).join(""),
});

const linesAt = (starts, ends) => ({
  d: starts.map((at, i) => `M${[...at, ...ends[i]].map(tenth).join(" ")}`).join(""),
});

/** Describe the lines between the scores Y and Z, of which `size` is the largest. */
function describeLines(Y, Z, size) {
  if (largestModulus(Y) === 0) return "All scores are zero.";
  if (Y.every((y, i) => Math.abs(y - Z[i]) < 1e-6 * size))
    return "All lines are vertical: the scores are equal.";
  if (Y.every((y, i) => Math.abs(y + Z[i]) < 1e-6 * size))
    return "All lines cross at zero: the scores have opposite signs.";
  return "The lines cross in many places: the axes are different.";
}

function stripPanel(host, axis, /** @type {State} */ state) {
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
    const [above, below] = [upper.map((y) => [unit * y, 22]), lower.map((y) => [unit * y, 60])];
    setAttributes(rule, {
      d: `M0 0V82${[-1, 1].map((cm) => `M${tenth(cm * unit)} 16V66`).join("")}`,
    });
    setAttributes(links, linesAt(above, below));
    setAttributes(link, linesAt([above[state.chosen]], [below[state.chosen]]));
    setAttributes(dots, marksAt(above, "h0"));
    setAttributes(rings, marksAt(below, RING));
    setAttributes(root, {
      "aria-label":
        `Scores on axis ${axis + 1}: from S above, from B below. ` +
        `${describeLines(upper, lower, size)}`,
    });
  };
}

function buttonPanel(el, /** @type {State} */ state, explorer, presets) {
  const showPoints = (points) =>
    Object.assign(state, { points, chosen: points.length - 1, signs: [1, 1, 1, 1], last: null });
  const flip = (axis) => {
    if (state.agree) AXES.forEach((at) => (state.signs[2 + at] *= explorer.result.differ[at]));
    state.signs[2 + axis] *= -1;
    Object.assign(state, { agree: false, last: null });
  };
  return listenToButtons(el, explorer, {
    preset: [
      (name) => showPoints(structuredClone(presets[name])),
      (name) => isLike(state, { points: presets[name] }),
    ],
    agree: [(name) => (state.agree = name === "true"), (name) => String(state.agree) === name],
    flip: [(axis) => flip(Number(axis))],
    chosen: [() => (state.chosen = (state.chosen + 1) % state.points.length)],
  });
}

const VALIDATORS = {
  points: isListOf(isWithin(MAX_COORDINATES), FEWEST, MOST),
  chosen: (value, { points }) => isWhole(0, points.length - 1)(value),
  signs: (value) => areNumbers(value, 4) && value.every(isOneOf(1, -1)),
  agree: isOneOf(true, false),
};

function render({ model, el }) {
  const part = openExplorer(el, PAGE, "pca-vs-scaling");
  const state = /** @type {State} */ ({});
  const result = () => {
    const found = computeBoth(state.points, state, state.last);
    Object.assign(state, {
      signs: found.signs,
      last: { axes: found.axes, second: found.computed },
    });
    return found;
  };
  const loaded = () =>
    Object.assign(state, { chosen: Math.min(state.chosen, state.points.length - 1), last: null });
  const explorer = explorerOf(state, {
    model,
    el,
    validators: VALIDATORS,
    loaded,
    result,
    hint: "Drag a point, choose other points, or flip an axis.",
    opening: eigenvaluesText,
    verdict: (found) => scoresVerdict(found, state.agree),
  });
  return explorer.start([
    planePanel(part("plane"), state, explorer),
    ...AXES.map((axis) => stripPanel(part(`axis${axis + 1}`), axis, state)),
    factsTable(part("facts"), part("zeros")),
    buttonPanel(el, state, explorer, model.get("presets")),
  ]);
}

export default { render, notInLinks: ["presets"] };
