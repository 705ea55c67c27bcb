// Names of points, placed where they overlap nothing.

import type { Point } from "../core/matrix.ts";
import { setAttributes, svg } from "./svg.ts";
import { tenth } from "./text.ts";

export type Box = number[]; // [left, top, right, bottom]
type Overlap = (one: Box, other: Box) => boolean;
/**
 * The box of a name and its point. A name that stands apart has a line from the point to `end`,
 * and the boxes `along` are on this line.
 */
type Place = { box: Box; along: Box[]; point: Point; end?: Point | undefined };
type Leader = [start: Point, end: Point];
type Obstacles = { covered: Box[]; leaders: Leader[] };

const overlap: Overlap = (one, other) =>
  one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
/** Return true if two names overlap or read as one, because they are close on the same line. */
const readAsOne: Overlap = (one, other) =>
  overlap(one, other) || overlap([one[0] - 6, one[1] + 5, one[2] + 6, one[3] - 5], other);
/** The length of a line to a name that is tried before longer ones. */
const NEAR = 28;
/** The length of the longest line. A phone has no room for long ones, and hides the name instead. */
const FARTHEST = globalThis.innerWidth < 640 ? NEAR : Infinity;
export const around = ([x, y]: Point, wide: number, high: number): Box =>
  [-1, 1].flatMap((side) => [x + (side * wide) / 2, y + (side * high) / 2]);
export const centreOfBox = ([x, y, u, v]: Box): Point => [(x + u) / 2, (y + v) / 2];

/** Return boxes for a name beside its point, the best first. */
const besidePoint = ([x, y]: Point, long: number, gap: number): Box[] => [
  ...[1, -1].map((side) => around([x + side * (gap + long / 2), y], long, 14)),
  ...[-1, 1].map((side) => around([x, y + side * (gap + 7)], long, 14)),
];

/** Return boxes for a name at increasing distances, up to a reach, in 24 directions. */
function farFrom([x, y]: Point, long: number, reach: number) {
  const turns = Array.from({ length: 24 }, (_, k) =>
    [Math.cos, Math.sin].map((of) => of((k * Math.PI) / 12)),
  );
  const boxesAround = (r: number) =>
    turns.map(([c, s]) =>
      around([x + c * (r + (long / 2) * Math.abs(c)), y + s * (r + 7 * Math.abs(s))], long, 14),
    );
  const radii = [10, 14, 18, 22, 26, 38, 50, 64, 80, 100, 125, 155, 190];
  return radii.filter((r) => r <= reach).flatMap(boxesAround);
}

/** Return small boxes along a line, and its length. */
export function alongLine(start: Point, end: Point, side: number) {
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  const parts = Math.ceil(length / 4);
  const along = Array.from({ length: parts }, (_, k) => {
    const centre = start.map((v, axis) => v + (k / parts) * (end[axis] - v));
    return around(centre, side, side);
  });
  return { along, length };
}

/** Return the line from a point to the box of its name: its end, length, and boxes along it. */
function leaderTo([left, top, right, bottom]: Box, [x, y]: Point) {
  const across = Math.max(left, Math.min(right, x));
  const end: Point = [across, Math.max(top + 2, Math.min(bottom - 2, y))];
  const { along, length } = alongLine([x, y], end, 1);
  return { end, along: along.slice(2), length };
}

/** Return the indices of points in the order in which they get names, the most crowded first. */
function byCrowd(pixels: Point[]) {
  const near = pixels.map(
    ([x, y]) => pixels.filter(([u, v]) => Math.hypot(x - u, y - v) < 40).length,
  );
  return [...pixels.keys()].sort((i, j) => near[j] - near[i]);
}

const isInside = (box: Box, [width, height]: Point) =>
  box[0] > -width / 2 && box[2] < width / 2 && box[1] > -height / 2 && box[3] < height / 2;

const side = ([a, b]: Point, [c, d]: Point, [x, y]: Point) =>
  Math.sign((c - a) * (y - b) - (d - b) * (x - a));
const meet = ([p, q]: Leader, [r, s]: Leader) =>
  side(p, q, r) !== side(p, q, s) && side(r, s, p) !== side(r, s, q);

/** Return the best box for a name with a line to its point: a short line with few crossings. */
function awayFrom(point: Point, boxes: Box[], { covered, leaders }: Obstacles) {
  const crossings = (along: Box[]) =>
    covered.filter((other) => along.some((part) => overlap(part, other))).length;
  const met = (end: Point) => leaders.filter((other) => meet(other, [point, end])).length;
  let best: (Place & { cost: number }) | null = null;
  for (const box of boxes) {
    const { end, along, length } = leaderTo(box, point);
    if (best && length / 8 >= best.cost) continue;
    const cost = 20 * crossings(along) + 8 * met(end) + length / 8;
    if (!best || cost < best.cost) best = { box, point, end, along, cost };
  }
  return best;
}

/**
 * Return a box for each name that touches no point, no other name and nothing that is `taken`.
 * If names `mayStandApart`, those without room beside their point get a line to it. The names
 * of `first` choose first, because their points are larger, and names that stand apart, or that a
 * line crosses, choose again at the end.
 */
