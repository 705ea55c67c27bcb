"""Load a problem set: its master notebook and the reference that knows the right answers.

A set is a folder of its own name with two files: the master, ``NAME/NAME.ipynb``, and
``NAME/reference.py``. Neither is ever given to students.
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
QUESTION_HEADING = re.compile(r"^#+ (?:Question )?(\d+)\b", re.MULTILINE)  # of a question
REFERENCE_DIR = "reference"  # the folder of a course


class SetError(ValueError):
    """A set, or a command on it, that cannot be used as it is; the message says what to do."""


@dataclass(frozen=True)
class Set:
    """A problem set: the name of its folder and of the notebook in it, and the folder."""

    name: str
    path: Path
    reference_path: Path | None = None  # the file of its reference, where that stands elsewhere

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
        """What ``reference.py`` defines, read once.

        Three functions: ``data(seed)``, the arrays that students get; ``hidden(seed)``, those
        that only the hidden tests use; ``verdicts(seed, answers)``, a verdict for each test.
        """
        file = self.reference_path or self.path / "reference.py"
        if not file.is_file():
            raise SetError(
                f"The set {self.name} has no {file}. It must define {REFERENCE_FUNCTIONS}."
            )
        module = SimpleNamespace(**runpy.run_path(str(file)))
        if missing := [name for name in REFERENCE_FUNCTIONS if not hasattr(module, name)]:
            raise SetError(f"{file} does not define {', '.join(missing)}.")
        return module


def grade_id(cell: NotebookNode) -> str:
    """Return the nbgrader id of a cell, or nothing."""
    about = cell.metadata.get("nbgrader", {})
    return str(about.get("grade_id", "")) if isinstance(about, dict) else ""


def is_test(cell: NotebookNode) -> bool:
    """Tell whether a cell of the release is a test cell."""
    return bool(is_grade(cell)) and not is_solution(cell)


def question_numbers(notebook: NotebookNode) -> dict[str, str]:
    """Return the number under which each cell stands in its notebook, or its own id."""
    number, found = "", {}
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (heads := QUESTION_HEADING.findall(cell.source)):
            number = heads[-1]
        if name := grade_id(cell):
            found[name] = number or name
    return found


def load_set(name: str, sets_dir: Path | str = SETS_DIR) -> Set:
    """Find a set, such as ``"1-spectra"``, in a folder of sets."""
    path = Path(sets_dir) / name
    if not (path / f"{name}.ipynb").is_file():
        known = ", ".join(set_names(sets_dir)) or "none"
        raise SetError(f"There is no set {name!r} in {sets_dir}. Sets there: {known}.")
    return Set(name, path)


def set_names(sets_dir: Path | str = SETS_DIR) -> list[str]:
    """Return the names of all sets in a folder, sorted."""
    folder = Path(sets_dir)
    return sorted(path.stem for path in folder.glob("*/*.ipynb") if path.parent.name == path.stem)


def course_set(course: CourseDirectory, name: str) -> Set:
    """Find a set in a course: its master stands where nbgrader has it, its reference apart.

    Students are never given the folder of the references: nbgrader copies into a release all
    that stands beside a master.
    """
    path = Path(course.format_path(course.source_directory, ".", name))
    reference = Path(course.root) / REFERENCE_DIR / f"{name}.py"
    if not (path / f"{name}.ipynb").is_file() or not reference.is_file():
        raise SetError(f"{name} is no set of this course: {path} or {reference} is missing.")
    return Set(name, path, reference)
