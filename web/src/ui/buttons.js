// Buttons.

import { setAttributes } from "./svg.js";

/** @import { Explorer } from "./state.js" */
/** What a click on a button does with its value, and whether the button with a value is pressed.
 * @typedef {[act: (value: any) => void, isPressed?: (value: any) => boolean]} Choice */

/**
 * Return the HTML of a group of buttons: for each [value, text] of `words`, a button with the
 * attribute `data-<kind>="value"`. The `look` is "modes" if one of them is always pressed.
 * @type {(label: string, kind: string, words: Record<string, string>, look?: string) => string}
 */
export function buttonGroup(label, kind, words, look = "buttons") {
  const buttons = Object.entries(words).map(
    ([value, text]) => `<button type="button" data-${kind}="${value}">${text}</button>`,
  );
  return `<span role="group" aria-label="${label}" class="kx-${look}">${buttons.join("")}</span>`;
}

/**
 * Listen to the buttons with `data-<kind>`: a click calls `act` of this kind with the value, and
 * saves the state. Return a function that marks the pressed buttons.
 * @param {Element} el
 * @param {Explorer} explorer
 * @param {Record<string, Choice>} kinds
 */
export function listenToButtons(el, explorer, kinds) {
  const shows = Object.entries(kinds).map(([kind, [act, isPressed]]) => {
    const buttons = [
      .../** @type {NodeListOf<HTMLElement>} */ (el.querySelectorAll(`button[data-${kind}]`)),
    ];
    for (const button of buttons) {
      button.addEventListener("click", () => {
        act(button.dataset[kind]);
        explorer.save();
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

/** Return the choice of a trait. @type {<State>(state: State, trait: keyof State) => Choice} */
export const choosing = (state, trait) => [
  (value) => (state[trait] = value),
  (value) => state[trait] === value,
];
