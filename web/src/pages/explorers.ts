// The explorers of a page, which replace the HTML that shows their first state.

import { scrollTo } from "../ui/frames.ts";
import type { ExplorerModule, Traits } from "../ui/state.ts";
import { partOf } from "../ui/verdict.ts";
import { stateOf, whenNear } from "./figure.ts";
import { modelOf } from "./model.ts";
import { loadScript } from "./site.ts";
import type { LinkedExplorer } from "./stateLinks.ts";
import { offerLink, scrollToLinkedExplorer, stateFromAddress, writeAddress } from "./stateLinks.ts";

type Modules = Map<string | undefined, ExplorerModule>; // by their names

/** Return the module of an explorer. Few pages need the script of the laboratory. */
async function moduleOf(name: string | undefined, modules: Modules): Promise<ExplorerModule> {
  if (name === "laboratory") {
    await loadScript("laboratory.js");
    return globalThis.kmdsLaboratory.default;
  }
  const found = modules.get(name);
  if (!found) throw new Error(`There is no explorer "${name}".`);
  return found;
}

/** Replace a drawing by the explorer, in the state and with the open fold of the address. */
function renderOnPage(figure: HTMLElement, { render, ...links }: ExplorerModule): void {
  const start = stateOf(figure);
  const { name = "" } = figure.dataset;
  const rules = { linksOmit: [], readersData: () => [], ...links };
  const explorer: LinkedExplorer = { name, start, state: start, ...rules };
  const begin = (linked: Traits) => {
    const el = document.createElement("div");
    explorer.state = structuredClone({ ...start, ...linked });
    const model = modelOf(explorer.state, { start }, () => writeAddress(explorer));
    render({ el, model });
    return el;
  };
  const beginAsLinked = () => {
    try {
      return begin(stateFromAddress(explorer));
    } catch {
      return begin({});
    }
  };
  if (figure.querySelector(":target")) queueMicrotask(() => dispatchEvent(new Event("hashchange")));
  partOf(figure, ".kx").replaceWith(beginAsLinked());
  offerLink(figure, explorer);
  figure.dataset.ready = "";
}

/** On a phone, show the button that was tapped and the map that it has changed. */
function showMap({ target }: Event) {
  const button = (target as Element).closest(".kx-buttons button");
  const el = button?.closest(".kx");
  const drawing = el?.querySelector('.kx-always [data-part="map"] svg') ?? el?.querySelector("svg");
  if (!button || !el || !drawing || el.clientWidth >= 560) return;
  for (const shown of [button, drawing]) scrollTo(shown, "nearest");
}

export function startExplorers(modules: Modules) {
  const figures = [...document.querySelectorAll<HTMLElement>(".kmds-explorer")];
  addEventListener("click", showMap);
  scrollToLinkedExplorer(figures);
  whenNear(figures, async (figure) =>
    renderOnPage(figure, await moduleOf(figure.dataset.explorer, modules)),
  );
}
