// The reader's record in this browser of the exercises that are done.

import { partOf } from "../ui/verdict.ts";
import { root } from "./site.ts";

type Progress = { version: number; done: Record<string, string> }; // when, by labels

const KEY = "book-progress";

const exercises = () => globalThis.bookExercises ?? {};

function load() {
  try {
    const record = JSON.parse(localStorage.getItem(KEY) ?? "null");
    if (record?.version === 1) return record;
  } catch {
    // Not JSON: begin a new record.
  }
  return { version: 1, done: {} };
}

function change(edit: (record: Progress) => void) {
  const record = load();
  edit(record);
  localStorage.setItem(KEY, JSON.stringify(record));
  show();
}

function make<T extends "input" | "label" | "span">(
  tag: T,
  properties: object,
  ...content: (string | Node)[]
) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
}

// One box at each exercise, behind its title.
function addBoxes() {
  for (const exercise of document.querySelectorAll("div.exercise[id]")) {
    const title = partOf(exercise, ":scope > .admonition-title");
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

// The sidebar: how many exercises of a chapter are done.
function markSidebar({ done }: Progress) {
  for (const mark of document.querySelectorAll(".progress-mark")) mark.remove();
  const links = document.querySelectorAll<HTMLAnchorElement>(".bd-sidenav a");
  for (const link of links) {
    const path = new URL(link.href).pathname.slice(root.pathname.length);
    const labels = exercises()[path] ?? [];
    const ready = labels.filter((label) => label in done).length;
    if (ready) {
      const title = `${ready} of ${labels.length} exercises done`;
      const words = make("span", { className: "visually-hidden" }, `, ${title}`);
      const digits = make("span", { ariaHidden: "true" }, `${ready}/${labels.length}`);
      const mark = { className: "progress-mark", title };
      link.append(make("span", mark, digits, words));
    }
  }
}

function show() {
  const record = load();
  const boxes = document.querySelectorAll<HTMLInputElement>(".exercise-done input");
  for (const box of boxes) box.checked = box.value in record.done;
  markSidebar(record);
}

/** Show the record on the page, and follow what the reader does. */
export function startProgress() {
  addBoxes();
  show();
  addEventListener("storage", show);
  // A page from the browser's cache does not know what has changed since.
  addEventListener("pageshow", ({ persisted }) => persisted && show());
}
