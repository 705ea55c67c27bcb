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
const scrollers = ["pre", ".output", "div.math", 'mjx-container[display="true"]', ".pst-scrollable-table-container"];
const focusScrollers = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth + 1) target.tabIndex = 0;
    else if (target.tabIndex === 0) target.removeAttribute("tabindex");
  }
});

addEventListener("DOMContentLoaded", () => {
  nameToggles();
  nameReferences();
});
addEventListener("load", () => {
  for (const box of document.querySelectorAll(`.bd-article :is(${scrollers.join()})`)) {
    focusScrollers.observe(box);
  }
});

// A dark page prints as a light one.
let screenTheme;
addEventListener("beforeprint", () => {
  screenTheme = document.documentElement.dataset.theme;
  document.documentElement.dataset.theme = "light";
});
addEventListener("afterprint", () => {
  document.documentElement.dataset.theme = screenTheme;
});
