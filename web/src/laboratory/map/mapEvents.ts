// Events of the map: zoom, move, rotate and choose an object.

import type { Point } from "../../core/matrix.ts";
import type { InteractiveMap } from "./mapDrawing.ts";

const canDrag = (map: InteractiveMap) => map.isInSpace() || map.viewport.zoom > 1;

/** Rotate a map in space by a movement of the pointer, or move a map of the plane. */
function drag(map: InteractiveMap, [dx, dy]: Point) {
  map.change((viewport) => {
    if (map.isInSpace()) viewport.rotate(dx / 120, -dy / 120);
    else viewport.move(dx, dy);
  });
}

function pixelOf({ root }: InteractiveMap, event: MouseEvent): Point {
  const box = root.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

/** Return the object nearest to the pointer within some reach, or null. */
function objectAt(map: InteractiveMap, event: MouseEvent, reach: number): number | null {
  const [x, y] = pixelOf(map, event);
  const gaps = map.pixels.map(([a, b]) => Math.hypot(a - x, b - y));
  const smallest = Math.min(...gaps);
  return smallest < reach ? gaps.indexOf(smallest) : null;
}

/** Return a point, seen from the middle of the map. */
const fromMiddle = ({ size }: InteractiveMap, point: Point) =>
  point.map((v, axis) => v - size[axis] / 2);

const middleOf = ([a, b]: Point[]): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
const distanceOf = ([a, b]: Point[]) => Math.hypot(a[0] - b[0], a[1] - b[1]) || 1;

/** Zoom with two fingers about the point between them; return whether two are down. */
function listenToPinch(map: InteractiveMap) {
  const fingers = new Map<number, Point>();
  const { root } = map;
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
    map.change((viewport) => {
      viewport.enlarge(distanceOf(after) / distanceOf(before), fromMiddle(map, [x0, y0]));
      if (viewport.zoom > 1) viewport.move(x1 - x0, y1 - y0);
    });
  });
  const lift = (event: PointerEvent) => fingers.delete(event.pointerId);
  root.addEventListener("pointerup", lift);
  root.addEventListener("pointercancel", lift);
  // The page must not scroll or zoom under two fingers.
  const hold = (event: TouchEvent) =>
    event.touches.length === 2 && event.cancelable && event.preventDefault();
  root.addEventListener("touchstart", hold, { passive: false });
  root.addEventListener("touchmove", hold, { passive: false });
  return () => fingers.size > 1;
}

export function listenToMap(map: InteractiveMap) {
  const { root } = map;
  let press: { x: number; y: number; far: boolean } | null = null;
  const isPinched = listenToPinch(map);
  listenToWheel(map);
  listenToKeys(map);
  root.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    press = isPinched() ? null : { x: event.clientX, y: event.clientY, far: false };
  });
  root.addEventListener("pointermove", (event) => {
    if (!press) return event.pointerType === "mouse" && hover(map, event);
    const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
    if (!canDrag(map) || (!press.far && Math.hypot(dx, dy) < 4)) return;
    if (!press.far) root.setPointerCapture(event.pointerId);
    press = { x: event.clientX, y: event.clientY, far: true };
    drag(map, [dx, dy]);
  });
  root.addEventListener("pointerup", (event) => {
    const object = objectAt(map, event, 26);
    if (press?.far) map.saveRotation();
    else if (press && object !== null) map.choose(object);
    press = null;
  });
  root.addEventListener("pointercancel", () => (press = null));
}

function hover(map: InteractiveMap, event: PointerEvent) {
  const object = objectAt(map, event, 18);
  if (object !== null && object !== map.marked) map.choose(object);
}

/** Zoom with the wheel and the control key. */
function listenToWheel(map: InteractiveMap) {
  const zoom = (event: WheelEvent) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    map.enlarge(event.deltaY < 0 ? 1.2 : 1 / 1.2, fromMiddle(map, pixelOf(map, event)));
  };
  map.root.addEventListener("wheel", zoom, { passive: false });
}

/** How keys move the map, and by which factor they enlarge it. */
const MOVES = new Map<string, Point>([
  ["ArrowLeft", [-18, 0]],
  ["ArrowRight", [18, 0]],
  ["ArrowUp", [0, -18]],
  ["ArrowDown", [0, 18]],
]);
const FACTORS = new Map(Object.entries({ "+": 1.25, "=": 1.25, "-": 0.8 }));

/** Zoom with keys, and rotate or move with the arrow keys. */
function listenToKeys(map: InteractiveMap) {
  map.root.addEventListener("keydown", (event) => {
    const [move, factor] = [MOVES.get(event.key), FACTORS.get(event.key)];
    const isUsed = factor || event.key === "0" || (move && canDrag(map));
    if (event.ctrlKey || event.metaKey || !isUsed) return;
    event.preventDefault();
    event.stopPropagation();
    if (move) return drag(map, map.isInSpace() ? move : move.map((step) => -step));
    if (factor) map.enlarge(factor);
    else map.showAll();
  });
  map.root.addEventListener(
    "keyup",
    ({ key }) => (key.startsWith("Arrow") || key === "0") && map.saveRotation(),
  );
}
