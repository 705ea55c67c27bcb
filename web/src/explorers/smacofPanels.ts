// The panels of the explorer of SMACOF.

import { type Point, toRows } from "../core/matrix.ts";
import type { Pair } from "../core/pairs.ts";
import { chart, gridLines, type Scale, tick } from "../ui/charts.ts";
import { range } from "../ui/controls.ts";
import { draggable } from "../ui/handles.ts";
import { nameLayer } from "../ui/labels.ts";
import { plane } from "../ui/plane.ts";
import type { Panel } from "../ui/state.ts";
import { setAttributes, svg, svgPaths } from "../ui/svg.ts";
import { factRows } from "../ui/tables.ts";
import { hundredth, plural, spokenKm, tenth, text } from "../ui/text.ts";
import { partOf } from "../ui/verdict.ts";
import type { PanelContext } from "./smacof.ts";
import { LEVELS, MAX_MINIMA, MAX_STEPS, type Result, STRESS_TOLERANCE } from "./smacofModel.ts";
import { km } from "./smacofVerdict.ts";

type TraceAxes = Record<"x" | "y", Scale> &
  Record<"low" | "width" | "height" | "left" | "top", number>;

function springLayer(root: Element, name: string) {
  const layer = svg(root, "g", { class: name, "aria-hidden": "true" });
  const kinds = ["pressed", "stretched"];
  const paths = kinds.map((kind) =>
    LEVELS.map((_, level) =>
      svg(layer, "path", { class: `kx-spring kx-${kind} kx-level${level}` }),
    ),
  );
  return (springs: Pair[], pixels: Point[]) => {
    const lines = kinds.map(() => LEVELS.map(() => ""));
    for (const { i, j, error } of springs) {
      const level = LEVELS.findLastIndex((threshold) => Math.abs(error) >= threshold);
      if (level < 0) break;
      lines[Number(error > 0)][level] +=
        `M${pixels[i].map(tenth).join(" ")}L${pixels[j].map(tenth).join(" ")}`;
    }
    paths.forEach((row, kind) =>
      row.forEach((path, level) => setAttributes(path, { d: lines[kind][level] })),
    );
  };
}

/** Append the springs of the chosen city above all others; return a function that draws them. */
function springLayers(root: Element) {
  const [others, ofCity] = ["kx-others", ""].map((name) => springLayer(root, name));
  return (springs: Pair[], pixels: Point[], city: number) => {
    const isOwn = ({ i, j }: Pair) => i === city || j === city;
    ofCity(springs.filter(isOwn), pixels);
    const rest = springs.filter((spring) => !isOwn(spring));
    others(rest, pixels);
  };
}

export function mapPanel({ part, labels, state, explorer, actions }: PanelContext): Panel<Result> {
  const size: Point = [340, 284];
  const drawing = plane(part("map"), size, 52, "SMACOF map, whose cities can be dragged");
  const springs = springLayers(drawing.root);
  let drawn: Point[] = [];
  const { spots, drawDots, dragBy } = draggable(drawing, labels.length, explorer, {
    places: () => drawn,
    get: () => drawn[state.chosen].map(hundredth),
    move: actions.move,
    attributes: () => ({ "aria-label": labels[state.chosen] }),
    spoken: spokenKm,
    choose: actions.choose,
  });
  const write = nameLayer(drawing.root, labels, size, dragBy);
  return ({ points, springs: all }, moving) => {
    drawn = toRows(points, 2);
    const pixels = drawn.map(drawing.pixel);
    drawing.root.classList.toggle("kx-running", state.running);
    springs(all, pixels, state.chosen);
    write(pixels, [state.chosen], { moving: moving || state.running });
    spots.forEach((spot, i) => spot.classList.toggle("kx-selected", i === state.chosen));
    drawDots(pixels);
  };
}

/** Draw the axes of the chart of stress. */
function traceAxes(root: Element, { x, y, low, width, height, left, top }: TraceAxes) {
  const axes = svg(root, "g", { "aria-hidden": "true" });
  gridLines(
    axes,
    [10, 100, 1000],
    (v) => ({ x1: left, x2: x(1000), y1: y(v), y2: y(v) }),
    (v) => [[left - 4, y(v)], "end"],
  );
  gridLines(
    axes,
    [1, 10, 100, 1000],
    (v) => ({ x1: x(v), x2: x(v), y1: y(low), y2: top }),
    (v) => [[x(v), y(low) + 12], v > 100 ? "end" : "middle"],
  );
  tick(axes, "stress (million km\u00b2)", [0, 7], "start");
  tick(axes, "step + 1", [(width + left) / 2, height - 8]);
}

