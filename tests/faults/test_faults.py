"""Plausible wrong answers, planted in the chapters: the cell that should catch each one fails.

Each chapter has a table of faults beside this file, ``NN.toml``, and so has the page of errata. A
fault names the cell that is changed and the cell that must fail, each by a piece of text that
stands in that cell alone.
"""

import copy
import tomllib
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
CHAPTERS = HERE.parents[1] / "chapters"
PAGES = [*sorted(CHAPTERS.glob("[0-9][0-9]-*.ipynb")), CHAPTERS / "errata.ipynb"]
FEWEST = 3
DRAWS = ("plt.show(", "frame_slider(", "frame_grid(", "_explorer(")


def code_cells(path):
    """Return the sources of the code cells of a chapter, in order."""
    cells = nbformat.read(path, as_version=4).cells
    return [cell.source for cell in cells if cell.cell_type == "code"]


def place(cells, text):
    """Return the number of the one code cell that holds a piece of text."""
    found = [i for i, source in enumerate(cells) if text in source]
    assert len(found) == 1, f"{len(found)} code cells hold {text!r}; name exactly one"
    return found[0]


def planted(cells, fault):
    """Return the cells to run again, one of them with the fault, up to the one that must fail."""
    last = place(cells, fault["caught"])
    first = place(cells, fault["cell"])
    assert first <= last, f"{fault['name']}: the changed cell stands after the check"
    changed = cells[first].replace(fault["find"], fault["plant"])
    assert changed != cells[first], f"{fault['name']}: nothing to change in the cell"
    between = [source for source in cells[first + 1 : last] if not any(d in source for d in DRAWS)]
    rest = [*between, cells[last]] if first < last else []
    return [changed, *rest]


def is_caught(namespace, sources):
    """Run cells; tell whether all run but the last, and that one fails as a check does."""
    *before, check = sources
    for source in before:
        exec(source, namespace)
    try:
        exec(check, namespace)
    except AssertionError:
        return True
    return False


def missed(path, faults):
    """Run a chapter, try each fault where its check stands, return the names of the uncaught."""
    cells = code_cells(path)
    namespace, uncaught = {"__name__": "__main__"}, []
    checks = [place(cells, fault["caught"]) for fault in faults]
    for i, source in enumerate(cells[: max(checks) + 1]):
        for fault in [fault for fault, check in zip(faults, checks, strict=True) if check == i]:
            kept = dict(namespace)
            streams = {k: v for k, v in kept.items() if isinstance(v, np.random.Generator)}
            namespace.update(copy.deepcopy(streams))
            if not is_caught(namespace, planted(cells, fault)):
                uncaught.append(fault["name"])
            namespace.clear()
            namespace.update(kept)
            plt.close("all")
        if i < max(checks):
            exec(source, namespace)
            plt.close("all")
    return uncaught


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_planted_faults_are_caught(path, monkeypatch):
    table = HERE / f"{path.stem.partition('-')[0]}.toml"
    faults = tomllib.loads(table.read_text("utf-8"))["fault"]
    assert len(faults) >= FEWEST
    assert len({fault["name"] for fault in faults}) == len(faults)
    monkeypatch.chdir(path.parent)
    # Frames are drawn where the chapters are executed; no check looks at them.
    for name in ("frame_slider", "frame_grid"):
        monkeypatch.setattr(f"kmds_figures.sliders.{name}", lambda *args, **options: None)
    with mpl.rc_context({"backend": "agg"}):
        assert missed(path, faults) == []
