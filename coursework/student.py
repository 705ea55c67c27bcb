"""What students get of a set: the master without its secrets, and the data as a file."""

import base64
import io

import nbformat
import numpy as np
from nbformat.notebooknode import NotebookNode
from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import IncludeHeaderFooter, InstantiateTests, SaveCells

from coursework.sets import Set, SetError

# Not ours: headers, generated tests, and the database, which grading fills.
LEFT_OUT = (IncludeHeaderFooter, InstantiateTests, SaveCells)
CARRIED = """# Where the file is missing, as in Colab, the notebook brings it.
import base64
from pathlib import Path

if not Path("data.npz").exists():
    Path("data.npz").write_bytes(base64.b64decode("{data}"))

"""
CELL_METADATA = ("nbgrader", "deletable", "editable", "tags")
KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def student_version(set_: Set) -> NotebookNode:
    """Return the notebook that students get.

    Parameters
    ----------
    set_ : Set
        The set.

    Returns
    -------
    NotebookNode
        The master without solutions, hidden tests, outputs and foreign metadata, with nbgrader's
        checksums.
    """
    notebook, resources = set_.master(), {"unique_key": set_.name}
    for preprocessor in GenerateAssignment.preprocessors.default():
        if preprocessor not in LEFT_OUT:
            try:
                notebook, resources = preprocessor().preprocess(notebook, resources)
            except (RuntimeError, ValueError) as error:
                raise SetError(f"nbgrader refuses the master: {error}") from error
    trimmed(notebook)
    return notebook


def trimmed(notebook: NotebookNode) -> None:
    """Take out of a notebook the metadata that students have no use for."""
    about = notebook.metadata["coursework"]
    notebook.metadata = nbformat.from_dict({**KERNEL, "coursework": about})
    for cell in notebook.cells:
        kept = {key: cell.metadata[key] for key in CELL_METADATA if key in cell.metadata}
        cell.metadata = nbformat.from_dict(kept)
        if kept["nbgrader"]["solution"]:
            cell.pop("attachments", None)


def carry(master: NotebookNode, arrays: dict[str, np.ndarray]) -> None:
    """Put the data into the cell of a master that loads them."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    cell = next(cell for cell in master.cells if cell.cell_type == "code")
    text = base64.b64encode(buffer.getvalue()).decode()
    cell.source = CARRIED.format(data=text) + cell.source


def stored(arrays: dict[str, np.ndarray]) -> bytes:
    """Return the arrays as the bytes of an npz file; the same arrays give the same bytes."""
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **{key: arrays[key] for key in sorted(arrays)})
    return buffer.getvalue()
