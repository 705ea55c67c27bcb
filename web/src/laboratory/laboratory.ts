// The laboratory: your own table, a choice of methods, and the map.

import { type Matrix, toRows } from "../core/matrix.ts";
import { fillSelect } from "../ui/controls.ts";
import type { ExplorerModule, Model, RenderProps } from "../ui/state.ts";
import { listenToReset, traitsNamed, validTrait } from "../ui/state.ts";
import { partOf } from "../ui/verdict.ts";
import { type Choices, cleanChoices, isOrdinal, type Orientation } from "./fitting/fitOptions.ts";
import type { FitInput, LaboratoryFit, PartialFit } from "./fitting/fits.ts";
import { fitSteps, mapForParameter, prepareFit } from "./fitting/fits.ts";
import { runToEnd } from "./fitting/generators.ts";
import { jobRunner } from "./fitting/jobRunner.ts";
import { LaboratoryData, type TextOptions } from "./fitting/laboratoryData.ts";
import { cameraOf } from "./fitting/mapRotations.ts";
import { correctionsForMetric } from "./fitting/metrics.ts";
import type { Done, Input, JobName } from "./fitting/worker.ts";
import { CurrentMap } from "./map/currentMap.ts";
import { InteractiveMap } from "./map/mapDrawing.ts";
import { offerButtons } from "./page/buttons.ts";
import { compareWithKeptMap } from "./page/comparisonButtons.ts";
import { LaboratoryPage, showControls, showFit, showNotes } from "./page/controls.ts";
import { listenToChoices, listenToInput, listenToOutput, offerSamples } from "./page/events.ts";
import { nearWords } from "./page/messages.ts";
import { pythonCode } from "./page/pythonCode.ts";
import { type OwnTable, StoredTable, tableInTraits } from "./page/storage.ts";
import { offerCorrections, openInput, scrollToMap, showTable } from "./page/tablePanel.ts";
import { LIMITS } from "./reading/limits.ts";
import type { ParsedTable } from "./reading/parsedTable.ts";
import { isIncomplete } from "./reading/squareTables.ts";
import { readTable } from "./reading/tableParser.ts";

const NOT_IN_LINK =
  "The data of this map are not in the link. Paste them again; until then, an example is shown.";
/** Traits that contain the reader's data. */
const OWN_DATA: (keyof OwnTable)[] = ["kind", "table", "names", "groups"];

type Sample = TextOptions & { name: string; title: string; text: string };

/** The laboratory: its page, its data, and the choices that lead from a table to a map. */
export class Laboratory {
  model: Model; // traits that a link or a notebook stores
  choices: Choices; // chosen, or in a link
  onSite: boolean; // on a page, not in Jupyter
  page: LaboratoryPage;
  stored: StoredTable;
  samples: Sample[]; // tables that the page offers
  library: string; // what the Python code installs
  isSettingTraits = false; // true while the laboratory itself changes the model
  preparedInput: FitInput | null = null; // for maps while the slider moves
  data = new LaboratoryData();
  runner: ReturnType<typeof jobRunner>;
  map: CurrentMap;

  constructor(model: Model, el: HTMLElement) {
    this.model = model;
    this.choices = { ...model.get("choices") };
    this.onSite = !model.widget_manager;
    this.page = new LaboratoryPage(el, this.onSite);
    const buttons = ["recall", "forget"].map((name) => this.page.button(name));
    this.stored = new StoredTable(this.onSite, buttons);
    this.samples = model.get("samples");
    this.library = model.get("library");
    this.runner = jobRunner(this.page.part("busy"), (points) => this.showProgress(points));
    const orient = (R: number[][]) => this.orient({ camera: cameraOf(R) });
    const view = new InteractiveMap(this.page.part("map"), (i) => this.describeObject(i), orient);
    this.map = new CurrentMap(this.data, view);
  }

  load() {
    const names = this.samples.map(({ name }) => name);
    const wanted = validTrait(this.model, "sample", (value: string) => names.includes(value));
    this.choices = { ...this.model.get("choices") };
    const isOwn = this.model.get("sample") === "";
    const table = isOwn && (tableInTraits(traitsNamed(this.model, OWN_DATA)) ?? this.stored.read());
    if (table) return this.openOwnTable(table);
    const sample = this.samples.find(({ name }) => name === wanted) ?? this.samples[0];
    const note = isOwn ? NOT_IN_LINK : "";
    const { rotation, camera } = this.choices;
    this.readText(sample.text, { ...sample, note, orientation: { rotation, camera } });
  }

