"""A course from release to marks, by nbgrader's own commands; nobody loses by another's work."""

import contextlib
import csv
import multiprocessing
import os
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
from nbgrader.api import Gradebook
from nbgrader.apps.nbgraderapp import NbGraderApp

from coursework import feedback, sandbox
from coursework.__main__ import main
from coursework.course import create_course
from coursework.sets import Set
from tests.coursework import example_set, lms_archives
from tests.coursework.example_set import WRAPPED, WRAPS

pytestmark = pytest.mark.slow
UNCONFINED = [] if WRAPS else ["--Judge.unconfined=True"]
LIMITS = """
from coursework import autograde, sandbox

autograde.Judge.limits = sandbox.Limits(
    cell=8, cells=60, hand_in=40, memory=3000 * sandbox.MB, output=200_000
)
"""

NO_WRAP = """
sandbox._wrap = lambda *_: ["false"]
sandbox.bubblewrap.cache_clear()
"""


def nbgrader(course, *words, **more):
    """Give a command of nbgrader in the folder of the course, in a fork that imports nothing."""
    with tempfile.TemporaryFile("w+") as said:
        child = multiprocessing.get_context("fork").Process(
            target=command, args=(course, words, more, said.fileno())
        )
        child.start()
        child.join()
        said.seek(0)
        return SimpleNamespace(returncode=child.exitcode, stderr=said.read())


def command(course, words, more, said):
    """In a process of its own: give a command, and write what it says into a file."""
    os.chdir(course)
    os.environ |= more
    time.tzset()
    warnings.resetwarnings()  # in this process they are no errors
    with open(said, "w", buffering=1, closefd=False) as sys.stdout:
        sys.stderr = sys.stdout
        NbGraderApp.launch_instance([*words])


def laid_down(folder):
    """Return a course with the example_set set, and with limits that tests can wait for."""
    example_set.written(folder / "sets")
    course = folder / "course"
    create_course(course, folder / "sets", example_set.SEED)
    with (course / "nbgrader_config.py").open("a") as config:
        config.write(LIMITS)
    return course


@contextlib.contextmanager
def configured(course, change):
    """Have another configuration for a while."""
    config = course / "nbgrader_config.py"
    before = config.read_text()
    config.write_text(change(before))
    try:
        yield
    finally:
        config.write_text(before)


@pytest.fixture(scope="module")
def server():
    """Count who calls a server on this machine."""
    calls = []

    class Listener(socketserver.BaseRequestHandler):
        def handle(self):
            calls.append(self.request.recv(100))

    with socketserver.TCPServer(("127.0.0.1", 0), Listener) as listening:
        threading.Thread(target=listening.serve_forever).start()
        yield listening.server_address, calls
        listening.shutdown()


@pytest.fixture(scope="module")
def place(tmp_path_factory, server):
    """Take a whole class through the course once."""
    folder = tmp_path_factory.mktemp("coursework")
    course = laid_down(folder)
    done = [nbgrader(course, "generate_assignment", example_set.NAME)]
    source, reference = course / "source" / example_set.NAME, course / "reference"
    set_ = Set(example_set.NAME, source, reference / f"{example_set.NAME}.py")
    archive = course / "downloaded" / example_set.NAME / "archive"
    archive.mkdir(parents=True)
    paths = [set_.reference_path, source / f"{example_set.NAME}.ipynb", archive / "right.ipynb"]
    paths += [course / "gradebook.db", folder / "note.txt"]
    (folder / "note.txt").write_text("a teacher's own")
    spy = lms_archives.spying(paths, server[0])
    table = lms_archives.files(set_, spy, WRAPS)
    lms_archives.fill(archive, table)
    done.append(nbgrader(course, "zip_collect", example_set.NAME))
    secret = {"COURSEWORK_SECRET": "the grader's own"}
    done.append(nbgrader(course, "autograde", example_set.NAME, *UNCONFINED, **secret))
    done.append(nbgrader(course, "generate_feedback", example_set.NAME))
    done.append(nbgrader(course, "export"))
    assert [each.returncode for each in done] == [0] * 5, [each.stderr[-3000:] for each in done]
    return {
        "course": course,
        "set": set_,
        "table": table,
        "paths": paths,
        "spy": spy,
        "calls": server[1][:],
    }


