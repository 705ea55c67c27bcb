// The drawings of the roll and of its map.

import { columnMeans, fromRows, type Point, toRows } from "../core/matrix.ts";
import { makeGrabbable } from "../ui/handles.ts";
import { centreOfBox, placesOfNames } from "../ui/labels.ts";
import { plane } from "../ui/plane.ts";
import type { Explorer, Panel } from "../ui/state.ts";
import { setAttributes, svg } from "../ui/svg.ts";
import { plural, tenth, text } from "../ui/text.ts";
import { type Data, type Edge, FLAT_ERROR, type Result, type State } from "./isomapModel.ts";

/** The colours along the sheet. */
const SHADES = "#440154 #46327e #365c8d #277f8e #1fa187 #4ac16d #a0da39 #fde725".split(" ");

type Mark = ReturnType<typeof marksOf>[number];
type Layers = Pick<Result, "edges" | "shortCircuits" | "removed" | "worst">;
type DrawGraph = (graph: Layers, dots: Point[], depth?: number[]) => void;
type Rolled = { state: State; explorer: Explorer<Result>; rotate: (view: number[]) => void };

/** Return the shape and the shade of each point, which show its position along the sheet. */
export function marksOf(sheet: Point[]) {
  const along = sheet.map(([place]) => place);
  const [low, high] = [Math.min(...along), Math.max(...along)];
  return along.map((place) => {
    const fraction = Math.min(0.999, (place - low) / (high - low || 1));
    return { shape: Math.floor(3 * fraction), shade: Math.floor(SHADES.length * fraction) };
  });
}

/** Return the path of a circle, a square or a triangle of size r around a position. */
export function shapePath(shape: number, [x, y]: Point, r: number) {
  const [left, top, wide] = [x - 0.9 * r, y - 0.9 * r, 1.8 * r].map(tenth);
  if (shape === 0)
    return `M${tenth(x - r)} ${tenth(y)}a${r} ${r} 0 1 0 ${2 * r} 0 ${r} ${r} 0 1 0-${2 * r} 0z`;
  if (shape === 1) return `M${left} ${top}h${wide}v${wide}h-${wide}z`;
  return (
    `M${tenth(x)} ${tenth(y - 1.3 * r)}l${tenth(1.2 * r)} ` +
    `${tenth(2.2 * r)}h-${tenth(2.4 * r)}z`
  );
}

/** Return the path of the edges between positions in a drawing, rounded to whole units. */
function edgesPath(edges: Edge[], places: Point[]) {
  const place = (i: number) => places[i].map(Math.round).join(" ");
  return edges.map(({ i, j }) => `M${place(i)}L${place(j)}`).join("");
}

function endNames(parent: Element, size: Point) {
  const ends = [0, 1].map(() =>
    svg(parent, "text", { class: "kx-name kx-selected", "text-anchor": "middle" }),
  );
  return (pair: number[], pixels: Point[]) => {
    const places = pair.map((i) => pixels[i]);
    const boxes = placesOfNames(places, pair.map(String), [...pair.keys()], size);
    ends.forEach((mark, end) => {
      mark.textContent = boxes[end] ? String(pair[end]) : "";
      if (!boxes[end]) return;
      const [x, y] = centreOfBox(boxes[end].box).map(tenth);
      setAttributes(mark, { x, y });
    });
  };
}

/** Append the layers of a graph; return a function that draws it, from back to front. */
function graphLayers(parent: Element, marks: Mark[], size: Point): DrawGraph {
  const path = (name: string) => svg(parent, "path", { class: name });
  const [far, wires] = [path("kx-wire kx-far"), path("kx-wire")];
  const spots = Array.from({ length: 2 * SHADES.length }, (_, i) => {
    const [half, shade] = [Number(i < SHADES.length), i % SHADES.length];
    const attributes = { class: "kx-grain", fill: SHADES[shade] };
    return { half, shade, path: svg(parent, "path", attributes) };
  });
  const [gaps, wrong, worst] = ["kx-removed", "kx-wrong", "kx-wrong kx-worst-edge"].map(path);
  const nameEnds = endNames(parent, size);
  return ({ edges, shortCircuits, removed, worst: [first] }, dots, depth = dots.map(() => 0)) => {
    const behind = ({ i, j }: Edge) => depth[i] + depth[j] > 0;
    const plain = edges.filter((edge) => !shortCircuits.includes(edge));
    setAttributes(far, { d: edgesPath(plain.filter(behind), dots) });
    const near = plain.filter((edge) => !behind(edge));
    setAttributes(wires, { d: edgesPath(near, dots) });
    setAttributes(gaps, { d: edgesPath(removed, dots) });
    setAttributes(wrong, { d: edgesPath(shortCircuits, dots) });
    const ring = (i: number) => shapePath(0, dots[i], 8);
    const d = first ? edgesPath([first], dots) + ring(first.i) + ring(first.j) : "";
    setAttributes(worst, { d });
    nameEnds(first ? [first.i, first.j] : [], dots);
    for (const { half, shade, path: spot } of spots) {
      const shown = dots.map((place, i) =>
        marks[i].shade === shade && depth[i] > 0 === Boolean(half)
          ? shapePath(marks[i].shape, place, 3.6)
          : "",
      );
      setAttributes(spot, { d: shown.join("") });
    }
  };
}

