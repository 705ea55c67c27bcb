// The HTML of the explorer of kernels.

import { buttonGroup } from "../ui/buttons.js";
import { RESET } from "../ui/state.js";
import { VERDICT } from "../ui/verdict.js";
import { ASKED, FAMILIES, PRESETS } from "./kernelModel.js";

/** The HTML for one of the two questions. */
export function pageOf(asks) {
  const names = (list) => Object.fromEntries(list.map((name) => [name, name]));
  const hand = { add: "add a point at x", next: "next point", remove: "remove it" };
  const components = buttonGroup("Component", "component", names([1, 2, 3, 4]), "modes");
  const centring = { all: "centred", fit: "forget it for x", none: "forget to centre" };
  const matrix = `<section style="--order:6"><p class="kx-title"><span data-part="name"></span>
    <small data-part="formula"></small></p>
    <div data-part="matrix"></div></section>`;
  const map = `<section style="--order:4"><p
    class="kx-title">Map <small>components 1 and 2, turned to the last map</small></p>
    <div class="kx-bar">${buttonGroup("Centring", "centring", centring, "modes")}</div>
    <div data-part="map"></div></section>`;
  return `
  <p class="kx-question">${ASKED[asks]}</p>
  <div class="kx-bar"
    style="--order:4">${buttonGroup("Points", "preset", names(PRESETS), "samples")}<span
      >${RESET}</span></div>
  <div class="kx-bar"
    style="--order:3">${buttonGroup("Kernel", "kernel", names(Object.keys(FAMILIES)), "modes")}</div
    >
  <div class="kx-ranges kx-control" style="--order:2" data-part="parameters"></div>
  ${VERDICT}
  <div class="kx-columns">
    <div class="kx-column">
      <section style="--order:1"><p class="kx-title"><span data-part="field"></span> <small
        class="kx-control">drag the points, and <i>x</i></small></p>
        ${asks === "components" ? `<div class="kx-bar">${components}</div>` : ""}
        <div data-part="points"></div></section>
      <section style="--order:5"><div
        class="kx-bar">${buttonGroup("Points by hand", "edit", hand, "actions")}</div>
        <p class="kx-note" data-part="read"></p></section>
      ${asks === "components" ? matrix : ""}
    </div>
    <div class="kx-column">
      <section style="--order:2"><p class="kx-title">Eigenvalues of <span data-part="of"></span></p>
        <div data-part="spectrum"></div><p class="kx-note" data-part="values"></p></section>
      ${asks === "components" ? map : matrix}
    </div>
  </div>`;
}
