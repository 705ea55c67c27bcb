"""The coverage page, the errata, the page on Williams (2001) and the kernel pages are complete."""

import inspect
import re
from dataclasses import fields

import nbformat
import pytest

import kmds_lib
from kmds_figures.explorers import kernel_explorer
from kmds_lib.kernels import FAMILIES, Kernel
from tools.chapters import ROOT

CHAPTERS = ROOT / "chapters"
ROWS_OF_SOURCE = {"W": 41, "C": 17, "K": 39, "B": 26}
"""Numbers of rows for Williams, the Cornell note, Ek, and Burkov."""
WITHOUT_CELL = {"erratum-e6", "erratum-e13", "erratum-b23"}
"""Errata that concern words, so that no cell can check them."""
LABEL = re.compile(r"^\(([\w-]+)\)=", re.MULTILINE)
LINK = re.compile(r"\{(?:ref|prf:ref|eq|numref|cite:t)\}`(?:[^`<]*<)?([\w,-]+)>?`")
OBJECT = re.compile(r"\{(?:func|class|meth)\}`~([\w.]+)`")
ROW = re.compile(r"^\*\*([A-Z]-\d\d)\.\*\* .+\n: (.+)(?:\n: Differs: (.+))?$", re.MULTILINE)
WILLIAMS_PARTS = [
    *("Theorem 1:", "Remark 1:", "Remark 2, first part:", "Remark 2, second part:", "Remark 3:"),
    *(f"Equation ({number}):" for number in range(1, 6)),
    *(f"Footnote {number}:" for number in range(1, 6)),
    "Figure 1:",
]


def read(name):
    """Return the text of a page."""
    return (CHAPTERS / name).read_text("utf-8")


def errata_cells():
    """Return the code of each entry of the errata page by its label."""
    code, entry = {}, None
    for cell in nbformat.read(CHAPTERS / "errata.ipynb", as_version=4).cells:
        if cell.cell_type == "markdown":
            labels = [label for label in LABEL.findall(cell.source) if "erratum-" in label]
            code |= dict.fromkeys(labels, "")
            entry = labels[-1] if labels else entry
        elif entry:
            code[entry] += cell.source
    return code


def test_coverage_rows_name_sections_and_functions():
    rows = ROW.findall(read("coverage.md"))
    expected = [f"{s}-{i:02}" for s, count in ROWS_OF_SOURCE.items() for i in range(1, count + 1)]
    assert sorted(name for name, *_ in rows) == sorted(expected)
    for name, home, _ in rows:
        assert LINK.findall(home), f"{name} names no section"
        assert OBJECT.findall(home), f"{name} names no function"


def test_coverage_links_every_erratum():
    links = LINK.findall("".join(differs for *_, differs in ROW.findall(read("coverage.md"))))
    assert set(links) == set(errata_cells())


def test_errata_check_the_printed_and_the_right_form():
    for entry, code in errata_cells().items():
        if entry not in WITHOUT_CELL:
            assert re.search(r'\bdiffer\(\s*f?"Printed: ', code), entry
            assert re.search(r'\bagree\(\s*f?"Right: ', code), entry


def test_williams_page_covers_all_parts_of_the_paper():
    rows = re.findall(r"^\| (.+?) \| (.+) \|$", read("williams.md"), re.MULTILINE)
    rows = [row for row in rows if row[0] != "Williams"]
    for part in WILLIAMS_PARTS:
        assert any(row[0].startswith(part) for row in rows), part
    for statement, comparison in rows:
        assert re.search(r"\*(Agrees|Extended|Differs)\.?\*", comparison), statement


@pytest.mark.parametrize("family", FAMILIES)
def test_kernel_family_is_documented_and_has_sliders(family):
    name = family.__name__
    assert name in kmds_lib.__all__
    assert f".. autoclass:: {name}\n" in read("api/kernels.md")
    assert f"| `{name}(" in read("conventions.md")
    # The explorer raises an error if it has no sliders for the parameters of a kernel.
    kernel_explorer(kernel=family(*[1 for _ in fields(family)]))


def test_kernel_families_are_complete():
    public = [getattr(kmds_lib, name) for name in kmds_lib.__all__]
    kernels = {each for each in public if inspect.isclass(each) and issubclass(each, Kernel)}
    assert kernels - {Kernel} == set(FAMILIES)
