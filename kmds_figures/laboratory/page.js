// The laboratory: the reader's own table, a choice of methods, and the map.

const HEAD = `
  <p class="kl-question"><strong>What map does your table hold, and how far can it be trusted?</strong></p>
  <div class="kx-bar" role="group" aria-label="Samples" data-part="samples">${RESET}</div>
  <div class="kl-own kx-control">
    <label>Your own table: paste it here, or drop a file
      <textarea data-part="text" rows="4" spellcheck="false" autocomplete="off" placeholder="distances, similarities or points; CSV, tabs or spaces"></textarea></label>
    <div class="kl-row kx-control">
      <button type="button" data-do="read">read it</button><button type="button" data-do="clear">clear</button><button type="button" data-do="forget" hidden>forget my table</button>
      <label class="kl-file">choose a file<input type="file" accept=".csv,.tsv,.txt,.dat,text/*"></label>
      <label>read it as <select data-part="as"><option value="auto">what it looks like</option><option value="dissimilarities">distances</option><option value="gram">similarities, kernel</option><option value="points">points</option></select></label>
    </div>
  </div>
  <p class="kl-said" data-part="said" aria-live="polite"></p>
  <div class="kl-excerpt" data-part="excerpt"></div>
  <div class="kl-row kx-control" role="group" aria-label="What can be done" data-part="repairs" hidden></div>`;
const metricOptions = Object.entries(METRICS)
  .map(([value, { name }]) => `<option value="${value}">${name}</option>`)
  .join("");
const CHOICES = `
  <div class="kl-row kx-control" role="group" aria-label="Method" data-part="methods"></div>
  <p class="kl-about" data-part="about"></p>
  <div class="kl-row kx-control">
    <label data-for="classical">constant added <select data-choice="additive"><option value="">none</option><option value="lingoes">Lingoes</option><option value="cailliez">Cailliez</option></select></label>
    <label data-for="stress">distances fit <select data-choice="transform"><option value="identity">the numbers (metric)</option><option value="ordinal">their order (ordinal)</option></select></label>
    <label data-for="kernel">kernel <select data-choice="kernel"></select></label>
    <label data-for="kernel" class="kl-wide"><span data-part="parameter"></span><input type="range" data-part="width"></label>
    <button type="button" data-for="kernel" data-do="median">median rule</button>
    <label data-for="points">distance <select data-choice="metric">${metricOptions}</select></label>
    <span role="group" aria-label="Dimensions"><button type="button" data-dimensions="2">2 dimensions</button> <button type="button" data-dimensions="3">3</button></span>
  </div>
  <div class="kl-row kl-busy kx-control" data-part="busy" hidden><progress></progress><span></span><button type="button" data-do="stop">stop</button></div>`;
const BANNER = '<output class="kx-banner" aria-live="polite"><strong></strong> <span></span></output>';
const ANSWER = `
  <div class="kl-row kx-control"><button type="button" data-do="in" aria-label="zoom in">+</button><button type="button" data-do="out" aria-label="zoom out">\u2212</button>
    <button type="button" data-do="whole">whole map</button>
    <button type="button" data-for="plane" data-do="turn">turn</button><button type="button" data-do="flip">flip</button>
    <span role="group" aria-label="Axes" data-for="solid" data-part="axes">axes</span><label>look at <select data-part="look"></select></label></div>
  <div data-part="map"></div><p class="kx-note" data-part="legend"></p><p class="kl-look" data-part="near" aria-live="polite"></p>
  <div class="kx-columns"><div class="kx-column"><section><p class="kx-title" data-part="spectrumTitle"></p><div data-part="spectrum"></div></section></div>
    <div class="kx-column"><section><p class="kx-title" data-part="shepardTitle"></p><div data-part="shepard"></div></section></div></div>
  <p class="kx-key"><span class="kl-k-kept">kept</span><span class="kl-k-discarded">discarded</span><span class="kl-k-negative">negative</span><span class="kl-k-target">what the map aims at</span></p>
  <p class="kx-title">For a report</p><blockquote data-part="report"></blockquote><p data-part="dimensions"></p>
  <div class="kl-row kx-control"><button type="button" data-do="chance">How many dimensions, beside chance?</button><span data-part="chance" aria-live="polite"></span></div>
  <div class="kl-chance" data-part="curve"></div>
  <div class="kl-row kx-control"><button type="button" data-do="stable">How stable is it?</button><span data-part="stable" aria-live="polite"></span></div>
  <div class="kl-row kx-control" role="group" aria-label="Save">
    <button type="button" data-save="svg">map as SVG</button><button type="button" data-save="png">map as PNG</button><button type="button" data-save="points">points as CSV</button><button type="button" data-save="table">table as CSV</button><button type="button" data-save="notebook">notebook</button></div>
  <p class="kx-title">The same in Python <button type="button" class="kx-control" data-do="copy" aria-live="polite">copy</button></p><pre tabindex="0" aria-label="Python code"><code data-part="python"></code></pre>`;
