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
  multiplied,
  padColumns,
  shifted,
} from "../core/matrix.js";
import { procrustesAlign } from "../core/procrustes.js";
import { countSigns, rankTolerance } from "../core/spectrum.js";
import { buttonGroup, listenToButtons } from "../ui/buttons.js";
import { draggablePoints } from "../ui/handles.js";
import { plane } from "../ui/plane.js";
import { bindState, openPage, RESET } from "../ui/state.js";
import { appendText, setAttributes, svg } from "../ui/svg.js";
import { factRows } from "../ui/tables.js";
import { setText, tenth, text } from "../ui/text.js";
import { areNumbers, isLike, isListOf, isOneOf, isWhole, isWithin } from "../ui/validators.js";
import { VERDICT } from "../ui/verdict.js";

const UNIT = 100;
const REACH = [1.56, 1.31];
const [FEWEST, MOST] = [4, 20];
/** Eigenvalues nearer than this share of the larger are equal. */
const EQUAL = 1e-9;
const AXES = [0, 1];

/** PCA: mean, axes and variances from S = X'HX / n, and the scores along the axes. */
function fromVariables(X) {
  const n = X.length / 2;
  // Seen from the first point, equal points are zero without rounding.
  const centred = centredColumns(shifted(X, 2, X.subarray(0, 2)), 2);
  const [u, v] = AXES.map((axis) => columnOf(centred, 2, axis));
  const S = Float64Array.of(dot(u, u), dot(u, v), dot(v, u), dot(v, v)).map((sum) => sum / n);
  const { values, vectors } = eigenpairs(S, 2);
  const rank = values.filter((value) => value > rankTolerance(n) * values[0]).length;
  const scores = multiplied(centred, 2, vectors, 2).map((y, at) => (at % 2 < rank ? y : 0));
  return {
    mean: columnMeans(X, 2),
    axes: vectors,
    variances: values.map((v, r) => (r < rank ? v : 0)),
    rank,
    scores,
  };
}

/** Classical scaling: the principal coordinates and all eigenvalues of B, from distances alone. */
function fromDistances(D, n) {
  const fit = classicalScaling(D, n, 2);
  return { values: fit.spectrum(), scores: padColumns(fit.points, fit.columns, n, 2) };
}

/** Columns, each times a number. */
const times = (Y, signs) => Y.map((y, at) => y * signs[at % 2]);

/** For each column -1 where two tables point opposite ways, otherwise 1. */
function signsBetween(Y, Z) {
  return AXES.map((axis) => (dot(columnOf(Y, 2, axis), columnOf(Z, 2, axis)) < 0 ? -1 : 1));
}

/** How far two tables are apart: as they are, with the best signs, best turned. */
function gaps(Y, Z) {
  const apart = (A) => largestModulus(A.map((a, at) => a - Y[at]));
  return {
    asHandedIn: apart(Z),
    signsAside: apart(times(Z, signsBetween(Y, Z))),
    turned: apart(procrustesAlign(Z, 2, Y).points),
  };
}

/** Both computations; their signs are given, or follow what was shown `last`. */
export function bothComputations(points, { signs, agree }, last = null) {
  const X = fromRows(points);
  const n = points.length;
  const [first, second] = [fromVariables(X), fromDistances(distances(X, 2), n)];
  const own = last
    ? [...signsBetween(last.axes, first.axes), ...signsBetween(last.second, second.scores)]
    : signs;
  const [axes, scores] = [first.axes, first.scores].map((M) => times(M, own));
  const handed = times(second.scores, own.slice(2));
  const differ = signsBetween(scores, handed);
  const theirs = agree ? times(handed, differ) : handed;
  return {
    n,
    ...first,
    axes,
    scores,
    signs: own,
    handed,
    second: theirs,
    differ,
    values: second.values,
    zeros: n - countSigns(second.values).positive,
    gaps: gaps(scores, theirs),
    equal:
      first.rank === 2 && first.variances[0] - first.variances[1] <= EQUAL * first.variances[0],
  };
}

/** How far apart, in words; a small length by the power of ten that it stays below. */
function within(gap) {
  if (gap >= 0.005) return `${text(gap)} cm`;
  const power = String(Math.min(12, Math.floor(-Math.log10(gap))));
  return `less than 10⁻${power.replace(/./g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit])} cm`;
}

