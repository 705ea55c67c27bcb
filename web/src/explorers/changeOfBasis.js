// Chapter 1: a linear map in another basis.

import { productOfRows } from "../core/matrix.js";
import { buttonGroup, listenToButtons } from "../ui/buttons.js";
import { animate } from "../ui/frames.js";
import { handle } from "../ui/handles.js";
import { corners, plane } from "../ui/plane.js";
import { explorerOf, openExplorer, RESET } from "../ui/state.js";
import { setAttributes, svg } from "../ui/svg.js";
import { factRows, heat } from "../ui/tables.js";
import { text } from "../ui/text.js";
import { areNumbers, isListOf, isOneOf } from "../ui/validators.js";

/**
 * @typedef {object} State
 * @property {"symmetric" | "diagonalisable" | "defective"} kind  the name of the map
 * @property {number[][]} basis  its two vectors
 */

const rowsOf = (a, b, c, d) => [
  [a, b],
  [c, d],
];

export const MAPS = {
  symmetric: rowsOf(1.5, 0.5, 0.5, 1.5),
  diagonalisable: rowsOf(1, 1, 0.5, 1.5),
  defective: rowsOf(1.5, 0.5, -0.5, 0.5),
};
const STANDARD = rowsOf(1, 0, 0, 1);
const SMALLEST_SINE = 0.05;
const FARTHEST = 10;

/** Return the matrix whose columns are the basis: it maps new coordinates to old ones. */
export function columns(/** @type {number[][]} */ [[a, c], [b, d]]) {
  return rowsOf(a, b, c, d);
}

export function determinant(/** @type {number[][]} */ [[a, b], [c, d]]) {
  return a * d - b * c;
}

export function inverse(A) {
  const [[a, b], [c, d]] = A;
  const size = determinant(A);
  return rowsOf(d / size, -b / size, -c / size, a / size);
}

/** Return the sine of the angle between the basis vectors, which is 0 if they are parallel. */
export function sine(basis) {
  const lengths = basis.map(([x, y]) => Math.hypot(x, y));
  const product = lengths[0] * lengths[1];
  return product > 0 ? Math.abs(determinant(basis)) / product : 0;
}

/** Return M' = P M P^-1, where the columns of P^-1 are the basis; null if it is degenerate. */
export function similar(M, basis) {
  const shortest = Math.min(...basis.map(([x, y]) => Math.hypot(x, y)));
  if (sine(basis) < SMALLEST_SINE || shortest < SMALLEST_SINE) return null;
  const back = columns(basis);
  return productOfRows(productOfRows(inverse(back), M), back);
}

/** Return the determinant, the trace and both real eigenvalues, the larger first. */
export function invariants(M) {
  const det = determinant(M);
  const trace = M[0][0] + M[1][1];
  const gap = trace * trace - 4 * det;
  const root = Math.abs(gap) < 1e-9 * Math.max(1, trace * trace) ? 0 : Math.sqrt(gap);
  return { det, trace, high: (trace + root) / 2, low: (trace - root) / 2 };
}

/** Return unit eigenvectors of a 2 by 2 matrix, one for each eigenvalue; one if it is defective. */
export function eigenvectors(M) {
  const { high, low } = invariants(M);
  const [[a, b], [c, d]] = M;
  const direction = (value) => {
    const rows = rowsOf(b, value - a, value - d, c);
    const [longer] = rows.sort((u, v) => Math.hypot(...v) - Math.hypot(...u));
    const [x, y] = longer.map((v) => v / Math.hypot(...longer));
    return x < 0 || (x === 0 && y < 0) ? [-x, -y] : [x, y];
  };
  return high === low ? [direction(high)] : [direction(high), direction(low)];
}

const apply = (M, [x, y]) => M.map(([a, b]) => a * x + b * y);
const add = (u, v) => [u[0] + v[0], u[1] + v[1]];

const KINDS = { symmetric: "symmetric", diagonalisable: "diagonalisable", defective: "defective" };
const BASES = { eigen: "use eigenvectors", standard: "standard basis" };