const PAGE = `${HEAD}<div data-part="out">${CHOICES}${BANNER}<div data-part="answer">${ANSWER}</div></div>`;

const KEPT_HERE = "It is kept in this browser alone, until you forget it.";
const NOT_IN_LINK =
  "This link was made with a table of its reader\u2019s own, which no link holds: paste it again. Until then a sample is shown.";

/** The parts of the page by name, and the model's state behind them. */
class Laboratory {
  constructor(model, el) {
    [this.model, this.el] = [model, el];
    this.part = openPage(el, PAGE);
    el.classList.add("kl");
    this.onSite = !model.widget_manager;
    this.link = linker(this.onSite);
    this.samples = model.get("samples");
    this.desk = jobDesk(() => model.get("_esm"));
    this.library = model.get("library");
    [this.fit, this.shown, this.job, this.clouds, this.fresh] = [null, null, null, null, true];
    this.view = mapView(
      this.part("map"),
      (i) => this.sayNear(i),
      (R) => this.lay({ camera: cameraOf(R) }),
    );
  }

  load() {
    const wanted = fitting(this.model, "sample", (value) => this.samples.some(({ name }) => name === value));
    this.choices = { ...this.model.get("choices") };
    if (this.model.get("sample") === "") {
      if (this.model.get("table").length) return this.restore();
      const kept = this.onSite ? keptTable() : null;
      if (kept) return this.acceptOwn(kept);
    }
    const sample = this.samples.find(({ name }) => name === wanted);
    const note = this.model.get("sample") === "" ? NOT_IN_LINK : "";
    const { turn, camera } = this.choices;
    this.take(sample.text, { ...sample, note, laid: { turn, camera } });
  }

  /** The table that the model holds, where another view of it was given one. */
  restore() {
    const [kind, table, names, groups] = ["kind", "table", "names", "groups"].map((name) =>
      this.model.get(name),
    );
    const some = (words) => (words.length ? words : null);
    const said = `${table.length} objects, as they were read before.`;
    const texts = groups.length ? [{ title: "group", cells: groups }] : [];
    const known = { columns: [], texts, about: { notes: "" }, said, wrong: null };
    this.acceptOwn({ kind, table: withHoles(table), names: some(names), groups: some(groups), ...known });
  }

  /** Show a table of the reader's own that was read before, as it lay. */
  acceptOwn(reading) {
    this.meta = { name: "", what: "", unit: "" };
    this.accept(reading, "", this.choices);
  }

  /** Keep a table of the reader's own over a reload of the page, and say so. */
  keep() {
    const isOwn = this.onSite && !this.meta.name && !this.reading.wrong;
    const isKept = isOwn && keepTable(this.reading);
    this.el.querySelector('[data-do="forget"]').hidden = !this.onSite || keptTable() === null;
    return isKept ? KEPT_HERE : "";
  }

  forget() {
    forgetTable();
    this.el.querySelector('[data-do="forget"]').hidden = true;
    this.part("said").textContent = "This browser keeps the table no longer.";
  }

  /** Read a text, and say what it is; the last map goes where no table was found. */
  take(words, origin = {}) {
    const { name = "", what = "", unit = "", note = "", laid } = origin;
    this.given = [words, { ...origin, laid: null }];
    this.meta = { name, what, unit };
    this.accept(readTable(words, { as: this.part("as").value || "auto", what, unit }), note, laid);
  }

