// The panels of the explorer of classical scaling.

import { largestModulus, type Matrix, type Point, toRows } from "../core/matrix.ts";
import type { Pair } from "../core/pairs.ts";
import { listenToButtons } from "../ui/buttons.ts";
import { chart, gridLines, type Scale, tick } from "../ui/charts.ts";
import { range } from "../ui/controls.ts";
import { gradually } from "../ui/frames.ts";
import { draggable } from "../ui/handles.ts";
import { around, nameLayer } from "../ui/labels.ts";
import { type Drawing, plane } from "../ui/plane.ts";
import type { Panel, Part } from "../ui/state.ts";
import { hatching, setAttributes, svg, svgPaths } from "../ui/svg.ts";
import { eigenvalueBars, factRows, heat } from "../ui/tables.ts";
import { hundredth, setText, spokenKm, tenth, text } from "../ui/text.ts";
import { partOf } from "../ui/verdict.ts";
import type { PanelContext } from "./classicalScaling.ts";
import type { Result, State } from "./classicalScalingModel.ts";
import { isOrAre, km, millions } from "./classicalScalingVerdict.ts";

const FACTS: [string, (result: Result) => string][] = [
  ["fit from absolute values", ({ goodness }) => text(goodness[0], 3)],
  ["fit from positive eigenvalues", ({ goodness }) => text(goodness[1], 3)],
  ["negative mass", ({ mass }) => text(mass, 3)],
  ["Cailliez\u2019s constant of \u0394", ({ constants }) => `${text(constants.cailliez, 1)} km`],
  [
    "Lingoes\u2019s constant of \u0394",
    ({ constants }) => `${millions(constants.lingoes)} million km\u00b2`,
  ],
];

/** Return points in units of a map, each of which has the given number of thousands of km. */
const inUnits = (points: Matrix, unit: number) =>
  toRows(points, 2).map((row) => row.map((v) => v / 1000 / unit));

/**
 * Return a function that draws circles at the places on an old map, joined to those on the map, and
 * returns their boxes.
 */
function oldPlaces({ root, pixel }: Drawing) {
  const [lines, circles] = svgPaths(root, ["kx-leader", "kx-before"]);
  return (places: Point[], pixels: Point[]) => {
    const old = places.map((place) => pixel(place).map(tenth));
    const line = ([x, y]: Point, i: number) => `M${x} ${y}L${pixels[i].map(tenth).join(" ")}`;
    const circle = ([x, y]: Point) => `M${x - 3.5} ${y}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0`;
    setAttributes(lines, { d: old.map(line).join("") });
    setAttributes(circles, { d: old.map(circle).join("") });
    return old.map((point) => around(point, 9, 9));
  };
}

export function mapPanel({ part, labels, coast, state, explorer, actions }: PanelContext) {
  const size: Point = [340, 248];
  const note = state.show === "cities" ? null : part("square");
  const label = "Map by classical scaling, whose cities you can drag";
  const drawing = plane(part("map"), size, 56, label);
  const shore = svg(drawing.root, "path", { class: "kx-coast", "aria-hidden": "true", d: coast });
  drawing.root.prepend(shore); // its unit is 10 km
  const drawOld = oldPlaces(drawing);
  const link = svg(drawing.root, "line", { class: "kx-between" });
  let [drawn, scale] = [[] as Point[], 1];
  let beforeDrag = drawn; // in km
  const inKm = (point: Point) => point.map((v) => Math.round(1000 * scale * v));
  const { spots, drawDots, dragBy } = draggable(drawing, labels.length, explorer, {
    places: () => drawn,
    get: () => drawn[state.chosen[0]].map(hundredth),
    move: (point) => actions.move(inKm(point), beforeDrag),
    attributes: () => ({ "aria-label": labels[state.chosen[0]] }),
    spoken: (point) => spokenKm(point.map((v) => scale * v)),
    choose(nearest) {
      const [i, j] = state.chosen;
      if (nearest !== i) actions.choose([nearest, nearest === j ? i : j]);
    },
  });
  const write = nameLayer(drawing.root, labels, size, dragBy);
  let first: Matrix = Float64Array.of();
  const show = gradually(([factor, ...points], moving) => {
    scale = factor;
    setAttributes(shore, { transform: `scale(${drawing.pixel([0.01 / scale, 0])[0]})` });
    drawn = inUnits(Float64Array.from(points), scale);
    const pixels = drawn.map(drawing.pixel);
    const taken = drawOld(inUnits(first, scale), pixels);
    write(pixels, state.chosen, { moving, taken });
    const [[x1, y1], [x2, y2]] = state.chosen.map((i) => pixels[i].map(tenth));
    setAttributes(link, { x1, y1, x2, y2 });
    drawDots(pixels);
  });
  return ({ points, fitted, first: old }: Result, moving?: boolean) => {
    first = old;
    const factor = drawing.reduction(inUnits(fitted, 1));
    if (note) note.textContent = `grid: ${text(1000 * factor, 0)} km`;
    if (!moving) beforeDrag = toRows(points, 2);
    spots.forEach((spot, i) => spot.classList.toggle("kx-selected", state.chosen.includes(i)));
    show([factor, ...points], moving);
  };
}

