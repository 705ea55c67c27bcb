// The matrix of dissimilarities, whose entries can be changed.

import { largestModulus, type Matrix } from "../core/matrix.ts";
import { pairsAmong } from "../core/pairs.ts";
import { chart } from "../ui/charts.ts";
import { fillSelect, numberField } from "../ui/controls.ts";
import { appendText, placeIn, setAttributes, svg, svgPaths } from "../ui/svg.ts";
import type { PanelContext } from "./classicalScaling.ts";
import { ENTRY_MOST, type Result, type State } from "./classicalScalingModel.ts";
import { km } from "./classicalScalingVerdict.ts";

const SHADES = 8;
/** Sizes of a cell and of the margins, in pixels; `opacity` is that of the largest entry. */
const SHADED = { width: 12, height: 14, gap: 0, left: 120, top: 17, right: 2, opacity: 1 };
const NUMBERED = { width: 38, height: 27, gap: 1, left: 84, top: 60, right: 42, opacity: 0.3 };
type Grid = typeof SHADED;

const centreOfCell = ({ width, height, left, top }: Grid, i: number, j: number) => ({
  x: left + width * (j + 0.5),
  y: top + height * (i + 0.5),
});

/** Return a path of the cells of the entries [i, j] and [j, i]. */
function cellsPath({ width, height, gap, left, top }: Grid, pairs: number[][]) {
  const cell = (i: number, j: number) =>
    `M${left + width * j} ${top + height * i}h${width - gap}v${height - gap}h${gap - width}z`;
  return pairs.map(([i, j]) => cell(i, j) + cell(j, i)).join("");
}

/** Return the entry to which an arrow key leads from [i, j], the next one off the diagonal. */
function stepFrom([i, j]: State["chosen"], key: string, n: number): State["chosen"] {
  const steps: Record<string, number[]> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
  };
  const [di, dj] = steps[key];
  const inside = ([a, b]: number[]) => a >= 0 && b >= 0 && a < n && b < n;
  const next = [1, 2].map((times): State["chosen"] => [i + times * di, j + times * dj]);
  return next.find(([a, b]) => a !== b && inside([a, b])) ?? [i, j];
}

function nameRows(root: Element, labels: string[], grid: Grid) {
  const rows = labels.map((label, i) => {
    const place = { x: grid.left - 4, y: centreOfCell(grid, i, 0).y };
    return appendText(root, label, { class: "kx-name kx-row", ...place });
  });
  return (i: number) => rows.forEach((name, r) => name.classList.toggle("kx-selected", r === i));
}

function nameChosenColumn(root: Element, labels: string[], grid: Grid) {
  const place = { y: grid.top / 2, "text-anchor": "middle" };
  const column = svg(root, "text", { class: "kx-name kx-selected", ...place });
  const end = grid.left + grid.width * labels.length;
  return (j: number) => {
    column.textContent = labels[j];
    const x = Math.min(end - 3.4 * labels[j].length, centreOfCell(grid, 0, j).x);
    setAttributes(column, { x });
  };
}

function nameColumns(root: Element, labels: string[], grid: Grid) {
  const y = grid.top - 7;
  const columns = labels.map((label, j) => {
    const x = centreOfCell(grid, 0, j).x - 4;
    const transform = `rotate(-40 ${x} ${y})`;
    return appendText(root, label, { class: "kx-name", x, y, transform });
  });
  return (j: number) => columns.forEach((name, c) => name.classList.toggle("kx-selected", c === j));
}

function writeNumbers(root: Element, n: number, grid: Grid) {
  const numbers = svg(root, "g", { "aria-hidden": "true" });
  const cells = Array.from({ length: n * n }, (_, at) => {
    const place = centreOfCell(grid, Math.floor(at / n), at % n);
    return svg(numbers, "text", { class: "kx-name", "text-anchor": "middle", ...place });
  });
  return (D: Matrix) => cells.forEach((cell, at) => (cell.textContent = String(Math.round(D[at]))));
}

