"""What is handed in is found, and what comes out of the sandbox is not trusted."""

import base64
import io
import json
import os
import pickle
import unicodedata
import zipfile

import nbformat
import numpy as np
import pytest

from coursework import collect
from coursework.autograde import submission
from coursework.checks import Missing
from coursework.collect import MAX_FILE_BYTES, student_of
from coursework.executor import MAX_ANSWER_BYTES, answer_names, decode_answer
from coursework.student import student_version
from coursework.worker import encode_answer
from tests.coursework import example_set

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    """Return what students get."""
    return student_version(example_set.written(tmp_path_factory.mktemp("sets")))


@pytest.fixture
def found(tmp_path, release):
    """Lay out what was handed in, and read it: the folder and the notebook of each student."""

    def read(archive):
        archive = archive.rename(tmp_path / example_set.NAME)
        collect.Extractor().extract(str(archive / "archive"), str(tmp_path / "extracted"))
        folders = sorted((tmp_path / "extracted").iterdir())
        return {
            folder.name: (folder, submission(folder / f"{example_set.NAME}.ipynb", release))
            for folder in folders
        }

    archive = tmp_path / "downloaded"
    (archive / "archive").mkdir(parents=True)
    return archive / "archive", lambda: read(archive)


def lying(kind="<f8", shape=(1,), content=bytes(8)):
    """Return an array whose type or shape is not true."""
    value = base64.b64encode(content).decode()
    return {"type": "array", "kind": kind, "shape": shape, "value": value}


@pytest.mark.parametrize(
    "value",
    [
        1.5,
        float("inf"),
        True,
        7,
        "positive semidefinite",
        None,
        (np.eye(3), np.arange(3.0)),
        [[1.0, 2.0], [2.0, 3.0]],
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.arange(4, dtype=">i4"),
        np.array([1 + 2j]),
        np.zeros((0, 3)),
        np.array("word"),
        np.float32(2.5),
    ],
)
def test_answers_come_back_as_they_were(value):
    back = decode_answer(json.loads(json.dumps(encode_answer(value))))
    if isinstance(value, tuple):
        for one, other in zip(back, value, strict=True):
            np.testing.assert_array_equal(one, other)
    else:
        np.testing.assert_array_equal(back, value)
    assert type(back) is type(value) or isinstance(value, np.generic)


class Trap:
    """Would write a file when it is unpickled."""

    def __reduce__(self):
        return (os.mkdir, ("trap",))


PICKLED = pickle.dumps(Trap())
DEEP = {"type": "plain", "value": 1}
for _ in range(50):
    DEEP = {"type": "tuple", "value": [DEEP]}


