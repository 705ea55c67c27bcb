// Folded blocks and folded code.

import { partOf } from "../ui/verdict.ts";

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const folds: HTMLElement[] = [];
  for (let node = target; node; node = node.parentElement) {
    if (node.localName === "details" && !node.hasAttribute("open")) folds.push(node);
  }
  for (const fold of folds) fold.setAttribute("open", "");
  if (folds.length) target?.scrollIntoView();
}

const codeFolds = () => document.querySelectorAll(".bd-article details:is(.check, .hide)");
/** Open or close all code of the page. */
function setCode(shown: boolean) {
  for (const fold of codeFolds()) fold.toggleAttribute("open", shown);
  document.querySelector(".btn-show-code")?.setAttribute("aria-pressed", String(shown));
}
/** Open or close all code, and remember the choice for the next page. */
export function showCode() {
  const shown = partOf(document, ".btn-show-code").getAttribute("aria-pressed") !== "true";
  setCode(shown);
  localStorage.setItem("show-code", String(shown));
}

/** Fold the code as on the last page, and open what links lead to. */
export function startFolds() {
  if (codeFolds().length) setCode(localStorage.getItem("show-code") === "true");
  openTarget();
  addEventListener("hashchange", openTarget);
  // A second click on the same link changes no address.
  addEventListener("click", ({ target }) => {
    const link = target instanceof Element && target.closest("a[href*='#']");
    if (link instanceof HTMLAnchorElement && link.href === location.href) openTarget();
  });
}
