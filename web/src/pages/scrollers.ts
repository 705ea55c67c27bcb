// Boxes that scroll sideways can be reached by keyboard.

const scrollers = [
  "pre",
  ".output",
  "div.math",
  "span.math",
  'mjx-container[display="true"]',
  ".pst-scrollable-table-container",
  "figure",
];
const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth + 1) target.setAttribute("tabindex", "0");
    else if (target.getAttribute("tabindex") === "0") target.removeAttribute("tabindex");
  }
});

/**
 * Follow the sizes of all such boxes once the page is loaded. The theme, whose script comes after
 * this one, would measure them all at this event, and so lay out the whole page at once: its
 * listener is not called.
 */
export function startScrollers(event: Event) {
  event.stopImmediatePropagation();
  for (const box of document.querySelectorAll(`.bd-article :is(${scrollers.join()})`)) {
    observer.observe(box);
  }
}
