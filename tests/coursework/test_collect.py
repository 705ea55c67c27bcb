"""Collection of submissions from learning platforms."""

import io
import json
import os
import tracemalloc
import unicodedata
import zipfile

import nbformat
import pytest

from coursework import archives, collect
from coursework.repair_submission import read_notebook, read_submission
from coursework.student_version import student_version
from tests.coursework import example_set
from tests.coursework.example_set import NAME, fill, text


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    """Return the notebook that students get."""
    return student_version(example_set.write(tmp_path_factory.mktemp("sets")))


class Inbox:
    """A folder of submissions, which are collected and read."""

    def __init__(self, folder, release):
        self.archive, self.extracted, self.release = folder / NAME / "a", folder / "b", release
        self.archive.mkdir(parents=True)

    def read(self):
        """Collect everything; return the folder, the status and the notes of each student."""
        collect.Extractor().extract(str(self.archive), str(self.extracted))
        found = {}
        for folder in sorted(self.extracted.glob("*")):
            notebook = read_submission(folder / f"{NAME}.ipynb", self.release)
            metadata = notebook.metadata["coursework"]
            found[folder.name] = folder, metadata["status"], " ".join(metadata["notes"])
        return found


@pytest.fixture
def inbox(tmp_path, release):
    """Return an empty inbox."""
    return Inbox(tmp_path, release)


# By name: the paths in the archive of a class, which may lead through zip files in it, with the
# students that must be found.
COLLECTED = {
    "Moodle": {
        "Anna Li_12_assignsubmission_file_/0-example.ipynb": "Anna Li_12",
        "Bo Ek_7_assignsubmission_file_0-example.ipynb": "Bo Ek_7",
        "Cy Du_8_assignsubmission_file/0-example.ipynb": "Cy Du_8",
        "Team 1-Di Ho_9_assignsubmission_file/work/0-example.ipynb": "Team 1-Di Ho_9",
        "Ed Ix_10_assignsubmission_file/hw.zip/work/0-example.ipynb": "Ed Ix_10",
    },
    "Moodle in a folder": {
        "Set 0/Anna Li_12_assignsubmission_file_/0-example.ipynb": "Anna Li_12",
        "Set 0/Bo Ek_7_assignsubmission_file_/answers.pdf": "Bo Ek_7",
    },
    "Moodle in a zip file": {
        "Set 0.zip/Anna Li_12_assignsubmission_file_/0-example.ipynb": "Anna Li_12",
        "Set 0.zip/Bo Ek_7_assignsubmission_file_/0-example.ipynb": "Bo Ek_7",
    },
    "Canvas": {
        "ekbo_31_99_0-example-1.ipynb": "ekbo_31",
        "lianna_LATE_12_98_0-example.ipynb": "lianna_12",
        "anon_a1B2c_97_0-example.ipynb": "anon_a1B2c",
        "LATE_anon_x9Y8z_96_0-example.ipynb": "anon_x9Y8z",
        "ducy_33_text.html": "ducy_33",
    },
}
# By what the message must contain: the paths in an archive that is not collected.
REFUSED = {
    "'bo.ipynb'": ["Anna Li_12_assignsubmission_file_/0-example.ipynb", "bo.ipynb"],
    "file names from Blackboard": [
        "Set_0_anna_attempt_2026-11-20-10-30-00_0-example.ipynb",
        "Set_0_bo_2_attempt_2026-11-20-10-31-00.txt",
    ],
    "file names from Brightspace": [
        "12-7 - Anna Li - Nov 20, 2026 1030 AM - 0-example.ipynb",
        "13-7 - Bo Ek - 20 November, 2026 10:30/0-example.ipynb",
        "index.html",
    ],
    # ILIAS, also with one notebook or of one student
    "Ek_Bo_bo_13/2026": [
        "Set 0/Li_Anna_anna_12/20261120103000_0-example.ipynb",
        "Set 0/Ek_Bo_bo_13/20261120103100_0-example.ipynb",
    ],
    "Ek_Bo_bo_13/a": ["Set 0/Li_Anna_anna_12/0-example.ipynb", "Set 0/Ek_Bo_bo_13/answers.pdf"],
    "Li_Anna_anna_12/": ["Li_Anna_anna_12/0-example.ipynb"],
    # Google Classroom
    "Li - 0-example.ipynb'": ["Set 0/Anna Li - 0-example.ipynb", "Set 0/Bo Ek - 0-example.ipynb"],
    "bo/answers.pdf'": ["anna/work.ipynb", "bo/answers.pdf"],
    "bo.docx'": ["anna.pdf", "bo.docx"],
    "bo.zip": ["anna.zip/0-example.ipynb", "bo.zip/0-example.ipynb"],
    "Files: 0": [],
}


