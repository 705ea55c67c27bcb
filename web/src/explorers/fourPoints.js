// Chapter 3: four points, their distance matrix and its Gram matrix.

import { eigenpairs } from "../core/eigenpairs.js";
import { gramFromDistances } from "../core/gram.js";
import { fromRows, toRows } from "../core/matrix.js";
import { fromPairs, pairsAmong } from "../core/pairs.js";
import { procrustesAlign } from "../core/procrustes.js";
import { buttonGroup, listenToButtons } from "../ui/buttons.js";
import { numberField } from "../ui/controls.js";
import { handle } from "../ui/handles.js";
import { plane } from "../ui/plane.js";
import { explorerOf, openExplorer, RESET } from "../ui/state.js";
import { appendText, setAttributes, svg } from "../ui/svg.js";
import { heat } from "../ui/tables.js";
import { hundredth, setText, text } from "../ui/text.js";
import { areNumbers, isListOf } from "../ui/validators.js";

/**
 * @typedef {object} State
 * @property {"all" | "distances"} show  the view
 * @property {number[][]} points
 * @property {number[]} distances  the six distances if one was edited, or empty
 */

const PAIRS = pairsAmong(4);
/** The size of the drawings and the pixels per unit. */
const [SIZE, UNIT] = [[340, 206], 42];

/** Largest distance that can be entered. */
export const LONGEST = 99;

const ROOT2 = Math.SQRT2;
/** A square, one with too long a diagonal, a centre too close to three corners, a folded square. */
export const PRESETS = {
  square: {
    points: [
      [-1, 1],
      [1, 1],
      [1, -1],
      [-1, -1],
    ],
  },
  violated: { lengths: [2, 5, 2, 2, 2 * ROOT2, 2] },
  triangles: { lengths: [2, 2, 1, 2, 1, 1] },
  folded: { lengths: [2, 2 * ROOT2, 2, 2, 2.2, 2] },
};

/** The name of the preset that a state shows, or null. */
function presetOf(points, lengths) {
  const same = (a, b) =>
    a.length === b.length && a.every((value, i) => Math.abs(value - b[i]) < 1e-12);
  const match = ([, preset]) =>
    preset.lengths
      ? same(lengths, preset.lengths)
      : lengths.length === 0 && same(points.flat(), preset.points.flat());
  return Object.entries(PRESETS).find(match)?.[0] ?? null;
}

const HINT = `Enter a number from 0 to ${LONGEST}.`;

function sixDistances(points) {
  return PAIRS.map(([i, j]) =>
    Math.hypot(points[i][0] - points[j][0], points[i][1] - points[j][1]),
  );
}

const matrix = (lengths) => toRows(fromPairs(lengths, 4), 4);

/** Return B, its eigenvalues and the map of classical scaling in the plane. */
export function scaling(lengths) {
  const B = gramFromDistances(fromPairs(lengths, 4), 4);
  const { values, vectors } = eigenpairs(B, 4);
  const roots = Array.from(values.slice(0, 2), (value) => Math.sqrt(Math.max(value, 0)));
  const map = toRows(vectors, 4).map((row) => roots.map((root, r) => root * row[r]));
  const tolerance = 1e-9 * Math.max(1e-12, ...values.map(Math.abs));
  const rounded = Array.from(values, (value) => (Math.abs(value) <= tolerance ? 0 : value));
  return { B: toRows(B, 4), values: rounded, map };
}

/** Return [i, j, k] for the most violated inequality d_ij <= d_ik + d_kj, or null. */
function violatedTriangle(lengths) {
  const D = matrix(lengths);
  let worst = { excess: 1e-9 * Math.max(...lengths), at: /** @type {number[] | null} */ (null) };
  for (const [i, j] of PAIRS) {
    for (let k = 0; k < 4; k++) {
      const excess = D[i][j] - D[i][k] - D[k][j];
      if (k !== i && k !== j && excess > worst.excess) worst = { excess, at: [i, j, k] };
    }
  }
  return worst.at;
}

