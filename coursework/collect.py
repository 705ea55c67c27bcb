"""Collection of submissions by ``nbgrader zip_collect``, from Moodle, Canvas and plain files.

nbgrader's extractor unpacks archives without limits, and its collector stops at two files of one
student. Here each student gets a folder, and files that cannot be read are reported to the
person who marks, in words that can be forwarded to the student.
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
MAX_FILE_BYTES = 50 * MB
MAX_STUDENT_BYTES = 100 * MB
MAX_FILES = 500  # per student
CLASS_FACTOR = 20  # the archive of a class may be this many times as large
MAX_NAME_LENGTH = 80
SYSTEM_FILES = re.compile(r"^(\..*|__MACOSX|~\$.*|Thumbs\.db|desktop\.ini|.*\.lnk|__pycache__)$")
IMAGE_TYPES = ("image/png", "image/jpeg")
WEB_PAGE = "is a web page, not a notebook: the notebook itself has to be downloaded"
FILE_SIGNATURES = {
    b"%pdf": "is a PDF, not a notebook",
    b"<!doctype": WEB_PAGE,
    b"<html": WEB_PAGE,
}
# File and folder names of the archives of learning platforms.
MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_\w+?_(?P<file>.*)")
CANVAS = re.compile(r"(?P<name>[^_]+)_(?:late_)?(?P<id>\d+)_\d+_(?P<file>.+)")
INFO_FILE, TIMESTAMP_FILE = "collected.json", "timestamp.txt"


class InvalidNotebookError(ValueError):
    """Error for a file that is not a notebook; the message says what it is."""


class SubmittedFile(NamedTuple):
    """A submitted file: its path, its content or the reason why there is none, and its time."""

    path: str
    content: bytes | str
    time: float


class Extractor(ExtractorPlugin):  # type: ignore[misc]
    """Plugin that writes a folder for each student, with the notebook named after the set."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Unpack the files of the platform and of the students, within limits."""
        archive = Path(archive_path)
        for student, files in submitted_files(archive, archive.parent.name).items():
            try:
                self._write_folder(Path(extracted_path) / student, files, archive.parent.name)
            except Exception:
                self.log.exception("The files of %s in %s cannot be written.", student, archive)

    def _write_folder(self, folder: Path, files: list[SubmittedFile], name: str) -> None:
        folder.mkdir(parents=True)
        notes = [f"{file.path} {file.content}." for file in files if isinstance(file.content, str)]
        contents = {file.path: file.content for file in files if isinstance(file.content, bytes)}
        notebooks: dict[str, str] = {}
        for path, content in contents.items():
            looks_right = content.lstrip()[:1] == b"{" and b'"cells"' in content
            if looks_right or path.lower().endswith(".ipynb"):
                number = f" ({len(notebooks) + 1})" if notebooks else ""
                notebooks[f"{name}{number}.ipynb"] = path
        if not notebooks:  # grading reports what the first file is instead
            notebooks = {f"{name}.ipynb": next(iter(contents), "The notebook")}
            contents.setdefault("The notebook", b"")
        others = contents.keys() - {*notebooks.values(), "data.npz", TIMESTAMP_FILE, INFO_FILE}
        for target, path in {**{path: path for path in others}, **notebooks}.items():
            (folder / target).parent.mkdir(parents=True, exist_ok=True)
            (folder / target).write_bytes(contents[path])
        about = {"notebooks": notebooks, "notes": notes}
        (folder / INFO_FILE).write_text(json.dumps(about), "utf-8")
        time = datetime.fromtimestamp(max(file.time for file in files), UTC)
        (folder / TIMESTAMP_FILE).write_text(time.strftime("%Y-%m-%d %H:%M:%S UTC"))


class Collector(FileNameCollectorPlugin):  # type: ignore[misc]
    """Plugin that collects the files from the folders that `Extractor` wrote."""

    def collect(self, submitted_file: str) -> dict[str, str]:
        """Return the student of a file and its path in the student's folder."""
        extracted = self.parent._format_collect_path(self.parent.extracted_directory)
        student, *path = Path(submitted_file).relative_to(extracted).parts
        return {"student_id": student, "file_id": "/".join(path)}


def submitted_files(archive: Path, set_name: str) -> dict[str, list[SubmittedFile]]:
    """Return the files of each student in a folder of files, folders and platform archives."""
    found: dict[str, list[SubmittedFile]] = defaultdict(list)
    for path in sorted(archive.iterdir()):
        if SYSTEM_FILES.match(path.name):
            continue
        files = [*_read_path(path)]
        if _platform(path.name) or not any(_platform(file.path) for file in files):
            is_folder = path.is_dir() and not path.is_symlink()
            found[student_of(path.name if is_folder else path.stem, set_name)] += files
            continue
        for file in files:  # the archive of a whole class
            first, _, rest = file.path.partition("/")
            known = _platform(first)
            name = rest or (known and known["file"]) or first
            unpacked = _unzip(name, file.content, file.time)
            # The platform set the time of the outer file, the student those in an inner zip.
            found[student_of(first, set_name)] += [
                each._replace(time=file.time) for each in unpacked
            ]
    return {student: _with_unique_paths(files) for student, files in found.items()}


