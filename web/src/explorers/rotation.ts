// Chapters 1, 2 and 4: points and a line that can be rotated.

import type { Point } from "../core/matrix.ts";
import { listenToButtons } from "../ui/buttons.ts";
import { chart, tick } from "../ui/charts.ts";
import { handle } from "../ui/handles.ts";
import { type Drawing, plane } from "../ui/plane.ts";
import type { Explorer, RenderProps } from "../ui/state.ts";
import { createExplorer, traitsNamed, writeExplorerHtml } from "../ui/state.ts";
import { setAttributes, svg } from "../ui/svg.ts";
import { hundredth, tenth, text } from "../ui/text.ts";
import { areNumbers } from "../ui/validators.ts";
import type { Data, Result, State, View } from "./rotationModel.ts";
import { rotationVerdict, sumsOfSquares } from "./rotationModel.ts";

type Layers = Record<string, SVGPathElement>;
type XyText = (point: Point) => string; // returns a place in a path
type Rectangle = { xy: XyText; unit: number; n: number };
type Lines = { xy: XyText; points: Point[] };

// Half the height of the drawing in each view. The projections are of points in the unit square,
// which the view shows with a margin. The handle stays between these limits on each axis.
const HALF_HEIGHTS = { variances: 4, projections: 0.67, distances: 4 };
const WIDTH = 340;
const HANDLE_LIMITS = [
  [0.17, 1.26],
  [0.12, 1.12],
];

/** The marks of the view "variances". */
const KEY = [
  ["solid var(--kx-green)", "covariance ellipse"],
  ["solid var(--kx-kept)", "rotated axes"],
  ["solid var(--kx-ochre)", "rectangle that touches the ellipse"],
  ["dotted var(--kx-soft)", "circle through its corners"],
].map(([line, words]) => `<span style="--line:2px ${line}">${words}</span>`);

const htmlOf = (show: View) => `
  <div class="kx-columns">
    <div class="kx-column"><section class="kx-always kx-above-verdict"><p class="kx-title">${
      show === "projections" ? "Points and their projections onto the line" : "Points"
    }</p><div data-part="plane"></div>
      <p class="kx-key">${show === "variances" ? KEY.join("") : ""}</p>
      <div class="kx-bar"><button type="button" data-angle="best">best angle</button></div>
      </section></div>
    ${
      show === "distances"
        ? `<div class="kx-column"><section class="kx-always"><p class="kx-title">Distances</p>
      <div data-part="pairs"></div></section></div>`
        : ""
    }
  </div>`;

function directionHandle(drawing: Drawing, state: State, explorer: Explorer, show: View) {
  const angleOf = (point: Point) => hundredth((180 * Math.atan2(point[1], point[0])) / Math.PI);
  const radians = () => (state.angle * Math.PI) / 180;
  const direction = (): Point => [Math.cos(radians()), Math.sin(radians())];
  const within = (angle: number) => Math.min(180, Math.max(-180, angle));
  return handle(drawing, explorer, {
    name: "direction u of the line",
    mark: "u",
    className: "kx-colour-0",
    get() {
      const ends = direction().map((v, axis) => HANDLE_LIMITS[axis][Number(v > 0)] / Math.abs(v));
      const reach = show === "projections" ? Math.min(0.95, ...ends) : 0.75 * HALF_HEIGHTS[show];
      return direction().map((v) => reach * v);
    },
    move: (point) => (state.angle = angleOf(point)),
    step: ([across, up]) => (state.angle = hundredth(within(state.angle + 20 * (across + up)))),
    attributes: () => ({
      "aria-valuemin": -180,
      "aria-valuemax": 180,
      "aria-valuenow": state.angle,
      "aria-valuetext": `${text(state.angle, 0)} degrees`,
    }),
  });
}

/** Return a function that draws the variances along two axes as a rectangle. */
function varianceRectangle({ errors, circle, ellipse, line }: Layers, { xy, unit, n }: Rectangle) {
  const segment = (u: Point, v: Point) => `M${xy(u)}L${xy(v)}`;
  return ({ onAxes, along, across, best, smallest }: Result) => {
    const total = along + across;
    const [a, b, major, minor, radius] = [along, across, total - smallest, smallest, total].map(
      (sum) => 2 * Math.sqrt(sum / n),
    );
    const oval = (across: number, up: number) =>
      `M${-across} 0A${across} ${up} 0 1 0 ${across} 0A${across} ${up} 0 1 0 ${-across} 0z`;
    const corners = [a, -a].flatMap((x) => (x > 0 ? [b, -b] : [-b, b]).map((y): Point => [x, y]));
    setAttributes(errors, { d: `M${corners.map((corner) => xy(onAxes(corner))).join("L")}z` });
    const axes =
      segment(onAxes([-a, 0]), onAxes([a, 0])) + segment(onAxes([0, -b]), onAxes([0, b]));
    setAttributes(line, { d: axes });
    setAttributes(circle, { d: oval(tenth(unit * radius), tenth(unit * radius)) });
    const transform = `rotate(${tenth(-best)})`;
    setAttributes(ellipse, { d: oval(tenth(unit * major), tenth(unit * minor)), transform });
  };
}

