// Selections and buttons.

import { setAttributes } from "../ui/svg.js";

export function fillSelect(select, options, chosen = null) {
  select.replaceChildren(
    ...options.map(([value, words]) => {
      const option = document.createElement("option");
      option.setAttribute("value", value);
      option.selected = value === chosen;
      option.textContent = words;
      return option;
    }),
  );
}

/** A button with its words, and what it does. */
export function buttonOf(words, act, attributes = {}) {
  const button = document.createElement("button");
  setAttributes(button, { type: "button", ...attributes });
  button.textContent = words;
  button.addEventListener("click", act);
  return button;
}
