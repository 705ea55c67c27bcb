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

from coursework import executor
from coursework.marking_sheet import marking_sheet
from coursework.repair_submission import repair
from coursework.sets import Set, SetError, course_set, grade_id, is_test
from coursework.student import OPEN_TESTS, finish_release, npz_bytes, student_version
from coursework.validate_master import (
    HIDDEN,
    MARKER,
    SOLUTION,
    master_errors,
    region_lines,
    text_outside_regions,
    without_whitespace,
)

# Characters without white space: shorter lines, such as brackets, are not secret.
MIN_SECRET_LENGTH, MIN_CODE_LENGTH = 4, 12
TRIVIAL_CODE = re.compile(r"import|from\w+import|return\w*$|def\w+\(|for\w+in\w+:$")
HIDDEN_CODE = re.compile(r"\bhidden\s*\[.*|^\s*answer\s*\(.*", re.MULTILINE)
MARKING_DIR = "marking"  # in the folder of a course
SEED_0_NOTE = (
    "\n\n*Every reader of the book sees these data. If your course gave you a notebook, use that "
    "one: its data and answers are different.*"
)


def find_leaks(master: NotebookNode, released: NotebookNode) -> list[str]:
    """Return a sentence for each secret that a release shows.

    Secret are the lines of solutions and hidden tests that are not also public.
    """
    public = without_whitespace(text_outside_regions(master) + OPEN_TESTS.read_text("utf-8"))
    shown, found = _in_one_line(json.dumps(released)), []
    for cell in master.cells:
        code = [without_whitespace(line) for line in region_lines(cell.source, SOLUTION)]
        for line in [*code, *map(without_whitespace, region_lines(cell.source, HIDDEN))]:
            is_secret = len(line) >= MIN_SECRET_LENGTH and line not in public
            if is_secret and _in_one_line(json.dumps(line)[1:-1]) in shown:
                found.append(f"It shows the line {line}")
        code = [x for x in code if len(x) >= MIN_CODE_LENGTH and not TRIVIAL_CODE.match(x)]
        open_lines = [line for line in code if line in public]
        if 2 * len(open_lines) > len(code):
            found.append(f"Open cells show most of {grade_id(cell)}, for example {open_lines[0]}")
    for cell in released.cells:
        secrets = MARKER.findall(cell.source) + HIDDEN_CODE.findall(cell.source)
        found += [f"It shows {secret.strip()!r}." for secret in secrets]
        if cell.get("outputs") or ("attachments" in cell and cell.metadata.nbgrader["solution"]):
            found.append(f"The cell {grade_id(cell)} has an output or an image of the solution.")
    return found


def _in_one_line(text: str) -> str:
    """Return JSON text without white space and without the escapes of line breaks."""
    return without_whitespace(text.replace("\\n", ""))


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
    """Return a sentence for each test that does not give the master all points and the stub 0.

    The second value is the master with its outputs.
    """
    tests, found = {grade_id(cell) for cell in released.cells if is_test(cell)}, list[str]()
    master, stub = (repair(each, released).notebook for each in (set_.master(), released))
    for kind, notebook, wanted in (("release", stub, 0), ("master", master, 1)):
        result = executor.run(notebook, executor.grading_inputs(set_, seed))
        verdicts = set_.reference.verdicts(seed, result.answers)
        found += [
            f"{test} gives {verdict.score:.0%} to the {kind}: {verdict.message}"
            for test, verdict in verdicts.items()
            if test in tests and verdict.score != wanted
        ]
    found += [f"{test} has no verdict." for test in tests - verdicts.keys()]
    found += [f"The verdict {test} has no test." for test in verdicts.keys() - tests]
    outputs = [output for cell in master.cells for output in cell.get("outputs", ())]
    errors = [f"{each.ename}: {each.evalue}" for each in outputs if "ename" in each]
    return [*found, *(f"A cell of the master stops with {error}" for error in errors)], master


def checked_release(
    set_: Set, seed: int, released: NotebookNode | None = None
) -> tuple[NotebookNode, NotebookNode]:
    """Return the student's version of a set after all checks, and the master with its outputs.

    A `SetError` names what is wrong. `released` is the student's version if nbgrader made it.
    """
    master = set_.master()
    if not (found := [*master_errors(set_.name, master), *data_errors(set_, seed)]):
        released = released or student_version(set_)
        if not (found := find_leaks(master, released)):
            found, executed = grading_errors(set_, seed, released)
            if not found:
                return released, executed
    raise SetError("\n  ".join([f"{set_.name} cannot be released.", *found]))


class CheckRelease(NbGraderPreprocessor):  # type: ignore[misc]
    """The last preprocessor of ``nbgrader generate_assignment``; it stops an unsafe release."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Return the release after all checks, and write the marking sheet."""
        finish_release(nb)
        course, name = self.parent.parent.coursedir, resources["nbgrader"]["assignment"]
        if not isinstance(seed := self.config.Judge.seed, int):
            raise NbGraderException("nbgrader_config.py could not be loaded, or lacks the seed.")
        released, executed = checked_release(course_set(course, name), seed, nb)
        folder = Path(course.root) / MARKING_DIR
        folder.mkdir(exist_ok=True)
        nbformat.write(marking_sheet(executed), folder / f"{name}.ipynb")
        return released, resources


def release(set_: Set, seed: int, out: Path) -> Path:
    """Write the notebook and the data of a set, as the book shows them, after all checks.

    Return their folder, `out` / NAME, with ``NAME.ipynb`` and ``data.npz``.
    """
    released, _ = checked_release(set_, seed)
    released.cells[0].source += SEED_0_NOTE
    folder = out / set_.name
    folder.mkdir(parents=True, exist_ok=True)
    nbformat.write(released, folder / f"{set_.name}.ipynb")
    (folder / "data.npz").write_bytes(npz_bytes(set_.reference.data(seed)))
    return folder
