// The reader's record in this browser: where they stopped reading, and which exercises are done.

const KEY = "book-progress";
const root = new URL(document.documentElement.dataset.content_root || "./", location.href);
const page = location.pathname.slice(root.pathname.length);
// False where _templates/layout.html replaces a storage that the browser denies.
const kept = localStorage instanceof Storage;

function checked(record) {
  const done = record?.done;
  if (record?.version !== 1 || typeof done !== "object" || done === null) return null;
  if (!Object.values(done).every((day) => typeof day === "string")) return null;
  const { page, anchor, title } = record.place ?? {};
  const whole = [page, anchor, title].every((part) => typeof part === "string");
  return { version: 1, place: whole && page in exercises() ? { page, anchor, title } : null, done };
}

const exercises = () => window.bookExercises ?? {};

export function load() {
  let record = null;
  try {
    record = checked(JSON.parse(localStorage.getItem(KEY)));
  } catch {
    // Not JSON: begin a new record.
  }
  return record ?? { version: 1, place: null, done: {} };
}

function change(edit) {
  const record = load();
  edit(record);
  localStorage.setItem(KEY, JSON.stringify(record));
  show();
}

function make(tag, properties, ...content) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
}

const count = (labels, done) => labels.filter((label) => label in done).length;

// One box at each exercise, behind its title.
function addBoxes() {
  for (const exercise of document.querySelectorAll("div.exercise[id]")) {
    const title = exercise.querySelector(":scope > .admonition-title");
    const number = title.querySelector(".caption-number")?.textContent.trim() ?? "This exercise";
    const box = make("input", { type: "checkbox", value: exercise.id });
    box.setAttribute("aria-label", `${number}: done`);
    box.addEventListener("change", () =>
      change(({ done }) => {
        if (box.checked) done[exercise.id] = new Date().toISOString().slice(0, 10);
        else delete done[exercise.id];
      }),
    );
    title.append(make("label", { className: "exercise-done" }, box, "done"));
  }
}

// The sidebar: how many exercises of a chapter are done, and where the reader left off.
function markSidebar({ place, done }) {
  for (const mark of document.querySelectorAll(".progress-mark")) mark.remove();
  for (const link of document.querySelectorAll(".bd-sidenav a")) {
    const path = new URL(link.href).pathname.slice(root.pathname.length);
    const labels = exercises()[path] ?? [];
    const ready = count(labels, done);
    if (ready) {
      const title = `${ready} of ${labels.length} exercises done`;
      const words = make("span", { className: "visually-hidden" }, `, ${title}`);
      const digits = make("span", { ariaHidden: "true" }, `${ready}/${labels.length}`);
      const mark = { className: "progress-mark progress-count", title };
      link.append(make("span", mark, digits, words));
    }
    if (place?.page === path && path !== page) {
      link.append(make("span", { className: "progress-mark progress-place" }, "you left off here"));
    }
  }
}

function showPlace({ place }) {
  const line = document.getElementById("reading-place");
  if (!line) return;
  line.hidden = !place;
  if (!place) return;
  const { href } = new URL(`${place.page}#${place.anchor}`, root);
  line.replaceChildren("Continue at ", make("a", { href }, place.title));
}

function showCounts({ done }) {
  const line = document.getElementById("reading-count");
  if (!line) return;
  const labels = Object.values(exercises()).flat();
  line.textContent =
    `You have marked ${count(labels, done)} of ${labels.length} exercises as done.` +
    (kept ? "" : " This browser keeps no record; export it before you leave.");
}

function show() {
  const record = load();
  for (const box of document.querySelectorAll(".exercise-done input"))
    box.checked = box.value in record.done;
  markSidebar(record);
  showPlace(record);
  showCounts(record);
}

function save() {
  const file = new Blob([JSON.stringify(load(), null, 1)], { type: "application/json" });
  const link = make("a", { href: URL.createObjectURL(file), download: "book-progress.json" });
  link.click();
  URL.revokeObjectURL(link.href);
}

async function open(file) {
  let words = `${file.name} is no record of this book.`;
  try {
    const read = checked(JSON.parse(await file.text()));
    if (read) {
      change((record) => {
        Object.assign(record.done, read.done);
        record.place = read.place ?? record.place;
      });
      words = `Read ${Object.keys(read.done).length} exercises from ${file.name}.`;
    }
  } catch {
    // Not JSON: the sentence above says so.
  }
  document.getElementById("reading-news").textContent = words;
}

function addPanel() {
  const panel = document.getElementById("reading-progress");
  if (!panel) return;
  const chooser = make("input", { type: "file", accept: ".json,application/json", hidden: true });
  chooser.addEventListener("change", () => {
    const [file] = chooser.files;
    if (file) open(file);
    // The same file can be chosen once more.
    chooser.value = "";
  });
  const button = (name, onclick) =>
    make("button", { type: "button", className: "btn btn-sm", onclick }, name);
  const [saver, opener] = [button("Export", save), button("Import", () => chooser.click())];
  const news = make("p", { id: "reading-news" });
  news.setAttribute("role", "status");
  panel.append(
    make("p", { id: "reading-count" }),
    make("p", { className: "reading-buttons" }, saver, " ", opener, chooser),
    news,
  );
  panel.hidden = false;
}

/** Show the record on the page, and follow what the reader does. */
export function startProgress() {
  addBoxes();
  addPanel();
  show();
  addEventListener("storage", show);
  // A page that comes back from the browser's cache has heard of no change.
  addEventListener("pageshow", ({ persisted }) => persisted && show());
  addEventListener("booksection", ({ detail: { anchor, title } }) => {
    if (page in exercises()) change((record) => (record.place = { page, anchor, title }));
  });
}
