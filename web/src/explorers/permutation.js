// A two-sample test by permutations.

import { largestModulus, sumOf } from "../core/matrix.js";
import { buttonGroup, choosing, listenToButtons } from "../ui/buttons.js";
import { slider } from "../ui/controls.js";
import { draggablePoints, handle } from "../ui/handles.js";
import { plane } from "../ui/plane.js";
import { bindState, openPage, RESET } from "../ui/state.js";
import { setAttributes, svg } from "../ui/svg.js";
import { capital, hundredth, POWERS, setText, tenth, text } from "../ui/text.js";
import { areNumbers, isLike, isListOf, isOneOf, isWhole, isWithin } from "../ui/validators.js";
import { VERDICT } from "../ui/verdict.js";
import {
  BINS,
  CALLED,
  chanceVerdict,
  DEALS,
  dealsOf,
  GROUND,
  histogram,
  plainSays,
  RIGHT,
  short,
  tested,
} from "./permutationModel.js";

const PLANE = { width: 340, height: 196, unit: 46 };
const KERNELS = { distance: "−distance<sup><i>β</i></sup>", RBF: "RBF" };
const QUESTIONS = { samples: "one law for ● and ○?", pairs: "does <i>x</i> tell of <i>y</i>?" };

/** Points of one sample. */
const sampleOf = ({ points, second }, side) =>
  points.flatMap((_, i) => (second.includes(i) === Boolean(side) ? [i] : []));

/** Where the handle of a sample stands: above the first, below the second. */
function gripOf(state, side, reach) {
  const rows = sampleOf(state, side).map((i) => state.points[i]);
  const x = sumOf(rows, (row) => row[0]) / rows.length;
  const heights = rows.map((row) => row[1]);
  const y = side ? Math.min(...heights) - 0.5 : Math.max(...heights) + 0.5;
  return [x, Math.max(-reach[1], Math.min(reach[1], y))].map(hundredth);
}

/** Move a sample as a whole, as far as the plane holds all of it. */
function movedSample(state, side, step, reach) {
  const own = sampleOf(state, side);
  const clamped = step.map((by, axis) => {
    const values = own.map((i) => state.points[i][axis]);
    return Math.min(
      reach[axis] - Math.max(...values),
      Math.max(-reach[axis] - Math.min(...values), by),
    );
  });
  return state.points.map((row, i) =>
    own.includes(i) ? row.map((v, axis) => hundredth(v + clamped[axis])) : row,
  );
}

/** A handle of each sample, which moves as a whole; returns a function that draws both. */
function samplePanel(drawing, state) {
  const updates = [0, 1].map((side) =>
    handle(drawing, state, {
      name: `sample ${"AB"[side]}, as a whole`,
      mark: "AB"[side],
      className: `kx-all kx-all${side}`,
      get: () => gripOf(state, side, drawing.reach),
      move(to) {
        const from = gripOf(state, side, drawing.reach);
        state.points = movedSample(state, side, [to[0] - from[0], to[1] - from[1]], drawing.reach);
      },
      said() {
        const [least, most] = [-1, 1].map((way) => {
          const far = movedSample(state, side, [way * 2 * drawing.reach[0], 0], drawing.reach);
          return gripOf({ ...state, points: far }, side, drawing.reach)[0];
        });
        return { "aria-valuemin": least, "aria-valuemax": most };
      },
    }),
  );
  return () => updates.forEach((update) => update());
}

/** The points, one of them and both samples to be dragged; returns a function that draws them. */
function pointsPanel(host, state) {
  const drawing = plane(host, { ...PLANE, label: "Points of two samples to drag" });
  const rug = svg(drawing.root, "path", { class: "kx-rug", "aria-hidden": "true" });
  const samples = samplePanel(drawing, state);
  const isSecond = (i) => state.second.includes(i);
  const { spots, place } = draggablePoints(drawing, state.points.length, state, () => ({
    "aria-label":
      `point ${state.chosen + 1} of ${state.points.length}, sample ` +
      `${isSecond(state.chosen) ? "B" : "A"}`,
    class: `kx-handle kx-city${isSecond(state.chosen) ? " kx-open" : ""}`,
  }));
  spots.forEach((spot, i) => spot.classList.toggle("kx-open", isSecond(i)));
  return () => {
    const pixels = state.points.map(drawing.pixel);
    const ticks = pixels.map(
      ([x, y]) => `M${tenth(x)} ${PLANE.height / 2}v-8M${-PLANE.width / 2} ${tenth(y)}h8`,
    );
    setAttributes(rug, { d: state.asks === "pairs" ? ticks.join("") : "" });
    place(pixels);
    samples();
  };
}

