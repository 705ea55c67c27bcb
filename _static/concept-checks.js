"use strict";

// What a choice says is read out when the choice opens.
addEventListener("DOMContentLoaded", () => {
  for (const choice of document.querySelectorAll(".concept-check details")) {
    choice.addEventListener("toggle", () => {
      const why = choice.querySelector(".choice-why").textContent;
      if (choice.open) choice.parentElement.querySelector("[role=status]").textContent = why;
    });
  }
});
