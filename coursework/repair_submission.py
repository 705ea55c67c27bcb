"""Repair of submissions: the answers of the student in the cells of the release.

Locked text, test cells, ids and their order come from the release. Cells that the student added
stay behind the cell that they follow.
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
    """A submission with the cells of the release, without outputs."""

    notebook: NotebookNode
    notes: list[str] = field(default_factory=list)  # one sentence for each repair
    answered: set[str] = field(default_factory=set)  # ids of answer cells that were changed


def fraction_of_cells_found(submission: NotebookNode, release: NotebookNode) -> float:
    """Return the fraction of the release's cells that are in a notebook."""
    return sum(map(bool, _matches(submission, release).values())) / len(release.cells)


def repair(submission: NotebookNode, release: NotebookNode) -> RepairedSubmission:
    """Return the submission with the cells of the release."""
    matches = _matches(submission, release)
    extra = _extra_cells(submission, matches)
    result = RepairedSubmission(new_notebook(metadata=copy.deepcopy(release.metadata)))
    cells = extra[""]
    for cell in release.cells:
        name = grade_id(cell)
        found = [submission.cells[position] for position in matches[name]]
        cells += _answer_cells(cell, found, result) if is_solution(cell) else [_copy(cell)]
        cells += extra[name]
    result.notebook.cells = cells
    result.notes += _notes_on_locked_cells(submission, release, matches)
    return result


def _matches(submission: NotebookNode, release: NotebookNode) -> dict[str, list[int]]:
    """Return the positions of the release's cells in a submission, by id.

    A cell without an nbgrader id is identified by its notebook id, by its text, by the function
    that it defines, or because it follows the right cell.
    """
    found: dict[str, list[int]] = {grade_id(cell): [] for cell in release.cells}
    unknown = []
    for position, cell in enumerate(submission.cells):
        name = grade_id(cell)
        if name in found:
            found[name].append(position)
        elif not name:
            unknown.append(position)
    for cell in release.cells:
        similar = [place for place in unknown if _is_same_cell(submission.cells[place], cell)]
        if similar and not found[grade_id(cell)]:
            found[grade_id(cell)].append(similar[0])
            unknown.remove(similar[0])
    for before, cell in pairwise(release.cells):
        place = max(found[grade_id(before)], default=-2) + 1
        if not is_solution(cell) or found[grade_id(cell)] or place not in unknown:
            continue
        if submission.cells[place].cell_type == cell.cell_type:
            found[grade_id(cell)].append(place)
            unknown.remove(place)
    return found


def _is_same_cell(cell: NotebookNode, released: NotebookNode) -> bool:
    """Return True if a cell without an nbgrader id is the released cell."""
    text, function = cell.source.strip(), FUNCTION.search(released.source)
    return cell.cell_type == released.cell_type and bool(
        (cell.get("id") and cell.get("id") == released.get("id"))
        or (text and text == released.source.strip())
        or (is_solution(released) and function and FUNCTION.findall(text)[:1] == [function[1]])
    )


def _extra_cells(
    submission: NotebookNode, matches: dict[str, list[int]]
) -> dict[str, list[NotebookNode]]:
    """Return the cells that the student added, by the id of the cell that they follow."""
    names = {position: name for name, positions in matches.items() for position in positions}
    found, before = defaultdict[str, list[NotebookNode]](list), ""
    for position, cell in enumerate(submission.cells):
        if position not in names and cell.source.strip():
            found[before].append(_copy_as_extra(cell))
        before = names.get(position, before)
    return found


def _answer_cells(
    released: NotebookNode, found: list[NotebookNode], result: RepairedSubmission
) -> list[NotebookNode]:
    """Return the student's answer in the released cell, after earlier versions of it.

    Of several cells with one id, the last one that differs from the release is graded. Earlier
    ones that differ still run; copies of the empty cell are dropped.
    """
    name, empty = grade_id(released), released.source.strip()
    if not found:
        result.notes.append(f"The answer cell {name} was missing.")
        return [_copy(released, source=NO_ANSWER if released.cell_type == "code" else "")]
    changed = [cell for cell in found if cell.source.strip() != empty or cell.get("attachments")]
    if len(found) > 1:
        which = "the last changed one was graded" if changed else "all were empty"
        result.notes.append(f"The answer cell {name} occurred {len(found)} times; {which}.")
    if not changed:
        return [_copy(released)]
    result.answered.add(name)
    *earlier, last = changed
    if last.cell_type != released.cell_type:
        result.notes.append(f"The answer cell {name} had become a {last.cell_type} cell.")
    answer = _copy(released, source=last.source)
    if "attachments" in last and released.cell_type == "markdown":
        answer.attachments = last.attachments
    return [*map(_copy_as_extra, earlier), answer]


def _copy(cell: NotebookNode, **changes: Any) -> NotebookNode:
    """Return a copy of a cell without outputs, with some fields changed."""
    copied = copy.deepcopy(cell)
    copied.update(changes)
    if copied.cell_type == "code":
        copied.update(outputs=[], execution_count=None)
    return copied


def _copy_as_extra(cell: NotebookNode) -> NotebookNode:
    """Return a copy of a student's own cell, without metadata."""
    return _copy(cell, metadata=NotebookNode(), id=uuid.uuid4().hex[:8])


def _notes_on_locked_cells(
    submission: NotebookNode, release: NotebookNode, matches: dict[str, list[int]]
) -> list[str]:
    """Return a sentence on the locked cells that were changed, and one on those missing."""
    found: dict[str, list[str]] = defaultdict(list)
    for cell in release.cells:
        sources = {submission.cells[place].source.strip() for place in matches[grade_id(cell)]}
        if not is_solution(cell) and sources != {cell.source.strip()}:
            kind = "test" if is_test(cell) else "locked text"
            found[f"{'changed' if sources else 'missing'} {kind}"].append(grade_id(cell))
    return [f"Restored {kind} cells: {', '.join(names)}." for kind, names in found.items()]
