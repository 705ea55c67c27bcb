"""Reading of a submission: the choice of the notebook, its set and seed, and its repair."""

import json
from pathlib import Path

from nbformat.notebooknode import NotebookNode

from coursework.collect import (
    INFO_FILE,
    InvalidNotebookError,
    accompanying_files,
    read_notebook,
)
from coursework.repair_submission import fraction_of_cells_found, repair
from coursework.sets import grade_id

# A notebook without metadata belongs to the set if it has this fraction of its cells.
MIN_FRACTION_OF_CELLS = 0.5


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


def _choose_notebook(
    found: dict[str, NotebookNode], release: NotebookNode
) -> tuple[str, str, list[str]]:
    """Return the path of the notebook to grade, a fault if there is no single one, and notes."""
    if not found:
        return "", "unreadable", []
    name = _set_name(release)
    fitting = {
        path: notebook
        for path, notebook in found.items()
        if _set_name(notebook) == name or _has_cells(notebook, release)
    } or found
    empty = _contents(repair(release, release).notebook)
    texts = {path: _contents(repair(each, release).notebook) for path, each in fitting.items()}
    changed = {path: text for path, text in texts.items() if text != empty} or texts
    path, names = next(iter(changed)), ", ".join(sorted(found))
    if len({*changed.values()}) > 1:
        note = (
            f"Which of the notebooks counts? They differ: {', '.join(sorted(changed))}. Leave one "
            f"of them in the folder submitted, under the name {name}.ipynb, and grade again."
        )
        return path, "two notebooks", [note]
    note = f"{len(found)} notebooks were submitted ({names}); {path} was graded."
    return path, "", [note] * (len(found) > 1)


def _contents(notebook: NotebookNode) -> str:
    """Return the texts and attachments of a notebook as one string."""
    return "\0".join(f"{cell.source.strip()}{cell.get('attachments')}" for cell in notebook.cells)


def _set_name(notebook: NotebookNode) -> str:
    """Return the name of the set in the metadata of a notebook, or an empty string."""
    return str(notebook.metadata.get("coursework", {}).get("set", ""))


def _has_cells(notebook: NotebookNode, release: NotebookNode) -> bool:
    """Return True if a notebook has enough of the release's cells."""
    return fraction_of_cells_found(notebook, release) >= MIN_FRACTION_OF_CELLS


def _check_set_and_seed(notebook: NotebookNode, release: NotebookNode) -> tuple[str, str]:
    """Return the fault of a notebook of another set or seed, and a note."""
    about, name = notebook.metadata.get("coursework", {}), _set_name(release)
    known = _set_name(notebook)
    if known and known != name:
        return "wrong set", f"This is a notebook of the set {known[:80]}, not of {name}."
    if not known and not _has_cells(notebook, release):
        return "wrong set", f"Most of the cells of the notebook of {name} are missing."
    if not known:
        return "", "Its metadata lack the set and seed; its cells are those of this set."
    if about.get("seed_tag") != release.metadata["coursework"].get("seed_tag"):
        note = "It was released with another seed: the data are those of another year or group."
        return "wrong seed", note
    return "", ""
