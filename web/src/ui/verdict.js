// The banner of an explorer.

import { setText } from "./text.js";

/** The banner, in a box with room for the longest text, and its text for screen readers. */
export const VERDICT =
  '<div class="kx-verdict"><div class="kx-banner"><strong></strong> <span></span></div></div>' +
  '<output class="kx-visually-hidden" aria-live="polite"></output>';

/** Return the element that a selector finds. @type {(el: Element, selector: string) => Element} */
export const partOf = (el, selector) => /** @type {Element} */ (el.querySelector(selector));

/** Colour the banner of a verdict. @type {(banner: Element, holds?: boolean) => void} */
export function colorBanner(banner, holds) {
  banner.classList.toggle("kx-holds", holds === true);
  banner.classList.toggle("kx-fails", holds === false);
}

/**
 * What the banner says; `holds` is undefined for a statement that is not judged.
 * @typedef {{ holds?: boolean, head: string, reason: string }} Verdict
 */

/** Write a verdict into the banner. @type {(banner: Element, verdict: Verdict) => void} */
export function showVerdict(banner, { holds, head, reason }) {
  colorBanner(banner, holds);
  setText(partOf(banner, "strong"), head);
  setText(partOf(banner, "span"), reason);
}
