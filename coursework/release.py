"""Release of problem sets, with checks that no solution is visible and that grading is right.

nbgrader removes solutions and hidden tests. Independent checks then search for leaks, the master
must get full marks, and the untouched release must get none.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode
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
MARKING_DIR = "marking"  # in the folder of a course
SEED_0_NOTE = (
    "\n\n*Every reader of the book sees these data. If your course gave you a notebook, use that "
    "one: its data and answers are different.*"
)


def secret_lines(master: NotebookNode) -> list[str]:
    """Return the lines of solutions and hidden tests that are not also public.

    White space is removed from them.
    """
    public = without_whitespace(text_outside_regions(master) + OPEN_TESTS.read_text("utf-8"))
    lines = [
        without_whitespace(line)
        for cell in master.cells
        for kind in (SOLUTION, HIDDEN)
        for line in region_lines(cell.source, kind)
    ]
    return [line for line in lines if len(line) >= MIN_SECRET_LENGTH and line not in public]


def find_leaks(master: NotebookNode, released: NotebookNode) -> list[str]:
    """Return a sentence for each secret that a release shows."""
    texts = list(_all_strings(released))
    everything = without_whitespace("\n".join(texts))
    found = [f"It shows the line {line}" for line in secret_lines(master) if line in everything]
    for text in texts:
        found += [f"It shows the marker {marker!r}." for marker in MARKER.findall(text)]
        found += [
            f"It shows a hidden test: {line.strip()}"
            for line in text.splitlines()
            if re.search(r"\bhidden\s*\[|^\s*answer\s*\(", line)
        ]
    for position, cell in enumerate(released.cells, start=1):
        if cell.get("outputs") or cell.get("execution_count"):
            found.append(f"Cell {position} has an output or an execution count.")
        if "attachments" in cell and cell.metadata.nbgrader["solution"]:
            found.append(f"Cell {position} has an image of the solution.")
    return [*found, *_solutions_in_open_cells(master)]


def _solutions_in_open_cells(master: NotebookNode) -> Iterator[str]:
    """Yield a sentence for each solution of which open cells show more than half."""
    public = without_whitespace(text_outside_regions(master))
    for cell in master.cells:
        lines = map(without_whitespace, region_lines(cell.source, SOLUTION))
        code = [x for x in lines if len(x) >= MIN_CODE_LENGTH and not TRIVIAL_CODE.match(x)]
        shown = [line for line in code if line in public]
        if 2 * len(shown) > len(code):
            name = grade_id(cell)
            yield f"Open cells show most of the solution of {name}, for example {shown[0]}"


def _all_strings(node: Any) -> Iterator[str]:
    """Yield every string of a notebook, including its metadata."""
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
    """Return a sentence for each function whose arrays do not depend on the seed alone."""
    reference, found = set_.reference, []
    for name, make in (("data", reference.data), ("hidden", reference.hidden)):
        first, again, other = (npz_bytes(make(draw)) for draw in (seed, seed, seed + 1))
        if first != again:
            found.append(f"{name}(seed) differs between two calls with one seed.")
        elif name == "data" and first == other:
            found.append("data(seed) is the same for two seeds.")
    return found


def grading_errors(set_: Set, seed: int, released: NotebookNode) -> tuple[list[str], NotebookNode]:
    """Return a sentence for each test that does not give the master all points and the stub 0.

    The second value is the master with its outputs.
    """
    tests = {grade_id(cell) for cell in set_.master().cells if is_test(cell)}
    found, inputs = [], executor.grading_inputs(set_, seed)
    master, stub = (repair(each, released).notebook for each in (set_.master(), released))
    for kind, notebook, wanted in (("master", master, 1), ("release", stub, 0)):
        result = executor.run(notebook, inputs)
        verdicts = set_.reference.verdicts(seed, result.answers)
        outputs = [out for cell in result.notebook.cells for out in cell.get("outputs", ())]
        if kind == "master":
            found += [f"{test} has no verdict." for test in tests - verdicts.keys()]
            found += [f"The verdict {it} has no test." for it in verdicts.keys() - tests]
            found += [
                f"A cell of the master stops with {out.ename}: {out.evalue}"
                for out in outputs
                if "ename" in out
            ]
        found += [
            f"{test} gives {verdict.score:.0%} to the {kind}: {verdict.message}"
            for test, verdict in verdicts.items()
            if test in tests and verdict.score != wanted
        ]
    return found, master


def checked_release(
    set_: Set, seed: int, released: NotebookNode | None = None
) -> tuple[NotebookNode, NotebookNode]:
    """Return the student's version of a set after all checks, and the master with its outputs.

    Parameters
    ----------
    set_ : Set
        The set.
    seed : int
        The seed of the data.
    released : NotebookNode, optional
        The student's version, if nbgrader has already made it.

    Raises
    ------
    SetError
        If the form of the master, the data, the secrecy or the grading is wrong.
    """
    master = set_.master()
    if not (found := master_errors(set_.name, master) or data_errors(set_, seed)):
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
        set_ = course_set(course, name)
        released, executed = checked_release(set_, int(self.config.Judge.seed), nb)
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