/** Return the coordinates of points across, down and behind the screen for a view in degrees. */
function projected(points: number[][], [rotation, tilt]: number[]) {
  const [a, e] = [rotation, tilt].map((degrees) => (degrees * Math.PI) / 180);
  return points.map(([x, y, z]) => {
    const [across, away] = [x * Math.cos(a) + y * Math.sin(a), y * Math.cos(a) - x * Math.sin(a)];
    return [across, -(z * Math.cos(e) + away * Math.sin(e)), away * Math.cos(e) - z * Math.sin(e)];
  });
}

const wrapAngle = (degrees: number) => ((((degrees + 180) % 360) + 360) % 360) - 180;
const clipTilt = (tilt: number) => Math.max(-90, Math.min(90, tilt));

export function rollPanel(host: Element, { points }: Data, marks: Mark[], rolled: Rolled) {
  const [width, height] = [340, 220];
  const middle = columnMeans(fromRows(points), 3);
  const centred = points.map((row) => row.map((v, c) => v - middle[c]));
  const unit = (height / 2 - 10) / Math.max(...centred.map((row) => Math.hypot(...row)));
  const root = svg(host, "svg", {
    viewBox: `${-width / 2} ${-height / 2} ${width} ${height}`,
    class: "kx-plane",
    role: "group",
    "aria-label": "The roll in space",
  });
  const group = svg(root, "g", {
    class: "kx-handle kx-turntable",
    role: "slider",
    tabindex: "0",
    "aria-label": "view of the roll",
    "aria-valuemin": -180,
    "aria-valuemax": 180,
  });
  svg(group, "rect", {
    x: 2 - width / 2,
    y: 2 - height / 2,
    width: width - 4,
    height: height - 4,
    class: "kx-stage",
  });
  const draw = graphLayers(group, marks, [width, height]);
  listenToRotation(group, rolled);
  return () => {
    const [{ result }, { view }] = [rolled.explorer, rolled.state];
    const rows = projected(centred.slice(0, result.n), view);
    const pixels = rows.map(([x, y]): Point => [unit * x, unit * y]);
    const depth = rows.map(([, , away]) => away);
    draw(result, pixels, depth);
    setAttributes(group, {
      "aria-valuenow": view[0],
      "aria-valuetext": `rotated by ${text(view[0], 0)} degrees, tilted by ${text(view[1], 0)} degrees`,
    });
  };
}

function listenToRotation(group: SVGElement, { state, explorer, rotate }: Rolled) {
  makeGrabbable(group, {
    grab: (event) => ({ x: event.clientX, y: event.clientY, view: state.view }),
    move(event, { x, y, view: [rotation, tilt] }) {
      const [across, down] = [event.clientX - x, event.clientY - y].map((v) => Math.round(0.6 * v));
      rotate([wrapAngle(rotation - across), clipTilt(tilt + down)]);
    },
    keys: {
      ArrowLeft: [5, 0],
      ArrowRight: [-5, 0],
      ArrowUp: [0, -5],
      ArrowDown: [0, 5],
      PageUp: [0, -30],
      PageDown: [0, 30],
      Home: [0, 0, -180],
      End: [0, 0, 180],
    },
    step([across, down, end]) {
      const [rotation, tilt] = state.view;
      rotate([end ?? wrapAngle(rotation + across), clipTilt(tilt + down)]);
    },
    release: explorer.save,
    cancel: ({ view }) => rotate(view),
  });
}

export function isomapPanel(host: Element, { sheet }: Data, marks: Mark[]): Panel<Result> {
  const columns = [0, 1].map((c) => sheet.map((row) => row[c]));
  const longest = Math.max(...columns.map((column) => Math.max(...column) - Math.min(...column)));
  const step = 10 ** Math.floor(Math.log10(longest / 2));
  const drawing = plane(host, [340, 210], (step * 170) / (0.72 * longest), "Isomap map");
  const group = svg(drawing.root, "g", { role: "img" });
  const draw = graphLayers(group, marks, [340, 210]);
  const note = svg(drawing.root, "text", { class: "kx-name kx-empty", "text-anchor": "middle" });
  const middle = columnMeans(fromRows(sheet), 2);
  return (result) => {
    const { points, shortCircuits, error } = result;
    note.textContent = points ? "" : "no map";
    const rows = points
      ? toRows(points, 2).map((row) => row.map((v, c) => (v - middle[c]) / step))
      : [];
    const scale = drawing.reduction(rows);
    draw(
      points ? result : { edges: [], shortCircuits: [], removed: [], worst: [] },
      rows.map((row) => drawing.pixel(row.map((v) => v / scale))),
    );
    const shape = error !== undefined && error < FLAT_ERROR ? "a flat strip" : "not a flat strip";
    const edges = plural(shortCircuits.length, "short circuit");
    const label = `Map of ${rows.length} points with ${edges}: ${shape}.`;
    setAttributes(group, { "aria-label": points ? label : "no map" });
  };
}
