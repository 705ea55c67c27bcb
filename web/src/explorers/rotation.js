// Chapter 2: points and a line that can be rotated.

import { listenToButtons } from "../ui/buttons.js";
import { handle } from "../ui/handles.js";
import { plane } from "../ui/plane.js";
import { bindState, openPage, RESET } from "../ui/state.js";
import { setAttributes, svg } from "../ui/svg.js";
import { hundredth, tenth, text } from "../ui/text.js";
import { areNumbers } from "../ui/validators.js";
import { VERDICT } from "../ui/verdict.js";

// Half the height of the drawing, by what is asked.
const HALF = { axes: 4, line: 1.3, shadow: 4 };
const WIDE = 340;

/**
 * What the points have along a line at an angle, across it, and as their product, and their best
 * line; each summed.
 */
export function along(points, degrees) {
  const turn = (degrees * Math.PI) / 180;
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const scores = points.map(([x, y]) => [c * x + s * y, c * y - s * x]);
  const sum = (of) => scores.reduce((total, score) => total + of(score), 0);
  const [kept, lost, mixed] = [sum(([u]) => u * u), sum(([, v]) => v * v), sum(([u, v]) => u * v)];
  const best = degrees + (90 * Math.atan2(2 * mixed, kept - lost)) / Math.PI;
  const least = (kept + lost - Math.hypot(kept - lost, 2 * mixed)) / 2;
  const onAxes = ([u, v]) => [c * u - s * v, s * u + c * v];
  return { scores, onAxes, kept, lost, mixed, least, best: ((best % 180) + 180) % 180 };
}

/** The words for what is seen, by what is asked. */
function turnSays(asks, { kept, lost, mixed, least }, n) {
  const isBest = lost - least < 1e-3 * (kept + lost);
  if (asks === "axes") {
    const head =
      `Variances ${text(kept / n)} and ${text(lost / n)}, covariance ` + `${text(mixed / n)}.`;
    const always =
      `Trace ${text((kept + lost) / n)} and determinant ` +
      `${text((kept * lost - mixed * mixed) / n / n)} at every angle.`;
    return { holds: Math.abs(mixed) <= 0.02 * n || undefined, head, reason: always };
  }
  if (asks === "line") {
    const reason = isBest
      ? "No line keeps more."
      : `The best line keeps ${text(kept + lost - least)}.`;
    return {
      holds: isBest || undefined,
      head: `Kept ${text(kept)}, lost ${text(lost)}: together ${text(kept + lost)}.`,
      reason,
    };
  }
  const reason = isBest
    ? "No line loses less. No pair is farther apart than in the plane."
    : "No pair is farther apart on the line than in the plane.";
  return {
    holds: isBest || undefined,
    head: `It loses ${text(lost / least)} times the least possible.`,
    reason,
  };
}

const ASKED = {
  axes: "At which angle does the covariance vanish, and what do all angles share?",
  line: "Which line keeps most of the squared length, and which points decide it?",
  shadow: "Which line loses least, and can a pair be farther apart on it than in the plane?",
};

const pageOf = (asks) => `
  <p class="kx-question">${ASKED[asks]}</p>
  <div class="kx-bar" style="--order:3"><button type="button" class="kx-action"
    data-turn="best">turn to the best</button><span>${RESET}</span></div>
  ${VERDICT}
  <div class="kx-columns">
    <div class="kx-column"><section style="--order:1"><p class="kx-title">Points <small
      class="kx-control">drag <i>u</i></small></p>
      <div data-part="plane"></div></section></div>
    ${
      asks === "shadow"
        ? `<div class="kx-column"><section style="--order:2"><p
          class="kx-title">Distances of pairs <small>on the line, against in the plane</small></p>
      <div data-part="pairs"></div></section></div>`
        : ""
    }
  </div>`;

/** The handle that rotates the line. */
function directionHandle(drawing, state, asks) {
  const angleOf = ([x, y]) => hundredth((180 * Math.atan2(y, x)) / Math.PI);
  const direction = () => [Math.cos, Math.sin].map((of) => of((state.angle * Math.PI) / 180));
  const within = (angle) => Math.min(180, Math.max(-180, angle));
  return handle(drawing, state, {
    name: "direction u of the line",
    mark: "u",
    className: "kx-p0",
    get: () => direction().map((v) => 0.75 * HALF[asks] * v),
    move: (point) => (state.angle = angleOf(point)),
    step: ([across, up]) => (state.angle = hundredth(within(state.angle + 20 * (across + up)))),
    said: () => ({
      "aria-valuemin": -180,
      "aria-valuemax": 180,
      "aria-valuenow": state.angle,
      "aria-valuetext": `${text(state.angle, 0)} degrees`,
    }),
  });
}

