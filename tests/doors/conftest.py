"""The portable notebooks that the build of the book wrote."""

import nbformat
import pytest
from sphinx_external_toc.parsing import parse_toc_yaml

from _ext.book_address import ROOT
from _ext.portable import is_graded
from tests.book.conftest import HTML, chromium

__all__ = ["HTML", "NOTEBOOKS", "PORTABLE", "ROOT", "chromium", "portable", "source"]

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