const PAGE = `
  <div class="kx-columns">
    <div class="kx-column">
      <section class="kx-main"><p class="kx-title">The map in the plane</p>
        <div data-part="plane"></div>
        <div class="kx-bar">${buttonGroup("Map", "kind", KINDS)}</div>
        <div class="kx-bar">${buttonGroup("Basis", "basis", BASES)}
          <span>${RESET}</span></div></section>
      <section class="kx-main kx-matrices">
        <figure><figcaption><i>M</i></figcaption><table data-part="M"></table></figure>
        <figure><figcaption><i>P</i><sup>\u22121</sup> = [<i>b</i>\u2081
          <i>b</i>\u2082]</figcaption><table data-part="back"></table></figure>
        <figure><figcaption><i>M\u2032</i> = <i>P M P</i><sup>\u22121</sup></figcaption><table
          data-part="new"></table></figure></section>
    </div>
    <div class="kx-column">
      <section><p class="kx-title">The map in the coordinates of the basis</p>
        <div data-part="coordinates"></div>
        <p class="kx-key"><span class="kx-original">parallelogram of <i>b</i>\u2081 and
          <i>b</i>\u2082</span> <span class="kx-image">its image under the map</span>
          <span class="kx-eigen">directions of eigenvectors</span></p></section>
      <section><table class="kx-facts"><caption>Invariants of the two matrices</caption>
        <thead><tr><td></td><th scope="col"><i>M</i></th><th
          scope="col"><i>M\u2032</i></th></tr></thead>
        <tbody data-part="facts"></tbody></table></section>
    </div>
  </div>`;

const ROW = '<tr><td class="kx-heat"></td><td class="kx-heat"></td></tr>';
const SQUARE = `<tbody>${ROW.repeat(2)}</tbody>`;

/** @type {[string, (invariants: any, M: number[][]) => number][]} */
const FACTS = [
  ["determinant", ({ det }) => det],
  ["trace", ({ trace }) => trace],
  ["eigenvalue \u03bb\u2081", ({ high }) => high],
  ["eigenvalue \u03bb\u2082", ({ low }) => low],
  ["sum of squared entries", (_, M) => M.flat().reduce((sum, m) => sum + m * m, 0)],
];

