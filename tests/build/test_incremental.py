"""An incremental build gives the same pages as a clean build."""

import subprocess
import sys

import pytest

from tools.chapters import ROOT

pytestmark = pytest.mark.slow

CONFIG = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
extensions = [
    "myst_parser", "sphinx_exercise", "sphinx_proof", "sphinx_sitemap", "sphinxcontrib.bibtex",
    "_ext.incremental_build", "_ext.theorem_blocks", "_ext.formulas", "_ext.hover_previews",
    "_ext.search_records",
]
bibtex_bibfiles = ["works.bib"]
myst_enable_extensions = ["dollarmath", "colon_fence"]
html_baseurl = "https://example.org/"
numfig = True
html_domain_indices = False
exclude_patterns = ["_build"]
"""
PAGES = {
    "conf.py": CONFIG,
    "works.bib": """
@book{first, author = {Adams, Ann}, title = {One}, year = 1938, publisher = {A}}
@book{second, author = {Baker, Bob}, title = {Two}, year = 1964, publisher = {B}}
""",
    "index.md": "# Book\n\n```{toctree}\n:numbered:\nmaps\nkernels\nworks\n```\n",
    "maps.md": """(ch-maps)=
# Maps

A map of $n$ points, from {cite:t}`first`.

(sec-cloud)=
## A cloud

:::{prf:theorem} Young
:label: thm-young
There is a map when $B$ is positive.
:::

$$ a = b $$ (eq-one)

:::{exercise} By hand
:label: ex-hand
Draw $x^2$.
:::
""",
    "kernels.md": """# Kernels

See {ref}`sec-cloud`, {prf:ref}`thm-young`, {eq}`eq-one` and {ref}`ex-hand`.

(sec-own)=
## Widths
""",
    "works.md": "# Works\n\n```{bibliography}\n```\n",
}
CHANGES = {
    "typo": ("maps.md", "A map of", "The map of"),
    "section title": ("maps.md", "## A cloud", "## A round cloud"),
    "equation number": ("maps.md", "$$ a = b $$ (eq-one)", "$$ c $$ (x)\n\n$$ a $$ (eq-one)"),
    "citation": ("kernels.md", "See ", "See {cite:t}`second`, "),
    "formula": ("maps.md", "Draw $x^2$", "Draw $x^3 - y$"),
}


def build(source, out):
    """Build the book with warnings as errors; return the names of the pages that were written."""
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*.html")}
    command = [sys.executable, "-m", "sphinx", "-qWn", source, out, "-d", out.parent / "doctrees"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    after = {path: path.stat().st_mtime_ns for path in out.rglob("*.html")}
    return {path.stem for path in after if after[path] != before.get(path)}


def site_files(out):
    """Return the text of all pages, previews and data scripts of a site by their paths."""
    scripts = [*out.glob("_static/previews/*.js"), *out.glob("_static/*-*.js")]
    return {
        str(path.relative_to(out)): path.read_text("utf-8")
        for path in [*out.rglob("*.html"), *scripts]
    }


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Build the small book once; each test changes it further."""
    folder = tmp_path_factory.mktemp("book")
    (folder / "source").mkdir()
    for name, text in PAGES.items():
        (folder / "source" / name).write_text(text, "utf-8")
    build(folder / "source", folder / "build" / "html")
    return folder


@pytest.mark.parametrize("change", CHANGES)
def test_incremental_build_equals_clean_build(book, tmp_path, change):
    name, old, new = CHANGES[change]
    page = book / "source" / name
    page.write_text(page.read_text("utf-8").replace(old, new), "utf-8")
    written = build(book / "source", book / "build" / "html")
    build(book / "source", tmp_path / "html")
    assert site_files(book / "build" / "html") == site_files(tmp_path / "html")
    if change in ("typo", "formula"):
        assert written - {"genindex", "search"} == {"maps", "index"}


def test_unchanged_book_writes_no_pages(book):
    assert build(book / "source", book / "build" / "html") == set()
