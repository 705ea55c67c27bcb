"""Fixtures of the build tests: the printed book and the portable notebooks."""

import subprocess
import unicodedata
from functools import cache, cached_property
from urllib.parse import unquote

import nbformat
import pytest
from pypdf import PdfReader
from sphinx_external_toc.parsing import parse_toc_yaml

from _ext.portable import is_graded
from _ext.site_config import ROOT
from tests.pages.conftest import HTML, article_of
from tools.pdf import TARGET

NOTEBOOKS = sorted(
    page for page in parse_toc_yaml(ROOT / "_toc.yml") if (ROOT / f"{page}.ipynb").is_file()
)


def article(page):
    """Return the article of a built page as HTML without scripts."""
    return article_of(f"{page}.html")


@cache
def source(page):
    """Return the notebook from which a page is built."""
    return nbformat.read(ROOT / f"{page}.ipynb", as_version=4)


@cache
def portable(page):
    """Return the portable notebook of a page."""
    return nbformat.read(HTML / "notebooks" / f"{page}.ipynb", as_version=4)


@pytest.fixture(scope="session")
def texts():
    """Return page -> all Markdown of its portable notebook, except for problem sets."""
    return {
        page: "\n\n".join(
            cell.source for cell in portable(page).cells if cell.cell_type == "markdown"
        )
        for page in NOTEBOOKS
        if not is_graded(source(page))
    }


def letters(text):
    """Return only the letters and digits, so that line breaks and hyphens do not matter."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text)))


def pdf_texts(path, order):
    """Return the text of each page of a PDF; the order is an option of pdftotext."""
    command = ["pdftotext", order, path, "-"]
    text = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    return text.split("\f")[:-1]


def pdf_lines(path):
    """Return the non-blank lines of each page of a PDF."""
    pages = pdf_texts(path, "-layout")
    return [[line for line in page.splitlines() if line.strip()] for page in pages]


class PrintedBook:
    """The PDF of the book; all page numbers start from 0."""

    def __init__(self, path):
        self.path = path
        self.reader = PdfReader(path)

    @cached_property
    def lines(self):
        """Return the lines of each page."""
        return pdf_lines(self.path)

    @cached_property
    def source_texts(self):
        """Return the text of each page in the order of the HTML, formulas after the other text."""
        return pdf_texts(self.path, "-raw")

    @cached_property
    def letters(self):
        """Return the letters and digits of each page."""
        return [letters("".join(page)) for page in self.lines]

    @cached_property
    def targets(self):
        """Return the page of each link target by its name."""
        number = self.reader.get_destination_page_number
        names = self.reader.named_destinations
        return {unquote(name.lstrip("/")): number(names[name]) for name in names}

    @cached_property
    def links(self):
        """Return (page, URL, target) of each link; URL or target is empty."""
        found = []
        for number, page in enumerate(self.reader.pages):
            for note in map(lambda note: note.get_object(), page.get("/Annots", [])):
                action = note.get("/A", {})
                target = unquote(str(action.get("/D", note.get("/Dest", ""))).lstrip("/"))
                found.append((number, str(action.get("/URI", "")), target))
        return found

    @cached_property
    def bookmarks(self):
        """Return (depth, title, page) of each bookmark."""
        found = []

        def walk(items, depth):
            for item in items:
                if isinstance(item, list):
                    walk(item, depth + 1)
                else:
                    page = self.reader.get_destination_page_number(item)
                    found.append((depth, item.title, page))

        walk(self.reader.outline, 0)
        return found


@pytest.fixture(scope="session")
def printed():
    """Return the printed book."""
    return PrintedBook(TARGET)
