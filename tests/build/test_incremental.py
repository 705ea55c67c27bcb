"""A build that goes on from an earlier one gives the pages that a build from nothing gives."""

import subprocess
import sys

import pytest

from tools.chapters import ROOT

CONFIG = f"""
import sys
sys.path.insert(0, {str(ROOT / "_ext")!r})
extensions = [
    "myst_parser", "sphinx_exercise", "sphinx_proof", "sphinx_sitemap", "sphinxcontrib.bibtex",
    "built_pages", "blocks", "formulas", "previews", "search_records",
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
    "a typo": ("maps.md", "A map of", "The map of", {"maps", "index"}),
    "a title": ("maps.md", "## A cloud", "## A round cloud", None),
    "a number": ("maps.md", ":::{prf:theorem} Young", ":::{prf:lemma} Young", None),
    "an equation": (
        "maps.md",
        "$$ a = b $$ (eq-one)",
        "$$ c = d $$ (x)\n\n$$ a $$ (eq-one)",
        None,
    ),
    "a citation": ("kernels.md", "See ", "See {cite:t}`second`, ", None),
    "a formula": ("maps.md", "Draw $x^2$", "Draw $x^3 - y$", {"maps", "index"}),
}


def build(source, out):
    """Build the book, warnings are errors; return the pages that were written."""
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*.html")}
    command = [sys.executable, "-m", "sphinx", "-qWn", source, out, "-d", out.parent / "doctrees"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    after = {path: path.stat().st_mtime_ns for path in out.rglob("*.html")}
    return {path.stem for path in after if after[path] != before.get(path)}


def texts(out):
    """Return what the site holds for readers, by its place."""
    kept = [*out.rglob("*.html"), *out.glob("_static/previews/*.js"), *out.glob("_static/*-*.js")]
    return {str(path.relative_to(out)): path.read_text("utf-8") for path in kept}


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Build the small book once; each test goes on from there."""
    folder = tmp_path_factory.mktemp("book")
    (folder / "source").mkdir()
    for name, text in PAGES.items():
        (folder / "source" / name).write_text(text, "utf-8")
    build(folder / "source", folder / "build" / "html")
    return folder


@pytest.mark.parametrize("change", CHANGES)
def test_going_on_gives_what_a_clean_build_gives(book, tmp_path, change):
    name, old, new, written = CHANGES[change]
    page = book / "source" / name
    page.write_text(page.read_text("utf-8").replace(old, new), "utf-8")
    found = build(book / "source", book / "build" / "html")
    build(book / "source", tmp_path / "html")
    assert texts(book / "build" / "html") == texts(tmp_path / "html")
    if written:
        assert found - {"genindex", "search"} == written


def test_nothing_changed_writes_nothing(book):
    assert build(book / "source", book / "build" / "html") == set()