/** Return the verdict on six distances; the view "distances" has no eigenvalues and no map. */
function distancesVerdict(lengths, values, show) {
  const isAll = show === "all";
  const lowest = Math.min(...values);
  if (lowest < 0) {
    const head = isAll
      ? `Not Euclidean: the smallest eigenvalue is ${text(lowest)}.`
      : "No points have these distances.";
    return { holds: false, head, reason: reasonAgainst(lengths) };
  }
  const dimensions = values.filter((value) => value > 0).length;
  const space = ["a single point", "a line", "the plane", "three dimensions"][dimensions];
  if (!isAll) return { holds: true, head: `Points in ${space} have these distances.`, reason: "" };
  const reason =
    dimensions < 3
      ? "The map has all six distances."
      : `Points in the plane cannot have them, and the map omits \u03bb\u2083 = ${text(values[2])}.`;
  return { holds: true, head: `Euclidean: points in ${space} have these distances.`, reason };
}

/** Return why no points have some distances. */
function reasonAgainst(lengths) {
  const violated = violatedTriangle(lengths);
  if (!violated)
    return "Every three points form a triangle, but the four triangles do not fit together.";
  const D = matrix(lengths);
  return (
    `The triangle inequality is violated: d${sub(violated, 0, 1)} = ` +
    `${text(D[violated[0]][violated[1]])} is larger than d${sub(violated, 0, 2)} + ` +
    `d${sub(violated, 2, 1)} = ${text(D[violated[0]][violated[2]] + D[violated[2]][violated[1]])}.`
  );
}

function sub(triple, a, b) {
  const digits = "\u2081\u2082\u2083\u2084";
  return digits[triple[a]] + digits[triple[b]];
}

/**
 * Return the map, rotated, reflected and translated onto the points and made small enough for the
 * drawing, and the factor by which it was reduced.
 */
function onto(map, points, drawing) {
  const rotated = toRows(procrustesAlign(fromRows(map), 2, fromRows(points)).points, 2);
  const over = drawing.reduction(rotated);
  return { placed: rotated.map((row) => row.map((v) => v / over)), over };
}

const NAMES = {
  square: "square",
  violated: "triangle inequality violated",
  triangles: "all triangles possible",
  folded: "folded square",
};
// The view "distances" has the points and their distances only.
const PAGE = `
  <div class="kx-columns">
    <div class="kx-column">
      <section class="kx-main kx-first"><p class="kx-title">Four points
        <small data-part="note"></small></p>
        <div data-part="points"></div>
        <div class="kx-bar">${buttonGroup("Examples", "preset", NAMES)}</div></section>
      <section data-show="all" style="--order:5"><p
        class="kx-title">Map by classical scaling</p>
        <div data-part="map"></div><p class="kx-note" data-part="error"></p></section>
    </div>
    <div class="kx-column">
      <section class="kx-main"><p class="kx-title"><span class="kx-distance">Distances
        <i>D</i></span></p>
        <table data-part="D"></table><div class="kx-bar kx-control"><p class="kx-note" data-part="typed"
          aria-live="polite">${HINT}</p><span>${RESET}</span></div></section>
      <section data-show="all"><p class="kx-title"><span
        class="kx-product"><i>B</i></span> = \u2212\u00bd <i>H</i> <i>D</i><sup>(2)</sup>
          <i>H</i></p>
        <table data-part="B"></table></section>
      <section class="kx-main kx-first" data-show="all"><p
        class="kx-title">Eigenvalues of <i>B</i> <small>two are kept for the map</small></p>
        <div class="kx-bars" data-part="bars"></div></section>
    </div>
  </div>`;

/** Return the HTML of a 4 by 4 table with numbered margins; `cell(i, j)` returns that of a cell. */
function grid(label, cell) {
  const index = [0, 1, 2, 3];
  const head = index.map((j) => `<th scope="col" class="kx-colour-${j}">${j + 1}</th>`).join("");
  const rows = index.map(
    (i) =>
      `<tr><th scope="row" ` +
      `class="kx-colour-${i}">${i + 1}</th>${index.map((j) => cell(i, j)).join("")}</tr>`,
  );
  const top = `<caption>${label}</caption><thead><tr><td></td>${head}</tr></thead>`;
  return `${top}<tbody>${rows.join("")}</tbody>`;
}

