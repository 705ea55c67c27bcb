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
import { bindState, openPage, RESET } from "../ui/state.js";
import { appendText, setAttributes, svg } from "../ui/svg.js";
import { heat } from "../ui/tables.js";
import { setText, text } from "../ui/text.js";
import { areNumbers, isListOf } from "../ui/validators.js";
import { VERDICT } from "../ui/verdict.js";

const PAIRS = pairsAmong(4);

/** Largest distance that the table takes. */
export const LONGEST = 99;

const ROOT2 = Math.SQRT2;
/** A square; one diagonal too long; three corners and a centre too near; the square folded. */
export const PRESETS = {
  square: {
    points: [
      [-1, 1],
      [1, 1],
      [1, -1],
      [-1, -1],
    ],
  },
  broken: { table: [2, 5, 2, 2, 2 * ROOT2, 2] },
  star: { table: [2, 2, 1, 2, 1, 1] },
  space: { table: [2, 2 * ROOT2, 2, 2, 2.2, 2] },
};

/** The name of the preset that a state shows, or null. */
function presetOf(points, table) {
  const same = (a, b) =>
    a.length === b.length && a.every((value, i) => Math.abs(value - b[i]) < 1e-12);
  const match = ([, preset]) =>
    preset.table
      ? same(table, preset.table)
      : table.length === 0 && same(points.flat(), preset.points.flat());
  return Object.entries(PRESETS).find(match)?.[0] ?? null;
}

const HINT = `Numbers from 0 to ${LONGEST}, with a point or a comma.`;

/** The six distances between four points, in the order of PAIRS. */
function sixDistances(points) {
  return PAIRS.map(([i, j]) =>
    Math.hypot(points[i][0] - points[j][0], points[i][1] - points[j][1]),
  );
}

/** Rows of the symmetric matrix of distances from its six entries. */
const matrix = (table) => toRows(fromPairs(table, 4), 4);

/** B, its eigenvalues and the map of classical scaling in the plane. */
export function scaling(table) {
  const B = gramFromDistances(fromPairs(table, 4), 4);
  const { values, vectors } = eigenpairs(B, 4);
  const roots = Array.from(values.slice(0, 2), (value) => Math.sqrt(Math.max(value, 0)));
  const map = toRows(vectors, 4).map((row) => roots.map((root, r) => root * row[r]));
  const tolerance = 1e-9 * Math.max(1e-12, ...values.map(Math.abs));
  const rounded = Array.from(values, (value) => (Math.abs(value) <= tolerance ? 0 : value));
  return { B: toRows(B, 4), values: rounded, map };
}

/** The worst broken triangle inequality, as [i, j, k] with d_ij > d_ik + d_kj, or null. */
function brokenTriangle(table) {
  const D = matrix(table);
  let worst = { excess: 1e-9 * Math.max(...table), at: null };
  for (const [i, j] of PAIRS) {
    for (let k = 0; k < 4; k++) {
      const excess = D[i][j] - D[i][k] - D[k][j];
      if (k !== i && k !== j && excess > worst.excess) worst = { excess, at: [i, j, k] };
    }
  }
  return worst.at;
}

/** What the table is: a verdict and a sentence about it. */
export function verdict(table, values) {
  const lowest = Math.min(...values);
  if (lowest < 0) {
    const broken = brokenTriangle(table);
    const D = matrix(table);
    const reason = broken
      ? `The way round is shorter: d${sub(broken, 0, 1)} = ${text(D[broken[0]][broken[1]])} ` +
        `is more than d${sub(broken, 0, 2)} + d${sub(broken, 2, 1)} = ` +
        `${text(D[broken[0]][broken[2]] + D[broken[2]][broken[1]])}.`
      : "All its triangles are possible, and still no points in any space have these distances.";
    return { holds: false, head: `Not Euclidean: eigenvalue ${text(lowest)}.`, reason };
  }
  const dimensions = values.filter((value) => value > 0).length;
  const names = ["no dimension", "one dimension", "two dimensions", "three dimensions"];
  const head = `Euclidean, in ${names[dimensions]}: no eigenvalue is negative.`;
  if (dimensions < 3) return { holds: true, head, reason: "The map keeps all six distances." };
  return {
    holds: true,
    head,
    reason:
      `No four points in the plane have these distances. The map leaves \u03bb\u2083 = ` +
      `${text(values[2])} out.`,
  };
}

