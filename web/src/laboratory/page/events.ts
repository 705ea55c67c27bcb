// Events of the page: files, text, choices and buttons.

import { eachFrame } from "../../ui/frames.ts";
import { partOf } from "../../ui/verdict.ts";
import { keysOf, METHODS, RANGES } from "../fitting/fitOptions.ts";
import { rounded } from "../fitting/fits.ts";
import { AXIS_VIEWS, rotatedFurther } from "../fitting/mapRotations.ts";
import type { Laboratory } from "../laboratory.ts";
import { binaryFileReason, textOf } from "../reading/files.ts";
import { LIMITS } from "../reading/limits.ts";
import { rejected } from "../reading/tableFaults.ts";
import { readTable } from "../reading/tableParser.ts";
import { makeButton } from "./buttons.ts";
import { checkDimensions, checkStability, compareWith, keepMap } from "./comparisonButtons.ts";
import type { LaboratoryPage } from "./controls.ts";
import { EXAMPLES } from "./examples.ts";
import { saveAs } from "./export.ts";
import { scrollToMap } from "./tablePanel.ts";

async function readFile(lab: Laboratory, [file, ...others]: FileList) {
  if (!file) return;
  if (others.length)
    return lab.openTable(rejected("Several files were dropped. Drop one of them."));
  lab.clearInput();
  const bytes = new Uint8Array(await file.slice(0, 4 * LIMITS.characters + 4).arrayBuffer());
  const reason = binaryFileReason(bytes);
  if (reason) return lab.openTable(rejected(reason));
  const { text, note } = textOf(bytes);
  lab.readText(text, { note });
}

export function offerSamples(lab: Laboratory) {
  for (const sample of lab.samples) {
    const show = () => {
      lab.clearInput();
      lab.readText(sample.text, { ...sample, note: "" });
      scrollToMap(lab.page, lab.data);
    };
    const button = makeButton(sample.title, show, { "data-sample": sample.name });
    lab.page.button("recall").before(button);
  }
}

/** Call functions when the buttons with their names are pressed. */
function onAction(page: LaboratoryPage, acts: Record<string, () => void>) {
  for (const [name, act] of Object.entries(acts)) page.button(name).addEventListener("click", act);
}

/** Read texts and files that the reader enters. */
export function listenToInput(lab: Laboratory) {
  const { el, part } = lab.page;
  const box = part<HTMLTextAreaElement>("text");
  [[, box.placeholder]] = EXAMPLES;
  const read = () => lab.readText(box.value);
  const clear = () => {
    lab.clearInput();
    box.focus();
  };
  const readNew = (text: string) => {
    box.value = text.length > LIMITS.charactersInField ? "" : text;
    lab.readText(text);
  };
  const forget = () => {
    lab.stored.remove();
    part("question").textContent = "The table was deleted from this browser.";
  };
  const recall = () => {
    const stored = lab.stored.read();
    if (stored) lab.openOwnTable(stored, null);
    else forget(); // it was deleted on another page
  };
  onAction(lab.page, { read, clear, recall, forget });
  for (const [name, text] of EXAMPLES)
    part("examples").append(makeButton(name, () => readNew(text)));
  box.addEventListener("input", () => lab.setUnread(Boolean(box.value.trim())));
  box.addEventListener("beforeinput", (event) => {
    const pasted = event.data ?? "";
    // A keyboard on a screen may insert what it pastes as if it were typed.
    if (event.inputType !== "insertFromPaste" && !/\n./.test(pasted)) return;
    if (pasted.length <= LIMITS.charactersInField) return void setTimeout(read, 0);
    event.preventDefault();
    readNew(pasted);
  });
  const file = partOf<HTMLInputElement>(el, 'input[type="file"]');
  file.addEventListener("click", () => (file.value = ""));
  file.addEventListener("change", () => file.files && readFile(lab, file.files));
  el.addEventListener("dragover", (event) => event.preventDefault());
  el.addEventListener("drop", (event) => {
    event.preventDefault();
    const dropped = event.dataTransfer?.getData("text");
    if (event.dataTransfer?.files.length) readFile(lab, event.dataTransfer.files);
    else if (dropped) readNew(dropped);
  });
}

/** Follow the choices of a method; return what draws the map while the slider moves. */
export function listenToChoices(lab: Laboratory) {
  const { el, part } = lab.page;
  const width = part<HTMLInputElement>("width");
  const choose = lab.choose.bind(lab);
  for (const method of keysOf(METHODS)) {
    const press = () => choose({ method });
    part("methods").append(makeButton(METHODS[method], press, { "data-method": method }));
  }
  for (const select of el.querySelectorAll("select")) {
    const name = select.getAttribute("data-choice");
    if (!name) continue;
    const reset = ["kernel", "metric"].includes(name) ? { parameter: null } : {};
    select.addEventListener("change", () => choose({ [name]: select.value, ...reset }));
  }
  for (const button of el.querySelectorAll("[data-dimensions]")) {
    const dimensions = Number(button.getAttribute("data-dimensions"));
    button.addEventListener("click", () => choose({ dimensions }));
  }
  onAction(lab.page, { median: () => choose({ parameter: null }) });
  const parameter = () => {
    const value = Number(width.value);
    return RANGES[lab.choices.kernel] ? value : rounded(Number(width.dataset.median) * 10 ** value);
  };
  const frames = eachFrame(() => lab.drag(parameter()));
  width.addEventListener("input", frames.later);
  width.addEventListener("change", () => choose({ parameter: parameter() }));
  return frames;
}

/** Copy the code, or select it if the browser forbids copying; say which on the button. */
async function copyCode(code: Element, button: Element) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "copied";
  } catch {
    getSelection()?.selectAllChildren(code);
    button.textContent = "selected";
  }
  setTimeout(() => (button.textContent = "copy"), 2000);
}

/** Follow the buttons beside the map and below it. */
export function listenToOutput(lab: Laboratory) {
  const { el, part } = lab.page;
  const { view } = lab.map;
  const rotate = (k: number, change: { degrees?: number; mirrored?: boolean }) =>
    lab.orient({ rotation: rotatedFurther(lab.choices.rotation, k, change) });
  const selectOf = part<HTMLSelectElement>;
  for (const name of ["colour", "labels"] as const)
    selectOf(name).addEventListener("change", () => lab.refresh({ [name]: selectOf(name).value }));
  onAction(lab.page, {
    in: () => view.enlarge(1.4),
    out: () => view.enlarge(1 / 1.4),
    whole: () => {
      view.showAll();
      if (lab.choices.dimensions === 3) lab.orient({ camera: null });
    },
    rotate: () => rotate(2, { degrees: 15 }),
    flip: () => rotate(lab.choices.dimensions, { mirrored: true }),
    stable: () => checkStability(lab),
    chance: () => checkDimensions(lab),
    stop: () => lab.runner.finish(),
    arrows: () => lab.refresh({ arrows: !lab.choices.arrows }),
    keep: () => keepMap(lab, true),
    endComparison: () => keepMap(lab, false),
    second: () =>
      compareWith(lab, readTable(part<HTMLTextAreaElement>("second").value), "the other table"),
    copy: () => copyCode(part("python"), lab.page.button("copy")),
  });
  for (const [axes, camera] of Object.entries(AXIS_VIEWS))
    part("axes").append(makeButton(axes, () => lab.orient({ camera }), { "data-axes": axes }));
  for (const button of el.querySelectorAll("[data-save]"))
    button.addEventListener("click", () => saveAs(lab, button.getAttribute("data-save")));
  const object = selectOf("object");
  object.addEventListener("change", () => object.value && view.choose(Number(object.value)));
}