function distanceCell(i, j) {
  if (i === j) return "<td>0</td>";
  if (i > j) return `<td data-mirror="${j}${i}"></td>`;
  const name = `distance between points ${i + 1} and ${j + 1}`;
  return (
    `<td><input type="text" inputmode="decimal" autocomplete="off" data-pair="${i}${j}" ` +
    `aria-label="${name}"></td>`
  );
}

function quadrilateral(drawing, withDots) {
  const lines = PAIRS.map(() =>
    svg(drawing.root, "line", { class: "kx-edge", "aria-hidden": "true" }),
  );
  const dots = withDots
    ? [0, 1, 2, 3].map((i) => {
        const dot = svg(drawing.root, "g", { class: `kx-colour-${i}`, "aria-hidden": "true" });
        svg(dot, "circle", { r: 12, class: "kx-dot" });
        appendText(dot, i + 1, { class: "kx-mark" });
        return dot;
      })
    : [];
  return (points) => {
    const at = points.map(drawing.pixel);
    PAIRS.forEach(([i, j], pair) =>
      setAttributes(lines[pair], { x1: at[i][0], y1: at[i][1], x2: at[j][0], y2: at[j][1] }),
    );
    dots.forEach((dot, i) => setAttributes(dot, { transform: `translate(${at[i].join(" ")})` }));
  };
}

function spectrum(host) {
  host.innerHTML = ["\u2081", "\u2082", "\u2083", "\u2084"]
    .map(
      (digit) =>
        `<div><span>\u03bb${digit}</span><div class="kx-track"><b></b></div><em></em></div>`,
    )
    .join("");
  const rows = [...host.children];
  return (values) => {
    const high = Math.max(1, ...values);
    const low = Math.max(0.35 * high, -Math.min(...values));
    rows.forEach((row, i) => {
      const bar = row.querySelector("b");
      const [from, to] = [Math.min(values[i], 0), Math.max(values[i], 0)];
      bar.style.left = `${(100 * (from + low)) / (high + low)}%`;
      bar.style.width = `${(100 * (to - from)) / (high + low)}%`;
      row.style.setProperty("--zero", `${(100 * low) / (high + low)}%`);
      row.classList.toggle("kx-negative", values[i] < 0);
      row.classList.toggle("kx-discarded", values[i] >= 0 && i > 1);
      row.querySelector("em").textContent = text(values[i]);
    });
  };
}

function mapPanel(host, error) {
  const drawing = plane(host, SIZE, UNIT, "Map by classical scaling");
  const place = quadrilateral(drawing, true);
  return (map, lengths, points) => {
    const { placed, over } = onto(map, points, drawing);
    place(placed);
    const worst = Math.max(...sixDistances(map).map((d, pair) => Math.abs(d - lengths[pair])));
    const smaller = over > 1.005 ? ` The map is reduced by a factor of ${text(over, 1)}.` : "";
    setText(
      error,
      `Largest difference between a distance on the map and in D: ${text(worst)}.${smaller}`,
    );
  };
}

/** Write D, B, the eigenvalues and the map; return a function that shows a result. */
function viewOf(el, part, /** @type {State} */ state) {
  part("D").innerHTML = grid("Distances between the four points", distanceCell);
  part("B").innerHTML = grid(
    "Matrix B, which double centring yields",
    () => '<td class="kx-heat"></td>',
  );
  const cells = [...part("B").querySelectorAll(".kx-heat")];
  const bars = spectrum(part("bars"));
  const panel = mapPanel(part("map"), part("error"));
  return ({ lengths, B, values, map }) => {
    panel(map, lengths, state.points);
    heat(cells, B.flat(), Math.max(1e-12, ...B.flat().map(Math.abs)), "--kx-product");
    bars(values);
    PAIRS.forEach(([i, j], pair) => {
      const input = el.querySelector(`[data-pair="${i}${j}"]`);
      if (input !== document.activeElement) input.value = lengths[pair].toFixed(2);
      el.querySelector(`[data-mirror="${i}${j}"]`).textContent = text(lengths[pair]);
    });
  };
}

