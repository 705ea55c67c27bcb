// Run the bundle of a widget on its own, as in Jupyter, and write the HTML that it draws.

import { readFileSync } from "node:fs";
import { parseHTML } from "../../web/node_modules/linkedom/worker.js";

const { bundle, state } = JSON.parse(readFileSync(0, "utf8"));
const { document } = parseHTML("<html><body><div></div></body></html>");
globalThis.document = document;
const widget = (await import(`data:text/javascript,${encodeURIComponent(bundle)}`)).default;
const el = document.querySelector("div");
const model = {
  get: (/** @type {string} */ name) => state[name],
  set() {},
  save_changes() {},
  on() {},
  off() {},
};
widget.render({ el, model });
process.stdout.write(JSON.stringify(el.outerHTML));
