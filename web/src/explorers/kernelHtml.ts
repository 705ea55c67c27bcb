// The HTML of the explorer of kernels.

import { buttonGroup } from "../ui/buttons.ts";
import { KERNEL_NAMES, PRESETS, type State } from "./kernelModel.ts";

const named = (list: (string | number)[]) => Object.fromEntries(list.map((name) => [name, name]));
const EDITS = { add: "add a point at x", next: "next point", remove: "remove point" };

export function htmlOf(show: State["show"]) {
  const components = buttonGroup("Component", "component", named([1, 2, 3, 4]), "modes");
  const { DampedCosine, Power, ...definite } = KERNEL_NAMES;
  const kernels = show === "function" ? definite : KERNEL_NAMES;
  return `
  <div class="kx-columns">
    <div class="kx-column">
      <section class="kx-always kx-above-verdict"><p class="kx-title"><span data-part="field"></span></p>
        <div data-part="points"></div>
        <p class="kx-note" data-show="definiteness" data-part="read"></p>
        <div class="kx-bar" data-show="component">${components}</div>
        <div class="kx-bar" data-show="definiteness function">${buttonGroup("Kernel", "kernel", kernels, "modes")}</div>
        <p class="kx-note" data-show="definiteness function" data-part="formula"></p></section>
      <section class="kx-always kx-ranges kx-control" data-part="parameters"></section>
    ${show === "definiteness" ? '</div><div class="kx-column">' : ""}
      <section class="kx-always kx-control">
        <div class="kx-bar">${buttonGroup("Points", "preset", named(PRESETS))}</div></section>
      <section class="kx-control" data-show="definiteness">
        <div class="kx-bar">${buttonGroup("Edit points", "edit", EDITS)}</div></section>
      <section data-show="definiteness"><p class="kx-title">Matrix <i>K</i></p>
        <div data-part="matrix"></div></section>
      <section class="kx-always" data-show="definiteness"><p class="kx-title">Eigenvalues of <i>K</i></p>
        <div data-part="spectrum"></div><p class="kx-note" data-part="values"></p></section>
    </div>
  </div>`;
}
