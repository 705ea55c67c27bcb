// The laboratory: your own table, a choice of methods, and the map.

import { matrixProduct, toRows } from "../core/matrix.js";
import { fillSelect } from "../ui/controls.js";
import { listenToReset, openPage, validTrait } from "../ui/state.js";
import { setAttributes } from "../ui/svg.js";
import { colorBanner } from "../ui/verdict.js";
import { shownArrows } from "./columns.js";
import { alignedWith, compareWithKept } from "./comparison.js";
import { PAGE, showChoices, showColumns, showFit, showNotes, writeParameter } from "./controls.js";
import { correctionsForMetric } from "./corrections.js";
import { listenToChoices, listenToInput, listenToOutput, offerSamples } from "./events.js";
import { cleanChoices, isIncomplete } from "./fitOptions.js";
import { fitJob, mapForParameter, prepareFit } from "./fits.js";
import { runToEnd } from "./generators.js";
import { jobRunner } from "./jobs.js";
import { LIMITS } from "./limits.js";
import { alignWithShown, cameraOf, cameraRows, rotationMatrix } from "./mapRotations.js";
import { mapView } from "./mapView.js";
import { linker, mapLabel, nearWords } from "./messages.js";
import { hasPoints } from "./metrics.js";
import { pythonCode } from "./pythonCode.js";
import { forgetTable, isTable, keepTable, keptTable, withMissing } from "./storage.js";
import { offerCorrections, openInput, scrollToMap, showTable } from "./tablePanel.js";
import { readTable } from "./tableParser.js";

/** @import { Column, Groups } from "./columns.js" */
/** @import { Choices } from "./fitOptions.js" */
/** @import { DrawnMap, FitInput, LaboratoryFit } from "./fits.js" */
/** @import { Stability } from "./stability.js" */
/** @import { ParsedTable } from "./tableParser.js" */

const NOT_IN_LINK =
  "The data of this map are not in the link. Paste them again; until then, an example is shown.";
/** Traits that contain the reader's data. */
const OWN_DATA = ["kind", "table", "names", "groups"];

/** The laboratory: its elements on the page, the table that was read, the choices and the map. */
export class Laboratory {
  /** What the reader chose, or a link asks for. @type {Choices} */
  choices;
  /** The table that was read, or its fault. @type {ParsedTable} */
  parsed;
  /** The groups of the objects and their marks. @type {Groups} */
  kinds;
  /** The fit of the map on the screen. @type {DrawnMap} */
  drawn;

  constructor(model, el) {
    this.model = model; // traits that a link or a notebook stores
    this.el = el; // the element of the laboratory
    this.part = openPage(el, PAGE, "laboratory"); // returns the element with a `data-part`
    el.classList.add("kl");
    this.onSite = !model.widget_manager; // on a page, not in Jupyter
    this.link = linker(this.onSite); // writes links to the chapters
    this.samples = model.get("samples"); // tables that the page offers
    this.library = model.get("library"); // what the Python code installs
    this.jobs = jobRunner(); // starts jobs in a worker
    this.job = /** @type {{ stop(): void, drop(): void } | null} */ (null); // the job that runs
    this.frames = null; // draw the map while the slider moves; set by listenToChoices
    this.isStoring = false; // true while the laboratory itself changes the model

    this.meta = { name: "", what: "", unit: "" }; // what is measured; own data have no name
    this.source = /** @type {any[] | null} */ (null); // arguments of readText, to read it again
    this.isNewTable = true; // until the first map of a table is drawn
    this.addedColumns = /** @type {Column[]} */ ([]); // columns of a second table

    this.medianParameter = 0; // initial parameter of the kernel; 0 on a logarithmic slider
    this.names = /** @type {string[] | null} */ (null); // labels of the points, or none

    this.preparedJob = /** @type {FitInput | null} */ (null); // for the maps while the slider moves
    this.fit = /** @type {LaboratoryFit | null} */ (null); // the last complete fit, or null
    this.shown = /** @type {Matrix | null} */ (null); // the rotated points on the screen
    this.clouds = /** @type {Stability | null} */ (null); // maps without some of the objects
    // Another map to compare with, and this other map aligned with the one on the screen.
    this.other = /** @type {{ points: Matrix, title: string } | null} */ (null);
    this.overlay = /** @type {ReturnType<typeof alignedWith> | null} */ (null);
    const orient = (R) => this.orient({ camera: cameraOf(R) });
    this.view = mapView(this.part("map"), (i) => this.describeObject(i), orient); // the drawing
  }

