// The description of the table that was read, with corrections and other ways to read it.

import { scrollTo } from "../../ui/frames.ts";
import { setAttributes } from "../../ui/svg.ts";
import { plural, readableNumber, someOf } from "../../ui/text.ts";
import type { LaboratoryData } from "../fitting/laboratoryData.ts";
import type { Laboratory } from "../laboratory.ts";
import { drawExcerpt } from "../map/laboratoryCharts.ts";
import { type Correction, correctionsOf } from "../reading/corrections.ts";
import type { Kind, ParsedTable } from "../reading/parsedTable.ts";
import { makeButton, offerButtons } from "./buttons.ts";
import type { LaboratoryPage } from "./controls.ts";

const KINDS = { dissimilarities: "dissimilarities", gram: "similarities", points: "points" };

/** Describe the range of the values, without the diagonal of a matrix, and count missing values. */
function rangeWords({ kind, table }: ParsedTable, unit: string) {
  let [low, high, missing] = [Infinity, -Infinity, 0];
  table.forEach((row, i) =>
    row.forEach((x, j) => {
      if (kind !== "points" && i === j) return;
      if (Number.isNaN(x)) missing += 1;
      else [low, high] = [Math.min(low, x), Math.max(high, x)];
    }),
  );
  const none = missing ? ` ${plural(missing, "value is", "values are")} missing.` : "";
  if (low > high) return none;
  return `Values from ${readableNumber(low)} to ${readableNumber(high)}${unit && ` ${unit}`}.${none}`;
}

/** Describe the columns of words, of which one may colour the map. */
function wordColumns({ kind, texts, groups, groupTitle }: ParsedTable) {
  const others = texts.map(({ title }) => title).filter((title) => title !== groupTitle);
  const colours = groups && `Colours: ${groupTitle} (${new Set(groups).size} kinds).`;
  const words = kind === "points" && others.length > 0 && `Columns of words: ${someOf(others)}.`;
  return [words, colours].filter(Boolean).join(" ");
}

/** Describe a table: the kind, the number of objects, and what was changed. */
function summaryOf(
  { kind, table, columns, notes, changes }: ParsedTable,
  { what }: LaboratoryData["meta"],
): string {
  const count = `${table.length} ${what || "objects"}`;
  const named = columns.filter(Boolean);
  const titles = named.length ? ` (${someOf(named)})` : "";
  const variables = plural(table[0].length, "variable") + titles;
  const shape = kind === "points" ? variables : kind && KINDS[kind];
  return [`${count}, ${shape}.`, ...notes, ...changes].join(" ");
}

/** Describe the names and the values of a table, and the source of an example. */
function valuesOf(parsed: ParsedTable, { what, unit }: LaboratoryData["meta"], source?: string) {
  const { names, layout } = parsed;
  const listed = names ? `Names: ${someOf(names)}.` : "No names.";
  const read = layout && !what ? `Layout: ${layout}.` : "";
  const sentences = [listed, rangeWords(parsed, unit), read, wordColumns(parsed), source];
  return sentences.filter(Boolean).join(" ");
}

/** Show a button for each correction, which opens the corrected table. */
export function offerCorrections(
  host: HTMLElement,
  corrections: Correction[],
  open: (parsed: ParsedTable) => void,
): void {
  const buttonOf = ({ words, apply }: Correction) => makeButton(words, () => open(apply()));
  offerButtons(host, corrections.map(buttonOf));
}

/** Show buttons that read the same text as another kind of table. */
function offerKinds(lab: Laboratory) {
  const { parsed, source, meta } = lab.data;
  const { kind, table } = parsed;
  const [words, options] = source ?? ["", {}];
  const press = (as: Kind) => () => lab.readText(words, { ...options, as });
  const kinds = Object.entries(KINDS) as [Kind, string][];
  const buttons = kinds.map(([as, name]) =>
    makeButton(name, press(as), { "aria-pressed": as === kind }),
  );
  lab.page.part("kinds").hidden = !source || Boolean(meta.name) || !table.length;
  lab.page.part("kindButtons").replaceChildren(...buttons);
}

/** Show what was read, with the first rows in a fold, or why nothing was, and the corrections. */
export function showTable(lab: Laboratory, note: string) {
  const { part } = lab.page;
  const { parsed, meta } = lab.data;
  const { fault, table } = parsed;
  const example = lab.samples.find(({ name }) => name === meta.name);
  const corrections = example ? [] : correctionsOf(parsed);
  const isRead = table.length > 0;
  const asked = corrections.map(({ why }) => why);
  const sentence = isRead && fault ? fault.sentence : "";
  part("table").hidden = !isRead;
  part<HTMLDetailsElement>("table").open = Boolean(fault);
  part("summary").textContent = isRead ? summaryOf(parsed, meta) : "";
  part("values").textContent = isRead ? valuesOf(parsed, meta, example?.note) : "";
  const lines = [sentence, asked.filter(Boolean).join(" "), note].filter(Boolean);
  const lineOf = (textContent: string) =>
    Object.assign(document.createElement("p"), { textContent });
  part("question").replaceChildren(...lines.map(lineOf));
  if (sentence)
    part("question").children[0].className = fault?.isQuestion ? "kl-question" : "kl-rejected";
  part("rejected").textContent = isRead ? "" : (fault?.sentence ?? "");
  offerCorrections(part("corrections"), corrections, (table) => lab.openTable(table));
  offerKinds(lab);
  part("excerpt").replaceChildren();
  if (isRead) drawExcerpt(part("excerpt"), parsed, fault?.entry ?? null);
  // With a fault, hide the map of the previous table, and show what is wrong.
  part("out").hidden = Boolean(fault);
  part<HTMLDetailsElement>("input").open ||= !isRead;
  if (fault) scrollTo(part(isRead ? "table" : "rejected"), isRead ? "start" : "center");
  for (const button of part("samples").querySelectorAll<HTMLElement>("[data-sample]"))
    setAttributes(button, { "aria-pressed": !fault && button.dataset.sample === meta.name });
}

/** Open the field for a table, and scroll to it. */
export function openInput({ part }: LaboratoryPage) {
  part<HTMLDetailsElement>("input").open = true;
  part("text").focus({ preventScroll: true });
  scrollTo(part("input"), "start");
}

/** Fold the input of an own table; scroll to the map, or to the table if something was asked. */
export function scrollToMap({ part }: LaboratoryPage, { meta }: LaboratoryData) {
  const input = part<HTMLDetailsElement>("input");
  if (input.contains(document.activeElement))
    input.querySelector("summary")?.focus({ preventScroll: true });
  input.open &&= Boolean(meta.name);
  if (part("corrections").hidden) scrollTo(part("map"), "nearest");
  else scrollTo(part("table"), "start");
}
