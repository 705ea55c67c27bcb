"""Fixtures: the printed book as text and as a file, and the portable notebooks."""

import re
import subprocess
import unicodedata
from functools import cached_property
from urllib.parse import unquote

import nbformat
import pytest
from pypdf import PdfReader
from sphinx_external_toc.parsing import parse_toc_yaml

from _ext.portable import is_graded
from _ext.site_config import ROOT
from tests.pages.conftest import HTML, chromium, site
from tools.pdf import TARGET

__all__ = ["HTML", "NOTEBOOKS", "PORTABLE", "ROOT", "chromium", "portable", "site", "source"]

FOOT = 776
"""Where the text of a page ends, in points from its upper edge; below stands a page number."""


def letters(text):
    """Return only letters and digits, so that line breaks and hyphens do not matter."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text)))


def text_of(path):
    """Return the lines of each page of a file."""
    program = ["pdftotext", "-layout", path, "-"]
    text = subprocess.run(program, capture_output=True, check=True, text=True).stdout
    pages = text.split("\f")[:-1]
    return [[line for line in page.splitlines() if line.strip()] for page in pages]


class Printed:
    """The file and what is read from it once."""

    def __init__(self, path):
        self.path = path
        self.reader = PdfReader(path)

    @cached_property
    def pages(self):
        """Return the lines of all pages."""
        return text_of(self.path)

    @cached_property
    def depths(self):
        """Return how far down the text of each page reaches, in points; 0 on a blank one."""
        program = ["pdftotext", "-bbox", self.path, "-"]
        text = subprocess.run(program, capture_output=True, check=True, text=True).stdout
        pages = [map(float, re.findall(r'yMax="(.*?)"', p)) for p in text.split("<page ")[1:]]
        return [max((low for low in page if low < FOOT), default=0) for page in pages]

    @cached_property
    def letters(self):
        """Return the letters and digits of all pages."""
        return [letters("".join(page)) for page in self.pages]

    @cached_property
    def places(self):
        """Return the page of each name that links lead to, from 0."""
        number = self.reader.get_destination_page_number
        names = self.reader.named_destinations
        return {unquote(name.lstrip("/")): number(names[name]) for name in names}

    @cached_property
    def links(self):
        """Return page and link of all links."""
        return [
            (number, note.get_object())
            for number, page in enumerate(self.reader.pages)
            for note in page.get("/Annots", [])
        ]

    @cached_property
    def bookmarks(self):
        """Return depth, title and page of all bookmarks."""
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
    """Read the printed book."""
    return Printed(TARGET)


NOTEBOOKS = sorted(
    page for page in parse_toc_yaml(ROOT / "_toc.yml") if (ROOT / f"{page}.ipynb").is_file()
)


def source(page):
    """Return the notebook that a page is made from."""
    return nbformat.read(ROOT / f"{page}.ipynb", as_version=4)


def portable(page):
    """Return the portable notebook of a page."""
    return nbformat.read(HTML / "notebooks" / f"{page}.ipynb", as_version=4)


PORTABLE = [page for page in NOTEBOOKS if not is_graded(source(page))]
"""The pages that are rewritten. The others are handed in, and go out as they are."""


@pytest.fixture(scope="session")
def texts():
    """Return page -> all its portable text."""
    return {
        page: "\n\n".join(
            cell.source for cell in portable(page).cells if cell.cell_type == "markdown"
        )
        for page in PORTABLE
    }
