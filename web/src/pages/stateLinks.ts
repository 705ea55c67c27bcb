// The state of an explorer in the address of the page.

import type { LinkRules, Traits } from "../ui/state.ts";
import { partOf } from "../ui/verdict.ts";
import { same } from "./model.ts";

// The longest query in characters, in the address of a page and in a link with the reader's data.
const LONGEST_QUERY = 4000;
const LONGEST_LINK = 8192;
export type LinkedExplorer = { name: string; start: Traits; state: Traits } & Required<LinkRules>;

/** Return the query with the part of a state that differs from that at the start. */
function queryOf({ name, start, state, linksOmit }: LinkedExplorer) {
  const linked = Object.keys(start).filter((trait) => !linksOmit.includes(trait));
  const differing = linked.filter((trait) => !same(state[trait], start[trait]));
  const changes = Object.fromEntries(differing.map((trait) => [trait, state[trait]]));
  const query = new URLSearchParams({ [name]: JSON.stringify(changes) });
  return { query, isStart: !differing.length || String(query).length > LONGEST_QUERY };
}

/**
 * Return the query of a link to copy, and whether it lacks the reader's data (`readersData` names
 * their traits) because they are too long.
 */
function linkOf(explorer: LinkedExplorer) {
  const data = explorer.readersData(explorer.state);
  const linkable = explorer.linksOmit.filter((trait) => !data.includes(trait));
  const { query } = queryOf({ ...explorer, linksOmit: linkable });
  if (!data.length || String(query).length <= LONGEST_LINK) return { query, lacksData: false };
  return { query: queryOf(explorer).query, lacksData: true };
}

/** Return the traits in the address that have the right type; the explorer checks more. */
export function stateFromAddress({ name, start, linksOmit, readersData }: LinkedExplorer) {
  const kindOf = (value: unknown) => (Array.isArray(value) ? "array" : typeof value);
  const haveSameType = (value: unknown, other: unknown) =>
    [value, other].includes(null) || kindOf(value) === kindOf(other);
  try {
    const state = JSON.parse(new URLSearchParams(location.search).get(name) ?? "null");
    const left = linksOmit.filter((trait) => !readersData(state).includes(trait));
    const existing = Object.entries(state).filter(([trait]) => Object.hasOwn(start, trait));
    const linked = existing.filter(([trait]) => !left.includes(trait));
    return Object.fromEntries(linked.filter(([trait, value]) => haveSameType(value, start[trait])));
  } catch {
    return {};
  }
}

/** Write the state of an explorer to the address of the page, if it is not that at the start. */
export function writeAddress(explorer: LinkedExplorer) {
  const { query, isStart } = queryOf(explorer);
  const all = new URLSearchParams(location.search);
  if (isStart) all.delete(explorer.name);
  else all.set(explorer.name, query.get(explorer.name) ?? "");
  const search = String(all) && `?${all}`;
  history.replaceState(history.state, "", location.pathname + search + location.hash);
}

/** Add a button beside "reset" that copies a link to what an explorer shows. */
export function offerLink(figure: Element, explorer: LinkedExplorer) {
  const button = partOf(figure, ".kx-reset").cloneNode() as HTMLElement;
  button.className = "kx-link";
  button.setAttribute("aria-live", "polite");
  button.textContent = "copy link";
  partOf(figure, ".kx-reset").after(button);
  let timer = 0;
  button.addEventListener("click", async () => {
    const address = new URL(location.href);
    const { query, lacksData } = linkOf(explorer);
    [address.search, address.hash] = [String(query), ""];
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
export function scrollToLinkedExplorer(figures: HTMLElement[]) {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (location.hash || entry?.type !== "navigate") return;
  const query = new URLSearchParams(location.search);
  figures.find(({ dataset }) => query.has(dataset.name ?? ""))?.scrollIntoView();
}
