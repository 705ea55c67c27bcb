// The drawing of the map.

import { productOfRows, toRows } from "../core/matrix.js";
import { alongLine, centreOfBox, placesOfNames } from "../ui/labels.js";
import { setAttributes, svg } from "../ui/svg.js";
import { plural, readableNumber, tenth } from "../ui/text.js";
import { listenToMap } from "./mapEvents.js";
import { neighbourhood } from "./residuals.js";

/** Return the rotation about the axes of the screen by two angles, as rows. */
function screenRotation(right, up) {
  const [c, s, d, t] = [Math.cos(right), Math.sin(right), Math.cos(up), Math.sin(up)];
  return [
    [c, 0, s],
    [s * t, d, -c * t],
    [-s * d, t, c * d],
  ];
}

/** Return the coordinates of each point on the screen: right, up, and towards the reader. */
function projected(points, k, R) {
  return toRows(points, k).map((row) =>
    k === 3
      ? R.map((axis) => axis.reduce((sum, a, c) => sum + a * row[c], 0))
      : [row[0], row[1] ?? 0, 0],
  );
}

function barLength(reach) {
  const power = 10 ** Math.floor(Math.log10(reach));
  return [5, 2, 1].map((m) => m * power).find((length) => length <= reach) ?? power;
}

/** Hold the rotation, the zoom and the centre of a map, which the reader changes. */
class View {
  R = screenRotation(0.5, 0.35);
  zoom = 1;
  middle = [0, 0];
  reset() {
    Object.assign(this, new View());
  }
  rotate(dx, dy) {
    this.R = productOfRows(screenRotation(dx, dy), this.R);
  }
  move(dx, dy) {
    this.middle = [this.middle[0] + dx, this.middle[1] + dy];
  }
  enlarge(factor, [x, y] = [0, 0]) {
    const zoom = Math.min(40, Math.max(1, this.zoom * factor));
    const ratio = zoom / this.zoom;
    this.middle =
      zoom === 1 ? [0, 0] : [x - ratio * (x - this.middle[0]), y - ratio * (y - this.middle[1])];
    this.zoom = zoom;
  }
}

function emptyMap(host, attributes = {}) {
  const root = svg(host, "svg", { class: "kl-map", ...attributes });
  const names = ["frame", "clouds", "lines", "points", "labels", "other-map", "arrows"];
  const layers = names.map((name) => svg(root, "g", { class: `kl-${name}` }));
  for (const under of [5, 6]) root.insertBefore(layers[under], layers[2]);
  return { root, layers };
}

/**
 * Draw a copy of the map with full names. If not all of them fit beside their points, the copy is
 * larger and has lines from points to names.
 */
function copyOf(map, host, lengthOf) {
  const { root, layers } = emptyMap(host);
  const copy = { ...map, root, layers, drawnKinds: null, lengthOf, namesApart: false, note: null };
  drawMap(copy);
  const wanted = (map.data.names?.filter(Boolean).length ?? 0) + map.data.arrows.length;
  if (layers[4].children.length > wanted) return copy;
  copy.size = map.size.map((side) => Math.round(1.5 * side));
  copy.view = Object.assign(new View(), map.view, { middle: map.view.middle.map((x) => 1.5 * x) });
  drawMap(Object.assign(copy, { namesApart: true }));
  return copy;
}

/** The most objects whose names may stand apart from their points while the map is moved. */
const MOST_WITH_LINES = 40;
const CAN_RESIZE = typeof ResizeObserver !== "undefined";

function newMap(host) {
  const attributes = { role: "group", tabindex: "0", "aria-roledescription": "map" };
  const { root, layers } = emptyMap(host, attributes);
  const note = host.ownerDocument.createElement("p");
  note.className = "kx-note kx-control";
  host.append(note);
  // A drawing that no script will fit to its page keeps its names readable on a phone.
  const size = CAN_RESIZE ? [642, 372] : [480, 330];
  const view = new View();
  const data = /** @type {any} */ (null);
  return { root, layers, note, view, data, chosen: null, size, pixels: [], namesApart: true };
}

