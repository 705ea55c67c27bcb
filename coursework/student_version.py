"""The student's version of a set: the master without its secrets, and the data."""

import base64
import io
import json

import nbformat
import numpy as np
from nbformat.notebooknode import NotebookNode
from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import IncludeHeaderFooter, InstantiateTests, SaveCells

from coursework.sets import SETS_DIR, Set, is_test, question_number

# The first two are not used here; the third writes to the database of a course.
SKIPPED_PREPROCESSORS = (IncludeHeaderFooter, InstantiateTests, SaveCells)
EMBEDDED_DATA = """# Write the data where the file is missing, as in Colab.
import base64
from pathlib import Path

if not Path("data.npz").exists():
    Path("data.npz").write_bytes(base64.b64decode("{data}"))

"""
CHECK_CELL_ID = "check"
OPEN_TESTS = SETS_DIR / "check.py"
CELL_METADATA = ("nbgrader", "deletable", "editable", "mystnb", "tags")
KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def student_version(set_: Set) -> NotebookNode:
    """Return the notebook that students get.

    It is the master without solutions, hidden tests, outputs and other tools' metadata, with
    nbgrader's checksums.
    """
    notebook = set_.master()
    resources = {"unique_key": set_.name}
    for preprocessor in GenerateAssignment.preprocessors.default():
        if preprocessor not in SKIPPED_PREPROCESSORS:
            notebook, resources = preprocessor().preprocess(notebook, resources)
    finish_release(notebook)
    return notebook


def finish_release(notebook: NotebookNode) -> None:
    """Remove the metadata that students do not need, and add the cell with `check`."""
    coursework = notebook.metadata["coursework"]
    notebook.metadata = nbformat.from_dict({**KERNEL, "coursework": coursework})
    for cell in notebook.cells:
        kept = {key: cell.metadata[key] for key in CELL_METADATA if key in cell.metadata}
        cell.metadata = nbformat.from_dict(kept)
        cell.id = kept["nbgrader"]["grade_id"][:64]  # some programs remove nbgrader's metadata
        if kept["nbgrader"]["solution"]:
            cell.pop("attachments", None)
    first = next(i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code")
    notebook.cells.insert(first + 1, _check_cell(notebook))


def _check_cell(notebook: NotebookNode) -> NotebookNode:
    """Return the cell that defines `check`, with the open tests of all questions."""
    tests = {question_number(cell): cell.source for cell in notebook.cells if is_test(cell)}
    text = json.dumps(tests, indent=4, ensure_ascii=False)
    source = OPEN_TESTS.read_text("utf-8").replace(": dict[str, str] = {}", f" = {text}").strip()
    for_nbgrader = {"schema_version": 3, "grade_id": CHECK_CELL_ID, "locked": True}
    for_nbgrader |= dict.fromkeys(("task", "solution", "grade"), False)
    folded = {"tags": ["remove-cell"], "jupyter": {"source_hidden": True}}
    metadata = {"nbgrader": for_nbgrader, **folded, "deletable": False, "editable": False}
    return nbformat.v4.new_code_cell(source, id=CHECK_CELL_ID, metadata=metadata)  # type: ignore


def embed_data(master: NotebookNode, arrays: dict[str, np.ndarray]) -> None:
    """Write the data into the cell of a master that loads them."""
    cell = next(cell for cell in master.cells if cell.cell_type == "code")
    text = base64.b64encode(npz_bytes(arrays)).decode()
    cell.source = EMBEDDED_DATA.format(data=text) + cell.source


def npz_bytes(arrays: dict[str, np.ndarray]) -> bytes:
    """Return the arrays as an npz file; equal arrays give equal bytes."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **{key: arrays[key] for key in sorted(arrays)})
    return buffer.getvalue()
