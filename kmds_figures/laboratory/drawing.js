// Drawing: the map that is turned, zoomed and looked at, the spectrum, the Shepard diagram.

const SHAPES = [
  "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
  "M-4 -4h8v8h-8z",
  "M0 -5.5L5 4H-5z",
  "M0 -5.8L5.8 0L0 5.8L-5.8 0z",
  "M-1.6 -5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4z",
  "M0 5.5L5 -4H-5z",
];
const COLOURS = 5;

/** Colours and shapes of groups, in the order of their first object. */
export function groupsOf(groups) {
  const kinds = [...new Set(groups ?? [])];
  const at = new Map(kinds.map((kind, g) => [kind, g]));
  return { kinds, of: (i) => (groups ? at.get(groups[i]) : 0) };
}

/** The rotation about the screen's axes by two angles, times an earlier one (rows of three). */
export function turned(R, right, up) {
  const [c, s, d, t] = [Math.cos(right), Math.sin(right), Math.cos(up), Math.sin(up)];
  return multiply(
    [
      [c, 0, s],
      [s * t, d, -c * t],
      [-s * d, t, c * d],
    ],
    R,
  );
}

/** Where each point falls on the screen: right, up, and towards the reader. */
export function projected(points, k, R) {
  return toRows(points, k).map((row) =>
    k === 3 ? R.map((axis) => axis.reduce((sum, a, c) => sum + a * row[c], 0)) : [row[0], row[1] ?? 0, 0],
  );
}

/** A round length near a third of the width, for the bar that says the scale. */
function barLength(reach) {
  const power = 10 ** Math.floor(Math.log10(reach));
  return [5, 2, 1].map((m) => m * power).find((length) => length <= reach) ?? power;
}

/** For one object, the others in the order of a score, the best few. */
function best(n, i, score, count) {
  const others = Array.from({ length: n }, (_, j) => j).filter((j) => j !== i);
  return others.sort((a, b) => score(b) - score(a)).slice(0, count);
}

/** Nearest objects in the table and worst-fitted pairs of one object. */
export function neighbourhood(fit, i, count = 3) {
  const { delta, target, points, choices } = fit;
  const n = points.length / choices.dimensions;
  const d = distances(
    points,
    choices.dimensions,
    points.slice(i * choices.dimensions, (i + 1) * choices.dimensions),
  );
  const isKnown = (j) => !Number.isNaN(delta[i * n + j]);
  return {
    nearest: best(n, i, (j) => (isKnown(j) ? -delta[i * n + j] : -Infinity), count).filter(isKnown),
    worst: best(n, i, (j) => Math.abs(d[j] - target[i * n + j]), count),
    error: (j) => d[j] - target[i * n + j],
  };
}

/** The pairs of all objects whose distance fits worst: [i, j, error]. */
export function worstPairs({ target, points, choices }, count = 3) {
  const n = points.length / choices.dimensions;
  const d = distances(points, choices.dimensions);
  const worst = [];
  for (let at = 0; at < d.length; at++) {
    const pair = [Math.floor(at / n), at % n, d[at] - target[at]];
    if (pair[1] <= pair[0] || (worst.length === count && Math.abs(pair[2]) <= Math.abs(worst.at(-1)[2])))
      continue;
    worst.push(pair);
    worst.sort((a, b) => Math.abs(b[2]) - Math.abs(a[2])).splice(count);
  }
  return worst;
}

const IDENTITY = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** What of a map is seen: turn, zoom and middle, changed by hand. */
class View {
  constructor() {
    this.reset();
  }
  reset() {
    [this.R, this.zoom, this.middle] = [turned(IDENTITY, 0.5, 0.35), 1, [0, 0]];
  }
  turn(dx, dy) {
    this.R = turned(this.R, dx, dy);
  }
  move(dx, dy) {
    this.middle = [this.middle[0] + dx, this.middle[1] + dy];
  }
  enlarge(factor, [x, y] = [0, 0]) {
    const zoom = Math.min(40, Math.max(1, this.zoom * factor));
    const ratio = zoom / this.zoom;
    this.middle = zoom === 1 ? [0, 0] : [x - ratio * (x - this.middle[0]), y - ratio * (y - this.middle[1])];
    this.zoom = zoom;
  }
}

