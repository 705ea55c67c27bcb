"""Collection of submissions by ``nbgrader zip_collect``, from learning platforms and plain files.

nbgrader's own extractor unpacks archives without limits, and its collector stops at two files of
one student. Here each student gets a folder, and an archive that mixes students is refused.
"""

import io
import json
import os
import re
import stat
import tomllib
import unicodedata
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin

MB = 1 << 20
MAX_FILES, MAX_BYTES = 500, 100 * MB  # in the zip file of a student
MAX_NAME_LENGTH = 80
LEFT_OUT = re.compile(  # system files and folders
    r"/$|(^|/)(\.[^/]*|__MACOSX|~\$[^/]*|Thumbs\.db|desktop\.ini|[^/]*\.lnk|__pycache__)(/|$)",
    re.IGNORECASE,
)
SUFFIXES = re.compile(
    r"(\.ipynb(\.\w+)?|\.(zip|7z|rar|tar|gz|tgz|json|txt|py|pdf|html?|docx?|md|csv))+$",
    re.IGNORECASE,
)
PATTERNS = tomllib.loads(Path(__file__).with_name("platforms.toml").read_text("utf-8"))
PLATFORMS = [re.compile(pattern, re.IGNORECASE) for pattern in PATTERNS.values()]
MIXED = (
    "%r was not collected: it has different notebooks, in several folders or more than two. If "
    "they are from several students, as in an archive from ILIAS, make a folder for each student."
)
NO_STUDENT = "%r in %r was not collected: its name does not say whose it is."
INFO_FILE, TIMESTAMP_FILE = "collected.json", "timestamp.txt"


class SubmittedFile(NamedTuple):
    """A submitted file: its path, its content or the reason why there is none, and its time."""

    path: str  # in which zip files are folders
    content: bytes | str
    time: float


class Extractor(ExtractorPlugin):  # type: ignore[misc]
    """Plugin that writes a folder for each student, with the notebook named after the set."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Unpack the files of the platform and of the students, within limits."""
        archive = Path(archive_path)
        set_name, students = archive.parent.name, defaultdict[str, list[SubmittedFile]](list)
        for item in sorted(archive.iterdir()):
            for name, file in self._files_of_students(item):
                students[student_of(name, set_name, item.is_dir())].append(file)
        for student, files in students.items():
            try:
                folder = Path(extracted_path) / student
                self._write_folder(folder, _with_safe_paths(files), set_name)
            except Exception:
                self.log.exception("The files of %s in %s cannot be written.", student, archive)

    def _files_of_students(self, item: Path) -> Iterator[tuple[str, SubmittedFile]]:
        """Yield the files in an item of the archive, each with the name that says whose it is."""
        files = [*_read(item, item.name)]
        below = [file._replace(path=file.path.partition("/")[2]) for file in files]
        is_class = not _platform(item.name) and any(_platform(file.path) for file in below)
        if not is_class and not _platform(item.name) and _mixes_students(files):
            self.log.error(MIXED, item.name)
            return
        for file in below if is_class else files:
            first, _, rest = file.path.partition("/")
            known = _platform(first)
            if isinstance(file.content, str):
                self.log.error("%r %s.", file.path, file.content)
            if is_class and not known:
                self.log.error(NO_STUDENT, file.path, item.name)
            else:
                yield first, file._replace(path=rest or (known and known["file"]) or first)

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


def is_notebook(path: str, content: bytes) -> bool:
    """Return True if the name or the content is that of a notebook."""
    looks_right = content.lstrip()[:1] == b"{" and b'"cells"' in content
    return looks_right or path.lower().endswith(".ipynb")


def _mixes_students(files: list[SubmittedFile]) -> bool:
    """Return True if different notebooks are in several folders, or more than two differ."""
    found = {
        file.content: PurePosixPath(file.path).parent
        for file in files
        if isinstance(file.content, bytes) and is_notebook(file.path, file.content)
    }
    return len({*found.values()}) > 1 or len(found) > 2


def _platform(name: str) -> re.Match[str] | None:
    """Return the match of a path with the name pattern of a learning platform."""
    first = name.split("/")[0]
    return next((match for each in PLATFORMS if (match := each.fullmatch(first))), None)


