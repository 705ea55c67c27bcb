// The drawing of the map.

import { type Matrix, type Names, type Point, productOfRows, toRows } from "../../core/matrix.ts";
import { alongLine, type Box, centreOfBox, placesOfNames } from "../../ui/labels.ts";
import { setAttributes, svg } from "../../ui/svg.ts";
import { plural, readableNumber, tenth } from "../../ui/text.ts";
import { type FittedPoints, neighbourhood } from "../fitting/residuals.ts";
import type { Groups } from "./columns.ts";
import { listenToMap } from "./mapEvents.ts";

/** What a map shows. */
interface MapContent {
  fit: FittedPoints; // the fit, whose errors the lines from the chosen object show
  points: Matrix; // the rotated points of the fit
  names: Names; // the labels of the points, if they have any
  groups: Groups; // the group of each object, and the mark of each group
  other: { points: Matrix } | null; // another map, aligned with this one
  arrows: { title: string; tip: Matrix }[]; // the variables, and the ends of their arrows
  clouds: Matrix[] | null; // the maps without single objects
  unit: string; // the unit of the distances, or an empty text
  label: string; // the description for a screen reader
  isNewTable: boolean; // true for the first map of a table
  R: number[][] | null | undefined; // the rotation in space, if it is not the last one
}

type Place = [number, number, number];
type Scene = ReturnType<typeof sceneOf>;
type Layer = "frame" | "clouds" | "otherMap" | "arrows" | "lines" | "points" | "labels";

/** Return the rotation about the axes of the screen by two angles, as rows. */
function screenRotation(right: number, up: number) {
  const [c, s, d, t] = [Math.cos(right), Math.sin(right), Math.cos(up), Math.sin(up)];
  return [
    [c, 0, s],
    [s * t, d, -c * t],
    [-s * d, t, c * d],
  ];
}

/** Return the coordinates of each point on the screen: right, up, and towards the reader. */
function projected(points: Matrix, k: number, R: number[][]): Place[] {
  return toRows(points, k).map((row) => {
    const along = (axis: number) => R[axis].reduce((sum, a, c) => sum + a * row[c], 0);
    return k === 3 ? [along(0), along(1), along(2)] : [row[0], row[1] ?? 0, 0];
  });
}

function barLength(reach: number) {
  const power = 10 ** Math.floor(Math.log10(reach));
  return [5, 2, 1].map((m) => m * power).find((length) => length <= reach) ?? power;
}

/** Hold the rotation, the zoom and the centre of a map, which the reader changes. */
class Viewport {
  R = screenRotation(0.5, 0.35);
  zoom = 1;
  middle: Point = [0, 0];
  reset() {
    Object.assign(this, new Viewport());
  }
  rotate(dx: number, dy: number) {
    this.R = productOfRows(screenRotation(dx, dy), this.R);
  }
  move(dx: number, dy: number) {
    this.middle = [this.middle[0] + dx, this.middle[1] + dy];
  }
  enlarge(factor: number, [x, y]: Point = [0, 0]) {
    const zoom = Math.min(40, Math.max(1, this.zoom * factor));
    const ratio = zoom / this.zoom;
    this.middle =
      zoom === 1 ? [0, 0] : [x - ratio * (x - this.middle[0]), y - ratio * (y - this.middle[1])];
    this.zoom = zoom;
  }
}

/** The most objects whose names may stand apart from their points while the map is moved. */
const MOST_WITH_LINES = 40;
const CAN_RESIZE = typeof ResizeObserver !== "undefined";

/** A map, on the page or in the copy that is saved. */
class MapDrawing {
  viewport = new Viewport(); // the rotation, the zoom and the centre, which the reader changes
  data: MapContent | null = null; // what it shows, or null before the first fit
  marked: number | null = null; // the object whose neighbours are marked
  pixels: Point[] = []; // the place of each object in the last drawing
  drawnGroups: Groups | null = null; // those of the marks that can be moved
  namesApart = true; // false if no name may stand apart from its point
  note: HTMLElement | null = null; // says how many names are hidden; not in a copy
  // The width and height. On a phone, a drawing that no script will fit to its page stays readable.
  size: Point = CAN_RESIZE ? [642, 372] : [480, 330];
  // The length of a whole name, in characters; on the page, long names are cut instead.
  lengthOf: ((name: string) => number) | null = null;

  isInSpace = () => this.data?.fit.choices.dimensions === 3;

  root: SVGSVGElement; // listens to the events
  layers: Record<Layer, SVGGElement>; // the groups of its elements, the lowest first

