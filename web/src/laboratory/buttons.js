// Buttons.

import { setAttributes } from "../ui/svg.js";

/** @type {(words: string, act: () => void, attributes?: object) => HTMLButtonElement} */
export function makeButton(words, act, attributes = {}) {
  const button = document.createElement("button");
  setAttributes(button, { type: "button", ...attributes });
  button.textContent = words;
  button.addEventListener("click", act);
  return button;
}
