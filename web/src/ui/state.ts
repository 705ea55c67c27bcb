// The state of an explorer, its model and its panels.

import { eachFrame } from "./frames.ts";
import { hasValues } from "./validators.ts";
import { partOf, required, showVerdict, VERDICT, type Verdict } from "./verdict.ts";

type Listen = (events: string, listener: () => void) => void;
/** The traits of an explorer, in Jupyter or on a page. */
export type Model = {
  get<Value>(name: string): Value; // the caller names the type of the trait
  set(traits: object): void;
  save_changes(): void;
  on: Listen;
  off: Listen;
  widget_manager?: unknown;
};

/** The traits of an explorer. */
export type Traits = Record<string, unknown>;
/** The traits that links leave out; those of them that are the reader's data, for a link to copy. */
export type LinkRules = { linksOmit?: string[]; readersData?: (state: Traits) => string[] };
/** What Jupyter or a page hands to an explorer: its model, and the element that it fills. */
export type RenderProps = { model: Model; el: HTMLElement };
export type ExplorerModule = LinkRules & { render(props: RenderProps): unknown };

/** The reset button of every explorer. On a page, the button "copy link" follows it. */
export const RESET = '<button type="button" class="kx-reset">reset</button>';

/** Restore the initial state when the reset button is pressed, and then call `afterReset`. */
export function listenToReset(el: Element, model: Model, afterReset: () => void): void {
  partOf(el, ".kx-reset").addEventListener("click", () => {
    model.set(structuredClone(model.get("start")));
    model.save_changes();
    afterReset();
  });
}

/** Return a trait, or its initial value if it is not valid: an address may contain anything. */
export function validTrait<T>(model: Model, name: string, isValid: (value: T) => unknown): T {
  const value = model.get<T>(name);
  return structuredClone(isValid(value) ? value : model.get<Record<string, T>>("start")[name]);
}

/** Return valid traits. A validator gets the value and the traits that were validated before it. */
function traitsOf(model: Model, validators: object) {
  const traits: Traits = {};
  for (const [name, isValid] of Object.entries(validators))
    traits[name] = validTrait(model, name, (value) => isValid(value, traits));
  return traits;
}

/** Return some traits of a model. */
export const traitsNamed = <T>(model: Model, names: (keyof T & string)[]): T =>
  Object.fromEntries(names.map((name) => [name, model.get(name)])) as T;

const TOGGLE =
  '<button type="button" class="kx-toggle kx-control" aria-expanded="false"><span>Show all panels' +
  "</span><small></small></button>";

/** Append a button, which only a narrow explorer has, that shows the panels without `kx-always`. */
function addToggle(el: Element) {
  const main = [...el.querySelectorAll("section.kx-always")].at(-1);
  if (!main || !el.querySelector("section:not(.kx-always)")) return;
  main.insertAdjacentHTML("afterend", TOGGLE);
  const toggle = partOf(el, ".kx-toggle");
  toggle.addEventListener("click", () => {
    const isOpen = toggle.getAttribute("aria-expanded") === "true";
    toggle.setAttribute("aria-expanded", String(!isOpen));
    partOf(toggle, "span").textContent = isOpen ? "Show all panels" : "Show fewer panels";
  });
}

/** Return a function that writes the titles of hidden panels into the button that shows them. */
function hiddenPanels(el: Element): Panel<unknown> {
  const list = el.querySelector(".kx-toggle small");
  const titles = [...el.querySelectorAll("section:not(.kx-always)")]
    .map((panel) => panel.querySelector(".kx-title, caption"))
    .filter((title) => title !== null);
  const nameOf = (title: Element) => {
    const words = title.cloneNode(true) as Element;
    for (const more of words.querySelectorAll("small, button")) more.remove();
    return words.innerHTML.trim();
  };
  return (_, moving) => {
    if (list && !moving) list.innerHTML = titles.map(nameOf).join(" · ");
  };
}

/** Returns the element with this `data-part`. */
export type Part<Name = string> = <E extends HTMLElement = HTMLElement>(name: Name) => E;

/**
 * Write the HTML of an explorer, whose style sheet uses its name; return `part(name)`, the element
 * with this `data-part`. An element with `data-show` is removed unless it lists the view `show`.
 */
export function writeHtml(el: HTMLElement, html: string, name: string, show = "all"): Part {
  el.classList.add("kx", `kx-${name}`);
  el.dataset.lmSuppressShortcuts = "true";
  el.innerHTML = html;
  const parts = [...el.querySelectorAll("[data-part]")];
  for (const panel of el.querySelectorAll("[data-show]"))
    if (!panel.getAttribute("data-show")?.split(" ").includes(show)) panel.remove();
  el.classList.toggle("kx-named", el.querySelectorAll('.kx-bar [role="group"]').length > 1);
  addToggle(el);
  return <E extends HTMLElement>(name: string) => {
    const part = parts.find((each) => each.getAttribute("data-part") === name);
    return required<E>(part, name);
  };
}

const RESET_BAR = `<div class="kx-bar"><span>${RESET}</span></div>`;
/** Write the banner, the HTML of an explorer and, unless it has one, a reset button at the end. */
export const writeExplorerHtml: typeof writeHtml = (el, html, ...rest) =>
  writeHtml(el, VERDICT + html + (html.includes(RESET) ? "" : RESET_BAR), ...rest);

