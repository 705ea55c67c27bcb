"""Put a submission back into the form of the release, and say what had to be put right.

Answers are the student's. Everything else comes from the release: locked text, test cells, ids,
their order. Cells that the student added stay behind the cell that they follow.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

import nbformat
from nbformat.notebooknode import NotebookNode

NO_ANSWER = "# No answer cell was handed in."
FUNCTION = re.compile(r"^def (\w+)\(", re.MULTILINE)


@dataclass
class Restored:
    """A submission in the form of the release.

    Attributes
    ----------
    notebook : NotebookNode
        Its cells, without outputs.
    notes : list of str
        What was put right, one sentence each.
    answered : set of str
        Ids of the answer cells that differ from the release's.
    """

    notebook: NotebookNode
    notes: list[str] = field(default_factory=list)
    answered: set[str] = field(default_factory=set)


def grade_id(cell: NotebookNode) -> str:
    """Return the nbgrader id of a cell, or nothing."""
    about = cell.metadata.get("nbgrader", {})
    return str(about.get("grade_id", "")) if isinstance(about, dict) else ""


def is_answer(cell: NotebookNode) -> bool:
    """Tell whether a cell of the release is the student's to fill."""
    return bool(cell.metadata.get("nbgrader", {}).get("solution"))


def is_test(cell: NotebookNode) -> bool:
    """Tell whether a cell of the release is a test cell."""
    about = cell.metadata.get("nbgrader", {})
    return bool(about.get("grade")) and not about.get("solution")


def recognised(submission: NotebookNode, release: NotebookNode) -> float:
    """Return the fraction of the release's cells that a notebook has."""
    return len(_matches(submission, release)) / max(len(release.cells), 1)


def restored(submission: NotebookNode, release: NotebookNode) -> Restored:
    """Put a submission back into the form of the release.

    Parameters
    ----------
    submission, release : NotebookNode
        What was handed in, and what students were given.

    Returns
    -------
    Restored
    """
    matches = _matches(submission, release)
    extra = _extras(submission, release, matches)
    result = Restored(nbformat.v4.new_notebook(metadata=release.metadata))
    cells = [_extra(cell) for cell in extra[""]]
    for cell in release.cells:
        name = grade_id(cell)
        found = [submission.cells[position] for position in matches.get(name, [])]
        cells += _answer(cell, found, result) if is_answer(cell) else [_clean(cell)]
        cells += [_extra(other) for other in extra[name]]
    result.notebook.cells = cells
    result.notes += _notes_on_locked(submission, release, matches)
    return result


def _matches(submission: NotebookNode, release: NotebookNode) -> dict[str, list[int]]:
    """Find the cells of the release in a submission: positions by id.

    A cell without its nbgrader id is known by its notebook id, by its text, by the function that
    it defines, or because it stands where an answer belongs.
    """
    known = {grade_id(cell) for cell in release.cells}
    found: dict[str, list[int]] = defaultdict(list)
    lost = []
    for position, cell in enumerate(submission.cells):
        name = grade_id(cell)
        if name in known and name:
            found[name].append(position)
        elif not name:
            lost.append(position)
    for cell in release.cells:
        name = grade_id(cell)
        if name not in found:
            for position in lost:
                if _alike(submission.cells[position], cell):
                    found[name].append(position)
                    lost.remove(position)
                    break
    for before, cell in pairwise(release.cells):
        name, place = grade_id(cell), max(found.get(grade_id(before), [-2])) + 1
        if name in found or not is_answer(cell) or place not in lost:
            continue
        if submission.cells[place].cell_type == cell.cell_type:
            found[name].append(place)
            lost.remove(place)
    return dict(found)


def _alike(cell: NotebookNode, released: NotebookNode) -> bool:
    """Tell whether a cell without an nbgrader id is a cell of the release."""
    if cell.cell_type != released.cell_type:
        return False
    if cell.get("id") and cell.get("id") == released.get("id"):
        return True
    if cell.source.strip() and cell.source.strip() == released.source.strip():
        return True
    wanted = FUNCTION.findall(released.source)
    both_code = released.cell_type == "code" and is_answer(released)
    return both_code and bool(wanted) and FUNCTION.findall(cell.source)[:1] == wanted[:1]


def _extras(
    submission: NotebookNode, release: NotebookNode, matches: dict[str, list[int]]
) -> dict[str, list[NotebookNode]]:
    """Return the cells that the student added, by the id of the cell that they follow."""
    names = {position: name for name, positions in matches.items() for position in positions}
    found: dict[str, list[NotebookNode]] = defaultdict(list)
    before = ""
    for position, cell in enumerate(submission.cells):
        if position in names:
            before = names[position]
        elif cell.source.strip():
            found[before].append(cell)
    return found


def _answer(
    released: NotebookNode, found: list[NotebookNode], result: Restored
) -> list[NotebookNode]:
    """Return the student's answer in the released cell, before it other versions of it.

    Of several cells with one id the last that differs from the release is taken. Earlier ones
    that differ still run; copies of the empty cell are dropped.
    """
    name, blank = grade_id(released), released.source.strip()
    if not found:
        result.notes.append(f"The answer cell {name} was missing.")
        return [_clean(released, NO_ANSWER if released.cell_type == "code" else "")]
    changed = [cell for cell in found if cell.source.strip() != blank or cell.get("attachments")]
    if len(found) > 1:
        result.notes.append(
            f"The answer cell {name} was there {len(found)} times; "
            + ("the last changed one was marked." if changed else "all were empty.")
        )
    if not changed:
        return [_clean(released)]
    result.answered.add(name)
    if changed[-1].cell_type != released.cell_type:
        result.notes.append(f"The answer cell {name} had become a {changed[-1].cell_type} cell.")
    last = _clean(released, changed[-1].source)
    if "attachments" in changed[-1] and released.cell_type == "markdown":
        last.attachments = changed[-1].attachments
    return [*map(_extra, changed[:-1]), last]


def _clean(released: NotebookNode, source: str | None = None) -> NotebookNode:
    """Return a copy of a released cell, with another text if given."""
    make = nbformat.v4.new_code_cell
    if released.cell_type == "markdown":
        make = nbformat.v4.new_markdown_cell
    elif released.cell_type == "raw":
        make = nbformat.v4.new_raw_cell
    text = released.source if source is None else source
    cell: NotebookNode = make(text, metadata=released.metadata)  # type: ignore[no-untyped-call]
    cell.id = released.get("id", cell.id)
    return cell


def _extra(cell: NotebookNode) -> NotebookNode:
    """Return a copy of a student's own cell, without metadata."""
    return _clean(
        nbformat.from_dict({**cell, "metadata": {}, "id": nbformat.v4.new_raw_cell().id})
    )


def _notes_on_locked(
    submission: NotebookNode, release: NotebookNode, matches: dict[str, list[int]]
) -> list[str]:
    missing: dict[bool, list[str]] = {True: [], False: []}
    changed: dict[bool, list[str]] = {True: [], False: []}
    for cell in release.cells:
        name = grade_id(cell)
        if is_answer(cell):
            continue
        sources = [submission.cells[position].source.strip() for position in matches.get(name, [])]
        if not sources:
            missing[is_test(cell)].append(name)
        elif set(sources) != {cell.source.strip()}:
            changed[is_test(cell)].append(name)
    notes = []
    for test, what in ((True, "test"), (False, "locked text")):
        for names, how in ((missing[test], "missing"), (changed[test], "changed")):
            if names:
                notes.append(f"Put back, because {how}: {what} cells {', '.join(names)}.")
    return notes
