"""Find submissions in a folder: one file or one folder a student, zip files among them.

What is not a notebook is not an error of this program: it becomes a submission with a fault, in
words that the teacher can send on.
"""

import hashlib
import io
import json
import re
import unicodedata
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode

from coursework.restore import recognised, restored
from coursework.sets import seed_tag

MB = 1 << 20
LARGEST = 50 * MB  # of one file
TOGETHER = 100 * MB  # of all that one student handed in
BESIDE = 20 * MB  # of other files that the notebook may read
FILES = 500
ENOUGH = 0.5  # of the cells make a notebook of unknown set one of this set
IGNORED = re.compile(r"^(\..*|__MACOSX|~\$.*|Thumbs\.db|desktop\.ini|.*\.lnk|__pycache__)$")
PICTURES = ("image/png", "image/jpeg")

UNREADABLE, TWO = "unreadable", "two notebooks"
WRONG_SET, WRONG_SEED = "wrong set", "wrong seed"


class Unreadable(ValueError):
    """A file that is not a notebook; the message says what it is."""


@dataclass(frozen=True)
class Submission:
    """What one student handed in.

    Attributes
    ----------
    student : str
        Name of the file or folder.
    digest : str
        Of all that was handed in.
    notebook : NotebookNode or None
        The notebook to grade, if there is one.
    files : dict
        Other files, by name.
    fault : str
        The status that it has without being run, or nothing.
    notes : tuple of str
        A sentence for each thing that was out of order.
    """

    student: str
    digest: str
    notebook: NotebookNode | None = None
    files: dict[str, bytes] = field(default_factory=dict)
    fault: str = ""
    notes: tuple[str, ...] = ()


def submissions(inbox: Path, name: str, seed: int, release: NotebookNode) -> list[Submission]:
    """Find all submissions of a folder.

    Parameters
    ----------
    inbox : pathlib.Path
        The folder: a file for each student, or a folder for each, also both.
    name : str
        Name of the set.
    seed : int
        The instructor's seed.
    release : NotebookNode
        What students were given.

    Returns
    -------
    list of Submission
        Sorted by student.
    """
    handed_in: dict[str, list[tuple[str, bytes | str]]] = {}
    for path in sorted(inbox.iterdir()):
        if not IGNORED.match(path.name):
            handed_in.setdefault(_student(path, name), []).extend(_files(path))
    return [
        _submission(student, files, name, seed, release)
        for student, files in sorted(handed_in.items())
    ]


def _student(path: Path, name: str) -> str:
    """Return the student's name: that of the folder, or of the file without the set's name."""
    stem = path.name if path.is_dir() and not path.is_symlink() else path.stem
    stem = unicodedata.normalize("NFC", stem)
    return re.sub(rf"[-_ .]+{re.escape(name)}([-_ ]?\(?\d+\)?)?$", "", stem) or stem


def _files(path: Path) -> Iterator[tuple[str, bytes | str]]:
    """Yield name and content of all files; in the place of a content, why it cannot be read.

    Links are not followed: they could lead to another student's work.
    """
    if path.is_symlink():
        yield path.name, "is a link, not a file"
    elif path.is_dir():
        room = TOGETHER
        found = (file for file in sorted(path.rglob("*")) if not file.is_dir())
        for count, file in enumerate(found):
            inside = file.relative_to(path)
            if any(IGNORED.match(part) for part in inside.parts):
                continue
            if count > FILES or room <= 0:
                yield str(inside), "is one file too many, or too large"
                return
            for name, content in _opened(inside.as_posix(), _content(file)):
                room -= len(content)
                yield name, content
    else:
        yield from _opened(path.name, _content(path))


def _content(file: Path) -> bytes | str:
    if file.is_symlink() or not file.is_file():
        return "is a link or a device, not a file"
    if file.stat().st_size > LARGEST:
        return f"is larger than {LARGEST // MB} MB"
    try:
        return file.read_bytes()
    except OSError as error:
        return f"cannot be read ({error.strerror})"


