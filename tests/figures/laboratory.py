"""What the tests of the laboratory share: its module under Node, and the Python that it shows."""

import contextlib
import io
import json

import numpy as np

from kmds_figures.laboratory import laboratory
from tests.figures.test_explorers import run_node

SHARED = """
const link = (_, words) => words;
const plain = (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);
const tell = (found) => console.log(JSON.stringify(found, plain));
const fitted = ({ kind, table, texts }, asked = {}, about = {}) => {
  const choices = m.cleanChoices(asked, kind, table.length, about);
  return m.runNow(m.fitJob({ kind, table, texts, choices }));
};
"""


def ask(tmp_path, body, **given):
    """Return what the body of an arrow function gives of the laboratory's module `m`."""
    constants = "".join(
        f"const {name} = {json.dumps(value, default=np.ndarray.tolist)};\n"
        for name, value in given.items()
    )
    return run_node(tmp_path, laboratory(), f"{SHARED}{constants}tell((() => {body})());")


def read(tmp_path, texts):
    """Return what the laboratory makes of texts."""
    return ask(tmp_path, "texts.map((text) => m.readTable(text))", texts=texts)


def written(table):
    """Return the numbers of a table as a text."""
    return "\n".join(",".join(f"{x:.12g}" for x in row) for row in table)


def run_python(folder, csv, code):
    """Run the Python that the page shows beside the table that it saves; return its names."""
    (folder / "table.csv").write_text(csv, "utf-8")
    names = {}
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "shown", "exec"), names)
    return names
