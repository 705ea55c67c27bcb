// The explorers of a page, which replace the HTML that shows their first state.

import * as explorers from "../explorers/index.js";
import { scrollTo } from "../ui/frames.js";
import { stateOf, whenNear } from "./figure.js";
import { modelOf } from "./model.js";
import { loadScript } from "./site.js";
import {
  linkOf,
  offerLink,
  queryOf,
  scrollToLinkedExplorer,
  stateFromAddress,
  writeAddress,
} from "./stateLinks.js";

const EXPLORERS = new Map(Object.entries(explorers));

/** Return the module of the explorer in an element. Few pages need the script of the laboratory. */
async function moduleOf({ dataset }) {
  const name = dataset.explorer;
  if (name === "laboratory") {
    await loadScript("laboratory.js");
    return globalThis.kmdsLaboratory.default;
  }
  if (!EXPLORERS.has(name)) throw new Error(`There is no explorer "${name}".`);
  return EXPLORERS.get(name);
}

/** Replace the drawing of an explorer by the explorer, in the state that the address contains. */
function showExplorer(figure, { render, ...links }) {
  const [name, first] = [figure.dataset.name, stateOf(figure)];
  const fixed = { start: first };
  let state = null;
  const query = () => queryOf(name, state, first, links.notInLinks ?? []);
  const begin = (linked) => {
    const el = document.createElement("div");
    state = structuredClone({ ...first, ...linked });
    render({ el, model: modelOf(state, fixed, () => writeAddress(name, query())) });
    return el;
  };
  const beginAsLinked = () => {
    try {
      return begin(stateFromAddress(name, first, links));
    } catch {
      return begin({});
    }
  };
  figure.querySelector(".kx").replaceWith(beginAsLinked());
  offerLink(figure, () => linkOf(name, state, first, links));
  figure.dataset.ready = "";
}

async function startExplorer(figure) {
  showExplorer(figure, await moduleOf(figure));
}

/**
 * Mark the explorer that the reader uses, until something outside it is touched. The focus is not
 * enough, because Safari does not focus a button that is tapped.
 */
function markUsed({ type, target }) {
  for (const el of document.querySelectorAll(".kx")) {
    const isUsed = type === "click" || el.hasAttribute("data-used");
    el.toggleAttribute("data-used", isUsed && el.contains(target));
  }
}

/** On a phone, scroll to the map that a button has changed; the line of the verdict sticks. */
function showMap({ target }) {
  const el = target.closest(".kx-buttons button")?.closest(".kx");
  const drawing = el?.querySelector('.kx-main [data-part="map"] svg') ?? el?.querySelector("svg");
  if (drawing && el.clientWidth < 560) scrollTo(drawing, "nearest");
}

export function startExplorers() {
  const explorers = [...document.querySelectorAll(".kmds-explorer")];
  for (const kind of ["click", "pointerdown"]) addEventListener(kind, markUsed);
  addEventListener("click", showMap);
  scrollToLinkedExplorer(explorers);
  whenNear(explorers, startExplorer);
}
