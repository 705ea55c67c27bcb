// Save the map as a drawing, its points and the table as CSV, and a notebook.

import type { Point } from "../../core/matrix.ts";
import { setAttributes, svg } from "../../ui/svg.ts";
import type { Laboratory } from "../laboratory.ts";
import type { Groups } from "../map/columns.ts";
import type { InteractiveMap } from "../map/mapDrawing.ts";
import { pointsCsv, tableCsv } from "./csv.ts";
import { notebookOf } from "./pythonCode.ts";

const WRITTEN = (
  "fill stroke stroke-width stroke-dasharray stroke-linecap opacity font-size font-family " +
  "text-anchor dominant-baseline paint-order"
).split(" ");

/** Return the rules for the fonts of a drawing, with the font files as data. */
async function fontsOf(root: Element) {
  const [family] = getComputedStyle(root).fontFamily.split(",");
  const marks = [...root.textContent].map((mark) => mark.codePointAt(0) ?? 0);
  const covers = (range: string) => {
    const [first, last] = range.replace(/u\+/i, "").split("-");
    return marks.some((mark) => mark >= parseInt(first, 16) && mark <= parseInt(last ?? first, 16));
  };
  const needed = ({ style }: CSSFontFaceRule) =>
    style.fontFamily?.replace(/["']/g, "") === family.replace(/["']/g, "").trim() &&
    style.fontStyle !== "italic" &&
    !(parseInt(style.fontWeight, 10) > 500) &&
    (style.getPropertyValue("unicode-range") || "U+0-10FFFF")
      .split(",")
      .some((range) => covers(range.trim()));
  const faces = [...document.styleSheets].flatMap((sheet) =>
    [...sheet.cssRules]
      .filter((rule) => rule instanceof CSSFontFaceRule && needed(rule))
      .map(({ cssText }) => [cssText, sheet.href ?? location.href]),
  );
  const embedded = faces.map(async ([cssText, base]) => {
    const found = cssText.match(/url\("?([^")]+)"?\)/);
    if (!found) return cssText;
    const [source, address] = found;
    const font = await (await fetch(new URL(address, base))).blob();
    return cssText.replace(source, `url(${await dataAddress(font)})`);
  });
  return (await Promise.all(embedded)).join("");
}

const dataAddress = (blob: Blob) =>
  new Promise((done, failed) => {
    const reader = Object.assign(new FileReader(), {
      onload: () => done(reader.result),
      onerror: failed,
    });
    reader.readAsDataURL(blob);
  });

const penOf = (canvas: HTMLCanvasElement) => canvas.getContext("2d") as CanvasRenderingContext2D;

/** Write a colour as rgb(), which old programs read; return other values unchanged. */
function plainColour(words: string) {
  if (!/^(color|oklab|lab|oklch|lch)\(/.test(words)) return words;
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const pen = penOf(canvas);
  pen.fillStyle = words;
  pen.fillRect(0, 0, 1, 1);
  const [red, green, blue] = pen.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}

/** Draw groups with their marks in rows below a drawing; return the height of these rows. */
function drawLegend(
  root: Element,
  { names, markOf }: Groups,
  [width, top]: Point,
  long: (words: string) => number,
): number {
  let [x, y] = [16, top + 16];
  const layer = svg(root, "g");
  names.forEach((name, g) => {
    const reach = 14 + long(name);
    if (x > 16 && x + reach > width - 12) [x, y] = [16, y + 20];
    const mark = svg(svg(layer, "g", { class: "kl-points" }), "path", markOf(g));
    setAttributes(mark, { transform: `translate(${x} ${y})` });
    svg(layer, "text", { x: x + 12, y, "dominant-baseline": "central" }).textContent = name;
    x += reach + 18;
  });
  return names.length ? y + 16 - top : 0;
}

function measure({ fontSize, fontFamily }: CSSStyleDeclaration) {
  const pen = penOf(document.createElement("canvas"));
  pen.font = `${fontSize} ${fontFamily}`;
  return (words: string) => pen.measureText(words).width;
}

/** Return the result of a task that is run in the light theme. */
function inLight<R>(task: () => R) {
  const { dataset } = document.documentElement;
  const { theme } = dataset;
  dataset.theme = "light";
  const result = task();
  if (theme === undefined) delete dataset.theme;
  else dataset.theme = theme;
  return result;
}

/** Return the map as a drawing with full names, a legend, and its own styles and fonts. */
async function standaloneDrawing(el: HTMLElement, view: InteractiveMap, groups: Groups) {
  const host = el.appendChild(document.createElement("div"));
  host.setAttribute("aria-hidden", "true");
  host.style.cssText = "position: absolute; left: -9999px; top: 0";
  const long = measure(getComputedStyle(view.root));
  const { root, size } = view.copy(host, (words) => Math.ceil(long(words) / 6));
  const [width, top] = size;
  const height = top + drawLegend(root, groups, size, long);
  const all = [...root.querySelectorAll("*")];
  const styleOf = (element: Element) => {
    const style = getComputedStyle(element);
    return WRITTEN.map((name) => [name, plainColour(style.getPropertyValue(name))]);
  };
  const [styles, fill] = inLight(() => [all.map(styleOf), getComputedStyle(root).backgroundColor]);
  const fonts = await fontsOf(root).catch(() => "");
  host.remove();
  all.forEach((element, i) => setAttributes(element, Object.fromEntries(styles[i])));
  const box = { viewBox: `0 0 ${width} ${height}`, width, height };
  setAttributes(root, { ...box, xmlns: "http://www.w3.org/2000/svg" });
  root.insertBefore(svg(root, "rect", { width, height, fill }), root.firstChild);
  root.insertBefore(svg(root, "style"), root.firstChild).textContent = fonts;
  return new XMLSerializer().serializeToString(root);
}

function download(name: string, type: string, parts: BlobPart[]): void {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob(parts, { type }));
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

/** The chunk of a PNG that sets 300 dots per inch; it follows the 33 bytes of the header. */
const PNG_RESOLUTION = [
  0, 0, 0, 9, 112, 72, 89, 115, 0, 0, 46, 35, 0, 0, 46, 35, 1, 120, 165, 63, 118,
];

/** Save a PNG with 300 dots per inch; the page has 96. */
async function savePng(drawing: string) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}`;
  await image.decode();
  const [width, height] = [image.width, image.height].map((side) => Math.round((300 / 96) * side));
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  penOf(canvas).drawImage(image, 0, 0, width, height);
  const png = await new Promise<Blob>((done) => canvas.toBlob(done as BlobCallback));
  const parts = [png.slice(0, 33), Uint8Array.from(PNG_RESOLUTION), png.slice(33)];
  download("map.png", "image/png", parts);
}

export async function saveAs(lab: Laboratory, kind: string | null) {
  const { parsed } = lab.data;
  const { fit, shown, view, groups } = lab.map;
  if (!fit || !shown) return;
  if (kind === "points")
    return download("points.csv", "text/csv", [pointsCsv(fit, parsed.names, shown)]);
  if (kind === "table") return download("table.csv", "text/csv", [tableCsv(parsed, fit.choices)]);
  if (kind === "notebook") {
    const notebook = notebookOf(tableCsv(parsed, fit.choices), lab.code(), lab.library);
    return download("map.ipynb", "application/json", [notebook]);
  }
  const drawing = await standaloneDrawing(lab.page.el, view, groups);
  return kind === "png" ? savePng(drawing) : download("map.svg", "image/svg+xml", [drawing]);
}
