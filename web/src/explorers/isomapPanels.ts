// The curve and the tables of the explorer of Isomap.

import type { Point } from "../core/matrix.ts";
import { chart, type Scale, tick } from "../ui/charts.ts";
import type { Explorer, Panel, Part } from "../ui/state.ts";
import { hatching, setAttributes, svg, svgPaths } from "../ui/svg.ts";
import { factRows } from "../ui/tables.ts";
import { percent, plural, tenth, text } from "../ui/text.ts";
import { partOf } from "../ui/verdict.ts";
import { shapePath } from "./isomapDrawings.ts";
import type { GraphMap, Result, State } from "./isomapModel.ts";
import { FEWEST, LISTED, MAX_REMOVED, MOST } from "./isomapModel.ts";

type FromMap<Value> = (map: GraphMap) => Value;
type Scales = Record<"width" | "height" | "left", number> & Record<"x" | "y", Scale>;

const FACTS: [string, FromMap<string>][] = [
  ["edges", ({ edges }) => String(edges.length)],
  ["short circuits", ({ shortCircuits }) => String(shortCircuits.length)],
  ["relative squared error", ({ error }) => (error === undefined ? "–" : percent(error))],
  ["negative mass", ({ mass }) => (mass === undefined ? "–" : text(mass, 3))],
];

function drawAxes(root: Element, { width, height, left, x, y }: Scales) {
  const axes = svg(root, "g", { "aria-hidden": "true" });
  for (const mass of [0, 0.1, 0.2, 0.3]) {
    svg(axes, "path", { d: `M${left} ${y(mass)}H${width}`, class: mass ? "kx-rule" : "kx-axis" });
    tick(axes, text(mass, 1), [left - 4, y(mass)], "end");
  }
  for (let k = FEWEST; k <= MOST; k++) tick(axes, k, [x(k), y(0) + 11]);
  svg(axes, "path", { d: `M${left} ${y(0.25)}H${width}`, class: "kx-quarter" });
  tick(axes, "¼: limit for a loop", [left + 4, y(0.25) - 8], "start");
  tick(axes, "neighbours κ (×: not connected)", [(left + width) / 2, height - 9]);
}

export function curvePanel(host: Element) {
  const [width, height, left, bottom, top] = [340, 154, 30, 36, 0.3];
  const root = chart(host, width, height);
  const x = (k: number) =>
    left + ((width - left - 14) * (k - FEWEST + 0.5)) / (MOST - FEWEST + 0.5);
  const y = (mass: number) => height - bottom - ((height - bottom - 8) * Math.min(mass, top)) / top;
  drawAxes(root, { width, height, left, x, y });
  const hatch = hatching(root, "neighbors");
  const kinds = ["kx-bar-kept", "kx-bar-minus", "kx-apart", "kx-current"];
  const [flat, wrong, disconnected, now] = svgPaths(root, kinds);
  const hatched = svg(root, "path", { fill: hatch });
  const pointOf = ({ k, mass }: GraphMap): Point => [x(k), mass === undefined ? y(0) - 8 : y(mass)];
  return (curve: (GraphMap | undefined)[], result: GraphMap) => {
    const { k, mass } = result;
    const computed = curve.filter((map) => map !== undefined);
    const mark = (shape: number) => (map: GraphMap) => shapePath(shape, pointOf(map), 4.5);
    const cross = (map: GraphMap) => `M${tenth(x(map.k) - 4)} ${tenth(y(0) - 12)}l8 8m0 -8l-8 8`;
    const isWrong = (map: GraphMap) => map.shortCircuits.length > 0;
    const draw = (path: Element, shape: FromMap<string>, isShown: FromMap<unknown>) =>
      setAttributes(path, { d: computed.filter(isShown).map(shape).join("") });
    draw(flat, mark(0), (map) => !map.disconnected && !isWrong(map));
    for (const path of [wrong, hatched])
      draw(path, mark(1), (map) => !map.disconnected && isWrong(map));
    draw(disconnected, cross, (map) => map.disconnected);
    setAttributes(now, { d: shapePath(0, pointOf(result), 8) });
    const words =
      `Negative mass against the number of neighbours; with ${k} it is ` +
      `${mass === undefined ? "not defined" : text(mass, 3)}.`;
    setAttributes(root, { "aria-label": words });
  };
}

export function graphTables(part: Part, state: State, explorer: Explorer<Result>): Panel<Result> {
  const facts = FACTS.filter(([name]) => state.show === "all" || name !== "negative mass");
  const cells = factRows(part("facts"), facts, 1);
  part("shortCircuits").innerHTML = (
    '<tr><th scope="row"></th><td></td><td></td><td></td><td><button ' +
    'type="button">remove</button></td></tr>'
  ).repeat(LISTED);
  const table = part("shortCircuits").parentElement as HTMLElement;
  const rows = [...part("shortCircuits").children];
  const buttons = rows.map((row) => partOf<HTMLButtonElement>(row, "button"));
  const restore = part("restore");
  const remove = (removed: number[][]) => {
    state.removed = removed;
    explorer.save();
  };
  buttons.forEach((button, rank) =>
    button.addEventListener("click", () => {
      const { i, j } = explorer.result.worst[rank];
      remove([...state.removed, [i, j]]);
      (button.disabled ? restore : button).focus();
    }),
  );
  restore.addEventListener("click", () => {
    remove([]);
    buttons[0].focus();
  });
  return (result) => {
    facts.forEach(([, value], row) => (cells[row][1].textContent = value(result)));
    table.toggleAttribute("hidden", !result.worst.length);
    rows.forEach((row, rank) => {
      const edge = result.worst[rank];
      row.toggleAttribute("hidden", !edge);
      buttons[rank].disabled = !edge || state.removed.length >= MAX_REMOVED;
      if (!edge) return;
      const name = `${edge.i}–${edge.j}`;
      const share = result.disconnected ? "–" : percent(edge.share);
      [name, text(edge.space, 1), text(edge.sheet, 1), share].forEach(
        (content, cell) => (row.children[cell].textContent = content),
      );
      setAttributes(buttons[rank], { "aria-label": `remove edge ${name}` });
    });
    const count = state.removed.length;
    restore.hidden = !count;
    restore.textContent = `restore ${plural(count, "edge")}`;
  };
}
