// The banner of an explorer.

import { setText } from "./text.ts";

/** The banner, and its text for screen readers. */
export const VERDICT =
  '<div class="kx-banner kx-verdict"><strong></strong> <span></span></div>' +
  '<output class="kx-visually-hidden" aria-live="polite"></output>';

/** Return an element that was searched for, or fail. */
export function required<E extends Element>(element: Element | null | undefined, name: string) {
  if (!element) throw new Error(`The page has no ${name}.`);
  return element as E;
}

/** Return the element that a selector finds, or fail. */
export const partOf = <E extends Element = HTMLElement>(el: ParentNode | null, selector: string) =>
  required<E>(el?.querySelector(selector), selector);

/** Colour a banner. */
export function colorBanner(banner: Element, holds?: boolean): void {
  banner.classList.toggle("kx-holds", holds === true);
  banner.classList.toggle("kx-fails", holds === false);
}

/** What the banner says; `holds` is undefined for a statement that is not judged, and `link` is HTML. */
export type Verdict = { holds?: boolean | undefined; head: string; reason: string; link?: string };

/** Write a verdict into a banner. */
export function showVerdict(banner: Element, { holds, head, reason, link = "" }: Verdict): void {
  colorBanner(banner, holds);
  setText(partOf(banner, "strong"), head);
  setText(partOf(banner, "span"), reason);
  partOf(banner, "span").insertAdjacentHTML("beforeend", link);
}
