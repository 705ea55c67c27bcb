"use strict";

// Functions that tools/pdf.py runs in each built page, to make a part of the printed book of it.
window.printing = (() => {
  const article = document.querySelector("article.bd-article");
  const all = (selector, within = article) => [...within.querySelectorAll(selector)];
  const GONE = "script, style, template";
  const SMALLEST = 8; // CSS pixels
  const WIDE = "div.math, mjx-container, table, pre, img, svg";

  /** Put a style sheet on the page, and wait until fonts and pictures stand. */
  async function dress(style) {
    const sheet = document.createElement("style");
    sheet.textContent = style;
    document.head.append(sheet);
    document.documentElement.dataset.theme = "light";
    for (const image of all("img")) image.loading = "eager";
    await Promise.all(all("img").map((image) => image.decode()));
    await document.fonts.ready;
  }

  /** Write a heading's formulas as plain HTML: variables italic, indices small. */
  function linear(node) {
    if (node.nodeType === Node.TEXT_NODE) {
      return node.textContent.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);
    }
    const parts = [...node.childNodes].map(linear);
    const formula = node.localName === "mjx-container" && node.querySelector("math");
    if (formula) return linear(formula);
    const [base, first, second] = parts;
    switch (node.localName) {
      case "mi":
        return `<i>${base}</i>`;
      case "msub":
        return `${base}<sub>${first}</sub>`;
      case "msup":
        return `${base}<sup>${first}</sup>`;
      case "msubsup":
        return `${base}<sub>${first}</sub><sup>${second}</sup>`;
      case "mfrac":
        return `${base}/${first}`;
      default:
        return parts.join("");
    }
  }

  /** Return number, title and id of a heading, which has the id of its section. */
  function describe(heading) {
    const copy = heading.cloneNode(true);
    const number = copy.querySelector(".section-number")?.textContent.trim() ?? "";
    for (const part of all(".section-number, .headerlink", copy)) part.remove();
    const html = linear(copy).replace(/\s+/g, " ").trim();
    const probe = document.createElement("span");
    probe.innerHTML = html;
    return {
      level: Number(heading.localName[1]),
      id: heading.id || heading.closest("section[id]").id,
      number,
      text: probe.textContent,
      html,
    };
  }

  /** Let a link to a section lead to its heading, which may stand on the page after its start. */
  function aimAtHeadings() {
    for (const section of all("section[id]")) {
      const heading = section.querySelector(":scope > :is(h1, h2, h3, h4)");
      if (!heading || heading.id) continue;
      heading.prepend(...all(":scope > span[id]:empty", section));
      heading.id = section.id;
      section.removeAttribute("id");
    }
  }

  /** Open what is folded. Of folded code only what prints a result is kept. */
  function unfold() {
    for (const part of all(".toggle-hidden")) part.classList.remove("toggle-hidden");
    for (const code of all("details.hide")) {
      const output = code.closest("div.cell")?.querySelector(".cell_output");
      if (!output || output.querySelector("figure, img, svg")) code.remove();
    }
    for (const fold of all("details")) fold.open = true;
    for (const title of all("details.hide > summary")) title.remove();
    for (const cell of all("div.cell")) if (!cell.textContent.trim() && !cell.querySelector("img, svg")) cell.remove();
  }

  /** Leave of each interactive figure what is seen, and say where it moves. */
  function still(figures, address) {
    for (const id of figures) {
      const figure = document.getElementById(id);
      if (!figure.querySelector("img, svg")) throw new Error(`Nothing to be seen of ${id}.`);
      const hidden = all("*", figure).filter((e) => !e.matches(GONE) && getComputedStyle(e).display === "none");
      for (const part of hidden) part.remove();
      const link = document.createElement("a");
      link.href = `${address}#${id}`;
      link.textContent = link.href.replace(/^https?:\/\//, "");
      const line = document.createElement("p");
      line.className = "moves-at";
      line.append("This figure moves at ", link);
      figure.querySelector(":scope > figcaption").append(line);
    }
  }

  /** Move the solutions behind the chapter, with a link there and one back. */
  function moveSolutions() {
    const solutions = all(".solution");
    if (!solutions.length) return;
    const section = document.createElement("section");
    section.id = "solutions-of-the-chapter";
    section.innerHTML = "<h2>Solutions</h2>";
    const blocks = all(".exercise, .solution");
    for (const solution of solutions) {
      const exercise = blocks.slice(0, blocks.indexOf(solution)).findLast((b) => b.matches(".exercise"));
      const [there, back] = [solution, exercise].map((target) => {
        const link = document.createElement("a");
        link.href = `#${target.id}`;
        return link;
      });
      const number = exercise.querySelector(".caption-number").textContent.trim();
      there.textContent = `Solution ${number.replace(/^\D+/, "")}`;
      there.className = "to-solution";
      exercise.append(there);
      const title = solution.querySelector(".admonition-title");
      back.append(...title.childNodes);
      for (const link of all("a", back)) link.replaceWith(...link.childNodes);
      title.append(back);
      section.append(solution);
    }
    (article.querySelector("h1").closest("section") ?? article).append(section);
  }

  /** Make a target of every id: Chromium keeps those that a link of the same page names. */
  function nameTargets() {
    const box = document.createElement("div");
    box.hidden = true;
    for (const { id } of all("[id]")) {
      const link = document.createElement("a");
      link.href = `#${encodeURIComponent(id)}`;
      box.append(link);
    }
    article.append(box);
  }

  /** Say how much wider than the column, or than its own box, something is; 1 fits. */
  function excess(element) {
    const column = article.getBoundingClientRect().right;
    const box = element.getBoundingClientRect();
    if (!box.width) return 1;
    const inside = element.matches("pre, div.math") ? element.scrollWidth / element.clientWidth : 1;
    const room = (element.offsetParent ?? article).getBoundingClientRect();
    const space = Math.min(column, Math.max(room.right, box.left + 1)) - Math.max(0, box.left);
    return Math.max(inside, box.width / space);
  }

  /** Set wide formulas and tables smaller, as far as they can still be read; on paper letters are wider. */
  function shrink() {
    for (const element of all("mjx-container, table")) {
      for (let trial = 0; trial < 4 && excess(element) > 1.001; trial += 1) {
        const size = parseFloat(getComputedStyle(element).fontSize) * Math.max(0.9, 0.95 / excess(element));
        if (size >= SMALLEST) element.style.setProperty("font-size", `${size}px`, "important");
      }
    }
  }

  /** Name what would be cut off at the right edge of the paper. */
  function clipped() {
    return all(WIDE)
      .filter((element) => !element.closest("[hidden], mjx-container mjx-container") && excess(element) > 1.01)
      .map((element) => `${element.localName}: ${element.textContent.trim().slice(0, 60) || element.alt}`);
  }

  /** Turn the page into a part of the book; return its headings. */
  function arrange({ moving, address }) {
    const raw = all(".math").find((formula) => !formula.querySelector("mjx-container"));
    if (raw) throw new Error(`The build did not set ${raw.textContent}: it needs Node for that.`);
    for (const number of all(".section-number")) number.textContent = number.textContent.replace(/\.\s*$/, " ");
    still(moving, address);
    unfold();
    moveSolutions();
    aimAtHeadings();
    nameTargets();
    return all("h1, h2, h3").map(describe);
  }

  /** Put other contents on the page, with its type and style, and nothing before them. */
  function replace(html) {
    article.innerHTML = html;
    for (let part = article; part !== document.body; part = part.parentElement) {
      part.parentElement.replaceChildren(part);
    }
    nameTargets();
  }

  /** Give the index page numbers, each once, and drop what is not in the book. */
  function numberIndex(pages) {
    for (const entry of all(".index-entries li")) {
      const links = all(":scope > a", entry).filter((link) => pages[link.getAttribute("href")]);
      for (const link of links) link.textContent = pages[link.getAttribute("href")];
      const kept = links.filter((link, at) => links.findIndex((l) => l.textContent === link.textContent) === at);
      const [words, below] = [entry.firstChild, entry.querySelector("ul")];
      words.data = words.data.trim();
      entry.replaceChildren(words, ...kept.flatMap((link) => [", ", link]), ...(below ? [below] : []));
    }
    for (const entry of all(".index-entries li").reverse()) if (!entry.querySelector("a")) entry.remove();
    for (const list of all(".index-entries ul")) if (!list.children.length) list.remove();
    for (const list of all("ul.index-entries")) {
      if (list.children.length) continue;
      list.previousElementSibling.remove();
      list.remove();
    }
  }

  /** Make room for what is wide; return what does not fit even so. */
  function fit() {
    shrink();
    return clipped();
  }

  return { arrange, dress, fit, numberIndex, replace };
})();