def zip_bytes(contents):
    """Return a zip file with contents by path, in which a path may lead through zip files."""
    packed, inner = io.BytesIO(), {}
    with zipfile.ZipFile(packed, "w") as file:
        for path, content in contents.items():
            name, is_zip, rest = path.partition(".zip/")
            if is_zip:
                inner.setdefault(f"{name}.zip", {})[rest] = content
            else:
                file.writestr(path, content)
        for path, more in inner.items():
            file.writestr(path, zip_bytes(more))
    return packed.getvalue()


ARCHIVES = [*((paths, "") for paths in COLLECTED.values())]
ARCHIVES += [(dict.fromkeys(paths), message) for message, paths in REFUSED.items()]


@pytest.mark.parametrize(("paths", "message"), ARCHIVES, ids=[*COLLECTED, *REFUSED])
@pytest.mark.parametrize("unpacked", [False, True])
def test_class_archive_has_one_folder_per_student(
    inbox, release, caplog, paths, message, unpacked
):
    contents = {path: "%PDF-1.7" for path in paths}
    for number, path in enumerate(path for path in paths if ".ipynb" in path):
        contents[path] = text(fill(release, {"q4": f"Reason {number}."}))
    packed = zip_bytes(contents)
    if unpacked:
        (inbox.archive / "course-set").mkdir()
        with zipfile.ZipFile(io.BytesIO(packed)) as file:
            file.extractall(inbox.archive / "course-set")
    else:
        (inbox.archive / "course-set.zip").write_bytes(packed)
    assert inbox.read().keys() == {*paths.values()} - {None}
    assert message in caplog.text


def test_file_names_without_platform(inbox, release, caplog):
    right = text(fill(release))
    names = ("Cy-0-example (1).ipynb", "Di.ipynb.txt", "Ed.ipynb.json", "Fe.Li.ipynb", "Flo.Ho")
    names = (*names, "Jo.ipynb (1).txt")
    for name in names:
        (inbox.archive / name).write_text(right)
    (inbox.archive / "Hy.ipynb.zip").write_bytes(zip_bytes({"work.ipynb": right}))
    others = "py", "png", "rtf", "odt", "xlsx", "docx", "pdf", "html"
    for suffix in (*others, "unknown"):
        (inbox.archive / f"Gus {suffix}.{suffix}").write_text("print(1)")
    (inbox.archive / "Di.md").mkdir()  # a folder, whose name has no suffix
    (inbox.archive / "Di.md" / "work.ipynb").write_text(right)
    found = inbox.read()
    assert {name: status for name, (_, status, _) in found.items()} == {
        **dict.fromkeys(("Cy", "Di", "Di.md", "Ed", "Fe.Li", "Flo.Ho", "Hy", "Jo"), ""),
        **dict.fromkeys((f"Gus {suffix}" for suffix in others), "unreadable"),
    }
    assert "'Gus unknown.unknown' was not collected" in caplog.text
    assert {path.name for path in found["Gus py"][0].iterdir()} == {
        f"{NAME}.ipynb",
        collect.INFO_FILE,
        collect.TIMESTAMP_FILE,
    }


