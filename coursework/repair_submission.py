"""Reading of a submission: the choice of the notebook, its set and seed, and its repair.

Locked text, test cells, ids and their order come from the release; the answers come from the
student. Cells that the student added stay behind the cell that they follow.
"""

import copy
import json
import re
import uuid
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.utils import is_solution

from coursework.collect import INFO_FILE, accompanying_files, safe_name
from coursework.sets import grade_id, is_test

# Of a submission with points: graded without notes, with notes, or after it exceeded a limit.
Graded: TypeAlias = Literal["graded", "repaired", "stopped"]
# Of a submission without points: after an error of the grader, or until a person has looked at it.
NotGraded: TypeAlias = Literal["failed", "unreadable", "two notebooks", "wrong set", "wrong seed"]
Status: TypeAlias = Graded | NotGraded | Literal[""]  # empty before the submission is graded
NO_ANSWER = "# No answer cell was handed in."
FUNCTION = re.compile(r"^def (\w+)\(", re.MULTILINE)
# A notebook without metadata belongs to the set if it has this fraction of its cells.
MIN_FRACTION_OF_CELLS = 0.5
MAX_CELL_LENGTH = 1_000_000  # characters; the rest is cut off, because rendering takes too long
IMAGE_TYPES = ("image/png", "image/jpeg")
WEB_PAGE = "is a web page, not a notebook: the notebook itself has to be downloaded"
FILE_SIGNATURES = {b"%pdf": "is a PDF, not a notebook", b"<!doctype": WEB_PAGE, b"<html": WEB_PAGE}


def read_submission(path: Path, release: NotebookNode) -> NotebookNode:
    """Return a submission with the cells of the release.

    Its metadata contain under ``coursework`` the ``status``, which is empty unless a person has to
    look at it before it is graded, ``notes``, and the ids of the cells that were ``answered``.
    """
    info_file = path.parent / INFO_FILE
    info = json.loads(info_file.read_text("utf-8")) if info_file.is_file() else {}
    notebooks = dict[str, NotebookNode]()
    notes = [*info.get("notes", ())]
    for file in sorted(path.parent.glob("*.ipynb"), key=lambda file: (file != path, file.name)):
        name = info.get("notebooks", {}).get(file.name, file.name)
        try:
            notebooks[name] = read_notebook(file.read_bytes())
        except ValueError as error:
            notes.append(f"{name} {error}.")
    chosen, status, notes_on_choice = _choose_notebook(notebooks, release)
    notes += notes_on_choice
    if not status:
        status, note = _check_set_and_seed(notebooks[chosen], release)
        if note:
            notes.append(note)
    result = repair(notebooks.get(chosen, release), release)
    files = sorted({*accompanying_files(path.parent)} - {"data.npz"})
    if files:
        notes.append(f"Files next to the notebook: {', '.join(files)}.")
    empty = sorted({grade_id(c) for c in release.cells if is_solution(c)} - result.answered)
    if result.answered and empty and (files or not all(map(grade_id, result.notebook.cells))):
        notes.append(f"Unchanged, but cells or files were added elsewhere: {', '.join(empty)}.")
    result.notebook.metadata["coursework"] = {
        **release.metadata["coursework"],
        "status": status,
        "notes": [*notes, *result.notes],
        "answered": sorted(result.answered),
    }
    return result.notebook


def read_notebook(content: bytes) -> NotebookNode:
    """Read the cells of a notebook and the metadata that grading uses.

    Raise ValueError if the content is not a notebook; the message says what it is.
    """
    try:
        raw = json.loads(content)
        known = raw["metadata"].get("coursework", {}).items()
        metadata = {"coursework": {name: safe_name(str(value)) for name, value in known}}
        notebook = {"cells": [*map(_read_cell, raw["cells"])], "metadata": metadata}
    except (RecursionError, ValueError, LookupError, TypeError, AttributeError) as error:
        start = content.lstrip()[:20].lower()
        reason = "is not a notebook"
        known_files = [kind for text, kind in FILE_SIGNATURES.items() if start.startswith(text)]
        if start.startswith(b"{") and isinstance(error, json.JSONDecodeError):
            at_end = error.pos >= len(error.doc.rstrip()) - 1
            if at_end or error.msg.startswith("Unterminated"):
                reason = "is truncated: the file ends in the middle"
        raise ValueError([*known_files, reason if start else "is empty"][0]) from error
    return nbformat.from_dict({**notebook, "nbformat": 4, "nbformat_minor": 5})  # type: ignore


