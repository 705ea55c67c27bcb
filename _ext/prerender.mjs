// Draw an explorer's first state: reads {module, state} from stdin, writes the HTML to stdout.
// What cannot work without the script is switched off: it is switched on when the page mounts it.
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

// figures.js puts the button here that copies a link.
const { outerHTML } = el.querySelector(".kx-reset");
el.querySelector(".kx-reset").insertAdjacentHTML("afterend", outerHTML.replace("kx-reset", "kx-link").replace("reset", "copy link"));

// The theme hides what has this class from readers without JavaScript.
for (const bar of el.querySelectorAll(".kx-bar")) bar.classList.add("pst-js-only");
for (const control of el.querySelectorAll(".kx-control")) control.classList.add("pst-js-only");
for (const control of el.querySelectorAll("button, input, select")) control.setAttribute("disabled", "");
for (const input of el.querySelectorAll("input")) input.setAttribute("value", input.value);
for (const handle of el.querySelectorAll('[role="slider"]')) {
  for (const name of handle.getAttributeNames()) {
    if (name === "role" || name === "tabindex" || name.startsWith("aria-")) handle.removeAttribute(name);
  }
}
for (const spoken of el.querySelectorAll("[aria-live]")) spoken.removeAttribute("aria-live");
process.stdout.write(el.outerHTML);