/** The deals as a histogram with the observed value in it; returns a function that draws it. */
function histogramPanel(host, state) {
  const root = svg(host, "svg", { viewBox: "0 0 340 116", class: "kx-chart", role: "img" });
  const [weak, strong, one] = ["kx-deal", "kx-deal kx-reached", "kx-shown"].map((name) =>
    svg(root, "path", { class: name }),
  );
  const axis = svg(root, "path", { class: "kx-axis", d: `M10 ${GROUND}H${RIGHT}` });
  const mark = svg(root, "path", { class: "kx-observed" });
  const [words, zero, most] = [0, 1, 2].map(() => svg(root, "text", { class: "kx-tick" }));
  setAttributes(zero, { x: 10, y: GROUND + 12, "text-anchor": "middle" });
  zero.textContent = "0";
  setAttributes(most, { x: RIGHT, y: GROUND + 12, "text-anchor": "end" });
  setAttributes(words, { y: 8 });
  axis.after(mark);
  return (found) => {
    const { top, all, strong: above } = histogram(found);
    const [wide, unit] = [(RIGHT - 10) / BINS, 70 / largestModulus(all)];
    const place = (value) => tenth(10 + ((RIGHT - 10) * value) / top);
    const bar = (from, to, at) => {
      if (!(to > from)) return "";
      const height = unit * (to - from);
      const start = `M${tenth(10 + at * wide)} ${tenth(GROUND - unit * from)}`;
      return `${start}v${tenth(-height)}h${tenth(0.86 * wide)}v${tenth(height)}z`;
    };
    setAttributes(weak, { d: Array.from(all, (count, at) => bar(above[at], count, at)).join("") });
    setAttributes(strong, { d: Array.from(all, (_, at) => bar(0, above[at], at)).join("") });
    const x = place(Math.max(0, found.observed));
    setAttributes(mark, { d: `M${x} ${GROUND + 4}V14` });
    const right = x > 200;
    setAttributes(words, { x: x + (right ? 5 : -5), "text-anchor": right ? "end" : "start" });
    words.textContent = `the data: ${short(found.observed)}`;
    most.textContent = short(top);
    const dealt = Math.max(0, found.dealt[state.deal]);
    setAttributes(one, { d: `M${place(dealt)} ${GROUND + 2}l-5 8h10z` });
    const ends = [Math.min(...found.dealt), Math.max(...found.dealt)].map(short);
    setAttributes(root, {
      "aria-label":
        `Histogram of ${found.dealt.length} deals, from ${ends.join(" to ")}; the ` +
        `data have ${short(found.observed)}.`,
    });
  };
}

/** One deal: the points with labels or partners dealt; returns a function that draws it. */
function dealPanel(host, state, deals, words) {
  const [width, height, unit] = [340, 132, 30];
  const root = svg(host, "svg", {
    viewBox: `${-width / 2} ${-height / 2} ${width} ${height}`,
    class: "kx-chart kx-frame",
    role: "img",
  });
  const [full, open] = ["kx-full", "kx-hollow"].map((name) => svg(root, "path", { class: name }));
  return ({ dealt, n }) => {
    const order = deals[state.deal];
    const { points, second, asks } = state;
    const taken = second.map((i) => (asks === "samples" ? order[i] : i));
    const at = (i) => (asks === "samples" ? points[i] : [points[i][0], points[order[i]][1]]);
    const ring = (i) =>
      `M${tenth(unit * at(i)[0] - 3.4)} ${tenth(-unit * at(i)[1])}a3.4 3.4 0 1 0 6.8 0a3.4 ` +
      "3.4 0 1 0-6.8 0";
    const all = Array.from({ length: n }, (_, i) => i);
    setAttributes(full, {
      d: all
        .filter((i) => !taken.includes(i))
        .map(ring)
        .join(""),
    });
    setAttributes(open, { d: taken.map(ring).join("") });
    const kept = asks === "samples" ? "labels dealt anew" : "each x with another y";
    words.textContent =
      `deal ${state.deal + 1} of ${deals.length}, ${kept}: ` + `${short(dealt[state.deal])}`;
    setAttributes(root, { "aria-label": `The points, ${kept}.` });
  };
}

/** The parts of the value, axis by axis; returns a function that draws them. */
function partsPanel(host, note) {
  const root = svg(host, "svg", { viewBox: "0 0 340 84", class: "kx-chart", role: "img" });
  const bars = svg(root, "path", { class: "kx-part" });
  svg(root, "path", { class: "kx-axis", d: "M0 80H340" });
  return ({ parts, observed, n }) => {
    const most = observed < 1e-12 ? 0 : Math.max(...parts);
    const wide = 340 / n;
    const height = (part) => (most > 0 ? tenth((74 * Math.max(0, part)) / most) : 0);
    setAttributes(bars, {
      d: parts
        .map((part, r) =>
          height(part)
            ? `M${tenth((r + 0.12) * wide)} ` +
              `80v${-height(part)}h${tenth(0.76 * wide)}v${height(part)}z`
            : "",
        )
        .join(""),
    });
    const share = (of) => text((100 * sumOf(of, (part) => part)) / observed, 0);
    const sees =
      `Axis ${1 + parts.indexOf(most)} of ${n} sees most, ${share([most])} % of the ` +
      `value; axes 1 and 2 see ${share(parts.slice(0, 2))} %.`;
    note.textContent = observed < 1e-12 ? `The value is 0: none of ${n} axes sees anything.` : sees;
    setAttributes(root, { "aria-label": `Parts of ${n} axes. ${note.textContent}` });
  };
}

