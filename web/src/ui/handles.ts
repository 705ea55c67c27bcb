// Handles that the mouse, a finger or keys move.

import type { Point } from "../core/matrix.ts";
import type { Drawing } from "./plane.ts";
import type { Explorer } from "./state.ts";
import { appendText, setAttributes, svg } from "./svg.ts";
import { hundredth, tenth, text } from "./text.ts";

type Press = (event: PointerEvent) => void;
/** Call `act(event)` on a press; a finger scrolls the page only if `touch-action` allows it. */
function onPress(element: SVGElement, act: Press) {
  element.addEventListener("pointerdown", (event) => {
    if (event.button === 0) act(event);
  });
  const stopScrolling = (event: TouchEvent) => {
    if (getComputedStyle(element).touchAction === "none") event.preventDefault();
  };
  element.addEventListener("touchstart", stopScrolling, { passive: false });
}

interface Grabbing<Grabbed> {
  grab: (event: PointerEvent) => Grabbed; // returns what is grabbed
  move: (event: PointerEvent, grabbed: Grabbed) => void;
  keys: Record<string, number[]>; // which then do not scroll the page
  step: (by: number[], event: KeyboardEvent) => void; // is called for these keys
  release: () => void; // is called once at the end
  cancel?: (grabbed: Grabbed) => void; // is called first if the finger scrolls the page
}

/** Make an element with a role react to the mouse, a finger and keys. */
export function makeGrabbable<Grabbed>(group: SVGElement, grabbing: Grabbing<Grabbed>) {
  const { grab, move, keys, step, release, cancel } = grabbing;
  let grabbed: Grabbed | null = null;
  onPress(group, (event) => {
    grabbed = grab(event);
    group.dataset.dragged = ""; // browsers show the focus that a script sets
    group.setPointerCapture(event.pointerId);
    group.focus({ preventScroll: true });
    event.preventDefault();
  });
  group.addEventListener("pointermove", (event) => {
    if (grabbed) move(event, grabbed);
  });
  const drop = () => {
    if (grabbed) release();
    grabbed = null;
  };
  group.addEventListener("pointerup", drop);
  group.addEventListener("pointercancel", () => {
    if (grabbed) cancel?.(grabbed);
    drop();
  });
  group.addEventListener("keydown", (event) => {
    if (!(event.key in keys)) return;
    delete group.dataset.dragged;
    step(keys[event.key], event);
    event.preventDefault();
    event.stopPropagation();
  });
  group.addEventListener("keyup", (event) => {
    if (event.key in keys) release();
  });
  group.addEventListener("blur", () => delete group.dataset.dragged);
}

const STEPS = {
  ArrowLeft: [-0.1, 0],
  ArrowRight: [0.1, 0],
  ArrowUp: [0, 0.1],
  ArrowDown: [0, -0.1],
  PageUp: [0, 0.5],
  PageDown: [0, -0.5],
  Home: [-1e3, 0],
  End: [1e3, 0],
};

interface HandleOptions {
  name?: string; // screen readers read it out, with the limits
  mark?: string; // is written on the handle
  className?: string;
  get: () => Point;
  move: (point: Point) => void; // writes it to the state
  step?: (by: number[]) => void; // handles keys
  spoken?: (point: Point) => string; // returns what screen readers read out
  attributes?: () => object; // returns attributes that change
}

