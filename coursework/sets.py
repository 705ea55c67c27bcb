"""Problem sets: a master notebook and a reference, which computes the right answers.

A set is a folder of its own name with two files: the master, ``NAME/NAME.ipynb``, and
``NAME/reference.py``. Students get neither of them.
"""

import re
import runpy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import is_grade, is_solution

SETS_DIR = Path(__file__).resolve().parent / "sets"
REFERENCE_FUNCTIONS = ("data", "hidden", "verdicts")
QUESTION_HEADING = re.compile(r"^#+ (?:Question )?(\d+)\b", re.MULTILINE)
REFERENCE_DIR = "reference"  # in the folder of a course


class SetError(ValueError):
    """Error in a problem set, or in a command on it; the message names the remedy."""


@dataclass(frozen=True)
class Set:
    """A problem set: its name, its folder, and the path of its reference if that is elsewhere."""

    name: str
    path: Path
    reference_path: Path | None = None

    def master(self) -> NotebookNode:
        """Return the master notebook, with solutions and hidden tests."""
        file = self.path / f"{self.name}.ipynb"
        try:
            notebook = nbformat.read(file, as_version=4)
            nbformat.validate(notebook)
        except (OSError, ValueError, nbformat.ValidationError) as error:
            raise SetError(f"The master {file} cannot be read as a notebook: {error}") from error
        return cast(NotebookNode, notebook)

    @cached_property
    def reference(self) -> SimpleNamespace:
        """Return the names that ``reference.py`` defines.

        The functions ``data(seed)`` and ``hidden(seed)`` return the arrays of students and of the
        hidden tests, and ``verdicts(seed, answers)`` returns a verdict on each test.
        """
        file = self.reference_path or self.path / "reference.py"
        if not file.is_file():
            functions = ", ".join(REFERENCE_FUNCTIONS)
            raise SetError(f"The set {self.name} has no {file}. Write one with {functions}.")
        module = SimpleNamespace(**runpy.run_path(str(file)))
        if missing := [name for name in REFERENCE_FUNCTIONS if not hasattr(module, name)]:
            raise SetError(f"{file} does not define {', '.join(missing)}.")
        return module


def grade_id(cell: NotebookNode) -> str:
    """Return the nbgrader id of a cell, or an empty string."""
    about = cell.metadata.get("nbgrader", {})
    return str(about.get("grade_id", "")) if isinstance(about, dict) else ""


def is_test(cell: NotebookNode) -> bool:
    """Return True if a cell is a test cell."""
    return bool(is_grade(cell)) and not is_solution(cell)


def question_numbers(notebook: NotebookNode) -> dict[str, str]:
    """Return the number of the question of each cell by id, or the id before question 1."""
    number, found = "", {}
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (heads := QUESTION_HEADING.findall(cell.source)):
            number = heads[-1]
        if name := grade_id(cell):
            found[name] = number or name
    return found


def load_set(name: str, sets_dir: Path | str = SETS_DIR) -> Set:
    """Return a set by its name, such as ``"1-spectra"``, from a folder of sets."""
    path = Path(sets_dir) / name
    if not (path / f"{name}.ipynb").is_file():
        known = ", ".join(set_names(sets_dir)) or "none"
        raise SetError(f"There is no set {name!r} in {sets_dir}. Sets there: {known}.")
    return Set(name, path)


def set_names(sets_dir: Path | str = SETS_DIR) -> list[str]:
    """Return the sorted names of all sets in a folder."""
    folder = Path(sets_dir)
    return sorted(path.stem for path in folder.glob("*/*.ipynb") if path.parent.name == path.stem)


def course_set(course: CourseDirectory, name: str) -> Set:
    """Return a set of a course, whose master and reference are in different folders.

    nbgrader copies all files next to a master into the release, so the references must be
    elsewhere.
    """
    path = Path(course.format_path(course.source_directory, ".", name))
    reference = Path(course.root) / REFERENCE_DIR / f"{name}.py"
    if not (path / f"{name}.ipynb").is_file() or not reference.is_file():
        raise SetError(f"{name} is not a set of this course: {path} or {reference} is missing.")
    return Set(name, path, reference)
