// What all interactive figures share.

/** Return the state that the build has written into a figure. */
export const stateOf = (figure) =>
  JSON.parse(figure.querySelector('script[type="application/json"]').textContent);

/** Call `start` once for each element, when it comes within a screen of the viewport. */
export function whenNear(elements, start) {
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        watch.unobserve(target);
        start(target);
      }
    },
    { rootMargin: "100% 0px" },
  );
  elements.forEach((element) => watch.observe(element));
}
