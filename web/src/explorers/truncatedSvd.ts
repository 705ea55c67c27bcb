// The truncated singular value decomposition of a matrix.

import { buttonGroup, listenToButtons } from "../ui/buttons.ts";
import { chart, tick } from "../ui/charts.ts";
import { range } from "../ui/controls.ts";
import { makeGrabbable } from "../ui/handles.ts";
import type { Explorer, Panel, RenderProps, Validators } from "../ui/state.ts";
import { createExplorer, traitsNamed, writeExplorerHtml } from "../ui/state.ts";
import { hatching, setAttributes, svg, svgPaths } from "../ui/svg.ts";
import { tenth } from "../ui/text.ts";
import { isListOf, isOneOf, isWhole } from "../ui/validators.ts";
import { partOf } from "../ui/verdict.ts";
import type { Result, State, Terms } from "./truncatedSvdModel.ts";
import { barText, decompose, indicesKeptBy, rankVerdict, resultOf } from "./truncatedSvdModel.ts";

type Bar = { value: number; ground: number; unit: number }; // the last two in pixels
type TermsOf = Record<State["matrix"], Terms>;

const [WIDTH, HEIGHT, GROUND] = [340, 142, 118];
// Bars are linear up to about a tenth and logarithmic beyond.
const heightOf = (value: number) => Math.log10(1 + 10 * Math.abs(value));
/** Return the left edge of a bar. The first bars are the widest, so that they are easy to touch. */
const edgeOf = (r: number, n: number) => (WIDTH * (Math.sqrt(r + 1) - 1)) / (Math.sqrt(n + 1) - 1);

/** Return 16 shades of grey as a data URL, which is shown until a script draws. */
function bitmap(shades: Uint8ClampedArray, width: number, height: number) {
  const head = [0x4d42, 0, 0, 0, 0, 118, 0, 40, 0, width, 0, height, 0, 1, 4, ...Array(12).fill(0)];
  const bytes = head.flatMap((word) => [word & 255, word >> 8]);
  for (let grey = 0; grey < 16; grey++) bytes.push(17 * grey, 17 * grey, 17 * grey, 0);
  const greyAt = (i: number, c: number) => (c < width ? shades[i * width + c] >> 4 : 0);
  for (let i = height - 1; i >= 0; i--) {
    for (let c = 0; c < 8 * Math.ceil(width / 8); c += 2)
      bytes.push(16 * greyAt(i, c) + greyAt(i, c + 1));
  }
  return `url(data:image/bmp;base64,${btoa(String.fromCharCode(...bytes))})`;
}

/** Append a canvas for the approximation; the Gram matrix, which is smaller, is in the middle. */
function imagePanel(host: Element, width: number, height: number) {
  const canvas = host.appendChild(document.createElement("canvas"));
  setAttributes(canvas, { width, height, role: "img" });
  const pen = canvas.getContext?.("2d");
  return ({ p, exact }: Terms, { approximation, rank }: Result) => {
    const shades = Uint8ClampedArray.from(approximation, (shade) => 255 * shade);
    const name = exact ? "the estimated Gram matrix" : "the photograph";
    setAttributes(canvas, { "aria-label": `Approximation of ${name} by a sum of ${rank} terms.` });
    if (!pen) {
      canvas.style.backgroundImage = bitmap(shades, p, height);
      return;
    }
    const image = pen.createImageData(p, height);
    for (let at = 0; at < image.data.length; at++)
      image.data[at] = at % 4 === 3 ? 255 : shades[at >> 2];
    pen.clearRect(0, 0, width, height);
    pen.putImageData(image, (width - p) >> 1, 0);
  };
}

const LOOKS = ["kx-bar-kept", "kx-bar-rest", "kx-minus-kept", "kx-bar-minus"];
function barsDrawing(host: Element, n: number) {
  const root = chart(host, WIDTH, HEIGHT, {
    class: "kx-chart kx-paint",
    role: "slider",
    tabindex: 0,
    "aria-valuemin": 1,
    "aria-valuemax": n,
    "aria-label": "bar; the space bar keeps or omits its term",
  });
  for (const index of [1, 2, 4, 8, 16, 32, 64].filter((one) => one <= n)) {
    const x = tenth((edgeOf(index - 1, n) + edgeOf(index, n)) / 2);
    tick(root, index, [x, HEIGHT - 5]);
  }
  return root;
}