  constructor(host: Element, attributes = {}) {
    this.root = svg(host, "svg", { class: "kl-map", ...attributes });
    const layer = (name: string) => svg(this.root, "g", { class: `kl-${name}` });
    const [frame, clouds, otherMap] = [layer("frame"), layer("clouds"), layer("other-map")];
    const [arrows, lines, points] = [layer("arrows"), layer("lines"), layer("points")];
    this.layers = { frame, clouds, otherMap, arrows, lines, points, labels: layer("labels") };
  }

  /**
   * Draw a copy of the map with full names. If not all of them fit beside their points, the copy is
   * larger and has lines from points to names.
   */
  copy(host: Element, lengthOf: (name: string) => number) {
    const { viewport, data, marked, size } = this;
    const changes = { viewport, data, marked, size, lengthOf, namesApart: false };
    const copy = Object.assign(new MapDrawing(host), changes);
    drawMap(copy);
    const { names, arrows = [] } = data ?? {};
    const wanted = (names?.filter(Boolean).length ?? 0) + arrows.length;
    if (copy.layers.labels.children.length > wanted) return copy;
    copy.size = size.map((side) => Math.round(1.5 * side));
    const middle = viewport.middle.map((x) => 1.5 * x);
    copy.viewport = Object.assign(new Viewport(), viewport, { middle });
    drawMap(Object.assign(copy, { namesApart: true }));
    return copy;
  }
}

/** The map on the page. It calls functions when an object is chosen and after rotations in space. */
export class InteractiveMap extends MapDrawing {
  onChoose: (i: number) => void;
  saveRotation: () => void;
  watcher: ResizeObserver | null;

  constructor(host: HTMLElement, onChoose: (i: number) => void, onRotate: (R: number[][]) => void) {
    super(host, { role: "group", tabindex: "0", "aria-roledescription": "map" });
    this.note = host.appendChild(host.ownerDocument.createElement("p"));
    this.note.className = "kx-note kx-control";
    this.onChoose = onChoose;
    this.saveRotation = () => this.isInSpace() && onRotate(this.viewport.R);
    listenToMap(this);
    this.watcher = CAN_RESIZE ? new ResizeObserver(() => fitWidth(this, host)) : null;
    this.watcher?.observe(host);
  }

  showAll = () => this.change((viewport) => viewport.reset());
  close = () => this.watcher?.disconnect();

  /** Draw another fit. */
  show(data: MapContent) {
    if (data.isNewTable) Object.assign(this, { marked: null, viewport: new Viewport() });
    if (data.R) this.viewport.R = data.R;
    this.data = data;
    drawMap(this);
  }

  choose(i: number) {
    this.marked = i;
    if (!this.data) return;
    drawNeighbours(this);
    this.onChoose(i);
  }

  /** Change the viewport of the map, and draw it. */
  change(change: (viewport: Viewport) => void) {
    change(this.viewport);
    drawMap(this);
  }

  enlarge(factor: number, centre: Point = [0, 0]) {
    this.change((viewport) => viewport.enlarge(factor, centre));
  }
}

/** Draw the map as wide as the page allows, so that its names do not change their size. */
function fitWidth(map: MapDrawing, host: HTMLElement) {
  const width = Math.round(host.clientWidth);
  if (!width || width === map.size[0]) return;
  map.size = [width, Math.round(Math.max(300, Math.min(0.58 * width, 520)))];
  drawMap(map);
}

function drawMap(map: MapDrawing) {
  const { data, viewport, size, root } = map;
  if (!data) return;
  const scene = sceneOf(map, data);
  map.pixels = scene.pixels;
  setAttributes(root, { viewBox: `0 0 ${size.join(" ")}`, "aria-label": data.label });
  root.classList.toggle("kl-in-space", map.isInSpace());
  root.classList.toggle("kl-zoomed", viewport.zoom > 1);
  const covered = drawFrame(map, scene);
  drawClouds(map, scene);
  drawOtherMap(map, scene);
  drawArrows(map, scene);
  drawMarks(map, scene);
  drawLabels(map, scene, covered);
  drawNeighbours(map);
}

/** Return what a map shows, with the number of its dimensions and its places in pixels. */
function sceneOf({ viewport, size }: MapDrawing, data: MapContent) {
  const { fit, points, names, other, arrows } = data;
  const [width, height] = size;
  const k = fit.choices.dimensions;
  const seen = projected(points, k, viewport.R);
  const seenOther = other ? projected(other.points, k, viewport.R) : [];
  const tips = arrows.map(({ tip }) => projected(tip, k, viewport.R)[0]);
  const far = (axis: number) =>
    Math.max(...[...seen, ...seenOther, ...tips].map((p) => Math.abs(p[axis])), 1e-300);
  const ball = Math.max(...toRows(points, k).map((row) => Math.hypot(...row)), 1e-300);
  const pad = names || arrows.length ? 46 : 20;
  const [right, up] = k === 3 ? [ball, ball] : [far(0), far(1)];
  const scale = Math.min((width / 2 - pad) / right, (height / 2 - 24) / up) * viewport.zoom;
  const toPixels = ([x, y]: Point | Place): Point => [
    width / 2 + viewport.middle[0] + scale * x,
    height / 2 + viewport.middle[1] - scale * y,
  ];
  const [pixels, otherPixels, tipPixels] = [seen, seenOther, tips].map((rows) =>
    rows.map(toPixels),
  );
  const depths = seen.map((p) => p[2] / ball); // from -1 to 1, the nearest
  return { ...data, k, scale, toPixels, pixels, otherPixels, tipPixels, depths };
}

