// Observe how fast a page is drawn, from its start. The tests of speed read the results.
/** @type {Record<string, number>} */
const seen = { "layout shift": 0 };

/** @param {string} type @param {(entry: any) => void} note */
const observe = (type, note) =>
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
    type,
    buffered: true,
  });
observe("layout-shift", ({ hadRecentInput, value }) => {
  if (!hadRecentInput) seen["layout shift"] += value;
});
observe("paint", ({ name, startTime }) => {
  if (name === "first-contentful-paint") seen["first text, ms"] = startTime;
});

/** @type {any} */ (globalThis).speed = {
  seen,

  weigh() {
    const kinds = ["navigation", "resource"];
    const all = kinds.flatMap((kind) => /** @type {any[]} */ (performance.getEntriesByType(kind)));
    const weight = (/** @type {any[]} */ some) =>
      some.reduce((sum, one) => sum + one.transferSize, 0);
    const others = all.filter(({ initiatorType }) => initiatorType !== "img");
    return { "weight, bytes": weight(all), "weight without pictures, bytes": weight(others) };
  },

  /** Press the theme's button, whose script comes last, and wait until the page has changed. */
  async answer() {
    /** @type {any} */ (document.querySelector(".theme-switch-button")).click();
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now();
  },
};
