// Buttons.

import { setAttributes } from "../ui/svg.js";

/** A button with its words, and what it does. */
export function buttonOf(words, act, attributes = {}) {
  const button = document.createElement("button");
  setAttributes(button, { type: "button", ...attributes });
  button.textContent = words;
  button.addEventListener("click", act);
  return button;
}
