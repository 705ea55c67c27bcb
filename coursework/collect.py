"""Intake by ``nbgrader zip_collect``: files as learning platforms name them, and as students do.

nbgrader's own extractor unpacks without limits, and its collector stops the whole class at two
files of one student. Here each student's files are laid out alone, and what cannot be read is
told to whoever marks, in words that can be sent on.
"""

import hashlib
import io
import json
import re
import unicodedata
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin

MB = 1 << 20
MAX_FILE_BYTES = 50 * MB  # of one file
MAX_STUDENT_BYTES = 100 * MB  # of all that one student handed in
MAX_FILES = 500
CLASS_FACTOR = 20  # times as much is in the zip of a whole class
MAX_NAME_LENGTH = 80  # characters of a name
SYSTEM_FILES = re.compile(r"^(\..*|__MACOSX|~\$.*|Thumbs\.db|desktop\.ini|.*\.lnk|__pycache__)$")
IMAGE_TYPES = ("image/png", "image/jpeg")
WEB = "is a web page, not a notebook: the notebook itself has to be downloaded"
FILE_SIGNATURES = {b"%pdf": "is a PDF, not a notebook", b"<!doctype": WEB, b"<html": WEB}
# How platforms call what they hand over: a folder or a file for each student.
MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_\w+?_(?P<file>.*)")
CANVAS = re.compile(r"(?P<name>[^_]+)_(?:late_)?(?P<id>\d+)_\d+_(?P<file>.+)")
INFO_FILE, TIMESTAMP_FILE = "intake.json", "timestamp.txt"


class InvalidNotebookError(ValueError):
    """A file that is not a notebook; the message says what it is."""


class SubmittedFile(NamedTuple):
    """A file that was handed in: its path, its content or why there is none, its time."""

    path: str
    content: bytes | str
    time: float


class Extractor(ExtractorPlugin):  # type: ignore[misc]
    """Lays out a folder for each student, in which the notebook has the name of the set."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Unpack what the platform gave, and what students packed, within limits."""
        archive = Path(archive_path)
        for student, files in submitted_files(archive, archive.parent.name).items():
            try:
                self._lay_out(Path(extracted_path) / student, files, archive.parent.name)
            except Exception:
                self.log.exception("%s could not be laid out. Look into %s.", student, archive)

    def _lay_out(self, folder: Path, files: list[SubmittedFile], name: str) -> None:
        folder.mkdir(parents=True)
        notes = [f"{file.path} {file.content}." for file in files if isinstance(file.content, str)]
        contents = {file.path: file.content for file in files if isinstance(file.content, bytes)}
        notebooks: dict[str, str] = {}
        for path, content in contents.items():
            begins = content.lstrip()[:1] == b"{" and b'"cells"' in content
            if begins or path.lower().endswith(".ipynb"):
                number = f" ({len(notebooks) + 1})" if notebooks else ""
                notebooks[f"{name}{number}.ipynb"] = path
        if not notebooks:  # one that cannot be read; what it is will be told
            notebooks = {f"{name}.ipynb": next(iter(contents), "The notebook")}
            contents.setdefault("The notebook", b"")
        others = contents.keys() - {*notebooks.values(), "data.npz", TIMESTAMP_FILE, INFO_FILE}
        for target, path in {**{path: path for path in others}, **notebooks}.items():
            (folder / target).parent.mkdir(parents=True, exist_ok=True)
            (folder / target).write_bytes(contents[path])
        about = {"notebooks": notebooks, "notes": notes}
        (folder / INFO_FILE).write_text(json.dumps(about), "utf-8")
        when = datetime.fromtimestamp(max(file.time for file in files), UTC)
        (folder / TIMESTAMP_FILE).write_text(when.strftime("%Y-%m-%d %H:%M:%S UTC"))


class Collector(FileNameCollectorPlugin):  # type: ignore[misc]
    """Takes the files as `Extractor` laid them out."""

    def collect(self, submitted_file: str) -> dict[str, str]:
        """Return the student, and the path of a file in the student's folder."""
        extracted = self.parent._format_collect_path(self.parent.extracted_directory)
        student, *path = Path(submitted_file).relative_to(extracted).parts
        return {"student_id": student, "file_id": "/".join(path)}


