"""Reading of submitted files, folders and zip files, within limits and without links.

Students and their learning platform made these files, so a zip file may be damaged, or enormous
when it is unpacked. A file that is refused is returned with the reason instead of its content.
The module `collect` finds the student of each file.
"""

import io
import re
import tomllib
import zipfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, TypeAlias

MB = 1 << 20
MAX_FILES, MAX_BYTES = 500, 100 * MB  # in the zip file of a student
MAX_RATIO = 10  # a larger file may be at most this many times as large as its zip file
TOO_LARGE = f"is larger than {MAX_BYTES // MB} MB"
LEFT_OUT = re.compile(  # system files and folders
    r"/$|(^|/)(\.[^/]*|__MACOSX|~\$[^/]*|Thumbs\.db|desktop\.ini|[^/]*\.lnk|__pycache__)(/|$)",
    re.IGNORECASE,
)
PATTERNS = tomllib.loads(Path(__file__).with_name("file_name_patterns.toml").read_text("utf-8"))
PLATFORMS = [re.compile(pattern, re.IGNORECASE) for pattern in PATTERNS["platforms"].values()]
REFUSED = {name: re.compile(pattern) for name, pattern in PATTERNS["refused-platforms"].items()}


class SubmittedFile(NamedTuple):
    """A submitted file: its path, its content or the reason why there is none, and its time."""

    path: str  # in which zip files are folders
    content: bytes | str
    time: float


Files: TypeAlias = list[SubmittedFile]


def read_files(path: Path, name: str) -> Iterator[SubmittedFile]:
    """Yield the files at a path. Links are not followed, since they may lead to others' work."""
    time = path.lstat().st_mtime
    if LEFT_OUT.search(path.name):
        return
    try:
        if path.is_dir() and not path.is_symlink():
            for each in sorted(path.iterdir()):
                yield from read_files(each, f"{name}/{each.name}")
        elif path.is_file() and not path.is_symlink():
            yield from _unpack(name, path.read_bytes(), time)
        else:
            yield SubmittedFile(name, "is a link or a device, not a file", time)
    except OSError as error:
        yield SubmittedFile(name, f"cannot be read ({error.strerror})", time)


def _unpack(name: str, content: bytes, time: float) -> Iterator[SubmittedFile]:
    """Yield a file, or the members of a zip file; members of a class archive may be zip files."""
    if not name.lower().endswith(".zip"):
        yield SubmittedFile(name, TOO_LARGE if len(content) > MAX_BYTES else content, time)
        return
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [each for each in archive.infolist() if not LEFT_OUT.search(each.filename)]
            names = [each.filename for each in members]
            is_class_zip = not _is_from_platform(name) and any(map(_is_from_platform, names))
            # The zip file of a class may have been packed into another one.
            is_wrapper = len(names) == 1 and names[0].lower().endswith(".zip") and "/" not in name
            has_submissions = is_class_zip or is_wrapper
            size = sum(each.file_size for each in members)
            if not has_submissions and (len(members) > MAX_FILES or size > MAX_BYTES):
                reason = f"contains more than {MAX_FILES} files or {MAX_BYTES // MB} MB"
                yield SubmittedFile(name, reason, time)
                return
            for member in members:
                path = f"{name}/{member.filename}"
                # The platform set the times in its archive; students can set any time in theirs.
                packed = datetime(*member.date_time).timestamp() if is_class_zip else time
                # A zip file in a zip file is compressed already, so unpacking barely enlarges it.
                if member.file_size > max(MAX_BYTES, MAX_RATIO * len(content)):
                    yield SubmittedFile(path, TOO_LARGE, packed)
                    continue
                with archive.open(member) as file:
                    inner = file.read(min(member.file_size, 20 * MAX_BYTES))
                if has_submissions:
                    yield from _unpack(path, inner, packed)
                else:
                    yield SubmittedFile(path, inner, packed)
    except Exception as error:  # zlib and lzma raise exceptions of their own
        reason = f"is a zip file that cannot be opened ({type(error).__name__})"
        yield SubmittedFile(name, reason, time)


def _is_from_platform(path: str) -> bool:
    """Return True if a part of a path has the name pattern of a learning platform."""
    patterns = [*PLATFORMS, *REFUSED.values()]
    return any(each.fullmatch(part) for part in path.split("/") for each in patterns)
