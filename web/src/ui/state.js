// The state of an explorer, its model and its panels.

import { eachFrame } from "./frames.js";
import { isLike } from "./validators.js";
import { partOf, showVerdict, VERDICT } from "./verdict.js";

/** @import { Verdict } from "./verdict.js" */
/** @typedef {(events: string, listener: () => void) => void} Listen */
/**
 * The traits of an explorer, in Jupyter or on a page.
 * @typedef {{ get(name: string): any, set(traits: object): void, save_changes(): void, on: Listen,
 *   off: Listen, widget_manager?: unknown }} Model
 */

/** The reset button of every explorer. On a page, the button "copy link" follows it. */
export const RESET = '<button type="button" class="kx-reset">reset</button>';

/** Restore the initial state when the reset button is pressed, and then call `follow`.
 * @type {(el: Element, model: Model, follow: () => void) => void} */
export function listenToReset(el, model, follow) {
  partOf(el, ".kx-reset").addEventListener("click", () => {
    model.set(structuredClone(model.get("start")));
    model.save_changes();
    follow();
  });
}

/** Return a trait, or its initial value if it is not valid: an address may contain anything.
 * @type {(model: Model, name: string, isValid: (value: any) => any) => any} */
export function validTrait(model, name, isValid) {
  const value = model.get(name);
  return structuredClone(isValid(value) ? value : model.get("start")[name]);
}

/** Return valid traits. A validator gets the value and the traits that were validated before it. */
function traitsOf(/** @type {Model} */ model, /** @type {object} */ validators) {
  const traits = /** @type {Record<string, any>} */ ({});
  for (const [name, isValid] of Object.entries(validators))
    traits[name] = validTrait(model, name, (value) => isValid(value, traits));
  return traits;
}

/** Return some traits of a model. @type {(model: Model, names: string[]) => any} */
export const traitsNamed = (model, names) =>
  Object.fromEntries(names.map((name) => [name, model.get(name)]));

const TOGGLE =
  '<button type="button" class="kx-toggle kx-control" aria-expanded="false"><span>Show all panels' +
  "</span><small></small></button>";

/** Append a button, which only a narrow explorer has, that shows the panels without `kx-main`. */
function addToggle(/** @type {Element} */ el) {
  const main = [...el.querySelectorAll("section.kx-main")].at(-1);
  if (!main || !el.querySelector("section:not(.kx-main)")) return;
  main.insertAdjacentHTML("afterend", TOGGLE);
  const toggle = partOf(el, ".kx-toggle");
  toggle.addEventListener("click", () => {
    const isOpen = toggle.getAttribute("aria-expanded") === "true";
    toggle.setAttribute("aria-expanded", String(!isOpen));
    partOf(toggle, "span").textContent = isOpen ? "Show all panels" : "Show fewer panels";
  });
}

/** Return a function that writes the titles of hidden panels into the button that shows them.
 * @type {(el: Element) => Panel<any>} */
function hiddenPanels(el) {
  const place = el.querySelector(".kx-toggle small");
  const titles = [...el.querySelectorAll("section:not(.kx-main)")]
    .map((panel) => panel.querySelector(".kx-title, caption"))
    .filter((title) => title !== null);
  const nameOf = (/** @type {Element} */ title) => {
    const words = /** @type {Element} */ (title.cloneNode(true));
    for (const more of words.querySelectorAll("small, button")) more.remove();
    return words.innerHTML.trim();
  };
  return (_, moving) => {
    if (place && !moving) place.innerHTML = titles.map(nameOf).join(" · ");
  };
}

/**
 * Write the HTML of an explorer, whose style sheet uses its name; return `part(name)`, the element
 * with this `data-part`. An element with `data-show` is removed unless it lists the view `show`.
 * @type {(el: HTMLElement, page: string, name: string, show?: string) => (name: string) => any}
 */
export function openPage(el, page, name, show = "all") {
  el.classList.add("kx", `kx-${name}`);
  el.dataset.lmSuppressShortcuts = "true";
  el.innerHTML = page;
  const parts = [...el.querySelectorAll("[data-part]")];
  for (const panel of el.querySelectorAll("[data-show]"))
    if (!panel.getAttribute("data-show")?.split(" ").includes(show)) panel.remove();
  el.classList.toggle("kx-named", el.querySelectorAll('.kx-bar [role="group"]').length > 1);
  addToggle(el);
  return (name) => parts.find((part) => part.getAttribute("data-part") === name);
}

/** Write the banner and the HTML of an explorer. @type {typeof openPage} */
export const openExplorer = (el, page, ...rest) => openPage(el, VERDICT + page, ...rest);

const eventsOf = (/** @type {object} */ validators) =>
  Object.keys(validators)
    .map((name) => `change:${name}`)
    .join(" ");

