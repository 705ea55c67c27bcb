// Names and roles for screen readers that the theme does not set.

import { partOf } from "../ui/verdict.ts";

// The theme's toggles have no names, or names that do not say what they open.
function nameToggles() {
  for (const summary of document.querySelectorAll("details.hide > summary")) {
    summary.removeAttribute("aria-label");
  }
  for (const summary of document.querySelectorAll(".bd-sidebar .has-children summary")) {
    const title = partOf(summary.closest(".has-children"), "a").textContent;
    summary.setAttribute("aria-label", `Pages of ${title.trim()}`);
  }
}

export function setNames() {
  // The corner of a table that pandas writes is no header.
  for (const corner of document.querySelectorAll(".dataframe th:empty"))
    corner.replaceWith(document.createElement("td"));
  nameToggles();
  // The bibliography is a list, whose entries have a role that is no longer in use.
  for (const entry of document.querySelectorAll(".citation-list > .citation"))
    entry.setAttribute("role", "listitem");
}
