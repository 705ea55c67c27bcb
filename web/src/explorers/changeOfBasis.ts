// Chapter 1: a linear map in another basis.

import { type Point, sumOfSquares } from "../core/matrix.ts";
import { buttonGroup, listenToButtons } from "../ui/buttons.ts";
import { animate } from "../ui/frames.ts";
import { handle } from "../ui/handles.ts";
import { corners, type Drawing, plane } from "../ui/plane.ts";
import type { Explorer, Part, RenderProps } from "../ui/state.ts";
import { createExplorer, writeExplorerHtml } from "../ui/state.ts";
import { setAttributes, svg } from "../ui/svg.ts";
import { factRows, heat } from "../ui/tables.ts";
import { text } from "../ui/text.ts";
import { areNumbers, isListOf, isOneOf } from "../ui/validators.ts";
import { partOf } from "../ui/verdict.ts";
import type { Result, Rows, State } from "./changeOfBasisModel.ts";
import * as change from "./changeOfBasisModel.ts";

const [FARTHEST, UNIT] = [10, 32];
const KINDS = { symmetric: "symmetric", diagonalisable: "diagonalisable", defective: "defective" };
const BASES = { eigen: "use eigenvectors", standard: "standard basis" };

const HTML = `
  <div class="kx-columns">
    <div class="kx-column">
      <section class="kx-always kx-above-verdict"><p class="kx-title">The map in the plane</p>
        <div data-part="plane"></div>
        <div class="kx-bar">${buttonGroup("Map", "kind", KINDS)}</div>
        <div class="kx-bar">${buttonGroup("Basis", "basis", BASES)}</div></section>
      <section class="kx-always kx-matrices">
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

const FACTS: [string, (invariants: ReturnType<typeof change.invariants>, M: Rows) => number][] = [
  ["determinant", ({ det }) => det],
  ["trace", ({ trace }) => trace],
  ["eigenvalue \u03bb\u2081", ({ high }) => high],
  ["eigenvalue \u03bb\u2082", ({ low }) => low],
  ["sum of squared entries", (_, M) => sumOfSquares(M.flat())],
];

function picture(drawing: Drawing) {
  const hidden = { "aria-hidden": "true" };
  const lines = [0, 1].map(() => svg(drawing.root, "line", { class: "kx-eigen", ...hidden }));
  const image = svg(drawing.root, "polygon", { class: "kx-image", ...hidden });
  const cell = svg(drawing.root, "polygon", { class: "kx-original", ...hidden });
  const arrows = [0, 1].map((i) =>
    svg(drawing.root, "path", { class: `kx-arrow kx-colour-${i}`, ...hidden }),
  );
  const shape = ([u, v]: Rows) => corners(drawing, [[0, 0], u, change.add(u, v), v]);
  return (basis: Rows, M: Rows, directions: Point[]) => {
    setAttributes(cell, { points: shape(basis) });
    setAttributes(image, { points: shape(basis.map((vector) => change.apply(M, vector))) });
    lines.forEach((line, r) => {
      const [x, y] = drawing.pixel((directions[r] ?? [0, 0]).map((v) => 20 * v));
      setAttributes(line, { x1: -x, y1: -y, x2: x, y2: y });
    });
    arrows.forEach((arrow, i) => setAttributes(arrow, { d: arrowPath(drawing.pixel(basis[i])) }));
  };
}

function arrowPath([x, y]: Point) {
  const length = Math.hypot(x, y);
  if (length < 8) return "";
  const [ux, uy] = [x / length, y / length];
  const wing = (side: number) => `${x - 9 * ux - side * 4.5 * uy} ${y - 9 * uy + side * 4.5 * ux}`;
  return `M0 0L${x} ${y}M${wing(1)}L${x} ${y}L${wing(-1)}`;
}

function matrixPanel(part: Part, state: State) {
  const tables = ["M", "back", "new"].map((name) => {
    part(name).innerHTML = SQUARE;
    return [...part(name).querySelectorAll("td")];
  });
  const rows = factRows(part("facts"), FACTS, 2);
  return ({ M, Mnew }: Result) => {
    const shown = [M, change.columns(state.basis), Mnew ?? [[NaN, NaN, NaN, NaN]]];
    tables.forEach((cells, k) => heat(cells, shown[k].flat(), 2.5));
    FACTS.forEach(([, value], row) => {
      rows[row][1].textContent = text(value(change.invariants(M), M));
      rows[row][2].textContent = Mnew ? text(value(change.invariants(Mnew), Mnew)) : "–";
    });
  };
}

/** Append both drawings; return a function that draws the map in both. */
function planePanels(part: Part, state: State, explorer: Explorer, actions: Actions) {
  const size: Point = [340, 214];
  const label = "The plane, with two basis vectors that you can drag";
  const left = plane(part("plane"), size, UNIT, label);
  const right = plane(part("coordinates"), size, UNIT, "The map in the coordinates of the basis");
  const drawLeft = picture(left);
  const drawRight = picture(right);
  const handles = [0, 1].map((i) =>
    handle(left, explorer, {
      name: `basis vector b${i + 1}`,
      mark: `b${"\u2081\u2082"[i]}`,
      className: `kx-colour-${i}`,
      get: () => state.basis[i],
      move: (point) =>
        actions.moveVector(i, change.shortened(point, state.basis[1 - i], state.kind, left.limits)),
    }),
  );
  return ({ M, Mnew, directions }: Result) => {
    drawLeft(state.basis, M, directions);
    part("coordinates").classList.toggle("kx-faded", !Mnew);
    const P = Mnew && change.inverse(change.columns(state.basis));
    const along = P ? directions.map((vector) => change.apply(P, vector)) : [];
    if (Mnew) drawRight(change.STANDARD, Mnew, along);
    handles.forEach((update) => update());
  };
}

type Actions = ReturnType<typeof actionsOn>;
/** Return the functions that change the state; `moveTo` does so in many frames. */
function actionsOn(state: State, explorer: Explorer) {
  let stop = () => {};
  return {
    stop: () => stop(),
    moveVector(i: number, point: Point) {
      stop();
      state.basis[i] = point;
    },
    choose(kind: string) {
      stop();
      state.kind = kind as State["kind"];
    },
    moveTo(target: Rows) {
      stop();
      const from = state.basis;
      const between = (t: number) => (vector: Point, i: number) =>
        vector.map((v, axis) => (1 - t) * v + t * target[i][axis]);
      const step = (t: number) => {
        state.basis = from.map(between(t));
        explorer.draw();
      };
      stop = animate(step, explorer.save);
    },
  };
}

function buttonPanel(el: Element, state: State, explorer: Explorer, { choose, moveTo }: Actions) {
  const useEigenvectors = partOf<HTMLButtonElement>(el, '[data-basis="eigen"]');
  const shows = listenToButtons(el, explorer, { kind: [choose, (kind) => kind === state.kind] });
  useEigenvectors.addEventListener("click", () =>
    moveTo(change.nearest(change.eigenvectors(change.MAPS[state.kind]), state.basis)),
  );
  const useStandard = partOf(el, '[data-basis="standard"]');
  useStandard.addEventListener("click", () => moveTo(change.STANDARD));
  return ({ directions }: Result) => {
    shows();
    useEigenvectors.disabled = directions.length < 2;
    const words = "A defective matrix has no basis of eigenvectors.";
    useEigenvectors.title = useEigenvectors.disabled ? words : "";
  };
}

const VALIDATORS = {
  kind: isOneOf(...Object.keys(change.MAPS)),
  basis: isListOf((vector) => areNumbers(vector, 2, -FARTHEST, FARTHEST), 2, 2),
};

function render({ model, el }: RenderProps) {
  const part = writeExplorerHtml(el, HTML, "change-of-basis");
  const [state, explorer] = createExplorer<State, change.Result>({
    model,
    el,
    validators: VALIDATORS,
    unsavedFields: {},
    result: change.resultOf,
    hint: "Drag b\u2081 or b\u2082, or choose another map.",
    verdict: ({ Mnew }) => change.basisVerdict(Mnew),
    stop: () => actions.stop(),
  });
  const actions = actionsOn(state, explorer);
  return explorer.start([
    planePanels(part, state, explorer, actions),
    buttonPanel(el, state, explorer, actions),
    matrixPanel(part, state),
  ]);
}

export default { render };
