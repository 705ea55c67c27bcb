"""Print the whole book as one PDF from the built pages (`make pdf`).

`tools/pdf.js` combines all pages into one document, `web/src/styles/print.css` and `tools/pdf.css`
style it, and Chromium prints it twice. The first print gives the page numbers, which the second
one shows in the contents and the index. Pages that are only useful at a computer are left out.
"""

import html
import re
import sys
from datetime import UTC, datetime
from io import BytesIO
from urllib.parse import unquote

import yaml
from playwright.sync_api import sync_playwright
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject, TextStringObject
from sphinx_external_toc.parsing import parse_toc_yaml

from _ext.site_config import ROOT, read_site_config
from tools.chromium import FLAGS, find_chromium, served

SITE = read_site_config()
HTML = ROOT / "_build" / "html"
TARGET = ROOT / "_build" / "pdf" / SITE.pdf.rpartition("/")[2]
NOT_PRINTED = re.compile(
    r"chapters/(api/.*|coursework/.*|laboratory|benchmarks|coverage|build-report)"
)
# The page whose style sheets are used for the whole book.
HOST = "chapters/build-report"
PAPER = {"prefer_css_page_size": True, "print_background": True}
# The width of the printed column (tools/pdf.css) in CSS pixels
COLUMN_WIDTH = round((210 - 2 * 41) / 25.4 * 96)
FRONT = """
<div class="cover"><p class="title">{title}</p><p>{idea}.</p><p class="by">{author}</p></div>
<div class="imprint">
  <p>{title}. {author}. Version {version}, printed from the pages of the site on {date}.</p>
  <p>{licences}</p>
  <p>Interactive figures show their first state, with the address of the interactive version.
  Solutions are at the end of each chapter. Imports and code that only draws a figure are left out;
  you find them on the site and in the notebooks.</p>
</div>"""
SCRIPT, STYLE = ((ROOT / "tools" / name).read_text("utf-8") for name in ("pdf.js", "pdf.css"))


def planned_pages():
    """Return name and part caption of each printed page, in the order of the book."""
    toc = parse_toc_yaml(ROOT / "_toc.yml")
    captions = {str(group.items[0]): group.caption for group in toc.root.subtrees}
    names = [str(name) for name in toc if not NOT_PRINTED.fullmatch(str(name))]
    return [{"docname": name, "caption": captions.get(name, "")} for name in names]


def front_matter(config):
    """Return the HTML of cover and imprint."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    return FRONT.format(
        title=html.escape(SITE.title),
        idea=html.escape(citation["abstract"].partition(". ")[0]),
        author=html.escape(config["author"]),
        version=SITE.version,
        date=f"{datetime.now(UTC):%d %B %Y}",
        licences=config["sphinx"]["config"]["html_theme_options"].get("extra_footer", ""),
    )


def page_numbers(data):
    """Return the page number of each id."""
    reader = PdfReader(BytesIO(data))
    page_of, targets = reader.get_destination_page_number, reader.named_destinations
    return {unquote(name.lstrip("/")): page_of(targets[name]) + 1 for name in targets}


def bookmarks(item):
    """Yield the bookmarks below an item of the outline in order."""
    below = item.get("/First")
    while below is not None:
        yield below.get_object()
        yield from bookmarks(below.get_object())
        below = below.get_object().get("/Next")


def finished(data, titles, author):
    """Return a writer of the printed book with the titles of its bookmarks and its author."""
    writer = PdfWriter(BytesIO(data), incremental=True)
    writer.add_metadata({"/Author": author})
    for item, title in zip(bookmarks(writer.get_outline_root()), titles, strict=True):
        item[NameObject("/Title")] = TextStringObject(title)
    return writer


def print_book(tab, book):
    """Return the printed book, its headings, and a list of elements too wide for the page."""
    tab.evaluate(SCRIPT)
    tab.evaluate("book => printing.bind(book)", book)
    clipped = tab.evaluate("printing.fit()")
    tab.evaluate("pages => printing.number(pages)", page_numbers(tab.pdf(**PAPER)))
    data = tab.pdf(**PAPER, outline=True, tagged=True)
    return data, tab.evaluate("printing.headings()"), clipped


def main():
    """Write the PDF into `_build/pdf`, and fail if an element is too wide for the page."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    book = {"pages": planned_pages(), "front": front_matter(config), "address": SITE.site}
    book |= {"style": STYLE, "title": SITE.title}
    chromium = find_chromium() or sys.exit(
        "Printing needs Chromium: install the package chromium."
    )
    with served(HTML) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        screen = {"width": COLUMN_WIDTH, "height": 900}
        tab = browser.new_context(java_script_enabled=False, viewport=screen).new_page()
        tab.set_default_timeout(600_000)
        tab.emulate_media(media="print", color_scheme="light")
        tab.goto(f"{site}/{HOST}.html")
        data, titles, clipped = print_book(tab, book)
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    finished(data, titles, config["author"]).write(TARGET)
    print(f"{TARGET.relative_to(ROOT)}: {TARGET.stat().st_size / 1e6:.1f} MB")
    if clipped:
        sys.exit("Too wide for the page:\n" + "\n".join(clipped))


if __name__ == "__main__":
    main()