function barPath(r: number, n: number, { value, ground, unit }: Bar) {
  const [from, to] = [edgeOf(r, n), edgeOf(r + 1, n)];
  const inset = Math.min(1, 0.12 * (to - from));
  const size = tenth(-Math.sign(value) * unit * heightOf(value));
  const across = to - from - 2 * inset;
  return `M${tenth(from + inset)} ${ground}h${tenth(across)}v${size}h${tenth(-across)}z`;
}

/** Draw grid lines with their values. */
function drawRules(rules: Element, largest: number, yOf: (value: number) => number) {
  rules.replaceChildren();
  for (const value of [0.1, 1, 10].filter((one) => one < largest)) {
    const y = yOf(value);
    svg(rules, "line", { x1: 0, x2: WIDTH - 20, y1: y, y2: y, class: "kx-rule" });
    tick(rules, value, [WIDTH, y], "end");
  }
}

/** Append the spectrum, whose bars the reader keeps or omits. */
function barsPanel(host: Element, state: State, explorer: Explorer, n: number): Panel<Result> {
  const root = barsDrawing(host, n);
  const hatch = hatching(root, "rank");
  const rules = svg(root, "g");
  const paths = svgPaths(root, LOOKS);
  const lines = svg(root, "path", { fill: hatch });
  const axis = svg(root, "line", { x1: 0, x2: WIDTH, class: "kx-axis" });
  const mark = svg(root, "path", { class: "kx-here" });
  listenToBars(root, state, explorer, n);
  return ({ values, kept }) => {
    const [high, low] = [Math.max(...values), -Math.min(0, ...values)].map(heightOf);
    const unit = (GROUND - 6) / (high + low);
    const ground = tenth(6 + unit * high);
    const isKept = new Set(kept);
    const draw = (path: Element, test: (minus: boolean, on: boolean) => boolean) => {
      const bars = values.map((value, r) =>
        test(value < 0, isKept.has(r)) ? barPath(r, n, { value, ground, unit }) : "",
      );
      setAttributes(path, { d: bars.join("") });
    };
    for (const [kind, path] of paths.entries())
      draw(path, (minus, on) => kind === 2 * Number(minus) + Number(!on));
    draw(lines, (minus) => minus);
    setAttributes(axis, { y1: ground, y2: ground });
    drawRules(rules, values[0], (value) => tenth(ground - unit * heightOf(value)));
    const { chosen, matrix } = state;
    const middle = tenth((edgeOf(chosen, n) + edgeOf(chosen + 1, n)) / 2);
    setAttributes(mark, { d: `M${middle} ${GROUND + 1}l4 7h-8z` });
    const words = barText(values, chosen, isKept.has(chosen), matrix === "gram");
    setAttributes(root, { "aria-valuenow": chosen + 1, "aria-valuetext": words });
  };
}

/** Follow taps, drags and keys: all bars on the way are kept or omitted like the first. */
function listenToBars(root: SVGElement, state: State, explorer: Explorer, n: number) {
  const barAt = (event: PointerEvent) => {
    const box = root.getBoundingClientRect();
    const place = ((event.clientX - box.left) / box.width) * (Math.sqrt(n + 1) - 1) + 1;
    return Math.max(0, Math.min(n - 1, Math.floor(place * place - 1)));
  };
  const keep = (from: number, to: number, isKept: boolean) => {
    const [low, high] = [Math.min(from, to), Math.max(from, to)];
    const others = state.kept.filter((r) => r < low || r > high);
    const between = Array.from({ length: high - low + 1 }, (_, i) => low + i);
    state.kept = (isKept ? [...others, ...between] : others).sort((a, b) => a - b);
    state.chosen = to;
    explorer.drawInNextFrame();
  };
  const arrows = { ArrowLeft: [-1], ArrowDown: [-1], ArrowRight: [1], ArrowUp: [1] };
  makeGrabbable(root, {
    grab(event) {
      const { kept, chosen } = state;
      const first = barAt(event);
      keep(first, first, !kept.includes(first));
      return { kept, chosen, isKept: !kept.includes(first) };
    },
    move: (event, { isKept }) => keep(state.chosen, barAt(event), isKept),
    keys: { ...arrows, PageDown: [-10], PageUp: [10], Home: [-n], End: [n], " ": [], Enter: [] },
    step([by]) {
      const { kept, chosen } = state;
      if (by === undefined) return keep(chosen, chosen, !kept.includes(chosen));
      state.chosen = Math.max(0, Math.min(n - 1, chosen + by));
      explorer.drawInNextFrame();
    },
    release: () => explorer.save(),
    cancel: ({ kept, chosen }) => Object.assign(state, { kept, chosen }),
  });
}

