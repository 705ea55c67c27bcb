"""Reading of a submission: the choice of the notebook, its set and seed, and its repair."""

import json
from pathlib import Path
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode

from coursework.collect import INFO_FILE, accompanying_files, safe_name
from coursework.repair_submission import fraction_of_cells_found, repair
from coursework.sets import grade_id

# A notebook without metadata belongs to the set if it has this fraction of its cells.
MIN_FRACTION_OF_CELLS = 0.5
MAX_CELL_LENGTH = 1_000_000  # characters; the rest is cut off, because rendering takes too long
IMAGE_TYPES = ("image/png", "image/jpeg")
WEB_PAGE = "is a web page, not a notebook: the notebook itself has to be downloaded"
FILE_SIGNATURES = {
    b"%pdf": "is a PDF, not a notebook",
    b"<!doctype": WEB_PAGE,
    b"<html": WEB_PAGE,
}


class InvalidNotebookError(ValueError):
    """Error for a file that is not a notebook; the message says what it is."""


def read_submission(path: Path, release: NotebookNode) -> NotebookNode:
    """Return a submission with the cells of the release.

    Its metadata contain under ``coursework`` a ``fault``, if a person has to look at it before
    it is graded, ``notes``, the ids of the cells that were ``answered``, and whether cells or
    files were ``added``.
    """
    info = path.parent / INFO_FILE
    about = json.loads(info.read_text("utf-8")) if info.is_file() else {}
    found, notes = {}, [*about.get("notes", ())]
    for file in sorted(path.parent.glob("*.ipynb"), key=lambda file: (file != path, file.name)):
        name = about.get("notebooks", {}).get(file.name, file.name)
        try:
            found[name] = read_notebook(file.read_bytes())
        except InvalidNotebookError as error:
            notes.append(f"{name} {error}.")
    chosen, fault, more = _choose_notebook(found, release)
    if not fault:
        fault, note = _check_set_and_seed(found[chosen], release)
        more += [note] * bool(note)
    result = repair(found.get(chosen, release), release)
    files = sorted({*accompanying_files(path.parent)} - {"data.npz"})
    if files:
        more.append(f"Files next to the notebook: {', '.join(files)}.")
    notebook = result.notebook
    notebook.metadata["coursework"] = {
        **release.metadata["coursework"],
        "fault": fault,
        "notes": [*notes, *more, *result.notes],
        "answered": sorted(result.answered),
        "added": bool(files) or any(not grade_id(cell) for cell in notebook.cells),
    }
    return notebook


def read_notebook(content: bytes) -> NotebookNode:
    """Read the cells of a notebook and the metadata that grading uses.

    Raises
    ------
    InvalidNotebookError
        If the content is not a notebook; the message says what it is.
    """
    start = content.lstrip()[:20].lower()
    for signature, reason in FILE_SIGNATURES.items():
        if start.startswith(signature):
            raise InvalidNotebookError(reason)
    if start[:1] not in (b"{", b"\xef", b"\xff", b"\xfe"):
        raise InvalidNotebookError("is not a notebook" if start else "is empty")
    try:
        raw = json.loads(content)
        known = raw["metadata"].get("coursework", {}).items()
        about = {name: safe_name(str(value)) for name, value in known}
        whole = {"cells": [*map(_read_cell, raw["cells"])], "metadata": {"coursework": about}}
    except json.JSONDecodeError as error:
        end = len(error.doc.rstrip()) - 1
        is_cut = error.pos >= end or error.msg.startswith("Unterminated")
        reason = "is truncated: the file ends in the middle" if is_cut else f"is not JSON: {error}"
        raise InvalidNotebookError(reason) from error
    except (RecursionError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise InvalidNotebookError("is not the JSON of a notebook") from error
    notebook: NotebookNode = nbformat.from_dict({**whole, "nbformat": 4, "nbformat_minor": 5})
    return notebook


def _read_cell(raw: dict[str, Any]) -> dict[str, Any]:
    """Return the type, text, ids and pasted images of a cell."""
    source = raw["source"] if isinstance(raw["source"], str) else "".join(raw["source"])
    source = source.encode("utf-8", "replace").decode("utf-8").replace("\r\n", "\n")
    kind, name = raw["cell_type"], raw["metadata"].get("nbgrader", {}).get("grade_id")
    if kind not in ("code", "markdown", "raw"):
        raise ValueError(f"The cell type {kind!r} is not code, markdown or raw.")
    cell = {"cell_type": kind, "source": source[:MAX_CELL_LENGTH]}
    cell["id"] = str(raw.get("id", ""))
    cell["metadata"] = {"nbgrader": {"grade_id": str(name)}} if name else {}
    if kind == "markdown" and (attached := raw.get("attachments")):
        cell["attachments"] = {
            name: {mime: str(text) for mime, text in data.items() if mime in IMAGE_TYPES}
            for name, data in attached.items()
        }
    return cell


def _choose_notebook(
    found: dict[str, NotebookNode], release: NotebookNode
) -> tuple[str, str, list[str]]:
    """Return the path of the notebook to grade, a fault if there is no single one, and notes."""
    if not found:
        return "", "unreadable", []
    fitting = {path: each for path, each in found.items() if _fits(each, release)} or found
    empty = _contents(release, release)
    texts = {path: _contents(each, release) for path, each in fitting.items()}
    changed = {path: text for path, text in texts.items() if text != empty} or texts
    path, name = next(iter(changed)), _set_name(release)
    if len({*changed.values()}) > 1:
        note = (
            f"Which of the notebooks counts? They differ: {', '.join(sorted(changed))}. Leave one "
            f"of them in the folder submitted, under the name {name}.ipynb, and grade again."
        )
        return path, "two notebooks", [note]
    names = ", ".join(sorted(found))
    note = f"{len(found)} notebooks were submitted ({names}); {path} was graded."
    return path, "", [note] * (len(found) > 1)


def _contents(notebook: NotebookNode, release: NotebookNode) -> str:
    """Return the texts and attachments of a repaired notebook as one string."""
    cells = repair(notebook, release).notebook.cells
    return "\0".join(f"{cell.source.strip()}{cell.get('attachments')}" for cell in cells)


def _set_name(notebook: NotebookNode) -> str:
    """Return the name of the set in the metadata of a notebook, or an empty string."""
    return str(notebook.metadata.get("coursework", {}).get("set", ""))


def _fits(notebook: NotebookNode, release: NotebookNode) -> bool:
    """Return True if a notebook names the set or has enough of the release's cells."""
    enough = fraction_of_cells_found(notebook, release) >= MIN_FRACTION_OF_CELLS
    return enough or _set_name(notebook) == _set_name(release)


def _check_set_and_seed(notebook: NotebookNode, release: NotebookNode) -> tuple[str, str]:
    """Return the fault of a notebook of another set or seed, and a note."""
    name, known = _set_name(release), _set_name(notebook)
    if known and known != name:
        return "wrong set", f"This is a notebook of the set {known[:80]}, not of {name}."
    if not known and not _fits(notebook, release):
        return "wrong set", f"Most of the cells of the notebook of {name} are missing."
    if not known:
        return "", "Its metadata lack the set and seed; its cells are those of this set."
    tags = [each.metadata["coursework"].get("seed_tag") for each in (notebook, release)]
    if tags[0] != tags[1]:
        note = "It was released with another seed: the data are those of another year or group."
        return "wrong seed", note
    return "", ""