function rootsScale(axis: Element, left: number, width: number) {
  let shown = "";
  return (high: number, low: number, y: Scale) => {
    if (shown === `${high} ${low}`) return;
    shown = `${high} ${low}`;
    axis.replaceChildren();
    const every = high > 20 ? 10 : 2;
    const below = Math.floor(low / every);
    const count = Math.floor(high / every) + below + 1;
    const ticks = Array.from({ length: count }, (_, k) => every * (k - below));
    const line = (v: number) => ({ x1: left, x2: width, y1: y(v), y2: y(v) });
    gridLines(axis, ticks, line, (v) => [[left - 4, y(v)], "end"]);
  };
}

export function rootsPanel(host: Element, n: number) {
  const [width, height, left] = [340, 110, 24];
  const root = chart(host, width, height);
  const scale = rootsScale(svg(root, "g", { "aria-hidden": "true" }), left, width);
  const hatch = hatching(root, "roots");
  const paths = svgPaths(root, ["kx-bar-kept", "kx-bar-rest", "kx-bar-minus"]);
  const hatched = svg(root, "path", { fill: hatch });
  const step = (width - left) / n;
  return ({ values, zero, negative, mass }: Result) => {
    const roots = values.map((value) => (Math.sign(value) * Math.sqrt(Math.abs(value))) / 1000);
    const [high, low] = [Math.max(7, roots[0]), Math.max(2, -roots[n - 1])];
    const y = (v: number) => tenth(4 + ((height - 8) * (high - v)) / (high + low));
    scale(high, low, y);
    const bar = (r: number) =>
      `M${tenth(left + step * (r + 0.12))} ` +
      `${y(0)}h${tenth(0.76 * step)}V${y(roots[r])}h${-tenth(0.76 * step)}z`;
    const kindOf = (r: number) => (values[r] < 0 ? 2 : r < 2 ? 0 : 1);
    const shown = [...values.keys()].filter((r) => Math.abs(values[r]) > zero);
    for (const [kind, path] of paths.entries())
      setAttributes(path, {
        d: shown
          .filter((r) => kindOf(r) === kind)
          .map(bar)
          .join(""),
      });
    setAttributes(hatched, { d: paths[2].getAttribute("d") });
    const most = `The largest is ${millions(values[0])} million square kilometres`;
    const words =
      `${n} eigenvalues as bars. ${most}; ${negative} ${isOrAre(negative)} ` +
      `negative, and the negative mass is ${text(mass, 3)}.`;
    setAttributes(root, { "aria-label": words });
  };
}

function shepardAxes(root: Element, width: number, height: number, left: number) {
  const axes = svg(root, "g", { "aria-hidden": "true" });
  tick(root, "dissimilarity, with the constant (1000 km)", [(width + left) / 2, height - 8]);
  tick(root, "distance on the map (1000 km)", [0, 8], "start");
  let shown: number | null = null;
  return (top: number, x: Scale, y: Scale) => {
    if (shown === top) return;
    shown = top;
    axes.replaceChildren();
    const all = Array.from({ length: top + 1 }, (_, k) => k);
    const ticks = all.filter((k) => k % Math.ceil(top / 8) === 0);
    const across = (v: number) => ({ x1: x(0), x2: x(top), y1: y(v), y2: y(v) });
    gridLines(axes, ticks, across, (v) => [[left - 4, y(v)], "end"]);
    const up = (v: number) => ({ x1: x(v), x2: x(v), y1: y(0), y2: y(top) });
    gridLines(axes, ticks, up, (v) => [[x(v), y(0) + 12]]);
  };
}

