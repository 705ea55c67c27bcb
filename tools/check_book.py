"""Assert that every page of _toc.yml was built and holds its figures, frames and outputs.

Sphinx is content with a page that lost its figures; a reader is not. What a cell prints may
differ from processor to processor: the tests compare it, and this sees that it is there.
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
    r'<div class="kmds-explorer"[^>]*>.*?<script type="application/json">.*?</script>'
    r'<script type="text/plain">.*?export default',
    re.DOTALL,
)


def missing_images(page, text):
    """Name the pictures that a page shows and the site lacks."""
    sources = re.findall(r'<img[^>]* src="(?!data:|https?:)([^"?]+)', text)
    return [
        f"picture {source}"
        for source in sources
        if not (page.parent / html.unescape(source)).is_file()
    ]


def missing_widgets(page, cells, text):
    """Name what is missing of the interactive figures of a chapter."""
    wanted = sum(len(WIDGET_CALL.findall(cell.source)) for cell in cells)
    sliders, faults = SLIDER.findall(text), []
    for first, state in sliders:
        turned = json.loads(state)
        sources = [source for source, _ in turned["frames"]]
        faults += [f"frame {s}" for s in sources if not (page.parent / s).is_file()]
        if len(sources) != math.prod(map(len, turned["options"])) or first not in sources:
            faults.append(f"frames of the slider that shows {first}")
    there = len(sliders) + len(EXPLORER.findall(text))
    if there < wanted:
        faults.append(f"{wanted - there} of {wanted} interactive figures")
    if "jupyter.widget-" in text:
        faults.append("an interactive figure that needs no widget manager")
    return faults


def missing_outputs(cells, text):
    """Name the figures of a chapter that its page lacks, and say whether it lacks an output."""
    faults, printed = [], 0
    for cell in cells:
        name = cell.metadata.get("mystnb", {}).get("figure", {}).get("name")
        figure = re.search(rf'<figure[^>]* id="{name}".*?</figure>', text, re.DOTALL)
        if name and not (figure and re.search("<img|kmds-explorer", figure[0])):
            faults.append(f"figure {name}")
        if not {"remove-output", "remove-cell"} & set(cell.metadata.get("tags", [])):
            printed += any(output.output_type == "stream" for output in cell.outputs)
    there = len(re.findall(r'<div class="output stream', text))
    if there < printed:
        faults.append(f"{printed - there} of {printed} printed outputs")
    return faults


def faults_of(docname):
    """Name what is wrong with one page."""
    page, source = HTML / f"{docname}.html", ROOT / f"{docname}.ipynb"
    if not page.is_file():
        return ["the page itself"]
    text = page.read_text(encoding="utf-8")
    faults = missing_images(page, text)
    if source.is_file():
        cells = [
            cell for cell in nbformat.read(source, as_version=4).cells if cell.cell_type == "code"
        ]
        faults += missing_widgets(page, cells, text) + missing_outputs(cells, text)
        expected = sum("raises-exception" in cell.metadata.get("tags", []) for cell in cells)
        if text.count("output traceback") > expected:
            faults.append("a result: a cell stopped with an error")
    return faults


def main():
    """Check all pages; name what is missing and fail."""
    pages = list(parse_toc_yaml(ROOT / "_toc.yml"))
    faults = [f"{page}: missing {fault}" for page in pages for fault in faults_of(page)]
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(pages)} pages are there with all their outputs.")


if __name__ == "__main__":
    main()
