// Chapter 3: four points, their distance matrix and its Gram matrix.

import { fromRows, type Point, toRows } from "../core/matrix.ts";
import { procrustesAlign } from "../core/procrustes.ts";
import { buttonGroup, listenToButtons } from "../ui/buttons.ts";
import { numberField } from "../ui/controls.ts";
import { handle } from "../ui/handles.ts";
import { type Drawing, plane } from "../ui/plane.ts";
import type { Explorer, Part, RenderProps } from "../ui/state.ts";
import { createExplorer, writeExplorerHtml } from "../ui/state.ts";
import { setAttributes, svg } from "../ui/svg.ts";
import { eigenvalueBars, heat } from "../ui/tables.ts";
import { hundredth, text } from "../ui/text.ts";
import { areNumbers, isListOf } from "../ui/validators.ts";
import { partOf } from "../ui/verdict.ts";
import type { Result, State } from "./fourPointsModel.ts";
import * as four from "./fourPointsModel.ts";

/** The size of the drawings and the pixels per unit. */
const SIZE: Point = [340, 206];
const UNIT = 42;

const HINT = `Enter a number from 0 to ${four.LONGEST}.`;

/**
 * Return the map, rotated, reflected and translated onto the points and made small enough for the
 * drawing, and the factor by which it was reduced.
 */
