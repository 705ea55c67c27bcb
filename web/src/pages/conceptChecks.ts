// Multiple-choice questions.

import { partOf } from "../ui/verdict.ts";

/** Announce the explanation of a choice when it opens. */
export function startConceptChecks() {
  for (const choice of document.querySelectorAll(".concept-check details")) {
    choice.addEventListener("toggle", () => {
      const why = partOf(choice, ".choice-why").textContent;
      if (choice.hasAttribute("open"))
        partOf(choice.parentElement, "[role=status]").textContent = why;
    });
  }
}
