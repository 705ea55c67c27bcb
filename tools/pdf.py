"""Print the whole book as one PDF, from the built pages.

Chromium prints each page: `tools/pdf.js` unfolds it and moves the solutions to its end,
`_static/print.css` and `tools/pdf.css` lay it out. pypdf binds the parts: links between pages
become links inside the file, running heads and page numbers are laid over, and contents and
index, printed last, name the pages.

Order and parts come from `_toc.yml`, title and authors from `_config.yml`, the address from the
link of the preface to this file. What is of use only beside a computer stays on the site: pages of
the library and of the build, problem sets, timings, the list of checks.
"""

import asyncio
import html
import re
import sys
import tomllib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote

import nbformat
import yaml
from playwright.async_api import async_playwright
from pypdf import PdfReader
from sphinx_external_toc.parsing import parse_toc_yaml

from tools.check_book import WIDGET_CALL
from tools.chromium import FLAGS, find_chromium, served
from tools.pdf_binding import Binder

ROOT = Path(__file__).resolve().parent.parent
HTML = ROOT / "_build" / "html"
TARGET = ROOT / "_build" / "pdf"
ON_THE_SITE = re.compile(r"chapters/(api/.*|coursework/.*|laboratory|benchmarks|coverage|status)")
INDEX, FRONT = "genindex", "contents"
# Its type and style serve for what has no page of its own.
HOST = "chapters/status"
TABS = 3
PATIENCE = 300_000  # milliseconds
# A part whose last page would hold a few lines only is set a little tighter or wider.
FEW_LINES = 5
LEADINGS = (1.36, 1.34, 1.38, 1.32)
# The width of the column on paper (tools/pdf.css), in CSS pixels
COLUMN = round((210 - 2 * 41) / 25.4 * 96)
SCRIPT = (ROOT / "tools" / "pdf.js").read_text("utf-8")
STYLE = (ROOT / "tools" / "pdf.css").read_text("utf-8")


@dataclass
class Part:
    """One page of the site as a part of the book."""

    docname: str
    caption: str = ""
    headings: list = field(default_factory=list)
    file: PdfReader = None
    targets: dict = field(default_factory=dict)
    clipped: list = field(default_factory=list)
    start: int = 0

    @property
    def title(self):
        """Return the heading of the page."""
        return self.headings[0]

    @property
    def numbered(self):
        """Say whether this is a chapter with a number."""
        return bool(self.title["number"])

    def page_of(self, identifier):
        """Return the number of the page in the file that holds an id, from 0."""
        return self.start + self.targets[identifier][0]


def published():
    """Return the address of the published site and the name of the file, from the preface."""
    preface = (HTML / "chapters" / "preface.html").read_text("utf-8")
    link = re.search(r'href="(https?://[^"]+/)([\w-]+\.pdf)"', preface)
    if not link:
        sys.exit("The preface has no link to the PDF: it comes from _ext/build_facts.py.")
    return link.groups()


def below(toc, docname):
    """Yield a page of the table of contents and the pages below it."""
    yield docname
    for group in toc[docname].subtrees:
        for item in group.items:
            yield from below(toc, str(item))


def planned_parts():
    """Return the parts of the book in order, each with the caption that stands above it."""
    toc = parse_toc_yaml(ROOT / "_toc.yml")
    plan = [Part(toc.root.docname)]
    for group in toc.root.subtrees:
        pages = [page for item in group.items for page in below(toc, str(item))]
        plan += [Part(page, group.caption or "") for page in pages]
    return [part for part in plan if not ON_THE_SITE.fullmatch(part.docname)]


def moving_figures(docname):
    """Return the names of the interactive figures of a chapter."""
    source = ROOT / f"{docname}.ipynb"
    cells = nbformat.read(source, as_version=4).cells if source.is_file() else []
    return [
        cell.metadata["mystnb"]["figure"]["name"]
        for cell in cells
        if cell.cell_type == "code" and WIDGET_CALL.search(cell.source)
    ]