@pytest.mark.parametrize(
    "value",
    [
        lying("|O", (1,), PICKLED),
        lying("|O8", (1,), PICKLED[:8]),
        {"type": "array", "value": base64.b64encode(PICKLED).decode()},
        lying(shape=(10**12,)),
        lying(shape=(10**30,)),
        lying(shape=(-1,)),
        lying(shape=(2,)),
        lying(shape=(1,), content=bytes(9)),
        lying(shape="x"),
        lying(shape=None),
        lying(shape=([1],)),
        lying("<U0", (10**12,), b""),
        lying([("a", "<f8")]),
        lying("<M8[s]"),
        lying("<f8,<f8", content=bytes(16)),
        lying("__import__('os')"),
        lying(None),
        {**lying(), "value": "%%%"},
        {**lying(), "value": "A" * (2 * MAX_ANSWER_BYTES)},
        {**lying(), "value": 3},
        {"type": "plain", "value": {"score": 1}},
        {"type": "plain", "value": [1]},
        {"type": "verdict", "value": 1.0},
        {"type": "tuple", "value": [{"type": "plain", "value": 1}] * 100},
        {"type": "other", "value": "a sentence with <b>html</b>"},
        DEEP,
        None,
        [],
        "x",
    ],
)
def test_what_is_no_answer_is_missing(value, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert isinstance(decode_answer(value), Missing)
    assert not list(tmp_path.iterdir())


def test_the_names_that_a_test_hands_in():
    part = 'answer("a", lambda: f(1))\nfor k in range(2):\n    answer(f"b-{k}", k)\nanswer("c", 1)'
    assert answer_names(part) == ["a", "c"]
    assert answer_names("") == []


def about(every, student):
    """Return what is told about a submission."""
    told = every[student][1].metadata["coursework"]
    return told["fault"], " ".join(told["notes"])


def test_one_student_under_two_spellings(found, release):
    archive, read = found
    text = example_set.text(example_set.filled(release, example_set.RIGHT))
    for form in ("NFC", "NFD"):
        (archive / f"{unicodedata.normalize(form, 'Zoë')}.ipynb").write_text(text)
    every = read()
    assert list(every) == [unicodedata.normalize("NFC", "Zoë")]
    assert about(every, "Zoë")[0] == ""


def test_links_and_paths_lead_nowhere(found, release, tmp_path):
    archive, read = found
    (tmp_path / "secret.txt").write_text("another student's work")
    (archive / "ann").mkdir()
    (archive / "ann" / "work.ipynb").write_text(example_set.text(release))
    os.symlink(tmp_path / "secret.txt", archive / "ann" / "notes.txt")
    os.symlink(tmp_path, archive / "ann" / "folder")
    with zipfile.ZipFile(archive / "bob.zip", "w") as file:
        file.writestr("work.ipynb", example_set.text(release))
        file.writestr("../../escaped.txt", "x")
        file.writestr("/etc/escaped.txt", "x")
        file.writestr("fine/notes.txt", "y")
        file.writestr(collect.TIMESTAMP_FILE, "2001-01-01 00:00:00 UTC")
    every = read()
    assert collect.accompanying_files(every["ann"][0]) == {}
    assert "notes.txt is a link" in about(every, "ann")[1]
    assert collect.accompanying_files(every["bob"][0])["fine/notes.txt"] == b"y"
    assert "2001" not in (every["bob"][0] / collect.TIMESTAMP_FILE).read_text()
    region_lines = tmp_path / "extracted" / "bob"
    assert all(region_lines in path.parents for path in tmp_path.rglob("escaped.txt"))


def test_a_zip_bomb_does_not_unpack(found):
    archive, read = found
    with zipfile.ZipFile(archive / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("work.ipynb", b" " * (MAX_FILE_BYTES + 2))
    with zipfile.ZipFile(archive / "many.zip", "w") as file:
        for number in range(600):
            file.writestr(f"{number}.txt", "")
    every = read()
    assert "unpacks to more" in about(every, "bomb")[1]
    assert about(every, "bomb")[0] == about(every, "many")[0] == "unreadable"


def test_old_and_odd_notebooks(found, release):
    archive, read = found
    old = nbformat.v3.downgrade(example_set.filled(release, example_set.RIGHT))
    (archive / "old.ipynb").write_text(json.dumps(old))
    odd = json.loads(example_set.text(release))
    for number, cell in enumerate(
        [None, 3, {"cell_type": "code"}, {"cell_type": "new", "source": "x", "metadata": {}}]
    ):
        bad = {**odd, "cells": [*odd["cells"], cell]}
        (archive / f"bad-{number}.ipynb").write_text(json.dumps(bad))
    odd["cells"] += [{"cell_type": "code", "source": ["a = ", "1"], "metadata": {}}]
    picture = {"a": {"image/png": "aGk=", "text/html": "<b>"}}
    odd["cells"] += [
        {"cell_type": "markdown", "source": "\ud800", "metadata": {}, "attachments": picture}
    ]
    (archive / "odd.ipynb").write_text(json.dumps(odd))
    (archive / "wide.ipynb").write_bytes(example_set.text(release).encode("utf-16"))
    (archive / "marked.ipynb").write_bytes(example_set.text(release).encode("utf-8-sig"))
    (archive / "list.ipynb").write_text("[1, 2]")
    (archive / "other.ipynb").write_text('{"nbformat": 4, "cells": 5}')
    (archive / "page.ipynb").write_text("<!DOCTYPE html><html>...")
    every = read()
    for name in ("wide", "marked", "odd", "old"):
        assert about(every, name)[0] == "", name
    assert [cell.source for cell in every["odd"][1].cells][-2:] == ["a = 1", "?"]
    for name in ("list", "other", "page", "bad-0", "bad-1", "bad-2", "bad-3"):
        assert about(every, name)[0] == "unreadable", name
    assert "web page" in about(every, "page")[1]


def test_a_class_as_platforms_hand_it_over(found, release):
    archive, read = found
    text = example_set.text(example_set.filled(release, example_set.RIGHT))
    with zipfile.ZipFile(archive / "course-set.zip", "w") as file:
        file.writestr("Anna Li_12_assignsubmission_file_/0-example.ipynb", text)
        file.writestr("Bo Ek_7_assignsubmission_file_/0-example.ipynb", text)
    (archive / "ekbo_late_31_99_0-example-1.ipynb").write_text(text)
    assert sorted(read()) == ["Anna Li_12", "Bo Ek_7", "ekbo_31"]


def test_no_student_sets_the_clock(found, release):
    archive, read = found
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name in ("w.ipynb", "Bo_7_assignsubmission_file_/v.ipynb"):
            file.writestr(zipfile.ZipInfo(name, (1999, 1, 1, 0, 0, 0)), example_set.text(release))
    with zipfile.ZipFile(archive / "course-set.zip", "w") as file:
        handed = zipfile.ZipInfo("Bo_7_assignsubmission_file_/w.zip", (2025, 5, 5, 12, 0, 0))
        file.writestr(handed, packed.getvalue())
    (archive / "anna.zip").write_bytes(packed.getvalue().replace(b"Bo_7", b"B-7_"))
    every = read()
    assert sorted(every) == ["Bo_7", "anna"]
    assert (every["Bo_7"][0] / collect.TIMESTAMP_FILE).read_text().startswith("2025-05-05")
    assert not (every["anna"][0] / collect.TIMESTAMP_FILE).read_text().startswith("1999")


def test_two_uploads_of_one_student_wait_for_a_person(found, release):
    archive, read = found
    half = example_set.filled(release, {"q4": "Because."})
    (archive / "anna_2.ipynb").write_text(
        example_set.text(example_set.filled(release, example_set.RIGHT))
    )
    (archive / "anna_2(1).ipynb").write_text(example_set.text(half))
    every = read()
    assert list(every) == ["anna_2"]
    assert about(every, "anna_2")[0] == "two notebooks"
    assert len(list(every["anna_2"][0].glob("*.ipynb"))) == 2


def test_names_that_no_file_system_takes(found, release):
    archive, read = found
    text = example_set.text(example_set.filled(release, example_set.RIGHT)).encode()
    (archive / os.fsdecode(b"an\xffna.ipynb")).write_bytes(text)
    with zipfile.ZipFile(archive / "long.zip", "w") as file:
        file.writestr("x" * 300 + "/" + "y" * 300 + ".txt", "z")
        file.writestr("w.ipynb", text)
    every = read()
    assert len(every) == 2
    assert {each[1].metadata["coursework"]["fault"] for each in every.values()} == {""}
    assert student_of("a\x1b[31m*?/b", example_set.NAME) == "a_31m___b"


def test_nothing_steers_a_terminal(release):
    notebook = nbformat.from_dict(json.loads(json.dumps(release)))
    notebook.metadata["coursework"]["set"] = "9-\x1b[31mother\x07"
    read = collect.read_notebook(nbformat.writes(notebook).encode())
    assert read.metadata["coursework"]["set"].isprintable()