  /** Show a table that was read before, oriented as chosen. */
  openOwnTable(parsed: ParsedTable, orientation: Choices | null = this.choices) {
    this.data.setSource({});
    this.openTable(parsed, "", orientation);
  }

  /** Read a text, in a worker if it is long, and show what was read. */
  readText(words: string, options: TextOptions = {}) {
    const { note = "", orientation, as = "auto" } = options;
    this.data.setSource(options, [words, { ...options, orientation: null }]);
    const done = (parsed: ParsedTable) => this.openTable(parsed, note, orientation);
    this.setUnread(false);
    this.runner.cancel();
    const isLong = words.length > LIMITS.charactersInField && words.length <= LIMITS.characters;
    if (!isLong || typeof Worker === "undefined") return done(readTable(words, { as }));
    this.startJob("read", { words, options: { as } }, done);
  }

  /** Clear the field for a text and that for a file. */
  clearInput() {
    this.page.part<HTMLTextAreaElement>("text").value = "";
    partOf<HTMLInputElement>(this.page.el, 'input[type="file"]').value = "";
    this.setUnread(false);
  }

  /** Dim and disable the map if a text in the field is not drawn, or the table is at fault. */
  setUnread(isUnread: boolean) {
    this.page.part("unread").hidden = !isUnread;
    this.page.part("out").toggleAttribute("inert", isUnread || Boolean(this.data.parsed.fault));
  }

  /** Show what was read, and map it, in an orientation if one is given. */
  openTable(parsed: ParsedTable, note = "", orientation: Orientation | null = null) {
    this.runner.cancel();
    this.data.open(parsed);
    this.setUnread(false);
    const { kind, table, names, groups, fault } = parsed;
    const { name } = this.data.meta;
    this.stored.write(name || fault ? null : parsed);
    showTable(this, note);
    if (fault) return;
    this.map.startTable();
    this.setTraits({ sample: name, kind, table, names: names ?? [], groups: groups ?? [] });
    fillSelect(this.page.part("object"), [
      ["", "choose one"],
      ...table.map((_, i) => [String(i), this.data.nameOf(i)]),
    ]);
    const { rotation, camera } = orientation ?? {};
    Object.assign(this.choices, { rotation, camera });
    if (!orientation)
      Object.assign(this.choices, { colour: "auto", labels: "auto", arrows: false, kept: null });
    this.refit();
    if (this.data.source && !name) scrollToMap(this.page, this.data);
  }

  /** End the job that runs, and forget the stability of the previous map. */
  endJob() {
    this.runner.cancel();
    this.map.clouds = null;
  }

  /** Change the choices that determine the fit. */
  choose(changes: Partial<Choices>) {
    Object.assign(this.choices, changes);
    this.refit();
  }

  /** Fit a map to the table: at once if that takes milliseconds, otherwise in a worker. */
  refit() {
    this.endJob();
    this.preparedInput = null;
    offerButtons(this.page.part("metricCorrections"), []);
    const { kind, table } = this.data.parsed;
    const about = { incomplete: isIncomplete(table) };
    this.choices = cleanChoices(this.choices, kind, table.length, about);
    const request = this.data.request(this.choices);
    const isSlow = request.table.length > 60 || isOrdinal(this.choices);
    const inWorker = isSlow && typeof Worker !== "undefined";
    try {
      showControls(this.page, this.data, this.choices);
      this.map.setMarks(this.choices);
      if (inWorker) this.startJob("fit", request, (fit) => this.show(fit));
      else this.show(runToEnd(fitSteps(request)));
    } catch (error) {
      this.showFailure((error as Error).message);
    }
  }

  /** Draw only the map while the slider of the parameter moves. */
  drag(parameter: number) {
    this.endJob();
    this.choices.parameter = parameter;
    const { page, map, choices } = this;
    for (const name of ["stable", "chance", "curve"] as const) page.part(name).replaceChildren();
    page.writeParameter(choices.kernel, parameter);
    page.setStale(true, map.isNewTable);
    const reason = "Everything else follows when you release the slider.";
    page.showBanner({ head: "Only the map is updated.", reason });
    try {
      this.preparedInput ??= prepareFit(this.data.request(choices));
      this.draw(mapForParameter(this.preparedInput, parameter));
    } catch (error) {
      this.showFailure((error as Error).message);
    }
  }

  /** Start a job that leads to another map, and dim what is out of date. */
  startJob<J extends JobName>(name: J, request: Input<J>, done: Done<J>): void {
    this.page.setStale(true, this.map.isNewTable);
    this.page.showBanner({ head: "Computing \u2026", reason: "" });
    this.runner.start(name, request, done, (words) => this.showFailure(words));
  }

