// Buttons that compare the map with another one, without single objects, and with permuted data.

import { type FitChoices, fitChoices, METHODS } from "../fitting/fitOptions.ts";
import type { Done } from "../fitting/worker.ts";
import type { Laboratory } from "../laboratory.ts";
import { drawChance } from "../map/laboratoryCharts.ts";
import { columnsIn, type ParsedTable } from "../reading/parsedTable.ts";
import { chanceWords, stabilityWords } from "./comparisonMessages.ts";

/** Compare the map with another one, of a table or of choices. */
export function compareWith(lab: Laboratory, other: ParsedTable, name: string, given?: FitChoices) {
  const { data, map } = lab;
  if (lab.runner.isRunning() || !map.fit) return;
  const choices = given ?? { ...map.fit.choices, parameter: null };
  const { names, table } = data.parsed;
  const show: Done<"comparison"> = ({ points, order, method }) => {
    map.other = { points, title: `${name}, by ${METHODS[method]}` };
    const isOther = other !== data.parsed;
    if (isOther && other.kind === "points") {
      const inOrder = <T>(rows: T[]) => order.map((i) => rows[i]);
      const texts = other.texts.map((each) => ({ ...each, cells: inOrder(each.cells) }));
      data.addedColumns = columnsIn({ ...other, table: inOrder(other.table), texts });
    }
    lab.refresh(isOther ? { kept: null } : {});
  };
  const error = lab.page.part("comparisonError");
  error.textContent = "";
  const request = { parsed: other, choices, names, count: table.length };
  const fail = (why: string) => (error.textContent = why);
  lab.runner.start("comparison", request, show, fail);
}

/** Keep the map that is shown, in the link and to compare the next one with it, or forget it. */
export function keepMap(lab: Laboratory, isKept: boolean) {
  const { fit, shown } = lab.map;
  if (!fit || !shown) return;
  const kept = fitChoices(fit.choices);
  const map = { points: shown.slice(), title: `${KEPT_MAP}, by ${METHODS[kept.method]}` };
  lab.map.other = isKept ? map : null;
  lab.refresh({ kept: isKept ? kept : null });
}

const KEPT_MAP = "the map that was kept";

/** Compute the map that a link says was kept, and compare with it. */
export function compareWithKeptMap(lab: Laboratory) {
  const { kept, dimensions } = lab.choices;
  if (kept?.dimensions === dimensions && !lab.map.other)
    compareWith(lab, lab.data.parsed, KEPT_MAP, kept);
}

/** Show how the map changes when objects are left out. */
export function checkStability(lab: Laboratory) {
  const { fit } = lab.map;
  if (lab.runner.isRunning() || !fit) return;
  const words = lab.page.part("stable");
  const show: Done<"stability"> = (stability) => {
    lab.map.clouds = stability.clouds;
    lab.draw(fit);
    const { html, plain } = stabilityWords(stability, lab.data.nameOf, lab.page.link);
    words.innerHTML = html;
    words.append(plain);
  };
  const fail = (why: string) =>
    (words.textContent = `Without one of the objects there is no map. ${why}`);
  const request = lab.data.request(lab.choices);
  lab.runner.start("stability", { request, points: fit.points }, show, fail);
}

/** Compare the fit in each number of dimensions with that of permuted data. */
export function checkDimensions(lab: Laboratory) {
  const { fit } = lab.map;
  if (lab.runner.isRunning() || !fit) return;
  const [words, curve] = [lab.page.part("chance"), lab.page.part("curve")];
  const { dimensions } = fit.choices;
  const show: Done<"chance"> = (chance) => {
    if (!chance.permuted.length) return;
    words.textContent = chanceWords(chance, dimensions);
    drawChance(curve, chance, dimensions);
  };
  const request = lab.data.request(lab.choices);
  lab.runner.start("chance", request, show, (why) => (words.textContent = why));
}
