"""Every submission gets its verdict, and nobody loses a point by another's."""

import csv
import os
import socket
import threading

import nbformat
import pytest

from coursework import sandbox
from coursework.grade import grade
from coursework.sandbox import MB, Limits
from tests.coursework import inboxes, trial

LIMITS = Limits(cell=6, cells=40, hand_in=30, memory=3000 * MB, output=200_000)
WRAPPED = pytest.mark.skipif(
    not sandbox.isolation().bubblewrap and not os.environ.get("CI"), reason="needs bubblewrap"
)


@pytest.fixture(scope="module")
def server():
    """Count who calls a server on this machine."""
    calls = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def listen():
            while True:
                try:
                    calls.append(listening.accept()[0].recv(100))
                except OSError:
                    return

        threading.Thread(target=listen, daemon=True).start()
        yield listening.getsockname(), calls


@pytest.fixture(scope="module")
def place(tmp_path_factory, server):
    """Grade the whole inbox once."""
    folder = tmp_path_factory.mktemp("coursework")
    set_ = trial.written(folder / "sets")
    inbox, out = folder / "inbox", folder / "out"
    inbox.mkdir()
    paths = [set_.path / "reference.py", set_.path / "0-trial.ipynb", inbox / "right.ipynb"]
    paths += [out / "gradebook.db", folder / "note.txt"]
    (folder / "note.txt").write_text("a teacher's own")
    spy = inboxes.spying(paths, server[0])
    table = inboxes.files(set_, spy)
    inboxes.fill(inbox, table)
    os.environ["COURSEWORK_SECRET"] = "the grader's own"
    results = grade(set_, inbox, out, seed=trial.SEED, jobs=2, limits=LIMITS)
    os.environ.pop("COURSEWORK_SECRET")
    return {
        "folder": folder,
        "set": set_,
        "inbox": inbox,
        "out": out,
        "table": table,
        "results": {result.student: result for result in results},
        "spy": spy,
    }


def rows(out):
    """Return the rows of grades.csv by student."""
    with (out / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def page(place, student):
    """Return a student's feedback."""
    return (place["out"] / "feedback" / student / trial.NAME / f"{trial.NAME}.html").read_text()


def shown(place, student):
    """Return all that a student's notebook printed."""
    path = place["out"] / "autograded" / student / trial.NAME / f"{trial.NAME}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return "".join(output.get("text", "") for output in outputs)


def test_each_submission_has_its_verdict(place):
    table = {
        inboxes.student(path): wanted for path, (_, wanted) in place["table"].items() if wanted
    }
    found = rows(place["out"])
    for student, wanted in table.items():
        row = found["'" + student if student.startswith("=") else student]
        got = float(row["automatic"]) if row["automatic"] else None
        assert (row["status"], got) == (wanted.status, wanted.automatic), row
        assert wanted.says in row["notes"], row
        for sentence in wanted.also:
            assert sentence in page(place, student), student
    assert found.keys() == {"'" + s if s.startswith("=") else s for s in table} | {"linked"}
    assert found["linked"]["status"] == "unreadable"
