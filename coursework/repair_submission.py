"""Put a submission back into the form of the release, and say what had to be put right.

Answers are the student's. Everything else comes from the release: locked text, test cells, ids,
their order. Cells that the student added stay behind the cell that they follow.
"""

import copy
import re
import uuid
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader.utils import is_solution

from coursework.sets import grade_id, is_test

NO_ANSWER = "# No answer cell was handed in."
FUNCTION = re.compile(r"^def (\w+)\(", re.MULTILINE)


@dataclass
class RepairedSubmission:
    """A submission in the form of the release, without outputs."""

    notebook: NotebookNode
    notes: list[str] = field(default_factory=list)  # what was put right, one sentence each
    answered: set[str] = field(default_factory=set)  # ids of answer cells that were changed


def fraction_of_cells_found(submission: NotebookNode, release: NotebookNode) -> float:
    """Return the fraction of the release's cells that a notebook has."""
    return sum(map(bool, _matches(submission, release).values())) / len(release.cells)


def repair(submission: NotebookNode, release: NotebookNode) -> RepairedSubmission:
    """Put a submission back into the form of the release."""
    matches = _matches(submission, release)
    extra = _extras(submission, matches)
    result = RepairedSubmission(new_notebook(metadata=copy.deepcopy(release.metadata)))
    cells = extra[""]
    for cell in release.cells:
        name = grade_id(cell)
        found = [submission.cells[position] for position in matches[name]]
        cells += _answer(cell, found, result) if is_solution(cell) else [_clean(cell)]
        cells += extra[name]
    result.notebook.cells = cells
    result.notes += _notes_on_locked(submission, release, matches)
    return result


def _matches(submission: NotebookNode, release: NotebookNode) -> dict[str, list[int]]:
    """Find the cells of the release in a submission: positions by id.

    A cell without its nbgrader id is known by its notebook id, by its text, by the function that
    it defines, or because it stands where an answer belongs.
    """
    found: dict[str, list[int]] = {grade_id(cell): [] for cell in release.cells}
    lost = []
    for position, cell in enumerate(submission.cells):
        name = grade_id(cell)
        if name in found:
            found[name].append(position)
        elif not name:
            lost.append(position)
    for cell in release.cells:
        alike = [place for place in lost if _alike(submission.cells[place], cell)]
        if alike and not found[grade_id(cell)]:
            found[grade_id(cell)].append(alike[0])
            lost.remove(alike[0])
    for before, cell in pairwise(release.cells):
        place = max(found[grade_id(before)], default=-2) + 1
        if not is_solution(cell) or found[grade_id(cell)] or place not in lost:
            continue
        if submission.cells[place].cell_type == cell.cell_type:
            found[grade_id(cell)].append(place)
            lost.remove(place)
    return found


def _alike(cell: NotebookNode, released: NotebookNode) -> bool:
    """Tell whether a cell without an nbgrader id is a cell of the release."""
    if cell.cell_type != released.cell_type:
        return False
    if cell.get("id") and cell.get("id") == released.get("id"):
        return True
    if cell.source.strip() and cell.source.strip() == released.source.strip():
        return True
    wanted = FUNCTION.findall(released.source)
    both_code = released.cell_type == "code" and is_solution(released)
    return both_code and bool(wanted) and FUNCTION.findall(cell.source)[:1] == wanted[:1]


def _extras(
    submission: NotebookNode, matches: dict[str, list[int]]
) -> dict[str, list[NotebookNode]]:
    """Return the cells that the student added, by the id of the cell that they follow."""
    names = {position: name for name, positions in matches.items() for position in positions}
    found: dict[str, list[NotebookNode]] = defaultdict(list)
    before = ""
    for position, cell in enumerate(submission.cells):
        if position in names:
            before = names[position]
        elif cell.source.strip():
            found[before].append(_extra(cell))
    return found


def _answer(
    released: NotebookNode, found: list[NotebookNode], result: RepairedSubmission
) -> list[NotebookNode]:
    """Return the student's answer in the released cell, before it other versions of it.

    Of several cells with one id the last that differs from the release is taken. Earlier ones
    that differ still run; copies of the empty cell are dropped.
    """
    name, blank = grade_id(released), released.source.strip()
    if not found:
        result.notes.append(f"The answer cell {name} was missing.")
        return [_clean(released, source=NO_ANSWER if released.cell_type == "code" else "")]
    changed = [cell for cell in found if cell.source.strip() != blank or cell.get("attachments")]
    if len(found) > 1:
        which = "the last changed one was marked" if changed else "all were empty"
        result.notes.append(f"The answer cell {name} was there {len(found)} times; {which}.")
    if not changed:
        return [_clean(released)]
    result.answered.add(name)
    *earlier, last = changed
    if last.cell_type != released.cell_type:
        result.notes.append(f"The answer cell {name} had become a {last.cell_type} cell.")
    answer = _clean(released, source=last.source)
    if "attachments" in last and released.cell_type == "markdown":
        answer.attachments = last.attachments
    return [*map(_extra, earlier), answer]


def _clean(cell: NotebookNode, **other: Any) -> NotebookNode:
    """Return a copy of a cell without outputs, with other text or metadata if given."""
    made = copy.deepcopy(cell)
    made.update(other)
    if made.cell_type == "code":
        made.update(outputs=[], execution_count=None)
    return made


def _extra(cell: NotebookNode) -> NotebookNode:
    """Return a copy of a student's own cell, without metadata."""
    return _clean(cell, metadata=NotebookNode(), id=uuid.uuid4().hex[:8])


def _notes_on_locked(
    submission: NotebookNode, release: NotebookNode, matches: dict[str, list[int]]
) -> list[str]:
    found: dict[str, list[str]] = defaultdict(list)
    for cell in release.cells:
        sources = {submission.cells[place].source.strip() for place in matches[grade_id(cell)]}
        if not is_solution(cell) and sources != {cell.source.strip()}:
            what = "test" if is_test(cell) else "locked text"
            found[f"{'changed' if sources else 'missing'}: {what}"].append(grade_id(cell))
    return [f"Put back, because {what} cells {', '.join(each)}." for what, each in found.items()]
