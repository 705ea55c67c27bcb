// The HTML of the laboratory, and what its elements show.

import { fillSelect } from "../../ui/controls.ts";
import { type Part, RESET, writeHtml } from "../../ui/state.ts";
import { setAttributes, svg } from "../../ui/svg.ts";
import { readableNumber } from "../../ui/text.ts";
import { colorBanner, partOf, type Verdict } from "../../ui/verdict.ts";
import { type Choices, kernelsFor, METHODS, methodsFor, RANGES } from "../fitting/fitOptions.ts";
import { type FitRequest, initialParameter, prepareFit } from "../fitting/fits.ts";
import type { LaboratoryData } from "../fitting/laboratoryData.ts";
import { hasPoints, METRICS } from "../fitting/metrics.ts";
import { arrowWords, decidingColumns, type Groups } from "../map/columns.ts";
import type { CurrentMap } from "../map/currentMap.ts";
import { drawShepard, drawSpectrum } from "../map/laboratoryCharts.ts";
import { LIMITS } from "../reading/limits.ts";
import { isIncomplete } from "../reading/squareTables.ts";
import { makeButton, offerButtons } from "./buttons.ts";
import { comparisonWords } from "./comparisonMessages.ts";
import type { Link } from "./messages.ts";
import { aboutMethod, dimensionWords, linker, nearWords, report, verdictOf } from "./messages.ts";

const HEAD = `
  <details class="kl-input kx-control"
    data-part="input" open><summary>Your own data: paste a table or choose a file</summary>
    <p class="kx-note">Distances or similarities, as a matrix or a list of pairs, or a table of
      objects by variables.</p>
    <textarea data-part="text" rows="4" spellcheck="false" autocomplete="off"
      aria-label="Your own table"></textarea>
    <p class="kl-rejected" data-part="rejected" role="alert"></p>
    <div class="kl-row">
      <button type="button" data-do="read">draw the map</button><button
        type="button" data-do="clear">clear</button>
      <label class="kl-file">choose a file<input type="file"
        accept=".csv,.tsv,.txt,.dat,.json,.md,.meg,.phy,text/*"></label>
      <span role="status"><strong data-part="unread" hidden>not drawn yet</strong></span>
      <button type="button" data-do="forget" hidden>delete my table from this browser</button>
      <details class="kl-layouts"><summary>Layouts, each with an example</summary>
        <div class="kl-row" role="group" aria-label="Layouts" data-part="examples"></div></details>
    </div>
  </details>
  <div class="kx-bar"><span role="group" aria-label="Examples"
    data-part="samples">or an example <button type="button"
      data-do="recall" data-sample="" hidden>my table</button></span><span>${RESET}</span></div>
  <details class="kl-table" data-part="table"><summary><span data-part="summary"
    aria-live="polite"></span> <span class="kl-show kx-control">show the table</span></summary>
    <p data-part="values"></p>
    <div class="kl-excerpt" data-part="excerpt" role="group" tabindex="0" aria-label="Rows"></div>
    <div class="kl-row kx-control" data-part="kinds" hidden>read as <span class="kx-modes" role="group"
      aria-label="Kind of table" data-part="kindButtons"></span></div></details>
  <div class="kl-message" data-part="question" aria-live="polite"></div>
  <div class="kl-row kx-control" role="group" aria-label="Suggested changes"
    data-part="corrections" hidden></div>` as const;
const metricOptions = Object.entries(METRICS)
  .map(([value, { name }]) => `<option value="${value}">${name}</option>`)
  .join("");
const CHOICES = `
  <div class="kl-row kx-control">method <span class="kx-modes" role="group" aria-label="Method"
    data-part="methods"></span><details class="kl-options" data-part="options"
      open><summary>options</summary><div class="kl-row"><span class="kl-row">dimensions <span class="kx-modes" role="group"
      aria-label="Dimensions"><button type="button" data-dimensions="2">2</button><button
        type="button" data-dimensions="3">3</button></span></span>
    <label data-for="classical">additive constant <select data-choice="additive"><option
      value="">none</option><option value="lingoes">Lingoes</option><option
        value="cailliez">Cailliez</option></select></label>
    <label data-for="stress">fitted to <select data-choice="transform"><option
      value="identity">the values (metric)</option><option
        value="ordinal">their order (ordinal)</option></select></label>
    <label data-for="points">distance <select data-choice="metric">${metricOptions}</select></label></div></details>
    <label data-for="kernel">kernel <select data-choice="kernel"></select></label>
    <label data-for="kernel" class="kl-wide"><span data-part="parameter"></span><input
      type="range" data-part="width"></label>
    <button type="button" data-for="kernel" data-do="median">median rule</button>
  </div>` as const;