/**
 * Return the map: `show(data)` draws another fit, `choose(i)` marks an object and calls
 * `onChoose(i)`. Rotating a map in three dimensions calls `onRotate(R)`.
 */
export function mapView(host, onChoose, onRotate) {
  const map = newMap(host);
  map.saveRotation = () => map.data?.fit.choices.dimensions === 3 && onRotate(map.view.R);
  const redraw = () => map.data && drawMap(map);
  map.choose = (i) => {
    map.chosen = i;
    if (!map.data) return;
    drawNeighbours(map);
    onChoose(i);
  };
  listenToMap(map, redraw);
  const watcher = CAN_RESIZE ? new ResizeObserver(() => fitWidth(map, host, redraw)) : null;
  watcher?.observe(host);
  return {
    root: map.root,
    show(data) {
      if (data.isNewTable) {
        map.chosen = null;
        map.view = new View();
      }
      if (data.R) map.view.R = data.R;
      map.data = data;
      redraw();
    },
    choose: map.choose,
    chosen: () => map.chosen,
    enlarge(factor) {
      map.view.enlarge(factor);
      redraw();
    },
    whole() {
      map.view.reset();
      redraw();
    },
    rotation: () => map.view.R,
    setRotation: (R) => (map.view.R = R),
    copy: (where, lengthOf) => copyOf(map, where, lengthOf),
    close: () => watcher?.disconnect(),
  };
}

/** Draw the map as wide as the page allows, so that its names do not change their size. */
function fitWidth(map, host, redraw) {
  const width = Math.round(host.clientWidth);
  if (!width || width === map.size[0]) return;
  map.size = [width, Math.round(Math.max(300, Math.min(0.58 * width, 520)))];
  redraw();
}

function drawMap(map) {
  const { data, view, size, root } = map;
  const [width, height] = size;
  const { points, names, other, arrows } = data;
  const k = data.fit.choices.dimensions;
  setAttributes(root, { viewBox: `0 0 ${width} ${height}`, "aria-label": data.label });
  root.classList.toggle("kl-in-space", k === 3);
  root.classList.toggle("kl-zoomed", view.zoom > 1);
  const seen = projected(points, k, view.R);
  const seenToo = other ? projected(other.points, k, view.R) : [];
  const tips = arrows.map(({ tip }) => projected(tip, k, view.R)[0]);
  const far = (axis) =>
    Math.max(...[...seen, ...seenToo, ...tips].map((p) => Math.abs(p[axis])), 1e-300);
  const ball = Math.max(...toRows(points, k).map((row) => Math.hypot(...row)), 1e-300);
  const pad = names || arrows.length ? 46 : 20;
  const [right, up] = k === 3 ? [ball, ball] : [far(0), far(1)];
  map.unit = Math.min((width / 2 - pad) / right, (height / 2 - 24) / up) * view.zoom;
  map.place = ([x, y]) => [
    width / 2 + view.middle[0] + map.unit * x,
    height / 2 + view.middle[1] - map.unit * y,
  ];
  map.pixels = seen.map(map.place);
  map.tips = tips.map(map.place);
  drawFrame(map, width, height);
  drawClouds(map, k);
  drawOtherMap(map, seenToo.map(map.place));
  drawArrows(map);
  drawMarks(map, k, seen, ball);
  drawLabels(map, width, height);
  drawNeighbours(map);
}

