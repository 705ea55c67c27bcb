"""Grading of a class with nbgrader's commands: marks, confinement and secrecy."""

import contextlib
import os
import socketserver
import subprocess
import sys
import threading
import time

import nbformat
import numpy as np
import pytest

from coursework.__main__ import main
from coursework.course import create_course
from coursework.sets import Set, SetError
from coursework.student_version import student_version
from tests.coursework import example_set, expected_submissions
from tests.coursework.example_set import HAS_BUBBLEWRAP, NAME, NEEDS_BUBBLEWRAP, SEED, fill
from tests.coursework.nbgrader_commands import (
    WITHOUT_BUBBLEWRAP,
    example_course,
    exported_rows,
    nbgrader,
)

pytestmark = pytest.mark.slow
NO_BUBBLEWRAP = """
from coursework import sandbox

sandbox.command_prefix = lambda *_: ["false"]
sandbox.bubblewrap_works.cache_clear()
"""


@contextlib.contextmanager
def changed_configuration(course, change, name="nbgrader_config.py"):
    """Change the files of a course's configuration that match a name for a while."""
    before = {path: path.read_text() for path in course.glob(name)}
    for path, text in before.items():
        path.write_text(change(text))
    try:
        yield
    finally:
        for path, text in before.items():
            path.write_text(text)


@pytest.fixture(scope="module")
def server():
    """Return the address of a server on this machine and the messages that it received."""
    messages = []

    class Listener(socketserver.BaseRequestHandler):
        def handle(self):
            messages.append(self.request.recv(100))

    with socketserver.TCPServer(("127.0.0.1", 0), Listener) as listening:
        threading.Thread(target=listening.serve_forever).start()
        yield listening.server_address, messages
        listening.shutdown()


class GradedClass:
    """A course whose submissions have been collected, graded and exported."""

    def __init__(self, folder, server):
        self.course = example_course(folder)
        self.messages = server[1]
        done = [nbgrader(self.course, "generate_assignment", NAME)]
        source, reference = self.course / "source" / NAME, self.course / "reference"
        self.set = Set(NAME, source, reference / f"{NAME}.py")
        archive = self.course / "downloaded" / NAME / "archive"
        archive.mkdir(parents=True)
        (folder / "note.txt").write_text("private")
        self.secret_paths = [
            self.set.reference_path,
            source / f"{NAME}.ipynb",
            archive / "right.ipynb",
            self.course / "gradebook.db",
            folder / "note.txt",
        ]
        self.spy = expected_submissions.spy_code(self.secret_paths, server[0])
        self.table = expected_submissions.submissions(self.set, self.spy, HAS_BUBBLEWRAP)
        expected_submissions.write(archive, self.table)
        done.append(nbgrader(self.course, "zip_collect", NAME))
        secret = {"COURSEWORK_SECRET": "the grader's own"}
        done.append(nbgrader(self.course, "autograde", NAME, *WITHOUT_BUBBLEWRAP, **secret))
        done.append(nbgrader(self.course, "generate_feedback", NAME))
        done.append(nbgrader(self.course, "export"))
        assert [run.returncode for run in done] == [0] * 5, [run.stderr[-3000:] for run in done]

    def outputs(self, student):
        """Return the outputs of the cells of a student."""
        path = self.course / "autograded" / student / NAME / f"{NAME}.ipynb"
        cells = nbformat.read(path, as_version=4).cells
        return [output for cell in cells for output in cell.get("outputs", [])]

    def printed(self, student):
        """Return everything that the notebook of a student printed."""
        return "".join(output.get("text", "") for output in self.outputs(student))

    def feedback(self, student):
        """Return the feedback page of a student."""
        path = self.course / "feedback" / student / NAME / f"{NAME}.html"
        return path.read_text("utf-8").replace("&#39;", "'")


@pytest.fixture(scope="module")
def graded(tmp_path_factory, server):
    """Grade a class once."""
    return GradedClass(tmp_path_factory.mktemp("coursework"), server)


def test_each_submission_gets_its_points_and_notes(graded):
    expected = {path.removesuffix(".ipynb"): each for path, (_, each) in graded.table.items()}
    rows = {name.removeprefix("'"): row for name, row in exported_rows(graded.course).items()}
    for student, each in expected.items():
        row = rows[student]
        points = float(row["automatic"]) if row["automatic"] else None
        assert (row["Status"], points) == (each.status, each.points), row
        assert each.note in row["notes"], row
        assert each.feedback in graded.feedback(student), student
    assert rows.keys() == expected.keys() | {"linked"}
    assert rows["linked"]["Status"] == "unreadable"


@NEEDS_BUBBLEWRAP
def test_sandbox_confines_code_that_succeeds_outside(graded):
    printed = graded.printed("spy")
    for sign in ("READ", "WROTE", "LISTED", "CONNECTED", "grader's own"):
        assert sign not in printed
    assert int(printed.split("PROCESSES ")[1].split()[0]) < 10
    assert graded.messages == []
    command, secret = [sys.executable, "-c", graded.spy], {"COURSEWORK_SECRET": "the grader's own"}
    outside = subprocess.run(
        command, env=secret, capture_output=True, text=True, check=True
    ).stdout
    for path in graded.secret_paths:
        assert f"READ {path}" in outside
        assert f"WROTE {path}" in outside
        os.remove(f"{path}.spied")
    for sign in ("LISTED", "CONNECTED", "SECRET the grader's own"):
        assert sign in outside
    until = time.monotonic() + 10
    while not graded.messages and time.monotonic() < until:
        time.sleep(0.05)
    assert graded.messages == [b"answers, please"]