def exported(course):
    """Return the exported rows by name."""
    with (course / f"grades-{example_set.NAME}.csv").open(
        encoding="utf-8-sig", newline=""
    ) as file:
        return {row["Full name"]: row for row in csv.DictReader(file)}


def ran(place, student):
    """Return the notebook of a student that was run."""
    path = (
        place["course"] / "autograded" / student / example_set.NAME / f"{example_set.NAME}.ipynb"
    )
    return nbformat.read(path, as_version=4)


def shown(place, student):
    """Return all that a student's notebook printed."""
    outputs = [out for cell in ran(place, student).cells for out in cell.get("outputs", [])]
    return "".join(output.get("text", "") for output in outputs)


def page(place, student):
    """Return a student's feedback."""
    path = place["course"] / "feedback" / student / example_set.NAME / f"{example_set.NAME}.html"
    return path.read_text("utf-8")


def database(course):
    """Return nbgrader's database."""
    return Gradebook(f"sqlite:///{course / 'gradebook.db'}")


def test_each_submission_has_its_verdict(place):
    table = {
        lms_archives.student(path): wanted
        for path, (_, wanted) in place["table"].items()
        if wanted
    }
    found = exported(place["course"])
    for student, wanted in table.items():
        row = found["'" + student if student.startswith("=") else student]
        got = float(row["automatic"]) if row["automatic"] else None
        assert (row["Status"], got) == (wanted.status, wanted.automatic), row
        assert wanted.says in row["notes"], row
        for sentence in wanted.also:
            assert sentence in page(place, student).replace("&#39;", "'"), student
    assert found.keys() == {"'" + s if s.startswith("=") else s for s in table} | {"linked"}
    assert found["linked"]["Status"] == "unreadable"


def test_what_a_person_marks_is_never_set_by_program(place):
    for student, row in exported(place["course"]).items():
        assert row["Grade"] == "", student
        assert {"q3-report", "q4"} <= {*row["waiting"].split()}, student
    with database(place["course"]) as book:
        for submission in book.assignment_submissions(example_set.NAME):
            grades = {grade.name: grade for grade in submission.notebooks[0].grades}
            assert grades["q4"].auto_score is None
            assert grades["q4"].needs_manual_grade


