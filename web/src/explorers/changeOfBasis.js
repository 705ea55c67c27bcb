// Chapter 1: a linear map in another basis.

import { multiply } from "../core/matrix.js";
import { buttonGroup, listenToButtons } from "../ui/buttons.js";
import { animate } from "../ui/frames.js";
import { handle } from "../ui/handles.js";
import { corners, plane } from "../ui/plane.js";
import { bindState, openPage, RESET } from "../ui/state.js";
import { setAttributes, svg } from "../ui/svg.js";
import { factRows, heat } from "../ui/tables.js";
import { text } from "../ui/text.js";
import { areNumbers, isListOf, isOneOf } from "../ui/validators.js";
import { VERDICT } from "../ui/verdict.js";

export const MAPS = {
  symmetric: [
    [1.5, 0.5],
    [0.5, 1.5],
  ],
  diagonalisable: [
    [1, 1],
    [0.5, 1.5],
  ],
  defective: [
    [1.5, 0.5],
    [-0.5, 0.5],
  ],
};
const STANDARD = [
  [1, 0],
  [0, 1],
];
const SMALLEST_SINE = 0.05;
const FARTHEST = 10;

/** Matrix whose columns are the two vectors of the basis: it maps new coordinates to old. */
export function columns([[a, c], [b, d]]) {
  return [
    [a, b],
    [c, d],
  ];
}

export function determinant([[a, b], [c, d]]) {
  return a * d - b * c;
}

export function inverse(A) {
  const [[a, b], [c, d]] = A;
  const size = determinant(A);
  return [
    [d / size, -b / size],
    [-c / size, a / size],
  ];
}

/** Sine of the angle between the vectors of the basis: 0 when they are parallel. */
export function sine(basis) {
  const lengths = basis.map(([x, y]) => Math.hypot(x, y));
  const product = lengths[0] * lengths[1];
  return product > 0 ? Math.abs(determinant(basis)) / product : 0;
}

/** M' = P M P^-1, where the columns of P^-1 are the basis; null where they hardly span. */
export function similar(M, basis) {
  const shortest = Math.min(...basis.map(([x, y]) => Math.hypot(x, y)));
  if (sine(basis) < SMALLEST_SINE || shortest < SMALLEST_SINE) return null;
  const back = columns(basis);
  return multiply(multiply(inverse(back), M), back);
}

/** Determinant, trace and the two real eigenvalues, the larger first. */
export function invariants(M) {
  const det = determinant(M);
  const trace = M[0][0] + M[1][1];
  const gap = trace * trace - 4 * det;
  const root = Math.abs(gap) < 1e-9 * Math.max(1, trace * trace) ? 0 : Math.sqrt(gap);
  return { det, trace, high: (trace + root) / 2, low: (trace - root) / 2 };
}

/** Unit eigenvectors of a 2 by 2 matrix, one for each eigenvalue; one alone if defective. */
export function eigenvectors(M) {
  const { high, low } = invariants(M);
  const [[a, b], [c, d]] = M;
  const direction = (value) => {
    const rows = [
      [b, value - a],
      [value - d, c],
    ].sort((u, v) => Math.hypot(...v) - Math.hypot(...u));
    const length = Math.hypot(...rows[0]);
    const [x, y] = rows[0].map((v) => v / length);
    return x < 0 || (x === 0 && y < 0) ? [-x, -y] : [x, y];
  };
  return high === low ? [direction(high)] : [direction(high), direction(low)];
}

const apply = (M, [x, y]) => M.map(([a, b]) => a * x + b * y);
const add = (u, v) => [u[0] + v[0], u[1] + v[1]];

const KINDS = { symmetric: "symmetric", diagonalisable: "diagonalisable", defective: "defective" };
const BASES = { eigen: "snap to eigenvectors", standard: "standard basis" };

