// The panels of the explorer of kernels.

import { largestModulus, type Matrix, type Point } from "../core/matrix.ts";
import { listenToButtons } from "../ui/buttons.ts";
import { marks } from "../ui/charts.ts";
import { slider } from "../ui/controls.ts";
import { dragHandle, handle, nearest } from "../ui/handles.ts";
import { type Drawing, plane } from "../ui/plane.ts";
import type { Explorer } from "../ui/state.ts";
import { hatching, setAttributes, svg } from "../ui/svg.ts";
import { POWERS, text } from "../ui/text.ts";
import { hasValues } from "../ui/validators.ts";
import { contour, nodes } from "./kernelContours.ts";
import type { Result, Slider, State } from "./kernelModel.ts";
import { FAMILIES, FEWEST, HEIGHT, MOST, UNIT, WIDTH } from "./kernelModel.ts";

type Presets = Record<string, Pick<State, "points" | "groups">>;
export type PointsPanel = ReturnType<typeof pointsPanel>;

/** Append the level curves of f; return the nodes at which f is needed, and a function for them. */
function levelLines(root: Element) {
  const grid = nodes();
  const layer = svg(root, "g", { "aria-hidden": "true" });
  const path = (name: string) => svg(layer, "path", { class: name });
  const paths = [-1, 1].flatMap((sign) => {
    const kind = sign < 0 ? "kx-below-zero" : "kx-above-zero";
    return [0.25, 0.5, 0.75].map((share) => {
      return { sign, share, fill: path(`kx-fill ${kind}`), line: path(`kx-line ${kind}`) };
    });
  });
  const zero = path("kx-line kx-zero");
  const draw = (f: Matrix, size: number) => {
    const negated = f.map((v) => -v);
    const contourAt = (level: number, sign: number) =>
      size ? contour(sign < 0 ? negated : f, grid, level) : { area: "", edge: "" };
    for (const { sign, share, fill, line } of paths) {
      const { area, edge } = contourAt(share * size, sign);
      setAttributes(fill, { d: area });
      setAttributes(line, { d: edge });
    }
    setAttributes(zero, { d: contourAt(0, 1).edge });
  };
  return { nodes: grid.points, draw };
}

export function matrixPanel(host: Element) {
  const root = svg(host, "svg", { class: "kx-matrix", role: "img" });
  const hatch = hatching(root, "matrix");
  const shares = [0.05, 0.25, 0.5, 0.75, Infinity];
  const layers = ["kx-below-zero", "kx-above-zero"].map((name) =>
    shares.slice(1).map(() => svg(root, "path", { class: name })),
  );
  const negative = svg(root, "path", { fill: hatch });
  const cross = svg(root, "path", { class: "kx-cross" });
  return ({ gram, n }: Result, chosen: number) => {
    const cell = Math.floor(240 / n);
    const [offset, side, size] = [chosen * cell, n * cell, largestModulus(gram) || 1];
    const path = (low: number, high: number) => ({
      d: cellPath(gram, n, cell, (v) => v >= low * size && v < high * size),
    });
    layers[1].forEach((layer, q) => setAttributes(layer, path(shares[q], shares[q + 1])));
    layers[0].forEach((layer, q) => setAttributes(layer, path(-shares[q + 1], -shares[q])));
    setAttributes(negative, path(-Infinity, -0.05));
    setAttributes(cross, {
      d: `M0 ${offset}h${side}v${cell}h${-side}zM${offset} 0v${side}h${cell}v${-side}z`,
    });
    const label = `K, an ${n} by ${n} matrix whose entries are at most ${text(size)} in absolute value.`;
    setAttributes(root, { viewBox: `-1 -1 ${side + 2} ${side + 2}`, "aria-label": label });
  };
}

/** Return a path of the cells whose entry passes, with runs in a row as one rectangle. */
function cellPath(gram: Matrix, n: number, cell: number, passes: (value: number) => boolean) {
  let path = "";
  for (let i = 0; i < n; i++) {
    for (let j = 0, run = 0; j <= n; j++) {
      if (j < n && passes(gram[i * n + j])) run++;
      else if (run) {
        path += `M${(j - run) * cell} ${i * cell}h${run * cell}v${cell}h${-run * cell}z`;
        run = 0;
      }
    }
  }
  return path;
}