/** Draw a mark for each object, the nearest last. In a plane, existing marks are moved. */
function drawMarks(map, k, seen, ball) {
  const { kinds } = map.data;
  const depth = (i) => (k === 3 ? 0.75 + 0.35 * (seen[i][2] / ball) : 1);
  const place = (i) =>
    `translate(${map.pixels[i].map((x) => x.toFixed(2)).join(" ")}) scale(${depth(i).toFixed(2)})`;
  const mark = (i) => {
    const { d, class: name } = kinds.markOf(kinds.of(i));
    return `<path class="${name}" d="${d}" transform="${place(i)}"></path>`;
  };
  const order = Array.from(map.pixels.keys());
  if (k === 3) order.sort((a, b) => seen[a][2] - seen[b][2]);
  const marks = map.layers[3];
  if (k < 3 && map.drawnKinds === kinds && marks.children.length === order.length)
    Array.from(marks.children, (shape, i) => shape.setAttribute("transform", place(i)));
  else marks.innerHTML = order.map(mark).join("");
  map.drawnKinds = k < 3 ? kinds : null;
}

/** Draw the scale bar and, in three dimensions, the axes; store the areas that they cover. */
function drawFrame(map, width, height) {
  map.layers[0].replaceChildren();
  map.scales = [];
  if (map.pixels.every(([a, b]) => a === map.pixels[0][0] && b === map.pixels[0][1])) return;
  const length = barLength((0.3 * width) / map.unit);
  const [x, y] = [12, height - 14];
  const unit = map.data.unit ? ` ${map.data.unit}` : "";
  map.layers[0].innerHTML =
    `<path d="M${x} ${y - 4}v4h${(length * map.unit).toFixed(1)}v-4"></path>` +
    `<text x="${x + 4}" y="${y - 6}"></text>`;
  const words = `${readableNumber(length)}${unit} on both axes`;
  map.layers[0].querySelector("text").textContent = words;
  map.scales.push([
    [x, height - 34],
    [x + Math.max(length * map.unit, 6.2 * words.length + 8), height],
  ]);
  if (map.data.fit.choices.dimensions < 3) return;
  drawAxes(map, [width - 46, height - 44]);
  map.scales.push([
    [width - 92, height - 90],
    [width, height],
  ]);
}

function drawAxes({ layers, view }, [x, y]) {
  [0, 1, 2].forEach((axis) => {
    const [dx, dy] = [30 * view.R[0][axis], -30 * view.R[1][axis]];
    if (Math.hypot(dx, dy) < 5) return;
    svg(layers[0], "path", { d: `M${x} ${y}l${dx.toFixed(1)} ${dy.toFixed(1)}` });
    const place = { x: (x + 1.3 * dx).toFixed(1), y: (y + 1.3 * dy).toFixed(1) };
    const words = svg(layers[0], "text", { ...place, class: "kl-axis", "text-anchor": "middle" });
    words.textContent = String(axis + 1);
  });
}