/** Draw a mark for each object, the nearest last; in a plane, move old marks. */
function drawMarks(map: MapDrawing, { groups, k, pixels, depths }: Scene): void {
  const base = pixels.length < 30 ? 1.3 : 1;
  const size = (i: number) => (base * (k === 3 ? 0.75 + 0.35 * depths[i] : 1)).toFixed(2);
  const transform = (i: number) =>
    `translate(${pixels[i].map((x) => x.toFixed(2)).join(" ")}) scale(${size(i)})`;
  const mark = (i: number) => {
    const { d, class: name } = groups.markOf(groups.groupOf(i) ?? 0);
    return `<path class="${name}" d="${d}" transform="${transform(i)}"></path>`;
  };
  const order = Array.from(pixels.keys());
  if (k === 3) order.sort((a, b) => depths[a] - depths[b]);
  const marks = map.layers.points;
  if (k < 3 && map.drawnGroups === groups && marks.children.length === order.length)
    Array.from(marks.children, (shape, i) => shape.setAttribute("transform", transform(i)));
  else marks.innerHTML = order.map(mark).join("");
  map.drawnGroups = k < 3 ? groups : null;
}

/** Draw the scale bar and, in three dimensions, the axes; return the areas that they cover. */
function drawFrame(map: MapDrawing, scene: Scene) {
  const { frame } = map.layers;
  const [width, height] = map.size;
  const { k, pixels, unit, scale } = scene;
  frame.replaceChildren();
  if (pixels.every(([a, b]) => a === pixels[0][0] && b === pixels[0][1])) return [];
  const length = barLength((0.3 * width) / scale);
  const [x, y] = [12, height - 14];
  svg(frame, "path", { d: `M${x} ${y - 4}v4h${(length * scale).toFixed(1)}v-4` });
  const words = `${readableNumber(length)}${unit ? ` ${unit}` : ""} on both axes`;
  svg(frame, "text", { x: x + 4, y: y - 6 }).textContent = words;
  const end = x + Math.max(length * scale, 6.2 * words.length + 8);
  const bar = [x, height - 34, end, height];
  if (k < 3) return [bar];
  drawAxes(frame, map.viewport, [width - 46, height - 44]);
  return [bar, [width - 92, height - 90, width, height]];
}

function drawAxes(frame: Element, viewport: Viewport, [x, y]: Point): void {
  [0, 1, 2].forEach((axis) => {
    const [dx, dy] = [30 * viewport.R[0][axis], -30 * viewport.R[1][axis]];
    if (Math.hypot(dx, dy) < 5) return;
    svg(frame, "path", { d: `M${x} ${y}l${dx.toFixed(1)} ${dy.toFixed(1)}` });
    const place = { x: (x + 1.3 * dx).toFixed(1), y: (y + 1.3 * dy).toFixed(1) };
    const words = svg(frame, "text", { ...place, class: "kl-axis", "text-anchor": "middle" });
    words.textContent = String(axis + 1);
  });
}

