// Buttons that check a map: without single objects, and beside permuted data.

import { chanceWords, stabilityWords } from "./comparisonMessages.ts";
import type { Laboratory } from "./laboratory.ts";
import { drawChance } from "./laboratoryCharts.ts";
import type { Chance, Stability } from "./stability.ts";

/** Show how the map changes when objects are left out. */
export function checkStability(lab: Laboratory) {
  const { fit } = lab.map;
  if (lab.runner.isRunning() || !fit) return;
  const words = lab.part("stable");
  const show = (found: Stability) => {
    lab.map.setClouds(found.clouds);
    lab.draw(fit);
    const { html, plain } = stabilityWords(found, lab.data.nameOf, lab.link);
    words.innerHTML = html;
    words.append(plain);
  };
  const fail = (why: string) =>
    (words.textContent = `Without one of the objects there is no map. ${why}`);
  lab.runner.start("stability", { request: lab.request(), points: fit.points }, show, fail);
}

/** Compare the fit in each number of dimensions with that of permuted data. */
export function checkDimensions(lab: Laboratory) {
  const { fit } = lab.map;
  if (lab.runner.isRunning() || !fit) return;
  const words = lab.part("chance");
  const { dimensions } = fit.choices;
  const show = (found: Chance) => {
    if (!found.permuted.length) return;
    words.textContent = chanceWords(found, dimensions);
    lab.part("curve").replaceChildren();
    drawChance(lab.part("curve"), found, dimensions);
  };
  lab.runner.start("chance", lab.request(), show, (why) => (words.textContent = why));
}