/** Return functions that show the verdict in the banner, at first with the hint, and read it out. */
function bannerOf<State, Result>(el: Element, state: State, options: ViewOptions<State, Result>) {
  const banner = partOf(el, ".kx-verdict");
  const aloud = partOf(el, ".kx-visually-hidden");
  return {
    showBanner(result: Result, isChanged: boolean) {
      const said = options.verdict(result, state);
      showVerdict(banner, isChanged ? said : { head: said.head, reason: options.hint });
    },
    announce: () => (aloud.textContent = banner.textContent.trim()),
  };
}

/** Return what shows a state in panels and in a banner, which `drawAndAnnounce` also reads out. */
function viewOf<State, Result>(el: Element, state: State, options: ViewOptions<State, Result>) {
  const { result, whenAtRest } = options;
  const { showBanner, announce } = bannerOf(el, state, options);
  const drawPanels = (isChanged: boolean, moving = false) => {
    view.result = result(state);
    for (const panel of view.panels) panel(view.result, moving);
    showBanner(view.result, isChanged);
  };
  const { later: drawInNextFrame, cancel } = eachFrame(() => drawPanels(true, true));
  const drawAndAnnounce = (isChanged: boolean) => {
    cancel();
    drawPanels(isChanged);
    announce();
    whenAtRest?.();
  };
  const panels: Panel<Result>[] = [];
  const draws = { draw: () => drawPanels(true), drawInNextFrame, drawAndAnnounce };
  const view = { result: null as Result, panels, ...draws, cancel, announce };
  return view;
}

/**
 * A function that shows a result; `moving` is true while something moves. The function `mapPanel`
 * of an explorer, for example, appends a map and returns its panel.
 */
export type Panel<Result> = (result: Result, moving?: boolean) => void;
/** The functions that show a state and save it. */
export interface Explorer<Result = unknown> {
  result: Result; // was computed from the state that is shown
  draw: () => void; // computes the result and shows it in all panels
  drawInNextFrame: () => void; // draws in the next frame, while something moves
  announce: () => void; // reads out the verdict
  save: () => void; // draws, announces, and writes the traits to the model
  // Shows the traits of the model, now and after each change and reset, and returns a function that
  // ends everything.
  start: (panels: Panel<Result>[]) => () => void;
}

/** Tests of the values of an address; a test gets the value and the traits before it. */
export type Validators<Saved> = { [T in keyof Saved]: (value: unknown, traits: Saved) => unknown };

interface ViewOptions<State, Result> {
  result: (state: State) => Result; // computes the result of the state
  hint: string; // what can be moved
  verdict: (result: Result, state: State) => Verdict;
  whenAtRest?: () => void; // is called after a state at rest is shown
}

interface ExplorerOptions<State, Result, Saved> extends ViewOptions<State, Result> {
  model: Model;
  el: HTMLElement;
  validators: Validators<Saved>;
  unsavedFields: Omit<State, keyof Saved>; // the initial values of the fields without a validator
  loaded?: (state: State) => void; // is called when the traits have been copied
  stop?: () => void; // ends animations
  beforeSave?: (state: State) => void; // is called before a state is saved
}

/**
 * Return a state and its explorer. The state has only data: the valid traits of a model, which are
 * saved, and the `unsavedFields`. Until the reader changes something, the banner shows the
 * head of the `verdict` and the `hint`; then it shows the `verdict`.
 *
 * `start`, a reset and a change of the model call `stop`, copy the traits, and call `loaded`; `save`
 * calls `beforeSave`, and writes the traits to the model. All of them cancel a waiting frame, draw,
 * read out the banner, and call `whenAtRest`.
 */
export function createExplorer<State extends object, Result, Saved = State>(
  options: ExplorerOptions<State, Result, Saved>,
): [State, Explorer<Result>] {
  const { model, el, validators, unsavedFields, loaded, stop, beforeSave, ...shown } = options;
  const state = { ...unsavedFields, ...traitsOf(model, validators) } as State;
  const names = Object.keys(validators) as (keyof State & string)[];
  const events = names.map((name) => `change:${name}`).join(" ");
  const view = viewOf(el, state, shown);
  const loadTraits = () => {
    stop?.();
    const traits = traitsOf(model, validators);
    Object.assign(state, traits);
    loaded?.(state);
    view.drawAndAnnounce(!hasValues(model.get("start"), traits));
  };
  const explorer = Object.assign(view, {
    save() {
      beforeSave?.(state);
      view.drawAndAnnounce(true);
      model.off(events, loadTraits);
      const traits = names.map((name) => [name, state[name]]);
      model.set(structuredClone(Object.fromEntries(traits)));
      model.on(events, loadTraits);
      model.save_changes();
    },
    start(panels: Panel<Result>[]) {
      view.panels = [...panels, hiddenPanels(el)];
      listenToReset(el, model, loadTraits);
      model.on(events, loadTraits);
      loadTraits();
      return () => {
        stop?.();
        view.cancel();
        model.off(events, loadTraits);
      };
    },
  });
  return [state, explorer];
}