const PAGE = `
  <p class="kx-question">Which numbers follow the basis, which stay, and in which basis is
    <i>M\u2032</i> diagonal?</p>
  <div class="kx-bar" style="--order:5">
    ${buttonGroup("Map", "kind", KINDS, "samples")}
    ${buttonGroup("Basis", "basis", BASES, "actions")}
    <span>${RESET}</span>
  </div>
  ${VERDICT}
  <div class="kx-columns">
    <div class="kx-column"><section style="--order:1">
      <p class="kx-title">The map, in the plane <small class="kx-control">drag <i>b</i>\u2081,
        <i>b</i>\u2082</small></p>
      <div data-part="plane"></div></section></div>
    <div class="kx-column"><section style="--order:2">
      <p class="kx-title">The same map, in new coordinates</p>
      <div data-part="coordinates"></div></section></div>
  </div>
  <p class="kx-key" style="--order:4"><span class="kx-from">the cell of the basis</span>
    <span class="kx-to">its image under the map</span>
    <span class="kx-eigen">directions that the map keeps</span></p>
  <div class="kx-matrices" style="--order:3">
    <figure><figcaption><i>M</i></figcaption><table data-part="M"></table></figure>
    <figure><figcaption><i>P</i><sup>\u22121</sup> = [b\u2081 b\u2082]</figcaption><table
      data-part="back"></table></figure>
    <figure><figcaption><i>M\u2032</i> = <i>P M P</i><sup>\u22121</sup></figcaption><table
      data-part="new"></table></figure>
    <table class="kx-facts"><caption>What the change of basis keeps</caption>
      <thead><tr><td></td><th scope="col"><i>M</i></th><th
        scope="col"><i>M\u2032</i></th></tr></thead>
      <tbody data-part="facts"></tbody></table>
  </div>`;

const ROW = '<tr><td class="kx-heat"></td><td class="kx-heat"></td></tr>';
const SQUARE = `<tbody>${ROW.repeat(2)}</tbody>`;

const FACTS = [
  ["determinant", ({ det }) => det],
  ["trace", ({ trace }) => trace],
  ["eigenvalue \u03bb\u2081", ({ high }) => high],
  ["eigenvalue \u03bb\u2082", ({ low }) => low],
  ["squared entries, summed: not kept", (_, M) => M.flat().reduce((sum, m) => sum + m * m, 0)],
];

/** A cell, its image and the kept directions; returns a function that draws them. */
function picture(drawing) {
  const hidden = { "aria-hidden": "true" };
  const lines = [0, 1].map(() => svg(drawing.root, "line", { class: "kx-eigen", ...hidden }));
  const image = svg(drawing.root, "polygon", { class: "kx-to", ...hidden });
  const cell = svg(drawing.root, "polygon", { class: "kx-from", ...hidden });
  const arrows = [0, 1].map((i) =>
    svg(drawing.root, "path", { class: `kx-arrow kx-p${i}`, ...hidden }),
  );
  const shape = ([u, v]) => corners(drawing, [[0, 0], u, add(u, v), v]);
  return (basis, M, directions) => {
    setAttributes(cell, { points: shape(basis) });
    setAttributes(image, { points: shape(basis.map((vector) => apply(M, vector))) });
    lines.forEach((line, r) => {
      const [x, y] = drawing.pixel((directions[r] ?? [0, 0]).map((v) => 20 * v));
      setAttributes(line, { x1: -x, y1: -y, x2: x, y2: y });
    });
    arrows.forEach((arrow, i) => setAttributes(arrow, { d: arrowPath(drawing.pixel(basis[i])) }));
  };
}

/** Path of an arrow from the origin to a pixel. */
function arrowPath([x, y]) {
  const length = Math.hypot(x, y);
  if (length < 8) return "";
  const [ux, uy] = [x / length, y / length];
  const wing = (side) => `${x - 9 * ux - side * 4.5 * uy} ${y - 9 * uy + side * 4.5 * ux}`;
  return `M0 0L${x} ${y}M${wing(1)}L${x} ${y}L${wing(-1)}`;
}

/** The banner's words for the matrix in the new basis. */
export function sentence(kind, Mnew) {
  if (!Mnew) {
    return {
      holds: false,
      head: "b\u2081 and b\u2082 hardly span the plane.",
      reason: "Along one line they are no basis, and P does not exist. Pull them apart.",
    };
  }
  const [[a, b], [c, d]] = Mnew;
  const diagonal = Math.max(Math.abs(b), Math.abs(c)) < 0.005;
  if (diagonal) {
    return {
      holds: true,
      head: "M\u2032 is diagonal.",
      reason:
        `Its entries ${text(a)} and ${text(d)} are the eigenvalues: the map only stretches ` +
        `along the basis.`,
    };
  }
  const reasons = {
    symmetric: "Two kept directions, at a right angle: an orthogonal basis makes M\u2032 diagonal.",
    diagonalisable:
      "Two kept directions, not at a right angle: a skew basis makes M\u2032 diagonal.",
    defective:
      "One kept direction alone: no basis makes M\u2032 diagonal, so there is nothing to snap to.",
  };
  return { head: "The entries move, the invariants stay.", reason: reasons[kind] };
}

