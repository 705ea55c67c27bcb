"use strict";

// The widget bundle knows MathJax 2 only. MathJax 3 sets the page once when it starts; what the
// widgets add later is set through this queue.
if (window.MathJax) {
  const queue = { Queue: ([, , element]) => MathJax.typesetPromise([element]) };
  window.MathJax.Hub = { Queue() {} };
  window.MathJax.startup = {
    ready() {
      MathJax.startup.defaultReady();
      MathJax.Hub = queue;
    },
  };
}

// Handles of ipywidgets' sliders come without a name, and with an index for a value.
function nameSliders() {
  for (const handle of document.querySelectorAll(".widget-slider .noUi-handle")) {
    const slider = handle.closest(".widget-slider");
    const names = {
      "aria-label": slider.querySelector(".widget-label")?.textContent,
      "aria-valuetext": slider.querySelector(".widget-readout")?.textContent,
    };
    for (const [attribute, text] of Object.entries(names)) {
      if (text && handle.getAttribute(attribute) !== text) handle.setAttribute(attribute, text);
    }
  }
}

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
const scrollers = ["pre", ".output", "div.math", "mjx-container", ".pst-scrollable-table-container"];
const focusScrollers = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth + 1) target.tabIndex = 0;
    else if (target.tabIndex === 0) target.removeAttribute("tabindex");
  }
});

addEventListener("DOMContentLoaded", () => {
  nameToggles();
  nameReferences();
  const article = document.querySelector(".bd-article") ?? document.body;
  new MutationObserver(nameSliders).observe(article, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ["aria-valuetext"],
  });
});
addEventListener("load", async () => {
  await window.MathJax?.startup?.promise;
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