export function tracePanel(host: Element): Panel<Result> {
  const [width, height, left, top, bottom] = [340, 170, 38, 20, 34];
  const root = chart(host, width, height);
  const x = (number: number) => left + ((width - left - 8) * Math.log10(number)) / 3;
  const [low, high] = [5, 2000];
  const inside = (stress: number) => Math.max(low, Math.min(high, stress));
  const y = (stress: number) =>
    top + ((height - bottom - top) * Math.log(high / inside(stress))) / Math.log(high / low);
  traceAxes(root, { x, y, low, width, height, left, top });
  const [others, now] = svgPaths(root, ["kx-trace kx-trace-others", "kx-trace kx-trace-now"]);
  const dot = svg(root, "circle", { r: 4.5, class: "kx-place" });
  const line = (stresses: number[]) =>
    `M${stresses.map((stress, step) => `${tenth(x(step + 1))} ${tenth(y(stress))}`).join("L")}`;
  let shown: string | null = null;
  return ({ path, steps, stress, runs }) => {
    const key = runs.map((one) => one.stress).join();
    if (shown !== key)
      setAttributes(others, { d: runs.map((one) => line(one.path.stresses)).join("") });
    shown = key;
    setAttributes(now, { d: line(path.stresses.slice(0, steps + 1)) });
    setAttributes(dot, { cx: tenth(x(steps + 1)), cy: tenth(y(stress)) });
    const change = steps
      ? `decreases from ${text(path.stresses[0])} to ${text(stress)} in ${plural(steps, "step")}`
      : `is ${text(stress)}`;
    const words =
      `Stress after each step, on logarithmic axes: it ${change}. Dashed: ` +
      `${plural(runs.length, "run")} of the table.`;
    setAttributes(root, { "aria-label": words });
  };
}

export function minimaPanel({ part, labels, state, actions }: PanelContext) {
  const row =
    '<tr hidden><th scope="row"></th><td></td><td></td><td class="kx-control"><button ' +
    'type="button">show</button></td></tr>';
  part("minima").innerHTML = row.repeat(MAX_MINIMA);
  const rows = [...part("minima").children];
  rows.forEach((line, i) => {
    const show = () => actions.show(state.kept_runs[i].slice(1), MAX_STEPS);
    partOf(line, "button").addEventListener("click", show);
  });
  return ({ runs, ended, stress, minStress }: Result) =>
    rows.forEach((line, i) => {
      const one = runs[i];
      line.toggleAttribute("hidden", !one);
      const button = partOf(line, "button");
      setAttributes(button, {
        "aria-pressed": Boolean(one) && ended && Math.abs(one.stress - stress) < STRESS_TOLERANCE,
      });
      if (!one) return;
      const isBest = one.stress < minStress + STRESS_TOLERANCE;
      const city = isBest ? "none" : `${labels[one.city]}, ${km(one.distance)}`;
      const cells = [text(one.stress), city, String(one.count || "\u2013")];
      cells.forEach((content, column) => (line.children[column].textContent = content));
      setAttributes(button, { "aria-label": `show the map with stress ${cells[0]}` });
    });
}

export function stepsPanel({ part, explorer, actions }: PanelContext) {
  const show = range(part("steps"), explorer, {
    name: "steps",
    ends: [0, MAX_STEPS, 1],
    words: String,
    input: actions.setSteps,
  });
  const field = partOf(part("steps"), "input");
  return ({ steps, length }: Result) => {
    setAttributes(field, { max: Math.max(length, steps, 1) });
    show(steps);
  };
}

export function errorTable(host: Element, labels: string[]): Panel<Result> {
  const rows = factRows(
    host,
    [[""], [""], [""], ["raw stress (million km\u00b2)"], ["stress-1"]],
    2,
  );
  for (const [, cell, other] of rows.slice(3)) {
    setAttributes(cell, { colspan: 2 });
    other.remove();
  }
  return ({ springs, stress, stress1 }) => {
    springs.slice(0, 3).forEach(({ i, j, table, map }, rank) => {
      const cells = [`${labels[i]}\u2013${labels[j]}`, text(1000 * table, 0), text(1000 * map, 0)];
      cells.forEach((content, column) => (rows[rank][column].textContent = content));
    });
    rows[3][1].textContent = text(stress, 2);
    rows[4][1].textContent = text(stress1, 4);
  };
}