function projectionLines({ errors, line, projections }: Layers, { xy, points }: Lines) {
  const segment = (u: Point, v: Point) => `M${xy(u)}L${xy(v)}`;
  return ({ onAxes, scores }: Result) => {
    setAttributes(line, { d: segment(onAxes([-9, 0]), onAxes([9, 0])) });
    const lines = points.map((point, i) => segment(point, onAxes([scores[i][0], 0])));
    setAttributes(errors, { d: lines.join("") });
    setAttributes(projections, { d: scores.map(([u]) => `M${xy(onAxes([u, 0]))}h0`).join("") });
  };
}

function planePanel(host: Element, state: State, explorer: Explorer, { show, points, axes }: Data) {
  const height = show === "distances" ? 240 : 300;
  const unit = (height / 2 - 6) / HALF_HEIGHTS[show];
  const label = "Points of the plane, and a line that you can rotate";
  const times = show === "projections" ? 2 : 1;
  const drawing = plane(host, [times * WIDTH, times * height], unit, label);
  if (times > 1) {
    const [left, top] = [-0.25 * unit, -1.2 * unit].map(tenth);
    setAttributes(drawing.root, { viewBox: `${left} ${top} ${WIDTH} ${height}` });
    axes.forEach((name, axis) => tick(drawing.root, name, axis ? [6, -247] : [218, 12], "start"));
  }
  const kinds = ["errors", "circle", "ellipse", "line", "points", "projections"];
  const paths = kinds.map((kind) => {
    const attributes = { class: `kx-${kind}`, "aria-hidden": "true" };
    return [kind, svg(drawing.root, "path", attributes)];
  });
  const layers: Layers = Object.fromEntries(paths);
  const xy = (point: Point) => drawing.pixel(point).map(tenth).join(" ");
  setAttributes(layers.points, { d: points.map((point) => `M${xy(point)}h0`).join("") });
  const drawHandle = directionHandle(drawing, state, explorer, show);
  const draw =
    show === "variances"
      ? varianceRectangle(layers, { xy, unit, n: points.length })
      : projectionLines(layers, { xy, points });
  return (result: Result) => {
    draw(result);
    drawHandle();
  };
}

/** Append the distances of all pairs on the line against those in the plane. */
function pairsPanel(host: Element, { points }: Pick<Data, "points">) {
  const side = 220;
  const label = "Distances between projections against distances between points";
  const root = chart(host, WIDTH, side + 20, { "aria-label": label });
  const pairs = points.flatMap(([x, y], i) =>
    points.slice(0, i).map(([u, v], j) => [i, j, Math.hypot(x - u, y - v)]),
  );
  const unit = (side - 20) / Math.max(...pairs.map(([, , d]) => d));
  const [left, ground] = [(WIDTH - side) / 2, side - 4];
  svg(root, "path", { d: `M${left} 4V${ground}H${WIDTH - left}`, class: "kx-rule" });
  svg(root, "path", { d: `M${left} ${ground}L${WIDTH - left} 4`, class: "kx-equal" });
  tick(root, "between points", [WIDTH / 2, side + 10]);
  tick(root, "between projections", [left + 6, 12], "start");
  const dots = svg(root, "path", { class: "kx-dots" });
  return ({ scores }: Result) => {
    const dotOf = ([i, j, d]: number[]) =>
      `M${tenth(left + unit * d)} ` +
      `${tenth(ground - unit * Math.abs(scores[i][0] - scores[j][0]))}h0`;
    setAttributes(dots, { d: pairs.map(dotOf).join("") });
  };
}

function render({ model, el }: RenderProps) {
  const { show, points, axes }: Data = traitsNamed(model, ["show", "points", "axes"]);
  const part = writeExplorerHtml(el, htmlOf(show), "rotation");
  const [state, explorer] = createExplorer<State, Result>({
    model,
    el,
    validators: { angle: (angle) => areNumbers([angle], 1, -180, 180) },
    unsavedFields: {},
    result: ({ angle }) => sumsOfSquares(points, angle),
    hint: `Drag u to rotate the ${show === "variances" ? "axes" : "line"}.`,
    verdict: (result) => rotationVerdict(show, result, points.length),
  });
  listenToButtons(el, explorer, { angle: [() => (state.angle = hundredth(explorer.result.best))] });
  return explorer.start([
    planePanel(part("plane"), state, explorer, { show, points, axes }),
    ...(show === "distances" ? [pairsPanel(part("pairs"), { points })] : []),
  ]);
}

export default { render, linksOmit: ["show", "points", "axes"] };