def test_files_named_after_the_set_have_no_student(inbox, release, caplog):
    names = f"{NAME}.ipynb", f"{NAME} (1).ipynb", f"{NAME}-2.ipynb", f"{NAME}-Copy1.ipynb"
    for name in names:
        (inbox.archive / name).write_text(text(fill(release)))
    assert inbox.read() == {}
    assert all(f"{name!r} was not collected" in caplog.text for name in names)


def test_different_uploads_of_one_student_are_not_graded(inbox, release):
    for name, answer in (("anna_2", ""), ("anna_2(1)", "Because."), ("bo", ""), ("bo (1)", "")):
        (inbox.archive / f"{name}.ipynb").write_text(text(fill(release, {"q4": answer})))
    found = inbox.read()
    assert {name: status for name, (_, status, _) in found.items()} == {
        "anna_2": "two notebooks",
        "bo": "",
    }
    assert len(list(found["anna_2"][0].glob("*.ipynb"))) == 2


def test_blank_copy_beside_an_answered_notebook_does_not_count(inbox, release):
    (inbox.archive / "anna.ipynb").write_text(text(release))
    (inbox.archive / "anna (1).ipynb").write_text(text(fill(release)))
    ((_, status, notes),) = inbox.read().values()
    assert status == ""
    assert "anna (1).ipynb was graded" in notes


def test_unusual_names_are_made_safe(inbox, release):
    right = text(fill(release))
    for form in ("NFC", "NFD"):
        (inbox.archive / f"{unicodedata.normalize(form, 'Zoë')}.ipynb").write_text(right)
    (inbox.archive / os.fsdecode(b"an\xffna.ipynb")).write_text(right)
    with zipfile.ZipFile(inbox.archive / "long.zip", "w") as file:
        file.writestr("x" * 300 + "/" + "y" * 300 + ".txt", "z")
        file.writestr("w.ipynb", right)
    found = inbox.read()
    assert len(found) == 3
    assert {status for _, status, _ in found.values()} == {""}
    assert collect.student_of("a\x1b[31m*?/b", NAME) == "a_31m___b"
    notebook = nbformat.from_dict(json.loads(text(release)))
    notebook.metadata["coursework"]["set"] = "9-\x1b[31mother\x07"
    read = read_notebook(nbformat.writes(notebook).encode())
    assert read.metadata["coursework"]["set"].isprintable()


def test_links_and_zip_paths_stay_inside_the_folder(inbox, release, tmp_path):
    archive = inbox.archive
    (tmp_path / "secret.txt").write_text("another student's work")
    (archive / "ann").mkdir()
    (archive / "ann" / "work.ipynb").write_text(text(release))
    os.symlink(tmp_path / "secret.txt", archive / "ann" / "notes.txt")
    os.symlink(tmp_path, archive / "ann" / "folder")
    with zipfile.ZipFile(archive / "bob.zip", "w") as file:
        for path in (
            "../../escaped.txt",
            "/etc/escaped.txt",
            "fine/notes.txt",
            "__MACOSX/._work.ipynb",
        ):
            file.writestr(path, "x")
        file.writestr("work.ipynb", text(release))
        file.writestr(collect.TIMESTAMP_FILE, "2001-01-01 00:00:00 UTC")
    found = inbox.read()
    assert collect.accompanying_files(found["ann"][0]) == {}
    assert "notes.txt is a link" in found["ann"][2]
    assert found["bob"][1] == ""
    assert "fine/notes.txt" in collect.accompanying_files(found["bob"][0])
    assert "2001" not in (found["bob"][0] / collect.TIMESTAMP_FILE).read_text()
    escaped = tmp_path.rglob("escaped.txt")
    assert all(inbox.extracted / "bob" in path.parents for path in escaped)