/** An empty drawing of a map with its layers. */
function emptyMap(host, attributes = {}) {
  const root = svg(host, "svg", { class: "kl-map", ...attributes });
  const names = ["frame", "clouds", "lines", "points", "labels"];
  return { root, layers: names.map((name) => svg(root, "g", { class: `kl-${name}` })) };
}

/** The same map once more with whole names, in the first of some rooms that has a place for all. */
function copyOf(map, host, rooms, lengthOf) {
  const { root, layers } = emptyMap(host);
  const copy = { ...map, root, layers, flat: null, lengthOf };
  for (const room of rooms) {
    copy.size = map.size.map((side) => Math.round(room * side));
    copy.view = Object.assign(new View(), map.view, { middle: map.view.middle.map((x) => room * x) });
    drawMap(copy);
    if (layers[4].children.length >= (map.data.names?.length ?? 0)) break;
  }
  return { root, size: copy.size };
}

/**
 * The map: `show(data)` draws another fit, `look(i)` points at an object and calls `looked(i)`; a
 * reader who turns a solid map calls `turned(R)`.
 */
export function mapView(host, looked, turned) {
  const attributes = { role: "group", tabindex: "0", "aria-roledescription": "map" };
  const { root, layers } = emptyMap(host, attributes);
  // A drawing that no script will fit to its page keeps its names readable on a phone.
  const size = typeof ResizeObserver === "undefined" ? [480, 330] : [642, 424];
  const tell = () => map.data?.fit.choices.dimensions === 3 && turned(map.view.R);
  const map = { root, layers, view: new View(), data: null, chosen: null, size, at: [], tell };
  const redraw = () => map.data && drawMap(map);
  map.look = (i) => {
    map.chosen = i;
    if (!map.data) return;
    drawLook(map);
    looked(i);
  };
  listenToMap(map, redraw);
  const watcher =
    typeof ResizeObserver === "undefined" ? null : new ResizeObserver(() => fitWidth(map, host, redraw));
  watcher?.observe(host);
  return {
    root,
    show(data) {
      if (data.fresh) [map.chosen, map.view] = [null, new View()];
      if (data.R) map.view.R = data.R;
      map.data = data;
      redraw();
    },
    look: map.look,
    chosen: () => map.chosen,
    enlarge: (factor) => (map.view.enlarge(factor), redraw()),
    whole: () => (map.view.reset(), redraw()),
    turned: () => map.view.R,
    turn: (R) => (map.view.R = R),
    copy: (where, rooms, lengthOf) => copyOf(map, where, rooms, lengthOf),
    close: () => watcher?.disconnect(),
  };
}

/** Draw as wide as the page lets the map be, so that its names keep their size. */
function fitWidth(map, host, redraw) {
  const width = Math.round(host.clientWidth);
  if (!width || width === map.size[0]) return;
  map.size = [width, Math.round(Math.max(320, Math.min(0.66 * width, 520)))];
  redraw();
}

/** Draw everything at the present turn and zoom. */
function drawMap(map) {
  const {
    data,
    view,
    size: [width, height],
    root,
  } = map;
  const { points, names } = data;
  const k = data.fit.choices.dimensions;
  set(root, { viewBox: `0 0 ${width} ${height}`, "aria-label": data.label });
  root.classList.toggle("kl-solid", k === 3);
  root.classList.toggle("kl-near", view.zoom > 1);
  const seen = projected(points, k, view.R);
  const far = (axis) => Math.max(...seen.map((p) => Math.abs(p[axis])), 1e-300);
  const ball = Math.max(...toRows(points, k).map((row) => Math.hypot(...row)), 1e-300);
  const pad = names ? 46 : 20;
  map.unit =
    Math.min((width / 2 - pad) / (k === 3 ? ball : far(0)), (height / 2 - 24) / (k === 3 ? ball : far(1))) *
    view.zoom;
  map.place = ([x, y]) => [
    width / 2 + view.middle[0] + map.unit * x,
    height / 2 + view.middle[1] - map.unit * y,
  ];
  map.at = seen.map(map.place);
  drawFrame(map, width, height);
  drawClouds(map, k);
  drawMarks(map, k, seen, ball);
  drawLabels(map, width, height);
  drawLook(map);
}

