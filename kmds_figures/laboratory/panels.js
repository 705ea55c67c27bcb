// Panels: what the page shows of a table, of the choices and of a fit.

function fillSelect(select, options, chosen = null) {
  select.replaceChildren(
    ...options.map(([value, words]) => {
      const option = document.createElement("option");
      option.setAttribute("value", value);
      option.selected = value === chosen;
      option.textContent = words;
      return option;
    }),
  );
}

/** A button with its words, and what it does. */
function buttonOf(words, act, attributes = {}) {
  const button = document.createElement("button");
  set(button, { type: "button", ...attributes });
  button.textContent = words;
  button.addEventListener("click", act);
  return button;
}

/** A button for each repair; its table is checked and mapped as one that was read. */
function offerRepairs(lab, repairs, part = "repairs") {
  const press = ({ mend, metric = lab.choices.metric }) => {
    lab.choices.metric = metric;
    lab.accept(mend());
  };
  lab.part(part).hidden = !repairs.length;
  lab.part(part).replaceChildren(...repairs.map((each) => buttonOf(each.words, () => press(each))));
}

/** Show which choices are made and which can be. */
function showChoices(lab) {
  const { choices, reading: { kind, table }, el } = lab;
  const patchy = isPatchy(table);
  const large = table.length > MOST.whole;
  const methods = methodsFor(kind, { metric: choices.metric, patchy, large });
  const by = {
    classical: choices.method === "classical" && !large,
    stress: choices.method === "stress" && !patchy,
    points: kind === "points",
    plane: choices.dimensions === 2,
    solid: choices.dimensions === 3,
    whole: !large,
    columns: columnsIn(lab.reading, lab.added).length > 0,
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
  lab.part("about").innerHTML = aboutMethod(choices, kind, lab.link, large);
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
  showNotes(lab);
}

/** What stands below the map: its marks, its arrows, and how it compares. */
function showNotes(lab) {
  const { apart, other, reading, added, fit } = lab;
  lab.part("compared").textContent = apart ? comparedWords(apart, other.title, (i) => lab.nameOf(i)) : "";
  const numeric = columnsIn(reading, added).filter(({ values }) => values);
  lab.part("grown").textContent = arrowWords(shownArrows(lab, fit.choices.dimensions), numeric.length);
  showLegend(lab);
  showComparison(lab);
}

/** What the marks of the map stand for. */
function showLegend({ part, kinds: { kinds, look } }) {
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
    svg(icon, "path", look(g));
    entry.append(` ${kind} `);
  });
}
