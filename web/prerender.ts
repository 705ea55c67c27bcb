// Draw explorers in their first state: read [{ explorer, state }, ...] from stdin, and write an
// array of HTML to stdout. Controls are disabled, because they need the script of the page, which
// replaces them by working ones. With the name of a `panel`, only the drawing in it is written,
// with the class of the explorer's style; or null if there is none.

import { readFileSync } from "node:fs";
import { parseHTML } from "./node_modules/linkedom/worker.js";
import { partOf } from "./src/ui/verdict.ts";

type Request = { explorer: string; state: Record<string, unknown>; panel?: string };

const HANDLE_ATTRIBUTES = /^(role|tabindex|aria-.*)$/;

/** Remove what needs a script: the theme hides elements with this class if JavaScript is off. */
function disableControls(el: Element) {
  for (const control of el.querySelectorAll(".kx-bar, .kx-control")) {
    control.classList.add("pst-js-only");
  }
  for (const control of el.querySelectorAll("button, input, select, textarea")) {
    control.setAttribute("disabled", "");
  }
  for (const input of el.querySelectorAll("input")) input.setAttribute("value", input.value);
  for (const handle of el.querySelectorAll('[role="slider"]')) {
    const names = handle.getAttributeNames().filter((name) => HANDLE_ATTRIBUTES.test(name));
    for (const name of names) handle.removeAttribute(name);
  }
  for (const spoken of el.querySelectorAll("[aria-live]")) spoken.removeAttribute("aria-live");
}

/** Return the drawing in a panel, without text, which fills its place in the gallery. */
function thumbnail(el: Element, panel: string) {
  const drawing = el.querySelector(`[data-part="${panel}"]`)?.firstElementChild;
  if (!drawing?.matches("svg, canvas")) return null;
  for (const text of drawing.querySelectorAll("text, .kx-leader")) text.remove();
  const isMap = drawing.matches(".kx-plane, .kx-frame");
  drawing.setAttribute("preserveAspectRatio", isMap ? "xMidYMid slice" : "none");
  return { className: [...el.classList][1], panel: drawing.outerHTML };
}

/** Return the HTML of an explorer in its first state. */
async function draw({ explorer, state, panel }: Request) {
  const folder = explorer === "laboratory" ? "laboratory" : "explorers";
  const { default: module } = await import(`./src/${folder}/${explorer}.ts`);
  const { document } = parseHTML("<!doctype html><html><body><div></div></body></html>");
  globalThis.document = document;
  const el = document.querySelector("div");
  const get = (name: string) => state[name];
  module.render({ el, model: { get, set() {}, save_changes() {}, on() {}, off() {} } });
  // Reserve the place of the button that copies a link, which the script of the page adds.
  const reset = partOf(el, ".kx-reset");
  const link = reset.outerHTML.replace("kx-reset", "kx-link").replace("reset", "copy link");
  reset.insertAdjacentHTML("afterend", link);
  disableControls(el);
  if (panel) return thumbnail(el, panel);
  return el.outerHTML;
}

const html = [];
for (const request of JSON.parse(readFileSync(0, "utf8"))) html.push(await draw(request));
process.stdout.write(JSON.stringify(html));
