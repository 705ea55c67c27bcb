// What all interactive figures share.

/** Return the state that the build has written into a figure. */
export const stateOf = (/** @type {Element} */ figure) =>
  JSON.parse(figure.querySelector('script[type="application/json"]')?.textContent ?? "null");

/** Call `start` once for each element, when it comes within a screen of the viewport.
 * @param {Iterable<HTMLElement>} figures @param {(figure: HTMLElement) => void} start */
export function whenNear(figures, start) {
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        watch.unobserve(target);
        start(/** @type {HTMLElement} */ (target));
      }
    },
    { rootMargin: "100% 0px" },
  );
  for (const figure of figures) watch.observe(figure);
}
