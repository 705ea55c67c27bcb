// The search: find the blocks of the book that contain all words, and show their sentences.

import { closest, distance } from "fastest-levenshtein";
import { partOf } from "../ui/verdict.ts";
import { loadScript, root } from "./site.ts";

// Points for the kinds of records, which decide between records that answer equally well.
const POINTS: [number, string][] = [
  [12, "function class term"],
  [11, "section"],
  [10, "theorem lemma proposition corollary definition algorithm"],
  [7, "remark"],
  [5, "exercise"],
  [4, "method figure work"],
  [3, "attribute property"],
  [1, "solution"],
];
type Key = "kind" | "title" | "text" | "pageTitle" | "url" | "name" | "body";
type Block = Record<Key, string> & { synonyms: string[]; exact: string[]; rank: number };
type Page = [string, [string, string, string, string, string[]][]]; // its title and blocks
const SHOWN = 40;
// Pages by the order of their results: chapters, other pages, the library, works. Some kinds of
// records of a chapter count as those of other pages.
const RANKS = [/\/\d\d-/, /^(?!.*\/(api|bibliography))/, /\/api\//, /./];
const MINOR_KINDS = ["exercise", "figure", "solution"];
// Levels of an answer: the words are a title or a synonym, are within one, or are in the text.
const LEVELS = { exact: 3, title: 2, text: 1 };
let records: Block[] = [];
let vocabulary: string[] | null = null;
// American spellings, and the British ones that replace them.
let [american, spellings] = [/$^/, {} as Record<string, string>];

// Characters of the records that begin and end subscripts and superscripts, and those of HTML.
const TAGS: Record<string, string> = {
  "\ue002": "<sub>",
  "\ue003": "</sub>",
  "\ue004": "<sup>",
  "\ue005": "</sup>",
  "&": "&amp;",
  "<": "&lt;",
};
const normalised = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/[\p{Mn}\ue002-\ue005]/gu, "")
    .toLowerCase()
    .replace(american, (found) => spellings[found]);
const split = (text: string) => normalised(text).match(/[\p{L}\p{N}_]+/gu) ?? [];
/** Return the beginning of a word that singular and plural share. */
function stem(word: string) {
  if (word.length > 5 && /(y|ies)$/.test(word)) return word.replace(/(y|ies)$/, "");
  return word.length > 3 ? word.replace(/(?<=[^s])s$/, "") : word;
}

/** Return the words of a title without the kind and the number, as in "Theorem 4.3 (Strain)". */
const withoutNumber = (title: string) => title.replace(/^([A-Z]\w+ )?[\d.]+ /, "");

/** Set the records of all pages and the spellings, which their script contains, and answer. */
export function setRecords(content: {
  spellings: Record<string, string>;
  pages: Record<string, Page>;
}) {
  spellings = content.spellings;
  american = new RegExp(Object.keys(spellings).join("|"), "g");
  records = Object.entries(content.pages).flatMap(([page, [pageTitle, blocks]]) =>
    blocks.map(([kind, title, anchor, text, synonyms], i) => ({
      kind,
      title,
      // A section without a text of its own is shown with that of its first subsection.
      text: text || (blocks[i + 1]?.[3] ?? ""),
      synonyms,
      pageTitle,
      url: `${page}.html${anchor && `#${anchor}`}`,
      rank: Math.max(
        RANKS.findIndex((pages) => pages.test(page)),
        MINOR_KINDS.includes(kind) ? 1 : 0,
      ),
      exact: [withoutNumber(title), ...synonyms].map((name) => split(name).map(stem).join(" ")),
      name: ` ${split([title, ...synonyms].join(" ")).join(" ")} `,
      body: ` ${split(text).join(" ")} `,
    })),
  );
  begin();
}

// The beginning of a word finds it; a letter, as the language R, only itself.
const start = (word: string) => ` ${word}${word.length > 1 ? "" : " "}`;

/** Return the level of an answer, or 0 if the record does not contain all words. */
function levelOf({ kind, exact, name, body }: Block, words: string[]) {
  if (exact.includes(words.join(" "))) return LEVELS.exact;
  // A letter, such as an initial of an author, and an attribute without its class come last.
  const isMinor = words.length === 1 && ["attribute", "property"].includes(kind);
  const isTitle = words.join("").length > 1 && !isMinor;
  if (isTitle && words.every((word) => name.includes(start(word)))) return LEVELS.title;
  const isThere = (word: string) => (name + body).includes(start(word));
  return words.every(isThere) ? LEVELS.text : 0;
}

/** Return the points of a record among those with the same level and rank. */
function pointsOf({ kind, name, body }: Block, words: string[]) {
  const phrase = ` ${words.join(" ")}`;
  let [sum] = POINTS.find(([, kinds]) => kinds.split(" ").includes(kind)) ?? [2];
  for (const word of words) {
    if (name.includes(` ${word} `)) sum += 30;
    else if (name.includes(start(word))) sum += 20;
  }
  if (name.includes(phrase)) sum += 20 + (60 * phrase.length) / name.length;
  return body.includes(phrase) ? sum + 5 : sum;
}

/** Return a word, or the one with the most similar spelling if the book does not contain it. */
function corrected(word: string) {
  const isThere = ({ name, body }: Block) => (name + body).includes(start(stem(word)));
  if (word.length < 4 || records.some(isThere)) return word;
  vocabulary ??= [...new Set(records.flatMap(({ name, body }) => (name + body).split(" ")))];
  const near = closest(word, vocabulary);
  return distance(word, near) <= Math.min(2, word.length / 3) ? near : word;
}

