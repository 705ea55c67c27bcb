"""Chapters are compared by words and whole numbers exactly, by others to their last digit."""

import re
import subprocess
import sys
from decimal import Decimal

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from tools.chapters import CHAPTERS, ROOT
from tools.compare_outputs import NUMBER, texts_agree


def printed():
    """Yield what cells of the chapters print, as stored."""
    for path in CHAPTERS:
        for cell in nbformat.read(path, as_version=4).cells:
            for output in cell.get("outputs", []):
                if output.output_type == "stream":
                    yield output.text


def raised(number, units):
    """Return a printed number, some units of its last digit further from zero."""
    value = Decimal(number)
    step = Decimal(units).scaleb(value.as_tuple().exponent).copy_sign(value)
    return str(value + step)


def planted(whole, units, count):
    """Return some stored texts, each with one number of a kind changed: (stored, changed)."""
    found = []
    for text in printed():
        kind = r"\d+" if whole else r"-?\d+\.\d+"
        numbers = [n for n in NUMBER.finditer(text) if re.fullmatch(kind, n[0])]
        if numbers:
            number = numbers[len(found) % len(numbers)]
            changed = text[: number.start()] + raised(number[0], units) + text[number.end() :]
            found.append((text, changed))
    step = len(found) // count
    return found[: step * count : step]


def test_ten_numbers_and_ten_whole_numbers_that_are_wrong_are_caught(tmp_path):
    wrong = planted(False, 2, 10) + planted(True, 1, 10)
    right = planted(False, 1, 10)
    cells = [
        new_code_cell(
            f"print({now!r}, end='')",
            execution_count=i,
            outputs=[new_output("stream", name="stdout", text=stored)],
        )
        for i, (stored, now) in enumerate(wrong + right, start=1)
    ]
    path = tmp_path / "planted.ipynb"
    nbformat.write(new_notebook(cells=cells), path)
    program = f"{sys.executable} -m pytest -c pyproject.toml -p conftest -rA --nbval {path}"
    run = subprocess.run(program.split(), cwd=ROOT, capture_output=True, text=True)
    verdicts = re.findall(r"^(PASSED|FAILED) \S*::Cell (\d+)", run.stdout, re.M)
    assert len(verdicts) == 30, run.stdout
    assert sorted(int(i) for verdict, i in verdicts if verdict == "FAILED") == [*range(20)]
    named = re.findall(r"Cell (\d+) differs in a last digit$", run.stdout, re.M)
    assert sorted(map(int, named)) == [*range(20, 30)]


@pytest.mark.parametrize(
    ("found", "stored"),
    [
        ("0.12", "0.13"),
        ("-0.00", "0.00"),
        ("9.99e-05", "1.00e-04"),
        ("[0.9999 2.    ]", "[1. 2.]"),
        ("[-0.01  1.  ]", "[0.   1.  ]"),
        ("It is 0.05.", "It is 0.06."),
    ],
)
def test_a_last_digit_may_turn(found, stored):
    assert texts_agree(found, stored)
    assert texts_agree(stored, found)


@pytest.mark.parametrize(
    ("found", "stored"),
    [
        ("0.12", "0.14"),
        ("41", "42"),
        ("-41", "-40.9"),
        ("[1. 2.]", "[1. 3.]"),
        ("1.000", "1.002"),
        ("1e-05", "1e-03"),
        ("0.05 m", "0.05 s"),
        ("0.5 0.5", "0.5"),
        ("version 1.2.3", "version 1.2.4"),
        ("x1.5", "x1.6"),
        ("nan", "0.0"),
    ],
)
def test_more_than_a_last_digit_is_a_difference(found, stored):
    assert not texts_agree(found, stored)
    assert not texts_agree(stored, found)