/** Return a function that lets a press on a mark choose the nearest point and drag its handle. */
function choosable({ root, world }: Drawing, state: State, moved: () => void) {
  return (mark: SVGElement) => {
    svg(mark, "circle", { r: 17, class: "kx-target" });
    dragHandle(root, "kx-chosen", mark, (event) => {
      state.chosen = nearest(state.points, world(event));
      moved();
    });
  };
}

/** Return the names and places of the handles; the view "component" has no new point x. */
function handlesOf(state: State) {
  const chosen = {
    name: "chosen point",
    className: "kx-chosen",
    get: () => state.points[state.chosen],
    put: (point: Point) => (state.points[state.chosen] = point),
  };
  const x = {
    name: "new point x",
    mark: "x",
    className: "kx-colour-3",
    get: () => state.test,
    put: (point: Point) => (state.test = point),
  };
  return state.show === "component" ? [chosen] : [chosen, x];
}

/** Append the plane with the level curves, the points and the handles. */
export function pointsPanel(host: Element, state: State, explorer: Explorer) {
  const drawing = plane(host, [WIDTH, HEIGHT], UNIT, "Points of the plane, which you can drag");
  const lines = levelLines(drawing.root);
  const moved = () => {
    drawPoints();
    explorer.drawInNextFrame();
  };
  const drawMarks = marks(svg(drawing.root, "g"), choosable(drawing, state, moved));
  const handles = handlesOf(state).map(({ put, ...rest }) =>
    handle(drawing, explorer, {
      ...rest,
      move(point) {
        put(point);
        moved();
      },
    }),
  );
  const drawPoints = () => {
    drawMarks(state.points.map(drawing.pixel), state.groups);
    handles.forEach((update) => update());
  };
  drawing.root.addEventListener("click", (event) => {
    if (handles.length < 2 || (event.target as Element).closest(".kx-handle, .kx-data")) return;
    state.test = drawing.clamp(drawing.world(event));
    explorer.save();
  });
  return { ...lines, drawPoints };
}

export function parameterPanel(host: Element, state: State, explorer: Explorer) {
  let built = "";
  let updates: (() => void)[] = [];
  const build = ({ name, label, log, ends }: Slider) =>
    slider(host, explorer, state.kernel, name, {
      name: label,
      of: () => state.kernel,
      ...(log && POWERS),
      ends,
    });
  return () => {
    if (built !== state.kernel.name) {
      host.replaceChildren();
      built = state.kernel.name;
      updates = FAMILIES[built][1].map(build);
    }
    updates.forEach((update) => update());
  };
}

export function buttonPanel(el: Element, state: State, explorer: Explorer, presets: Presets) {
  const firsts = (name: string) =>
    Object.fromEntries(FAMILIES[name][1].map((one) => [one.name, one.first]));
  const edits = {
    next: () => (state.chosen = (state.chosen + 1) % state.points.length),
    add() {
      state.points.push([...state.test]);
      state.chosen = state.groups.push(state.groups[state.chosen]) - 1;
    },
    remove() {
      for (const list of [state.points, state.groups]) list.splice(state.chosen, 1);
      state.chosen = Math.min(state.chosen, state.points.length - 1);
    },
  };
  const shows = listenToButtons(el, explorer, {
    preset: [
      (name) => Object.assign(state, structuredClone(presets[name]), { chosen: 0 }),
      (name) => hasValues(state, { points: presets[name].points }),
    ],
    kernel: [
      (name) => (state.kernel = { name, ...firsts(name) } as State["kernel"]),
      (name) => name === state.kernel.name,
    ],
    component: [(r) => (state.component = Number(r)), (r) => Number(r) === state.component],
    edit: [(what) => edits[what as keyof typeof edits]()],
  });
  const [add, remove] = ["add", "remove"].map((what) =>
    el.querySelector<HTMLButtonElement>(`[data-edit="${what}"]`),
  );
  return () => {
    shows();
    if (!add || !remove) return;
    add.disabled = state.points.length >= MOST;
    remove.disabled = state.points.length <= FEWEST;
  };
}
