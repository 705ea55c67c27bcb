"""Problem sets: a master notebook and a reference, which computes the right answers.

A set is a folder of its own name with two files: the master, ``NAME/NAME.ipynb``, and
``NAME/reference.py``. Students get neither of them.
"""

import re
import runpy
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import is_grade, is_solution

SETS_DIR = Path(__file__).resolve().parent / "sets"
QUESTION_HEADING = re.compile(r"^#+ (?:Question )?(\d+)\b", re.MULTILINE)
REFERENCE_DIR = "reference"  # in the folder of a course
SOLUTION, HIDDEN = "SOLUTION", "HIDDEN TESTS"
# Any spelling that resembles a marker, because nbgrader ignores misspelt ones silently.
MARKER = re.compile(r"#\s*(?:BEGIN|END)\b.*|\b(?:BEGIN|END) (?:SOL|HID|MARK)\w*.*")


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
        path = self.path / f"{self.name}.ipynb"
        return nbformat.read(path, as_version=4)  # type: ignore[no-any-return]

    @cached_property
    def reference(self) -> SimpleNamespace:
        """Return the names that ``reference.py`` defines.

        The functions ``data(seed)`` and ``hidden(seed)`` return the arrays that students get and
        those to which hidden tests apply their code, and ``verdicts(seed, answers)`` returns a
        verdict on each test.
        """
        path = self.reference_path or self.path / "reference.py"
        return SimpleNamespace(**runpy.run_path(str(path)))


def grade_id(cell: NotebookNode) -> str:
    """Return the nbgrader id of a cell, or an empty string."""
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))


def is_test(cell: NotebookNode) -> bool:
    """Return True if a cell is a test cell."""
    return bool(is_grade(cell)) and not is_solution(cell)


def lines_by_kind(source: str) -> dict[str, list[str]]:
    """Return the non-empty lines of a cell by their kind: `SOLUTION`, `HIDDEN`, or "" if open."""
    lines = defaultdict[str, list[str]](list)
    kind = ""
    for line in source.splitlines():
        if MARKER.search(line):
            kind = line.partition("BEGIN ")[2].strip()
        elif line.strip():
            lines[kind].append(line)
    return lines


def question_number(cell: NotebookNode) -> str:
    """Return the number of the question of a cell, whose id begins with it, as in q1-gram."""
    found = re.match(r"q(\d+)", grade_id(cell))
    return found[1] if found else ""


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
    return Set(name, path, Path(course.root) / REFERENCE_DIR / f"{name}.py")