/** A mark for each object, the nearest last; those of a flat map are moved and stay what they are. */
function drawMarks(map, k, seen, ball) {
  const { groups } = map.data;
  const kinds = groupsOf(groups);
  const depth = (i) => (k === 3 ? 0.75 + 0.35 * (seen[i][2] / ball) : 1);
  const place = (i) =>
    `translate(${map.at[i].map((x) => x.toFixed(2)).join(" ")}) scale(${depth(i).toFixed(2)})`;
  const mark = (i) => {
    const g = kinds.of(i);
    return `<path class="kl-c${g % COLOURS}" d="${SHAPES[g % SHAPES.length]}" transform="${place(i)}"></path>`;
  };
  const order = Array.from(map.at.keys());
  if (k === 3) order.sort((a, b) => seen[a][2] - seen[b][2]);
  const marks = map.layers[3];
  if (k < 3 && map.flat?.groups === groups && marks.children.length === order.length)
    Array.from(marks.children, (shape, i) => shape.setAttribute("transform", place(i)));
  else marks.innerHTML = order.map(mark).join("");
  map.flat = k < 3 ? { groups } : null;
}

/** The bar that says the scale of both axes. */
function drawFrame(map, width, height) {
  map.layers[0].replaceChildren();
  if (map.at.every(([a, b]) => a === map.at[0][0] && b === map.at[0][1])) return;
  const length = barLength((0.3 * width) / map.unit);
  const [x, y] = [12, height - 14];
  const unit = map.data.unit ? ` ${map.data.unit}` : "";
  map.layers[0].innerHTML =
    `<path d="M${x} ${y - 4}v4h${(length * map.unit).toFixed(1)}v-4"></path>` +
    `<text x="${x + 4}" y="${y - 6}"></text>`;
  map.layers[0].querySelector("text").textContent = `${readable(length)}${unit}, both ways`;
  if (map.data.fit.choices.dimensions === 3) drawAxes(map, [width - 46, height - 44]);
}

/** The directions of the three axes of a solid map, with their numbers. */
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

/** One path of dots for each object: where it goes when others are left out. */
function drawClouds(map, k) {
  const { clouds, points } = map.data;
  const n = points.length / k;
  map.layers[1].replaceChildren();
  if (!clouds) return;
  const kinds = groupsOf(map.data.groups);
  const seen = clouds.map((cloud) => projected(cloud, k, map.view.R));
  for (let j = 0; j < n; j++) {
    const dots = seen
      .map((rows) => rows[j])
      .filter(([x]) => Number.isFinite(x))
      .map(map.place);
    const d = dots.map(([x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join("");
    svg(map.layers[1], "path", { d, class: `kl-c${kinds.of(j) % COLOURS}` });
  }
}

/** Names where they touch nothing. */
function drawLabels(map, width, height) {
  const { names } = map.data;
  map.layers[4].replaceChildren();
  if (!names) return;
  const cut = (name) => (name.length > 24 && !map.lengthOf ? `${name.slice(0, 23)}\u2026` : name);
  const brief = names.map(cut);
  const room = map.lengthOf ? brief.map((name) => "x".repeat(map.lengthOf(name))) : brief;
  const centred = map.at.map(([x, y]) => [x - width / 2, y - height / 2]);
  nameBoxes(centred, room, [], [width, height], false).forEach((found, i) => {
    if (!found) return;
    const [x, y] = middleOf(found.box);
    const place = { x: tenth(x + width / 2), y: tenth(y + height / 2), "text-anchor": "middle" };
    svg(map.layers[4], "text", place).textContent = brief[i];
  });
}

/** Lines from the object looked at: to its nearest, and to those whose distance fits worst. */
function drawLook(map) {
  const [layer, i] = [map.layers[2], map.chosen];
  layer.replaceChildren();
  if (i === null || i >= map.at.length) return;
  const { nearest, worst } = neighbourhood(map.data.fit, i);
  const line = (j, name) => {
    const [[x1, y1], [x2, y2]] = [map.at[i], map.at[j]];
    svg(layer, "line", { x1, y1, x2, y2, class: name });
  };
  worst.forEach((j) => line(j, "kl-worst"));
  nearest.forEach((j) => line(j, "kl-nearest"));
  svg(layer, "circle", { cx: map.at[i][0], cy: map.at[i][1], r: 9 });
}

/** The pixel of an event in the map's own units. */
function pixelOf(map, event) {
  const box = map.root.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

/** The object under a pixel, or null. */
function objectAt(map, [x, y], reach) {
  let [found, least] = [null, reach];
  map.at.forEach(([a, b], i) => {
    const gap = Math.hypot(a - x, b - y);
    if (gap < least) [found, least] = [i, gap];
  });
  return found;
}

/** Zoom by two fingers, about the middle between them; tells whether two are down. */
function pinching(map, redraw) {
  const fingers = new Map();
  const { root } = map;
  const middleOf = ([a, b]) => [(a[0] + b[0]) / 2 - map.size[0] / 2, (a[1] + b[1]) / 2 - map.size[1] / 2];
  const apart = ([a, b]) => Math.hypot(a[0] - b[0], a[1] - b[1]) || 1;
  root.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    fingers.set(event.pointerId, pixelOf(map, event));
    if (fingers.size === 2) fingers.forEach((_, id) => root.setPointerCapture(id));
  });
  root.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    const before = [...fingers.values()];
    fingers.set(event.pointerId, pixelOf(map, event));
    if (fingers.size !== 2 || !map.data) return;
    const after = [...fingers.values()];
    const [[x0, y0], [x1, y1]] = [before, after].map(middleOf);
    map.view.enlarge(apart(after) / apart(before), [x0, y0]);
    if (map.view.zoom > 1) map.view.move(x1 - x0, y1 - y0);
    redraw();
  });
  const lift = (event) => fingers.delete(event.pointerId);
  root.addEventListener("pointerup", lift);
  root.addEventListener("pointercancel", lift);
  const keep = (event) => event.touches.length === 2 && event.cancelable && event.preventDefault();
  root.addEventListener("touchstart", keep, { passive: false });
  root.addEventListener("touchmove", keep, { passive: false });
  return () => fingers.size > 1;
}