/** Return functions that show the opening or the verdict in the banner, and that read it out. */
function bannerOf(/** @type {Element} */ el, /** @type {any} */ words) {
  const { hint, verdict, opening = (/** @type {any} */ result) => verdict(result).head } = words;
  const box = partOf(el, ".kx-verdict");
  const aloud = partOf(el, ".kx-visually-hidden");
  return {
    showBanner: (/** @type {any} */ result, /** @type {boolean} */ isChanged) =>
      showVerdict(box, isChanged ? verdict(result) : { head: opening(result), reason: hint }),
    announce: () => (aloud.textContent = partOf(box, ".kx-banner").textContent.trim()),
  };
}

/** Return what shows a state in panels and in a banner, which `drawAtRest` also reads out. */
function viewOf(/** @type {Element} */ el, /** @type {any} */ options) {
  const { result, afterRest, ...words } = options;
  const { showBanner, announce } = bannerOf(el, words);
  const drawAs = (/** @type {boolean} */ isChanged, moving = false) => {
    view.result = result();
    for (const panel of view.panels) panel(view.result, moving);
    showBanner(view.result, isChanged);
  };
  const { later: drawInNextFrame, cancel } = eachFrame(() => drawAs(true, true));
  const drawAtRest = (/** @type {boolean} */ isChanged) => {
    cancel();
    drawAs(isChanged);
    announce();
    afterRest?.();
  };
  const panels = /** @type {Panel<any>[]} */ ([]);
  const draws = { draw: () => drawAs(true), drawInNextFrame, drawAtRest };
  const view = { result: /** @type {any} */ (null), panels, ...draws, cancel, announce };
  return view;
}

/**
 * A function that shows a result; `moving` is true while something moves. The function `mapPanel`
 * of an explorer, for example, appends a map and returns its panel.
 * @template Result
 * @typedef {(result: Result, moving?: boolean) => void} Panel
 */
/**
 * The functions that show a state and save it; the state has only data.
 * @template [Result=any]
 * @typedef {object} Explorer
 * @property {Result} result  was computed from the state that is shown
 * @property {() => void} draw  computes the result and shows it in all panels
 * @property {() => void} drawInNextFrame  draws in the next frame, while something moves
 * @property {() => void} announce  reads out the verdict
 * @property {() => void} save  draws, announces, and writes the traits to the model
 * @property {(panels: Panel<Result>[]) => () => void} start  shows the traits of the model, now and
 *   after each change and reset, and returns a function that ends everything
 */

/**
 * Return the explorer of a state, to which it copies the valid traits of a model. Until the reader
 * changes something, the banner shows the `opening` and the `hint`; then it shows the `verdict`.
 *
 * `draw` computes the result and shows it in the panels and the banner. `drawInNextFrame` does so
 * once per frame, for example during a drag, and tells the panels that something is `moving`.
 * `drawAtRest` cancels a waiting frame, draws, reads out the banner, and calls `afterRest`.
 *
 * `start`, a reset and a change of the model call `stop`, copy the traits, and call `loaded` and
 * `drawAtRest`. `save`, for example at the end of a drag, calls `beforeSave` and `drawAtRest`, and
 * writes the traits to the model.
 * @template {Record<string, any>} State
 * @template Result
 * @param {State} state
 * @param {object} options
 * @param {Model} options.model
 * @param {HTMLElement} options.el
 * @param {{ [trait in keyof State]?: (value: any, traits: any) => any }} options.validators
 * @param {() => Result} options.result  computes the result of the state
 * @param {string} options.hint  what can be moved
 * @param {(result: Result) => Verdict} options.verdict
 * @param {(result: Result) => string} [options.opening]  by default the head of the verdict
 * @param {() => void} [options.loaded]  is called when the traits have been copied
 * @param {() => void} [options.stop]  ends animations
 * @param {() => void} [options.beforeSave]  is called before a state is saved
 * @param {() => void} [options.afterRest]  is called after a state at rest is shown
 * @returns {Explorer<Result>}
 */
export function explorerOf(state, { model, el, validators, loaded, stop, beforeSave, ...shown }) {
  const events = eventsOf(validators);
  const view = viewOf(el, shown);
  const follow = () => {
    stop?.();
    const traits = traitsOf(model, validators);
    Object.assign(state, traits);
    loaded?.();
    view.drawAtRest(!isLike(model.get("start"), traits));
  };
  return Object.assign(view, {
    save() {
      beforeSave?.();
      view.drawAtRest(true);
      model.off(events, follow);
      const traits = Object.keys(validators).map((name) => [name, state[name]]);
      model.set(structuredClone(Object.fromEntries(traits)));
      model.on(events, follow);
      model.save_changes();
    },
    start(/** @type {Panel<Result>[]} */ panels) {
      view.panels = [...panels, hiddenPanels(el)];
      listenToReset(el, model, follow);
      model.on(events, follow);
      follow();
      return () => {
        stop?.();
        view.cancel();
        model.off(events, follow);
      };
    },
  });
}
