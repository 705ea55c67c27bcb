"""Collection of submissions by ``nbgrader zip_collect``, from learning platforms and plain files.

nbgrader's own extractor unpacks archives without limits, and its collector stops at two files of
one student. Here each student gets a folder, and an archive that mixes students is refused.
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
from typing import NamedTuple

from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin

MB = 1 << 20
MAX_FILE_BYTES = 50 * MB
MAX_STUDENT_BYTES = 100 * MB
MAX_FILES = 500  # per student
CLASS_FACTOR = 20  # the archive of a class may be this many times as large
MAX_NAME_LENGTH = 80
SYSTEM_FILES = re.compile(
    r"^(\..*|__MACOSX|~\$.*|Thumbs\.db|desktop\.ini|.*\.lnk|__pycache__)$", re.IGNORECASE
)
SUFFIXES = re.compile(
    r"(\.ipynb(\.\w+)?|\.(zip|7z|rar|tar|gz|tgz|json|txt|py|pdf|html?|docx?|md|csv))+$",
    re.IGNORECASE,
)
# File and folder names of the archives of learning platforms.
PLATFORMS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_[a-z]+(?:_(?P<file>.*))?",  # Moodle
        # Canvas, for submissions with names and anonymous ones
        r"(?P<name>.+?)(?:_late)?_(?P<id>\d+)_(?:\d+_(?P<file>.+)|(?:text|link)\.html)",
        r"(?:late_)?(?P<name>anon)_(?P<id>[^\W_]+)_(?:\d+_(?P<file>.+)|(?:text|link)\.html)",
        # Blackboard and Brightspace
        r"(?P<name>[^_]+)_(?P<id>.+)_attempt_\d{4}(?:-\d+){5}(?:_(?P<file>.+)|\.txt)",
        r"(?P<id>\d+-\d+) - (?P<name>.+?) - [\w ,.:]+(?: - (?P<file>.+))?",
    )
]
BLACKBOARD = PLATFORMS[3]  # the name is that of the problem set
MIXED = (
    "%s was not collected: it has different notebooks, in several folders or more than two. If "
    "they are from several students, as in an archive from ILIAS, make a folder for each student."
)
NO_STUDENT = "%s was not collected: its name does not say whose it is."
INFO_FILE, TIMESTAMP_FILE = "collected.json", "timestamp.txt"


class SubmittedFile(NamedTuple):
    """A submitted file: its path, its content or the reason why there is none, and its time."""

    path: str
    content: bytes | str
    time: float
    archive: str = ""  # the zip file that contained it


class Extractor(ExtractorPlugin):  # type: ignore[misc]
    """Plugin that writes a folder for each student, with the notebook named after the set."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Unpack the files of the platform and of the students, within limits."""
        archive = Path(archive_path)
        students, refused = submitted_files(archive, archive.parent.name)
        for message, path in refused:
            self.log.error(message, path)
        for student, files in students.items():
            try:
                self._write_folder(Path(extracted_path) / student, files, archive.parent.name)
            except Exception:
                self.log.exception("The files of %s in %s cannot be written.", student, archive)

    def _write_folder(self, folder: Path, files: list[SubmittedFile], name: str) -> None:
        folder.mkdir(parents=True)
        notes = [f"{file.path} {file.content}." for file in files if isinstance(file.content, str)]
        contents = {file.path: file.content for file in files if isinstance(file.content, bytes)}
        found = [path for path in contents if is_notebook(path, contents[path])]
        if not found:  # grading reports what the first file is instead
            found = [next(iter(contents), "The notebook")]
            contents = contents or {found[0]: b""}
        numbered = [f"{name} ({number}).ipynb" for number in range(2, len(found) + 1)]
        notebooks = dict(zip([f"{name}.ipynb", *numbered], found, strict=True))
        others = contents.keys() - {*found, "data.npz", TIMESTAMP_FILE, INFO_FILE}
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


def submitted_files(
    archive: Path, set_name: str
) -> tuple[dict[str, list[SubmittedFile]], list[tuple[str, str]]]:
    """Return the files of each student in a folder, and messages on what was refused."""
    found: dict[str, list[SubmittedFile]] = defaultdict(list)
    refused = []
    for path in sorted(archive.iterdir()):
        if SYSTEM_FILES.match(path.name):
            continue
        files = [*_read_path(path)]
        if _platform(path.name):
            found[student_of(path.name, set_name)] += files
        elif not any(_platform(file.path) for file in files):
            if _mixes_students(files):
                refused.append((MIXED, path.name))
            else:
                is_folder = path.is_dir() and not path.is_symlink()
                name = path.name if is_folder else SUFFIXES.sub("", path.name)
                found[student_of(name, set_name)] += files
        else:  # the archive of a whole class
            for file in files:
                first, _, rest = file.path.partition("/")
                if not (known := _platform(first)):
                    refused.append((NO_STUDENT, f"{file.path} in {path.name}"))
                    continue
                unpacked = _unzip(rest or known["file"] or first, file.content, file.time)
                # The platform set the time of the outer file, the student those in an inner zip.
                student = student_of(first, set_name)
                found[student] += [each._replace(time=file.time) for each in unpacked]
    return {student: _with_unique_paths(files) for student, files in found.items()}, refused


def is_notebook(path: str, content: bytes) -> bool:
    """Return True if the name or the content is that of a notebook."""
    looks_right = content.lstrip()[:1] == b"{" and b'"cells"' in content
    return looks_right or path.lower().endswith(".ipynb")


def _mixes_students(files: list[SubmittedFile]) -> bool:
    """Return True if different notebooks are in several folders, or more than two differ."""
    found = {
        file.content: (file.archive, PurePosixPath(file.path).parent)
        for file in files
        if isinstance(file.content, bytes) and is_notebook(file.path, file.content)
    }
    return len({*found.values()}) > 1 or len(found) > 2


def _platform(name: str) -> re.Match[str] | None:
    """Return the match of a path with the name pattern of a learning platform."""
    first = name.split("/")[0]
    return next((match for each in PLATFORMS if (match := each.fullmatch(first))), None)


def student_of(name: str, set_name: str) -> str:
    """Return the student of a name without suffixes, as a name that nbgrader can use.

    Examples
    --------
    >>> student_of("Anna Li_123456_assignsubmission_file_", "1-spectra")
    'Anna Li_123456'
    >>> student_of("anna_2-1-spectra (1)", "1-spectra")
    'anna_2'
    """
    if known := _platform(name):
        only_id = known.re is BLACKBOARD
        return safe_name(known["id"] if only_id else f"{known['name']}_{known['id']}")
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
    is_folder = path.is_dir() and not path.is_symlink()
    files = sorted(path.rglob("*")) if is_folder else [path]
    yield from _within_limits(
        found
        for file in files
        if file.is_symlink() or not file.is_dir()
        for found in _unzip(
            file.relative_to(path if is_folder else path.parent).as_posix(),
            _read_file(file),
            file.lstat().st_mtime,
        )
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
            for file in _within_limits(_zip_members(archive, time)):
                yield file._replace(archive=name)
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


def accompanying_files(folder: Path) -> dict[str, bytes]:
    """Return the files submitted with a notebook, by their paths, without links."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
        if path.suffix != ".ipynb" and path.name not in (INFO_FILE, TIMESTAMP_FILE)
    }
