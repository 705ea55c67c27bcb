// Buttons.

import { setAttributes } from "./svg.js";

/**
 * Return the HTML of a group of buttons, one for each value in `words`, which `data-<kind>`
 * contains. The `look` is "modes" if one of them is always on.
 */
export function buttonGroup(label, kind, words, look = "buttons") {
  const one = ([value, text]) => `<button type="button" data-${kind}="${value}">${text}</button>`;
  return (
    `<span role="group" aria-label="${label}" ` +
    `class="kx-${look}">${Object.entries(words).map(one).join("")}</span>`
  );
}

/**
 * Follow buttons with `data-<kind>`: `kinds[kind]` is [act(value), isOn(value)], and the state
 * is saved. Return a function that marks the buttons that are on.
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

/** Return the functions of buttons that choose the value of a trait. */
export const choosing = (state, trait) => [
  (value) => (state[trait] = value),
  (value) => state[trait] === value,
];
