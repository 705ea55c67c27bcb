// A drawing of the plane.

import type { Point } from "../core/matrix.ts";
import { type Client, placeIn, svg } from "./svg.ts";

export interface Drawing {
  root: SVGSVGElement;
  pixel: (point: Point) => Point; // returns the place of a point
  world: (event: Client) => Point; // returns a point
  clamp: (point: Point) => Point; // returns the nearest point within the limits
  limits: Point;
  // Returns the factor, at least 1, by which points must be reduced to be inside the drawing.
  reduction: (points: Point[]) => number;
}

/**
 * Append a drawing of the plane, [width, height] in pixels, with `unit` pixels per unit, the origin
 * in the middle and y upwards; it is named by the label.
 */
export function plane(host: Element, [width, height]: Point, unit: number, label: string): Drawing {
  const view = { viewBox: `${-width / 2} ${-height / 2} ${width} ${height}` };
  const root = svg(host, "svg", { ...view, class: "kx-plane", role: "group", "aria-label": label });
  const grid = svg(root, "g", { class: "kx-grid", "aria-hidden": "true" });
  const [columns, rows] = [width, height].map((side) => Math.floor(side / 2 / unit));
  const line = (x1: number, y1: number, x2: number, y2: number, value: number) =>
    svg(grid, "line", { x1, y1, x2, y2, class: value === 0 ? "kx-axis" : "" });
  for (let i = -columns; i <= columns; i++) line(i * unit, -height / 2, i * unit, height / 2, i);
  for (let i = -rows; i <= rows; i++) line(-width / 2, i * unit, width / 2, i * unit, i);
  const limits: Point = [(width / 2 - 14) / unit, (height / 2 - 14) / unit];
  return {
    root,
    pixel: ([x, y]) => [x * unit, -y * unit],
    world(event) {
      const { x, y } = placeIn(root, event);
      return [x / unit, -y / unit];
    },
    clamp: (point) =>
      point.map(
        (v, axis) => Math.round(100 * Math.max(-limits[axis], Math.min(limits[axis], v))) / 100,
      ),
    limits,
    reduction: (points) =>
      Math.max(1, ...points.flatMap((row) => row.map((v, axis) => Math.abs(v) / limits[axis]))),
  };
}

/** Return the attribute `points` of a polygon in the plane. */
export function corners(drawing: Drawing, points: Point[]) {
  return points.map((point) => drawing.pixel(point).join(",")).join(" ");
}