class Press:
    """Chromium on the built pages."""

    def __init__(self, browser, site, address):
        self.browser, self.site, self.address = browser, site, address
        self.tabs = asyncio.Semaphore(TABS)

    async def open(self, docname):
        """Return a tab with a page of the site as paper has it; no script of the page runs."""
        context = await self.browser.new_context(
            java_script_enabled=False, viewport={"width": COLUMN, "height": 900}
        )
        context.set_default_timeout(PATIENCE)
        tab = await context.new_page()
        await tab.emulate_media(media="print", color_scheme="light")
        await tab.goto(f"{self.site}/{docname}.html", wait_until="load")
        await tab.evaluate(SCRIPT)
        await tab.evaluate("style => printing.dress(style)", STYLE)
        return tab

    async def print(self, tab, part, tagged=True):
        """Print a tab as a part and close it."""
        part.clipped = await tab.evaluate("printing.fit()")
        for leading in LEADINGS if tagged else LEADINGS[:1]:
            style = f"document.documentElement.style.setProperty('--print-leading', {leading})"
            await tab.evaluate(style)
            pages = await tab.pdf(prefer_css_page_size=True, print_background=True, tagged=tagged)
            part.file = PdfReader(BytesIO(pages))
            if len(part.file.pages[-1].extract_text().split("\n")) > FEW_LINES:
                break
        await tab.context.close()
        part.targets = {
            unquote(name[1:]): (part.file.get_destination_page_number(place), place.top)
            for name, place in part.file.named_destinations.items()
        }

    async def print_part(self, part, index_pages=None):
        """Print a page of the site as it stands in the book."""
        async with self.tabs:
            tab = await self.open(part.docname)
            if index_pages is not None:
                await tab.evaluate("pages => printing.numberIndex(pages)", index_pages)
            options = {
                "moving": moving_figures(part.docname),
                "address": f"{self.address}{part.docname}.html",
            }
            part.headings = await tab.evaluate("options => printing.arrange(options)", options)
            await self.print(tab, part)

    async def print_html(self, text, tagged=True):
        """Print a text in the type and style of the site."""
        part = Part(FRONT)
        tab = await self.open(HOST)
        await tab.evaluate("text => printing.replace(text)", text)
        await self.print(tab, part, tagged)
        return part


def imprint(config, version, idea):
    """Return cover and imprint."""
    title, author = html.escape(config["title"]), html.escape(config["author"])
    licences = config["sphinx"]["config"]["html_theme_options"].get("extra_footer", "")
    today = datetime.now(UTC)
    return f"""
<div class="cover">
  <p class="title">{title}</p>
  <p class="idea">{html.escape(idea)}</p>
  <p class="by">{author}</p>
</div>
<div class="imprint">
  <p>{title}. {author}, {today.year}. Version {version}, printed from the pages of the site on
  {today.day} {today:%B %Y}.</p>
  <p>{licences}</p>
  <p>Figures that move on the site show their first state here, with the address where they move.
  Solutions stand at the end of each chapter. The imports of a chapter and code that only draws a
  figure are left out: they stand on the site and in the notebooks.</p>
</div>"""


def contents(parts, label_of):
    """Return the table of contents; `label_of` gives the page of an id of a part."""
    lines, caption = ['<section class="contents"><h1 id="contents">Contents</h1>'], ""
    for part in parts:
        if part.caption != caption:
            caption = part.caption
            lines.append(f'<p class="part">{html.escape(caption)}</p>')
        sections = [h for h in part.headings[1:] if h["level"] == 2 and part.numbered]
        for heading in [part.title, *sections]:
            lines.append(
                f'<a class="{"of-section" if heading in sections else "of-chapter"}"'
                f' href="/{part.docname}.html#{heading["id"]}">'
                f'<span class="{"number" if part.numbered else "none"}">{heading["number"]}</span>'
                f'<span>{heading["html"]}</span><span class="dots"></span>'
                f"<span>{label_of(part, heading['id'])}</span></a>"
            )
    return "\n".join([*lines, "</section>"])