def _opened(name: str, content: bytes | str) -> Iterator[tuple[str, bytes | str]]:
    """Yield a file, or the files in it if it is a zip file."""
    if isinstance(content, str) or not (name.lower().endswith(".zip") or content[:2] == b"PK"):
        yield name, content
        return
    room = TOGETHER
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for count, entry in enumerate(archive.infolist()):
                parts = PurePosixPath(entry.filename.replace("\\", "/")).parts
                if entry.is_dir() or any(IGNORED.match(part) for part in parts):
                    continue
                if count > FILES:
                    yield name, f"holds more than {FILES} files"
                    return
                with archive.open(entry) as file:
                    inside = file.read(min(room, LARGEST) + 1)
                room -= len(inside)
                if room < 0 or len(inside) > LARGEST:
                    yield name, f"unpacks to more than {TOGETHER // MB} MB"
                    return
                yield "/".join(parts), inside
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, ValueError) as error:
        yield name, f"is no zip file that can be opened ({error})"
    except Exception as error:  # zlib and lzma raise their own
        yield name, f"is a damaged zip file ({type(error).__name__})"


def _submission(
    student: str,
    files: list[tuple[str, bytes | str]],
    name: str,
    seed: int,
    release: NotebookNode,
) -> Submission:
    """Find the notebook among a student's files."""
    digest = _digest(files)
    found: dict[str, NotebookNode] = {}
    faults, rest = [], {}
    for path, content in files:
        if isinstance(content, str):
            faults.append(f"{path} {content}.")
        elif _may_be_notebook(path, content):
            try:
                found[path] = readable(content)
            except Unreadable as error:
                faults.append(f"{path} {error}.")
        else:
            rest[path] = content
    if not found:
        faults += [f"{path} {_kind(content)}." for path, content in rest.items()]
        return Submission(student, digest, None, {}, UNREADABLE, tuple(faults or ["No file."]))
    path, notes = _chosen(found, name, release)
    if not path:
        return Submission(student, digest, None, {}, TWO, (*notes, *faults))
    fault, why = _fits(found[path], name, seed, release)
    beside, left = _beside(rest)
    notes = (*notes, *faults, *why, *left)
    return Submission(student, digest, found[path], beside, fault, notes)


def _digest(files: list[tuple[str, bytes | str]]) -> str:
    digest = hashlib.sha256()
    for name, content in sorted(files, key=lambda file: file[0]):
        data = content.encode() if isinstance(content, str) else content
        digest.update(f"{name!r} {len(data)} ".encode("utf-8", "replace") + data)
    return digest.hexdigest()


def _may_be_notebook(path: str, content: bytes) -> bool:
    """Tell whether a file is a notebook by its name, or by what it holds."""
    if path.lower().endswith(".ipynb"):
        return True
    return content.lstrip()[:1] == b"{" and b'"cells"' in content and b'"nbformat"' in content


def readable(content: bytes) -> NotebookNode:
    """Read a notebook as its cells and the few metadata that count.

    Raises
    ------
    Unreadable
        If it is none; the message says what it is instead.
    """
    if not content.strip():
        raise Unreadable("is empty")
    if content.lstrip()[:1] not in (b"{", b"\xef", b"\xff", b"\xfe"):
        raise Unreadable(_kind(content))
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise Unreadable("is not a text: its bytes are no UTF-8") from error
    try:
        raw = json.loads(text)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) - 1 or error.msg.startswith("Unterminated")
        raise Unreadable(
            "is truncated: the file ends in the middle" if cut else f"is not JSON: {error}"
        ) from error
    except (RecursionError, ValueError) as error:
        raise Unreadable("is not JSON that a notebook could be") from error
    return _plain(raw)


def _plain(raw: Any) -> NotebookNode:
    """Return the cells of a notebook, each with its kind, text, id and nbgrader id."""
    if not isinstance(raw, dict) or not isinstance(raw.get("nbformat"), int):
        raise Unreadable("is JSON but not a notebook")
    if raw["nbformat"] < 4:
        try:
            raw = nbformat.convert(nbformat.from_dict(raw), 4)
        except Exception as error:
            raise Unreadable("is a notebook of an old form that cannot be converted") from error
    if not isinstance(raw.get("cells"), list):
        raise Unreadable("is JSON but not a notebook: it has no cells")
    about = raw.get("metadata")
    about = about if isinstance(about, dict) else {}
    kept = {key: about[key] for key in ("coursework", "kernelspec") if _is_flat(about.get(key))}
    cells = [cell for each in raw["cells"] if isinstance(each, dict) and (cell := _cell(each))]
    whole = {"cells": cells, "metadata": kept, "nbformat": 4, "nbformat_minor": 5}
    notebook: NotebookNode = nbformat.from_dict(whole)
    return notebook


def _is_flat(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(part, (str, int, float, bool, type(None))) for part in value.values()
    )


