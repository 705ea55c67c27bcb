"""Collection of submissions by ``nbgrader zip_collect``, from learning platforms and plain files.

The module `archives` reads the files. This module finds the student of each file by its name, and
writes a folder for each student. A file, folder or zip file whose student is not certain is not
collected, and a message says what was found in it.
"""

import json
import os
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin

from coursework import nbgrader_internals
from coursework.archives import (
    LEFT_OUT,
    PATTERNS,
    PLATFORMS,
    REFUSED,
    Files,
    SubmittedFile,
    read_files,
)

MAX_NAME_LENGTH = 80
SUFFIXES = re.compile(rf"(?i)((\.ipynb(\.\w+)?|\.({PATTERNS['suffixes']}))( ?\(\d+\))?)+$")
ILIAS_FOLDER = re.compile(PATTERNS["ilias-folder"])
NOT_COLLECTED = (
    "%r was not collected, because it is not certain which student it belongs to. Notebooks in "
    "it: %d. Files: %d, for example %s. Put in one file, folder or zip file for each student, "
    "named after the student, with one notebook, and with other files next to the notebook or "
    "below it. If it has folders or files of several students, as an archive from ILIAS has, "
    "move these out of it."
)
FROM_REFUSED = (
    "%r was not collected, because it contains file names from %s, which do not say clearly whose "
    "work a file is. Unpack it, and put in the notebook of each student, named after the student."
)
NO_STUDENT = "%r in %r was not collected: its name does not say whose it is."
INFO_FILE, TIMESTAMP_FILE = "collected.json", "timestamp.txt"


class Extractor(ExtractorPlugin):  # type: ignore[misc]
    """Plugin that writes a folder for each student, with the notebook named after the set."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Unpack the files of the platform and of the students, within limits."""
        archive = Path(archive_path)
        set_name = archive.parent.name
        students = defaultdict[str, Files](list)
        items = sorted(item for item in archive.iterdir() if not LEFT_OUT.search(item.name))
        for item in items:
            for name, file in self._files_of(item, set_name):
                students[student_of(name, set_name, item.is_dir())].append(file)
        for student, files in students.items():
            try:
                folder = Path(extracted_path) / student
                self._write_folder(folder, _with_safe_paths(files), set_name)
            except Exception:
                self.log.exception("The files of %s in %s cannot be written.", student, archive)

    def _files_of(self, item: Path, name: str) -> Iterator[tuple[str, SubmittedFile]]:
        """Yield the files in an item of the archive, each with the name that says whose it is."""
        files = [*read_files(item, item.name)]
        for file in files:
            if isinstance(file.content, str):
                self.log.error("%r %s.", file.path, file.content)
        if platform := _refused_platform(files):
            self.log.error(FROM_REFUSED, item.name, platform)
            return
        named, others = _divide_by_platform(files)
        notebooks = [file.path for file in others if is_notebook(*file[:2])]
        belongs = student_of(item.name, name, item.is_dir())
        is_certain = (
            not notebooks if named else belongs and _is_of_one_student(item, others, notebooks)
        )
        if not is_certain:
            examples = ", ".join(repr(file.path) for file in [*others, *named][:5])
            self.log.error(NOT_COLLECTED, item.name, len(notebooks), len(files), examples)
            return
        for file in others if named else ():
            self.log.error(NO_STUDENT, file.path, item.name)
        for file in named or files:
            first, _, rest = file.path.partition("/")
            known = _platform(first)
            yield first, file._replace(path=rest or (known and known["file"]) or first)

    def _write_folder(self, folder: Path, files: Files, name: str) -> None:
        folder.mkdir(parents=True)
        notes = [f"{file.path} {file.content}." for file in files if isinstance(file.content, str)]
        contents = {file.path: file.content for file in files if isinstance(file.content, bytes)}
        notebook_paths = [path for path in contents if is_notebook(path, contents[path])]
        if not notebook_paths:  # grading reports what the first file is instead
            notebook_paths = [next(iter(contents), "The notebook")]
            contents = contents or {notebook_paths[0]: b""}
        numbered = [f"{name} ({number}).ipynb" for number in range(2, len(notebook_paths) + 1)]
        notebooks = dict(zip([f"{name}.ipynb", *numbered], notebook_paths, strict=True))
        others = contents.keys() - {*notebook_paths, "data.npz", TIMESTAMP_FILE, INFO_FILE}
        for target, path in {**{path: path for path in others}, **notebooks}.items():
            (folder / target).parent.mkdir(parents=True, exist_ok=True)
            (folder / target).write_bytes(contents[path])
        info = {"notebooks": notebooks, "notes": notes}
        (folder / INFO_FILE).write_text(json.dumps(info), "utf-8")
        time = datetime.fromtimestamp(max(file.time for file in files), UTC)
        (folder / TIMESTAMP_FILE).write_text(time.strftime("%Y-%m-%d %H:%M:%S UTC"))