  /** Empty the field, and let the next table say itself what it is. */
  clearInput() {
    [this.part("text").value, this.part("as").value] = ["", "auto"];
  }

  /** Show what was read, and map it; the map lies as it was laid, or as it comes. */
  accept(reading, note = "", laid = null) {
    this.job?.drop();
    this.reading = reading;
    const { kind, table, names, groups, wrong, said } = reading;
    const { name } = this.meta;
    const repairs = repairsOf(reading);
    const sentences = [wrong?.sentence ?? said, ...repairs.map(({ why }) => why)];
    this.part("said").textContent = [...sentences, note, this.keep()].filter(Boolean).join(" ");
    offerRepairs(this, repairs);
    this.part("said").classList.toggle("kl-refused", Boolean(wrong));
    this.part("excerpt").replaceChildren();
    if (table.length && (wrong?.entry || !name)) excerpt(this.part("excerpt"), reading, wrong?.entry ?? null);
    this.part("out").hidden = Boolean(wrong);
    for (const button of this.part("samples").querySelectorAll("[data-sample]"))
      set(button, { "aria-pressed": button.dataset.sample === name });
    if (wrong) return;
    [this.fresh, this.shown, this.fit] = [true, null, null];
    this.tell({ sample: name, kind, table, names: names ?? [], groups: groups ?? [] });
    const counted = !names || [0, 1].some((from) => names.every((own, i) => own === String(i + from)));
    const few = !groups && table.length <= 60;
    this.names = counted ? (few ? table.map((_, i) => names?.[i] ?? String(i)) : null) : names;
    fillSelect(this.part("look"), [["", "\u2026"], ...table.map((_, i) => [String(i), this.nameOf(i)])]);
    const { turn, camera } = laid ?? {};
    Object.assign(this.choices, { turn, camera });
    this.refit();
  }

  nameOf(i) {
    return this.reading.names?.[i] ?? `row ${i}`;
  }

  request() {
    const { kind, table, texts } = this.reading;
    return { kind, table, texts, choices: this.choices };
  }

  /** Fit anew: at once where that takes milliseconds, else beside the page. */
  refit() {
    this.job?.drop();
    [this.job, this.clouds, this.block, this.ready] = [null, null, null, null];
    this.part("busy").hidden = true;
    const { kind, table } = this.reading;
    this.choices = cleanChoices(this.choices, kind, table.length, { patchy: isPatchy(table) });
    const request = this.request();
    const ordinal = this.choices.method === "stress" && this.choices.transform === "ordinal";
    const beside = (request.table.length > 60 || ordinal) && typeof Worker !== "undefined";
    try {
      showChoices(this);
      if (beside) this.ask("fit", request, (fit) => this.show(fit));
      else this.show(runNow(fitJob(request)));
    } catch (error) {
      this.refuse(error.message);
    }
  }

  /** Draw the map at another width while it is dragged; all else follows when it is let go. */
  drag(parameter) {
    this.job?.drop();
    [this.job, this.clouds, this.choices.parameter] = [null, null, parameter];
    this.part("busy").hidden = true;
    for (const name of ["stable", "chance", "curve"]) this.part(name).replaceChildren();
    sayWidth(this, parameter);
    try {
      this.ready ??= prepared(this.request());
      const fit = mapNow(this.ready, parameter, this.block);
      this.block = fit.block;
      this.draw(fit);
    } catch (error) {
      this.refuse(error.message);
    }
  }

  /** Give a job to the desk, with its progress and a stop. */
  ask(job, request, done, failed = (words) => this.refuse(words)) {
    const busy = this.part("busy");
    const end = (then) => (value) => {
      [busy.hidden, this.job] = [true, null];
      then(value);
    };
    [busy.hidden, busy.children[1].textContent] = [false, "computing \u2026"];
    this.setAside(this.fresh);
    if (job === "fit") this.say({ bad: false, head: "Computing \u2026", reason: "", more: [] });
    busy.firstElementChild.removeAttribute("value");
    this.job = this.desk.ask(job, request, {
      progress: (step) => this.showProgress(step),
      result: end(done),
      error: end(failed),
    });
  }