  button(name) {
    return this.el.querySelector(`[data-do="${name}"]`);
  }

  load() {
    const names = this.samples.map(({ name }) => name);
    const wanted = validTrait(this.model, "sample", (value) => names.includes(value));
    this.choices = { ...this.model.get("choices") };
    if (this.model.get("sample") === "") {
      if (isTable(this.model.get("table"), this.model.get("kind"))) return this.restore();
      const kept = this.onSite ? keptTable() : null;
      if (kept) return this.openOwnTable(kept);
    }
    const sample = this.samples.find(({ name }) => name === wanted);
    const note = this.model.get("sample") === "" ? NOT_IN_LINK : "";
    const { rotation, camera } = this.choices;
    this.readText(sample.text, { ...sample, note, orientation: { rotation, camera } });
  }

  /** Show the reader's table, which the model contains. */
  restore() {
    const [kind, table, names, groups] = OWN_DATA.map((trait) => this.model.get(trait));
    const some = (words) => (words.length ? words : null);
    this.openOwnTable({
      kind,
      table: withMissing(table),
      names: some(names),
      groups: some(groups),
      groupTitle: groups.length ? "group" : "",
      columns: [],
      texts: groups.length ? [{ title: "group", cells: groups }] : [],
      notes: [],
      changes: [],
      wrong: null,
    });
  }

  /** Show a table that was read before, in the orientation that was chosen for its map. */
  openOwnTable(/** @type {ParsedTable} */ parsed, orientation = this.choices) {
    this.meta = { name: "", what: "", unit: "" };
    this.source = null;
    this.openTable(parsed, "", orientation);
  }

  /** Store the reader's table in the browser, and offer to show and delete what is stored. */
  keep() {
    if (this.onSite && !this.meta.name && !this.parsed.wrong) keepTable(this.parsed);
    const isKept = this.onSite && keptTable() !== null;
    for (const name of ["recall", "forget"]) this.button(name).hidden = !isKept;
  }

  forget() {
    forgetTable();
    for (const name of ["recall", "forget"]) this.button(name).hidden = true;
    this.part("question").textContent = "The table was deleted from this browser.";
  }

  /** Read a text, in a worker if it is long, and show what was read. */
  readText(words, origin = {}) {
    const { name = "", what = "", unit = "", note = "", orientation, as = "auto" } = origin;
    this.source = [words, { ...origin, orientation: null }];
    this.meta = { name, what, unit };
    const options = { as };
    const done = (parsed) => this.openTable(parsed, note, orientation);
    this.part("unread").hidden = true;
    this.job?.drop();
    const isLong = words.length > LIMITS.charactersInField && words.length <= LIMITS.characters;
    if (!isLong || typeof Worker === "undefined") return done(readTable(words, options));
    this.startJob("read", { words, options }, done);
  }

  /** Clear the field for a text and that for a file. */
  clearInput() {
    this.part("text").value = "";
    this.el.querySelector('input[type="file"]').value = "";
  }

  /** Show what was read, and map it, in the given orientation if there is one. */
  openTable(
    /** @type {ParsedTable} */ parsed,
    note = "",
    /** @type {Partial<Choices> | null} */ orientation = null,
  ) {
    this.job?.drop();
    this.parsed = parsed;
    this.addedColumns = [];
    this.other = null;
    const { kind, table, names, groups, wrong } = parsed;
    const { name } = this.meta;
    this.keep();
    showTable(this, note);
    if (wrong) return;
    this.isNewTable = true;
    this.shown = null;
    this.fit = null;
    this.store({ sample: name, kind, table, names: names ?? [], groups: groups ?? [] });
    fillSelect(this.part("object"), [
      ["", "choose one"],
      ...table.map((_, i) => [String(i), this.nameOf(i)]),
    ]);
    const { rotation, camera } = orientation ?? {};
    Object.assign(this.choices, { rotation, camera });
    if (!orientation)
      Object.assign(this.choices, { colour: "auto", labels: "auto", arrows: false, kept: null });
    this.refit();
    if (this.source && !name) scrollToMap(this);
  }

  nameOf(i) {
    return this.parsed.names?.[i] ?? `row ${i}`;
  }

