"""Each row of the coverage page has a section, a function and a check, and all of them exist."""

import re
import tomllib
from functools import cache
from typing import NamedTuple

import nbformat
import pytest

import kmds_lib
from _ext.site_config import read_address
from tools.chapters import ROOT

CHAPTERS = ROOT / "chapters"
PAGE = CHAPTERS / "coverage.md"
# Williams, the Cornell note, Ek, Burkov: how many rows each source has.
COUNTS = {"W": 41, "C": 17, "K": 39, "B": 26}
IDS = [f"{source}-{i:02}" for source, count in COUNTS.items() for i in range(1, count + 1)]
ERRATA = {
    "W": [5, 6, 7, 9, 10, 12, 15, 16, 18, 20, 21],
    "C": [1, 2, 3, 5, 6, 8, 9, 10],
    "E": [2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 20, 21, 22, 23, 25],
    "B": [*range(1, 7), *range(8, 19), 21, 22, 23],
}
WORDS = {"erratum-e6", "erratum-e13", "erratum-b23"}
ADDRESS = read_address()
REPOSITORY = f"{ADDRESS.repository}/blob/{ADDRESS.branch}/"
LABEL = re.compile(r"^\s*\((?P<a>[\w-]+)\)=|:label: (?P<b>[\w-]+)|\$\$ \((?P<c>[\w-]+)\)", re.M)
LINK = re.compile(r"\{(?:ref|prf:ref|eq|numref)\}`(?:[^`<]*<)?([\w-]+)>?`")
OBJECT = re.compile(r"\{(?:func|class|meth)\}`~([\w.]+)`")
ROW = re.compile(
    r"^\*\*([A-Z]-\d\d)\.\*\* (.+)\n: (.+)\n: Check: (.+)(?:\n: Differs: (.+))?$", re.M
)
CHECK = re.compile(r"\[([^\]]+)\]\[([\w-]+)\]")


class Row(NamedTuple):
    """What the page says of one result."""

    what: str
    home: str
    check: str
    differs: str


@cache
def labels():
    """Return every label that the chapters define."""
    pages = (path for path in CHAPTERS.rglob("*") if path.suffix in (".md", ".ipynb"))
    return set().union(*map(labels_of, pages))


def labels_of(path):
    """Return the labels that a page defines."""
    if path.suffix == ".md":
        return set(defined(path.read_text("utf-8")))
    found = set()
    for cell in nbformat.read(path, as_version=4).cells:
        found |= set(defined(cell.source))
        found.add(cell.metadata.get("mystnb", {}).get("figure", {}).get("name"))
    return found - {None}


def entries():
    """Return the labels of the entries of the errata."""
    return {label for label in labels() if label.startswith("erratum-")}


def defined(text):
    """List the labels that a piece of Markdown defines."""
    return [match["a"] or match["b"] or match["c"] for match in LABEL.finditer(text)]


def rows():
    """Return what is said of each row of the page, by the row's name."""
    found = ROW.findall(PAGE.read_text("utf-8"))
    assert len(found) == len({name for name, *_ in found})
    return {name: Row(*said) for name, *said in found}


def files():
    """Return the files that the page's links lead to, by the name of the link."""
    pairs = re.findall(r"^\[([\w-]+)\]: (\S+)$", PAGE.read_text("utf-8"), re.M)
    assert all(target.startswith(REPOSITORY) for _, target in pairs)
    return {name: ROOT / target.removeprefix(REPOSITORY) for name, target in pairs}


def exists(check, path):
    """Tell whether a file of tests, or a table of faults, holds a check of this name."""
    text = path.read_text("utf-8")
    if path.suffix == ".toml":
        return check in [fault["name"] for fault in tomllib.loads(text)["fault"]]
    return f"\ndef test_{check.replace(' ', '_')}(" in text


def reach(name):
    """Follow a dotted name from the library; fail where it ends."""
    found = kmds_lib
    for part in name.removeprefix("kmds_lib.").split("."):
        found = getattr(found, part)
    return found


def test_every_row_is_there_once():
    assert sorted(rows()) == sorted(IDS)


@pytest.mark.parametrize("name", IDS)
def test_the_row_has_a_section_a_function_and_a_check(name):
    row = rows()[name]
    assert LINK.findall(row.home)
    assert set(LINK.findall(row.home + row.differs)) <= labels()
    assert OBJECT.findall(row.home)
    for reached in OBJECT.findall(row.home):
        assert callable(reach(reached))
    assert CHECK.findall(row.check)
    for check, link in CHECK.findall(row.check):
        assert exists(check, files()[link]), check


def test_no_link_to_a_file_is_left_over():
    used = {link for row in rows().values() for _, link in CHECK.findall(row.check)}
    assert set(files()) == used


def test_every_slip_has_an_entry():
    wanted = {
        f"erratum-{source.lower()}{i}" for source, numbers in ERRATA.items() for i in numbers
    }
    assert entries() == wanted


def test_every_entry_runs_the_printed_form_and_the_right_one():
    page, entry = nbformat.read(CHAPTERS / "errata.ipynb", as_version=4), ""
    code = dict.fromkeys([entry, *entries()], "")
    for cell in page.cells:
        if cell.cell_type == "code":
            code[entry] += cell.source
        else:
            entry = next((label for label in defined(cell.source) if label in code), entry)
    for entry in entries() - WORDS:
        assert re.search(r'\bdiffer\(f?"printed: ', code[entry]), entry
        assert re.search(r'\bagree\(f?"right: ', code[entry]), entry


def test_a_row_that_differs_names_an_entry_and_no_entry_is_forgotten():
    named = {link for row in rows().values() for link in LINK.findall(row.differs)}
    assert entries() == named
