// The explorers of a page, which replace the HTML that shows their first state.

import { scrollTo } from "../ui/frames.js";
import { stateOf, whenNear } from "./figure.js";
import { modelOf } from "./model.js";
import { element, loadScript } from "./site.js";
import { offerLink, scrollToLinkedExplorer, stateFromAddress, writeAddress } from "./stateLinks.js";

/** @import { Linked } from "./stateLinks.js" */
/** @typedef {Map<string | undefined, ExplorerModule>} Modules  by their names */

/** Return the module of an explorer. Few pages need the script of the laboratory.
 * @type {(name: string | undefined, modules: Modules) => Promise<ExplorerModule>} */
async function moduleOf(name, modules) {
  if (name === "laboratory") {
    await loadScript("laboratory.js");
    return globalThis.kmdsLaboratory.default;
  }
  const found = modules.get(name);
  if (!found) throw new Error(`There is no explorer "${name}".`);
  return found;
}

/** Replace the drawing of an explorer by the explorer, in the state that the address contains.
 * @type {(figure: HTMLElement, module: ExplorerModule) => void} */
function showExplorer(figure, { render, ...links }) {
  const first = stateOf(figure);
  const { name = "" } = figure.dataset;
  /** @type {Linked} */
  const explorer = { name, first, state: first, notInLinks: [], ownData: () => [], ...links };
  const begin = (/** @type {State} */ linked) => {
    const el = document.createElement("div");
    explorer.state = structuredClone({ ...first, ...linked });
    const model = modelOf(explorer.state, { start: first }, () => writeAddress(explorer));
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
  element(".kx", figure).replaceWith(beginAsLinked());
  offerLink(figure, explorer);
  figure.dataset.ready = "";
}

/**
 * Mark the explorer that the reader uses, until something outside it is touched. The focus is not
 * enough, because Safari does not focus a button that is tapped.
 */
function markUsed(/** @type {Event} */ { type, target }) {
  for (const el of document.querySelectorAll(".kx")) {
    const isUsed = type === "click" || el.hasAttribute("data-used");
    el.toggleAttribute("data-used", isUsed && el.contains(/** @type {Node} */ (target)));
  }
}

/** On a phone, scroll to the map that a button has changed; the line of the verdict sticks. */
function showMap(/** @type {Event} */ { target }) {
  const button = /** @type {Element} */ (target).closest(".kx-buttons button");
  const el = button?.closest(".kx");
  const drawing = el?.querySelector('.kx-main [data-part="map"] svg') ?? el?.querySelector("svg");
  if (el && drawing && el.clientWidth < 560) scrollTo(drawing, "nearest");
}

export function startExplorers(/** @type {Modules} */ modules) {
  const figures = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".kmds-explorer")]);
  for (const kind of ["click", "pointerdown"]) addEventListener(kind, markUsed);
  addEventListener("click", showMap);
  scrollToLinkedExplorer(figures);
  whenNear(figures, async (figure) =>
    showExplorer(figure, await moduleOf(figure.dataset.explorer, modules)),
  );
}
