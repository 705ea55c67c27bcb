"""Release a set: the student's notebook and data, written only when they are proven safe.

nbgrader takes the solutions and hidden tests out. Then independent checks look for what may
have stayed in, the master is graded and must get full marks, and the untouched release is graded
and must get none.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from coursework import executor
from coursework.repair_submission import repair
from coursework.sets import Set, SetError, course_set, grade_id, is_test
from coursework.student import OPEN_TESTS, npz_bytes, strip_metadata, student_version
from coursework.validate_master import (
    HIDDEN,
    MARKER,
    SOLUTION,
    master_errors,
    region_lines,
    text_outside_regions,
    without_whitespace,
)

# Shorter lines, without their spaces, say nothing: closing brackets, "else:".
MIN_LENGTH, MIN_CODE_LENGTH = 4, 12
TRIVIAL_CODE = re.compile(r"import|from\w+import|return\w*$|def\w+\(|for\w+in\w+:$")
SEED_0_NOTE = (
    "\n\n*These are the data that everybody sees who reads the book. If your course gave you a "
    "notebook, take that one: its data, and the answers, are others.*"
)


def secret_lines(master: NotebookNode) -> list[str]:
    """Return the lines of solutions and hidden tests that stand nowhere else for all to see.

    They are without their white space.
    """
    public = without_whitespace(text_outside_regions(master) + OPEN_TESTS.read_text("utf-8"))
    lines = [
        without_whitespace(line)
        for cell in master.cells
        for kind in (SOLUTION, HIDDEN)
        for line in region_lines(cell.source, kind)
    ]
    return [line for line in lines if len(line) >= MIN_LENGTH and line not in public]


def find_leaks(master: NotebookNode, released: NotebookNode) -> list[str]:
    """Say what a release shows that students must not see, one sentence for each leak."""
    texts = list(_all_strings(released))
    everything = without_whitespace("\n".join(texts))
    found = [f"It shows the line {line}" for line in secret_lines(master) if line in everything]
    for text in texts:
        found += [f"It shows the marker {marker!r}." for marker in MARKER.findall(text)]
        found += [
            f"It shows a hidden check: {line.strip()}"
            for line in text.splitlines()
            if re.search(r"\bhidden\s*\[|^\s*answer\s*\(", line)
        ]
    for position, cell in enumerate(released.cells, start=1):
        if cell.get("outputs") or cell.get("execution_count"):
            found.append(f"Cell {position} has an output or an execution count.")
        if "attachments" in cell and cell.metadata.nbgrader["solution"]:
            found.append(f"Cell {position} has a picture of the solution.")
    return [*found, *_solutions_in_open_cells(master)]


def _solutions_in_open_cells(master: NotebookNode) -> Iterator[str]:
    """Name the solutions of which the open part of the master says more than half."""
    public = without_whitespace(text_outside_regions(master))
    for cell in master.cells:
        lines = map(without_whitespace, region_lines(cell.source, SOLUTION))
        telling = [
            line for line in lines if len(line) >= MIN_CODE_LENGTH and not TRIVIAL_CODE.match(line)
        ]
        shown = [line for line in telling if line in public]
        if 2 * len(shown) > len(telling):
            grade_id = cell.metadata.nbgrader.grade_id
            yield f"Most of the solution of {grade_id} stands in open cells: {shown[0]}"


def _all_strings(node: Any) -> Iterator[str]:
    """Yield every text of a notebook, wherever it stands in it."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from _all_strings(key)
            yield from _all_strings(value)
    elif isinstance(node, list):
        for value in node:
            yield from _all_strings(value)
    elif isinstance(node, str):
        yield node


def data_errors(set_: Set, seed: int) -> list[str]:
    """Say what is wrong with the arrays of a set: they must repeat, and vary with the seed."""
    reference, found = set_.reference, []
    for name, make in (("data", reference.data), ("hidden", reference.hidden)):
        first, again, other = (npz_bytes(make(draw)) for draw in (seed, seed, seed + 1))
        if first != again:
            found.append(f"{name}(seed) differs from call to call with one seed.")
        elif name == "data" and first == other:
            found.append("data(seed) is the same for two seeds.")
    return found


def grading_errors(set_: Set, seed: int, released: NotebookNode) -> list[str]:
    """Say what grading gets wrong: full marks for the master, none for the untouched release."""
    tests = {grade_id(cell) for cell in set_.master().cells if is_test(cell)}
    found, material = [], executor.grading_inputs(set_, seed)
    for what, notebook, wanted in (("master", set_.master(), 1), ("release", released, 0)):
        run = executor.run(repair(notebook, released).notebook, material)
        verdicts = set_.reference.verdicts(seed, run.answers)
        errors = [out for cell in run.notebook.cells for out in cell.get("outputs", ())]
        if what == "master":
            found += [f"{test} has no verdict." for test in tests - verdicts.keys()]
            found += [f"There is a verdict on {it}, no test." for it in verdicts.keys() - tests]
            found += [
                f"A cell of it stops with {e.ename}: {e.evalue}" for e in errors if "ename" in e
            ]
        found += [
            f"{test} gives {verdict.score:.0%} to the {what}: {verdict.message}"
            for test, verdict in verdicts.items()
            if test in tests and verdict.score != wanted
        ]
    return found


def checked_release(set_: Set, seed: int, released: NotebookNode | None = None) -> NotebookNode:
    """Return what students get: what nbgrader made of the master, where that is done.

    Where its form, data, secrets or grading are at fault, a `SetError` says so.
    """
    master = set_.master()
    if not (found := master_errors(set_.name, master) or data_errors(set_, seed)):
        released = released or student_version(set_)
        if not (found := find_leaks(master, released) or grading_errors(set_, seed, released)):
            return released
    raise SetError("\n  ".join([f"{set_.name} cannot be released.", *found]))


class CheckRelease(NbGraderPreprocessor):  # type: ignore[misc]
    """Ends ``nbgrader generate_assignment``, and stops it unless the release is proven safe."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Return the release without metadata that students have no use for."""
        strip_metadata(nb)
        set_ = course_set(self.parent.parent.coursedir, resources["nbgrader"]["assignment"])
        return checked_release(set_, int(self.config.Judge.seed), nb), resources


def release(set_: Set, seed: int, out: Path) -> Path:
    """Write the notebook and the data of a set, as the book shows them, if all checks pass.

    They are in the returned folder, ``NAME.ipynb`` and ``data.npz`` in a folder of `out`.
    """
    released = checked_release(set_, seed)
    released.cells[0].source += SEED_0_NOTE
    folder = out / set_.name
    folder.mkdir(parents=True, exist_ok=True)
    nbformat.write(released, folder / f"{set_.name}.ipynb")
    (folder / "data.npz").write_bytes(npz_bytes(set_.reference.data(seed)))
    return folder
