// Multiple-choice questions.

/** Announce the explanation of a choice when it opens. */
export function startConceptChecks() {
  for (const choice of document.querySelectorAll(".concept-check details")) {
    choice.addEventListener("toggle", () => {
      const why = choice.querySelector(".choice-why").textContent;
      if (choice.hasAttribute("open"))
        choice.parentElement.querySelector("[role=status]").textContent = why;
    });
  }
}
