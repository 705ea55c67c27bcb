// The banner of an explorer.

import { setText } from "./text.js";

/** The banner with a line for phones, in a box, and its text for screen readers. */
export const VERDICT =
  '<div class="kx-verdict"><div class="kx-verdict-line" aria-hidden="true"></div>' +
  '<div class="kx-banner"><strong></strong> <span></span></div></div>' +
  '<output class="kx-visually-hidden" aria-live="polite"></output>';

/** Return the element that a selector finds. @type {(el: Element, selector: string) => Element} */
export const partOf = (el, selector) => /** @type {Element} */ (el.querySelector(selector));

/** Colour a banner, or its box. @type {(banner: Element, holds?: boolean) => void} */
export function colorBanner(banner, holds) {
  banner.classList.toggle("kx-holds", holds === true);
  banner.classList.toggle("kx-fails", holds === false);
}

/** What the banner says; `holds` is undefined for a statement that is not judged.
 * @typedef {{ holds?: boolean, head: string, reason: string }} Verdict */

/** Write a verdict into the box of a banner. @type {(box: Element, verdict: Verdict) => void} */
export function showVerdict(box, { holds, head, reason }) {
  colorBanner(box, holds);
  for (const place of [".kx-verdict-line", "strong"]) setText(partOf(box, place), head);
  setText(partOf(box, "span"), reason);
}
