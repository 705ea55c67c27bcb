// Buttons.

import { setAttributes } from "./svg.js";

/**
 * Return the HTML of a group of buttons: for each [value, text] of `words`, a button with the
 * attribute `data-<kind>="value"`. The `look` is "modes" if one of them is always pressed.
 */
export function buttonGroup(label, kind, words, look = "buttons") {
  const one = ([value, text]) => `<button type="button" data-${kind}="${value}">${text}</button>`;
  return (
    `<span role="group" aria-label="${label}" ` +
    `class="kx-${look}">${Object.entries(words).map(one).join("")}</span>`
  );
}

/**
 * Listen to the buttons with `data-<kind>`, where `kinds[kind]` is [act, isPressed]: a click calls
 * `act(value)` and saves the state. Return a function that marks the pressed buttons.
 */
export function listenToButtons(el, state, kinds) {
  const shows = Object.entries(kinds).map(([kind, [act, isPressed]]) => {
    const buttons = [...el.querySelectorAll(`button[data-${kind}]`)];
    for (const button of buttons) {
      button.addEventListener("click", () => {
        act(button.dataset[kind]);
        state.save();
      });
    }
    return () =>
      isPressed &&
      buttons.forEach((button) =>
        setAttributes(button, { "aria-pressed": isPressed(button.dataset[kind]) }),
      );
  });
  return () => shows.forEach((show) => show());
}

/** Return [act, isPressed] for buttons that choose the value of a trait. */
export const choosing = (state, trait) => [
  (value) => (state[trait] = value),
  (value) => state[trait] === value,
];