  showProgress({ steps, points, done, of }) {
    const [bar, words] = this.part("busy").children;
    if (of) set(bar, { value: done, max: of });
    if (of || steps) words.textContent = of ? `${done} of ${of}` : `${steps} steps`;
    if (points && this.fit?.points.length === points.length) this.draw({ ...this.fit, points });
  }

  refuse(words) {
    this.say({ bad: true, head: "No map.", reason: "", more: [] });
    this.el.querySelector(".kx-banner span").textContent = words;
    this.fit = null;
    this.part("answer").hidden = true;
  }

  /** Pale and out of reach: what is shown below the banner belongs to another table. */
  setAside(isStale) {
    const answer = this.part("answer");
    answer.classList.toggle("kx-off", isStale);
    answer.toggleAttribute("inert", isStale);
  }

  say({ bad, head, reason, more }) {
    const banner = this.el.querySelector(".kx-banner");
    banner.classList.toggle("kx-bad", bad);
    banner.querySelector("strong").textContent = head;
    banner.querySelector("span").innerHTML = [reason, ...more].join(" ");
  }

  show(fit) {
    this.fit = fit;
    this.choices.scale = fit.choices.scale;
    this.draw(fit);
    showFit(this);
    this.save();
  }

  /** How a map lies: as it was laid, and on the one shown last, so that it does not jump. */
  laid(fit, k) {
    const same = this.shown?.length === fit.points.length && fit.points.some((x) => x !== 0);
    const { camera } = this.choices;
    let R = this.fresh ? camera && cameraRows(camera) : this.view.turned();
    if (same) {
      const found = layOnto(fit.points, k, this.shown, { filled: fit.columns ?? k, R });
      [this.choices.turn, R] = [found.turn, found.R];
      if (k === 3 && camera) this.choices.camera = cameraOf(R);
    }
    const rotation = turnMatrix(this.choices.turn, k);
    return { move: (points) => multiplied(points, k, rotation, k), R };
  }

  /** Draw points as they lie. */
  draw(fit) {
    this.drawn = fit;
    this.setAside(false);
    this.part("answer").hidden = false;
    const k = fit.choices.dimensions;
    const { move, R } = this.laid(fit, k);
    this.shown = move(fit.points);
    const clouds = this.clouds?.clouds.map(move) ?? null;
    const { groups } = this.reading;
    const { method, metric } = fit.choices;
    const unit = ["kmds", "kpca"].includes(method) || !hasPoints(metric) ? "" : this.meta.unit;
    const count = `${this.reading.table.length} ${this.meta.what || "objects"}`;
    const keys = `Keys: plus and minus zoom, 0 shows all, arrows ${k === 3 ? "turn" : "move"} it.`;
    const label = `Map of ${count} in ${numberWord(k)} dimension${k > 1 ? "s" : ""}. ${keys}`;
    this.view.show({
      fit,
      points: this.shown,
      clouds,
      names: this.names,
      groups,
      unit,
      label,
      R,
      fresh: this.fresh,
    });
    this.part("python").textContent = this.code();
    this.fresh = false;
  }

  /** Set traits without hearing of it. */
  tell(changes) {
    this.telling = true;
    this.model.set(changes);
    this.telling = false;
  }

  save() {
    const { scale, ...choices } = this.choices;
    this.tell({ choices, points: toRows(this.shown, this.fit.choices.dimensions) });
    this.model.save_changes();
  }

  /** Lay the map otherwise: on the screen, in what is saved and in the link. */
  lay(changes) {
    if (!this.fit || this.job) return;
    Object.assign(this.choices, changes);
    if (changes.turn) this.shown = null;
    if (changes.camera) this.view.turn(cameraRows(changes.camera));
    this.draw(this.fit);
    this.save();
  }

  /** The Python that gives the map as it lies. */
  code() {
    const { choices, columns } = this.drawn;
    return pythonCode(this.reading, { ...choices, turn: this.choices.turn }, { columns, library: this.library });
  }

  sayNear(i) {
    this.part("look").value = String(i);
    this.part("near").textContent = nearWords(this.drawn, i, (j) => this.nameOf(j));
  }

