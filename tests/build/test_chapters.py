"""Chapters are stored in their committed form and compared with their stored outputs."""

import sys

import nbformat
import pytest

from tools.chapters import CHAPTERS, ROOT, canonicalise, find_unstable_text, keep_text_outputs
from tools.compare_outputs import replace_agreeing_texts, texts_agree

chapters = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
STORED_WITH = (ROOT / ".ci" / "python-version").read_text("utf-8").strip()


if sys.version.startswith(f"{STORED_WITH}."):

    @chapters
    def test_chapter_in_the_book_prints_what_is_stored(path):
        """Compare the outputs in the book, which `make book` has just computed, cell by cell."""
        executed = ROOT / "_build" / "jupyter_execute" / "chapters" / path.name
        built, stored = (nbformat.read(file, as_version=4).cells for file in (executed, path))
        assert [cell.source for cell in built] == [cell.source for cell in stored], "run make book"
        for i, (new, old) in enumerate(zip(built, stored, strict=True)):
            found, expected = (keep_text_outputs(cell.get("outputs", [])) for cell in (new, old))
            assert replace_agreeing_texts(found, expected) == expected, f"cell {i}"


@chapters
def test_chapter_is_stored_in_its_committed_form(path):
    text = path.read_text("utf-8")
    notebook = nbformat.reads(text, as_version=4)
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    remedy = f"run make chapters FILE={path.relative_to(ROOT)}"
    assert counts == [*range(1, len(counts) + 1)], remedy
    assert nbformat.writes(canonicalise(notebook)) == text.rstrip("\n"), remedy


@chapters
def test_chapter_output_is_reproducible(path):
    cells = nbformat.read(path, as_version=4).cells
    assert [text for cell in cells for text in find_unstable_text(cell.get("outputs", []))] == []


UNSTABLE = ["by 0.00000000", "[1.5 -0.00]", "[ 1. -0.]", "2.3e-16", "<K at 0x7f3a5c1d>", "/tmp/a"]
STABLE = ["0.000123", "1.0000000", "-0.05", "1e-05", "10-0 up", "0.00"]


@pytest.mark.parametrize("text", UNSTABLE + STABLE)
def test_unstable_text_is_found(text):
    assert bool(find_unstable_text([{"text": text}])) is (text in UNSTABLE)


DIFFERENT_LAST_DIGITS = [
    ("0.12", "0.13"),
    ("-0.00", "0.00"),
    ("9.99e-05", "1.00e-04"),
    ("[0.9999 2.    ]", "[1. 2.]"),
    ("[-0.01  1.  ]", "[0.   1.  ]"),
]
DIFFERENT = [
    ("0.12", "0.14"),
    ("41", "42"),
    ("-41", "-40.9"),
    ("[1. 2.]", "[1. 3.]"),
    ("1.000", "1.002"),
    ("1e-05", "1e-03"),
    ("0.05 m", "0.05 s"),
    ("0.5 0.5", "0.5"),
    ("version 1.2.3", "version 1.2.4"),
    ("nan", "0.0"),
]


@pytest.mark.parametrize("pair", DIFFERENT_LAST_DIGITS + DIFFERENT)
def test_only_last_digits_may_differ(pair):
    for found, stored in (pair, pair[::-1]):
        assert texts_agree(found, stored) is (pair in DIFFERENT_LAST_DIGITS)