const BANNER = `
  <output class="kx-banner" aria-live="polite"><strong></strong> <span></span></output>
  <div class="kl-row kl-busy kx-control" data-part="busy"
    hidden><progress></progress><span></span><button type="button"
      data-do="stop">stop</button></div>
  <div class="kl-row kx-control" role="group" aria-label="Suggested changes"
    data-part="metricCorrections" hidden></div>` as const;
const ANSWER = `
  <div data-part="map"></div><p class="kx-note" data-part="legend"></p><p class="kx-note"
    data-part="arrowNote"></p><p class="kx-note" data-part="about"></p>
  <div class="kl-row kx-control"><button type="button" data-do="in"
    aria-label="zoom in">+</button><button type="button" data-do="out"
      aria-label="zoom out">\u2212</button>
    <button type="button" data-do="whole">whole map</button>
    <button type="button" data-for="plane" data-do="rotate">rotate</button><button type="button"
      data-do="flip">flip</button>
    <span role="group" aria-label="Axes" data-for="solid"
      data-part="axes">axes</span><label>object <select data-part="object"></select></label></div>
  <div class="kl-row kx-control" data-for="columns"><label>colour by <select
    data-part="colour"></select></label><label>labels <select
      data-part="labels"></select></label><button type="button"
        data-do="arrows">arrows for the variables</button></div>
  <p class="kx-note" data-part="compared" aria-live="polite"></p><p class="kl-neighbours"
    data-part="near" aria-live="polite"></p>` as const;
const FIGURES = `
  <div class="kx-columns"><div class="kx-column"><section><p class="kx-title"
    data-part="spectrumTitle"></p><div data-part="spectrum"></div></section></div>
    <div class="kx-column"><section><p class="kx-title" data-part="shepardTitle"></p><div
      data-part="shepard"></div></section></div></div>
  <p class="kx-key"><span class="kx-kept-key">kept</span><span class="kx-discarded-key">discarded</span><span
    class="kx-negative-key">negative</span><span class="kl-fitted-key">fitted values</span></p>
  <p class="kx-title kl-report">For a report</p><blockquote data-part="report"></blockquote><p
    data-part="dimensions"></p>
  <div class="kl-row kx-control" data-for="withoutLandmarks"><button type="button"
    data-do="chance">Compare with permuted data</button><button type="button"
      data-do="stable">How stable is the map?</button></div>
  <p data-part="chance" aria-live="polite"></p><div class="kl-chance" data-part="curve"></div>
  <p data-part="stable" aria-live="polite"></p>
  <details class="kl-compare kx-control"
    data-for="withoutLandmarks"><summary>Compare with another map</summary>
    <p class="kx-note">Keep this map and choose another method, or paste another table of the
      same objects. Its columns can then colour the map, too.</p>
    <div class="kl-row"><button type="button" data-do="keep">keep this map</button><button type="button"
      data-do="endComparison">end the comparison</button></div>
    <textarea data-part="second" rows="2" spellcheck="false" autocomplete="off"
      aria-label="Another table of the same objects"></textarea>
    <div class="kl-row"><button type="button" data-do="second">compare</button><span
      data-part="comparisonError" aria-live="polite"></span></div></details>
  <div class="kl-row kx-control" role="group" aria-label="Save">
    <button type="button" data-save="svg">map as SVG</button><button type="button"
      data-save="png">map as PNG</button><button type="button"
        data-save="points">coordinates as CSV</button><button type="button"
          data-save="table">table as CSV</button><button
          type="button" data-save="notebook">notebook</button></div>
  <p class="kx-title">The same in Python <button type="button" class="kx-control" data-do="copy"
    aria-live="polite">copy</button></p><pre tabindex="0" aria-label="Python code"><code
      data-part="python"></code></pre>` as const;
const HTML = `${HEAD}<div data-part="out">${CHOICES}${BANNER}<div
  data-part="answer">${ANSWER}</div><div data-part="figures">${FIGURES}</div></div>` as const;

/** The names in the attributes `data-part` of some HTML, which is constant. */
type PartsOf<Html, Found = never> = Html extends `${string}data-part="${infer Name}"${infer Rest}`
  ? PartsOf<Rest, Found | Name>
  : Found;

