// The explorers of a page: HTML that shows their first state is replaced by the explorers
// themselves.

import bandwidth from "../explorers/bandwidth.js";
import changeOfBasis from "../explorers/changeOfBasis.js";
import classicalScaling from "../explorers/classicalScaling.js";
import fourPoints from "../explorers/fourPoints.js";
import isomap from "../explorers/isomap.js";
import kernel from "../explorers/kernel.js";
import newPoint from "../explorers/newPoint.js";
import pcaVsScaling from "../explorers/pcaVsScaling.js";
import permutation from "../explorers/permutation.js";
import ppca from "../explorers/ppca.js";
import rotation from "../explorers/rotation.js";
import smacof from "../explorers/smacof.js";
import truncatedSvd from "../explorers/truncatedSvd.js";
import { stateOf, whenNear } from "./figure.js";
import { modelOf } from "./model.js";
import { askedOf, goToAsked, offerLink, queryOf, writeAddress } from "./stateLinks.js";

const EXPLORERS = {
  bandwidth,
  changeOfBasis,
  classicalScaling,
  fourPoints,
  isomap,
  kernel,
  newPoint,
  pcaVsScaling,
  permutation,
  ppca,
  rotation,
  smacof,
  truncatedSvd,
};

let laboratory;

/** Load the laboratory once; its script is needed on few pages. */
function loadLaboratory() {
  laboratory ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${document.documentElement.dataset.content_root}_static/laboratory.js`;
    script.onload = () => resolve(globalThis.kmdsLaboratory.default);
    script.onerror = reject;
    document.head.append(script);
  });
  return laboratory;
}

/** Return the module of the explorer in an element. */
export async function moduleOf({ dataset }) {
  const name = dataset.explorer;
  if (name === "laboratory") return loadLaboratory();
  if (!Object.hasOwn(EXPLORERS, name)) throw new Error(`There is no explorer "${name}".`);
  return EXPLORERS[name];
}

/** Replace the drawing of an explorer by the explorer, in the state that the address asks for. */
function showExplorer(figure, { render, unlinked = [] }) {
  const [name, first] = [figure.dataset.name, stateOf(figure)];
  const fixed = { start: first };
  let state = null;
  const query = () => queryOf(name, state, first, unlinked);
  const begin = (asked) => {
    const el = document.createElement("div");
    state = structuredClone({ ...first, ...asked });
    render({ el, model: modelOf(state, fixed, () => writeAddress(name, query())) });
    return el;
  };
  const beginAsAsked = () => {
    try {
      return begin(askedOf(name, first, unlinked));
    } catch {
      return begin({});
    }
  };
  figure.querySelector(".kx").replaceWith(beginAsAsked());
  offerLink(figure, () => query().query);
  figure.dataset.alive = "";
}

async function startExplorer(figure) {
  showExplorer(figure, await moduleOf(figure));
}

/** Start the explorers of the page. */
export function startExplorers() {
  const explorers = [...document.querySelectorAll(".kmds-explorer")];
  goToAsked(explorers);
  whenNear(explorers, startExplorer);
}
