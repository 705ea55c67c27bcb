// Events of the map: zoom, move, rotate and choose an object.

function pixelOf(map, event) {
  const box = map.root.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

/** Return the object nearest to a pixel within some reach, or null. */
function objectAt(map, /** @type {number[]} */ [x, y], reach) {
  let found = null;
  let smallest = reach;
  map.pixels.forEach(([a, b], i) => {
    const gap = Math.hypot(a - x, b - y);
    if (gap < smallest) [found, smallest] = [i, gap];
  });
  return found;
}

/** Zoom with two fingers about the point between them; return whether two are down. */
function listenToPinch(map, redraw) {
  const fingers = new Map();
  const { root } = map;
  const middleOfFingers = (/** @type {number[][]} */ [a, b]) => [
    (a[0] + b[0]) / 2 - map.size[0] / 2,
    (a[1] + b[1]) / 2 - map.size[1] / 2,
  ];
  const distanceOfFingers = (/** @type {number[][]} */ [a, b]) =>
    Math.hypot(a[0] - b[0], a[1] - b[1]) || 1;
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
    const [[x0, y0], [x1, y1]] = [before, after].map(middleOfFingers);
    map.view.enlarge(distanceOfFingers(after) / distanceOfFingers(before), [x0, y0]);
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

export function listenToMap(map, redraw) {
  const { root } = map;
  let held = /** @type {{ x: number, y: number, far: boolean } | null} */ (null);
  const isPinched = listenToPinch(map, redraw);
  const drag = (dx, dy) => {
    if (map.data.fit.choices.dimensions === 3) map.view.rotate(dx / 120, -dy / 120);
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
      if (found !== null) map.choose(found);
    } else if (held) map.saveRotation();
    held = null;
  });
  root.addEventListener("pointercancel", () => (held = null));
}

/** Zoom with keys and with the wheel and the control key; rotate or move with the arrow keys. */
function listenToZoom(map, { redraw, drag, canDrag }) {
  const { root } = map;
  root.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const [x, y] = pixelOf(map, event);
      map.view.enlarge(event.deltaY < 0 ? 1.2 : 1 / 1.2, [
        x - map.size[0] / 2,
        y - map.size[1] / 2,
      ]);
      redraw();
    },
    { passive: false },
  );
  root.addEventListener("keydown", (event) => {
    const arrow = {
      ArrowLeft: [-18, 0],
      ArrowRight: [18, 0],
      ArrowUp: [0, -18],
      ArrowDown: [0, 18],
    }[event.key];
    const factor = { "+": 1.25, "=": 1.25, "-": 0.8 }[event.key];
    if (event.ctrlKey || event.metaKey || !(factor || event.key === "0" || (arrow && canDrag())))
      return;
    event.preventDefault();
    event.stopPropagation();
    if (factor) map.view.enlarge(factor);
    else if (!arrow) map.view.reset();
    else
      return drag(...(map.data.fit.choices.dimensions === 3 ? arrow : arrow.map((step) => -step)));
    redraw();
  });
  root.addEventListener(
    "keyup",
    (event) => (event.key.startsWith("Arrow") || event.key === "0") && map.saveRotation(),
  );
}

function hover(map, event) {
  if (!map.data) return;
  const found = objectAt(map, pixelOf(map, event), 18);
  if (found !== null && found !== map.chosen) map.choose(found);
}
