// The HTML of the explorer of kernels.

import { buttonGroup } from "../ui/buttons.js";
import { RESET } from "../ui/state.js";
import { VERDICT } from "../ui/verdict.js";
import { isAboutComponents, KERNEL_NAMES, PRESETS } from "./kernelModel.js";

const named = (list) => Object.fromEntries(list.map((name) => [name, name]));
const EDITS = { add: "add a point at x", next: "next point", remove: "remove point" };
const CENTRING = { all: "centred", fit: "x not centred", none: "not centred" };

const MAP_SECTION = `
  <section class="kx-main kx-first" data-show="components"><p class="kx-title">Map <small>components 1 and 2</small></p>
    <div data-part="map"></div>
    <div class="kx-bar">${buttonGroup("Centring", "centring", CENTRING, "modes")}</div></section>`;

const MATRIX_SECTION = `
  <section><p class="kx-title">Matrix <span data-part="name"></span></p>
    <div data-part="matrix"></div></section>`;

const SPECTRUM_SECTION = `
  <section class="kx-main kx-first"><p class="kx-title">Eigenvalues of <span data-part="of"></span></p>
    <div data-part="spectrum"></div><p class="kx-note" data-part="values"></p></section>`;

/** Return the buttons of the kernels; the view "function" has positive definite ones only. */
function kernelButtons(show) {
  const { DampedCosine, Power, ...definite } = KERNEL_NAMES;
  return buttonGroup("Kernel", "kernel", show === "function" ? definite : KERNEL_NAMES, "modes");
}

export function pageOf(show) {
  const withComponents = isAboutComponents(show);
  const components = buttonGroup("Component", "component", named([1, 2, 3, 4]), "modes");
  return `
  ${VERDICT}
  <div class="kx-columns">
    <div class="kx-column">
      <section class="kx-main kx-first"><p class="kx-title"><span data-part="field"></span></p>
        <div data-part="points"></div>
        <div class="kx-bar">${buttonGroup("Points", "preset", named(PRESETS))}<span>${RESET}</span></div>
        ${withComponents ? `<div class="kx-bar">${components}</div>` : ""}
        <p class="kx-note" data-show="components definiteness" data-part="read"></p></section>
      <section class="${withComponents ? "" : "kx-main"}"
        data-show="components definiteness function">
        <div class="kx-bar">${kernelButtons(show)}</div>
        <p class="kx-note" data-part="formula"></p></section>
      <section class="kx-main kx-first kx-ranges kx-control" data-part="parameters"></section>
      <section class="kx-control" data-show="components definiteness">
        <div class="kx-bar">${buttonGroup("Edit points", "edit", EDITS)}</div></section>
    </div>
    <div class="kx-column" data-show="components definiteness">
      ${withComponents ? MAP_SECTION + SPECTRUM_SECTION + MATRIX_SECTION : MATRIX_SECTION + SPECTRUM_SECTION}
    </div>
  </div>`;
}
