// The state of an explorer in the address of the page.

import { same } from "./model.js";

// A longer query is no link.
const LONGEST_QUERY = 4000;

/** The part of an explorer's state in which it differs from the first one, as a query. */
export function queryOf(name, state, first, unlinked) {
  const differs = (trait) => !unlinked.includes(trait) && !same(state[trait], first[trait]);
  const differing = Object.keys(first)
    .filter(differs)
    .map((trait) => [trait, state[trait]]);
  const query = new URLSearchParams({ [name]: JSON.stringify(Object.fromEntries(differing)) });
  return { query, isFirst: !differing.length || String(query).length > LONGEST_QUERY };
}

/**
 * What the address asks of an explorer: traits that it has, each of its kind. The explorer checks
 * more.
 */
export function askedOf(name, first, unlinked) {
  const kindOf = (value) => (Array.isArray(value) ? "array" : typeof value);
  const fits = (trait, value) =>
    [value, first[trait]].includes(null) || kindOf(value) === kindOf(first[trait]);
  try {
    const asked = Object.entries(JSON.parse(new URLSearchParams(location.search).get(name)));
    const known = ([trait]) => Object.hasOwn(first, trait) && !unlinked.includes(trait);
    return Object.fromEntries(asked.filter(known).filter(([trait, value]) => fits(trait, value)));
  } catch {
    return {};
  }
}

/** Have the state of an explorer in the page's address, if it is not the first one. */
export function writeAddress(name, { query, isFirst }) {
  const all = new URLSearchParams(location.search);
  if (isFirst) all.delete(name);
  else all.set(name, query.get(name));
  const search = String(all) && `?${all}`;
  history.replaceState(history.state, "", location.pathname + search + location.hash);
}

/** The button beside "reset" that copies a link to what an explorer shows. */
export function offerLink(figure, query) {
  const button = figure.querySelector(".kx-reset").cloneNode();
  button.className = "kx-link";
  button.setAttribute("aria-live", "polite");
  button.textContent = "copy link";
  figure.querySelector(".kx-reset").after(button);
  button.addEventListener("click", async () => {
    const address = new URL(location.href);
    [address.search, address.hash] = [query(), ""];
    try {
      await navigator.clipboard.writeText(address.href);
      button.textContent = "link copied";
    } catch {
      history.replaceState(history.state, "", address);
      button.textContent = "see address bar";
    }
    setTimeout(() => (button.textContent = "copy link"), 2000);
  });
}

/** Go to the explorer for which the address holds a state. */
export function goToAsked(explorers) {
  const [entry] = performance.getEntriesByType("navigation");
  if (location.hash || entry?.type !== "navigate") return;
  const query = new URLSearchParams(location.search);
  explorers.find((figure) => query.has(figure.dataset.name))?.scrollIntoView();
}