export function shepardPanel(host: Element, state: State) {
  const [width, height, left, bottom] = [340, 220, 30, 34];
  const root = chart(host, width, height);
  const axes = shepardAxes(root, width, height, left);
  const kinds = ["kx-equal", "kx-dots", "kx-worst", "kx-chosen"];
  const [diagonal, dots, worstPairs, chosen] = svgPaths(root, kinds);
  return ({ pairs, worst }: Result) => {
    const most = Math.max(1, ...pairs.map(({ table, map }) => Math.max(table, map) / 1000));
    const top = Math.ceil(most * 1.02);
    const x = (v: number) => left + ((width - left - 6) * v) / top;
    const y = (v: number) => height - bottom - ((height - bottom - 22) * v) / top;
    axes(top, x, y);
    setAttributes(diagonal, { d: `M${x(0)} ${y(0)}L${x(top)} ${y(top)}` });
    const dotOf = ({ table, map }: Pair) => [tenth(x(table / 1000)), tenth(y(map / 1000))];
    setAttributes(dots, { d: pairs.map((pair) => `M${dotOf(pair).join(" ")}h0`).join("") });
    const square = (r: number) => (pair: Pair) => {
      const corner = dotOf(pair).map((v) => tenth(v - r));
      return `M${corner.join(" ")}h${2 * r}v${2 * r}h${-2 * r}z`;
    };
    setAttributes(worstPairs, { d: worst.map(square(4)).join("") });
    const isChosen = ({ i, j }: Pair) => state.chosen.includes(i) && state.chosen.includes(j);
    setAttributes(chosen, { d: pairs.filter(isChosen).map(square(6)).join("") });
    const near = pairs.filter(({ table, map }) => map < table - 0.05).length;
    const far = pairs.filter(({ table, map }) => map > table + 0.05).length;
    const words =
      `Shepard diagram of ${pairs.length} pairs: the distance on the map is smaller than the ` +
      `dissimilarity for ${near} pairs and larger for ${far}.`;
    setAttributes(root, { "aria-label": words });
  };
}

export function constantPanel(el: Element, { part, state, explorer, actions }: PanelContext) {
  const host = part("constant");
  const buttons = listenToButtons(el, explorer, {
    method: [actions.setMethod, (method) => method === state.method],
  });
  const inWords = (value: number) => {
    const constant = (value / 100) * explorer.result.constants[state.method];
    return state.method === "cailliez"
      ? `${text(constant, 0)} km`
      : `${text(constant / 1e6, 2)} M km\u00b2`;
  };
  const showPercentage = range(host, explorer, {
    name: "c",
    ends: [0, 100, 1],
    words: inWords,
    input: (value) => actions.setShare(value / 100),
  });
  const ends = host.appendChild(document.createElement("p"));
  ends.className = "kx-ends";
  return ({ constants }: Result) => {
    showPercentage(Math.round(100 * state.share));
    partOf(host, "input").toggleAttribute("disabled", constants[state.method] === 0);
    buttons();
    const name = { cailliez: "Cailliez", lingoes: "Lingoes" }[state.method];
    ends.innerHTML = `<span>0: given matrix</span><span>${name}\u2019s constant: Euclidean</span>`;
  };
}

/** Show the chosen distance, which city can be dragged, and the steps to the coordinates. */
export function stepsPanel({ part, labels, state }: PanelContext): Panel<Result> {
  const cellsOf = (name: string, columns: string[]) => {
    const heads = columns.map((column) => `<th scope="col">${column}</th>`).join("");
    part(name).insertAdjacentHTML("beforebegin", `<thead><tr><td></td>${heads}</tr></thead>`);
    const rows = labels.map((label): [string] => [label]);
    const cells = factRows(part(name), rows, columns.length);
    return cells.flatMap((row) => row.slice(1)) as HTMLElement[];
  };
  const short = labels.map((label) => label.slice(0, 3));
  const products = cellsOf("gram", short);
  const coordinates = cellsOf("coordinates", ["east", "north"]);
  const drawBars = eigenvalueBars(part("eigenvalues"), labels.length);
  const prompt = svg(partOf(part("map"), ".kx-handle"), "g", { class: "kx-control" });
  tick(prompt, "\u2191", [0, 22]);
  tick(prompt, "drag", [0, 36]);
  return ({ D, gram, values, points }) => {
    const [i, j] = state.chosen;
    const given = `${labels[i]}\u2013${labels[j]}: ${km(D[i * labels.length + j])} km given`;
    const onMap = Math.hypot(points[2 * i] - points[2 * j], points[2 * i + 1] - points[2 * j + 1]);
    part("pair").textContent = `${given}, ${text(onMap, 0)} km on the map.`;
    heat(products, gram, largestModulus(gram), "--kx-product");
    products.forEach((cell, at) => (cell.textContent = text(gram[at] / 1e6, 1)));
    drawBars(Array.from(values, (v) => Math.round(v / 1e4) / 100));
    setAttributes(prompt, { display: state.edits.length ? "none" : "inline" });
    coordinates.forEach((cell, at) => (cell.textContent = text(points[at], 0)));
  };
}

export function factTables(part: Part, labels: string[]) {
  const facts = factRows(part("facts"), FACTS, 1);
  const rows = factRows(part("worst"), [[""], [""], [""]], 2);
  return (result: Result) => {
    setText(part("entries"), result.constant ? "given + c" : "given");
    FACTS.forEach(([, value], row) => (facts[row][1].textContent = value(result)));
    rows.forEach((row, i) => {
      const pair = result.worst[i];
      const words = pair
        ? [`${labels[pair.i]}\u2013${labels[pair.j]}`, text(pair.table, 0), text(pair.map, 0)]
        : ["none", "\u2013", "\u2013"];
      words.forEach((word, cell) => (row[cell].textContent = word));
    });
  };
}