export function placesOfNames(
  pixels: Point[],
  names: string[],
  first: number[],
  size: Point,
  mayStandApart = true,
  taken: Box[] = [],
) {
  const isFirst = (i: number) => first.includes(i);
  const wide = (i: number) => (isFirst(i) ? 22 : 10);
  const dots = pixels.map((pixel, i) => around(pixel, wide(i), wide(i)));
  const places = pixels.map((): Place | null => null);
  const place = (i: number, reach: number) => {
    places[i] = null;
    const placed = places.filter((one) => one !== null);
    const boxes = placed.map(({ box }) => box);
    const lines = [...taken, ...placed.flatMap(({ along }) => along)];
    const long = (isFirst(i) ? 7.2 : 6.6) * names[i].length + 6;
    const isFree = (box: Box) =>
      isInside(box, size) &&
      !boxes.some((other) => readAsOne(box, other)) &&
      ![...dots, ...lines].some((other) => overlap(box, other));
    const crowd = (box: Box) =>
      dots.filter((dot) => overlap(dot, around(centreOfBox(box), long + 50, 64))).length;
    const beside = besidePoint(pixels[i], long, isFirst(i) ? 13 : 8);
    const box = mayStandApart
      ? beside.filter(isFree).sort((one, other) => crowd(one) - crowd(other))[0]
      : beside.find(isFree);
    if (box) places[i] = { box, along: [], point: pixels[i] };
    else if (reach) {
      const leaders = placed.flatMap(({ point, end }): Leader[] => (end ? [[point, end]] : []));
      const far = farFrom(pixels[i], long, reach).filter(isFree);
      places[i] = awayFrom(pixels[i], far, { covered: [...dots, ...boxes], leaders });
    }
  };
  const others = byCrowd(pixels).filter((i) => !isFirst(i) && names[i] !== "");
  for (const each of [first, others])
    for (const reach of mayStandApart ? [0, NEAR, FARTHEST] : [0])
      each.filter((i) => !places[i]).forEach((i) => place(i, reach));
  const isCrossed = ({ box }: Place) =>
    places.some((one) => one?.along.some((part) => overlap(part, box)));
  if (mayStandApart)
    for (const i of [...others, ...first]) {
      const one = places[i];
      if (!one || one.end || isCrossed(one)) place(i, NEAR);
      if (!places[i]) place(i, isFirst(i) ? Infinity : FARTHEST);
    }
  return places;
}

/** Return the box of a name after its point has moved, inside the drawing. */
function movedWithPoint(one: Place | null, [x, y]: Point, [width, height]: Point): Place | null {
  if (!one) return null;
  const [left, top, right, bottom] = one.box;
  const [across, down] = [x - one.point[0], y - one.point[1]];
  const dx = Math.max(-width / 2 - left, Math.min(width / 2 - right, across));
  const dy = Math.max(-height / 2 - top, Math.min(height / 2 - bottom, down));
  return {
    ...one,
    box: [left + dx, top + dy, right + dx, bottom + dy],
    end: one.end?.map((v, axis) => v + [dx, dy][axis]),
  };
}

/** Move a name that overlaps another one beside its point, or remove it; the chosen ones stay. */
function withoutOverlaps(places: (Place | null)[], chosen: number[], pixels: Point[], size: Point) {
  const kept = places.map((): Place | null => null);
  for (const i of new Set([...chosen, ...places.keys()])) {
    const one = places[i];
    if (!one) continue;
    const isFree = (box: Box) => !kept.some((other) => other && overlap(other.box, box));
    const beside = besidePoint(pixels[i], one.box[2] - one.box[0], 8);
    const box = [one.box, ...beside.filter((each) => isInside(each, size))].find(isFree);
    if (box) kept[i] = box === one.box ? one : { box, along: [], point: pixels[i] };
  }
  return kept;
}

type NameOptions = { moving?: boolean; taken?: Box[] };

/**
 * Append the names of points and, below the points, lines to the names that stand apart; return a
 * function that writes the names. While points move, their names move along; they are placed again
 * at rest. The first chosen point is larger than the others. A press on a name is a press on its
 * point (`dragBy` in handles.ts).
 */
export function nameLayer(
  root: Element,
  names: string[],
  size: Point,
  dragBy: (element: SVGElement, index: () => number) => void,
): (pixels: Point[], chosen: number[], options?: NameOptions) => void {
  const lines = names.map(() => svg(root, "path", { class: "kx-leader", "aria-hidden": "true" }));
  root.querySelector(".kx-handle")?.before(...lines);
  const written = names.map((_, i) => {
    const mark = svg(root, "text", { class: "kx-name kx-draggable-name", "text-anchor": "middle" });
    dragBy(mark, () => i);
    return mark;
  });
  let atRest = names.map((): Place | null => null);
  return (pixels, chosen, { moving = false, taken = [] } = {}) => {
    if (!moving) atRest = placesOfNames(pixels, names, chosen.slice(0, 1), size, true, taken);
    const moved = atRest.map((one, i) => movedWithPoint(one, pixels[i], size));
    const places = moving ? withoutOverlaps(moved, chosen, pixels, size) : moved;
    written.forEach((mark, i) => {
      const [one, pixel] = [places[i], pixels[i]];
      const end = one?.end ?? pixel;
      setAttributes(lines[i], { d: `M${pixel.map(tenth).join(" ")}L${end.map(tenth).join(" ")}` });
      mark.textContent = one ? names[i] : "";
      mark.classList.toggle("kx-selected", chosen.includes(i));
      if (!one) return;
      const [x, y] = centreOfBox(one.box).map(tenth);
      setAttributes(mark, { x, y });
    });
  };
}