def _read_cell(raw: dict[str, Any]) -> dict[str, Any]:
    """Return the type, text, ids and pasted images of a cell."""
    source = raw["source"] if isinstance(raw["source"], str) else "".join(raw["source"])
    source = source.encode("utf-8", "replace").decode("utf-8").replace("\r\n", "\n")
    # In a release, the id of a cell is also its id for nbgrader.
    name = str(raw["metadata"].get("nbgrader", {}).get("grade_id") or raw.get("id", ""))
    kind = raw["cell_type"]
    if kind not in ("code", "markdown", "raw"):
        raise ValueError(f"The cell type {kind!r} is not code, markdown or raw.")
    cell = {"cell_type": kind, "source": source[:MAX_CELL_LENGTH]}
    cell["metadata"] = {"nbgrader": {"grade_id": name}}
    if kind == "markdown" and (attached := raw.get("attachments")):
        cell["attachments"] = {
            name: {mime: str(text) for mime, text in data.items() if mime in IMAGE_TYPES}
            for name, data in attached.items()
        }
    return cell


def _choose_notebook(
    notebooks: dict[str, NotebookNode], release: NotebookNode
) -> tuple[str, Status, list[str]]:
    """Return the path of the notebook to grade, a status if there is no single one, and notes."""
    if not notebooks:
        return "", "unreadable", []
    fitting = {path: each for path, each in notebooks.items() if _fits(each, release)} or notebooks
    paths = {_contents(each, release): path for path, each in reversed(fitting.items())}
    if len(paths) > 1:
        paths.pop(_contents(release, release), None)
    path = [*paths.values()][-1]
    if len(paths) > 1:
        note = (
            f"Which of the notebooks counts? They differ: {', '.join(sorted(paths.values()))}. "
            "Leave one of them in the folder submitted, under the name "
            f"{release.metadata['coursework']['set']}.ipynb, and grade again."
        )
        return path, "two notebooks", [note]
    if len(notebooks) == 1:
        return path, "", []
    names = ", ".join(sorted(notebooks))
    note = f"{len(notebooks)} notebooks were submitted ({names}); {path} was graded."
    return path, "", [note]


def _contents(notebook: NotebookNode, release: NotebookNode) -> str:
    """Return the texts and attachments of a repaired notebook as one string."""
    cells = repair(notebook, release).notebook.cells
    return "\0".join(f"{cell.source.strip()}{cell.get('attachments')}" for cell in cells)


def _fits(notebook: NotebookNode, release: NotebookNode) -> bool:
    """Return True if a notebook names the set or has enough of the release's cells."""
    sets = [each.metadata["coursework"].get("set") for each in (notebook, release)]
    count = sum(map(bool, _matches(notebook, release).values()))
    return sets[0] == sets[1] or count >= MIN_FRACTION_OF_CELLS * len(release.cells)


def _check_set_and_seed(notebook: NotebookNode, release: NotebookNode) -> tuple[Status, str]:
    """Return a status for a notebook of another set or seed, and a note."""
    submitted, released = notebook.metadata["coursework"], release.metadata["coursework"]
    name = released["set"]
    if submitted.get("set", name) != name:
        return "wrong set", f"This is a notebook of the set {submitted['set']}, not of {name}."
    if not _fits(notebook, release):
        return "wrong set", f"Most of the cells of the notebook of {name} are missing."
    if "set" not in submitted:
        return "", "Its metadata lack the set and seed; its cells belong to this set."
    if submitted.get("seed_tag") != released.get("seed_tag"):
        note = "It was released with another seed: its data belong to another year or group."
        return "wrong seed", note
    return "", ""