/** Return the records that contain all words of a question, the best first. */
export function find(question: string) {
  const words = split(question).map(corrected).map(stem);
  if (!words.length) return [];
  return records
    .map((record) => ({ ...record, level: levelOf(record, words) }))
    .filter(({ level }) => level)
    .map((record) => ({ ...record, points: pointsOf(record, words) }))
    .sort((a, b) => b.level - a.level || a.rank - b.rank || b.points - a.points)
    .map((record) => ({
      ...record,
      get sentence() {
        return sentence(record, words);
      },
    }));
}

/** Return the first paragraph of a page found by its title, or the sentence with most words. */
function sentence({ text, level, url }: Block & { level: number }, words: string[]) {
  if (level > LEVELS.text && !url.includes("#")) return text.split("\n")[0];
  const parts = text.split(/\n|(?<=[.?!]) +(?=\p{Lu})/u);
  const long = parts.filter((part) => part.split(" ").length > 2);
  const all = long.length ? long : parts;
  const wordsIn = (part: string) =>
    words.filter((word) => ` ${split(part).join(" ")} `.includes(start(word)));
  // Entries of lists come after sentences, the more so if the title is already an answer.
  const counts = all.map((part) => wordsIn(part).length - (/^\p{Ll}/u.test(part) ? level / 2 : 0));
  return all[counts.indexOf(Math.max(...counts))];
}

/** Return a text as HTML, in which words of the question are marked. */
function marked(text: string, words: string[]) {
  return text.replace(/[\p{L}\p{N}_]+|[&<\ue002-\ue005]/gu, (part) => {
    const isInQuestion = words.some((word) => ` ${split(part)} `.startsWith(start(word)));
    return TAGS[part] ?? (isInQuestion ? `<mark>${part}</mark>` : part);
  });
}

function entry(
  { kind, title, sentence, synonyms, pageTitle, url }: Block & { sentence: string },
  words: string[],
): string {
  const names = marked(synonyms.join(", "), words);
  const also = names.includes("<mark>") ? `also called: ${names}` : "";
  const isPage = withoutNumber(title) === pageTitle;
  const within = kind === "section" ? pageTitle : `${kind}, ${pageTitle}`;
  const place = isPage ? "" : marked(within, []);
  return `<li><a href="${new URL(url, root)}">
    ${marked(title, words)}</a><span class="search-place">${[place, also].filter(Boolean).join("; ")}</span>
    <p class="search-sentence">${marked(sentence, words)}</p></li>`;
}

function answer(question: string) {
  const list = partOf(document, "#search-results");
  const summary = partOf(document, "#search-summary");
  const asked = split(question).map(corrected);
  const words = asked.map(stem);
  const answers = find(question);
  const isCorrected = asked.join() !== split(question).join();
  list.innerHTML = answers
    .slice(0, SHOWN)
    .map((record) => entry(record, words))
    .join("");
  const count = answers.length === 1 ? "1 place" : `${answers.length} places`;
  const best = answers.length > SHOWN ? `, the best ${SHOWN} of them below` : "";
  const nothing = `Nothing in the book contains all words of “${question}”. Try fewer words.`;
  const places = isCorrected
    ? `The book does not contain “${question}”. ${count} for “${asked.join(" ")}”${best}.`
    : `${count} for “${question}”${best}.`;
  summary.textContent = question.trim() && (answers.length ? places : nothing);
}

function moveByArrows(event: KeyboardEvent, box: Element) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by) return;
  const stops = [...box.querySelectorAll("input, #search-results a")];
  const next = stops[stops.indexOf(document.activeElement as Element) + by];
  if (next instanceof HTMLElement) next.focus();
  event.preventDefault();
}

/** Show answers on the search page, and on other pages in the dialog that Ctrl+K opens. */
function begin() {
  const onPage = document.querySelector<HTMLElement>(".bd-search-container");
  const box = onPage ?? partOf(document, "#pst-search-dialog");
  const field = partOf<HTMLInputElement>(box, "input");
  box.addEventListener("keydown", (event) => moveByArrows(event, box));
  if (onPage) {
    field.value = new URLSearchParams(location.search).get("q") ?? "";
    field.focus();
  } else {
    const places = '<p id="search-summary" role="status"></p><ol id="search-results"></ol>';
    const close =
      '<button type="button" class="btn close-button" aria-label="Close the search">×</button>';
    field.form?.insertAdjacentHTML("beforeend", close);
    field.form?.insertAdjacentHTML("afterend", places);
    box.addEventListener("click", ({ target }) => {
      if ((target as Element).closest("a, button")) (box as HTMLDialogElement).close();
    });
    box.addEventListener("close", () => field.select()); // the next question replaces this one
  }
  answer(field.value);
  // Enter in the field opens the first answer.
  field.form?.addEventListener("submit", (event) => {
    answer(field.value);
    box.querySelector<HTMLElement>("#search-results a")?.click();
    event.preventDefault();
  });
  let waiting = 0;
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      answer(field.value);
      if (onPage) history.replaceState(null, "", `?${new URLSearchParams({ q: field.value })}`);
    }, 120);
  });
}

/** Load the records, whose script calls `setRecords`. */
const loadRecords = () => loadScript("search-records.js");

/** Load the records on the search page, and elsewhere when the dialog of the search opens. */
export function startSearch() {
  const dialog = document.getElementById("pst-search-dialog");
  if (document.querySelector(".bd-search-container")) loadRecords();
  else dialog?.addEventListener("focusin", loadRecords, { once: true });
}