class Collector(FileNameCollectorPlugin):  # type: ignore[misc]
    """Plugin that collects the files from the folders that `Extractor` wrote."""

    def collect(self, submitted_file: str) -> dict[str, str]:
        """Return the student of a file and its path in the student's folder."""
        extracted = nbgrader_internals.extracted_folder(self.parent)
        student, *path = Path(submitted_file).relative_to(extracted).parts
        return {"student_id": student, "file_id": "/".join(path)}


def is_notebook(path: str, content: bytes | str) -> bool:
    """Return True if a file was read and, by its name or its content, is a notebook."""
    if isinstance(content, str):
        return False
    looks_right = content.lstrip()[:1] == b"{" and b'"cells"' in content
    return looks_right or path.lower().endswith(".ipynb")


def _divide_by_platform(files: Files) -> tuple[Files, Files]:
    """Return the files with names of a learning platform, and the other files.

    Folders and zip files around the former are left out of the paths.
    """
    around = os.path.commonpath([os.path.dirname(file.path) for file in files]) if files else ""
    for depth in range(around.count("/") + 1 + bool(around)):
        inner = [file._replace(path=file.path.split("/", depth)[depth]) for file in files]
        if named := [file for file in inner if _platform(file.path)]:
            return named, [file for file in inner if file not in named]
    return [], files


def _is_of_one_student(item: Path, files: Files, notebooks: list[str]) -> bool:
    """Return True if all files of an item are the work of one student.

    There is one notebook, and all other files are next to it or in folders below it; or there is
    one file, in a folder, which is named after the student, or with one of `SUFFIXES`.
    """
    folders = {os.path.dirname(file.path) for file in files}
    if any(ILIAS_FOLDER.fullmatch(part) for path in folders for part in path.split("/")[1:]):
        return False
    if notebooks:
        return len(notebooks) == 1 and os.path.commonpath(folders) == os.path.dirname(notebooks[0])
    return len(files) == 1 and (item.is_dir() or bool(SUFFIXES.search(item.name)))


def _platform(name: str) -> re.Match[str] | None:
    """Return the match of a path with the name pattern of a learning platform."""
    first = name.split("/")[0]
    return next((match for each in PLATFORMS if (match := each.fullmatch(first))), None)


def _refused_platform(files: Files) -> str:
    """Return the platform whose archives are refused and from which the files come, or ""."""
    parts = {part for file in files for part in file.path.split("/")}
    if any(map(_platform, parts)):
        return ""
    return next((name for name in REFUSED if any(map(REFUSED[name].fullmatch, parts))), "")


def student_of(name: str, set_name: str, is_folder: bool = False) -> str:
    """Return the student of a file or folder, or "" if it is named after the set."""
    if known := _platform(name):
        return safe_name(f"{known['name']}_{known['id']}")
    name = name if is_folder else SUFFIXES.sub("", name)
    stem = re.sub(rf"(^|[-_ .]+){re.escape(set_name)}([-_ ]?(Copy)?\(?\d+\)?)?$", "", name)
    stem = re.sub(r"[-_ ]?\(\d+\)$", "", stem)
    return stem and safe_name(stem)


def safe_name(name: str) -> str:
    """Return a name without characters that nbgrader, file systems or terminals interpret."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    text = unicodedata.normalize("NFC", text)
    text = "".join("" if unicodedata.category(c)[0] == "C" else c for c in text)
    text = re.sub(r"[/\\*?\[\]{}:,]", "_", text)[-MAX_NAME_LENGTH:]  # the end may be a number
    return text.strip(" .") or "unnamed"


def _with_safe_paths(files: Files) -> Files:
    """Return the files under different, safe paths, relative to their common folder."""
    paths = ["/".join(safe_name(part) for part in file.path.split("/") if part) for file in files]
    common = os.path.commonpath([os.path.dirname(path) for path in paths])
    by_path: dict[str, SubmittedFile] = {}
    for file, path in zip(files, paths, strict=True):
        path = path[len(common) :].lstrip("/") or "unnamed"
        while path in by_path:
            path = str(PurePosixPath(path).with_suffix("")) + " (2)" + PurePosixPath(path).suffix
        by_path[path] = file._replace(path=path)
    return list(by_path.values())


def accompanying_files(folder: Path) -> dict[str, bytes]:
    """Return the files submitted with a notebook, by their paths, without links."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
        if path.suffix != ".ipynb" and path.name not in (INFO_FILE, TIMESTAMP_FILE)
    }
