"""The student's version of a set: the master without its secrets, and the data."""

import base64
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import nbformat
import numpy as np
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import IncludeHeaderFooter, InstantiateTests, SaveCells

from coursework.sets import Set, is_test, question_numbers

# The first two are not used here; the third writes to the database of a course.
SKIPPED_PREPROCESSORS = (IncludeHeaderFooter, InstantiateTests, SaveCells)
EMBEDDED_DATA = """# Write the data where the file is missing, as in Colab.
import base64
from pathlib import Path

if not Path("data.npz").exists():
    Path("data.npz").write_bytes(base64.b64decode("{data}"))

"""
CHECK_CELL_ID = "check"
OPEN_TESTS = Path(__file__).with_name("open_tests.py")
CELL_METADATA = ("nbgrader", "deletable", "editable", "tags")
KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def student_version(set_: Set) -> NotebookNode:
    """Return the notebook that students get.

    It is the master without solutions, hidden tests, outputs and other tools' metadata, with
    nbgrader's checksums.
    """
    notebook, resources = set_.master(), {"unique_key": set_.name}
    for preprocessor in GenerateAssignment.preprocessors.default():
        if preprocessor not in SKIPPED_PREPROCESSORS:
            notebook, resources = preprocessor().preprocess(notebook, resources)
    finish_release(notebook)
    return notebook


def finish_release(notebook: NotebookNode) -> None:
    """Remove the metadata that students do not need, and add the cell with `check`."""
    about = notebook.metadata["coursework"]
    notebook.metadata = nbformat.from_dict({**KERNEL, "coursework": about})
    for cell in notebook.cells:
        kept = {key: cell.metadata[key] for key in CELL_METADATA if key in cell.metadata}
        cell.metadata = nbformat.from_dict(kept)
        if kept["nbgrader"]["solution"]:
            cell.pop("attachments", None)
    first = next(i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code")
    notebook.cells.insert(first + 1, _check_cell(notebook))


def _check_cell(notebook: NotebookNode) -> NotebookNode:
    """Return the cell that defines `check`, with the open tests of all questions."""
    known = question_numbers(notebook)
    tests = {known[c.metadata.nbgrader.grade_id]: c.source for c in notebook.cells if is_test(c)}
    text = json.dumps(tests, indent=4, ensure_ascii=False)
    source = OPEN_TESTS.read_text("utf-8").replace(": dict[str, str] = {}", f" = {text}")
    folded = {"tags": ["remove-cell"], "jupyter": {"source_hidden": True}}
    cell = new_cell("code", CHECK_CELL_ID, source.strip())
    cell.metadata.update(folded, deletable=False, editable=False)
    return cell


def new_cell(
    kind: str, grade_id: str, source: str, *, solution: bool = False, points: int = 0
) -> NotebookNode:
    """Return a cell with nbgrader's metadata; it is locked unless it is a solution."""
    about: dict[str, Any] = {"schema_version": 3, "grade_id": grade_id, "task": False}
    about |= {"solution": solution, "locked": not solution, "grade": points > 0}
    if points:
        about["points"] = points
    make: Callable[..., Any] = new_code_cell if kind == "code" else new_markdown_cell
    return cast(NotebookNode, make(source, id=grade_id[:64], metadata={"nbgrader": about}))


def embed_data(master: NotebookNode, arrays: dict[str, np.ndarray]) -> None:
    """Write the data into the cell of a master that loads them."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    cell = next(cell for cell in master.cells if cell.cell_type == "code")
    text = base64.b64encode(buffer.getvalue()).decode()
    cell.source = EMBEDDED_DATA.format(data=text) + cell.source


def npz_bytes(arrays: dict[str, np.ndarray]) -> bytes:
    """Return the arrays as an npz file; equal arrays give equal bytes."""
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **{key: arrays[key] for key in sorted(arrays)})
    return buffer.getvalue()