/** Draw the positions of each object when others are left out, as one path of dots. */
function drawClouds(map, k) {
  const { clouds, points, kinds } = map.data;
  const n = points.length / k;
  map.layers[1].replaceChildren();
  if (!clouds) return;
  const seen = clouds.map((cloud) => projected(cloud, k, map.view.R));
  for (let j = 0; j < n; j++) {
    const dots = seen
      .map((rows) => rows[j])
      .filter(([x]) => Number.isFinite(x))
      .map(map.place);
    const d = dots.map(([x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join("");
    svg(map.layers[1], "path", { d, class: kinds.markOf(kinds.of(j)).class });
  }
}

/** Draw a line from each object to its position on another map, and a hollow mark there. */
function drawOtherMap(map, places) {
  const layer = map.layers[5];
  const line = ([x, y], i) => `M${map.pixels[i].map(tenth).join(" ")}L${tenth(x)} ${tenth(y)}`;
  const ring = ([x, y]) => `<circle cx="${tenth(x)}" cy="${tenth(y)}" r="3.5"></circle>`;
  const lines = `<path d="${places.map(line).join("")}"></path>`;
  layer.innerHTML = places.length ? lines + places.map(ring).join("") : "";
}

function drawArrows({ layers, tips, place }) {
  const [x0, y0] = place([0, 0, 0]);
  const head = ([x, y]) => {
    const angle = Math.atan2(y - y0, x - x0);
    const back = (side) =>
      [x - 8 * Math.cos(angle + side), y - 8 * Math.sin(angle + side)].map(tenth).join(" ");
    return (
      `M${tenth(x0)} ${tenth(y0)}L${tenth(x)} ${tenth(y)}M${back(0.4)}L${tenth(x)} ` +
      `${tenth(y)}L${back(-0.4)}`
    );
  };
  layers[6].innerHTML = tips.length ? `<path d="${tips.map(head).join("")}"></path>` : "";
}

/** Say how many names have no room on the map. */
function noteHidden({ note }, count) {
  if (!note) return;
  note.hidden = !count;
  note.textContent = `${plural(count, "name is", "names are")} hidden: zoom in to see more.`;
}

/**
 * Write names where they overlap nothing, those of arrows first. If a map in the plane has few
 * objects, a name without room beside its point stands apart and has a line to it.
 */
function drawLabels(map, width, height) {
  const { names, arrows } = map.data;
  map.layers[4].replaceChildren();
  noteHidden(map, 0);
  if (!names && !arrows.length) return;
  const cut = (name) => (name.length > 24 && !map.lengthOf ? `${name.slice(0, 23)}\u2026` : name);
  const whole = [...(names ?? map.pixels.map(() => "")), ...arrows.map(({ title }) => title)];
  const brief = whole.map(cut);
  const isSeen = ([x, y]) => x > 0 && x < width && y > 0 && y < height;
  const wanted = brief.map((name, i) => (isSeen([...map.pixels, ...map.tips][i]) ? name : ""));
  const room = map.lengthOf ? brief.map((name) => "x".repeat(map.lengthOf(name))) : wanted;
  const isFew = map.data.fit.choices.dimensions < 3 && map.pixels.length <= MOST_WITH_LINES;
  const fromMiddle = ([x, y]) => [x - width / 2, y - height / 2];
  const centred = [...map.pixels, ...map.tips].map(fromMiddle);
  const origin = fromMiddle(map.place([0, 0, 0]));
  const lines = map.tips.flatMap((tip) => alongLine(origin, fromMiddle(tip), 7).along);
  const taken = [...lines, ...map.scales.map((corners) => corners.flatMap(fromMiddle))];
  const first = arrows.map((_, a) => map.pixels.length + a);
  const namesApart = map.namesApart && (isFew || Boolean(map.lengthOf));
  const boxes = placesOfNames(centred, room, first, [width, height], namesApart, taken);
  noteHidden(map, room.filter((name, i) => name && !boxes[i]).length);
  const leader = (end, i) => `M${centred[i].map(tenth).join(" ")}L${end.map(tenth).join(" ")}`;
  const d = boxes.map((one, i) => (one?.end ? leader(one.end, i) : "")).join("");
  svg(map.layers[4], "path", { d, transform: `translate(${width / 2} ${height / 2})` });
  boxes.forEach((found, i) => {
    if (!found || !brief[i]) return;
    const [x, y] = centreOfBox(found.box);
    const place = { x: tenth(x + width / 2), y: tenth(y + height / 2), "text-anchor": "middle" };
    const attributes = i < map.pixels.length ? place : { ...place, class: "kl-property" };
    svg(map.layers[4], "text", attributes).textContent = brief[i];
  });
}

/** Draw lines from the chosen object to the nearest ones and to those with the largest errors. */
function drawNeighbours(map) {
  const [layer, i] = [map.layers[2], map.chosen];
  layer.replaceChildren();
  if (i === null || i >= map.pixels.length) return;
  const { nearest, worst } = neighbourhood(map.data.fit, i);
  const line = (j, name) => {
    const [[x1, y1], [x2, y2]] = [map.pixels[i], map.pixels[j]];
    svg(layer, "line", { x1, y1, x2, y2, class: name });
  };
  worst.forEach((j) => line(j, "kl-worst"));
  nearest.forEach((j) => line(j, "kl-nearest"));
  svg(layer, "circle", { cx: map.pixels[i][0], cy: map.pixels[i][1], r: 9 });
}