function picture(drawing) {
  const hidden = { "aria-hidden": "true" };
  const lines = [0, 1].map(() => svg(drawing.root, "line", { class: "kx-eigen", ...hidden }));
  const image = svg(drawing.root, "polygon", { class: "kx-image", ...hidden });
  const cell = svg(drawing.root, "polygon", { class: "kx-original", ...hidden });
  const arrows = [0, 1].map((i) =>
    svg(drawing.root, "path", { class: `kx-arrow kx-colour-${i}`, ...hidden }),
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

function arrowPath([x, y]) {
  const length = Math.hypot(x, y);
  if (length < 8) return "";
  const [ux, uy] = [x / length, y / length];
  const wing = (side) => `${x - 9 * ux - side * 4.5 * uy} ${y - 9 * uy + side * 4.5 * ux}`;
  return `M0 0L${x} ${y}M${wing(1)}L${x} ${y}L${wing(-1)}`;
}

function basisVerdict(Mnew) {
  if (!Mnew)
    return {
      holds: false,
      head: "b\u2081 and b\u2082 are nearly linearly dependent.",
      reason: "Linearly dependent vectors are not a basis, and P does not exist.",
    };
  const [[a, b], [c, d]] = Mnew;
  if (Math.max(Math.abs(b), Math.abs(c)) < 0.005)
    return {
      holds: true,
      head: "M\u2032 is diagonal.",
      reason: `Its entries ${text(a)} and ${text(d)} are the eigenvalues.`,
    };
  return {
    head: "M\u2032 is not diagonal.",
    reason: `Its off-diagonal entries are ${text(b)} and ${text(c)}.`,
  };
}

function matrixPanel(part, /** @type {State} */ state) {
  const tables = ["M", "back", "new"].map((name) => {
    part(name).innerHTML = SQUARE;
    return [...part(name).querySelectorAll("td")];
  });
  const rows = factRows(part("facts"), FACTS, 2);
  return ({ M, Mnew }) => {
    const shown = [M, columns(state.basis), Mnew ?? rowsOf(NaN, NaN, NaN, NaN)];
    tables.forEach((cells, k) => heat(cells, shown[k].flat(), 2.5));
    FACTS.forEach(([, value], row) => {
      rows[row][1].textContent = text(value(invariants(M), M));
      rows[row][2].textContent = Mnew ? text(value(invariants(Mnew), Mnew)) : "–";
    });
  };
}

/** Append both drawings; return a function that draws the map in both. */
function planePanels(part, /** @type {State} */ state, explorer, actions) {
  const size = [340, 214];
  const label = "The plane, with two basis vectors that you can drag";
  const left = plane(part("plane"), size, 42, label);
  const right = plane(part("coordinates"), size, 42, "The map in the coordinates of the basis");
  const drawLeft = picture(left);
  const drawRight = picture(right);
  const handles = [0, 1].map((i) =>
    handle(left, explorer, {
      name: `basis vector b${i + 1}`,
      mark: `b${"\u2081\u2082"[i]}`,
      className: `kx-colour-${i}`,
      get: () => state.basis[i],
      move: (point) => actions.place(i, point),
    }),
  );
  return ({ M, Mnew, directions }) => {
    drawLeft(state.basis, M, directions);
    part("coordinates").classList.toggle("kx-faded", !Mnew);
    if (Mnew) {
      const P = inverse(columns(state.basis));
      drawRight(
        STANDARD,
        Mnew,
        directions.map((vector) => apply(P, vector)),
      );
    }
    handles.forEach((update) => update());
  };
}

/** Return the functions that change the state; `moveTo` does so in many frames. */
function actionsOn(/** @type {State} */ state, explorer) {
  let stop = () => {};
  return {
    stop: () => stop(),
    place(i, point) {
      stop();
      state.basis[i] = point;
    },
    choose(kind) {
      stop();
      state.kind = kind;
    },
    moveTo(target) {
      stop();
      const from = state.basis;
      const between = (t) => (vector, i) =>
        vector.map((v, axis) => (1 - t) * v + t * target[i][axis]);
      const step = (t) => {
        state.basis = from.map(between(t));
        explorer.draw();
      };
      stop = animate(step, explorer.save);
    },
  };
}

function buttonPanel(el, /** @type {State} */ state, explorer, { choose, moveTo }) {
  const useEigenvectors = el.querySelector('[data-basis="eigen"]');
  const shows = listenToButtons(el, explorer, { kind: [choose, (kind) => kind === state.kind] });
  useEigenvectors.addEventListener("click", () =>
    moveTo(nearest(eigenvectors(MAPS[state.kind]), state.basis)),
  );
  el.querySelector('[data-basis="standard"]').addEventListener("click", () => moveTo(STANDARD));
  return ({ directions }) => {
    shows();
    useEigenvectors.disabled = directions.length < 2;
    useEigenvectors.title = useEigenvectors.disabled
      ? "A defective matrix has no basis of eigenvectors."
      : "";
  };
}

const VALIDATORS = {
  kind: isOneOf(...Object.keys(MAPS)),
  basis: isListOf((vector) => areNumbers(vector, 2, -FARTHEST, FARTHEST), 2, 2),
};

function render({ model, el }) {
  const part = openExplorer(el, PAGE, "change-of-basis");
  const state = /** @type {State} */ ({});
  const explorer = explorerOf(state, {
    model,
    el,
    validators: VALIDATORS,
    result() {
      const M = MAPS[state.kind];
      return { M, Mnew: similar(M, state.basis), directions: eigenvectors(M) };
    },
    hint: "Drag b\u2081 or b\u2082, or choose another map.",
    verdict: ({ Mnew }) => basisVerdict(Mnew),
    stop: () => actions.stop(),
  });
  const actions = actionsOn(state, explorer);
  return explorer.start([
    planePanels(part, state, explorer, actions),
    buttonPanel(el, state, explorer, actions),
    matrixPanel(part, state),
  ]);
}

/** Return the eigenvectors in the order and with the signs that change the basis least. */
export function nearest(vectors, basis) {
  const [u, v] = vectors;
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
  const match = (pair) => Math.abs(dot(pair[0], basis[0])) + Math.abs(dot(pair[1], basis[1]));
  const pair = match([u, v]) >= match([v, u]) ? [u, v] : [v, u];
  return pair.map((vector, i) => (dot(vector, basis[i]) < 0 ? vector.map((c) => -c) : vector));
}

export default { render };
