// Compare: another map of the same objects is laid on the one that is shown.

/** Another map turned, shifted and stretched onto one: its points, m squared, and how far each lies off. */
export function laidOn(points, k, other) {
  const { points: laid, residual } = procrustesAlign(other, k, points, { scaling: true });
  const centred = centredColumns(points, k);
  const gaps = Array.from({ length: points.length / k }, (_, i) => Math.sqrt(squaredDistance(points, i, laid, i, k)));
  return { points: laid, mSquared: residual ** 2 / (dot(centred, centred) || 1), gaps };
}

/** What a comparison says. */
export function comparedWords({ mSquared, gaps }, title, nameOf) {
  const far = [...gaps.keys()].sort((i, j) => gaps[j] - gaps[i]).slice(0, 3);
  const apart = mSquared > 1e-6 ? ` Farthest apart: ${far.map(nameOf).join(", ")}.` : "";
  return `Hollow marks: ${title}, laid on this map. m\u00b2 = ${text(mSquared, 3)}, where 0 is agreement up to turn, shift and scale, and 1 nothing in common.${apart}`;
}

/** The map of another reading of the same objects, in the order of the first. */
export function* otherJob({ reading, choices, names, count }) {
  const { kind, table, texts, wrong } = reading;
  if (wrong) throw new Error(wrong.sentence);
  const order = orderIn(names, reading.names, count, table.length);
  if (!order && table.length === count) throw new Error("The objects of this table have other names.");
  if (!order) throw new Error(`This table has ${table.length} objects, and the map has ${count}.`);
  const cleaned = cleanChoices(choices, kind, count, { patchy: isPatchy(table) });
  const { points } = yield* quietly(fitJob({ kind, table, texts, choices: cleaned }));
  const k = cleaned.dimensions;
  return { points: crossTable(count, k, (i, c) => points[order[i] * k + c]), order, method: cleaned.method };
}

/** The columns of another table of points, in the order of the first. */
export function columnsAdded(reading, order) {
  const inOrder = ({ title, values, cells }) =>
    values ? { title, values: order.map((i) => values[i]) } : { title, cells: order.map((i) => cells[i]) };
  return reading.kind === "points" ? columnsIn(reading).map(inOrder) : [];
}

/** Buttons for the maps of single judges, and one that ends a comparison. */
function showComparison(lab) {
  const judges = (lab.reading.judges ?? []).slice(0, LISTED);
  const compare = ({ title, table }) => compareWith(lab, { ...lab.reading, table, texts: [] }, title);
  lab.part("judgeMaps").replaceChildren(...judges.map((judge) => buttonOf(judge.title, () => compare(judge))));
  lab.el.querySelector('[data-do="apart"]').hidden = !lab.other;
}

/** Compare the map with that of another reading, whose columns join those that colour it; or of other choices. */
function compareWith(lab, reading, title, choices = { ...lab.fit?.choices, parameter: null }) {
  if (lab.job || !lab.fit) return;
  const { names, table } = lab.reading;
  const show = ({ points, order, method }) => {
    lab.other = { points, title: `${title}, by ${METHODS[method]}` };
    if (reading !== lab.reading) lab.choices.kept = null;
    if (reading !== lab.reading && reading.kind === "points") lab.added = columnsAdded(reading, order);
    lab.refresh();
  };
  lab.part("unlike").textContent = "";
  const request = { reading, choices, names, count: table.length };
  lab.ask("other", request, show, (why) => (lab.part("unlike").textContent = why));
}

/** Keep the map that is shown, for a comparison with the next one, also in a link; or end a comparison. */
function keepMap(lab, isKept) {
  if (!lab.fit) return;
  const fit = fitOf(lab.fit.choices);
  lab.choices.kept = isKept ? fit : null;
  lab.other = isKept ? { points: lab.shown.slice(), title: `${KEPT_MAP}, by ${METHODS[fit.method]}` } : null;
  lab.refresh();
}

const KEPT_MAP = "the map that was kept";

/** Map once more what a link says was kept. */
function compareWithKept(lab) {
  const { kept, dimensions } = lab.choices;
  if (kept?.dimensions === dimensions && !lab.other) compareWith(lab, lab.reading, KEPT_MAP, kept);
}
