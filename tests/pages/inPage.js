// Functions that the tests call in an open page.
/** @type {any} */ (globalThis).inPage = {
  /** Return the content of a figure: its words and numbers, inputs, pressed buttons, pictures. */
  content(/** @type {Element} */ figure) {
    const main = figure.querySelector(".kx") ?? figure.querySelector("output");
    const named = "input, [aria-valuetext], svg [aria-label], [aria-pressed], img";
    // biome-ignore lint/performance/useDomNodeTextContent: only what is visible
    const shown = [/** @type {HTMLElement} */ (main).innerText];
    for (const e of /** @type {NodeListOf<any>} */ (figure.querySelectorAll(named)))
      if (e.checkVisibility())
        shown.push(e.value, e.ariaValueText, e.ariaLabel, e.ariaPressed, e.getAttribute("src"));
    return shown.filter(Boolean).join("|");
  },

  /** Return elements that a phone cuts off: beyond the right edge, and not in a box that scrolls. */
  cutOff(/** @type {Element[]} */ elements) {
    const isCut = (/** @type {Element} */ element) => {
      const { right, width } = element.getBoundingClientRect();
      if (!width || right <= innerWidth + 1) return false;
      for (let node = element; node.localName !== "article"; node = node.parentElement ?? node)
        if (["auto", "scroll"].includes(getComputedStyle(node).overflowX)) return false;
      return true;
    };
    return elements.filter(isCut).map((element) => element.outerHTML.slice(0, 160));
  },

  // Save axe time: empty the drawings of formulas, which are hidden from screen readers, but keep
  // their size, and keep one word of code of each class. On gradients axe computes no contrast.
  simplify() {
    /** @type {NodeListOf<HTMLElement>} */
    const drawn = document.querySelectorAll("mjx-math[aria-hidden='true']");
    const sizes = [...drawn].map((formula) => formula.getBoundingClientRect());
    drawn.forEach((formula, i) => {
      formula.replaceChildren();
      const [width, height] = [`${sizes[i].width}px`, `${sizes[i].height}px`];
      Object.assign(formula.style, { display: "inline-block", width, height });
    });
    const plain = "<style>* { background-image: none !important; }</style>";
    document.head.insertAdjacentHTML("beforeend", plain);
    for (const math of document.querySelectorAll("mjx-assistive-mml > math"))
      math.replaceChildren(math.textContent ?? "");
    for (const box of document.querySelectorAll(".highlight pre")) {
      const seen = new Set();
      for (const word of box.querySelectorAll("span:not(:has(span))")) {
        if (seen.has(word.className)) word.replaceWith(word.textContent ?? "");
        else seen.add(word.className);
      }
    }
  },

  /** Return one element of each kind that looks the same with and without the focus of the keys. */
  withoutFocusStyle() {
    const kinds = new Map();
    const focusable = "a[href], button, summary, input, [tabindex='0']";
    for (const el of document.querySelectorAll(focusable)) {
      const kind = `${el.localName}.${el.className} ${el.closest("nav, aside, article")?.id}`;
      const seen = el.checkVisibility({ visibilityProperty: true }) && !el.matches(":disabled");
      if (seen && !kinds.has(kind)) kinds.set(kind, el);
    }
    const style = (/** @type {Element} */ element) =>
      [element, ...element.children].map((part) => {
        const { outlineStyle, outlineColor, boxShadow, stroke } = getComputedStyle(part);
        return [outlineStyle === "none" ? "" : outlineColor, boxShadow, stroke].join();
      });
    const isUnchanged = (/** @type {HTMLElement} */ element) => {
      /** @type {HTMLElement} */ (document.activeElement).blur();
      const before = style(element).join();
      const options = { focusVisible: true, preventScroll: true };
      element.focus(options);
      return style(element).join() === before;
    };
    return [...kinds].filter(([, element]) => isUnchanged(element)).map(([kind]) => kind);
  },
};