/** Follow mouse, touch and keys on the map. */
function listenToMap(map, redraw) {
  const { root } = map;
  let held = null;
  const isPinched = pinching(map, redraw);
  const drag = (dx, dy) => {
    if (map.data.fit.choices.dimensions === 3) map.view.turn(dx / 120, -dy / 120);
    else map.view.move(dx, dy);
    redraw();
  };
  const canDrag = () => map.data?.fit.choices.dimensions === 3 || map.view.zoom > 1;
  listenToZoom(map, { redraw, drag, canDrag });
  root.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    held = isPinched() ? null : { x: event.clientX, y: event.clientY, far: false };
  });
  root.addEventListener("pointermove", (event) => {
    if (!held) return event.pointerType === "mouse" && hover(map, event);
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!canDrag() || (!held.far && Math.hypot(dx, dy) < 4)) return;
    if (!held.far) root.setPointerCapture(event.pointerId);
    held = { x: event.clientX, y: event.clientY, far: true };
    drag(dx, dy);
  });
  root.addEventListener("pointerup", (event) => {
    if (held && !held.far) {
      const found = objectAt(map, pixelOf(map, event), 26);
      if (found !== null) map.look(found);
    } else if (held) map.tell();
    held = null;
  });
  root.addEventListener("pointercancel", () => (held = null));
}

/** Follow what zooms and turns the map: keys, and a wheel or two fingers with the control key. */
function listenToZoom(map, { redraw, drag, canDrag }) {
  const { root } = map;
  root.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const [x, y] = pixelOf(map, event);
      map.view.enlarge(event.deltaY < 0 ? 1.2 : 1 / 1.2, [x - map.size[0] / 2, y - map.size[1] / 2]);
      redraw();
    },
    { passive: false },
  );
  root.addEventListener("keydown", (event) => {
    const arrow = { ArrowLeft: [-18, 0], ArrowRight: [18, 0], ArrowUp: [0, -18], ArrowDown: [0, 18] }[
      event.key
    ];
    const factor = { "+": 1.25, "=": 1.25, "-": 0.8 }[event.key];
    if (event.ctrlKey || event.metaKey || !(factor || event.key === "0" || (arrow && canDrag()))) return;
    event.preventDefault();
    event.stopPropagation();
    if (factor) map.view.enlarge(factor);
    else if (!arrow) map.view.reset();
    else return drag(...(map.data.fit.choices.dimensions === 3 ? arrow : arrow.map((step) => -step)));
    redraw();
  });
  root.addEventListener("keyup", (event) => (event.key.startsWith("Arrow") || event.key === "0") && map.tell());
}

