// Charts beside the map.

import { distances, type Matrix } from "../../core/matrix.ts";
import { ticksTo } from "../../ui/charts.ts";
import { hatching, svg } from "../../ui/svg.ts";
import { readableNumber, superscript } from "../../ui/text.ts";
import { bandOf, type Chance } from "../fitting/comparison.ts";
import type { LaboratoryFit } from "../fitting/fits.ts";
import type { ParsedTable } from "../reading/parsedTable.ts";

/** Draw the fit of a table for each number of dimensions, and the band for permuted data. */
export function drawChance(host: Element, { observed, permuted, byStress }: Chance, k: number) {
  const band = bandOf(permuted);
  const top = byStress ? Math.max(...observed, ...band.flat()) : 1;
  const what = byStress ? "stress-1" : "explained fraction";
  const { root, px, py, write, left, height, bottom } = diagram(host, {
    label: `${what} against the number of dimensions, beside permuted data.`,
    x: [0.7, observed.length + 0.3],
    y: [0, top],
    xName: "dimensions",
    yName: what,
  });
  const point = (value: number, i: number) => `${px(i + 1).toFixed(1)} ${py(value).toFixed(1)}`;
  const upper = band.map(([, high], i) => point(high, i));
  const lower = band.map(([low], i) => point(low, i)).reverse();
  svg(root, "path", { class: "kl-band", d: `M${[...upper, ...lower].join("L")}Z` });
  svg(root, "path", { class: "kl-fitted", d: `M${observed.map(point).join("L")}` });
  observed.forEach((value, i) => {
    const place = { cx: px(i + 1), cy: py(value), r: i + 1 === k ? 5 : 3 };
    svg(root, "circle", { ...place, class: "kl-observed-dot" });
  });
  observed.forEach((_, i) => write(px(i + 1), height - bottom + 13, String(i + 1), "middle"));
  write(left - 4, 16, readableNumber(top, 2), "end");
  write(left - 4, height - bottom + 4, "0", "end");
}
type Axes = Record<"label" | "xName" | "yName", string> & Record<"x" | "y", number[]>;
/** Draw the axes of a small diagram; return its scales, its size and a function for words. */
function diagram(host: Element, { label, x: [x0, x1], y: [y0, y1], xName, yName }: Axes) {
  host.replaceChildren();
  const [width, height, left, bottom] = [340, 230, 50, 34];
  const root = svg(host, "svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "kl-diagram",
    role: "img",
    "aria-label": label,
  });
  const px = (x: number) => left + ((x - x0) / (x1 - x0 || 1)) * (width - left - 12);
  const py = (y: number) => height - bottom - ((y - y0) / (y1 - y0 || 1)) * (height - bottom - 12);
  svg(root, "path", { class: "kl-axes", d: `M${left} 8V${height - bottom}H${width - 8}` });
  const write = (x: number, y: number, words: string, anchor: string) =>
    (svg(root, "text", { x, y, "text-anchor": anchor }).textContent = words);
  write((left + width) / 2, height - 6, xName, "middle");
  svg(root, "text", {
    x: 10,
    y: (height - bottom) / 2,
    "text-anchor": "middle",
    transform: `rotate(-90 10 ${(height - bottom) / 2})`,
  }).textContent = yName;
  return { root, px, py, write, left, bottom, width, height };
}

/** Return a function that writes the numbers of an axis, and the unit for the name of the axis. */
function axisUnit(largest: number, unit = "") {
  const power = largest > 0 ? Math.floor(Math.log10(largest)) : 0;
  const factor = power >= -2 && power <= 4 ? 1 : 10 ** power;
  const times = factor === 1 ? "" : `\u00D7 10${superscript(power)}`;
  const words = `${times} ${unit}`.trim();
  const write = (value: number) => readableNumber(value / factor, 3);
  return { write, words: words && ` (${words})` };
}

/** Return which eigenvalues are shown: the first ones, and the last ones if they are negative. */
function shownEigenvalues(values: Float64Array) {
  const all = Array.from(values.keys());
  if (all.length <= 26) return all;
  const negative = Math.min(6, values.filter((value) => value < -1e-9 * values[0]).length);
  return [...all.slice(0, 20), ...all.slice(all.length - negative)];
}