const MATRICES = { image: "photograph", gram: "estimated Gram matrix" };
const RULES = { absolute: "largest absolute values", positive: "largest positive" };
const HTML = `
  <div class="kx-columns">
    <div class="kx-column"><section class="kx-always kx-above-verdict">
      <p class="kx-title" data-part="what"></p><div data-part="picture"></div>
      <div class="kx-bar">${buttonGroup("Matrix", "matrix", MATRICES)}</div></section></div>
    <div class="kx-column"><section class="kx-always">
      <p class="kx-title"><span data-part="of"></span>
        <small class="kx-control">tap a bar, or drag across bars</small></p>
      <div data-part="bars"></div>
      <p class="kx-key"><span class="kx-kept-key">kept</span>
        <span class="kx-discarded-key">omitted</span>
        <span class="kx-negative-key">negative</span><b data-part="bar"></b></p></section>
      <section class="kx-always kx-control"><div class="kx-bar">${buttonGroup("Keep", "rule", RULES, "modes")}</div>
      <div data-part="count"></div></section></div>
  </div>`;

function controlPanel(el: Element, state: State, explorer: Explorer, data: TermsOf, host: Element) {
  const chosenBy = (rule: string, count: number) =>
    indicesKeptBy(rule, count, data[state.matrix].values);
  const applyRule = (rule: string, count = Math.max(1, state.kept.length)) =>
    Object.assign(state, { kept: chosenBy(rule, count), rule });
  const showMatrix = (matrix: string) => {
    [state.matrix, state.chosen] = [matrix as State["matrix"], 0];
    applyRule("absolute");
  };
  const isKept = (rule: string) => String(state.kept) === String(chosenBy(rule, state.kept.length));
  const showButtons = listenToButtons(el, explorer, {
    matrix: [showMatrix, (name) => name === state.matrix],
    rule: [
      (rule) => applyRule(rule),
      (rule) => (rule === "absolute" || state.matrix === "gram") && isKept(rule),
    ],
  });
  const setSlider = range(host, explorer, {
    name: "k",
    ends: [1, data.image.n, 1],
    words: String,
    input: (k) => applyRule(state.rule, k),
  });
  const positive = partOf<HTMLButtonElement>(el, '[data-rule="positive"]');
  return ({ kept }: Result) => {
    showButtons();
    positive.disabled = state.matrix === "image";
    setSlider(kept.length);
  };
}

const validatorsFor = (n: number): Validators<State> => ({
  matrix: isOneOf(...Object.keys(MATRICES)),
  rule: isOneOf(...Object.keys(RULES)),
  kept: (list) =>
    Array.isArray(list) &&
    isListOf(isWhole(0, n - 1), 0, n)(list) &&
    list.every((r, i) => i === 0 || r > list[i - 1]),
  chosen: isWhole(0, n - 1),
});

function render({ model, el }: RenderProps) {
  const part = writeExplorerHtml(el, HTML, "truncated-svd");
  const data: TermsOf = decompose(traitsNamed(model, ["pixels", "observed", "shape"]));
  const { n, p } = data.image;
  const drawImage = imagePanel(part("picture"), p, n);
  const titles = (result: Result) => {
    const isGram = state.matrix === "gram";
    const size = isGram ? `${n} × ${n} entries` : `${n} × ${p} pixels`;
    part("what").textContent = `Approximation, ${size}`;
    part("of").textContent = isGram ? "Eigenvalues by absolute value" : "Singular values";
    const isKept = result.kept.includes(state.chosen);
    part("bar").textContent = barText(result.values, state.chosen, isKept, isGram);
  };
  const [state, explorer] = createExplorer<State, Result>({
    model,
    el,
    validators: validatorsFor(n),
    unsavedFields: {},
    result: ({ matrix, kept }) => resultOf(data[matrix], kept),
    hint: "Tap a bar to omit or keep its term, or move the slider.",
    verdict: (result, { matrix }) => rankVerdict(result, data[matrix]),
  });
  return explorer.start([
    (result) => drawImage(data[state.matrix], result),
    barsPanel(part("bars"), state, explorer, n),
    controlPanel(el, state, explorer, data, part("count")),
    titles,
  ]);
}

export default { render, linksOmit: ["pixels", "observed", "shape"] };