/** Choose an entry by a press on it or by the arrow keys. */
function listenToCells(root: SVGSVGElement, group: SVGElement, context: PanelContext, grid: Grid) {
  const { part, state, actions } = context;
  const [n, field] = [context.labels.length, part<HTMLInputElement>("entry")];
  group.addEventListener("click", (event) => {
    const { x, y } = placeIn(root, event);
    const place = [(y - grid.top) / grid.height, (x - grid.left) / grid.width];
    const [i, j] = place.map((v) => Math.min(n - 1, Math.max(0, Math.floor(v))));
    if (i === j) return;
    actions.choose([i, j]);
    // A number can be typed at once where the matrix shows numbers.
    if (grid === NUMBERED) field.select();
  });
  group.addEventListener("keydown", (event) => {
    if (event.key.startsWith("Arrow")) actions.choose(stepFrom(state.chosen, event.key, n));
    else if (event.key === "Enter") field.select();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** Append the group of cells, an entry of which is selected with keys. */
function cellGroup(root: Element, n: number, { width, height, left, top }: Grid) {
  const group = svg(root, "g", {
    class: "kx-cells",
    role: "slider",
    tabindex: "0",
    "aria-label": "entry of the matrix",
    "aria-valuemin": 1,
    "aria-valuemax": n * n,
  });
  const place = { x: left, y: top, width: n * width, height: n * height };
  svg(group, "rect", { ...place, class: "kx-ground" });
  return group;
}

/** Return a function that shades the cells of a matrix, once for each matrix. */
function shading(group: Element, n: number, grid: Grid) {
  const shades = Array.from({ length: SHADES }, (_, k) =>
    svg(group, "path", { class: "kx-shade", "fill-opacity": (grid.opacity * (k + 1)) / SHADES }),
  );
  let shown: Matrix | null = null;
  return (D: Matrix) => {
    if (shown === D) return;
    shown = D;
    const longest = largestModulus(D) || 1;
    const shadeOf = ([i, j]: number[]) =>
      Math.min(SHADES - 1, Math.floor((SHADES * D[i * n + j]) / longest));
    const byShade = Array.from({ length: SHADES }, () => [] as number[][]);
    for (const pair of pairsAmong(n)) byShade[shadeOf(pair)].push(pair);
    shades.forEach((path, k) => setAttributes(path, { d: cellsPath(grid, byShade[k]) }));
  };
}

/** Append the matrix as shaded cells; the view "cities" also shows the entries as numbers. */
export function matrixPanel(context: PanelContext) {
  const { part, labels, state } = context;
  const n = labels.length;
  const isNumbered = state.show === "cities";
  const grid = isNumbered ? NUMBERED : SHADED;
  const [width, height] = [grid.left + n * grid.width + grid.right, grid.top + n * grid.height + 2];
  const label =
    `Matrix of ${n} by ${n} dissimilarities: the larger the entry, the stronger the ` +
    "colour of its cell";
  const root = chart(part("matrix"), width, height, { role: "group", "aria-label": label });
  const markRow = nameRows(root, labels, grid);
  const markColumn = (isNumbered ? nameColumns : nameChosenColumn)(root, labels, grid);
  const group = cellGroup(root, n, grid);
  const shade = shading(group, n, grid);
  const [edited, worstPairs, chosen] = svgPaths(group, ["kx-edited", "kx-worst", "kx-chosen"]);
  const write = isNumbered ? writeNumbers(root, n, grid) : () => {};
  listenToCells(root, group, context, grid);
  return ({ D, worst }: Result) => {
    shade(D);
    write(D);
    const marked = isNumbered ? [] : worst.map(({ i, j }) => [i, j]);
    setAttributes(edited, { d: cellsPath(grid, state.edits) });
    setAttributes(worstPairs, { d: cellsPath(grid, marked) });
    setAttributes(chosen, { d: cellsPath(grid, [state.chosen]) });
    const [i, j] = state.chosen;
    markRow(i);
    markColumn(j);
    const words = `${labels[i]} to ${labels[j]}: ${km(D[i * n + j])} km`;
    setAttributes(group, { "aria-valuenow": i * n + j + 1, "aria-valuetext": words });
  };
}

export function entryFields({ part, labels, state, explorer, actions }: PanelContext) {
  const [row, column] = [part<HTMLSelectElement>("row"), part<HTMLSelectElement>("column")];
  const [field, note] = [part<HTMLInputElement>("entry"), part("typed")];
  const options = labels.map((name, i) => [String(i), name]);
  [row, column].forEach((select, k) => {
    fillSelect(select, options);
    select.addEventListener("change", () => {
      const pair: State["chosen"] = [...state.chosen];
      pair[k] = Number(select.value);
      if (pair[0] === pair[1]) pair[1 - k] = state.chosen[k];
      actions.choose(pair);
    });
  });
  const length = () => explorer.result.D[state.chosen[0] * labels.length + state.chosen[1]];
  numberField(field, explorer, {
    most: ENTRY_MOST,
    by: 10,
    get: length,
    shown: () => km(length()),
    accept: actions.edit,
    reject: (error) => (note.textContent = error),
  });
  return ({ D, original }: Result) => {
    const [i, j] = state.chosen;
    [row, column].forEach((select, k) => (select.options[state.chosen[k]].selected = true));
    const label = `entry for ${labels[i]} and ${labels[j]}, in kilometres`;
    setAttributes(field, { "aria-label": label });
    const [now, before] = [D, original].map((matrix) => matrix[i * labels.length + j]);
    if (field.getAttribute("aria-invalid") === "true") return;
    if (field !== document.activeElement) field.value = km(now);
    note.textContent =
      now === before ? `Enter a number from 0 to ${ENTRY_MOST}.` : `It was ${km(before)} km.`;
  };
}