function hover(map, event) {
  if (!map.data) return;
  const found = objectAt(map, pixelOf(map, event), 18);
  if (found !== null && found !== map.chosen) map.look(found);
}

/** Axes of a small diagram with ends that are written out; returns scales and the drawing. */
function diagram(host, { label, x: [x0, x1], y: [y0, y1], xName, yName }) {
  host.replaceChildren();
  const [width, height, left, bottom] = [340, 230, 44, 34];
  const root = svg(host, "svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "kl-diagram",
    role: "img",
    "aria-label": label,
  });
  const px = (x) => left + ((x - x0) / (x1 - x0 || 1)) * (width - left - 12);
  const py = (y) => height - bottom - ((y - y0) / (y1 - y0 || 1)) * (height - bottom - 12);
  svg(root, "path", { class: "kl-axes", d: `M${left} 8V${height - bottom}H${width - 8}` });
  const write = (x, y, words, anchor) =>
    (svg(root, "text", { x, y, "text-anchor": anchor }).textContent = words);
  if (xName) write((left + width) / 2, height - 6, xName, "middle");
  svg(root, "text", {
    x: 12,
    y: (height - bottom) / 2,
    "text-anchor": "middle",
    transform: `rotate(-90 12 ${(height - bottom) / 2})`,
  }).textContent = yName;
  return { root, px, py, write, left, bottom, width, height };
}

/** The unit in which an axis writes its numbers, and how its name says so. */
function axisUnit(largest, unit = "") {
  const power = largest > 0 ? Math.floor(Math.log10(largest)) : 0;
  const factor = power >= -2 && power <= 4 ? 1 : 10 ** power;
  const words = [factor === 1 ? "" : readable(factor).replace("1 ", ""), unit].filter(Boolean).join(" ");
  return { write: (value) => readable(value / factor, 3), words: words && ` (${words})` };
}

/** Which eigenvalues the spectrum shows: the first, and the last where they are negative. */
export function shownEigenvalues(values) {
  const n = values.length;
  if (n <= 26) return Array.from({ length: n }, (_, r) => r);
  const negative = Math.min(6, values.filter((value) => value < -1e-9 * values[0]).length);
  return [
    ...Array.from({ length: 20 }, (_, r) => r),
    ...Array.from({ length: negative }, (_, r) => n - negative + r),
  ];
}

/** Eigenvalues as bars: kept, discarded, and negative ones hatched. */
export function drawSpectrum(host, values, kept) {
  const shown = shownEigenvalues(values);
  const [high, low] = [Math.max(...values, 0), Math.min(...values, 0)];
  const isNegative = (value) => value < -1e-9 * Math.max(high, -low);
  const label = `Eigenvalues of B: ${kept} kept, the largest ${readable(high, 3)}, the smallest ${readable(low, 3)}.`;
  const unit = axisUnit(Math.max(high, -low));
  const { root, py, write, left, bottom, width, height } = diagram(host, {
    label,
    x: [0, shown.length],
    y: [low, high || 1],
    xName: `number of the eigenvalue${shown.length < values.length ? ` (of ${values.length})` : ""}`,
    yName: `eigenvalue${unit.words}`,
  });
  const hatch = hatching(root, "laboratory");
  const step = (width - left - 12) / shown.length;
  shown.forEach((r, place) => {
    const [top, foot] = [py(Math.max(values[r], 0)), py(Math.min(values[r], 0))];
    const name = isNegative(values[r]) ? "kl-negative" : r < kept ? "kl-kept" : "kl-discarded";
    const bar = {
      x: left + step * place + 0.15 * step,
      y: top,
      width: 0.7 * step,
      height: Math.max(0.6, foot - top),
      class: name,
    };
    svg(root, "rect", isNegative(values[r]) ? { ...bar, fill: hatch } : bar);
  });
  svg(root, "path", { class: "kl-axes", d: `M${left} ${py(0)}H${width - 8}` });
  const ticks =
    shown.length < 8 ? shown.map((_, place) => place) : [0, Math.min(9, shown.length - 1), shown.length - 1];
  ticks.forEach((place) =>
    write(left + step * (place + 0.5), height - 21, String(shown[place] + 1), "middle"),
  );
  write(left - 4, 16, unit.write(high), "end");
  if (isNegative(low)) write(left - 4, height - bottom + 1, unit.write(low), "end");
  if (!isNegative(low) || py(low) - py(0) > 14) write(left - 4, py(0) + 4, "0", "end");
}

