// The search: find the blocks of the book that contain all words, and show their sentences.

const KINDS = {
  function: 12,
  class: 12,
  method: 4,
  attribute: 3,
  property: 3,
  term: 11,
  theorem: 10,
  lemma: 10,
  proposition: 10,
  corollary: 10,
  definition: 10,
  algorithm: 10,
  remark: 7,
  section: 8,
  exercise: 5,
  figure: 4,
  work: 4,
  solution: 1,
};
const SHOWN = 40;
let records = [];

const fold = (text) =>
  text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
const split = (text) => fold(text).match(/[\p{L}\p{N}_]+/gu) ?? [];
// "kernels" finds "kernel" as well.
const stem = (word) => (word.length > 3 ? word.replace(/(?<=[^s])s$/, "") : word);

/** Take the records of all pages, which their script hands over, and answer. */
export function fill(pages) {
  records = Object.entries(pages).flatMap(([page, [pageTitle, blocks]]) =>
    blocks.map(([kind, title, anchor, text]) => ({
      kind,
      title,
      text,
      pageTitle,
      url: `${page}.html${anchor && `#${anchor}`}`,
      name: ` ${split(title).join(" ")} `,
      body: ` ${split(text).join(" ")} `,
    })),
  );
  begin();
}

// The beginning of a word finds it; a letter, as the language R, only itself.
const start = (word) => ` ${word}${word.length > 1 ? "" : " "}`;

// How well a record answers: all words must be there, those of the title count most.
function score({ kind, name, body }, words) {
  let sum = 0;
  for (const word of words) {
    if (name.includes(` ${word} `)) sum += 30;
    else if (name.includes(start(word))) sum += 20;
    else if (body.includes(start(word))) sum += 1;
    else return 0;
  }
  const phrase = ` ${words.join(" ")}`;
  if (name.includes(phrase)) sum += 20 + (60 * phrase.length) / name.length;
  if (body.includes(phrase)) sum += 5;
  return sum + (KINDS[kind] ?? 2);
}

/** Return the records that contain all words of a question, the best first. */
export function find(question) {
  const words = split(question).map(stem);
  if (!words.length) return [];
  return records
    .map((record) => [score(record, words), record])
    .filter(([points]) => points)
    .sort(([a], [b]) => b - a)
    .map(([, record]) => ({
      ...record,
      get sentence() {
        return sentence(record.text, words);
      },
    }));
}

// The sentence that holds most of the words; the first one where none holds any.
function sentence(text, words) {
  const parts = text.split(/\n|(?<=[.?!]) +(?=\p{Lu})/u);
  const long = parts.filter((part) => part.split(" ").length > 2);
  const all = long.length ? long : parts;
  const held = (part) => words.filter((word) => ` ${split(part).join(" ")}`.includes(` ${word}`));
  const counts = all.map((part) => held(part).length);
  return all[counts.indexOf(Math.max(...counts))];
}

// Letters of a word that a question begins with stand in a mark.
function marked(text, words) {
  return text.split(/([\p{L}\p{N}_]+)/u).map((part) => {
    if (!words.some((word) => split(part)[0]?.startsWith(word))) return part;
    return Object.assign(document.createElement("mark"), { textContent: part });
  });
}

function entry(record, words, root) {
  const item = document.createElement("li");
  const link = Object.assign(document.createElement("a"), { href: root + record.url });
  link.append(...marked(record.title, words));
  const place = Object.assign(document.createElement("span"), { className: "search-place" });
  place.textContent =
    record.kind === "section" ? record.pageTitle : `${record.kind}, ${record.pageTitle}`;
  const text = Object.assign(document.createElement("p"), { className: "search-sentence" });
  text.append(...marked(record.sentence, words));
  item.append(link, place, text);
  return item;
}

function answer(question) {
  const list = document.getElementById("search-results");
  const summary = document.getElementById("search-summary");
  const words = split(question).map(stem);
  const found = find(question);
  const root = document.documentElement.dataset.content_root;
  list.replaceChildren(...found.slice(0, SHOWN).map((record) => entry(record, words, root)));
  const count = found.length === 1 ? "1 place" : `${found.length} places`;
  const best = found.length > SHOWN ? `, the best ${SHOWN} of them below` : "";
  const nothing =
    `Nothing holds all the words of “${question}”. Try fewer words, or the ` +
    `beginning of a word.`;
  if (!question.trim()) summary.textContent = "";
  else summary.textContent = found.length ? `${count} for “${question}”${best}.` : nothing;
}

// Answers stand on the search page, and on the others in the window that Ctrl+K opens.
function begin() {
  const onPage = document.querySelector(".bd-search-container");
  const field = (onPage ?? document.getElementById("pst-search-dialog")).querySelector("input");
  if (onPage) {
    field.value = new URLSearchParams(location.search).get("q") ?? "";
    field.focus();
  } else {
    const places = '<p id="search-summary" role="status"></p><ol id="search-results"></ol>';
    field.form.insertAdjacentHTML("afterend", places);
    const room = field.closest("dialog");
    room.addEventListener("click", ({ target }) => target.closest("a") && room.close());
  }
  answer(field.value);
  let waiting;
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      answer(field.value);
      if (onPage) history.replaceState(null, "", `?${new URLSearchParams({ q: field.value })}`);
    }, 120);
  });
}

/** Load the records, whose script calls `fill`. */
function loadRecords() {
  const src = `${document.documentElement.dataset.content_root}_static/search-records.js`;
  document.head.append(Object.assign(document.createElement("script"), { src }));
}

/** Load the records on the search page, and elsewhere when the window of the search opens. */
export function startSearch() {
  const dialog = document.getElementById("pst-search-dialog");
  if (document.querySelector(".bd-search-container")) loadRecords();
  else dialog?.addEventListener("focusin", loadRecords, { once: true });
}
