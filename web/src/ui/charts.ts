// Parts of charts: grid lines, marks and bars.

import type { Matrix, Point } from "../core/matrix.ts";
import { countSigns } from "../core/spectrum.ts";
import { appendText, hatching, setAttributes, svg } from "./svg.ts";
import { tenth, text } from "./text.ts";

/** Returns the place of a value in a chart. */
export type Scale = (value: number) => number;

/** Append the drawing of a chart, whose size is in its own units; `more` are its attributes. */
export const chart = (host: Element, width: number, height: number, more?: object): SVGSVGElement =>
  svg(host, "svg", { viewBox: `0 0 ${width} ${height}`, class: "kx-chart", role: "img", ...more });

/** Append a drawing with a frame and the origin in the middle, or `above` units below the top. */
export const framedChart = (host: Element, width: number, height: number, above = height / 2) =>
  chart(host, width, height, {
    viewBox: `${-width / 2} ${-above} ${width} ${height}`,
    class: "kx-chart kx-frame",
  });

export function mapFrame(host: Element, width: number, height: number): SVGSVGElement {
  const root = framedChart(host, width, height);
  const axes = `M${-width / 2} 0h${width}M0 ${-height / 2}v${height}`;
  svg(root, "path", { d: axes, class: "kx-rule" });
  return root;
}

/** Append a number or a name to an axis. */
export const tick = (root: Element, words: string | number, [x, y]: Point, anchor = "middle") =>
  appendText(root, words, { x, y, class: "kx-tick", "text-anchor": anchor });

/** Draw the lines and numbers of an axis. */
export function gridLines(
  root: Element,
  values: number[],
  line: (value: number) => object, // returns the attributes of a line
  label: (value: number) => [Point, string?], // returns its place and its anchor
) {
  for (const value of values) {
    svg(root, "line", { ...line(value), class: value === 0 ? "kx-axis" : "kx-rule" });
    tick(root, text(value, 0), ...label(value));
  }
}

/** Return two to five ticks of one digit, up to `end`. */
export function ticksTo(end: number) {
  const power = 10 ** Math.floor(Math.log10(end));
  const step = [0.2, 0.5, 1].map((s) => s * power).find((s) => end / s <= 5) ?? 2 * power;
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, i) =>
    Number((i * step).toPrecision(2)),
  );
}

// Circle, square and triangle: groups differ by shape and colour.
const MARKS = ["M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0", "M-4.5-4.5h9v9h-9z", "M0-6l5.7 10h-11.4z"];

/** Return a function that draws marks of objects in a layer; `grab(mark)` makes them movable. */
export function marks(layer: Element, grab?: (mark: SVGElement) => void) {
  let drawn: { mark: SVGElement; shape: SVGElement }[] = [];
  return (pixels: Point[], groups: number[]) => {
    if (drawn.length !== pixels.length) {
      layer.replaceChildren();
      drawn = pixels.map(() => {
        const mark = svg(layer, "g");
        grab?.(mark);
        return { mark, shape: svg(mark, "path") };
      });
    }
    drawn.forEach(({ mark, shape }, i) => {
      const group = groups[i] % 3;
      const transform = `translate(${pixels[i].map(tenth).join(" ")})`;
      setAttributes(mark, { class: `kx-data kx-colour-${group}`, transform });
      setAttributes(shape, { d: MARKS[group] });
    });
  };
}

/** Append the names of groups, with their marks, to a key. */
export function addGroupKey(key: Element, names: string[]) {
  names.forEach((name, i) => {
    const entry = key.appendChild(document.createElement("span"));
    setAttributes(entry, { class: `kx-group-key kx-colour-${i}`, "data-mark": "●■▲"[i] });
    entry.textContent = name;
  });
}

/** Append eigenvalues as bars, where `kind(r, value)` is the class of bar r. */
export function spectrumPanel(host: Element) {
  const root = chart(host, 340, 120);
  const hatch = hatching(root, "spectrum");
  const bars = svg(root, "g");
  const axis = svg(root, "line", { x1: 0, x2: 340, class: "kx-axis" });
  return (values: Matrix, name: string, kind: (r: number, value: number) => string, scale = 0) => {
    const { zero } = countSigns(values, scale);
    const [high, low] = [Math.max(0, values[0]), Math.max(0, -values[values.length - 1])];
    const unit = 112 / (high + low || 1);
    const ground = 4 + unit * high;
    const width = 340 / values.length;
    bars.replaceChildren();
    values.forEach((value, r) => {
      if (Math.abs(value) <= zero) return;
      const height = Math.max(1.5, unit * Math.abs(value));
      const place = {
        x: r * width + 0.12 * width,
        y: value > 0 ? ground - height : ground,
        width: 0.76 * width,
        height,
      };
      svg(bars, "rect", { ...place, class: kind(r, value) });
      if (value < 0) svg(bars, "rect", { ...place, fill: hatch });
    });
    setAttributes(axis, { y1: ground, y2: ground });
    const ends = [values[0], values[values.length - 1]].map((v) => text(v, 3));
    setAttributes(root, {
      "aria-label": `${values.length} eigenvalues of ${name}, from ${ends.join(" down to ")}.`,
    });
  };
}
