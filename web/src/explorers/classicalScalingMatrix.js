// The matrix of dissimilarities, whose entries can be changed.

import { largestModulus } from "../core/matrix.js";
import { pairsAmong } from "../core/pairs.js";
import { fillSelect, numberField } from "../ui/controls.js";
import { setAttributes, svg, svgPaths } from "../ui/svg.js";
import { ENTRY_MOST } from "./classicalScalingModel.js";
import { km } from "./classicalScalingVerdict.js";

const CELL = 12;
const [LEFT, TOP] = [91, 16];
const SHADES = 8;

/** Return a path of the cells of the entries [i, j] and [j, i]. */
function cellsPath(pairs) {
  const square = (i, j) => `M${LEFT + CELL * j} ${TOP + CELL * i}h${CELL}v${CELL}h${-CELL}z`;
  return pairs.map(([i, j]) => square(i, j) + square(j, i)).join("");
}

/** Return the entry to which an arrow key leads from [i, j], the next one off the diagonal. */
export function stepFrom([i, j], key, n) {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const [di, dj] = steps[key];
  const inside = ([a, b]) => a >= 0 && b >= 0 && a < n && b < n;
  const next = [1, 2].map((times) => [i + times * di, j + times * dj]);
  return next.find(([a, b]) => a !== b && inside([a, b])) ?? [i, j];
}

/**
 * Append the names of the rows and of the chosen column; return a function that shows which two
 * are chosen.
 */
function nameMargins(root, labels) {
  const rows = labels.map((_, i) =>
    svg(root, "text", { class: "kx-name kx-row", x: LEFT - 4, y: TOP + CELL * (i + 0.5) }),
  );
  rows.forEach((name, i) => (name.textContent = labels[i]));
  const column = svg(root, "text", { class: "kx-name kx-on", y: TOP / 2, "text-anchor": "middle" });
  const end = LEFT + CELL * labels.length;
  return ([i, j]) => {
    rows.forEach((name, at) => name.classList.toggle("kx-on", at === i));
    column.textContent = labels[j];
    setAttributes(column, { x: Math.min(end - 3.4 * labels[j].length, LEFT + CELL * (j + 0.5)) });
  };
}

/** Choose an entry by a press on it or by the arrow keys. */
function listenToCells(root, group, state, n) {
  group.addEventListener("click", (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(
      root.getScreenCTM().inverse(),
    );
    const [i, j] = [at.y - TOP, at.x - LEFT].map((v) =>
      Math.min(n - 1, Math.max(0, Math.floor(v / CELL))),
    );
    if (i !== j) state.choose([i, j]);
  });
  group.addEventListener("keydown", (event) => {
    if (event.key.startsWith("Arrow")) state.choose(stepFrom(state.chosen, event.key, n));
    else if (event.key === "Enter") state.field.select();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** Append the group of cells, an entry of which is selected with keys. */
function cellGroup(root, n) {
  const group = svg(root, "g", {
    class: "kx-cells",
    role: "slider",
    tabindex: "0",
    "aria-label": "entry of the matrix",
    "aria-valuemin": 1,
    "aria-valuemax": n * n,
  });
  const side = n * CELL;
  svg(group, "rect", { x: LEFT, y: TOP, width: side, height: side, class: "kx-ground" });
  return group;
}

/** Return a function that shades the cells of a matrix, once for each matrix. */
function shading(group, n) {
  const shades = Array.from({ length: SHADES }, (_, k) =>
    svg(group, "path", { class: "kx-shade", "fill-opacity": (k + 1) / SHADES }),
  );
  let shown = null;
  return (D) => {
    if (shown === D) return;
    shown = D;
    const longest = largestModulus(D) || 1;
    const shadeOf = ([i, j]) => Math.min(SHADES - 1, Math.floor((SHADES * D[i * n + j]) / longest));
    const byShade = Array.from({ length: SHADES }, () => []);
    for (const pair of pairsAmong(n)) byShade[shadeOf(pair)].push(pair);
    shades.forEach((path, k) => setAttributes(path, { d: cellsPath(byShade[k]) }));
  };
}

/** Append the matrix as shaded cells, one of which is chosen; return a function that draws it. */
export function matrixPanel(host, labels, state) {
  const n = labels.length;
  const viewBox = `0 0 ${LEFT + n * CELL + 2} ${TOP + n * CELL + 2}`;
  const label =
    `Matrix of ${n} by ${n} dissimilarities: the larger the entry, the stronger the ` +
    "colour of its cell";
  const root = svg(host, "svg", { viewBox, class: "kx-chart", role: "group", "aria-label": label });
  const mark = nameMargins(root, labels);
  const group = cellGroup(root, n);
  const shade = shading(group, n);
  const [edited, worst, chosen] = svgPaths(group, ["kx-edited", "kx-worst", "kx-chosen"]);
  listenToCells(root, group, state, n);
  return (D, result) => {
    shade(D);
    setAttributes(edited, { d: cellsPath(state.edits) });
    setAttributes(worst, { d: cellsPath(result.worst.map(({ i, j }) => [i, j])) });
    setAttributes(chosen, { d: cellsPath([state.chosen]) });
    mark(state.chosen);
    const [i, j] = state.chosen;
    const words = `${labels[i]} to ${labels[j]}: ${km(D[i * n + j])} km`;
    setAttributes(group, { "aria-valuenow": i * n + j + 1, "aria-valuetext": words });
  };
}

/** Follow the fields below the matrix; return a function that fills them. */
export function entryFields(part, labels, state) {
  const [row, column, field, note] = ["row", "column", "entry", "typed"].map(part);
  const options = labels.map((name, i) => [i, name]);
  [row, column].forEach((select, at) => {
    fillSelect(select, options);
    select.addEventListener("change", () => {
      const pair = [...state.chosen];
      pair[at] = Number(select.value);
      if (pair[0] === pair[1]) pair[1 - at] = state.chosen[at];
      state.choose(pair);
    });
  });
  numberField(field, state, {
    most: ENTRY_MOST,
    by: 10,
    get: () => state.length(),
    shown: () => km(state.length()),
    accept: (number) => state.edit(number),
    reject: (error) => (note.textContent = error),
  });
  state.field = field;
  return (D, original) => {
    const [i, j] = state.chosen;
    [row, column].forEach((select, at) => (select.children[state.chosen[at]].selected = true));
    setAttributes(field, {
      "aria-label": `entry for ${labels[i]} and ${labels[j]}, in kilometres`,
    });
    const [now, before] = [D, original].map((matrix) => matrix[i * labels.length + j]);
    if (field.getAttribute("aria-invalid") === "true") return;
    if (field !== document.activeElement) field.value = km(now);
    note.textContent =
      now === before ? `Enter a number from 0 to ${ENTRY_MOST}.` : `It was ${km(before)} km.`;
  };
}
