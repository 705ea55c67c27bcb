"""Print the whole book as one PDF, from the built pages.

`tools/pdf.js` binds all pages into one, `_static/print.css` and `tools/pdf.css` lay it out, and
Chromium prints it twice: the first print, of blank pages, tells where everything stands, the
second has these numbers in contents and index. What is of use beside a computer stays on the site.
"""

import html
import re
import sys
from datetime import UTC, datetime
from io import BytesIO
from urllib.parse import unquote

import yaml
from playwright.sync_api import sync_playwright
from pypdf import PdfReader
from sphinx_external_toc.parsing import parse_toc_yaml

from _ext.site_config import ROOT, read_address
from tools.chromium import FLAGS, find_chromium, served

ADDRESS = read_address()
HTML = ROOT / "_build" / "html"
TARGET = ROOT / "_build" / "pdf" / ADDRESS.pdf.rpartition("/")[2]
ON_THE_SITE = re.compile(r"chapters/(api/.*|coursework/.*|laboratory|benchmarks|coverage|status)")
# Its type and style serve for the book.
HOST = "chapters/build-report"
PAPER = {"prefer_css_page_size": True, "print_background": True}
# The width of the column on paper (tools/pdf.css), in CSS pixels
COLUMN = round((210 - 2 * 41) / 25.4 * 96)
FRONT = """
<div class="cover"><p class="title">{title}</p><p>{idea}.</p><p class="by">{author}</p></div>
<div class="imprint">
  <p>{title}. {author}. Version {version}, printed from the pages of the site on {date}.</p>
  <p>{licences}</p>
  <p>Figures that move on the site show their first state here, with the address where they move.
  Solutions stand at the end of each chapter. The imports of a chapter and code that only draws a
  figure are left out: they stand on the site and in the notebooks.</p>
</div>"""
SCRIPT, STYLE = ((ROOT / "tools" / name).read_text("utf-8") for name in ("pdf.js", "pdf.css"))


def planned_pages():
    """Return the name of each page of the book in order, and the caption that stands above it."""
    toc = parse_toc_yaml(ROOT / "_toc.yml")
    captions = {str(group.items[0]): group.caption for group in toc.root.subtrees}
    names = [str(name) for name in toc if not ON_THE_SITE.fullmatch(str(name))]
    return [{"docname": name, "caption": captions.get(name, "")} for name in names]


def front_matter():
    """Return cover and imprint."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    return FRONT.format(
        title=html.escape(ADDRESS.title),
        idea=html.escape(citation["abstract"].partition(". ")[0]),
        author=html.escape(config["author"]),
        version=ADDRESS.version,
        date=f"{datetime.now(UTC):%d %B %Y}",
        licences=config["sphinx"]["config"]["html_theme_options"].get("extra_footer", ""),
    )


def numbers(data):
    """Return the number of the page that holds each id."""
    reader = PdfReader(BytesIO(data))
    page_of, places = reader.get_destination_page_number, reader.named_destinations
    return {unquote(name.lstrip("/")): page_of(places[name]) + 1 for name in places}


def print_book(tab, book):
    """Return the printed book and what of it would be cut off."""
    tab.evaluate(SCRIPT)
    tab.evaluate("book => printing.bind(book)", book)
    clipped = tab.evaluate("printing.fit()")
    tab.evaluate("pages => printing.number(pages)", numbers(tab.pdf(**PAPER)))
    return tab.pdf(**PAPER, outline=True, tagged=True), clipped


def main():
    """Write the file into `_build/pdf`, and fail where paper would cut something off."""
    book = {"pages": planned_pages(), "front": front_matter(), "address": ADDRESS.site}
    book |= {"style": STYLE, "title": ADDRESS.title}
    chromium = find_chromium() or sys.exit("No Chromium on this machine: it prints the book.")
    with served(HTML) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        screen = {"width": COLUMN, "height": 900}
        tab = browser.new_context(java_script_enabled=False, viewport=screen).new_page()
        tab.set_default_timeout(600_000)
        tab.emulate_media(media="print", color_scheme="light")
        tab.goto(f"{site}/{HOST}.html")
        data, clipped = print_book(tab, book)
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_bytes(data)
    print(f"{TARGET.relative_to(ROOT)}: {len(data) / 1e6:.1f} MB")
    if clipped:
        sys.exit("Cut off on paper:\n" + "\n".join(clipped))


if __name__ == "__main__":
    main()
