// Multiple-choice questions.

import { element } from "./site.ts";

/** Announce the explanation of a choice when it opens. */
export function startConceptChecks() {
  for (const choice of document.querySelectorAll(".concept-check details")) {
    choice.addEventListener("toggle", () => {
      const why = element(".choice-why", choice).textContent;
      if (choice.hasAttribute("open"))
        element("[role=status]", choice.parentElement).textContent = why;
    });
  }
}