  stable() {
    if (this.job) return;
    const words = this.part("stable");
    const show = (found) => {
      this.clouds = found;
      this.draw(this.fit);
      const { html, plain } = stabilityWords(found, (i) => this.nameOf(i), this.link);
      words.innerHTML = html;
      words.append(plain);
    };
    const fail = (why) => (words.textContent = `With one object left out there is no map. ${why}`);
    this.ask("stability", { request: this.request(), points: this.fit.points }, show, fail);
  }

  /** Set the numbers of dimensions beside tables of the same numbers dealt at random. */
  chance() {
    if (this.job) return;
    const words = this.part("chance");
    const { dimensions } = this.fit.choices;
    const show = (found) => {
      if (!found.dealt.length) return;
      words.textContent = chanceWords(found, dimensions);
      this.part("curve").replaceChildren();
      drawChance(this.part("curve"), found, dimensions);
    };
    this.ask("chance", this.request(), show, (why) => (words.textContent = why));
  }

  /** End all that goes on by itself. */
  close() {
    this.frames.cancel();
    this.job?.drop();
    this.desk.close();
    this.view.close();
  }
}

function fillSelect(select, options) {
  select.replaceChildren(
    ...options.map(([value, words]) => {
      const option = document.createElement("option");
      option.setAttribute("value", value);
      option.textContent = words;
      return option;
    }),
  );
}

/** A button for each repair; its table is checked and mapped as one that was read. */
function offerRepairs(lab, repairs) {
  lab.part("repairs").hidden = !repairs.length;
  lab.part("repairs").replaceChildren(
    ...repairs.map(({ words, mend }) => {
      const button = document.createElement("button");
      set(button, { type: "button" });
      button.textContent = words;
      button.addEventListener("click", () => lab.accept(mend()));
      return button;
    }),
  );
}

/** Show which choices are made and which can be. */
function showChoices(lab) {
  const {
    choices,
    reading: { kind, table },
    el,
  } = lab;
  const patchy = isPatchy(table);
  const methods = methodsFor(kind, { metric: choices.metric, patchy });
  const by = {
    classical: choices.method === "classical",
    stress: choices.method === "stress" && !patchy,
    points: kind === "points",
    plane: choices.dimensions === 2,
    solid: choices.dimensions === 3,
  };
  by.kernel = choices.method === "kmds" || (choices.method === "kpca" && kind === "points");
  for (const control of el.querySelectorAll("[data-for]")) control.hidden = !by[control.dataset.for];
  for (const button of lab.part("methods").children) {
    button.hidden = !methods.includes(button.dataset.method);
    set(button, { "aria-pressed": button.dataset.method === choices.method });
  }
  for (const button of el.querySelectorAll("[data-dimensions]")) {
    set(button, { "aria-pressed": Number(button.dataset.dimensions) === choices.dimensions });
    button.disabled = Number(button.dataset.dimensions) > table.length - 1;
  }
  const kernels = ["RBF", "Exponential", "Power", ...(choices.method === "kpca" ? ["Polynomial"] : [])];
  fillSelect(
    el.querySelector('[data-choice="kernel"]'),
    kernels.map((name) => [name, name === "RBF" ? name : name.toLowerCase()]),
  );
  for (const name of ["additive", "transform", "kernel", "metric"]) {
    for (const option of el.querySelectorAll(`[data-choice="${name}"] option`))
      option.selected = option.getAttribute("value") === choices[name];
  }
  lab.part("about").innerHTML = aboutMethod(choices, kind, lab.link);
  if (by.kernel) showWidth(lab);
}

/** The slider of the kernel's parameter: a width is seen beside its start, by powers of ten. */
function showWidth(lab) {
  const { kernel, parameter } = lab.choices;
  const { D, n, choices } = prepared(lab.request());
  lab.start = startOf(kernel, D, n);
  const ranges = { Power: [0.05, 2, 0.05], Polynomial: [1, 8, 1] };
  const [min, max, step] = ranges[kernel] ?? [-3, 3, 0.05];
  const value = parameter ?? choices.parameter;
  const width = lab.part("width");
  set(width, { min, max, step, value: ranges[kernel] ? value : Math.log10(value / lab.start) });
  width.value = width.getAttribute("value");
  sayWidth(lab, value);
  lab.el.querySelector('[data-do="median"]').hidden = Boolean(ranges[kernel]);
}