  request() {
    const { kind, table, texts } = this.parsed;
    return { kind, table, texts, choices: this.choices };
  }

  /** End the job that runs, and forget the stability of the previous map. */
  endJob() {
    this.job?.drop();
    this.job = null;
    this.clouds = null;
    this.part("busy").hidden = true;
  }

  /** Fit a map to the table: at once if that takes milliseconds, otherwise in a worker. */
  refit() {
    this.endJob();
    this.preparedJob = null;
    offerCorrections(this, [], "metricCorrections");
    const { kind, table } = this.parsed;
    const about = { incomplete: isIncomplete(table) };
    this.choices = cleanChoices(this.choices, kind, table.length, about);
    const request = this.request();
    const ordinal = this.choices.method === "stress" && this.choices.transform === "ordinal";
    const inWorker = (request.table.length > 60 || ordinal) && typeof Worker !== "undefined";
    try {
      showChoices(this);
      showColumns(this);
      if (inWorker) this.startJob("fit", request, (fit) => this.show(fit));
      else this.show(runToEnd(fitJob(request)));
    } catch (error) {
      this.showFailure(error.message);
    }
  }

  /** Draw only the map while the slider of the parameter moves. */
  drag(parameter) {
    this.endJob();
    this.choices.parameter = parameter;
    for (const name of ["stable", "chance", "curve"]) this.part(name).replaceChildren();
    writeParameter(this, parameter);
    this.setStale(true);
    const reason = "Everything else follows when you release the slider.";
    this.showBanner({ head: "Only the map is updated.", reason });
    try {
      this.preparedJob ??= prepareFit(this.request());
      this.draw(mapForParameter(this.preparedJob, parameter));
    } catch (error) {
      this.showFailure(error.message);
    }
  }

  /** Start a job, and show its progress and a button that stops it. */
  startJob(job, request, done, failed = (words) => this.showFailure(words)) {
    const busy = this.part("busy");
    const end = (then) => (value) => {
      busy.hidden = true;
      this.job = null;
      then(value);
    };
    busy.hidden = false;
    busy.children[1].textContent = "computing \u2026";
    if (job === "fit" || job === "read") {
      this.setStale(true);
      this.showBanner({ head: "Computing \u2026", reason: "" });
    }
    busy.firstElementChild.removeAttribute("value");
    this.job = this.jobs.start(job, request, {
      progress: (step) => this.showProgress(step),
      result: end(done),
      error: end(failed),
    });
  }

  showProgress({ steps, points, done, of }) {
    const [bar, words] = this.part("busy").children;
    if (of) setAttributes(bar, { value: done, max: of });
    if (of || steps) words.textContent = of ? `${done} of ${of}` : `${steps} steps`;
    const { fit } = this;
    if (points && fit && fit.points.length === points.length) this.draw({ ...fit, points });
  }

  showFailure(words) {
    this.showBanner({ holds: false, head: "No map.", reason: "" });
    this.el.querySelector(".kx-banner span").textContent = words;
    this.fit = null;
    this.setShown(false);
    const corrections = correctionsForMetric(this.parsed, this.choices.metric);
    offerCorrections(this, corrections, "metricCorrections");
  }

  /** Show both the map and the figures, or hide both. */
  setShown(isShown) {
    for (const name of ["answer", "figures"]) this.part(name).hidden = !isShown;
  }

  /** Dim and disable the figures if they are out of date, and the map if its table is. */
  setStale(isStale) {
    const isOff = { answer: isStale && this.isNewTable, figures: isStale };
    for (const [name, off] of Object.entries(isOff)) {
      this.part(name).classList.toggle("kx-faded", off);
      this.part(name).toggleAttribute("inert", off);
    }
  }

  /** @param {{ holds?: boolean, head: string, reason: string, more?: string[] }} verdict */
  showBanner({ holds, head, reason, more = [] }) {
    const banner = this.el.querySelector(".kx-banner");
    colorBanner(banner, holds);
    banner.querySelector("strong").textContent = head;
    banner.querySelector("span").innerHTML = [reason, ...more].join(" ");
  }

  show(/** @type {LaboratoryFit} */ fit) {
    this.fit = fit;
    this.choices.scale = fit.choices.scale;
    this.draw(fit);
    showFit(this, fit);
    this.setStale(false);
    this.save();
    compareWithKept(this);
  }