def submitted_files(archive: Path, name: str) -> dict[str, list[SubmittedFile]]:
    """Return the files of each student: a file or a folder each, or the zip of a platform."""
    found: dict[str, list[SubmittedFile]] = defaultdict(list)
    for path in sorted(archive.iterdir()):
        if SYSTEM_FILES.match(path.name):
            continue
        files = [*_read_path(path)]
        if _platform(path.name) or not any(_platform(file.path) for file in files):
            inside = path.is_dir() and not path.is_symlink()
            found[student_of(path.name if inside else path.stem, name)] += files
            continue
        for file in files:  # the zip or the folder of a whole class
            first, _, rest = file.path.partition("/")
            known = _platform(first)
            within = rest or (known and known["file"]) or first
            opened = _unzip(within, file.content, file.time)
            found[student_of(first, name)] += [each._replace(time=file.time) for each in opened]
    return {student: _with_unique_paths(files) for student, files in found.items()}


def _platform(name: str) -> re.Match[str] | None:
    first = name.split("/")[0]
    return MOODLE.fullmatch(first) or CANVAS.fullmatch(first)


def student_of(name: str, set_name: str) -> str:
    """Return the student whom a file belongs to, as a name that nbgrader can use.

    Examples
    --------
    >>> student_of("Anna Li_123456_assignsubmission_file_", "1-spectra")
    'Anna Li_123456'
    >>> student_of("anna_2-1-spectra (1)", "1-spectra")
    'anna_2'
    """
    if known := _platform(name):
        return safe_name(f"{known['name']}_{known['id']}")
    copy = r"([-_ ]?\(?\d+\)?)?"
    stem = re.sub(r"[-_ ]?\(\d+\)$", "", re.sub(rf"[-_ .]+{re.escape(set_name)}{copy}$", "", name))
    return safe_name(stem or name)


def safe_name(name: str) -> str:
    """Return a name without what stops nbgrader, a file system or a terminal."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    text = unicodedata.normalize("NFC", text)
    text = "".join("" if unicodedata.category(c)[0] == "C" else c for c in text)
    text = re.sub(r"[/\\*?\[\]{}:,]", "_", text).strip(" .") or "unnamed"
    if len(text) > MAX_NAME_LENGTH:
        text = f"{text[:MAX_NAME_LENGTH]}-{hashlib.sha256(text.encode()).hexdigest()[:6]}"
    return text


def _with_unique_paths(files: list[SubmittedFile]) -> list[SubmittedFile]:
    """Return files under paths that can be written, no two the same, none out of the folder."""
    found: dict[str, SubmittedFile] = {}
    for file in files:
        path = "/".join(map(safe_name, PurePosixPath(file.path).parts)) or "unnamed"
        while path in found:
            path = str(PurePosixPath(path).with_suffix("")) + " (2)" + PurePosixPath(path).suffix
        found[path] = file._replace(path=path)
    return list(found.values())


def _read_path(path: Path) -> Iterator[SubmittedFile]:
    """Yield the files at a path. Links are not followed: they could lead to another's work."""
    if path.is_symlink() or not path.is_dir():
        yield from _unzip(path.name, _read_file(path), path.lstat().st_mtime)
        return
    files = [file for file in sorted(path.rglob("*")) if file.is_symlink() or not file.is_dir()]
    names = [file.relative_to(path).as_posix() for file in files]
    yield from _within_limits(
        found
        for name, file in zip(names, files, strict=True)
        for found in _unzip(name, _read_file(file), file.lstat().st_mtime)
    )


def _read_file(file: Path) -> bytes | str:
    if file.is_symlink() or not file.is_file():
        return "is a link or a device, not a file"
    if file.stat().st_size > MAX_FILE_BYTES:
        return f"is larger than {MAX_FILE_BYTES // MB} MB"
    try:
        return file.read_bytes()
    except OSError as error:
        return f"cannot be read ({error.strerror})"


