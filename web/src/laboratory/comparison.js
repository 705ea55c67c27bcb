// Controls that compare the map with another one.

import { fitOf, METHODS } from "./choices.js";
import { columnsAdded } from "./overlay.js";

/** Compare the map with that of other choices, or of a table whose columns can then colour it. */
export function compareWith(
  lab,
  reading,
  title,
  choices = { ...lab.fit?.choices, parameter: null },
) {
  if (lab.job || !lab.fit) return;
  const { names, table } = lab.reading;
  const show = ({ points, order, method }) => {
    lab.other = { points, title: `${title}, by ${METHODS[method]}` };
    if (reading !== lab.reading) lab.choices.kept = null;
    if (reading !== lab.reading && reading.kind === "points")
      lab.addedColumns = columnsAdded(reading, order);
    lab.refresh();
  };
  lab.part("comparisonError").textContent = "";
  const request = { reading, choices, names, count: table.length };
  lab.ask("other", request, show, (why) => (lab.part("comparisonError").textContent = why));
}

/** Keep the map that is shown, for a comparison with the next one and in the link, or end this. */
export function keepMap(lab, isKept) {
  if (!lab.fit) return;
  const fit = fitOf(lab.fit.choices);
  lab.choices.kept = isKept ? fit : null;
  lab.other = isKept
    ? { points: lab.shown.slice(), title: `${KEPT_MAP}, by ${METHODS[fit.method]}` }
    : null;
  lab.refresh();
}

const KEPT_MAP = "the map that was kept";

/** Compute the map that a link says was kept, and compare with it. */
export function compareWithKept(lab) {
  const { kept, dimensions } = lab.choices;
  if (kept?.dimensions === dimensions && !lab.other) compareWith(lab, lab.reading, KEPT_MAP, kept);
}