/** Draw the places of an object when others are left out, as a path of dots. */
function drawClouds(
  { layers, viewport }: MapDrawing,
  { clouds, pixels, groups, k, toPixels }: Scene,
): void {
  layers.clouds.replaceChildren();
  if (!clouds) return;
  const seen = clouds.map((cloud) => projected(cloud, k, viewport.R));
  pixels.forEach((_, j) => {
    const dots = seen
      .map((rows) => rows[j])
      .filter(([x]) => Number.isFinite(x))
      .map(toPixels);
    const d = dots.map(([x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join("");
    svg(layers.clouds, "path", { d, class: groups.markOf(groups.groupOf(j) ?? 0).class });
  });
}

/** Draw a line from each object to its place on another map, and a ring there. */
function drawOtherMap({ layers }: MapDrawing, { pixels, otherPixels }: Scene): void {
  const places = otherPixels.map((place) => place.map(tenth));
  const lines = places.map((end, i) => lineBetween(pixels[i], end)).join("");
  const rings = places.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3.5"></circle>`);
  layers.otherMap.innerHTML = rings.length ? `<path d="${lines}"></path>${rings.join("")}` : "";
}

const lineBetween = (start: Point, end: Point) =>
  `M${start.map(tenth).join(" ")}L${end.map(tenth).join(" ")}`;

function drawArrows({ layers }: MapDrawing, { tipPixels, toPixels }: Scene): void {
  const origin = toPixels([0, 0]);
  const arrow = ([x, y]: Point) => {
    const angle = Math.atan2(y - origin[1], x - origin[0]);
    const [one, other] = [0.4, -0.4].map(
      (side): Point => [x - 8 * Math.cos(angle + side), y - 8 * Math.sin(angle + side)],
    );
    const barbs = `${lineBetween(one, [x, y])}L${other.map(tenth).join(" ")}`;
    return lineBetween(origin, [x, y]) + barbs;
  };
  const d = tipPixels.map(arrow).join("");
  layers.arrows.innerHTML = d && `<path d="${d}"></path>`;
}

/** Say how many names have no room on the map. */
function noteHidden({ note }: MapDrawing, count: number): void {
  if (!note) return;
  note.hidden = !count;
  note.textContent = `${plural(count, "name is", "names are")} hidden: zoom in to see more.`;
}

/** Write names where they overlap nothing, those of arrows first. */
function drawLabels(map: MapDrawing, scene: Scene, covered: Box[]): void {
  const { names, arrows, pixels } = scene;
  const { labels } = map.layers;
  labels.replaceChildren();
  noteHidden(map, 0);
  if (!names && !arrows.length) return;
  const allNames = [...(names ?? pixels.map(() => "")), ...arrows.map(({ title }) => title)];
  const words = allNames.map((name) =>
    name.length > 24 && !map.lengthOf ? `${name.slice(0, 23)}\u2026` : name,
  );
  const places = placesOfWords(map, scene, words, covered);
  const [x, y] = map.size.map((side) => side / 2);
  const d = places.map((one) => (one?.end ? lineBetween(one.point, one.end) : "")).join("");
  svg(labels, "path", { d, transform: `translate(${x} ${y})` });
  places.forEach((one, i) => {
    if (!one || !words[i]) return;
    const [dx, dy] = centreOfBox(one.box);
    const place = { x: tenth(x + dx), y: tenth(y + dy), "text-anchor": "middle" };
    const attributes = i < pixels.length ? place : { ...place, class: "kl-property" };
    svg(labels, "text", attributes).textContent = words[i];
  });
}

/**
 * Return the places of words, seen from the middle of the map, and say how many have none. If a map
 * in the plane has few objects, a name without room beside its point stands apart and has a line
 * to it.
 */
function placesOfWords(
  map: MapDrawing,
  { pixels, tipPixels, toPixels, k }: Scene,
  words: string[],
  covered: Box[],
) {
  const [width, height] = map.size;
  const { lengthOf } = map;
  const fromMiddle = (v: number, i: number) => v - map.size[i % 2] / 2;
  const ends = [...pixels, ...tipPixels];
  const isSeen = ([x, y]: Point) => x > 0 && x < width && y > 0 && y < height;
  const wanted = words.map((name, i) => (isSeen(ends[i]) ? name : ""));
  // On a wide map, the letters are larger (laboratory.css).
  const longer = (name: string) => (width < 700 ? name : name.padEnd(1.15 * name.length));
  const room = lengthOf ? words.map((name) => "x".repeat(lengthOf(name))) : wanted.map(longer);
  const isFew = k < 3 && pixels.length <= MOST_WITH_LINES;
  const [origin, ...tips] = [toPixels([0, 0]), ...tipPixels].map((end) => end.map(fromMiddle));
  const lines = tips.flatMap((tip) => alongLine(origin, tip, 7).along);
  const taken = [...lines, ...covered.map((box) => box.map(fromMiddle))];
  const first = tips.map((_, a) => pixels.length + a);
  const namesApart = map.namesApart && (isFew || lengthOf !== null);
  const centred = ends.map((end) => end.map(fromMiddle));
  const places = placesOfNames(centred, room, first, map.size, namesApart, taken);
  noteHidden(map, room.filter((name, i) => name && !places[i]).length);
  return places;
}

/** Draw lines from the chosen object to the nearest ones and to those with the largest errors. */
function drawNeighbours({ layers, data, pixels, marked: i }: MapDrawing) {
  layers.lines.replaceChildren();
  if (!data || i === null || i >= pixels.length) return;
  const { nearest, worst } = neighbourhood(data.fit, i);
  const [x1, y1] = pixels[i];
  const line = (j: number, name: string) =>
    svg(layers.lines, "line", { x1, y1, x2: pixels[j][0], y2: pixels[j][1], class: name });
  worst.forEach((j) => line(j, "kl-worst"));
  nearest.forEach((j) => line(j, "kl-nearest"));
  svg(layers.lines, "circle", { cx: x1, cy: y1, r: 9 });
}
