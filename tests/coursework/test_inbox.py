"""What is handed in is found, and what comes out of the sandbox is not trusted."""

import base64
import io
import json
import os
import pickle
import unicodedata
import zipfile

import numpy as np
import pytest

from coursework.checks import Missing
from coursework.inbox import LARGEST, submissions
from coursework.runner import _encoded
from coursework.running import ANSWER, decoded, expected
from coursework.student import student_version
from tests.coursework import trial

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    """Return what students get."""
    return student_version(trial.written(tmp_path_factory.mktemp("sets")), trial.SEED)


def found(inbox, release):
    """Return the submissions of a folder by student."""
    every = submissions(inbox, trial.NAME, trial.SEED, release)
    return {submission.student: submission for submission in every}


def stored(value):
    """Return an array as it is handed in."""
    file = io.BytesIO()
    np.save(file, value, allow_pickle=True)
    return {"type": "array", "value": base64.b64encode(file.getvalue()).decode()}


def lying(header, content=b""):
    """Return an array whose header is not true."""
    text = repr(header).encode().ljust(117) + b"\n"
    raw = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + content
    return {"type": "array", "value": base64.b64encode(raw).decode()}


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
    back = decoded(json.loads(json.dumps(_encoded(value))))
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


@pytest.mark.parametrize(
    "value",
    [
        stored(np.array([Trap()], dtype=object)),
        {"type": "array", "value": base64.b64encode(pickle.dumps(Trap())).decode()},
        lying({"descr": "<f8", "fortran_order": False, "shape": (10**12,)}),
        lying({"descr": "<f8", "fortran_order": False, "shape": (-1,)}, bytes(8)),
        lying({"descr": "<f8", "fortran_order": False, "shape": (2,)}, bytes(8)),
        lying({"descr": "|O", "fortran_order": False, "shape": (1,)}, bytes(8)),
        lying({"descr": [("a", "<f8")], "fortran_order": False, "shape": (1,)}, bytes(8)),
        lying({"descr": "<M8[s]", "fortran_order": False, "shape": (1,)}, bytes(8)),
        lying({"descr": "__import__('os')", "fortran_order": False, "shape": (1,)}),
        {"type": "array", "value": "%%%"},
        {"type": "array", "value": "A" * (2 * ANSWER)},
        {"type": "array", "value": 3},
        {"type": "plain", "value": {"score": 1}},
        {"type": "plain", "value": [1]},
        {"type": "verdict", "value": 1.0},
        {"type": "tuple", "value": [{"type": "plain", "value": 1}] * 100},
        {"type": "other", "value": "a sentence with <b>html</b>"},
        None,
        [],
        "x",
    ],
)
def test_what_is_no_answer_is_missing(value, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert isinstance(decoded(value), Missing)
    assert not list(tmp_path.iterdir())


def test_deep_answers_are_missing():
    value = {"type": "plain", "value": 1}
    for _ in range(50):
        value = {"type": "tuple", "value": [value]}
    assert isinstance(decoded(value), Missing)


def test_the_names_that_a_test_hands_in():
    part = 'answer("a", lambda: f(1))\nfor k in range(2):\n    answer(f"b-{k}", k)\nanswer("c", 1)'
    assert expected(part) == ["a", "c"]
    assert expected("") == []


def test_one_student_under_two_spellings(tmp_path, release):
    name = "Zoë"
    text = trial.text(trial.filled(release, trial.RIGHT))
    for form in ("NFC", "NFD"):
        (tmp_path / f"{unicodedata.normalize(form, name)}.ipynb").write_text(text)
    only = found(tmp_path, release)
    assert list(only) == [unicodedata.normalize("NFC", name)]
    assert only[name].notebook is not None


def test_links_and_paths_lead_nowhere(tmp_path, release):
    (tmp_path / "secret.txt").write_text("another student's work")
    inbox = tmp_path / "inbox"
    (inbox / "ann").mkdir(parents=True)
    (inbox / "ann" / "work.ipynb").write_text(trial.text(release))
    os.symlink(tmp_path / "secret.txt", inbox / "ann" / "notes.txt")
    os.symlink(tmp_path, inbox / "ann" / "folder")
    with zipfile.ZipFile(inbox / "bob.zip", "w") as archive:
        archive.writestr("work.ipynb", trial.text(release))
        archive.writestr("../../escaped.txt", "x")
        archive.writestr("/etc/escaped.txt", "x")
        archive.writestr("fine/notes.txt", "y")
    every = found(inbox, release)
    assert every["ann"].files == {}
    assert "notes.txt is a link" in " ".join(every["ann"].notes)
    assert every["bob"].files == {"fine/notes.txt": b"y"}
    assert not list(tmp_path.rglob("escaped.txt"))


def test_a_zip_bomb_does_not_unpack(tmp_path, release):
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("work.ipynb", b" " * (LARGEST + 2))
    with zipfile.ZipFile(tmp_path / "many.zip", "w") as archive:
        for number in range(600):
            archive.writestr(f"{number}.txt", "")
    every = found(tmp_path, release)
    assert "unpacks to more" in every["bomb"].notes[0]
    assert every["bomb"].fault == every["many"].fault == "unreadable"


def test_old_and_odd_notebooks(tmp_path, release):
    import nbformat

    old = nbformat.v3.downgrade(trial.filled(release, trial.RIGHT))
    (tmp_path / "old.ipynb").write_text(json.dumps(old))
    odd = json.loads(trial.text(release))
    odd["cells"] += [None, 3, {"cell_type": "code"}, {"cell_type": "new", "source": "x"}]
    odd["cells"] += [{"cell_type": "code", "source": ["a = ", "1"], "metadata": []}]
    odd["cells"] += [{"cell_type": "markdown", "source": "\ud800", "attachments": {"a": 3}}]
    (tmp_path / "odd.ipynb").write_text(json.dumps(odd))
    (tmp_path / "wide.ipynb").write_bytes(trial.text(release).encode("utf-16"))
    (tmp_path / "marked.ipynb").write_bytes(trial.text(release).encode("utf-8-sig"))
    (tmp_path / "list.ipynb").write_text("[1, 2]")
    (tmp_path / "other.ipynb").write_text('{"nbformat": 4, "cells": 5}')
    (tmp_path / "page.ipynb").write_text("<!DOCTYPE html><html>...")
    every = found(tmp_path, release)
    assert not every["wide"].fault
    assert not every["marked"].fault
    assert not every["odd"].fault
    assert [cell.source for cell in every["odd"].notebook.cells][-2:] == ["a = 1", "?"]
    assert every["old"].notebook is not None
    for name in ("list", "other", "page"):
        assert every[name].fault == "unreadable", name
    assert "web page" in every["page"].notes[0]