/** Append the points, which can be dragged; if distances were edited, it is their map. */
function pointsPanel(part, /** @type {State} */ state, explorer, actions) {
  let shown = [];
  const drawing = plane(part("points"), SIZE, UNIT, "Four points, which you can drag");
  const place = quadrilateral(drawing, false);
  const handles = [0, 1, 2, 3].map((i) =>
    handle(drawing, explorer, {
      name: `point ${i + 1}`,
      mark: String(i + 1),
      className: `kx-colour-${i}`,
      get: () => shown[i],
      move: (point) => actions.setPoints(shown.map((old, k) => (k === i ? point : old))),
    }),
  );
  return ({ map }) => {
    const edited = state.distances.length > 0;
    shown = edited
      ? onto(map, state.points, drawing).placed.map((row) => row.map(hundredth))
      : state.points;
    place(shown);
    handles.forEach((update) => update());
    part("note").textContent = edited ? "best map in the plane (classical scaling)" : "";
  };
}

const lengthsOf = ({ points, distances }) => (distances.length ? distances : sixDistances(points));

/** Return the functions that change the state; `writeNote` writes below the distances. */
function actionsOn(/** @type {State} */ state, explorer, writeNote) {
  return {
    writeNote,
    setPoints(points = state.points, distances = []) {
      Object.assign(state, { points, distances });
      writeNote(HINT);
    },
    enter(pair, number) {
      writeNote(HINT);
      state.distances = lengthsOf(state).map((d, k) => (k === pair ? number : d));
      explorer.draw();
      explorer.announce();
    },
  };
}

function listenToDistances(el, /** @type {State} */ state, explorer, { enter, writeNote }) {
  const current = () => lengthsOf(state);
  el.querySelectorAll("input").forEach((input, pair) =>
    numberField(input, explorer, {
      most: LONGEST,
      by: 0.1,
      get: () => current()[pair],
      shown: () => current()[pair].toFixed(2),
      accept: (number) => enter(pair, number),
      reject: (error) => writeNote(`${error} The distance remains ${text(current()[pair])}.`),
    }),
  );
}

function listenToPresets(el, /** @type {State} */ state, explorer, actions) {
  const choose = (name) => {
    const { points, lengths } = structuredClone(PRESETS[name]);
    actions.setPoints(points, lengths);
  };
  return listenToButtons(el, explorer, {
    preset: [choose, (name) => name === presetOf(state.points, state.distances)],
  });
}

const VALIDATORS = {
  points: isListOf((point) => areNumbers(point, 2, -LONGEST, LONGEST), 4, 4),
  distances: (value) => areNumbers(value, 0) || areNumbers(value, 6, 0, LONGEST),
};

function render({ model, el }) {
  const state = /** @type {State} */ ({ show: model.get("show") });
  const part = openExplorer(el, PAGE, "four-points", state.show);
  const explorer = explorerOf(state, {
    model,
    el,
    validators: VALIDATORS,
    loaded: () => actions.writeNote(HINT),
    result: () => ({ lengths: lengthsOf(state), ...scaling(lengthsOf(state)) }),
    hint: "Drag a point, or edit a distance.",
    verdict: ({ lengths, values }) => distancesVerdict(lengths, values, state.show),
  });
  const actions = actionsOn(state, explorer, (words) => (part("typed").textContent = words));
  const view = viewOf(el, part, state);
  listenToDistances(el, state, explorer, actions);
  return explorer.start([
    pointsPanel(part, state, explorer, actions),
    listenToPresets(el, state, explorer, actions),
    view,
  ]);
}

export default { render, notInLinks: ["show"] };
