// Functions that the tests call in an open page.
/** @type {any} */ (globalThis).inPage = {
  /** Return the content of a figure: its words and numbers, inputs, pressed buttons, pictures. */
  content(/** @type {Element} */ figure) {
    const main = figure.querySelector(".kx") ?? figure.querySelector("output");
    const named = "input, [aria-valuetext], svg [aria-label], [aria-pressed], img";
    const shown = [.../** @type {NodeListOf<HTMLInputElement>} */ (figure.querySelectorAll(named))]
      .filter((element) => element.checkVisibility())
      .flatMap((e) => [
        e.value,
        e.ariaValueText,
        e.ariaLabel,
        e.ariaPressed,
        e.getAttribute("src"),
      ]);
    // biome-ignore lint/performance/useDomNodeTextContent: only what is visible
    return [/** @type {HTMLElement} */ (main).innerText, ...shown].filter(Boolean).join("|");
  },

  /** Put an element at the top of the screen, and wait until the observers have been told. */
  scrollTo(/** @type {Element} */ element) {
    element.scrollIntoView();
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  },

  /** Press all visible buttons of an explorer. */
  pressButtons(/** @type {Element} */ figure) {
    for (const button of figure.querySelectorAll(".kx button:not(.kx-link, .kx-toggle)"))
      if (button.checkVisibility()) /** @type {HTMLElement} */ (button).click();
  },

  /** Return the names that a map shows, and the left, right, top and bottom of each. */
  nameBoxes(/** @type {Element} */ figure) {
    return [...figure.querySelectorAll('[data-part="map"] .kx-name')]
      .filter((name) => name.textContent && name.checkVisibility())
      .map((name) => {
        const { left, right, top, bottom } = name.getBoundingClientRect();
        return [name.textContent, left, right, top + 3, bottom - 3];
      });
  },

  /** Drop a text, or a file that contains it, on the laboratory. */
  drop(/** @type {Element} */ figure, /** @type {string[]} */ [text, name]) {
    const dataTransfer = new DataTransfer();
    if (name) dataTransfer.items.add(new File([text], name));
    else dataTransfer.setData("text", text);
    const event = new DragEvent("drop", { dataTransfer, bubbles: true });
    figure.querySelector(".kl")?.dispatchEvent(event);
  },

  pasteTenMegabytes(/** @type {Element} */ box) {
    const data = "1 2 3 4 5 6 7 8 9 0\n".repeat(500_000);
    box.dispatchEvent(new InputEvent("beforeinput", { inputType: "insertFromPaste", data }));
  },

  /** Return elements that a phone cuts off: beyond the right edge, and not in a box that scrolls. */
  cutOff(/** @type {Element[]} */ elements) {
    const scrolls = (/** @type {Element} */ element) =>
      ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
    return elements
      .filter((element) => {
        const { right, width } = element.getBoundingClientRect();
        if (!width || right <= innerWidth + 1) return false;
        for (let at = element; at.localName !== "article"; at = at.parentElement ?? at)
          if (scrolls(at)) return false;
        return true;
      })
      .map((element) => element.outerHTML.slice(0, 160));
  },

  /**
   * Save axe time: empty the drawings of formulas, which are hidden from screen readers, but keep
   * their size, and keep one word of code of each class. On gradients axe computes no contrast.
   */
  simplify() {
    /** @type {NodeListOf<HTMLElement>} */
    const drawn = document.querySelectorAll("mjx-math[aria-hidden='true']");
    const widths = [...drawn].map((formula) => formula.getBoundingClientRect().width);
    drawn.forEach((formula, i) => {
      formula.replaceChildren();
      Object.assign(formula.style, { display: "inline-block", width: `${widths[i]}px` });
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
    for (const at of document.querySelectorAll(focusable)) {
      const kind = `${at.localName}.${at.className} ${at.closest("nav, aside, article")?.id}`;
      const seen = at.checkVisibility({ visibilityProperty: true }) && !at.matches(":disabled");
      if (seen && !kinds.has(kind)) kinds.set(kind, at);
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

  /** Return the characters of the area for private use, which only icon fonts draw. */
  icons() {
    const contents = [...document.querySelectorAll("body :not(mjx-container *)")].flatMap(
      (element) => ["::before", "::after"].map((part) => getComputedStyle(element, part).content),
    );
    return contents.flatMap((content) =>
      [...content.matchAll(/[\ue000-\uf8ff]/g)].map(([icon]) => icon.codePointAt(0)),
    );
  },
};