/** The elements of the laboratory, and what is shown or dimmed together. */
export class LaboratoryPage {
  el: HTMLElement; // the element of the laboratory
  part: Part<PartsOf<typeof HTML>>; // returns the element with a `data-part`
  link: Link; // writes links to the chapters

  constructor(el: HTMLElement, onSite: boolean) {
    this.el = el;
    this.part = writeHtml(el, HTML, "laboratory");
    el.classList.add("kl");
    this.link = linker(onSite);
  }

  button(name: string) {
    return partOf<HTMLButtonElement>(this.el, `[data-do="${name}"]`);
  }

  /** Show both the map and the figures, or hide both. */
  setShown(isShown: boolean) {
    for (const name of ["answer", "figures"] as const) this.part(name).hidden = !isShown;
  }

  /** Dim and disable the figures if they are out of date, and the map if its table is. */
  setStale(isStale: boolean, isNewTable = false) {
    for (const name of ["answer", "figures"] as const) {
      const isOff = isStale && (isNewTable || name === "figures");
      this.part(name).classList.toggle("kx-faded", isOff);
      this.part(name).toggleAttribute("inert", isOff);
    }
  }

  writeParameter(kernel: Choices["kernel"], value: number) {
    const symbol = kernel === "Power" ? "\u03b2" : kernel === "Polynomial" ? "degree" : "\u03b8";
    // The distance at which the kernel has fallen to 1/e, in the unit of the distances.
    const width = kernel === "RBF" ? 1 / Math.sqrt(value) : 1 / value;
    const words = `${symbol} = ${readableNumber(value, 4)}${RANGES[kernel] ? "" : `, width ${readableNumber(width, 4)}`}`;
    this.part("parameter").textContent = words;
    setAttributes(this.part("width"), { "aria-valuetext": words });
  }

  showBanner({ holds, head, reason, more = [] }: Verdict & { more?: string[] }) {
    const banner = partOf(this.el, ".kx-banner");
    colorBanner(banner, holds);
    partOf(banner, "strong").textContent = head;
    partOf(banner, "span").innerHTML = [reason, ...more].join(" ");
  }
}

/** Show the choices, offer those that the table has, and hide controls without effect. */
export function showControls(page: LaboratoryPage, data: LaboratoryData, choices: Choices) {
  const { el, part, link } = page;
  const { kind, table } = data.parsed;
  const incomplete = isIncomplete(table);
  const large = table.length > LIMITS.withoutLandmarks;
  const methods = methodsFor(kind, { metric: choices.metric, incomplete, large });
  const isEuclidean = kind === "points" && hasPoints(choices.metric);
  const by: Record<string, boolean> = {
    classical: choices.method === "classical" && !large && !isEuclidean,
    stress: choices.method === "stress" && !incomplete,
    points: kind === "points",
    plane: choices.dimensions === 2,
    solid: choices.dimensions === 3,
    withoutLandmarks: !large,
    columns: data.columns().length > 0,
    kernel: choices.method === "kmds" || (choices.method === "kpca" && kind === "points"),
  };
  for (const control of el.querySelectorAll("[data-for]"))
    control.toggleAttribute("hidden", !by[control.getAttribute("data-for") ?? ""]);
  for (const button of part("methods").querySelectorAll("button")) {
    const method = methods.find((each) => each === button.dataset.method);
    button.hidden = !method;
    setAttributes(button, { "aria-pressed": method === choices.method });
  }
  for (const button of el.querySelectorAll("[data-dimensions]")) {
    const k = Number(button.getAttribute("data-dimensions"));
    setAttributes(button, { "aria-pressed": k === choices.dimensions });
    button.toggleAttribute("disabled", k > table.length - 1);
  }
  const wordOf = (name: string) => (name === "RBF" ? name : name.toLowerCase());
  const kernels = kernelsFor(choices.method, kind).map((name) => [name, wordOf(name)]);
  fillSelect(partOf(el, '[data-choice="kernel"]'), kernels);
  for (const name of ["additive", "transform", "kernel", "metric"] as const) {
    const select = partOf<HTMLSelectElement>(el, `[data-choice="${name}"]`);
    for (const option of select.options) option.selected = option.value === choices[name];
  }
  part("about").innerHTML = aboutMethod(choices, kind, link, large);
  if (by.kernel) showWidth(page, data.request(choices));
  showColumns(page, data, choices);
}

