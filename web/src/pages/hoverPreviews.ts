// Previews: what a reference leads to, shown while the mouse or the focus is on it.

import { partOf } from "../ui/verdict.ts";
import { loadScript, root } from "./site.ts";

const DELAY = 300;
const PAUSE = 1000; // after a click, in which a small movement of the hand opens nothing
// A card of the gallery shows what its link leads to.
const LINKS = '.bd-article a.reference.internal[href*="#"]:not(.headerlink, .chapter-card a)';
const excerpts = new Map<string, Record<string, string>>(); // by anchors
let card: HTMLElement | null = null;
let shownBy: Element | null = null;
let timer = 0;
let clicked = -PAUSE;

/** Return the excerpts of a page, whose script calls `takeExcerpts`. */
async function excerptsOf(page: string) {
  await loadScript(`previews/${page.replace(/\.html$/, ".js")}`).catch(() => {});
  return excerpts.get(page) ?? {};
}

export const takeExcerpts = (page: string, found: Record<string, string>) =>
  excerpts.set(page, found);

function target(link: Element) {
  const url = new URL((link as HTMLAnchorElement).href);
  if (!url.pathname.startsWith(root.pathname)) return null;
  return [url.pathname.slice(root.pathname.length), decodeURIComponent(url.hash.slice(1))];
}

function makeCard() {
  const made = document.createElement("div");
  made.id = "reference-preview";
  made.setAttribute("role", "tooltip");
  made.addEventListener("pointerenter", () => clearTimeout(timer));
  made.addEventListener("pointerleave", (event) => {
    if (event.relatedTarget !== shownBy) later(hide);
  });
  partOf(document, ".bd-article").append(made);
  return made;
}

// Below the line of the link where the card fits or there is more room than above it.
function place(card: HTMLElement, link: Element) {
  const [line] = link.getClientRects();
  const frame = partOf(document, ".bd-article").getBoundingClientRect();
  const left = Math.min(line.left - frame.left, frame.width - card.offsetWidth);
  card.style.left = `${Math.max(0, left)}px`;
  const header = partOf(document, ".bd-header-article").getBoundingClientRect().height;
  const [over, under] = [line.top - header, innerHeight - line.bottom].map((room) => room - 12);
  const below = under > card.offsetHeight || under > over;
  card.style.setProperty("--preview-height", `${below ? under : over}px`);
  const top = below ? line.bottom + 6 : line.top - card.offsetHeight - 6;
  card.style.top = `${top - frame.top}px`;
}

async function show(link: Element) {
  const [page, anchor] = target(link) ?? [];
  const markup = page && (await excerptsOf(page))[anchor];
  if (!markup || link !== shownBy) return;
  card ??= makeCard();
  card.innerHTML = markup.replaceAll(
    /(href|src|srcset)="@([^"]*)"/g,
    (_, name, path) => `${name}="${new URL(path, root)}"`,
  );
  for (const fold of card.querySelectorAll("details")) fold.open = true;
  for (const inner of card.querySelectorAll("a, button, input, summary"))
    inner.setAttribute("tabindex", "-1");
  card.hidden = false;
  card.style.removeProperty("--preview-height");
  link.setAttribute("aria-describedby", card.id);
  place(card, link);
}

function hide() {
  clearTimeout(timer);
  shownBy?.removeAttribute("aria-describedby");
  shownBy = null;
  if (card) card.hidden = true;
}

function later(action: () => void) {
  clearTimeout(timer);
  timer = setTimeout(action, DELAY);
}

function begin(link: Element, wait: boolean) {
  if (link !== shownBy) hide();
  clearTimeout(timer);
  if (link.hasAttribute("aria-describedby")) return; // the card is visible
  shownBy = link;
  if (wait) later(() => show(link));
  else show(link);
}

export function startPreviews() {
  document.addEventListener("pointermove", (event) => {
    // Without a movement, the page has moved under the mouse.
    const isMoved = event.pointerType === "mouse" && (event.movementX || event.movementY);
    if (!isMoved || event.timeStamp < clicked + PAUSE) return;
    const link = (event.target as Element).closest?.(LINKS);
    if (link && !card?.contains(link)) begin(link, true);
  });
  document.addEventListener("click", ({ target, timeStamp }) => {
    clicked = timeStamp;
    if (!card?.contains(target as Node)) hide();
  });
  document.addEventListener("pointerout", (event) => {
    const [from, to] = [event.target, event.relatedTarget] as Node[];
    if (shownBy?.contains(from) && !card?.contains(to)) later(hide);
  });
  document.addEventListener("focusin", (event) => {
    const link = (event.target as Element).closest(LINKS);
    if (link?.matches(":focus-visible") && !card?.contains(link)) begin(link, false);
  });
  document.addEventListener("focusout", ({ target }) => target === shownBy && hide());
  document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
}