/** Draw eigenvalues as bars: kept, discarded, and negative ones hatched. */
export function drawSpectrum(host: Element, values: Float64Array, kept: number): void {
  const shown = shownEigenvalues(values);
  const [high, low] = [Math.max(...values, 0), Math.min(...values, 0)];
  const isNegative = (value: number) => value < -1e-9 * Math.max(high, -low);
  const label =
    `Eigenvalues of B: ${kept} kept, the largest ${readableNumber(high, 3)}, the smallest ` +
    `${readableNumber(low, 3)}.`;
  const unit = axisUnit(Math.max(high, -low));
  const { root, py, write, left, bottom, width, height } = diagram(host, {
    label,
    x: [0, shown.length],
    y: [low, high || 1],
    xName: `number of the eigenvalue${shown.length < values.length ? ` (of ${values.length})` : ""}`,
    yName: `eigenvalue${unit.words}`,
  });
  const hatch = hatching(root, "laboratory");
  const step = (width - left - 12) / shown.length;
  shown.forEach((r, place) => {
    const [top, foot] = [py(Math.max(values[r], 0)), py(Math.min(values[r], 0))];
    const name = isNegative(values[r]) ? "kl-negative" : r < kept ? "kl-kept" : "kl-discarded";
    const bar = {
      x: left + step * place + 0.15 * step,
      y: top,
      width: 0.7 * step,
      height: Math.max(0.6, foot - top),
      class: name,
    };
    svg(root, "rect", isNegative(values[r]) ? { ...bar, fill: hatch } : bar);
  });
  svg(root, "path", { class: "kl-axes", d: `M${left} ${py(0)}H${width - 8}` });
  const last = shown.length - 1;
  const ticks = last < 7 ? [...shown.keys()] : [0, Math.min(9, last), last];
  ticks.forEach((place) =>
    write(left + step * (place + 0.5), height - 21, String(shown[place] + 1), "middle"),
  );
  write(left - 4, 16, unit.write(high), "end");
  if (py(low) - py(0) > 14) write(left - 4, height - bottom + 1, unit.write(low), "end");
  write(left - 4, py(0) + 4, "0", "end");
}

const MOST_PAIRS = 4000;

/** Return all pairs i < j, or several thousand that are evenly spread. */
function pairsOf(n: number) {
  const every = Math.ceil((n * (n - 1)) / 2 / MOST_PAIRS);
  const pairs: number[] = [];
  let count = 0;
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) if (count++ % every === 0) pairs.push(i * n + j);
  return pairs;
}

/** Draw distances on the map (dots) and fitted values (line) against the dissimilarities. */
export function drawShepard(host: Element, fit: LaboratoryFit, unit: string): void {
  const { delta, target, points, choices } = fit;
  const n = points.length / choices.dimensions;
  const d = distances(points, choices.dimensions);
  const pairs = pairsOf(n)
    .filter((at) => !Number.isNaN(delta[at]))
    .sort((a, b) => delta[a] - delta[b] || target[a] - target[b]);
  const most = (M: Matrix) => pairs.reduce((high, at) => Math.max(high, M[at]), 0);
  const [widest, tallest] = [most(delta), Math.max(most(d), most(target))];
  const [along, up] = [axisUnit(widest, unit), axisUnit(tallest)];
  const label = `Shepard diagram: map distances against ${pairs.length} dissimilarities.`;
  const { root, px, py, write, left, height, bottom } = diagram(host, {
    label,
    x: [0, widest],
    y: [0, tallest],
    xName: `dissimilarity${along.words}`,
    yName: `distance on the map${up.words}`,
  });
  const line = pairs.map((at) => `${px(delta[at]).toFixed(1)} ${py(target[at]).toFixed(1)}`);
  svg(root, "path", { class: "kl-fitted", d: `M${line.join("L")}` });
  const dots = pairs.map((at) => `M${px(delta[at]).toFixed(1)} ${py(d[at]).toFixed(1)}h0`).join("");
  svg(root, "path", { class: `kl-dots${pairs.length < 100 ? " kl-large-dots" : ""}`, d: dots });
  const ticks = (end: number) => (end ? ticksTo(end) : [0]);
  for (const v of ticks(widest)) write(px(v), height - bottom + 13, along.write(v), "middle");
  for (const v of ticks(tallest)) write(left - 4, py(v) + 4, up.write(v), "end");
}

/** Show up to four rows and five columns of a table around an entry at fault, or the first ones. */
export function drawExcerpt(
  host: Element,
  { table, names, columns }: ParsedTable,
  entry: number[] | null,
): void {
  host.replaceChildren();
  const [i, j] = entry ?? [0, 0];
  const indicesNear = (index: number, length: number, most: number): number[] => {
    const from = Math.max(0, Math.min(index - 2, length - most));
    return Array.from({ length: Math.min(most, length - from) }, (_, r) => from + r);
  };
  const [rows, shown] = [indicesNear(i, table.length, 4), indicesNear(j, table[0]?.length ?? 0, 5)];
  const grid = host.appendChild(document.createElement("table"));
  const cell = (row: Element, tag: string, words = "") => {
    const made = row.appendChild(document.createElement(tag));
    made.textContent = words;
    return made;
  };
  const caption = grid.appendChild(document.createElement("caption"));
  caption.textContent = entry
    ? "The part of the table with the entry at fault"
    : `The first ${rows.length} of ${table.length} rows`;
  const head = grid.appendChild(document.createElement("tr"));
  cell(head, "td");
  const title = (c: number) => columns[c] || names?.[c] || String(c);
  shown.forEach((c) => cell(head, "th", title(c)).setAttribute("scope", "col"));
  rows.forEach((r) => {
    const row = grid.appendChild(document.createElement("tr"));
    cell(row, "th", names?.[r] ?? String(r)).setAttribute("scope", "row");
    shown.forEach((c) => {
      const value = table[r][c];
      const words =
        value === undefined ? "" : Number.isNaN(value) ? "missing" : readableNumber(value);
      const entryCell = cell(row, "td", words);
      if (entry && r === i && c === j) {
        entryCell.className = "kl-wrong";
        entryCell.prepend("\u25B6 ");
        host.scrollLeft = entryCell.offsetLeft - 120;
      }
    });
  });
}