def _unzip(name: str, content: bytes | str, time: float) -> Iterator[SubmittedFile]:
    """Yield a file, or the files in it if it is a zip file."""
    if isinstance(content, str) or not (name.lower().endswith(".zip") or content[:2] == b"PK"):
        yield SubmittedFile(name, content, time)
        return
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            yield from _within_limits(_zip_entries(archive, time))
    except Exception as error:  # zlib and lzma raise their own
        yield SubmittedFile(
            name, f"is a zip file that cannot be opened ({type(error).__name__})", time
        )


def _zip_entries(archive: zipfile.ZipFile, time: float) -> Iterator[SubmittedFile]:
    """Yield what is in a zip file. The clock that packed it counts where a platform did."""
    for entry in archive.infolist():
        if not entry.is_dir():
            with archive.open(entry) as file:
                inside: bytes | str = file.read(MAX_FILE_BYTES + 1)
            if len(inside) > MAX_FILE_BYTES:
                inside = f"unpacks to more than {MAX_FILE_BYTES // MB} MB"
            known = _platform(entry.filename)
            when = datetime(*entry.date_time).timestamp() if known else time
            yield SubmittedFile(entry.filename.replace("\\", "/"), inside, when)


def _within_limits(files: Iterable[SubmittedFile]) -> Iterator[SubmittedFile]:
    """Yield files until they are too many or too large, and none that a system has added."""
    count = room = 0
    for file in files:
        if any(SYSTEM_FILES.match(part) for part in PurePosixPath(file.path).parts):
            continue
        count, room = count + 1, room + len(file.content)
        students = CLASS_FACTOR if _platform(file.path) else 1
        if count > MAX_FILES * students or room > MAX_STUDENT_BYTES * students:
            yield file._replace(content="is one file too many, or too large")
            return
        yield file


def read_notebook(content: bytes) -> NotebookNode:
    """Read a notebook as its cells and the few metadata that count.

    Raises
    ------
    Unreadable
        If it is none; the message says what it is instead.
    """
    start = content.lstrip()[:20].lower()
    for sign, what in FILE_SIGNATURES.items():
        if start.startswith(sign):
            raise InvalidNotebookError(what)
    if start[:1] not in (b"{", b"\xef", b"\xff", b"\xfe"):
        raise InvalidNotebookError("is not a notebook" if start else "is empty")
    try:
        raw = json.loads(content)
        known = raw["metadata"].get("coursework", {}).items()
        about = {name: safe_name(str(part)) for name, part in known}
        whole = {"cells": [*map(_cell, raw["cells"])], "metadata": {"coursework": about}}
    except json.JSONDecodeError as error:
        end = len(error.doc.rstrip()) - 1
        cut = error.pos >= end or error.msg.startswith("Unterminated")
        what = "is truncated: the file ends in the middle" if cut else f"is not JSON: {error}"
        raise InvalidNotebookError(what) from error
    except (RecursionError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise InvalidNotebookError("is not JSON that a notebook could be") from error
    notebook: NotebookNode = nbformat.from_dict({**whole, "nbformat": 4, "nbformat_minor": 5})
    return notebook


def _cell(raw: dict[str, Any]) -> dict[str, Any]:
    """Return a cell with its kind, text, id, nbgrader id, and pictures pasted into it."""
    source = raw["source"] if isinstance(raw["source"], str) else "".join(raw["source"])
    source = source.encode("utf-8", "replace").decode("utf-8").replace("\r\n", "\n")
    kind, name = raw["cell_type"], raw["metadata"].get("nbgrader", {}).get("grade_id")
    if kind not in ("code", "markdown", "raw"):
        raise ValueError(f"a cell of the kind {kind}")
    cell = {"cell_type": kind, "source": source, "id": str(raw.get("id", ""))}
    cell["metadata"] = {"nbgrader": {"grade_id": str(name)}} if name else {}
    if kind == "markdown" and (attached := raw.get("attachments")):
        cell["attachments"] = {
            name: {mime: str(text) for mime, text in data.items() if mime in IMAGE_TYPES}
            for name, data in attached.items()
        }
    return cell


def accompanying_files(folder: Path) -> dict[str, bytes]:
    """Return the files that stand beside a notebook, by their paths, without links."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
        if path.suffix != ".ipynb" and path.name not in (INFO_FILE, TIMESTAMP_FILE)
    }
