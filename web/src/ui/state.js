// The state of an explorer, its model and its panels.

import { eachFrame } from "./frames.js";
import { isLike } from "./validators.js";
import { showVerdict } from "./verdict.js";

/** The reset button of every explorer. On a page, the button "copy link" follows it. */
export const RESET = '<button type="button" class="kx-reset">reset</button>';

/** Restore the initial state when the reset button is pressed, and then call `follow`. */
export function listenToReset(el, model, follow) {
  el.querySelector(".kx-reset").addEventListener("click", () => {
    model.set(structuredClone(model.get("start")));
    model.save_changes();
    follow();
  });
}

/** Return a trait, or its initial value if it is not valid: an address may contain anything. */
export function validTrait(model, name, isValid) {
  const value = model.get(name);
  return structuredClone(isValid(value) ? value : model.get("start")[name]);
}

/** Return valid traits. A validator gets the value and the traits that were validated before it. */
function traitsOf(model, validators) {
  const traits = {};
  for (const [name, isValid] of Object.entries(validators))
    traits[name] = validTrait(model, name, (value) => isValid(value, traits));
  return traits;
}

/** Return some traits of a model. */
export const traitsNamed = (model, names) =>
  Object.fromEntries(names.map((name) => [name, model.get(name)]));

const TOGGLE =
  '<button type="button" class="kx-toggle kx-control" aria-expanded="false"><span>Show all panels' +
  "</span><small></small></button>";

/** Append a button, which only a narrow explorer has, that shows the panels without `kx-main`. */
function addToggle(el) {
  const main = [...el.querySelectorAll("section.kx-main")].at(-1);
  if (!main || !el.querySelector("section:not(.kx-main)")) return;
  main.insertAdjacentHTML("afterend", TOGGLE);
  const toggle = main.nextElementSibling;
  toggle.addEventListener("click", () => {
    const isOpen = toggle.getAttribute("aria-expanded") === "true";
    toggle.setAttribute("aria-expanded", String(!isOpen));
    toggle.firstChild.textContent = isOpen ? "Show all panels" : "Show fewer panels";
  });
}

/** Return a function that writes the titles of hidden panels into the button that shows them. */
function hiddenPanels(el) {
  const place = el.querySelector(".kx-toggle small");
  const titles = [...el.querySelectorAll("section:not(.kx-main)")]
    .map((panel) => panel.querySelector(".kx-title, caption"))
    .filter(Boolean);
  const nameOf = (title) => {
    const words = title.cloneNode(true);
    for (const more of words.querySelectorAll("small, button")) more.remove();
    return words.innerHTML.trim();
  };
  return (_, moving) => {
    if (place && !moving) place.innerHTML = titles.map(nameOf).join(" · ");
  };
}

/**
 * Write the HTML of an explorer, whose style sheet uses its name; return a function that finds its
 * parts. Elements with the attribute `data-show` are removed unless it lists the view `show`.
 */
export function openPage(el, page, name, show = "all") {
  el.classList.add("kx", `kx-${name}`);
  el.dataset.lmSuppressShortcuts = "true";
  el.innerHTML = page;
  const parts = {};
  for (const part of el.querySelectorAll("[data-part]")) parts[part.dataset.part] = part;
  for (const panel of el.querySelectorAll("[data-show]"))
    if (!panel.dataset.show.split(" ").includes(show)) panel.remove();
  addToggle(el);
  return (name) => parts[name];
}

const eventsOf = (validators) =>
  Object.keys(validators)
    .map((name) => `change:${name}`)
    .join(" ");

/** Return functions that show the opening or the verdict in the banner, and that read it out. */
function bannerOf(el, { hint, verdict, opening = () => verdict().head }) {
  const [banner, aloud] = [el.querySelector(".kx-banner"), el.querySelector(".kx-visually-hidden")];
  return {
    showBanner: (isChanged) =>
      showVerdict(banner, isChanged ? verdict() : { head: opening(), reason: hint }),
    announce: () => (aloud.textContent = banner.textContent.trim()),
  };
}

/**
 * Connect a state with the model of an explorer and with its panels. The state gets four functions:
 * `draw()` computes the result and shows it in all panels, `later()` does the same in the next
 * frame while something moves, `announce()` reads out the verdict, and `save()` draws, announces
 * and writes the traits to the model. When the model changes or the reset button is pressed, the
 * valid traits are copied to the state, `loaded()` is called, and the state is drawn.
 *
 * Until the reader changes something, the banner of `words` shows the `opening()` (by default the
 * head of the verdict) and the `hint`, which says what can be moved; then it shows what `verdict()`
 * returns. `stop()` ends animations, `settle()` is called before a state is saved, and `settled()`
 * after a state at rest is shown. Return a function that ends everything.
 */
export function bindState(
  state,
  { model, el, validators, result, panels, loaded, stop, settle, settled, ...words },
) {
  const [events, nameHidden] = [eventsOf(validators), hiddenPanels(el)];
  const { showBanner, announce } = bannerOf(el, words);
  let isChanged = false;
  const drawAll = (moving = false) => {
    state.result = result();
    for (const panel of [...panels, nameHidden]) panel(state.result, moving);
    showBanner(isChanged);
  };
  const draw = (moving) => {
    isChanged = true;
    drawAll(moving);
  };
  const frames = eachFrame(() => draw(true));
  const show = (changed) => {
    isChanged = changed;
    frames.cancel();
    drawAll();
    announce();
    settled?.();
  };
  const follow = () => {
    stop?.();
    const traits = traitsOf(model, validators);
    Object.assign(state, traits);
    loaded?.();
    show(!isLike(model.get("start"), traits));
  };
  const save = () => {
    settle?.();
    show(true);
    model.off(events, follow);
    const traits = Object.keys(validators).map((name) => [name, state[name]]);
    model.set(structuredClone(Object.fromEntries(traits)));
    model.on(events, follow);
    model.save_changes();
  };
  Object.assign(state, { draw, announce, save, later: frames.later });
  listenToReset(el, model, follow);
  model.on(events, follow);
  follow();
  return () => {
    stop?.();
    frames.cancel();
    model.off(events, follow);
  };
}