const PRESET_NAMES = { same: "nothing", shift: "shifted", wide: "wider", cross: "crossed" };

const PAGE = `
  <p class="kx-question">Could chance have dealt these points like this?</p>
  <div class="kx-bar kx-flow">${buttonGroup("Question", "asks", QUESTIONS, "modes")}</div>
  <div class="kx-bar kx-flow">${buttonGroup("Points", "preset", PRESET_NAMES, "samples")}</div>
  ${VERDICT}
  <div class="kx-columns">
    <div class="kx-column">
      <section style="--order:1"><p class="kx-title">Points <small
        class="kx-control">drag one, or all of A or B</small></p>
        <div data-part="points"></div><p class="kx-note" data-part="plain"></p></section>
      <section class="kx-control" style="--order:3"><div data-part="exponent"></div><div
        data-part="theta"></div>
        <div class="kx-bar kx-flow">${buttonGroup("Kernel", "kernel", KERNELS, "modes")}<button
          type="button" class="kx-action" data-next>next point</button>${RESET}</div></section>
    </div>
    <div class="kx-column">
      <section style="--order:2"><p class="kx-title"><span data-part="called"></span> <small>of
        ${DEALS} deals</small></p>
        <div data-part="histogram"></div></section>
      <section style="--order:4"><p class="kx-title">One deal <button type="button"
        class="kx-action kx-control" data-deal>deal again</button></p>
        <div data-part="deal"></div><p class="kx-note" data-part="dealt"></p></section>
      <section style="--order:5"><p class="kx-title">Which axes of <i>HKH</i> see it</p>
        <div data-part="parts"></div><p class="kx-note" data-part="share"></p></section>
    </div>
  </div>`;

/** Both sliders, of which one is shown; returns a function that sets them. */
function sliderPanel(part, state) {
  const kinds = {
    exponent: { name: "β", least: 0.1, most: 2, step: 0.05, to: hundredth },
    theta: { name: "θ", least: -3, most: 2, step: 0.05, ...POWERS },
  };
  const sliders = Object.entries(kinds).map(([trait, look]) =>
    slider(part(trait), state, trait, look),
  );
  return () => {
    sliders.forEach((show) => show());
    for (const trait of Object.keys(kinds)) {
      part(trait).style.display = (trait === "theta") === (state.kernel === "RBF") ? "" : "none";
    }
  };
}

/** The buttons; returns a function that shows which are on. */
function buttonPanel(el, state, presets) {
  return listenToButtons(el, state, {
    asks: choosing(state, "asks"),
    kernel: choosing(state, "kernel"),
    preset: [
      (name) => (state.points = structuredClone(presets[name])),
      (name) => isLike(state, { points: presets[name] }),
    ],
    next: [() => (state.chosen = (state.chosen + 1) % state.points.length)],
    deal: [() => (state.deal = (state.deal + 1) % DEALS)],
  });
}

/** What the traits may be, for n points. */
const fitsFor = (n) => ({
  points: isListOf(isWithin([3.4, 1.83]), n, n),
  chosen: isWhole(0, n - 1),
  asks: isOneOf(...Object.keys(QUESTIONS)),
  kernel: isOneOf(...Object.keys(KERNELS)),
  exponent: (value) => areNumbers([value], 1, 0.1, 2),
  theta: (value) => areNumbers([value], 1, 1e-3, 100),
  deal: isWhole(0, DEALS - 1),
});

function render({ model, el }) {
  const part = openPage(el, PAGE, "permutation");
  const second = model.get("second");
  const state = { second, points: model.get("start").points };
  const deals = dealsOf(state.points.length);
  const titles = () => {
    part("called").textContent = capital(CALLED[state.asks][state.kernel]);
    setText(part("plain"), plainSays(state));
    el.classList.toggle("kx-from-product", state.kernel === "RBF");
  };
  return bindState(state, {
    model,
    el,
    fits: fitsFor(state.points.length),
    result: () => tested(state, deals),
    panels: [
      pointsPanel(part("points"), state),
      histogramPanel(part("histogram"), state),
      dealPanel(part("deal"), state, deals, part("dealt")),
      partsPanel(part("parts"), part("share")),
      sliderPanel(part, state),
      buttonPanel(el, state, model.get("presets")),
      titles,
    ],
    words: () => chanceVerdict(state.result, state),
  });
}

export default { render, unlinked: ["presets", "second"] };
