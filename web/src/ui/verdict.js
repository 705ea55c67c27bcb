// The banner of an explorer, which says what is shown.

import { setText } from "./text.js";

// What an explorer says: the words follow the hand, and are said aloud once it is still.
export const VERDICT =
  '<div class="kx-banner"><strong></strong> <span></span></div><output class="kx-said" ' +
  'aria-live="polite"></output>';

/** Colour a banner by what it says; what describes and does not judge holds neither way. */
export function judge(banner, holds) {
  banner.classList.toggle("kx-holds", holds === true);
  banner.classList.toggle("kx-fails", holds === false);
}

/** Write what an explorer says into its banner. */
export function showVerdict(banner, { holds, head, reason }) {
  judge(banner, holds);
  setText(banner.querySelector("strong"), head);
  setText(banner.querySelector("span"), reason);
}
