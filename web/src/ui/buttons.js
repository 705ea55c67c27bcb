// Buttons.

import { setAttributes } from "./svg.js";

/**
 * A button for each value, with what is written on it; `data-<kind>` holds the value. They look as
 * "samples", "modes" or "actions".
 */
export function buttonGroup(label, kind, words, look) {
  const one = ([value, text]) => `<button type="button" data-${kind}="${value}">${text}</button>`;
  return (
    `<span role="group" aria-label="${label}" ` +
    `class="kx-${look}">${Object.entries(words).map(one).join("")}</span>`
  );
}

/**
 * Have buttons with `data-<kind>` act: `kinds[kind]` is [act(value), isOn(value)], the second where
 * they show which is on. What they change is saved. Returns what shows them.
 */
export function listenToButtons(el, state, kinds) {
  const shows = Object.entries(kinds).map(([kind, [act, isOn]]) => {
    const buttons = [...el.querySelectorAll(`button[data-${kind}]`)];
    for (const button of buttons) {
      button.addEventListener("click", () => {
        act(button.dataset[kind]);
        state.save();
      });
    }
    return () =>
      isOn &&
      buttons.forEach((button) =>
        setAttributes(button, { "aria-pressed": isOn(button.dataset[kind]) }),
      );
  });
  return () => shows.forEach((show) => show());
}

/** Buttons that choose the value of a trait. */
export const choosing = (state, trait) => [
  (value) => (state[trait] = value),
  (value) => state[trait] === value,
];