  /** Draw the map that a fit has reached. */
  showProgress(points: Matrix) {
    const { fit } = this.map;
    if (fit && fit.points.length === points.length) this.draw({ ...fit, points });
  }

  showFailure(words: string) {
    const { page } = this;
    page.showBanner({ holds: false, head: "No map.", reason: "" });
    partOf(page.el, ".kx-banner span").textContent = words;
    this.map.fit = null;
    page.setShown(false);
    const corrections = correctionsForMetric(this.data.parsed, this.choices.metric);
    const open = (parsed: ParsedTable) => this.openTable(parsed);
    offerCorrections(page.part("metricCorrections"), corrections, open);
  }

  show(fit: LaboratoryFit) {
    this.map.fit = fit;
    this.choices.scale = fit.choices.scale;
    this.draw(fit);
    showFit(this.page, this.map, () => this.choose({ metric: "standardised" }));
    this.page.setStale(false);
    this.save();
    compareWithKeptMap(this);
  }

  /** Draw the map of a fit, and show its Python code. */
  draw(fit: PartialFit) {
    this.page.setShown(true);
    Object.assign(this.choices, this.map.draw(fit, this.choices));
    this.page.part("python").textContent = this.code();
  }

  /** Show the same fit with other colours, labels or arrows, or with another map. */
  refresh(changes: Partial<Choices>) {
    Object.assign(this.choices, changes);
    if (!this.map.fit) return;
    showControls(this.page, this.data, this.choices);
    this.map.setMarks(this.choices);
    this.draw(this.map.fit);
    showNotes(this.page, this.map);
    this.save();
  }

  /** Set traits of the model without following the change. */
  setTraits(changes: object) {
    this.isSettingTraits = true;
    this.model.set(changes);
    this.isSettingTraits = false;
  }

  save() {
    const { shown, drawn } = this.map;
    if (!shown || !drawn) return;
    const { scale, ...choices } = this.choices;
    this.setTraits({ choices, points: toRows(shown, drawn.choices.dimensions) });
    this.model.save_changes();
  }

  /** Change the orientation of the map on the screen and in the link. */
  orient(changes: Orientation) {
    const { fit } = this.map;
    if (!fit || this.runner.isRunning()) return;
    Object.assign(this.choices, changes);
    this.map.orient(changes);
    this.draw(fit);
    this.save();
  }

  /** Return Python code that computes the map in its orientation. */
  code() {
    const { drawn } = this.map;
    if (!drawn) return "";
    const { rotation, arrows } = this.choices;
    const options = { axesUsed: drawn.axesUsed, library: this.library };
    return pythonCode(this.data.parsed, { ...drawn.choices, rotation, arrows }, options);
  }

  describeObject(i: number) {
    this.page.part<HTMLSelectElement>("object").value = String(i);
    const { drawn } = this.map;
    const { nameOf, meta } = this.data;
    if (drawn) this.page.part("near").textContent = nearWords(drawn, i, nameOf, meta.unit);
  }

  /** Stop what runs in the background. */
  close() {
    this.runner.cancel();
    this.runner.terminate();
    this.map.view.close();
  }
}

function render({ model, el }: RenderProps) {
  const lab = new Laboratory(model, el);
  lab.page.part<HTMLDetailsElement>("options").open =
    !globalThis.matchMedia?.("(max-width: 600px)").matches;
  offerSamples(lab);
  listenToInput(lab);
  const frames = listenToChoices(lab);
  listenToOutput(lab);
  lab.load();
  const isExample = Boolean(lab.data.meta.name);
  lab.page.part<HTMLDetailsElement>("input").open = isExample;
  // A link asks for the field, and no own table is shown. The element is put into the page later.
  if (lab.onSite && isExample && globalThis.location?.hash === "#own-data")
    requestAnimationFrame(() => openInput(lab.page));
  const reloadIfChanged = () => {
    if (lab.isSettingTraits) return;
    const { scale, ...choices } = lab.choices;
    const [given, current] = [model.get("choices"), choices].map((each) => JSON.stringify(each));
    if (model.get("sample") !== lab.data.meta.name || given !== current) lab.load();
  };
  listenToReset(el, model, () => {
    lab.clearInput();
    lab.load();
  });
  model.on("change:sample change:choices", reloadIfChanged);
  return () => {
    model.off("change:sample change:choices", reloadIfChanged);
    frames.cancel();
    lab.close();
  };
}

const linksOmit = ["samples", "library", "points", ...OWN_DATA];

export default {
  render,
  linksOmit,
  readersData: ({ sample }) => (sample === "" ? OWN_DATA : []),
} satisfies ExplorerModule;
