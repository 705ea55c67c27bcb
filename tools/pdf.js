// Functions that tools/pdf.py calls in one built page to combine all pages of the book in it.
/** @typedef {Record<"front" | "address" | "style" | "title", string>} Texts */
/** @typedef {Texts & { pages: Record<"docname" | "caption", string>[] }} Book */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: keeps the names below out of the page.
globalThis.printing = (() => {
  const article = /** @type {HTMLElement} */ (document.querySelector("article.bd-article"));
  /** @type {(selector: string, within?: ParentNode) => any[]} */
  const all = (selector, within = article) => [...within.querySelectorAll(selector)];
  /** @type {(name: string, properties: object) => HTMLElement} */
  const create = (name, properties) => Object.assign(document.createElement(name), properties);
  const MIN_FONT_SIZE = 8; // CSS pixels
  const END_HEIGHT = 120; // of the text that stays together at the end of a part

  /** Make the ids of a page unique in the book, and change its links accordingly. */
  /** @type {(part: HTMLElement, docname: string, docnames: string[], address: string) => void} */
  function rename(part, docname, docnames, address) {
    const here = `${location.origin}/${docname}.html`;
    for (const element of all("[id]", part)) element.id = `${docname}#${element.id}`;
    for (const image of all("img", part)) image.src = new URL(image.getAttribute("src"), here).href;
    for (const link of all("a[href]", part)) {
      const { origin, pathname, hash } = new URL(link.getAttribute("href"), here);
      const page = pathname.slice(1, -".html".length);
      if (origin !== location.origin) continue;
      if (docnames.includes(page))
        link.href = `#${encodeURIComponent(page + (decodeURIComponent(hash) || "#"))}`;
      else link.href = address + pathname.slice(1) + hash;
    }
  }

  /** Open all folds, and remove folded code that prints nothing or only draws a figure. */
  function openFolds(/** @type {HTMLElement} */ part) {
    for (const code of all("details.hide", part)) {
      const output = code.closest("div.cell")?.querySelector(".cell_output");
      if (!output || output.querySelector("figure, img, svg")) code.remove();
    }
    // Without its title, a fold would get the title "Details".
    for (const fold of all("details:is(.hide, .check:has(> p.check))", part)) {
      fold.querySelector("summary").remove();
      fold.replaceWith(...fold.childNodes);
    }
    for (const fold of all("details", part)) fold.open = true;
    for (const cell of all("div.cell:not(:has(img, svg))", part))
      if (!cell.textContent.trim()) cell.remove();
  }

  /** Add the address of the interactive version to the caption of each interactive figure. */
  /** @type {(part: HTMLElement, docname: string, address: string) => void} */
  function linkInteractiveFigures(part, docname, address) {
    for (const figure of all("figure:has(.kmds-slider, .kmds-explorer)", part)) {
      if (!figure.querySelector("img, svg"))
        throw new Error(`The interactive figure ${figure.id} contains no drawing.`);
      const href = `${address}${docname}.html#${figure.id}`;
      const line = create("p", { textContent: "Interactive version: " });
      line.append(create("a", { href, textContent: href.replace(/^https?:\/\//, "") }));
      figure.querySelector(":scope > figcaption").append(line);
    }
  }

  /** Move the solutions to the end of the chapter, with links in both directions. */
  function moveSolutions(/** @type {HTMLElement} */ part) {
    if (!part.querySelector(".solution")) return;
    const section = create("section", {
      innerHTML: "<h2>Solutions</h2>",
      id: "solutions-of-the-chapter",
    });
    for (const block of all(".solution", part)) {
      const title = block.querySelector(".admonition-title");
      const exercise = all(".exercise", part).findLast(
        (one) => one.compareDocumentPosition(block) & Node.DOCUMENT_POSITION_FOLLOWING,
      );
      const number = exercise.querySelector(".caption-number").textContent.match(/[\d.]+/)[0];
      exercise.append(
        create("a", {
          href: `#${block.id}`,
          className: "to-solution",
          textContent: `Solution ${number}`,
        }),
      );
      const back = create("a", { href: `#${exercise.id}` });
      back.append(...title.childNodes);
      title.append(back);
      section.append(block);
    }
    all("h1", part)[0].closest("section").append(section);
  }

  /** Move the id of a section to its heading, which may be on the page after the section begins. */
  function moveIdsToHeadings(/** @type {HTMLElement} */ part) {
    for (const heading of all("section[id] > :is(h1, h2, h3, h4):not([id])", part)) {
      const section = heading.parentElement;
      heading.prepend(...all(":scope > span[id]:empty", section));
      heading.id = section.id;
      section.removeAttribute("id");
    }
  }

  /** Fetch a page and return it as a part of the book. */
  /** @type {(docname: string, docnames: string[], address: string) => Promise<HTMLElement>} */
  async function partOf(docname, docnames, address) {
    const text = await (await fetch(`/${docname}.html`)).text();
    const [source] = all("article.bd-article", new DOMParser().parseFromString(text, "text/html"));
    const [raw] = all(".math:not(:has(mjx-container))", source);
    if (raw)
      throw new Error(`${docname} contains a formula that is not typeset: ${raw.textContent}`);
    const part = create("section", { className: "part", id: `part-${docnames.indexOf(docname)}` });
    part.append(...document.adoptNode(source).childNodes);
    for (const gone of all("script, template, .headerlink", part)) gone.remove();
    for (const number of all(".section-number", part))
      number.textContent = number.textContent.replace(/\.\s*$/, " ");
    linkInteractiveFigures(part, docname, address);
    openFolds(part);
    moveSolutions(part);
    moveIdsToHeadings(part);
    rename(part, docname, docnames, address);
    return part;
  }

  /** Return the last blocks of a part, which stay together so that no page is nearly empty. */
  function lastBlocks(/** @type {HTMLElement} */ part) {
    const { bottom } = part.getBoundingClientRect();
    return all("p, pre, div.math, figure, tr", part).filter((block) => {
      const box = block.getBoundingClientRect();
      return box.height && bottom - box.bottom < END_HEIGHT;
    });
  }

  /** Return the lines of the table of contents for a part. */
  function contentsLines(/** @type {HTMLElement} */ part, /** @type {string} */ caption) {
    const shown = part.querySelector("h1 .section-number") ? "h1, h2" : "h1";
    const headings = all(shown, part).map((heading) => {
      const line = create("a", {
        href: `#${encodeURIComponent(heading.id)}`,
        className: `of-${heading.localName}`,
      });
      line.append(
        ...heading.cloneNode(true).childNodes,
        create("span", { className: "dots" }),
        create("span", { textContent: "000", style: "min-width: 2em; text-align: right" }),
      );
      for (const target of all("[id]", line)) target.remove();
      return line;
    });
    return caption
      ? [create("p", { className: "caption", textContent: caption }), ...headings]
      : headings;
  }

  /** Return the CSS of the running head of a part. */
  function runningHead(/** @type {HTMLElement} */ part) {
    const title = JSON.stringify(all("h1", part)[0].textContent.replace(/\s+/g, " ").trim());
    return `#${part.id} { page: ${part.id} } @page ${part.id} { @top-center { content: ${title} } }`;
  }

  /** Replace this page by the book: front matter, contents and all parts. */
  async function bind(/** @type {Book} */ { pages, front, address, style, title }) {
    const docnames = pages.map((page) => page.docname);
    const parts = await Promise.all(docnames.map((docname) => partOf(docname, docnames, address)));
    const contents = create("section", { className: "contents", innerHTML: "<h1>Contents</h1>" });
    contents.append(...parts.flatMap((part, i) => contentsLines(part, pages[i].caption)));
    article.innerHTML = front;
    article.append(contents, ...parts);
    for (const box of all(":is(article.bd-article, :has(article.bd-article))", document.body))
      box.parentElement.replaceChildren(box);
    document.head.append(
      create("style", { textContent: [style, ...parts.map(runningHead)].join("\n") }),
    );
    Object.assign(document.documentElement.dataset, { theme: "light", counting: "" });
    document.title = title;
    for (const image of all("img")) image.loading = "eager";
    await Promise.all(all("img").map((image) => image.decode()));
    await document.fonts.ready;
    for (const block of parts.flatMap(lastBlocks)) block.classList.add("at-end");
  }

  /** Return the width of an element or its content, relative to the width available. */
  function relativeWidth(/** @type {HTMLElement} */ element) {
    const box = element.getBoundingClientRect();
    const inside = element.matches("pre, div.math") ? element.scrollWidth / element.clientWidth : 1;
    return Math.max(inside, box.width / (article.getBoundingClientRect().right - box.left));
  }

  /** Reduce the font size of wide formulas and tables; return elements that are still too wide. */
  function fit() {
    // Measure all elements before changing any, because each change lays out the book again.
    for (let trial = 0; trial < 4; trial += 1) {
      const sizes = all("mjx-container, table").map((element) => {
        const over = relativeWidth(element);
        const size =
          over > 1.001 &&
          parseFloat(getComputedStyle(element).fontSize) * Math.max(0.9, 0.95 / over);
        return [element, size];
      });
      for (const [element, size] of sizes) {
        if (size >= MIN_FONT_SIZE) element.style.setProperty("font-size", `${size}px`, "important");
      }
    }
    return all("div.math, mjx-container, table, pre, img, svg")
      .filter(
        (element) =>
          !element.closest("mjx-container mjx-container") && relativeWidth(element) > 1.01,
      )
      .map(
        (element) =>
          `${element.localName}: ${element.textContent.trim().slice(0, 60) || element.alt}`,
      );
  }

  /** Return the titles of all bookmarks. Those of Chromium lack the spaces at line breaks. */
  function headings() {
    return all("h1, h2, h3, h4, h5, h6", document.body).map((heading) => {
      const copy = heading.cloneNode(true);
      for (const formula of all("mjx-container", copy))
        formula.replaceWith(formula.querySelector("mjx-assistive-mml").textContent);
      return copy.textContent.replace(/\s+/g, " ").trim();
    });
  }

  /** Write page numbers into contents and index; drop index entries that are not in the book. */
  function number(/** @type {Record<string, number | undefined>} */ pages) {
    delete document.documentElement.dataset.counting;
    const numberOf = (/** @type {HTMLAnchorElement} */ link) =>
      pages[decodeURIComponent(link.hash.slice(1))];
    for (const line of all(".contents a")) line.lastChild.textContent = numberOf(line);
    for (const entry of all(".index-entries li").reverse()) {
      const links = new Map(all(":scope > a", entry).map((link) => [numberOf(link), link]));
      links.delete(undefined);
      for (const [page, link] of links) link.textContent = page;
      const below = all(":scope > ul:has(li)", entry);
      entry.replaceChildren(
        entry.firstChild.textContent.trim(),
        ...[...links.values()].flatMap((link) => [", ", link]),
        ...below,
      );
      if (!links.size && !below.length) entry.remove();
    }
    for (const list of all("ul.index-entries:not(:has(li))")) {
      list.previousElementSibling.remove();
      list.remove();
    }
  }

  return { bind, fit, headings, number };
})();