/** Append a handle that moves a point of the plane; return a function that draws it. */
export function handle(drawing: Drawing, explorer: Explorer, options: HandleOptions) {
  const { name, mark = "", className, get, move, attributes } = options;
  const { spoken = ([x, y]) => `x ${text(x)}, y ${text(y)}` } = options;
  const { step = (by) => move(drawing.clamp(get().map((v, axis) => v + by[axis]))) } = options;
  const [end] = drawing.clamp([drawing.limits[0], 0]);
  const group = svg(drawing.root, "g", {
    class: `kx-handle ${className}`,
    role: "slider",
    tabindex: "0",
    "aria-label": name,
    "aria-valuemin": -end,
    "aria-valuemax": end,
  });
  svg(group, "circle", { r: 22, class: "kx-target" });
  svg(group, "circle", { r: 16, class: "kx-ring" });
  svg(group, "circle", { r: 12, class: "kx-dot" });
  appendText(group, mark, { class: "kx-mark" });
  makeGrabbable(group, {
    grab: (event) => drawing.world(event).map((v, axis) => get()[axis] - v),
    move(event, grabbed) {
      move(drawing.clamp(drawing.world(event).map((v, axis) => v + grabbed[axis])));
      explorer.drawInNextFrame();
    },
    keys: STEPS,
    step(by, event) {
      const times = event.shiftKey && event.key.startsWith("Arrow") ? 5 : 1;
      step(by.map((v) => times * v));
      explorer.drawInNextFrame();
    },
    release: () => explorer.save(),
  });
  return () => {
    const [x, y] = get();
    setAttributes(group, {
      transform: `translate(${drawing.pixel([x, y]).join(" ")})`,
      "aria-valuenow": x,
      "aria-valuetext": spoken([x, y]),
      ...attributes?.(),
    });
  };
}

/** Return the index of the nearest point, the first of those that coincide. */
export function nearest(points: Point[], [x, y]: Point): number {
  const far = points.map(([a, b]) => hundredth(Math.hypot(a - x, b - y)));
  return far.indexOf(Math.min(...far));
}

/** Let a press on a mark call `choose(event)`, and then drag the handle of a class. */
export function dragHandle(root: Element, className: string, mark: SVGElement, choose: Press) {
  onPress(mark, (event) => {
    choose(event);
    root.querySelector(`.${className}`)?.dispatchEvent(new PointerEvent(event.type, event));
    event.preventDefault();
  });
}

interface DraggableOptions extends HandleOptions {
  places: () => Point[];
  choose: (i: number) => void;
}

/**
 * Append dots that share one handle: a press calls `choose(i)` for the nearest one, and then drags
 * the handle. Return the dots, a function that draws them, and `dragBy`, which lets a press on an
 * element do the same for the point whose index a function returns.
 */
export function draggable(
  drawing: Drawing,
  count: number,
  explorer: Explorer,
  { places, choose, ...options }: DraggableOptions,
) {
  const drawHandle = handle(drawing, explorer, {
    name: "point",
    className: "kx-chosen-point",
    ...options,
  });
  const spots = Array.from({ length: count }, () =>
    svg(drawing.root, "g", { class: "kx-draggable", "aria-hidden": "true" }),
  );
  const dragBy = (element: SVGElement, index: (event: PointerEvent) => number) =>
    dragHandle(drawing.root, "kx-chosen-point", element, (event) => choose(index(event)));
  for (const spot of spots) {
    svg(spot, "circle", { r: 17, class: "kx-target" });
    svg(spot, "circle", { r: 4.2, class: "kx-place" });
    dragBy(spot, (event) => nearest(places(), drawing.world(event)));
  }
  const drawDots = (pixels: Point[]) => {
    for (const [i, pixel] of pixels.entries())
      setAttributes(spots[i], { transform: `translate(${pixel.map(tenth).join(" ")})` });
    drawHandle();
  };
  return { spots, drawDots, dragBy };
}

/** Append up to `count` points of a state that can be dragged, as in `draggable`. */
export function draggablePoints(
  drawing: Drawing,
  count: number,
  state: { points: Point[]; chosen: number },
  explorer: Explorer,
  options: Partial<HandleOptions>,
) {
  return draggable(drawing, count, explorer, {
    ...options,
    places: () => state.points,
    get: () => state.points[state.chosen],
    move: (point) => (state.points[state.chosen] = point),
    choose(i) {
      state.chosen = i;
      explorer.draw();
    },
  });
}