/** The tables; returns a function that fills them. */
function readout(part, state) {
  const tables = ["M", "back", "new"].map((name) => {
    part(name).innerHTML = SQUARE;
    return [...part(name).querySelectorAll("td")];
  });
  const rows = factRows(
    part("facts"),
    FACTS.map(([name]) => name),
    2,
  );
  return ({ M, Mnew }) => {
    const shown = [
      M,
      columns(state.basis),
      Mnew ?? [
        [NaN, NaN],
        [NaN, NaN],
      ],
    ];
    tables.forEach((cells, k) => heat(cells, shown[k].flat(), 2.5));
    FACTS.forEach(([, value], row) => {
      rows[row][1].textContent = text(value(invariants(M), M));
      rows[row][2].textContent = Mnew ? text(value(invariants(Mnew), Mnew)) : "–";
    });
  };
}

/** The two panels; returns a function that draws the map in both. */
function panels(part, state) {
  const size = { width: 340, height: 214, unit: 42 };
  const left = plane(part("plane"), {
    ...size,
    label: "The plane, with two basis vectors to drag",
  });
  const right = plane(part("coordinates"), { ...size, label: "The map in the new coordinates" });
  const drawLeft = picture(left);
  const drawRight = picture(right);
  const handles = [0, 1].map((i) =>
    handle(left, state, {
      name: `basis vector b${i + 1}`,
      mark: `b${"\u2081\u2082"[i]}`,
      className: `kx-p${i}`,
      get: () => state.basis[i],
      move(point) {
        state.stop();
        state.basis[i] = point;
      },
    }),
  );
  return ({ M, Mnew, kept }) => {
    drawLeft(state.basis, M, kept);
    part("coordinates").classList.toggle("kx-off", !Mnew);
    if (Mnew) {
      const P = inverse(columns(state.basis));
      drawRight(
        STANDARD,
        Mnew,
        kept.map((vector) => apply(P, vector)),
      );
    }
    handles.forEach((update) => update());
  };
}

/** The buttons; returns a function that shows which are on and which can be used. */
function buttons(el, state) {
  const snap = el.querySelector('[data-basis="eigen"]');
  const glide = (target) => {
    state.stop();
    const from = state.basis;
    const between = (t) => (vector, i) => vector.map((v, axis) => v + t * (target[i][axis] - v));
    const step = (t) => {
      state.basis = from.map(between(t));
      state.draw();
    };
    state.stop = animate(step, () => state.save());
  };
  const choose = (kind) => {
    state.stop();
    state.kind = kind;
  };
  const shows = listenToButtons(el, state, { kind: [choose, (kind) => kind === state.kind] });
  snap.addEventListener("click", () => glide(nearest(eigenvectors(MAPS[state.kind]), state.basis)));
  el.querySelector('[data-basis="standard"]').addEventListener("click", () => glide(STANDARD));
  return ({ kept }) => {
    shows();
    snap.disabled = kept.length < 2;
    snap.title = snap.disabled
      ? "A defective map has one eigenvector direction alone: no eigenbasis."
      : "";
  };
}

const FITS = {
  kind: isOneOf(...Object.keys(MAPS)),
  basis: isListOf((vector) => areNumbers(vector, 2, -FARTHEST, FARTHEST), 2, 2),
};

function render({ model, el }) {
  const part = openPage(el, PAGE, "change-of-basis");
  const state = { stop() {} };
  return bindState(state, {
    model,
    el,
    fits: FITS,
    result() {
      const M = MAPS[state.kind];
      return { M, Mnew: similar(M, state.basis), kept: eigenvectors(M) };
    },
    panels: [panels(part, state), buttons(el, state), readout(part, state)],
    words: () => sentence(state.kind, state.result.Mnew),
    stop: () => state.stop(),
    settle() {
      state.basis = state.basis.map((vector) => vector.map((v) => Math.round(1e4 * v) / 1e4));
    },
  });
}

/** The eigenvectors in the order and with the signs that move the basis least. */
export function nearest([u, v], basis) {
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
  const match = (pair) => Math.abs(dot(pair[0], basis[0])) + Math.abs(dot(pair[1], basis[1]));
  const pair = match([u, v]) >= match([v, u]) ? [u, v] : [v, u];
  return pair.map((vector, i) => (dot(vector, basis[i]) < 0 ? vector.map((c) => -c) : vector));
}

export default { render };