def roman(number):
    """Write a small number in Roman figures."""
    for value, figure in ((50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv")):
        if number >= value:
            return figure + roman(number - value)
    return "i" * number


def paginate(parts, front):
    """Let each part start on a right-hand page behind the front matter; return all labels."""
    at = front
    for part in parts:
        part.start = at + at % 2
        at = part.start + len(part.file.pages)
    first = next(part.start for part in parts if part.numbered)
    return [roman(n + 1) if n < first else str(n - first + 1) for n in range(at)]


def heads(parts, labels, title):
    """Return what stands above or below each page: nothing, a page number, a running head."""
    leaves = [""] * len(labels)
    for part in parts:
        marks = [
            (part.page_of(h["id"]), -part.targets[h["id"]][1], h)
            for h in part.headings[1:]
            if h["level"] == 2
        ]
        marks.sort(key=lambda mark: mark[:2])
        name = f"{part.title['number']} {part.title['text']}".strip()
        leaves[part.start] = f'<div class="foot">{labels[part.start]}</div>'
        for page in range(part.start + 1, part.start + len(part.file.pages)):
            label = f"<span>{labels[page]}</span>"
            if page % 2:
                over = name if part.numbered else title
                texts = [label, f'<span class="of">{html.escape(over)}</span>']
            else:
                here = [m for m in marks if m[0] == page][:1] or [m for m in marks if m[0] < page]
                over = f"{here[-1][2]['number']} {here[-1][2]['text']}" if here else name
                over = over.strip() if part.numbered else name
                texts = [f'<span class="of">{html.escape(over)}</span>', label]
            leaves[page] = f'<div class="head">{"".join(texts)}</div>'
    return leaves


def add_bookmarks(binder, parts):
    """Add bookmarks for parts, chapters and sections."""
    binder.add_bookmark("Contents", "contents#contents")
    above = {"": None}
    for part in parts:
        if part.caption not in above:
            name = f"{part.docname}#{part.title['id']}"
            above[part.caption] = binder.add_bookmark(part.caption, name, bold=True)
        chapter = None
        for heading in part.headings:
            words = f"{heading['number']} {heading['text']}".strip()
            name = f"{part.docname}#{heading['id']}"
            if heading["level"] == 1:
                chapter = binder.add_bookmark(words, name, above[part.caption])
            elif heading["level"] == 2:
                binder.add_bookmark(words, name, chapter)


async def print_all(press, leading):
    """Print all parts, then contents and index, which name their pages; return labels too."""
    parts = planned_parts()
    parts.sort(key=lambda part: part.docname == INDEX)
    await asyncio.gather(*(press.print_part(part) for part in parts))
    front = await press.print_html(leading + contents(parts, lambda *_: "000"))
    labels = paginate(parts, len(front.file.pages))
    pages = {
        f"{part.docname}.html#{name}": labels[part.page_of(name)]
        for part in parts
        for name in part.targets
    }
    await asyncio.gather(*(press.print_part(p, pages) for p in parts if p.docname == INDEX))
    labels = paginate(parts, len(front.file.pages))
    front = await press.print_html(
        leading + contents(parts, lambda part, name: labels[part.page_of(name)])
    )
    return front, parts, labels


async def lay_heads(press, front, parts, labels, title):
    """Return the pages that are laid over the others, and which of them hold anything."""
    leaves = heads(parts, labels, title)
    for page in range(2, len(front.file.pages)):
        leaves[page] = f'<div class="foot">{labels[page]}</div>'
    sheet = "".join(f'<div class="leaf">{leaf}</div>' for leaf in leaves)
    sheet = f"<style>@page {{ margin: 0 }}</style>{sheet}"
    return (await press.print_html(sheet, tagged=False)).file, leaves


async def make(site, address, config, path):
    """Print and bind the book; return what of it would be cut off."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    title, idea = config["title"], citation["abstract"].partition(". ")[0] + "."
    chromium = find_chromium()
    if chromium is None:
        sys.exit("No Chromium on this machine: it prints the book.")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        press = Press(browser, site, address)
        leading = imprint(config, project["version"], idea)
        front, parts, labels = await print_all(press, leading)
        sheets, wanted = await lay_heads(press, front, parts, labels, title)
        await browser.close()
    binder = Binder(site, address)
    for part in (front, *parts):
        binder.add(part.docname, part.file, part.targets)
    binder.lay_over(sheets, wanted)
    binder.join_links()
    add_bookmarks(binder, parts)
    first = next(part.start for part in parts if part.numbered)
    binder.finish(path, title=title, author=config["author"], first=first)
    return [f"{part.docname}: {what}" for part in (front, *parts) for what in part.clipped]


def main():
    """Write the file into `_build/pdf`, and fail where paper would cut something off."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    address, name = published()
    path = TARGET / name
    with served(HTML) as site:
        clipped = asyncio.run(make(site, address, config, path))
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1e6:.1f} MB")
    if clipped:
        sys.exit("Cut off on paper:\n" + "\n".join(clipped))


if __name__ == "__main__":
    main()
