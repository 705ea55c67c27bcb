"use strict";

// The theme's toggles have names that do not say what they open, or none.
function nameToggles() {
  for (const summary of document.querySelectorAll("details.hide > summary")) {
    summary.removeAttribute("aria-label");
  }
  for (const summary of document.querySelectorAll(".bd-sidebar .has-children summary")) {
    const title = summary.closest(".has-children").querySelector("a").textContent;
    summary.setAttribute("aria-label", `Pages of ${title.trim()}`);
  }
}

// The bibliography is a list, whose entries come with a role that is no longer in use.
function nameReferences() {
  for (const entry of document.querySelectorAll(".citation-list > .citation")) {
    entry.setAttribute("role", "listitem");
  }
}

// Regions that scroll sideways are reached by keyboard too.
const scrollers = ["pre", ".output", "div.math", "span.math", 'mjx-container[display="true"]', ".pst-scrollable-table-container"];
const focusScrollers = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth + 1) target.tabIndex = 0;
    else if (target.tabIndex === 0) target.removeAttribute("tabindex");
  }
});

// A link into a folded block opens it.
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const folds = [];
  for (let at = target; at; at = at.parentElement) {
    if (at.localName === "details" && !at.open) folds.push(at);
  }
  for (const fold of folds) fold.open = true;
  if (folds.length) target.scrollIntoView();
}

// All code of a page is shown or folded at once, and the choice holds for the next page.
const codeFolds = () => document.querySelectorAll(".bd-article details:is(.check, .hide)");
function setCode(shown) {
  for (const fold of codeFolds()) fold.open = shown;
  document.querySelector(".btn-show-code")?.setAttribute("aria-pressed", shown);
}
function showCode() {
  const shown = document.querySelector(".btn-show-code").getAttribute("aria-pressed") !== "true";
  setCode(shown);
  localStorage.setItem("show-code", shown);
}

// The contents of the page mark the section that is being read, and others hear of it.
function followContents() {
  document.body.removeAttribute("data-bs-spy");
  const titles = [...document.querySelectorAll(".bd-article section[id] > :is(h2, h3)")];
  const links = new Map([...document.querySelectorAll("#pst-page-toc-nav a")].map((a) => [a.hash.slice(1), a]));
  const pane = document.getElementById("pst-secondary-sidebar");
  let current;
  function reached() {
    if (scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2) return titles.at(-1);
    // From the first on: asking for the place of a title far below would lay out its section.
    const next = titles.findIndex((title) => title.getBoundingClientRect().top > 0.3 * innerHeight);
    return titles.at(next < 0 ? -1 : Math.max(next - 1, 0));
  }
  function look() {
    const title = reached();
    if (!title || title === current) return;
    current = title;
    const anchor = title.parentElement.id;
    for (const entry of pane?.querySelectorAll(".active") ?? []) entry.classList.remove("active");
    for (const link of links.values()) link.removeAttribute("aria-current");
    const link = links.get(encodeURIComponent(anchor));
    if (link) {
      link.setAttribute("aria-current", "location");
      for (let at = link; at !== pane; at = at.parentElement) {
        if (at === link || at.localName === "li") at.classList.add("active");
      }
      const [inner, outer] = [link.getBoundingClientRect(), pane.getBoundingClientRect()];
      if (inner.top < outer.top) pane.scrollTop += inner.top - outer.top;
      if (inner.bottom > outer.bottom) pane.scrollTop += inner.bottom - outer.bottom;
    }
    const words = title.cloneNode(true);
    words.querySelector(".headerlink")?.remove();
    const detail = { anchor, title: words.textContent.trim() };
    dispatchEvent(new CustomEvent("booksection", { detail }));
  }
  let waiting = false;
  addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      look();
    });
  }, { passive: true });
  look();
}

// The search answers while one types. What it looks through is fetched when its window first opens.
function awaitSearch() {
  const fetch = () => {
    for (const name of ["search", "search-records"]) {
      const src = `${document.documentElement.dataset.content_root}_static/${name}.js`;
      document.head.append(Object.assign(document.createElement("script"), { src, async: false }));
    }
  };
  if (document.querySelector(".bd-search-container")) return;
  document.getElementById("pst-search-dialog")?.addEventListener("focusin", fetch, { once: true });
}

addEventListener("DOMContentLoaded", () => {
  awaitSearch();
  nameToggles();
  nameReferences();
  if (codeFolds().length) setCode(localStorage.getItem("show-code") === "true");
  followContents();
  openTarget();
});
addEventListener("load", () => {
  for (const box of document.querySelectorAll(`.bd-article :is(${scrollers.join()})`)) {
    focusScrollers.observe(box);
  }
});

addEventListener("hashchange", openTarget);
// A second click on the same link changes no address.
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href*='#']");
  if (link && link.href === location.href) openTarget();
});

// On a phone a tap shows a picture as large as it was drawn; there it can be moved about.
addEventListener("click", ({ target }) => {
  if (!target.matches?.(".bd-article figure img") || target.clientWidth > 0.8 * target.getAttribute("width")) return;
  const room = document.createElement("dialog");
  room.className = "enlarged";
  room.ariaLabel = "The figure, enlarged";
  room.append(target.cloneNode());
  room.addEventListener("click", () => room.close());
  room.addEventListener("close", () => room.remove());
  document.body.append(room);
  room.showModal();
});

// Paper cannot be unfolded, and a dark page prints as a light one.
const opened = new Set();
let screenTheme;
addEventListener("beforeprint", () => {
  screenTheme = document.documentElement.dataset.theme;
  document.documentElement.dataset.theme = "light";
  for (const fold of document.querySelectorAll("details.admonition:not([open], .hide)")) {
    opened.add(fold);
    fold.open = true;
  }
});
addEventListener("afterprint", () => {
  document.documentElement.dataset.theme = screenTheme;
  for (const fold of opened) fold.open = false;
  opened.clear();
});