/** Return a function that draws the variances along two axes as a rectangle. */
function varianceFrames({ hung, always, fixed, line }, { at, unit, n }) {
  const segment = (u, v) => `M${at(u)}L${at(v)}`;
  return ({ onAxes, kept, lost, best, least }) => {
    const [a, b, most, fewest, all] = [kept, lost, kept + lost - least, least, kept + lost].map(
      (sum) => 2 * Math.sqrt(sum / n),
    );
    const round = (across, up) =>
      `M${-across} 0A${across} ${up} 0 1 0 ${across} 0A${across} ${up} 0 1 0 ${-across} 0z`;
    const corners = [a, -a].flatMap((x) => (x > 0 ? [b, -b] : [-b, b]).map((y) => [x, y]));
    setAttributes(hung, { d: `M${corners.map((corner) => at(onAxes(corner))).join("L")}z` });
    const axes =
      segment(onAxes([-a, 0]), onAxes([a, 0])) + segment(onAxes([0, -b]), onAxes([0, b]));
    setAttributes(line, { d: axes });
    setAttributes(always, { d: round(tenth(unit * all), tenth(unit * all)) });
    const transform = `rotate(${tenth(-best)})`;
    setAttributes(fixed, { d: round(tenth(unit * most), tenth(unit * fewest)), transform });
  };
}

/** Return a function that draws the projections of points onto the line. */
function projections({ hung, line, feet }, { at, points }) {
  const segment = (u, v) => `M${at(u)}L${at(v)}`;
  return ({ onAxes, scores }) => {
    setAttributes(line, { d: segment(onAxes([-9, 0]), onAxes([9, 0])) });
    const falls = points.map((point, i) => segment(point, onAxes([scores[i][0], 0])));
    setAttributes(hung, { d: falls.join("") });
    setAttributes(feet, { d: scores.map(([u]) => `M${at(onAxes([u, 0]))}h0`).join("") });
  };
}

/** Points, the line that rotates, and what hangs on it; returns a function that draws them. */
function planePanel(host, state, { asks, points }) {
  const height = asks === "axes" ? 300 : 240;
  const unit = (height / 2 - 6) / HALF[asks];
  const label = "Points of the plane, and a line to turn";
  const drawing = plane(host, { width: WIDE, height, unit, label });
  const kinds = ["hung", "always", "fixed", "line", "cloud", "feet"];
  const paths = kinds.map((kind) => {
    const attributes = { class: `kx-${kind}`, "aria-hidden": "true" };
    return [kind, svg(drawing.root, "path", attributes)];
  });
  const layers = Object.fromEntries(paths);
  const at = (point) => drawing.pixel(point).map(tenth).join(" ");
  setAttributes(layers.cloud, { d: points.map((point) => `M${at(point)}h0`).join("") });
  const grip = directionHandle(drawing, state, asks);
  const draw =
    asks === "axes"
      ? varianceFrames(layers, { at, unit, n: points.length })
      : projections(layers, { at, points });
  return (found) => {
    draw(found);
    grip();
  };
}

/**
 * The distances of all pairs on the line against those in the plane; returns a function that draws
 * them.
 */
function pairsPanel(host, { points }) {
  const side = 240;
  const root = svg(host, "svg", {
    viewBox: `0 0 ${WIDE} ${side}`,
    class: "kx-chart",
    role: "img",
    "aria-label": "No dot lies above the diagonal.",
  });
  const pairs = points.flatMap(([x, y], i) =>
    points.slice(0, i).map(([u, v], j) => [i, j, Math.hypot(x - u, y - v)]),
  );
  const unit = (side - 20) / Math.max(...pairs.map(([, , d]) => d));
  const [left, ground] = [(WIDE - side) / 2, side - 4];
  svg(root, "path", { d: `M${left} 4V${ground}H${WIDE - left}`, class: "kx-rule" });
  svg(root, "path", { d: `M${left} ${ground}L${WIDE - left} 4`, class: "kx-equal" });
  const dots = svg(root, "path", { class: "kx-dots" });
  return ({ scores }) => {
    const place = ([i, j, d]) =>
      `M${tenth(left + unit * d)} ` +
      `${tenth(ground - unit * Math.abs(scores[i][0] - scores[j][0]))}h0`;
    setAttributes(dots, { d: pairs.map(place).join("") });
  };
}

function render({ model, el }) {
  const [asks, points] = [model.get("asks"), model.get("points")];
  const part = openPage(el, pageOf(asks), "rotation");
  const state = {};
  listenToButtons(el, state, { turn: [() => (state.angle = hundredth(state.result.best))] });
  return bindState(state, {
    model,
    el,
    fits: { angle: (angle) => areNumbers([angle], 1, -180, 180) },
    result: () => along(points, state.angle),
    panels: [
      planePanel(part("plane"), state, { asks, points }),
      ...(asks === "shadow" ? [pairsPanel(part("pairs"), { points })] : []),
    ],
    words: () => turnSays(asks, state.result, points.length),
  });
}

export default { render, unlinked: ["asks", "points"] };
