"""Release of problem sets, with checks that no solution is visible and that grading is right.

nbgrader removes solutions and hidden tests. Independent checks then search for leaks, the master
must get full marks, and the untouched release must get none.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution

from coursework import executor, sets
from coursework.repair_submission import repair
from coursework.sets import HIDDEN, SOLUTION, Set, SetError, grade_id, is_test, question_number
from coursework.student_version import (
    KERNEL,
    OPEN_TESTS,
    finish_release,
    npz_bytes,
    student_version,
)

# Characters without white space: shorter lines, such as brackets, are not secret.
MIN_SECRET_LENGTH, MIN_CODE_LENGTH = 4, 12
TRIVIAL_CODE = re.compile(r"import|from\w+import|return\w*$|def\w+\(|for\w+in\w+:$")
HIDDEN_CODE = re.compile(r"\bhidden\s*\[.*|^\s*answer\s*\(.*", re.MULTILINE)
LOAD_DATA = 'data = np.load("data.npz")'
SEED_0_NOTE = (
    "\n\n*Every reader of the book sees these data. If your course gave you a notebook, use that "
    "one: its data and answers are different.*"
)
MARKING_SHEET = """# Marking sheet: {title}

The outputs of the code belong to the data of your course. The texts of the model answers were \
written for the data of seed 0, so their numbers differ. Half points are possible everywhere."""


def master_errors(name: str, master: NotebookNode) -> list[str]:
    """Return a sentence for each error in the form of a master."""
    set_name = master.metadata.get("coursework", {}).get("set")
    ids = [*map(grade_id, master.cells)]
    first = next((cell.source for cell in master.cells if cell.cell_type == "code"), "")
    errors = {
        f"The metadata name the set {set_name!r}, not {name!r}.": set_name != name,
        f"The first code cell lacks {LOAD_DATA}.": LOAD_DATA not in first,
        **{f"The id {id_} is on several cells.": ids.count(id_) > 1 for id_ in ids if id_},
    }
    for position, cell in enumerate(master.cells, start=1):
        where = f"Cell {position} ({grade_id(cell) or 'no id'})"
        graded = is_grade(cell)
        has_rubric = not (graded and is_solution(cell)) or "**Marks.**" in cell.source
        errors[f"{where} has no nbgrader id."] = not grade_id(cell)
        errors[f"{where} has no id such as q1-gram."] = graded and not question_number(cell)
        errors[f"{where} has no rubric under **Marks.**."] = not has_rubric
    return [message for message, holds in errors.items() if holds]


def find_leaks(master: NotebookNode, released: NotebookNode) -> list[str]:
    """Return a sentence for each secret line of a solution or hidden test that a release shows."""
    parts = [sets.lines_by_kind(cell.source) for cell in master.cells]
    outside = "".join(line for part in parts for line in part[""])
    # Without white space, so that line breaks cannot hide a line.
    public = "".join((outside + OPEN_TESTS.read_text("utf-8")).split())
    shown = "".join(json.dumps(released).replace("\\n", "").split())
    leaks = list[str]()
    for cell, part in zip(master.cells, parts, strict=True):
        code, tests = (["".join(x.split()) for x in part[kind]] for kind in (SOLUTION, HIDDEN))
        for line in code + tests:
            is_secret = len(line) >= MIN_SECRET_LENGTH and line not in public
            if is_secret and json.dumps(line)[1:-1].replace("\\n", "") in shown:
                leaks.append(f"It shows the line {line}")
        code = [x for x in code if len(x) >= MIN_CODE_LENGTH and not TRIVIAL_CODE.match(x)]
        open_lines = [line for line in code if line in public]
        if 2 * len(open_lines) > len(code):
            leaks.append(f"Open cells show most of {grade_id(cell)}, for example {open_lines[0]}")
    for cell in released.cells:
        secrets = sets.MARKER.findall(cell.source) + HIDDEN_CODE.findall(cell.source)
        leaks += [f"It shows {secret.strip()!r}." for secret in secrets]
        if cell.get("outputs") or ("attachments" in cell and is_solution(cell)):
            leaks.append(f"The cell {grade_id(cell)} has an output or an image of the solution.")
    return leaks


def data_errors(set_: Set, seed: int) -> Iterator[str]:
    """Yield a sentence for each function whose arrays do not depend on the seed alone."""
    for name in ("data", "hidden"):
        make = getattr(set_.reference, name)
        first, again, other = (npz_bytes(make(draw)) for draw in (seed, seed, seed + 1))
        if first != again:
            yield f"{name}(seed) differs between two calls with one seed."
        elif name == "data" and first == other:
            yield "data(seed) is the same for two seeds."


def grading_errors(set_: Set, seed: int, released: NotebookNode) -> tuple[list[str], NotebookNode]:
    """Return a sentence for each test that does not give the master all points and the release 0.

    The second value is the master with its outputs.
    """
    tests = {grade_id(cell) for cell in released.cells if is_test(cell)}
    errors = list[str]()
    master, unanswered = (repair(each, released).notebook for each in (set_.master(), released))
    for kind, notebook, right_score in (("release", unanswered, 0), ("master", master, 1)):
        result = executor.run(notebook, executor.grading_inputs(set_, seed))
        verdicts = set_.reference.verdicts(seed, result.answers)
        errors += [
            f"{test} gives {verdict.score:.0%} to the {kind}: {verdict.message}"
            for test, verdict in verdicts.items()
            if test in tests and verdict.score != right_score
        ]
    for test in tests ^ verdicts.keys():
        errors.append(f"{test} has no {'verdict' if test in tests else 'test'}.")
    outputs = [output for cell in master.cells for output in cell.get("outputs", ())]
    raised = [f"{each.ename}: {each.evalue}" for each in outputs if "ename" in each]
    return [*errors, *(f"A cell of the master stops with {error}" for error in raised)], master


def checked_release(
    set_: Set, seed: int, released: NotebookNode | None = None
) -> tuple[NotebookNode, NotebookNode]:
    """Return the student's version of a set after all checks, and the master with its outputs.

    A `SetError` names what is wrong. `released` is the student's version if nbgrader made it.
    """
    master = set_.master()
    if not (errors := [*master_errors(set_.name, master), *data_errors(set_, seed)]):
        released = released or student_version(set_)
        if not (errors := find_leaks(master, released)):
            errors, executed = grading_errors(set_, seed, released)
            if not errors:
                return released, executed
    raise SetError("\n  ".join([f"{set_.name} cannot be released.", *errors]))


def marking_sheet(executed: NotebookNode) -> NotebookNode:
    """Return the marking sheet from the master, executed with the data of a course.

    For each question that a person marks, it contains the question, the model answer with its
    rubric, and the outputs of the model answer's code.
    """
    text = MARKING_SHEET.format(title=executed.metadata["coursework"]["title"])
    cells = [nbformat.v4.new_markdown_cell(text)]
    question = list[NotebookNode]()
    for cell in executed.cells:
        if cell.cell_type == "markdown" and sets.QUESTION_HEADING.search(cell.source):
            question = []
        if not is_test(cell):
            question.append(cell)
        if is_grade(cell) and is_solution(cell):
            cells += question
            question = []
    for cell in cells:
        lines = [line for line in cell.source.splitlines() if not sets.MARKER.search(line)]
        cell.source = "\n".join(lines)
        cell.metadata = NotebookNode()
    return nbformat.v4.new_notebook(cells=cells, metadata=KERNEL)  # type: ignore[no-any-return]


class CheckRelease(NbGraderPreprocessor):  # type: ignore[misc]
    """The last preprocessor of ``nbgrader generate_assignment``; it stops an unsafe release."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Return the release after all checks, and write the marking sheet."""
        finish_release(nb)
        course = self.parent.parent.coursedir
        name = resources["nbgrader"]["assignment"]
        if not isinstance(seed := self.config.Grader.seed, int):
            raise NbGraderException("nbgrader_config.py could not be loaded, or lacks the seed.")
        released, executed = checked_release(sets.course_set(course, name), seed, nb)
        folder = Path(course.root) / "marking"
        folder.mkdir(exist_ok=True)
        nbformat.write(marking_sheet(executed), folder / f"{name}.ipynb")
        return released, resources


def release(set_: Set, seed: int, out: Path) -> Path:
    """Write the notebook and the data of a set as in the book, and return their folder."""
    released, _ = checked_release(set_, seed)
    released.cells[0].source += SEED_0_NOTE
    folder = out / set_.name
    folder.mkdir(parents=True, exist_ok=True)
    nbformat.write(released, folder / f"{set_.name}.ipynb")
    (folder / "data.npz").write_bytes(npz_bytes(set_.reference.data(seed)))
    return folder