def test_times_come_from_the_platform(inbox, release):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name in ("w.ipynb", "Bo_7_assignsubmission_file_/v.txt"):
            content = text(release) if name == "w.ipynb" else "My notes."
            file.writestr(zipfile.ZipInfo(name, (1999, 1, 1, 0, 0, 0)), content)
    with zipfile.ZipFile(inbox.archive / "course-set.zip", "w") as file:
        entry = zipfile.ZipInfo("Bo_7_assignsubmission_file_/w.zip", (2025, 5, 5, 12, 0, 0))
        file.writestr(entry, packed.getvalue())
    (inbox.archive / "anna.zip").write_bytes(packed.getvalue().replace(b"Bo_7", b"B-7_"))
    times = {
        name: (folder / collect.TIMESTAMP_FILE).read_text()
        for name, (folder, _, _) in inbox.read().items()
    }
    assert times["Bo_7"].startswith("2025-05-05")
    assert not times["anna"].startswith("1999")


def test_zip_bombs_are_not_unpacked(inbox, caplog):
    with zipfile.ZipFile(inbox.archive / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("work.ipynb", b" " * (archives.MAX_BYTES + 2))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for number in range(archives.MAX_FILES + 1):
            file.writestr(f"{number}.txt", "")
    with zipfile.ZipFile(inbox.archive / "class.zip", "w") as file:
        file.writestr("Bo_7_assignsubmission_file_/work.zip", packed.getvalue())
        file.writestr("Di_8_assignsubmission_file_/work.ipynb", "")
    (inbox.archive / "torn.zip").write_bytes(packed.getvalue()[:200])
    found = inbox.read()
    assert found.keys() == {"bomb", "Bo_7", "Di_8", "torn"}
    assert found["torn"][1] == "unreadable"
    assert "bomb.zip contains more than" in found["bomb"][2]
    assert "work.zip contains more than" in found["Bo_7"][2]
    assert "Bo_7_assignsubmission_file_/work.zip' contains more than" in caplog.text


@pytest.mark.parametrize("folder", ["", "Bo_7_assignsubmission_file_/"])
def test_zip_bomb_in_a_zip_file_is_not_read(inbox, monkeypatch, folder):
    monkeypatch.setattr(archives, "MAX_BYTES", archives.MB)
    with zipfile.ZipFile(inbox.archive / "anna.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(f"{folder}work.zip", zip_bytes({"work.ipynb": b" " * 20 * archives.MB}))
    tracemalloc.start()
    try:
        ((_, _, notes),) = inbox.read().values()
        assert tracemalloc.get_traced_memory()[1] < 10 * archives.MB
    finally:
        tracemalloc.stop()
    assert "work.zip is larger than 100 MB" in notes


def test_damaged_files_are_named_and_old_formats_read(inbox, release):
    right = text(fill(release))
    notebook = json.loads(right)
    cells = [None, 3, {"cell_type": "code"}, {"cell_type": "x", "source": "", "metadata": {}}]
    unreadable = {
        "empty": b"",
        "words": b"My answers are:",
        "broken": b'{"cells": [}, "nbformat": 4}',
        "deep": b'{"cells": ' + b"[" * 10**5,
        "cut": right[: len(right) // 2].encode(),
        "list": b"[1, 2]",
        "other": b'{"nbformat": 4, "cells": 5}',
        "page": b"<!DOCTYPE html><html>...",
        **{
            f"bad-{number}": json.dumps({**notebook, "cells": [*notebook["cells"], cell]}).encode()
            for number, cell in enumerate(cells)
        },
    }
    surrogate = {"cell_type": "markdown", "source": "\ud800", "metadata": {}}
    readable = {
        "wide": right.encode("utf-16"),
        "marked": right.encode("utf-8-sig"),
        "old": json.dumps(nbformat.v3.downgrade(fill(release))).encode(),
        "odd": json.dumps({**notebook, "cells": [*notebook["cells"], surrogate]}).encode(),
    }
    for name, content in (unreadable | readable).items():
        (inbox.archive / f"{name}.ipynb").write_bytes(content)
    found = inbox.read()
    assert {name for name, (_, status, _) in found.items() if status} == unreadable.keys()
    assert {name for name, (_, status, _) in found.items() if not status} == readable.keys()
    assert "truncated" in found["cut"][2]
    assert "web page" in found["page"][2]