def _platform(name: str) -> re.Match[str] | None:
    """Return the match of a path with the name pattern of a learning platform."""
    first = name.split("/")[0]
    return MOODLE.fullmatch(first) or CANVAS.fullmatch(first)


def student_of(name: str, set_name: str) -> str:
    """Return the student of a file name, as a name that nbgrader can use.

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
    """Return a name without characters that nbgrader, file systems or terminals interpret."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    text = unicodedata.normalize("NFC", text)
    text = "".join("" if unicodedata.category(c)[0] == "C" else c for c in text)
    text = re.sub(r"[/\\*?\[\]{}:,]", "_", text).strip(" .") or "unnamed"
    if len(text) > MAX_NAME_LENGTH:
        text = f"{text[:MAX_NAME_LENGTH]}-{hashlib.sha256(text.encode()).hexdigest()[:6]}"
    return text


def _with_unique_paths(files: list[SubmittedFile]) -> list[SubmittedFile]:
    """Return the files under different, safe paths inside the student's folder."""
    found: dict[str, SubmittedFile] = {}
    for file in files:
        path = "/".join(map(safe_name, PurePosixPath(file.path).parts)) or "unnamed"
        while path in found:
            path = str(PurePosixPath(path).with_suffix("")) + " (2)" + PurePosixPath(path).suffix
        found[path] = file._replace(path=path)
    return list(found.values())


def _read_path(path: Path) -> Iterator[SubmittedFile]:
    """Yield the files at a path. Links are not followed, since they may lead to others' work."""
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
    """Return the content of a file, or the reason why it cannot be read."""
    if file.is_symlink() or not file.is_file():
        return "is a link or a device, not a file"
    if file.stat().st_size > MAX_FILE_BYTES:
        return f"is larger than {MAX_FILE_BYTES // MB} MB"
    try:
        return file.read_bytes()
    except OSError as error:
        return f"cannot be read ({error.strerror})"


def _unzip(name: str, content: bytes | str, time: float) -> Iterator[SubmittedFile]:
    """Yield a file, or its members if it is a zip file."""
    if isinstance(content, str) or not (name.lower().endswith(".zip") or content[:2] == b"PK"):
        yield SubmittedFile(name, content, time)
        return
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            yield from _within_limits(_zip_members(archive, time))
    except Exception as error:  # zlib and lzma raise exceptions of their own
        reason = f"is a zip file that cannot be opened ({type(error).__name__})"
        yield SubmittedFile(name, reason, time)


def _zip_members(archive: zipfile.ZipFile, time: float) -> Iterator[SubmittedFile]:
    """Yield the members of a zip file; their own times count only if a platform packed it."""
    for entry in archive.infolist():
        if not entry.is_dir():
            with archive.open(entry) as file:
                content: bytes | str = file.read(MAX_FILE_BYTES + 1)
            if len(content) > MAX_FILE_BYTES:
                content = f"unpacks to more than {MAX_FILE_BYTES // MB} MB"
            is_platform = _platform(entry.filename)
            entry_time = datetime(*entry.date_time).timestamp() if is_platform else time
            yield SubmittedFile(entry.filename.replace("\\", "/"), content, entry_time)


def _within_limits(files: Iterable[SubmittedFile]) -> Iterator[SubmittedFile]:
    """Yield files up to a number and a total size, without those of the operating system."""
    count = size = 0
    for file in files:
        if any(SYSTEM_FILES.match(part) for part in PurePosixPath(file.path).parts):
            continue
        count, size = count + 1, size + len(file.content)
        factor = CLASS_FACTOR if _platform(file.path) else 1
        if count > MAX_FILES * factor or size > MAX_STUDENT_BYTES * factor:
            yield file._replace(content="is one file too many, or too large")
            return
        yield file


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
    cell = {"cell_type": kind, "source": source, "id": str(raw.get("id", ""))}
    cell["metadata"] = {"nbgrader": {"grade_id": str(name)}} if name else {}
    if kind == "markdown" and (attached := raw.get("attachments")):
        cell["attachments"] = {
            name: {mime: str(text) for mime, text in data.items() if mime in IMAGE_TYPES}
            for name, data in attached.items()
        }
    return cell


def accompanying_files(folder: Path) -> dict[str, bytes]:
    """Return the files submitted with a notebook, by their paths, without links."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
        if path.suffix != ".ipynb" and path.name not in (INFO_FILE, TIMESTAMP_FILE)
    }
