"""Check that the pages of all notebooks were built with their figures and outputs (`make book`).

Sphinx reports no error if a figure or an output is missing from a page. The tests of the chapters
compare the printed text itself, so this script only checks that it is there.
"""

import re
import sys
from pathlib import Path

import nbformat
from bs4 import BeautifulSoup
from sphinx_external_toc.parsing import parse_toc_yaml

ROOT = Path(__file__).resolve().parent.parent
HTML = ROOT / "_build" / "html"
WIDGET_CALL = re.compile(r"^(?:frame_slider|frame_grid|\w+_explorer)\(", re.MULTILINE)
# Two thirds of a page, which are not parsed.
FORMULA = re.compile(r"<mjx-container.*?</mjx-container>", re.DOTALL)


def prints_more_than_checks(output):
    """Return True if an output contains a line that the page does not show as a check."""
    lines = output.get("text", "").splitlines()
    return any(line.strip() and line[0] not in "✓≠" for line in lines)


def expected_parts(path):
    """Return the names of the figures of a notebook and the numbers of widgets and outputs."""
    figures, widgets, printed = [], 0, 0
    for cell in nbformat.read(path, as_version=4).cells:
        figures += filter(None, [cell.metadata.get("mystnb", {}).get("figure", {}).get("name")])
        if cell.cell_type == "code":
            widgets += len(WIDGET_CALL.findall(cell.source))
            if not {"remove-output", "remove-cell"} & set(cell.metadata.get("tags", [])):
                printed += any(map(prints_more_than_checks, cell.outputs))
    return figures, widgets, printed


def missing_parts(docname):
    """Return descriptions of all parts of a notebook that are missing from its page."""
    page = (HTML / f"{docname}.html").read_text("utf-8")
    article = BeautifulSoup(FORMULA.sub("", page), "html.parser").article
    figures, widgets, printed = expected_parts(ROOT / f"{docname}.ipynb")
    shown = {each["id"] for each in article.select("figure[id]:has(img, .kmds-explorer)")}
    missing = [f"figure {name}" for name in figures if name not in shown]
    for kind, expected, selector in (
        ("interactive figures", widgets, ":is(.kmds-slider, .kmds-explorer) > script"),
        ("printed outputs", printed, ".output.stream"),
    ):
        if (found := len(article.select(selector))) < expected:
            missing.append(f"{expected - found} of {expected} {kind}")
    return missing


def main():
    """Check all notebooks, and exit with a list of the missing parts if there are any."""
    pages = parse_toc_yaml(ROOT / "_toc.yml")
    notebooks = [page for page in pages if (ROOT / f"{page}.ipynb").is_file()]
    missing = [f"{page}: missing {part}" for page in notebooks for part in missing_parts(page)]
    if missing:
        sys.exit("\n".join(missing))
    print(f"{len(notebooks)} notebooks have all their figures and outputs.")


if __name__ == "__main__":
    main()
