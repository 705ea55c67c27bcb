// Draw the first state of an explorer: read {module, state} from stdin and write HTML to stdout.
// Controls are disabled, because they need the script; figures.js replaces them by working ones.
import { readFileSync } from "node:fs";
import { parseHTML } from "./browser/node_modules/linkedom/worker.js";

const { module, state } = JSON.parse(readFileSync(0, "utf8"));
const { document } = parseHTML("<!doctype html><html><body><div></div></body></html>");
globalThis.document = document;

const { default: explorer } = await import(
  `data:text/javascript;base64,${Buffer.from(module).toString("base64")}`
);
const el = document.querySelector("div");
explorer.render({ el, model: { get: (name) => state[name], set() {}, save_changes() {}, on() {}, off() {} } });

// Reserve the place of the button that copies a link, which figures.js adds.
const { outerHTML } = el.querySelector(".kx-reset");
el.querySelector(".kx-reset").insertAdjacentHTML("afterend", outerHTML.replace("kx-reset", "kx-link").replace("reset", "copy link"));

// The theme hides elements with this class if JavaScript is off.
for (const bar of el.querySelectorAll(".kx-bar")) bar.classList.add("pst-js-only");
for (const control of el.querySelectorAll(".kx-control")) control.classList.add("pst-js-only");
for (const control of el.querySelectorAll("button, input, select, textarea")) control.setAttribute("disabled", "");
for (const input of el.querySelectorAll("input")) input.setAttribute("value", input.value);
for (const handle of el.querySelectorAll('[role="slider"]')) {
  for (const name of handle.getAttributeNames()) {
    if (name === "role" || name === "tabindex" || name.startsWith("aria-")) handle.removeAttribute(name);
  }
}
for (const spoken of el.querySelectorAll("[aria-live]")) spoken.removeAttribute("aria-live");
process.stdout.write(el.outerHTML);
