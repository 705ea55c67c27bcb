// Buttons.

import { setAttributes } from "../../ui/svg.ts";

export function makeButton(words: string, act: () => void, attributes: object = {}) {
  const button = document.createElement("button");
  setAttributes(button, { type: "button", ...attributes });
  button.textContent = words;
  button.addEventListener("click", act);
  return button;
}

/** Show buttons in an element, or hide it if there are none. */
export function offerButtons(host: HTMLElement, buttons: HTMLButtonElement[]) {
  host.hidden = !buttons.length;
  host.replaceChildren(...buttons);
}