function sayWidth(lab, value) {
  const symbol = { Power: "\u03b2", Polynomial: "degree" }[lab.choices.kernel] ?? "\u03b8";
  lab.part("parameter").textContent = `${symbol} = ${readable(value, 4)}`;
  set(lab.part("width"), { "aria-valuetext": `${symbol} = ${readable(value, 4)}` });
}

/** Everything below the map. */
function showFit(lab) {
  const { fit, reading, link, part } = lab;
  lab.say(verdictOf(fit, link));
  const stress = fit.choices.method === "stress";
  part("spectrumTitle").innerHTML =
    `Spectrum of ${link("B", "<i>B</i>")} <small>${stress ? "of the start" : ""}</small>`;
  part("shepardTitle").innerHTML =
    `${link("shepard", "Shepard diagram")} <small>${link(stress ? "stress" : fit.choices.method, METHODS[fit.choices.method])}</small>`;
  drawSpectrum(part("spectrum"), fit.spectrum, fit.columns);
  drawShepard(part("shepard"), fit, lab.meta.unit);
  part("report").innerHTML = report(fit, reading, lab.meta.what, link);
  if (reading.repaired) part("report").append(` ${reading.repaired}`);
  part("dimensions").innerHTML = dimensionWords(fit, link);
  for (const name of ["stable", "chance", "curve"]) part(name).replaceChildren();
  lab.el.querySelector('[data-do="stable"]').disabled = reading.table.length < fit.choices.dimensions + 2;
  part("near").textContent = nearWords(fit, lab.view.chosen(), (i) => lab.nameOf(i));
  const { kinds } = groupsOf(reading.groups);
  part("legend").replaceChildren();
  kinds.slice(0, 24).forEach((kind, g) => {
    const entry = part("legend").appendChild(document.createElement("span"));
    const icon = svg(entry, "svg", {
      viewBox: "-7 -7 14 14",
      width: 14,
      height: 14,
      class: "kl-icon",
      "aria-hidden": "true",
    });
    svg(icon, "path", { d: SHAPES[g % SHAPES.length], class: `kl-c${g % COLOURS}` });
    entry.append(` ${kind} `);
  });
}

