// The state of an explorer in the address of the page.

import { same } from "./model.js";

// The longest query in characters, in the address of a page and in a link with the reader's data.
const LONGEST_QUERY = 4000;
const LONGEST_LINK = 8192;
const noData = (_) => /** @type {string[]} */ ([]);

/** Return the query with the part of a state that differs from the first one. */
export function queryOf(name, state, first, notInLinks) {
  const differs = (trait) => !notInLinks.includes(trait) && !same(state[trait], first[trait]);
  const differing = Object.keys(first)
    .filter(differs)
    .map((trait) => [trait, state[trait]]);
  const query = new URLSearchParams({ [name]: JSON.stringify(Object.fromEntries(differing)) });
  return { query, isFirst: !differing.length || String(query).length > LONGEST_QUERY };
}

/**
 * Return the query of a link to copy, and whether it lacks the reader's data (`ownData` names their
 * traits) because they are too long.
 */
export function linkOf(name, state, first, { notInLinks = [], ownData = noData }) {
  const data = ownData(state);
  const linkable = notInLinks.filter((trait) => !data.includes(trait));
  const { query } = queryOf(name, state, first, linkable);
  if (!data.length || String(query).length <= LONGEST_LINK) return { query, lacksData: false };
  return { query: queryOf(name, state, first, notInLinks).query, lacksData: true };
}

/** Return the traits in the address that have the right type; the explorer checks more. */
export function stateFromAddress(name, first, { notInLinks = [], ownData = noData }) {
  const kindOf = (value) => (Array.isArray(value) ? "array" : typeof value);
  const isRightType = (trait, value) =>
    [value, first[trait]].includes(null) || kindOf(value) === kindOf(first[trait]);
  try {
    const state = JSON.parse(new URLSearchParams(location.search).get(name) ?? "null");
    const isLinked = (trait) => !notInLinks.includes(trait) || ownData(state).includes(trait);
    const isKnown = (trait) => Object.hasOwn(first, trait) && isLinked(trait);
    const isValid = ([trait, value]) => isKnown(trait) && isRightType(trait, value);
    return Object.fromEntries(Object.entries(state).filter((each) => isValid(each)));
  } catch {
    return {};
  }
}

/** Write the state of an explorer to the address of the page, if it is not the first one. */
export function writeAddress(name, { query, isFirst }) {
  const all = new URLSearchParams(location.search);
  if (isFirst) all.delete(name);
  else all.set(name, query.get(name));
  const search = String(all) && `?${all}`;
  history.replaceState(history.state, "", location.pathname + search + location.hash);
}

/** Add a button beside "reset" that copies a link to what an explorer shows. */
export function offerLink(figure, link) {
  const button = figure.querySelector(".kx-reset").cloneNode();
  button.className = "kx-link";
  button.setAttribute("aria-live", "polite");
  button.textContent = "copy link";
  figure.querySelector(".kx-reset").after(button);
  let timer;
  button.addEventListener("click", async () => {
    const address = new URL(location.href);
    const { query, lacksData } = link();
    [address.search, address.hash] = [query, ""];
    try {
      await navigator.clipboard.writeText(address.href);
      button.textContent = lacksData ? "link copied, without your data" : "link copied";
    } catch {
      history.replaceState(history.state, "", address);
      button.textContent = "see address bar";
    }
    // The timer of an earlier click must not remove this message.
    clearTimeout(timer);
    timer = setTimeout(() => (button.textContent = "copy link"), lacksData ? 6000 : 2000);
  });
}

/** Go to the explorer whose state the address contains. */
export function scrollToLinkedExplorer(explorers) {
  const [entry] = /** @type {PerformanceNavigationTiming[]} */ (
    performance.getEntriesByType("navigation")
  );
  if (location.hash || entry?.type !== "navigate") return;
  const query = new URLSearchParams(location.search);
  explorers.find((figure) => query.has(figure.dataset.name))?.scrollIntoView();
}
