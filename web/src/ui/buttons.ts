// Buttons.

import type { Explorer } from "./state.ts";
import { setAttributes } from "./svg.ts";
import { hasValues } from "./validators.ts";

type Words = Record<string, string | number>;
/** What a click on a button does with its value, and whether the button with a value is pressed. */
type Choice = [act: (value: string) => void, isPressed?: (value: string) => boolean];

/**
 * Return the HTML of a group of buttons: for each [value, text] of `words`, a button with the
 * attribute `data-<kind>="value"`. The `style` is "modes" if one of them is always pressed.
 */
export function buttonGroup(label: string, kind: string, words: Words, style = "buttons") {
  const buttons = Object.entries(words).map(
    ([value, text]) => `<button type="button" data-${kind}="${value}">${text}</button>`,
  );
  return `<span role="group" aria-label="${label}" class="kx-${style}">${buttons.join("")}</span>`;
}

/**
 * Listen to the buttons with `data-<kind>`: a click calls `act` of this kind with the value, and
 * saves the state. Return a function that marks the pressed buttons.
 */
export function listenToButtons(el: Element, explorer: Explorer, kinds: Record<string, Choice>) {
  const shows = Object.entries(kinds).map(([kind, [act, isPressed]]) => {
    const buttons = [...el.querySelectorAll<HTMLElement>(`button[data-${kind}]`)];
    for (const button of buttons) {
      button.addEventListener("click", () => {
        act(button.dataset[kind] ?? "");
        explorer.save();
      });
    }
    return () =>
      isPressed &&
      buttons.forEach((button) =>
        setAttributes(button, { "aria-pressed": isPressed(button.dataset[kind] ?? "") }),
      );
  });
  return () => shows.forEach((show) => show());
}

/** Return the choice of one of some parts of the state. */
export const choosingOne = (state: object, parts: Record<string, object>): Choice => [
  (name) => Object.assign(state, structuredClone(parts[name])),
  (name) => hasValues(state, parts[name]),
];

/** Return the choice of a trait. */
export const choosing = <State, Trait extends keyof State>(state: State, trait: Trait): Choice => [
  (value) => (state[trait] = value as State[Trait]),
  (value) => state[trait] === value,
];