/** The text of a file's bytes: UTF-16 where they begin so, UTF-8, or else what Windows writes. */
export function textOf(bytes) {
  const begins = (...marks) => marks.every((mark, at) => bytes[at] === mark);
  if (begins(0xff, 0xfe)) return new TextDecoder("utf-16le").decode(bytes);
  if (begins(0xfe, 0xff)) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Read a file that was chosen or dropped. */
async function takeFile(lab, file) {
  if (!file) return;
  lab.part("text").value = "";
  const part = file.slice(0, 4 * MOST.characters + 4);
  const bytes = new Uint8Array(await part.arrayBuffer());
  const refused = noText(bytes);
  if (refused) return lab.accept(failed(refused));
  lab.take(textOf(bytes));
}

/** A button for each sample. */
function offerSamples(lab) {
  const { el, part } = lab;
  lab.samples.forEach((sample) => {
    const { name, title } = sample;
    const button = document.createElement("button");
    part("samples").insertBefore(button, el.querySelector(".kx-reset"));
    set(button, { type: "button", "data-sample": name });
    button.textContent = title;
    button.addEventListener("click", () => {
      lab.clearInput();
      lab.take(sample.text, sample);
    });
  });
}

/** Follow what the reader gives: text and files. */
function listenToInput(lab) {
  const { el, part } = lab;
  const box = part("text");
  const read = () => lab.take(box.value);
  el.querySelector('[data-do="clear"]').addEventListener("click", () => {
    box.value = "";
    box.focus();
  });
  el.querySelector('[data-do="forget"]').addEventListener("click", () => lab.forget());
  el.querySelector('[data-do="read"]').addEventListener("click", read);
  part("as").addEventListener("change", () => (box.value ? read() : lab.given && lab.take(...lab.given)));
  box.addEventListener("paste", (event) => {
    const pasted = event.clipboardData?.getData("text") ?? "";
    if (pasted.length > MOST.characters) {
      event.preventDefault();
      lab.take(pasted);
    } else setTimeout(read, 0);
  });
  const file = el.querySelector('input[type="file"]');
  file.addEventListener("click", () => (file.value = ""));
  file.addEventListener("change", () => takeFile(lab, file.files[0]));
  el.addEventListener("dragover", (event) => event.preventDefault());
  el.addEventListener("drop", (event) => {
    event.preventDefault();
    const dropped = event.dataTransfer.getData("text");
    if (event.dataTransfer.files.length) takeFile(lab, event.dataTransfer.files[0]);
    else if (dropped) {
      box.value = dropped.length > MOST.characters ? "" : dropped;
      lab.take(dropped);
    }
  });
}

/** Follow the choices of method, kernel, width and dimensions. */
function listenToChoices(lab) {
  const { el, part } = lab;
  const choose = (changes) => {
    Object.assign(lab.choices, changes);
    lab.refit();
  };
  Object.entries(METHODS).forEach(([method, name]) => {
    const button = part("methods").appendChild(document.createElement("button"));
    set(button, { type: "button", "data-method": method });
    button.textContent = name;
    button.addEventListener("click", () => choose({ method }));
  });
  el.querySelectorAll("select[data-choice]").forEach((select) =>
    select.addEventListener("change", () =>
      choose({
        [select.dataset.choice]: select.value,
        ...(["kernel", "metric"].includes(select.dataset.choice) ? { parameter: null } : {}),
      }),
    ),
  );
  el.querySelectorAll("[data-dimensions]").forEach((button) =>
    button.addEventListener("click", () => choose({ dimensions: Number(button.dataset.dimensions) })),
  );
  el.querySelector('[data-do="median"]').addEventListener("click", () => choose({ parameter: null }));
  const parameter = () => {
    const value = Number(part("width").value);
    return ["Power", "Polynomial"].includes(lab.choices.kernel) ? value : rounded(lab.start * 10 ** value);
  };
  lab.frames = eachFrame(() => lab.drag(parameter()));
  part("width").addEventListener("input", lab.frames.later);
  part("width").addEventListener("change", () => choose({ parameter: parameter() }));
}

/** Copy the code, or select it where the browser forbids that, and say so on the button. */
async function copyCode(code, button) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "copied";
  } catch {
    getSelection().selectAllChildren(code);
    button.textContent = "selected";
  }
  setTimeout(() => (button.textContent = "copy"), 2000);
}

/** Follow the buttons round the map and below it. */
function listenToOutput(lab) {
  const { el, part, view } = lab;
  const actions = {
    in: () => view.enlarge(1.4),
    out: () => view.enlarge(1 / 1.4),
    whole: () => {
      view.whole();
      if (lab.choices.dimensions === 3) lab.lay({ camera: null });
    },
    turn: () => lab.lay({ turn: turnedMore(lab.choices.turn, 2, { degrees: 15 }) }),
    flip: () => lab.lay({ turn: turnedMore(lab.choices.turn, lab.choices.dimensions, { mirrored: true }) }),
    stable: () => lab.stable(),
    chance: () => lab.chance(),
    stop: () => lab.job?.stop(),
    copy: () => copyCode(part("python"), el.querySelector('[data-do="copy"]')),
  };
  for (const [name, action] of Object.entries(actions))
    el.querySelector(`[data-do="${name}"]`).addEventListener("click", action);
  Object.entries(ALONG).forEach(([axes, camera]) => {
    const button = part("axes").appendChild(document.createElement("button"));
    set(button, { type: "button", "data-axes": axes });
    button.textContent = axes;
    button.addEventListener("click", () => lab.lay({ camera }));
  });
  el.querySelectorAll("[data-save]").forEach((button) =>
    button.addEventListener("click", () => saveAs(lab, button.dataset.save)),
  );
  part("look").addEventListener("change", () => part("look").value && view.look(Number(part("look").value)));
}

function render({ model, el }) {
  const lab = new Laboratory(model, el);
  offerSamples(lab);
  listenToInput(lab);
  listenToChoices(lab);
  listenToOutput(lab);
  lab.load();
  const follow = () => {
    if (lab.telling) return;
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

const unlinked = ["samples", "library", "kind", "table", "names", "groups", "points"];

export default { render, unlinked };