  /** Return the rotation of a map: the chosen one, or one that aligns it with the previous map. */
  alignment(fit, k) {
    const same = this.shown?.length === fit.points.length && fit.points.some((x) => x !== 0);
    const { camera } = this.choices;
    let R = this.isNewTable ? camera && cameraRows(camera) : this.view.rotation();
    if (same) {
      const found = alignWithShown(fit.points, k, this.shown, { filled: fit.columns ?? k, R });
      this.choices.rotation = found.rotation;
      R = found.R;
      if (k === 3 && camera) this.choices.camera = cameraOf(R);
    }
    const matrix = rotationMatrix(this.choices.rotation, k);
    return { move: (points) => matrixProduct(points, k, matrix, k), R };
  }

  draw(/** @type {DrawnMap} */ fit) {
    this.drawn = fit;
    this.setShown(true);
    const k = fit.choices.dimensions;
    const { move, R } = this.alignment(fit, k);
    this.shown = move(fit.points);
    const clouds = this.clouds?.clouds.map(move) ?? null;
    const { method, metric } = fit.choices;
    if (this.other?.points.length !== this.shown.length) this.other = null;
    this.overlay = this.other && alignedWith(this.shown, k, this.other.points);
    const unit = ["kmds", "kpca"].includes(method) || !hasPoints(metric) ? "" : this.meta.unit;
    const label = mapLabel(fit, this.parsed.table.length, this.meta.what);
    const arrows = shownArrows(this, k);
    const { shown: points, names, kinds, overlay: other, isNewTable } = this;
    const data = { fit, points, clouds, names, kinds, other, arrows, unit, label, R, isNewTable };
    this.view.show(data);
    this.part("python").textContent = this.code();
    this.isNewTable = false;
  }

  /** Show the same fit with other colours, labels or arrows, or with another map. */
  refresh() {
    if (!this.fit) return;
    showChoices(this);
    showColumns(this);
    this.draw(this.fit);
    showNotes(this);
    this.save();
  }

  /** Set traits of the model without following the change. */
  store(changes) {
    this.isStoring = true;
    this.model.set(changes);
    this.isStoring = false;
  }

  save() {
    if (!this.shown) return;
    const { scale, ...choices } = this.choices;
    this.store({ choices, points: toRows(this.shown, this.drawn.choices.dimensions) });
    this.model.save_changes();
  }

  /** Change the orientation of the map on the screen and in the link. */
  orient(changes) {
    if (!this.fit || this.job) return;
    Object.assign(this.choices, changes);
    if (changes.rotation) this.shown = null;
    if (changes.camera) this.view.setRotation(cameraRows(changes.camera));
    this.draw(this.fit);
    this.save();
  }

  /** Return Python code that computes the map in its orientation. */
  code() {
    const { choices, columns } = this.drawn;
    const { rotation, arrows } = this.choices;
    const options = { columns, library: this.library };
    return pythonCode(this.parsed, { ...choices, rotation, arrows }, options);
  }

  describeObject(i) {
    this.part("object").value = String(i);
    this.part("near").textContent = nearWords(this.drawn, i, (j) => this.nameOf(j));
  }

  /** Stop what runs in the background. */
  close() {
    this.frames.cancel();
    this.job?.drop();
    this.jobs.close();
    this.view.close();
  }
}

function render({ model, el }) {
  const lab = new Laboratory(model, el);
  lab.part("options").open = !globalThis.matchMedia?.("(max-width: 600px)").matches;
  offerSamples(lab);
  listenToInput(lab);
  listenToChoices(lab);
  listenToOutput(lab);
  lab.load();
  // A link asks for the field, and no own table is shown. The element is put into the page later.
  if (lab.onSite && lab.meta.name && globalThis.location?.hash === "#own-data")
    requestAnimationFrame(() => openInput(lab));
  const follow = () => {
    if (lab.isStoring) return;
    const { scale, ...choices } = lab.choices;
    const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
    if (model.get("sample") !== lab.meta.name || !same(model.get("choices"), choices)) lab.load();
  };
  listenToReset(el, model, () => {
    lab.clearInput();
    lab.load();
  });
  model.on("change:sample change:choices", follow);
  return () => {
    model.off("change:sample change:choices", follow);
    lab.close();
  };
}

const notInLinks = ["samples", "library", "points", ...OWN_DATA];

export default { render, notInLinks, ownData: ({ sample }) => (sample === "" ? OWN_DATA : []) };