/** Subscript digits of a pair of point numbers. */
function sub(triple, a, b) {
  const digits = "\u2081\u2082\u2083\u2084";
  return digits[triple[a]] + digits[triple[b]];
}

/** The map, turned, mirrored and moved onto the points. */
const onto = (map, points) => toRows(procrustesAlign(fromRows(map), 2, fromRows(points)).points, 2);

const NAMES = {
  square: "square",
  broken: "triangle inequality broken",
  star: "triangles hold, not Euclidean",
  space: "Euclidean, but 3-D",
};
const PAGE = `
  <p class="kx-question">Which tables of six distances have points, and in how many dimensions?</p>
  <div class="kx-bar"
    style="--order:4">${buttonGroup("Presets", "preset", NAMES, "samples")}<span
      >${RESET}</span></div>
  ${VERDICT}
  <div class="kx-columns">
    <div class="kx-column">
      <section style="--order:1"><p class="kx-title">Four points <small
        class="kx-control">drag, or use the arrow keys</small></p>
        <div data-part="points"></div><p class="kx-note" data-part="note"></p></section>
      <section style="--order:6"><p
        class="kx-title">Map by classical scaling <small>turned onto the points</small></p>
        <div data-part="map"></div><p class="kx-note" data-part="error"></p></section>
    </div>
    <div class="kx-column">
      <section style="--order:3"><p class="kx-title"><span class="kx-distance">Distances
        <i>D</i></span> <small class="kx-control">edit a number</small></p>
        <table data-part="D"></table><p class="kx-note kx-control" data-part="typed"
          aria-live="polite" style="min-height: 2.8em">${HINT}</p></section>
      <section style="--order:5"><p class="kx-title"><span
        class="kx-product"><i>B</i></span> = \u2212\u00bd <i>H</i> <i>D</i><sup>(2)</sup>
          <i>H</i></p>
        <table data-part="B"></table></section>
      <section style="--order:2"><p
        class="kx-title">Eigenvalues of <i>B</i> <small>two are kept for the map</small></p>
        <div class="kx-bars" data-part="bars"></div></section>
    </div>
  </div>`;