def test_hidden_tests_and_inputs_appear_nowhere(graded):
    hidden = graded.set.reference.hidden(SEED)
    numbers = {
        f"{abs(number):.6g}"[:7]
        for key in ("distances", "gram")
        for number in hidden[key].ravel()
        if abs(number) > 1e-3
    }
    assert len(numbers) > 30
    files = [
        *graded.course.glob("feedback/**/*.html"),
        *graded.course.glob("autograded/**/*.ipynb"),
        *graded.course.glob("release/**/*.ipynb"),
    ]
    assert len(files) > 30
    for path in files:
        text = path.read_text("utf-8")
        for sign in ('answer("q1', "hidden[", "HIDDEN", "BEGIN SOLUTION"):
            assert sign not in text, path
        assert not [number for number in numbers if number in text], path
    assert "AT LAST [(6, 6)]" in graded.printed("leak")
    sheet = nbformat.read(graded.course / "marking" / f"{NAME}.ipynb", as_version=4)
    assert ["Two for the sum" in cell.source for cell in sheet.cells].count(True) == 1
    assert any(cell.get("outputs") for cell in sheet.cells)
    assert not any("SOLUTION" in cell.source for cell in sheet.cells)
    released = {path.name for path in (graded.course / "release" / NAME).iterdir()}
    assert released == {f"{NAME}.ipynb", "data.npz"}


def test_long_outputs_are_cut_and_figures_kept(graded):
    outputs = graded.outputs("loud")
    assert sum(len(output.get("text", "")) for output in outputs) < 500_000
    assert [output for output in outputs if "image/png" in output.get("data", {})]


PYTHON, JSON = "nbgrader_config.py", "nbgrader_config.json"
BROKEN_CONFIGURATIONS = {
    "both": ("nbgrader_config.*", lambda text: text[:-9] + "(", "No notebooks were matched"),
    "no bubblewrap": (PYTHON, lambda text: text + NO_BUBBLEWRAP, "without_bubblewrap = True"),
    "syntax": (PYTHON, lambda text: text + "c.x = (", "could not be loaded"),
    "damaged": (JSON, lambda text: text[:-9], "cannot be read"),
    "not installed": (JSON, lambda text: text.replace("coursework.a", "no_such.a"), "no_such"),
}


@pytest.mark.parametrize("reason", BROKEN_CONFIGURATIONS)
def test_nothing_is_executed_with_a_broken_configuration(graded, tmp_path, reason):
    trace, student = tmp_path / "trace.txt", f"writes for {reason}"
    cell = f"open({str(trace)!r}, 'w').close()"
    folder = graded.course / "submissions" / student / NAME
    folder.mkdir(parents=True)
    notebook = fill(student_version(graded.set), extra=[("q2-points-test", cell)])
    nbformat.write(notebook, folder / f"{NAME}.ipynb")
    name, change, message = BROKEN_CONFIGURATIONS[reason]
    with changed_configuration(graded.course, change, name):
        refused = nbgrader(graded.course, "autograde", NAME, "--student", student)
    assert refused.returncode != 0
    assert message in refused.stderr
    assert not trace.exists()
    if reason == "no bubblewrap":  # the teacher allows it
        with changed_configuration(graded.course, change, name):
            arguments = ["--student", student, "--Grader.without_bubblewrap=True"]
            assert nbgrader(graded.course, "autograde", NAME, *arguments).returncode == 0
    exec(cell)
    assert trace.exists()


def test_assignment_that_shows_a_solution_is_not_generated(tmp_path):
    master = example_set.master()
    master.cells[0].source += "\n\n" + "\n".join(example_set.GRAM.splitlines()[3:5])
    example_set.write(tmp_path / "sets", master)
    course = tmp_path / "course"
    assert main(["course", str(course), "--sets", str(tmp_path / "sets")]) == 0
    refused = nbgrader(course, "generate_assignment", NAME)
    assert refused.returncode != 0
    assert "q1-gram" in refused.stderr
    assert not list(course.glob("release/**/*.ipynb"))


def test_courses_have_random_seeds_and_embedded_data(tmp_path, monkeypatch):
    example_set.write(tmp_path / "sets")
    seeds = {create_course(tmp_path / name, tmp_path / "sets") for name in ("one", "two")}
    folders = [tmp_path / name / "source" / NAME for name in ("one", "two")]
    masters = [nbformat.read(folder / f"{NAME}.ipynb", as_version=4) for folder in folders]
    tags = {master.metadata["coursework"]["seed_tag"] for master in masters}
    assert len(seeds) == len(tags) == 2
    assert min(seeds) > 10**9
    monkeypatch.chdir(tmp_path)  # where data.npz is missing
    names = {}
    exec(masters[0].cells[1].source, names)
    with np.load(folders[0] / "data.npz") as wanted, names["data"] as data:
        assert all(np.array_equal(data[name], wanted[name]) for name in wanted)


def test_existing_course_has_the_seed_that_nbgrader_reads(tmp_path):
    example_set.write(tmp_path / "sets")
    config = tmp_path / "course" / "nbgrader_config.py"
    config.parent.mkdir()
    config.write_text("c.Grader.without_bubblewrap = True\n")
    with pytest.raises(SetError, match=r"the seed None.*the line c\.Grader\.seed ="):
        create_course(config.parent, tmp_path / "sets")
    config.write_text("c.Grader.seed = 1_000\n")
    assert create_course(config.parent, tmp_path / "sets") == 1000
