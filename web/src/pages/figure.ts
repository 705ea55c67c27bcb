// What all interactive figures share.

/** Return the state that the build has written into a figure. */
export const stateOf = (figure: Element) =>
  JSON.parse(figure.querySelector('script[type="application/json"]')?.textContent ?? "null");

/** Call `start` once for each element, when it comes within a screen of the viewport. */
export function whenNear(figures: Iterable<HTMLElement>, start: (figure: HTMLElement) => void) {
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        watch.unobserve(target);
        start(target as HTMLElement);
      }
    },
    { rootMargin: "100% 0px" },
  );
  for (const figure of figures) watch.observe(figure);
}