/** Rows of a 4 by 4 table with numbered margins; `cell(i, j)` gives the inside of a cell. */
function grid(label, cell) {
  const index = [0, 1, 2, 3];
  const head = index.map((j) => `<th scope="col" class="kx-p${j}">${j + 1}</th>`).join("");
  const rows = index.map(
    (i) =>
      `<tr><th scope="row" ` +
      `class="kx-p${i}">${i + 1}</th>${index.map((j) => cell(i, j)).join("")}</tr>`,
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

/** Four dots joined by lines; returns a function that places them. */
function quadrilateral(drawing, withDots) {
  const lines = PAIRS.map(() =>
    svg(drawing.root, "line", { class: "kx-edge", "aria-hidden": "true" }),
  );
  const dots = withDots
    ? [0, 1, 2, 3].map((i) => {
        const dot = svg(drawing.root, "g", { class: `kx-p${i}`, "aria-hidden": "true" });
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

/** Signed bars with their numbers; returns a function that sets them. */
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

/** The panel of the map; returns a function that draws it and the error it leaves. */
function mapPanel(host, error) {
  const drawing = plane(host, {
    width: 340,
    height: 206,
    unit: 42,
    label: "Map by classical scaling",
  });
  const place = quadrilateral(drawing, true);
  return (map, table, points) => {
    const turned = onto(map, points);
    const reached = turned.flatMap((row) =>
      row.map((v, axis) => Math.abs(v) / drawing.reach[axis]),
    );
    const over = Math.max(1, ...reached);
    place(turned.map((row) => row.map((v) => v / over)));
    const worst = Math.max(...sixDistances(map).map((d, pair) => Math.abs(d - table[pair])));
    const smaller = over > 1.005 ? ` The map is drawn ${text(over, 1)} times smaller.` : "";
    setText(
      error,
      `Largest difference between a distance in the map and in D: ${text(worst)}.${smaller}`,
    );
  };
}

/** The widget's parts that follow the table: D, B, eigenvalues and map. */
function viewOf(el, part, state) {
  part("D").innerHTML = grid("Distances between the four points", distanceCell);
  part("B").innerHTML = grid(
    "Gram matrix of the centred points",
    () => '<td class="kx-heat"></td>',
  );
  const cells = [...part("B").querySelectorAll(".kx-heat")];
  const bars = spectrum(part("bars"));
  const panel = mapPanel(part("map"), part("error"));
  return ({ table, B, values, map }) => {
    panel(map, table, state.points);
    heat(cells, B.flat(), Math.max(1e-12, ...B.flat().map(Math.abs)), "--kx-product");
    bars(values);
    PAIRS.forEach(([i, j], pair) => {
      const input = el.querySelector(`[data-pair="${i}${j}"]`);
      if (input !== document.activeElement) input.value = table[pair].toFixed(2);
      el.querySelector(`[data-mirror="${i}${j}"]`).textContent = text(table[pair]);
    });
  };
}

/** The panel of draggable points; returns a function that draws the state. */
function pointsPanel(host, note, state) {
  const drawing = plane(host, { width: 340, height: 206, unit: 42, label: "Four points to drag" });
  const place = quadrilateral(drawing, false);
  const handles = [0, 1, 2, 3].map((i) =>
    handle(drawing, state, {
      name: `point ${i + 1}`,
      mark: String(i + 1),
      className: `kx-p${i}`,
      get: () => state.points[i],
      move(point) {
        state.points[i] = point;
        state.distances = [];
        state.say(HINT);
      },
    }),
  );
  return () => {
    const edited = state.distances.length > 0;
    place(state.points);
    handles.forEach((update) => update());
    host.classList.toggle("kx-detached", edited);
    note.textContent = edited
      ? "The distances were edited, so these points no longer have them. Drag a point to " +
        "take its distances again."
      : "The table holds the distances between these points.";
  };
}

/** Follow the numbers typed into the table of distances. */
function listenToTable(el, state) {
  const current = () => (state.distances.length ? state.distances : sixDistances(state.points));
  el.querySelectorAll("input").forEach((input, pair) =>
    numberField(input, state, {
      most: LONGEST,
      by: 0.1,
      get: () => current()[pair],
      shown: () => current()[pair].toFixed(2),
      take(number) {
        state.say(HINT);
        state.distances = current().map((d, k) => (k === pair ? number : d));
        state.draw();
        state.announce();
      },
      refuse: (refusal) => state.say(`${refusal} It keeps ${text(current()[pair])}.`),
    }),
  );
}

/** Follow the buttons of the presets; returns a function that marks the preset. */
function listenToPresets(el, state) {
  const show = (name) => {
    const { points = state.points, table = [] } = structuredClone(PRESETS[name]);
    Object.assign(state, { points, distances: table });
    state.say(HINT);
  };
  return listenToButtons(el, state, {
    preset: [show, (name) => name === presetOf(state.points, state.distances)],
  });
}

const FITS = {
  points: isListOf((point) => areNumbers(point, 2, -LONGEST, LONGEST), 4, 4),
  distances: (value) => areNumbers(value, 0) || areNumbers(value, 6, 0, LONGEST),
};

function render({ model, el }) {
  const part = openPage(el, PAGE, "four-points");
  const state = { say: (words) => (part("typed").textContent = words) };
  const view = viewOf(el, part, state);
  listenToTable(el, state);
  return bindState(state, {
    model,
    el,
    fits: FITS,
    loaded: () => state.say(HINT),
    result() {
      const table = state.distances.length ? state.distances : sixDistances(state.points);
      return { table, ...scaling(table) };
    },
    panels: [pointsPanel(part("points"), part("note"), state), listenToPresets(el, state), view],
    words: () => verdict(state.result.table, state.result.values),
  });
}

export default { render };