/** What the two have found, in words. */
function dualityVerdict(found, agree) {
  const { rank, equal, variances, n, differ } = found;
  const { asHandedIn, signsAside, turned } = found.gaps;
  if (rank === 0)
    return {
      head: "All points are one.",
      reason: "S and B are zero: there is no axis, and no score.",
    };
  if (equal) {
    const apart =
      `${within(asHandedIn)} apart, with the best signs ${within(signsAside)}, after ` +
      `one turn ${within(turned)}`;
    return {
      head: "λ₁ = λ₂: the axes are each program’s own choice.",
      reason: `The scores are ${apart}. Neither is wrong: no direction is the first axis.`,
    };
  }
  const lambdas = AXES.map((axis) => text(n * variances[axis], 4)).join(" and ");
  const close =
    variances[1] > 0.9 * variances[0]
      ? " They are close: a small step of one point turns the axes far."
      : "";
  const spectrum =
    rank === 2
      ? `The spectrum is one: the eigenvalues of nS and of B are ${lambdas} cm².${close}`
      : "The points lie on a line: the second eigenvalue is zero, and there is no axis 2.";
  const wrong = AXES.slice(0, rank)
    .filter((axis) => differ[axis] < 0)
    .map((axis) => `axis ${axis + 1}`);
  const which = wrong.length === 2 ? "both axes" : wrong[0];
  const apart = `${within(signsAside)} apart`;
  const [sign, that] = wrong.length === 2 ? ["signs", "both"] : ["sign", "it"];
  if (which && !agree)
    return {
      holds: true,
      head: `The same scores, but for the ${sign} of ${which}.`,
      reason: `With ${that} turned they are ${apart}. ${spectrum}`,
    };
  const are = that === "both" ? "are" : "is";
  const mirrored = which ? `, now that ${which} of the second ${are} mirrored` : "";
  return {
    holds: true,
    head: "The same scores.",
    reason: `They are ${apart}${mirrored}. ${spectrum}`,
  };
}

const SIGNS = { false: "signs as computed", true: "turned to agree" };
const MIRRORS = { 0: "mirror axis 1 of the second", 1: "mirror its axis 2" };
const PRESETS = {
  long: "a long cloud",
  round: "a round one",
  line: "on a line",
  outlier: "one outlier",
  irises: "irises",
};
const PAGE = `
  <p class="kx-question">Can two correct maps differ by more than a mirror?</p>
  <div class="kx-bar"
    style="--order:3">${buttonGroup("Points", "preset", PRESETS, "samples")}<span
      >${RESET}</span></div>
  <div class="kx-bar"
    style="--order:4">${buttonGroup("Signs", "agree", SIGNS, "modes")}
    ${buttonGroup("The map from distances", "turn", MIRRORS, "actions")}</div>
  ${VERDICT}
  <div class="kx-columns">
    <div class="kx-column">
    <section style="--order:1"><p class="kx-title">The measurements <small
      class="kx-control">drag a point</small></p>
    <div data-part="plane"></div></section>
    <section style="--order:5"><div class="kx-bar"><button type="button" data-chosen="next"
      class="kx-action">next point</button></div>
    <p class="kx-note">The ellipse of <i>S</i>, two standard deviations; grid lines are 1 cm
      apart.</p></section>
    </div>
    <div class="kx-column">
    <section style="--order:2"><p
      class="kx-title">Scores on axis 1 <small>a line joins the two of a point</small></p><div
        data-part="axis1"></div>
    <p class="kx-title kx-next">Scores on axis 2</p><div data-part="axis2"></div>
    <p class="kx-key"><span class="kx-first">PCA, from <i>S</i></span><span
      class="kx-second">classical scaling, from distances</span></p></section>
    <section style="--order:2">
    <table class="kx-list"><caption>Eigenvalues of both matrices</caption>
    <thead><tr><td></td><th scope="col">axis 1</th><th scope="col">axis 2</th></tr></thead>
    <tbody data-part="facts"></tbody></table><p class="kx-note" data-part="zeros"></p></section>
    </div>
  </div>`;

const FACTS = [
  ["<i>λ</i> of <i>nS</i> (cm²)", ({ variances, n }, axis) => text(n * variances[axis], 4)],
  ["<i>λ</i> of <i>B</i> (cm²)", ({ values }, axis) => text(values[axis], 4)],
  ["<i>λ</i>/<i>n</i>, of <i>S</i> (cm²)", ({ variances }, axis) => text(variances[axis], 4)],
];