@WRAPPED
def test_a_spy_sees_nothing_and_the_same_code_outside_sees_all(place, server):
    printed = shown(place, "spy")
    assert "PROCESSES" in printed
    for sign in ("READ", "WROTE", "LISTED", "CONNECTED", "grader's own"):
        assert sign not in printed
    assert int(printed.split("PROCESSES ")[1].split()[0]) < 10
    assert place["calls"] == []
    outside = subprocess.run(
        [sys.executable, "-c", place["spy"]],
        env={"COURSEWORK_SECRET": "the grader's own"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for path in place["paths"]:
        assert f"READ {path}" in outside
        assert f"WROTE {path}" in outside
        os.remove(f"{path}.spied")
    for sign in ("LISTED", "CONNECTED", "SECRET the grader's own"):
        assert sign in outside
    until = time.monotonic() + 10  # the server writes down what it hears in a thread of its own
    while len(server[1]) == len(place["calls"]) and time.monotonic() < until:
        time.sleep(0.05)
    assert server[1][len(place["calls"]) :] == [b"answers, please"]


def test_no_hidden_check_shows(place):
    hidden = place["set"].reference.hidden(example_set.SEED)
    numbers = {
        f"{abs(number):.6g}"[:7]
        for key in ("distances", "gram")
        for number in hidden[key].ravel()
        if abs(number) > 1e-3
    }
    assert len(numbers) > 30
    course = place["course"]
    pages = [
        *course.glob("feedback/**/*.html"),
        *course.glob("autograded/**/*.ipynb"),
        *course.glob("release/**/*.ipynb"),
    ]
    assert len(pages) > 40
    for path in pages:
        text = path.read_text("utf-8")
        for sign in ('answer("q1', "hidden[", "HIDDEN", "BEGIN SOLUTION"):
            assert sign not in text, path
        assert not [number for number in numbers if number in text], path
    assert sorted(p.name for p in (course / "release" / example_set.NAME).iterdir()) == [
        f"{example_set.NAME}.ipynb",
        "data.npz",
    ]


def test_a_leak_shows_only_what_is_open(place):
    printed = shown(place, "leak")
    assert "SAW (6, 6)" in printed
    assert "AT LAST [(6, 6)]" in printed
    assert "(8, 8)" not in printed


def test_outputs_are_cut_and_figures_kept(place):
    outputs = [out for cell in ran(place, "loud").cells for out in cell.get("outputs", [])]
    assert sum(len(output.get("text", "")) for output in outputs) < 500_000
    assert [output for output in outputs if "image/png" in output.get("data", {})]


def test_another_seed_in_the_configuration_marks_nothing(place):
    course = place["course"]
    again = ["autograde", example_set.NAME, "--force", "--student", "renamed", *UNCONFINED]
    seed, other = f"seed={example_set.SEED}", f"seed={example_set.SEED + 1}"
    with configured(course, lambda text: text.replace(seed, other)):
        assert nbgrader(course, *again).returncode == 0
        assert nbgrader(course, "export").returncode == 0
    row = exported(course)["renamed"]
    assert (row["Status"], row["automatic"]) == ("failed", "")


def test_without_bubblewrap_nothing_is_graded(place):
    course = place["course"]
    again = ["autograde", example_set.NAME, "--force", "--student", "sent"]
    with configured(course, lambda text: text + NO_WRAP):
        refused = nbgrader(course, *again)
        assert refused.returncode == 1
        assert sandbox.NO_BUBBLEWRAP[:40] in refused.stderr
        assert nbgrader(course, *again, "--Judge.unconfined=True").returncode == 0


def test_a_release_that_shows_a_solution_is_not_written(tmp_path):
    set_ = example_set.written(tmp_path / "sets")
    master = example_set.master()
    master.cells[0].source += "\n\n" + "\n".join(example_set.GRAM.splitlines()[3:5])
    nbformat.write(master, set_.path / f"{example_set.NAME}.ipynb")
    course = tmp_path / "course"
    assert main(["course", str(course), "--sets", str(tmp_path / "sets")]) == 0
    refused = nbgrader(course, "generate_assignment", example_set.NAME)
    assert refused.returncode != 0
    assert "Most of the solution of q1-gram" in refused.stderr
    assert not list(course.glob("release/**/*.ipynb"))


def test_seeds_and_tags_are_drawn(tmp_path):
    example_set.written(tmp_path / "sets")
    seeds, tags = set(), set()
    for name in ("one", "two"):
        seeds.add(create_course(tmp_path / name, tmp_path / "sets"))
        path = tmp_path / name / "source" / example_set.NAME / f"{example_set.NAME}.ipynb"
        tags.add(nbformat.read(path, as_version=4).metadata["coursework"]["seed_tag"])
        assert (tmp_path / name / ".gitignore").read_text() == "*\n"
    assert len(seeds) == len(tags) == 2
    assert min(seeds) > 10**9


def test_the_notebook_brings_its_data_where_the_file_is_missing(tmp_path, monkeypatch):
    example_set.written(tmp_path / "sets")
    course = tmp_path / "course"
    create_course(course, tmp_path / "sets", example_set.SEED)
    folder = course / "source" / example_set.NAME
    cell = nbformat.read(folder / f"{example_set.NAME}.ipynb", as_version=4).cells[1]
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(cell.source, names)
    with np.load(folder / "data.npz") as wanted:
        assert all(np.array_equal(names["data"][name], wanted[name]) for name in wanted)


def test_a_page_that_takes_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr(feedback, "SECONDS", 1)
    assert feedback.run_limited(lambda: "x" * 10**6) == "x" * 10**6
    assert feedback.run_limited(lambda: next(iter(int, 1))) is None
    assert feedback.run_limited(lambda: bytearray(10**11).decode()) is None
