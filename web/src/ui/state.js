// The state of an explorer, its model and its panels.

import { eachFrame } from "./frames.js";
import { showVerdict } from "./verdict.js";

// The button that every explorer has, in its bar: on a page, "copy link" follows on it.
export const RESET = '<button type="button" class="kx-reset">reset</button>';

/** Have the reset button bring back the first state, and then call `follow`. */
export function listenToReset(el, model, follow) {
  el.querySelector(".kx-reset").addEventListener("click", () => {
    model.set(structuredClone(model.get("start")));
    model.save_changes();
    follow();
  });
}

/** A trait, or its first value where `fits` refuses it: a page's address may ask for anything. */
export function fitting(model, name, fits) {
  const value = model.get(name);
  return structuredClone(fits(value) ? value : model.get("start")[name]);
}

/** The traits that have a test in `fits`, of their value and of those before them. */
function traitsOf(model, fits) {
  const traits = {};
  for (const [name, fit] of Object.entries(fits))
    traits[name] = fitting(model, name, (value) => fit(value, traits));
  return traits;
}

/**
 * Write the HTML of an explorer, whose style sheet uses its name; return a function that finds its
 * parts.
 */
export function openPage(el, page, name) {
  el.classList.add("kx", `kx-${name}`);
  el.dataset.lmSuppressShortcuts = "true";
  el.innerHTML = page;
  return (name) => el.querySelector(`[data-part="${name}"]`);
}

/**
 * Have a state live: `draw()` shows its result in all panels, `later()` does so with the next frame
 * and tells them that it moves, `speak()` says it aloud, and `save()` draws, says and hands the
 * traits to the model. The banner follows the hand with the panels. What the model or the reset
 * button changes is loaded, as `fits` allows, and `loaded` comes after that. `stop` ends what goes
 * on by itself, `settle` comes before a state is saved, `settled` after one is shown for good.
 * Returns a function that ends all.
 */
export function bindState(
  state,
  { model, el, fits, result, panels, words, loaded, stop, settle, settled },
) {
  const events = Object.keys(fits)
    .map((name) => `change:${name}`)
    .join(" ");
  const [banner, aloud] = [el.querySelector(".kx-banner"), el.querySelector(".kx-said")];
  const draw = (moving = false) => {
    state.result = result();
    panels.forEach((panel) => panel(state.result, moving));
    showVerdict(banner, words());
  };
  const frames = eachFrame(() => draw(true));
  const speak = () => (aloud.textContent = banner.textContent.trim());
  const show = () => {
    frames.cancel();
    draw();
    speak();
    settled?.();
  };
  const follow = () => {
    stop?.();
    Object.assign(state, traitsOf(model, fits));
    loaded?.();
    show();
  };
  const save = () => {
    settle?.();
    show();
    model.off(events, follow);
    model.set(
      structuredClone(Object.fromEntries(Object.keys(fits).map((name) => [name, state[name]]))),
    );
    model.on(events, follow);
    model.save_changes();
  };
  Object.assign(state, { draw, speak, save, later: frames.later });
  listenToReset(el, model, follow);
  model.on(events, follow);
  follow();
  return () => {
    stop?.();
    frames.cancel();
    model.off(events, follow);
  };
}