/** The table of both spectra; returns a function that fills it. */
function factsTable(host, note) {
  const rows = factRows(
    host,
    FACTS.map(([name]) => name),
    2,
  );
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

/**
 * How far one can go from a place along a direction, and still write in the drawing of the plane.
 */
const roomFrom = (place, u) =>
  Math.min(
    ...AXES.map(
      (axis) => ([144, 120][axis] - Math.sign(u[axis]) * place[axis]) / Math.abs(u[axis] || 1e-9),
    ),
  );

/** An arrow along an axis, with its name; returns a function that draws it. */
function axisArrow(root, axis) {
  const arrow = svg(root, "path", { class: "kx-unit" });
  const name = svg(root, "text", { class: "kx-name" });
  return ([x, y], [ux, uy], half) => {
    const at = (along, aside) =>
      [x + along * ux - aside * uy, y + along * uy + aside * ux].map(tenth).join(" ");
    const wings = `M${at(half - 8, 5)}L${at(half, 0)} ${at(half - 8, -5)}`;
    setAttributes(arrow, { d: half ? `M${at(-half, 0)}L${at(half, 0)}${wings}` : "" });
    const room = roomFrom([x, y], [ux, uy]);
    setAttributes(name, {
      transform: `translate(${half + 12 > room ? at(room, 13) : at(half + 12, 0)})`,
    });
    name.textContent = half ? ["u₁", "u₂"][axis] : "";
  };
}

/** The points with mean, ellipse and axes; returns a function that draws them. */
function planePanel(host, state) {
  const drawing = plane(host, {
    width: 340,
    height: 290,
    unit: UNIT,
    label: "Points to drag, in centimetres",
  });
  const ellipse = svg(drawing.root, "ellipse", { class: "kx-ellipse" });
  const arrows = AXES.map((axis) => axisArrow(drawing.root, axis));
  const mean = svg(drawing.root, "path", { class: "kx-mean", d: "M-5-5L5 5M-5 5L5-5" });
  const said = () => ({ "aria-label": `point ${state.chosen + 1} of ${state.points.length}` });
  const { spots, place } = draggablePoints(drawing, MOST, state, said);
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

/** A path with a mark at each place. */
const marksAt = (pixels, mark) => ({
  d: pixels.map((at) => `M${at.map(tenth).join(" ")}${mark}`).join(""),
});

/** A path of lines. */
const linesAt = (starts, ends) => ({
  d: starts.map((at, i) => `M${[...at, ...ends[i]].map(tenth).join(" ")}`).join(""),
});

/** How the lines between two columns run, in words; `size` is that of all scores on show. */
function linesSay(Y, Z, size) {
  if (largestModulus(Y) === 0) return "All scores are zero.";
  if (Y.every((y, i) => Math.abs(y - Z[i]) < 1e-6 * size))
    return "All lines are upright: the scores agree.";
  if (Y.every((y, i) => Math.abs(y + Z[i]) < 1e-6 * size))
    return "All lines cross at zero: the signs disagree.";
  return "The lines cross in many places: the axes differ.";
}

/** Both scores on one axis, a row each; returns a function that draws them. */
function stripPanel(host, axis, state) {
  const root = svg(host, "svg", {
    viewBox: "-170 0 340 82",
    class: "kx-chart kx-frame",
    role: "img",
  });
  const [rule, links, link, dots, rings] = [
    "kx-rule",
    "kx-joined",
    "kx-joined kx-on",
    "kx-first",
    "kx-second",
  ].map((name) => svg(root, "path", { class: name }));
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
        `${linesSay(upper, lower, size)}`,
    });
  };
}

/** The buttons; returns a function that shows which are on. */
function buttonPanel(el, state, presets) {
  const begin = (points) =>
    Object.assign(state, { points, chosen: points.length - 1, signs: [1, 1, 1, 1], last: null });
  const mirror = (axis) => {
    if (state.agree) AXES.forEach((at) => (state.signs[2 + at] *= state.result.differ[at]));
    state.signs[2 + axis] *= -1;
    Object.assign(state, { agree: false, last: null });
  };
  return listenToButtons(el, state, {
    preset: [
      (name) => begin(structuredClone(presets[name])),
      (name) => isLike(state, { points: presets[name] }),
    ],
    agree: [(name) => (state.agree = name === "true"), (name) => String(state.agree) === name],
    turn: [(axis) => mirror(Number(axis))],
    chosen: [() => (state.chosen = (state.chosen + 1) % state.points.length)],
  });
}

const FITS = {
  points: isListOf(isWithin(REACH), FEWEST, MOST),
  chosen: (value, { points }) => isWhole(0, points.length - 1)(value),
  signs: (value) => areNumbers(value, 4) && value.every(isOneOf(1, -1)),
  agree: isOneOf(true, false),
};

function render({ model, el }) {
  const part = openPage(el, PAGE, "pca-vs-scaling");
  const state = {};
  const result = () => {
    const found = bothComputations(state.points, state, state.last);
    Object.assign(state, { signs: found.signs, last: { axes: found.axes, second: found.handed } });
    return found;
  };
  const panels = [
    planePanel(part("plane"), state),
    ...AXES.map((axis) => stripPanel(part(`axis${axis + 1}`), axis, state)),
    factsTable(part("facts"), part("zeros")),
    buttonPanel(el, state, model.get("presets")),
  ];
  const loaded = () =>
    Object.assign(state, { chosen: Math.min(state.chosen, state.points.length - 1), last: null });
  const words = () => dualityVerdict(state.result, state.agree);
  return bindState(state, { model, el, fits: FITS, loaded, result, panels, words });
}

export default { render, unlinked: ["presets"] };
