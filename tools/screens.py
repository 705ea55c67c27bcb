"""Say how long the built chapters are, how soon their explorer comes, and what fills them.

Usage: python -m tools.screens, after `make book`. A screen is 1280 x 900, folds are closed.
"""

from pathlib import Path

from playwright.sync_api import sync_playwright

from tools.chromium import FLAGS, find_chromium, served

HTML = Path(__file__).parents[1] / "_build" / "html"
WIDTH, HEIGHT = 1280, 900
# The first kind that takes a block counts its height; what is left are headings, boxes and gaps.
MEASURE = """() => {
    const article = document.querySelector(".bd-article");
    delete document.documentElement.dataset.settling;
    const kinds = {
        figures: "figure, .kmds-explorer, .kmds-slider",
        checks: "details.check > summary, details.hide > summary",
        code: ".cell_input, .cell_output:not(:has(figure)), div.highlight",
        formulas: "div.math, mjx-container[display]",
        words: "p, li, dd, table",
    };
    const taken = Object.values(kinds).join(",");
    const share = Object.fromEntries(Object.entries(kinds).map(([kind, selector]) => {
        const parts = [...article.querySelectorAll(selector)].filter((part) =>
            part.checkVisibility({ contentVisibilityAuto: true })
                && !part.parentElement.closest(taken));
        return [kind, parts.reduce((sum, part) => sum + part.getBoundingClientRect().height, 0)];
    }));
    const { top, height } = article.getBoundingClientRect();
    const explorer = article.querySelector(".kmds-explorer")?.getBoundingClientRect().top - top;
    return { height, explorer, share };
}"""


def main():
    """Print a line for each chapter."""
    chapters = sorted((HTML / "chapters").glob("[0-9][0-9]-*.html"))
    with sync_playwright() as playwright, served(HTML) as site:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        for chapter in chapters:
            page.goto(f"{site}/chapters/{chapter.name}")
            found = page.evaluate(MEASURE)
            shares = ", ".join(
                f"{kind} {part / found['height']:.0%}" for kind, part in found["share"].items()
            )
            screens, before = found["height"] / HEIGHT, found["explorer"] / HEIGHT
            print(
                f"{chapter.stem:22} {screens:.1f} screens, {before:.1f} to the explorer; {shares}"
            )


if __name__ == "__main__":
    main()
