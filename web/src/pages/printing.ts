// Printing: open folded blocks, and print a dark page as a light one.

const opened = new Set<HTMLDetailsElement>();
let screenTheme: string | undefined = "";

export function startPrinting() {
  addEventListener("beforeprint", () => {
    screenTheme = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    for (const fold of document.querySelectorAll<HTMLDetailsElement>(
      "details.admonition:not([open], .hide)",
    )) {
      opened.add(fold);
      fold.setAttribute("open", "");
    }
  });
  addEventListener("afterprint", () => {
    document.documentElement.dataset.theme = screenTheme;
    for (const fold of opened) fold.open = false;
    opened.clear();
  });
}