export const MOST_PAIRS = 4000;

/** Pairs i < j, all or evenly spread ones. */
function pairsOf(n) {
  const every = Math.ceil((n * (n - 1)) / 2 / MOST_PAIRS);
  const pairs = [];
  let count = 0;
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) if (count++ % every === 0) pairs.push(i * n + j);
  return pairs;
}

/** Distances in the map (dots) and those that they aim at (line) against the dissimilarities. */
export function drawShepard(host, fit, unit) {
  const { delta, target, points, choices } = fit;
  const n = points.length / choices.dimensions;
  const d = distances(points, choices.dimensions);
  const pairs = pairsOf(n)
    .filter((at) => !Number.isNaN(delta[at]))
    .sort((a, b) => delta[a] - delta[b] || target[a] - target[b]);
  const most = (table) => pairs.reduce((high, at) => Math.max(high, table[at]), 0);
  const [widest, tallest] = [most(delta), Math.max(most(d), most(target))];
  const [along, up] = [axisUnit(widest, unit), axisUnit(tallest)];
  const label = `Shepard diagram: distances in the map against dissimilarities, ${pairs.length} pairs.`;
  const { root, px, py, write, left, height, bottom } = diagram(host, {
    label,
    x: [0, widest],
    y: [0, tallest],
    xName: `dissimilarity${along.words}`,
    yName: `distance in the map${up.words}`,
  });
  const dots = pairs.map((at) => `M${px(delta[at]).toFixed(1)} ${py(d[at]).toFixed(1)}h0`).join("");
  svg(root, "path", { class: "kl-dots", d: dots });
  const line = pairs.map((at) => `${px(delta[at]).toFixed(1)} ${py(target[at]).toFixed(1)}`);
  svg(root, "path", { class: "kl-target", d: `M${line.join("L")}` });
  write(px(widest), height - bottom + 13, along.write(widest), "end");
  write(left - 4, 16, up.write(tallest), "end");
  write(left - 4, height - bottom + 12, "0", "end");
}

/** A part of a table with its margins, one entry marked: five rows and columns round it. */
export function excerpt(host, { table, names, columns }, entry) {
  host.replaceChildren();
  const [i, j] = entry ?? [0, 0];
  const part = (at, length) => {
    const from = Math.max(0, Math.min(at - 2, length - 5));
    return Array.from({ length: Math.min(5, length - from) }, (_, r) => from + r);
  };
  const [rows, shown] = [part(i, table.length), part(j, table[0]?.length ?? 0)];
  const grid = host.appendChild(document.createElement("table"));
  const cell = (row, tag, words) => (
    (row.appendChild(document.createElement(tag)).textContent = words),
    row.lastChild
  );
  const caption = grid.appendChild(document.createElement("caption"));
  caption.textContent = entry
    ? "The part of the table with the entry at fault"
    : "The first rows and columns";
  const head = grid.appendChild(document.createElement("tr"));
  cell(head, "td", "");
  const title = (c) => columns[c] || names?.[c] || String(c);
  shown.forEach((c) => cell(head, "th", title(c)).setAttribute("scope", "col"));
  rows.forEach((r) => {
    const row = grid.appendChild(document.createElement("tr"));
    cell(row, "th", names?.[r] ?? String(r)).setAttribute("scope", "row");
    shown.forEach((c) => {
      const value = table[r][c];
      const found = cell(
        row,
        "td",
        value === undefined ? "" : Number.isNaN(value) ? "missing" : readable(value),
      );
      if (entry && r === i && c === j) {
        found.className = "kl-wrong";
        found.prepend("\u25B6 ");
        host.scrollLeft = found.offsetLeft - 120;
      }
    });
  });
}