def _cell(raw: dict[str, Any]) -> NotebookNode | None:
    kind, source = raw.get("cell_type"), raw.get("source", "")
    if isinstance(source, list):
        source = "".join(map(str, source))
    if kind not in ("code", "markdown", "raw") or not isinstance(source, str):
        return None
    source = source.encode("utf-8", "replace").decode("utf-8").replace("\r\n", "\n")
    about = raw.get("metadata")
    graded = about.get("nbgrader") if isinstance(about, dict) else None
    name = graded.get("grade_id") if isinstance(graded, dict) else None
    cell: NotebookNode = nbformat.from_dict({"cell_type": kind, "source": source, "metadata": {}})
    if isinstance(name, str):
        cell.metadata = nbformat.from_dict({"nbgrader": {"grade_id": name}})
    if isinstance(raw.get("id"), str):
        cell.id = raw["id"]
    if kind == "markdown" and isinstance(raw.get("attachments"), dict):
        cell.attachments = nbformat.from_dict(_pictures(raw["attachments"]))
    return cell


def _pictures(attachments: dict[str, Any]) -> dict[str, dict[str, str]]:
    """Return the pictures that were pasted into an answer, and nothing else."""
    return {
        str(name): {
            mime: data[mime]
            for mime in PICTURES
            if isinstance(data.get(mime), str) and re.fullmatch(r"[\w+/=\s]*", data[mime])
        }
        for name, data in attachments.items()
        if isinstance(data, dict)
    }


def _kind(content: bytes) -> str:
    """Say what a file is that is no notebook."""
    start = content.lstrip()[:20].lower()
    if not start:
        return "is empty"
    if start.startswith(b"%pdf"):
        return "is a PDF, not a notebook"
    if start.startswith((b"<!doctype", b"<html")):
        return "is a web page, not a notebook: the notebook itself has to be downloaded"
    return "is not a notebook"


def _chosen(
    found: dict[str, NotebookNode], name: str, release: NotebookNode
) -> tuple[str, tuple[str, ...]]:
    """Choose the notebook to grade; none where a person has to."""
    if len(found) == 1:
        return next(iter(found)), ()
    fitting = {
        path: notebook
        for path, notebook in found.items()
        if _set_of(notebook) == name or recognised(notebook, release) >= ENOUGH
    } or found
    work = {path: restored(notebook, release) for path, notebook in fitting.items()}
    begun = {path: each for path, each in work.items() if each.answered} or work
    different = {_text(each.notebook): path for path, each in reversed(begun.items())}
    names = ", ".join(sorted(found))
    if len(different) == 1:
        path = next(iter(different.values()))
        return path, (f"{len(found)} notebooks were handed in ({names}); {path} was graded.",)
    return "", (f"Which of the notebooks counts? They differ: {', '.join(sorted(begun))}.",)


def _text(notebook: NotebookNode) -> str:
    return "\0".join(cell.source.strip() for cell in notebook.cells)


def _set_of(notebook: NotebookNode) -> str:
    return str(notebook.metadata.get("coursework", {}).get("set", ""))


def _fits(
    notebook: NotebookNode, name: str, seed: int, release: NotebookNode
) -> tuple[str, tuple[str, ...]]:
    """Return the status of a notebook of another set or seed, with a sentence."""
    about = notebook.metadata.get("coursework", {})
    known = _set_of(notebook)
    if known and known != name:
        return WRONG_SET, (f"It is a notebook of the set {known}, not of {name}.",)
    if not known and recognised(notebook, release) < ENOUGH:
        return WRONG_SET, (f"It is not the notebook of {name}: most of its cells are not there.",)
    if not known:
        return "", ("It has lost its set and seed; its cells are those of this set.",)
    if about.get("seed_tag") not in (None, seed_tag(name, seed)):
        why = "It was released with another seed: another year's or another group's data."
        return WRONG_SEED, (why,)
    kernel = str(notebook.metadata.get("kernelspec", {}).get("name", "python3"))
    strange = kernel not in ("python3", "python", "conda-base-py")
    return "", (f"Its kernel {kernel!r} is unknown here; it was run with Python.",) * strange


def _beside(files: dict[str, bytes]) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Return the other files that the notebook may read, and what was left out."""
    kept: dict[str, bytes] = {}
    left = []
    for path, content in files.items():
        parts = PurePosixPath(path).parts
        safe = parts and not path.startswith("/") and ".." not in parts and "\0" not in path
        if not safe or sum(map(len, kept.values())) + len(content) > BESIDE:
            left.append(f"{path} was left out.")
        elif path != "data.npz":
            kept[path] = content
    return kept, tuple(left)