def student_of(name: str, set_name: str, is_folder: bool = False) -> str:
    """Return the student of a file or folder, as a name that nbgrader can use.

    Examples
    --------
    >>> student_of("Anna Li_123456_assignsubmission_file_", "1-spectra")
    'Anna Li_123456'
    >>> student_of("anna_2-1-spectra (1).ipynb.txt", "1-spectra")
    'anna_2'
    """
    if known := _platform(name):
        return safe_name(f"{known['name']}_{known['id']}".lstrip("_"))
    name = name if is_folder else SUFFIXES.sub("", name)
    copy = r"([-_ ]?\(?\d+\)?)?"
    stem = re.sub(r"[-_ ]?\(\d+\)$", "", re.sub(rf"[-_ .]+{re.escape(set_name)}{copy}$", "", name))
    return safe_name(stem or name)


def safe_name(name: str) -> str:
    """Return a name without characters that nbgrader, file systems or terminals interpret."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    text = unicodedata.normalize("NFC", text)
    text = "".join("" if unicodedata.category(c)[0] == "C" else c for c in text)
    text = re.sub(r"[/\\*?\[\]{}:,]", "_", text)[-MAX_NAME_LENGTH:]  # the end may be a number
    return text.strip(" .") or "unnamed"


def _with_safe_paths(files: list[SubmittedFile]) -> list[SubmittedFile]:
    """Return the files under different, safe paths, relative to their common folder."""
    paths = ["/".join(safe_name(part) for part in file.path.split("/") if part) for file in files]
    common = os.path.commonpath([os.path.dirname(path) for path in paths])
    found: dict[str, SubmittedFile] = {}
    for file, path in zip(files, paths, strict=True):
        path = path[len(common) :].lstrip("/") or "unnamed"
        while path in found:
            path = str(PurePosixPath(path).with_suffix("")) + " (2)" + PurePosixPath(path).suffix
        found[path] = file._replace(path=path)
    return list(found.values())


def _read(path: Path, name: str) -> Iterator[SubmittedFile]:
    """Yield the files at a path. Links are not followed, since they may lead to others' work."""
    about = path.lstat()
    if LEFT_OUT.search(path.name):
        return
    try:
        if stat.S_ISDIR(about.st_mode):
            for each in sorted(path.iterdir()):
                yield from _read(each, f"{name}/{each.name}")
        elif stat.S_ISREG(about.st_mode):
            yield from _unpack(name, path.read_bytes(), about.st_mtime)
        else:
            yield SubmittedFile(name, "is a link or a device, not a file", about.st_mtime)
    except OSError as error:
        yield SubmittedFile(name, f"cannot be read ({error.strerror})", about.st_mtime)


def _unpack(name: str, content: bytes, time: float) -> Iterator[SubmittedFile]:
    """Yield a file, or the members of a zip file; those of a class may be zip files themselves."""
    if not name.lower().endswith(".zip"):
        too_large = f"is larger than {MAX_BYTES // MB} MB"
        yield SubmittedFile(name, too_large if len(content) > MAX_BYTES else content, time)
        return
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [each for each in archive.infolist() if not LEFT_OUT.search(each.filename)]
            is_platform = [_platform(each.filename) for each in members]
            is_class = "/" not in name and not _platform(name) and any(is_platform)
            size = sum(each.file_size for each in members)
            if not is_class and (len(members) > MAX_FILES or size > MAX_BYTES):
                reason = f"contains more than {MAX_FILES} files or {MAX_BYTES // MB} MB"
                yield SubmittedFile(name, reason, time)
                return
            for each in members:
                with archive.open(each) as file:
                    inner = file.read(each.file_size)
                path = f"{name}/{each.filename}"
                if is_class:  # the platform set the times in its archive, students those in theirs
                    yield from _unpack(path, inner, datetime(*each.date_time).timestamp())
                else:
                    yield SubmittedFile(path, inner, time)
    except Exception as error:  # zlib and lzma raise exceptions of their own
        reason = f"is a zip file that cannot be opened ({type(error).__name__})"
        yield SubmittedFile(name, reason, time)


def accompanying_files(folder: Path) -> dict[str, bytes]:
    """Return the files submitted with a notebook, by their paths, without links."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
        if path.suffix != ".ipynb" and path.name not in (INFO_FILE, TIMESTAMP_FILE)
    }
