"""Run the laboratory's scripts under Node, and the Python code that the page shows."""

import contextlib
import io
import tomllib
from functools import partial
from pathlib import Path

import numpy as np

from kmds_lib import procrustes_align
from tests.web.node import evaluate

_EXPECTED = tomllib.loads(Path(__file__).with_name("laboratory_tables.toml").read_text("utf-8"))
TABLES = {
    name: {"text": text} | expected
    for expected in _EXPECTED["table"]
    for name, text in expected["texts"].items()
}
"""Each text of laboratory_tables.toml that is read, with what it means, by name."""
REJECTED = _EXPECTED["rejected"]
"""A part of the message and the text, by name."""


run_laboratory = partial(evaluate, "laboratory/**/")


def read(texts):
    """Return what the laboratory reads from texts."""
    return run_laboratory("texts.map((text) => m.readTable(text))", texts=texts)


def csv_text(matrix):
    """Return the numbers of a matrix as comma-separated text."""
    return "\n".join(",".join(f"{x:.12g}" for x in row) for row in matrix)


def relative_gap(points, expected):
    """Return the largest relative difference of two maps after alignment."""
    aligned = procrustes_align(np.reshape(points, expected.shape), target=expected).points
    return np.abs(aligned - expected).max() / np.abs(expected).max()


def run_python(folder, csv, code):
    """Run the Python code of the page beside the table that it saves; return its variables."""
    (folder / "table.csv").write_text(csv, "utf-8")
    variables = {}
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "shown", "exec"), variables)
    return variables
