"""Check that all pages of _toc.yml were built with their figures and outputs (`make book`).

Sphinx reports no error if a figure or an output is missing from a page. The tests of the chapters
compare the printed text itself, so this script only checks that it is there.
"""

import html
import json
import math
import re
import sys
from pathlib import Path

import nbformat
from sphinx_external_toc.parsing import parse_toc_yaml

ROOT = Path(__file__).resolve().parent.parent
HTML = ROOT / "_build" / "html"
WIDGET_CALL = re.compile(r"^(?:frame_slider|frame_grid|\w+_explorer)\(", re.MULTILINE)
SLIDER = re.compile(
    r'<div class="kmds-slider">.*?<img class="kmds-frame" [^>]*src="([^"]+)"[^>]*>'
    r'<script type="application/json">(.*?)</script>',
    re.DOTALL,
)
EXPLORER = re.compile(
    r'<div class="kmds-explorer"[^>]*>.*?<script type="application/json">.*?</script>',
    re.DOTALL,
)


def missing_images(page, text):
    """Return the pictures of a page whose files do not exist."""
    sources = re.findall(r'<img[^>]* src="(?!data:|https?:)([^"?]+)', text)
    return [
        f"picture {source}"
        for source in sources
        if not (page.parent / html.unescape(source)).is_file()
    ]


def missing_widgets(page, cells, text):
    """Return the missing interactive figures and frames of a chapter."""
    wanted = sum(len(WIDGET_CALL.findall(cell.source)) for cell in cells)
    sliders, missing = SLIDER.findall(text), []
    for first, state in sliders:
        slider = json.loads(state)
        sources = [source for source, _ in slider["frames"]]
        missing += [f"frame {s}" for s in sources if not (page.parent / s).is_file()]
        if len(sources) != math.prod(map(len, slider["options"])) or first not in sources:
            missing.append(f"frames of the slider that starts with {first}")
    present = len(sliders) + len(EXPLORER.findall(text))
    if present < wanted:
        missing.append(f"{wanted - present} of {wanted} interactive figures")
    if "jupyter.widget-" in text:
        missing.append("a static form of an interactive figure, which needs a widget manager")
    return missing


def prints_more_than_checks(output):
    """Return True if an output contains a line that the page does not show as a check."""
    lines = output.get("text", "").splitlines()
    return any(line.strip() and line[0] not in "✓≠" for line in lines)


def missing_outputs(cells, text):
    """Return the figures that are missing from a page, and the number of missing outputs."""
    missing, printed = [], 0
    for cell in cells:
        name = cell.metadata.get("mystnb", {}).get("figure", {}).get("name")
        figure = re.search(rf'<figure[^>]* id="{name}".*?</figure>', text, re.DOTALL)
        if name and not (figure and re.search("<img|kmds-explorer", figure[0])):
            missing.append(f"figure {name}")
        if not {"remove-output", "remove-cell"} & set(cell.metadata.get("tags", [])):
            printed += any(map(prints_more_than_checks, cell.outputs))
    present = len(re.findall(r'<div class="output stream', text))
    if present < printed:
        missing.append(f"{printed - present} of {printed} printed outputs")
    return missing


def missing_parts(docname):
    """Return descriptions of all missing parts of a page."""
    page, source = HTML / f"{docname}.html", ROOT / f"{docname}.ipynb"
    if not page.is_file():
        return ["the page itself"]
    text = page.read_text(encoding="utf-8")
    missing = missing_images(page, text)
    if source.is_file():
        cells = [
            cell for cell in nbformat.read(source, as_version=4).cells if cell.cell_type == "code"
        ]
        missing += missing_widgets(page, cells, text) + missing_outputs(cells, text)
        expected = sum("raises-exception" in cell.metadata.get("tags", []) for cell in cells)
        if text.count("output traceback") > expected:
            missing.append("the result of a cell that raised an error")
    return missing


def main():
    """Check all pages, and exit with a list of the missing parts if there are any."""
    pages = list(parse_toc_yaml(ROOT / "_toc.yml"))
    missing = [f"{page}: missing {part}" for page in pages for part in missing_parts(page)]
    if missing:
        sys.exit("\n".join(missing))
    print(f"{len(pages)} pages have all their figures and outputs.")


if __name__ == "__main__":
    main()