class RepairedSubmission(NamedTuple):
    """A submission with the cells of the release, without outputs."""

    notebook: NotebookNode
    notes: list[str]  # one sentence for each repair
    answered: set[str]  # ids of answer cells that were changed


def repair(submission: NotebookNode, release: NotebookNode) -> RepairedSubmission:
    """Return the release with the answers and the added cells of a submission."""
    matches = _matches(submission, release)
    names = {position: name for name, positions in matches.items() for position in positions}
    extra = defaultdict[str, list[Any]](list)
    previous = ""
    for position, cell in enumerate(submission.cells):
        if position not in names and cell.source.strip():
            extra[previous].append(_copy_as_extra(cell))
        previous = names.get(position, previous)
    notebook = nbformat.v4.new_notebook(metadata=copy.deepcopy(release.metadata))
    result = RepairedSubmission(notebook, [], set())
    cells = extra[""]
    restored = defaultdict[str, list[str]](list)
    for cell in release.cells:
        name = grade_id(cell)
        submitted = [submission.cells[position] for position in matches[name]]
        if is_solution(cell):
            cells += _answer_cells(cell, submitted, result)
        else:
            cells.append(_copy(cell))
            if {each.source.strip() for each in submitted} != {cell.source.strip()}:
                kind = "test" if is_test(cell) else "locked text"
                restored[f"{'changed' if submitted else 'missing'} {kind}"].append(name)
        cells += extra[name]
    notebook.cells = cells
    for kind, ids in restored.items():
        result.notes.append(f"Restored {kind} cells: {', '.join(ids)}.")
    return result


def _matches(submission: NotebookNode, release: NotebookNode) -> dict[str, list[int]]:
    """Return the positions of the release's cells in a submission, by id.

    A cell without an id of the release is identified by its text, by the function that it defines,
    or because it follows the right cell.
    """
    positions: dict[str, list[int]] = {grade_id(cell): [] for cell in release.cells}
    unknown = list[int]()
    for position, cell in enumerate(submission.cells):
        positions.get(grade_id(cell), unknown).append(position)
    for cell in release.cells:
        similar = [i for i in unknown if _is_same_cell(submission.cells[i], cell)]
        if similar and not positions[grade_id(cell)]:
            positions[grade_id(cell)].append(similar[0])
            unknown.remove(similar[0])
    for before, cell in pairwise(release.cells):
        position = max(positions[grade_id(before)], default=-2) + 1
        is_free = is_solution(cell) and not positions[grade_id(cell)] and position in unknown
        if is_free and submission.cells[position].cell_type == cell.cell_type:
            positions[grade_id(cell)].append(position)
            unknown.remove(position)
    return positions


def _is_same_cell(cell: NotebookNode, released: NotebookNode) -> bool:
    """Return True if a cell without an id of the release is the released cell."""
    text, released_text = cell.source.strip(), released.source.strip()
    functions = FUNCTION.findall(released_text)[:1] if is_solution(released) else []
    same = text == released_text or (functions and FUNCTION.findall(text)[:1] == functions)
    return bool(text and same and cell.cell_type == released.cell_type)


def _answer_cells(
    released: NotebookNode, cells: list[NotebookNode], result: RepairedSubmission
) -> list[NotebookNode]:
    """Return the student's answer in the released cell, after earlier versions of it.

    Of several cells with one id, the last one that differs from the release is graded. Earlier
    ones that differ still run; copies of the empty cell are dropped.
    """
    name = grade_id(released)
    empty = released.source.strip()
    if not cells:
        result.notes.append(f"The answer cell {name} was missing.")
        return [_copy(released, source=NO_ANSWER if released.cell_type == "code" else "")]
    changed = [cell for cell in cells if cell.source.strip() != empty or cell.get("attachments")]
    if len(cells) > 1:
        which = "the last changed one was graded" if changed else "all were empty"
        result.notes.append(f"The answer cell {name} occurred {len(cells)} times; {which}.")
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
