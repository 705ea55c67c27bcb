// The list of pages, and the contents of the page.

import { eachFrame } from "../ui/frames.ts";
import { partOf } from "../ui/verdict.ts";

const titles = () => [...document.querySelectorAll(".bd-article section[id] > :is(h2, h3)")];

/** Return the title of the section that is being read, if any: not at the top of the page. */
function titleInView() {
  if (!scrollY) return undefined; // without asking which titles are visible, which takes long
  const all = titles().filter((title) => title.checkVisibility());
  const bottom = innerHeight + scrollY;
  if (bottom >= document.documentElement.scrollHeight - 2) return all.at(-1);
  // From the first on: asking for the place of a title far below would lay out its section.
  const next = all.findIndex((title) => title.getBoundingClientRect().top > 0.3 * innerHeight);
  return next < 0 ? all.at(-1) : all[next - 1];
}

/** Mark an entry of the contents and the entries that contain it, and scroll to it. */
function markEntry(pane: Element, link: Element) {
  link.setAttribute("aria-current", "location");
  for (let node: Element | null = link; node && node !== pane; node = node.parentElement) {
    if (node === link || node.localName === "li") node.classList.add("active");
  }
  const [inner, outer] = [link.getBoundingClientRect(), pane.getBoundingClientRect()];
  if (inner.top < outer.top) pane.scrollTop += inner.top - outer.top;
  if (inner.bottom > outer.bottom) pane.scrollTop += inner.bottom - outer.bottom;
}

/** Return the entry of the current page in the list of pages. */
const currentPage = () =>
  [...document.querySelectorAll<HTMLElement>(".bd-docs-nav .current > a")].at(-1);

function showCurrentPage() {
  const link = currentPage();
  const pane = link?.closest(".bd-sidebar-primary");
  if (!link || !pane) return;
  const height = pane.clientHeight;
  const top = link.getBoundingClientRect().top - pane.getBoundingClientRect().top;
  if (top < height / 4 || top > height - link.offsetHeight) pane.scrollTop += top - height / 3;
}

/**
 * Show the current page in the list of pages: on load, after the theme has restored the position
 * on the previous page, and when the list is opened on a phone.
 */
export function followPages() {
  showCurrentPage();
  const toggle = document.querySelector(".primary-toggle");
  toggle?.addEventListener("click", () => requestAnimationFrame(showCurrentPage));
}

/** Mark the section that is being read in the contents; show it, or the page, in the header. */
export function followContents() {
  document.body.removeAttribute("data-bs-spy");
  const entries = [...document.querySelectorAll<HTMLAnchorElement>("#pst-page-toc-nav a")];
  const links = new Map(entries.map((link) => [link.hash.slice(1), link]));
  const pane = document.getElementById("pst-secondary-sidebar");
  const dialog = document.querySelector<HTMLDialogElement>("#pst-secondary-sidebar-modal");
  for (const link of entries) link.addEventListener("click", () => dialog?.close());
  const button = partOf(document, ".section-in-view");
  let current: Element | null | undefined = null;
  const update = () => {
    const title = titleInView();
    if (title === current) return;
    current = title;
    for (const entry of document.querySelectorAll("#pst-page-toc-nav .active"))
      entry.classList.remove("active");
    for (const link of entries) link.removeAttribute("aria-current");
    // The contents do not list all subsections.
    const sections = [title?.parentElement, title?.closest("section:has(> h2)")];
    const link = sections.map((el) => el && links.get(encodeURIComponent(el.id))).find(Boolean);
    if (link && pane) markEntry(pane, link);
    const shown = link ?? currentPage();
    button.hidden = !shown;
    button.replaceChildren(...(shown?.cloneNode(true).childNodes ?? []));
  };
  const { later } = eachFrame(update);
  addEventListener("scroll", later, { passive: true });
  // Fonts, images and the layout of sections move the titles.
  new ResizeObserver(later).observe(document.body);
  update();
}