function onto(map: Point[], points: Point[], drawing: Drawing) {
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
const HTML = `
  <div class="kx-columns">
    <div class="kx-column">
      <section class="kx-always kx-above-verdict"><p class="kx-title">Four points
        <small data-part="note"></small></p>
        <div data-part="points"></div>
        <div class="kx-bar">${buttonGroup("Examples", "preset", NAMES)}</div></section>
      <section class="kx-always" data-show="all"><p
        class="kx-title">Eigenvalues of <i>B</i> <small>two are kept for the map</small></p>
        <div class="kx-bars" data-part="bars"></div></section>
    </div>
    <div class="kx-column">
      <section class="kx-always"><p class="kx-title"><span class="kx-distance">Distances
        <i>D</i></span></p>
        <table data-part="D"></table><div class="kx-bar kx-control"><p class="kx-note" data-part="typed"
          aria-live="polite">${HINT}</p></div></section>
      <section data-show="all"><p class="kx-title"><span
        class="kx-product"><i>B</i></span> = \u2212\u00bd <i>H</i> <i>D</i><sup>(2)</sup>
          <i>H</i></p>
        <table data-part="B"></table></section>
    </div>
  </div>`;

/** Return the HTML of a 4 by 4 table with numbered margins; `cell(i, j)` returns that of a cell. */
function grid(label: string, cell: (i: number, j: number) => string) {
  const index = [0, 1, 2, 3];
  const head = index.map((j) => `<th scope="col" class="kx-colour-${j}">${j + 1}</th>`).join("");
  const rows = index.map((i) => {
    const head = `<th scope="row" class="kx-colour-${i}">${i + 1}</th>`;
    return `<tr>${head}${index.map((j) => cell(i, j)).join("")}</tr>`;
  });
  const top = `<caption>${label}</caption><thead><tr><td></td>${head}</tr></thead>`;
  return `${top}<tbody>${rows.join("")}</tbody>`;
}

function distanceCell(i: number, j: number) {
  if (i === j) return "<td>0</td>";
  if (i > j) return `<td data-mirror="${j}${i}"></td>`;
  const name = `distance between points ${i + 1} and ${j + 1}`;
  return (
    `<td><input type="text" inputmode="decimal" autocomplete="off" data-pair="${i}${j}" ` +
    `aria-label="${name}"></td>`
  );
}

function quadrilateral(drawing: Drawing) {
  const lines = four.PAIRS.map(() =>
    svg(drawing.root, "line", { class: "kx-edge", "aria-hidden": "true" }),
  );
  return (points: Point[]) => {
    four.PAIRS.forEach((pair, k) => {
      const [[x1, y1], [x2, y2]] = pair.map((i) => drawing.pixel(points[i]));
      setAttributes(lines[k], { x1, y1, x2, y2 });
    });
  };
}

/** Write D, B and the eigenvalues; return a function that shows a result. */
function viewOf(el: Element, part: Part) {
  part("D").innerHTML = grid("Distances between the four points", distanceCell);
  const heatCell = () => '<td class="kx-heat"></td>';
  part("B").innerHTML = grid("Matrix B, which double centring yields", heatCell);
  const cells = [...part("B").querySelectorAll<HTMLElement>(".kx-heat")];
  const bars = eigenvalueBars(part("bars"), 4);
  return ({ lengths, B, values }: Result) => {
    heat(cells, B.flat(), Math.max(1e-12, ...B.flat().map(Math.abs)), "--kx-product");
    bars(values);
    four.PAIRS.forEach(([i, j], pair) => {
      const input = partOf<HTMLInputElement>(el, `[data-pair="${i}${j}"]`);
      if (input !== document.activeElement) input.value = lengths[pair].toFixed(2);
      partOf(el, `[data-mirror="${i}${j}"]`).textContent = text(lengths[pair]);
    });
  };
}

/** Append the points, which can be dragged; after an edit, they are the map of the distances. */
function pointsPanel(part: Part, state: State, explorer: Explorer, actions: Actions) {
  let shown: Point[] = [];
  const drawing = plane(part("points"), SIZE, UNIT, "Four points, which you can drag");
  const drawEdges = quadrilateral(drawing);
  const handles = [0, 1, 2, 3].map((i) =>
    handle(drawing, explorer, {
      name: `point ${i + 1}`,
      mark: String(i + 1),
      className: `kx-colour-${i}`,
      get: () => shown[i],
      move: (point) => actions.setPoints(shown.map((old, k) => (k === i ? point : old))),
    }),
  );
  return ({ map }: Result) => {
    const edited = state.distances.length > 0;
    const { placed, over } = onto(map, state.points, drawing);
    shown = edited ? placed.map((row) => row.map(hundredth)) : state.points;
    drawEdges(shown);
    handles.forEach((update) => update());
    const factor = over > 1.005 ? `reduced by a factor of ${text(over, 1)}` : "classical scaling";
    part("note").textContent = edited ? `best map in the plane (${factor})` : "";
  };
}

type Actions = ReturnType<typeof actionsOn>;
/** Return the functions that change the state; `writeNote` writes below the distances. */
function actionsOn(state: State, explorer: Explorer, writeNote: (words: string) => void) {
  return {
    writeNote,
    setPoints(points = state.points, distances: number[] = []) {
      [state.points, state.distances] = [points, distances];
      writeNote(HINT);
    },
    enter(pair: number, number: number) {
      writeNote(HINT);
      state.distances = four.lengthsOf(state).map((d, k) => (k === pair ? number : d));
      explorer.draw();
      explorer.announce();
    },
  };
}

function listenToDistances(el: Element, state: State, explorer: Explorer, actions: Actions) {
  const current = () => four.lengthsOf(state);
  el.querySelectorAll("input").forEach((input, pair) =>
    numberField(input, explorer, {
      most: four.LONGEST,
      by: 0.1,
      get: () => current()[pair],
      shown: () => current()[pair].toFixed(2),
      accept: (number) => actions.enter(pair, number),
      reject: (error) =>
        actions.writeNote(`${error} The distance remains ${text(current()[pair])}.`),
    }),
  );
}

function listenToPresets(el: Element, state: State, explorer: Explorer, actions: Actions) {
  const choose = (name: string) => {
    const { points, lengths } = structuredClone(four.PRESETS[name]);
    actions.setPoints(points, lengths);
  };
  return listenToButtons(el, explorer, {
    preset: [choose, (name) => name === four.presetOf(state)],
  });
}

const VALIDATORS = {
  points: isListOf((point) => areNumbers(point, 2, -four.LONGEST, four.LONGEST), 4, 4),
  distances: (value: unknown) => areNumbers(value, 0) || areNumbers(value, 6, 0, four.LONGEST),
};

function render({ model, el }: RenderProps) {
  const show: State["show"] = model.get("show");
  const part = writeExplorerHtml(el, HTML, "four-points", show);
  const [state, explorer] = createExplorer<State, Result, Omit<State, "show">>({
    model,
    el,
    validators: VALIDATORS,
    unsavedFields: { show },
    loaded: () => actions.writeNote(HINT),
    result: (state) => ({ lengths: four.lengthsOf(state), ...four.scaling(four.lengthsOf(state)) }),
    hint: "Drag a point, or edit a distance.",
    verdict: ({ lengths, values }) => four.distancesVerdict(lengths, values, show),
  });
  const actions = actionsOn(state, explorer, (words) => (part("typed").textContent = words));
  const view = viewOf(el, part);
  listenToDistances(el, state, explorer, actions);
  return explorer.start([
    pointsPanel(part, state, explorer, actions),
    listenToPresets(el, state, explorer, actions),
    view,
  ]);
}

export default { render, linksOmit: ["show"] };
