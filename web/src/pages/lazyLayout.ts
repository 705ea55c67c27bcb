// A chapter has some thirty thousand elements. So that a slow processor shows its first screen and
// answers soon, the other sections wait for their layout (type.css), and get it one by one while
// the reader does nothing. A page opened with a query or at an anchor does not wait:
// _templates/layout.html.

import { partOf } from "../ui/verdict.ts";

/** Lay out the sections that are not on the first screen. */
export function startLazyLayout() {
  const root = document.documentElement;
  const waiting = [...document.querySelectorAll<HTMLElement>(".bd-article > section > section")];
  const settle = () => delete root.dataset.layingOut;
  const idle = window.requestIdleCallback ?? ((next) => setTimeout(next, 50));
  // A section above the screen grows, and the browser does not always keep the text on the screen
  // in its place. At the top of the page, the title must stay.
  const keepPlace = (change: () => void) => {
    const { left, width } = partOf(document, ".bd-article").getBoundingClientRect();
    const read = document.elementFromPoint(left + width / 2, innerHeight / 2);
    const top = () => read?.getBoundingClientRect().top ?? 0;
    const before = top();
    change();
    const moved = top() - before;
    if (scrollY && Math.abs(moved) >= 1) scrollBy({ top: moved, behavior: "instant" });
  };
  const settleNext = () => {
    const section = waiting.shift();
    if (section) {
      keepPlace(() => (section.style.contentVisibility = "visible"));
      idle(settleNext, { timeout: 1000 });
    } else settle();
  };
  if ("layingOut" in root.dataset) {
    addEventListener("load", () => idle(settleNext));
    addEventListener("beforeprint", settle);
    // A link within the page is followed to where its target will be.
    const follow = ({ target }: Event) => (target as Element).closest('a[href*="#"]') && settle();
    addEventListener("click", follow, true);
    // The browser would often lose its own scroll to the end while the sections get their layout.
    addEventListener("keydown", (event) => {
      if (event.key !== "End" || event.target !== document.body) return;
      event.preventDefault();
      settle();
      scrollTo(0, root.scrollHeight);
    });
  }
}
