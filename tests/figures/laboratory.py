"""What the tests of the laboratory share: its module under Node, and the Python that it shows."""

import contextlib
import io

import numpy as np

from kmds_figures.laboratory import laboratory
from kmds_lib import procrustes_align
from tests.figures import under_node

SHARED = """{
  const link = (_, words) => words;
  const fitted = ({ kind, table, texts }, asked = {}, about = {}) => {
    const choices = m.cleanChoices(asked, kind, table.length, about);
    return m.runNow(m.fitJob({ kind, table, texts, choices }));
  };
  return (() => body)();
}"""


def ask(body, **given):
    """Return what the body of an arrow function gives of the laboratory's module `m`."""
    return under_node.ask(laboratory(), SHARED.replace("body", body), **given)


def read(texts):
    """Return what the laboratory makes of texts."""
    return ask("texts.map((text) => m.readTable(text))", texts=texts)


def written(table):
    """Return the numbers of a table as a text."""
    return "\n".join(",".join(f"{x:.12g}" for x in row) for row in table)


def off(points, expected):
    """Return how far a map lies from another, turned onto it, beside the size of that one."""
    turned = procrustes_align(np.reshape(points, expected.shape), target=expected).points
    return np.abs(turned - expected).max() / np.abs(expected).max()


def run_python(folder, csv, code):
    """Run the Python that the page shows beside the table that it saves; return its names."""
    (folder / "table.csv").write_text(csv, "utf-8")
    names = {}
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "shown", "exec"), names)
    return names
