// Compare: several tables of the same objects: one judgement made again and again, of which the mean is
// mapped, or another map laid on the one that is shown.

const LISTED = 30;

/** The tables of a text, between blank lines or under R's lines like ", , 2": [{ title, text }]. */
function severalTexts(text) {
  const parts = text.replace(/\r\n?/g, "\n").split(/\n\s*\n/);
  const found = [];
  let title = "";
  for (const part of parts.filter((each) => each.trim())) {
    const [, sliced, rest] = part.match(/^\s*(?:, , *(.*)|#+ *(.*))(?:\n|$)/) ?? [];
    title = sliced ?? rest ?? title;
    const own = part.replace(/^\s*, , .*(\n|$)/, "");
    if (!own.replace(/^#.*$/gm, "").trim()) continue;
    found.push({ title: title.trim() || `table ${found.length + 1}`, text: own });
    title = "";
  }
  return found;
}

/** A square table with its objects in another order. */
const reordered = (table, order) => order.map((i) => order.map((j) => table[i][j]));

/** Where each of some objects stands in another table of them: by name, else in their order; or null. */
function orderIn(names, others, n, count) {
  if (n !== count) return null;
  const inOrder = Array.from({ length: n }, (_, i) => i);
  if (!names || !others || new Set(names).size < n) return inOrder;
  const order = names.map((name) => others.indexOf(name));
  return order.includes(-1) ? null : order;
}

/** How far a table lies from another one, as a part of that one's size. */
function tableDistance(table, from) {
  const gaps = table.map((row, i) => row.map((x, j) => x - from[i][j]));
  const size = squaresOf(from);
  return size > 0 ? Math.sqrt(squaresOf(gaps) / size) : 0;
}

/** Read a text: a table, or several square tables of the same objects, of which the mean is taken. */
export function readTables(words, options = {}) {
  const parts = words.length > MOST.characters ? [] : severalTexts(words);
  if (parts.length < 2) return readTable(words, options);
  const readings = parts.map(({ text }) => readTable(text, options));
  const [first] = readings;
  const isAlike = ({ kind, table }) => kind === first.kind && table.length === first.table.length;
  if (first.kind === null || first.kind === "points" || first.table.length < 3 || !readings.every(isAlike))
    return sizesApart(readTable(words, options), readings, parts, options);
  const orders = readings.map(({ names, table }) => orderIn(first.names, names, first.table.length, table.length));
  if (orders.includes(null)) return failed("Several tables were found, and their objects have different names.");
  const at = readings.findIndex(({ wrong }) => wrong);
  if (at >= 0) return failed(`In ${parts[at].title}: ${readings[at].wrong.sentence}`);
  const tables = readings.map(({ table }, j) => reordered(table, orders[j]));
  return meanOf(first, parts.map(({ title }, j) => ({ title, table: tables[j] })));
}

/** A refusal of several tables that are no judgements of the same objects, with a button for each; other readings stay. */
function sizesApart(whole, readings, parts, options) {
  if (!whole.wrong || readings.some(({ wrong, table }) => wrong || table.length < 3)) return whole;
  const sizes = readings.map(({ table }) => table.length).join(" and ");
  const again = parts.map(({ title, text }) => ({ words: `read ${title}`, why: "", text, options }));
  return failed(`Several tables were found, with ${sizes} rows. Choose one, or give tables of the same objects.`, again);
}

/** The reading of the mean of several tables. */
function meanOf(first, judges) {
  const table = first.table.map((row, i) =>
    row.map((_, j) => judges.reduce((sum, judge) => sum + judge.table[i][j], 0) / judges.length),
  );
  const note = `It is the mean of ${judges.length} tables.`;
  const found = { ...first, table, judges, made: `the mean of ${judges.length} tables` };
  found.said = saidBack(found, found.about);
  return told({ ...found, repaired: note }, note);
}

/** How far each judge is from the mean, the farthest first. */
export function judgeWords({ judges, table }) {
  if (!judges) return "";
  const far = judges
    .map(({ title, table: own }) => [title, tableDistance(own, table)])
    .sort(([, a], [, b]) => b - a);
  const listed = far.slice(0, LISTED).map(([title, part]) => `${title} ${text(100 * part, 0)} %`);
  const more = far.length > LISTED ? `, and ${far.length - LISTED} more` : "";
  return `Distance of each table to the mean, as a part of the mean\u2019s size, the farthest first: ${listed.join(", ")}${more}. Weighted models, with axes stretched for each judge, are not fitted here.`;
}

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
  lab.button("apart").hidden = !lab.other;
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