/** Show the slider of the parameter; that of a bandwidth has a logarithmic scale. */
function showWidth(page: LaboratoryPage, request: FitRequest) {
  const { kernel, parameter } = request.choices;
  const { D, n, choices } = prepareFit(request);
  const median = initialParameter(kernel, D, n);
  const bounds = RANGES[kernel];
  const [min, max, step] = bounds ?? [-3, 3, 0.05];
  const value = parameter ?? choices.parameter;
  const width = page.part<HTMLInputElement>("width");
  const place = bounds ? value : Math.log10(value / median);
  setAttributes(width, { min, max, step, value: place, "data-median": median });
  width.value = width.getAttribute("value") ?? "";
  page.writeParameter(kernel, value);
  page.button("median").hidden = Boolean(bounds);
}

/** Show the results of a fit; a button calls `standardise` if a few variables vary most. */
export function showFit(page: LaboratoryPage, map: CurrentMap, standardise: () => void) {
  const { link, part } = page;
  const { fit, data } = map;
  if (!fit) return;
  const { parsed, meta, nameOf } = data;
  const isRaw = fit.choices.metric === "euclidean";
  const deciding = isRaw && !meta.unit ? decidingColumns(parsed) : [];
  page.showBanner(verdictOf(fit, link, deciding, meta.unit));
  const buttons = deciding.length ? [makeButton("scale all to unit variance", standardise)] : [];
  offerButtons(part("metricCorrections"), buttons);
  const stress = fit.choices.method === "stress";
  part("spectrumTitle").innerHTML =
    `Spectrum of ${link("B", "<i>B</i>")} <small>${stress ? "of the initial configuration" : ""}</small>`;
  part("shepardTitle").innerHTML =
    `${link("shepard", "Shepard diagram")} ` +
    `<small>${link(stress ? "stress" : fit.choices.method, METHODS[fit.choices.method])}</small>`;
  drawSpectrum(part("spectrum"), fit.spectrum, fit.axesUsed);
  drawShepard(part("shepard"), fit, meta.unit);
  const { plain, html } = report(fit, parsed, meta.what, link);
  part("report").innerHTML = html;
  part("report").prepend(plain);
  if (parsed.changes.length) part("report").append(` ${parsed.changes.join(" ")}`);
  part("dimensions").innerHTML = dimensionWords(fit, link);
  for (const name of ["stable", "chance", "curve"] as const) part(name).replaceChildren();
  page.button("stable").disabled = parsed.table.length < fit.choices.dimensions + 2;
  part("near").textContent = nearWords(fit, map.view.marked, nameOf, meta.unit);
  showNotes(page, map);
}

/** Describe the arrows of the map and its comparison with another one, and show the legend. */
export function showNotes(page: LaboratoryPage, map: CurrentMap) {
  const { overlay, other, arrows, groups, data } = map;
  page.part("compared").textContent =
    overlay && other ? comparisonWords(overlay, other.title, data.nameOf) : "";
  const numberColumns = data.columns().filter(({ values }) => values);
  page.part("arrowNote").textContent = arrowWords(arrows, numberColumns.length);
  showLegend(page.part("legend"), groups);
  page.button("endComparison").hidden = !other;
}

function showLegend(legend: Element, { names, markOf }: Groups) {
  legend.replaceChildren();
  names.slice(0, 24).forEach((name, g) => {
    const entry = legend.appendChild(document.createElement("span"));
    const icon = svg(entry, "svg", {
      viewBox: "-7 -7 14 14",
      width: 14,
      height: 14,
      class: "kl-icon",
      "aria-hidden": "true",
    });
    svg(icon, "path", markOf(g));
    entry.append(` ${name} `);
  });
}

/** Offer the columns of a table, if it has any, and show which are chosen. */
function showColumns(page: LaboratoryPage, data: LaboratoryData, choices: Choices) {
  const { groupTitle } = data.parsed;
  const columns = data.columns();
  const usual = groupTitle ? `${groupTitle} (as read)` : "one colour";
  const options = columns.map(({ key, title }) => [key, title]);
  const labels = [["auto", "names"], ["none", "nothing"], ...options];
  fillSelect(page.part("colour"), [["auto", usual], ...options], choices.colour);
  fillSelect(page.part("labels"), labels, choices.labels);
  const numberColumns = columns.filter(({ values }) => values);
  const arrows = page.button("arrows");
  arrows.hidden = !numberColumns.length;
  setAttributes(arrows, { "aria-pressed": choices.arrows });
}
