// Write the previews that references show on hover: read { folder, pages } from stdin, and write
// one script for each page, with an excerpt of the page for each anchor to which a reference leads.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { parseHTML } from "./node_modules/linkedom/worker.js";
import { required } from "./src/ui/verdict.ts";

const HEADINGS = "h1, h2, h3, h4, h5, h6";
const REMOVED = 'script, a.headerlink, a[href*="_modules"]';
const REMOVED_ATTRIBUTES = ["id", "tabindex", "aria-describedby"];
// Each contains one URL; a stacked picture is the srcset of a source element.
const URL_ATTRIBUTES = ["href", "src", "srcset"];
const ABSOLUTE = ["data:", "http:", "https:", "mailto:", "#"];
const MOST_CHARACTERS = 60_000;

const { folder, pages }: { folder: string; pages: string[] } = JSON.parse(readFileSync(0, "utf8"));

/** Return the article of a page. */
function articleOf(page: string): Document {
  const [, article] = readFileSync(join(folder, page), "utf8").split(/(<article.*?<\/article>)/s);
  return parseHTML(`<!doctype html><html><body>${article}</body></html>`).document;
}

/** Return [page, anchor] for each reference on a page. */
function referencesOf(page: string, document: Document): string[][] {
  const links = document.querySelectorAll('a.reference.internal[href*="#"]');
  return [...links].map((link) => {
    const [path, anchor] = (link.getAttribute("href") ?? "").split("#").map(decodeURIComponent);
    return [path ? normalize(join(dirname(page), path)) : page, anchor];
  });
}

/** Return the first element after a place, in the order of the page, that fits a selector. */
function nextElement(elements: Element[], place: number, selector: string) {
  return elements.slice(place).find((element) => element.matches(selector));
}

/** Return the first paragraph or displayed formula after a place. */
function nextParagraph(elements: Element[], place: number) {
  return nextElement(elements, place, 'p:not([class]), div[class^="math"]')?.outerHTML ?? "";
}

/** Return the heading of a section and its first paragraph. */
function sectionExcerpt(elements: Element[], place: number) {
  const heading = nextElement(elements, place, HEADINGS);
  if (!heading) return "";
  const paragraph = nextParagraph(elements, elements.indexOf(heading));
  return `<p class="preview-title">${heading.innerHTML}</p>${paragraph}`;
}

/** Return a term with its definition, or a signature with its first paragraph. */
function definitionExcerpt(elements: Element[], place: number) {
  const term = elements[place];
  const meaning = required(nextElement(elements, place, "dd"), "definition");
  const parts = [...meaning.querySelectorAll("*")];
  const text = (term.classList.contains("sig") && nextParagraph(parts, 0)) || meaning.innerHTML;
  return `<dl><dt>${term.innerHTML}</dt><dd>${text}</dd></dl>`;
}

/** Return the block with an anchor, or the heading and first paragraph of a section. */
function excerptAt(elements: Element[], place: number) {
  const element = elements[place];
  if (element.matches("section, span, h1, h2, h3")) return sectionExcerpt(elements, place);
  if (element.matches("dt")) return definitionExcerpt(elements, place);
  if (element.outerHTML.length <= MOST_CHARACTERS) return element.outerHTML;
  // An explorer with its data is too large for a preview, so show its caption.
  return (element.querySelector("figcaption") ?? element).outerHTML;
}

/** Remove what a preview does not need, and begin its URLs with @, for the root of the site. */
function relocate(element: Element, page: string) {
  for (const name of REMOVED_ATTRIBUTES) element.removeAttribute(name);
  for (const name of URL_ATTRIBUTES) {
    const url = element.getAttribute(name);
    if (url && !ABSOLUTE.some((start) => url.startsWith(start)))
      element.setAttribute(name, `@${normalize(join(dirname(page), url))}`);
  }
}

/** Return the excerpts of a page by their anchors. */
function excerptsOf(page: string, document: Document, anchors: Set<string>) {
  for (const element of document.querySelectorAll(REMOVED)) element.remove();
  const elements = [...document.querySelectorAll("*")];
  const ids = elements.map((element) => element.id);
  for (const element of elements) relocate(element, page);
  const excerpts = ids.flatMap((id, place) =>
    anchors.has(id) ? [[id, excerptAt(elements, place)]] : [],
  );
  return Object.fromEntries(excerpts.filter(([, html]) => html && html.length <= MOST_CHARACTERS));
}

const wanted = new Map(pages.map((page) => [page, new Set<string>()]));
for (const page of pages)
  for (const [target, anchor] of referencesOf(page, articleOf(page)))
    wanted.get(target)?.add(anchor);
for (const [page, anchors] of wanted) {
  const excerpts = anchors.size ? excerptsOf(page, articleOf(page), anchors) : {};
  const path = join(folder, "_static", "previews", page.replace(/\.html$/, ".js"));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    `bookPreviews.takeExcerpts(${JSON.stringify(page)}, ${JSON.stringify(excerpts)});\n`,
  );
}
