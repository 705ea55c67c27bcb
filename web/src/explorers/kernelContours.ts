// Level curves of a function on a grid.

import type { Matrix } from "../core/matrix.ts";
import { tenth } from "../ui/text.ts";
import { HEIGHT, STEP, UNIT, WIDTH } from "./kernelModel.ts";

/** The nodes at which the heat map is computed, in rows from the top left. */
export function nodes() {
  const [columns, rows] = [WIDTH / STEP + 1, HEIGHT / STEP + 1];
  const points = new Float64Array(2 * columns * rows);
  for (let i = 0; i < columns * rows; i++) {
    points[2 * i] = ((i % columns) * STEP - WIDTH / 2) / UNIT;
    points[2 * i + 1] = (HEIGHT / 2 - Math.floor(i / columns) * STEP) / UNIT;
  }
  return { columns, rows, points };
}

/**
 * Return the corners of the part of a cell where f is at least `level`, and the start and end of
 * each of its edges inside the cell. An edge starts where the edge in the next cell ends.
 */
function cut(corners: number[][], level: number) {
  const [shape, ends] = [[] as string[], [] as string[]];
  corners.forEach(([x, y, f], i) => {
    const [u, v, g] = corners[(i + 1) % 4];
    if (f >= level) shape.push(`${x} ${y}`);
    if (f >= level === g >= level) return;
    const t = (level - f) / (g - f);
    const end = `${tenth(x + t * (u - x))} ${tenth(y + t * (v - y))}`;
    shape.push(end);
    ends.push(end);
  });
  if (ends.length && corners[0][2] < level) ends.push(...ends.splice(0, 1));
  return { shape, ends };
}

/** Join edges, the starts and ends in `next`, to curves: first open ones, then closed ones. */
function joined(next: Map<string, string>) {
  const inner = new Set(next.values());
  const starts = [...next.keys()].sort(
    (one, other) => Number(inner.has(one)) - Number(inner.has(other)),
  );
  return starts.map((start) => {
    let [from, curve] = [start, ""];
    for (let end = next.get(from); end !== undefined; end = next.get(from)) {
      next.delete(from);
      curve += `L${end}`;
      from = end;
    }
    return curve && `M${start}${curve}`;
  });
}

/** Return the path of the region where f is at least some level, and that of its edge. */
export function contour(f: Matrix, { columns, rows }: ReturnType<typeof nodes>, level: number) {
  let area = "";
  const next = new Map<string, string>();
  const [left, top] = [-WIDTH / 2, -HEIGHT / 2];
  for (let r = 0; r + 1 < rows; r++) {
    for (let c = 0, run = 0; c + 1 < columns; c++) {
      const at = r * columns + c;
      const near = [f[at], f[at + 1], f[at + columns + 1], f[at + columns]];
      const above = near.filter((v) => v >= level).length;
      const [x, y] = [left + c * STEP, top + r * STEP];
      run = above === 4 ? run + 1 : 0;
      const ends = c + 2 === columns || !(Math.min(f[at + 2], f[at + columns + 2]) >= level);
      if (run && ends) area += `M${x + STEP} ${y}v${STEP}h${-run * STEP}v${-STEP}z`;
      if (above === 4 || above === 0) continue;
      const [u, v] = [x + STEP, y + STEP];
      const part = cut(
        [
          [x, y, near[0]],
          [u, y, near[1]],
          [u, v, near[2]],
          [x, v, near[3]],
        ],
        level,
      );
      area += `M${part.shape.join("L")}z`;
      for (let e = 0; e < part.ends.length; e += 2)
        if (part.ends[e] !== part.ends[e + 1]) next.set(part.ends[e], part.ends[e + 1]);
    }
  }
  return { area, edge: joined(next).join("") };
}
