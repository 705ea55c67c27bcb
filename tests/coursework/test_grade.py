"""Every submission gets its verdict, and nobody loses a point by another's."""

import contextlib
import csv
import functools
import io
import os
import resource
import shutil
import socket
import subprocess
import sys
import threading

import nbformat
import numpy as np
import pytest
from nbgrader.api import Gradebook
from tqdm import tqdm

from coursework import grade as grading
from coursework import sandbox
from coursework.__main__ import main
from coursework.checks import MISTAKES
from coursework.grade import grade, status_of
from coursework.report import report
from coursework.results import STATUSES, Result, read_results
from coursework.running import run, scored
from coursework.sandbox import MB, Limits
from coursework.sets import SetError
from tests.coursework import inboxes, trial

pytestmark = pytest.mark.slow
LIMITS = Limits(cell=8, cells=60, hand_in=40, memory=3000 * MB, output=200_000)
ISOLATED = sandbox.isolation()
# On a build server a missing bubblewrap is a failure, not a reason to skip.
WRAPPED = pytest.mark.skipif(
    not ISOLATED.bubblewrap and not os.environ.get("CI"),
    reason="no bubblewrap here, which `apt-get install bubblewrap` brings",
)
CONTAINED = ISOLATED.bubblewrap and (ISOLATED.own_user or os.geteuid() != 0)


@pytest.fixture(scope="module")
def server():
    """Count who calls a server on this machine."""
    calls = []

    def listen():
        with contextlib.suppress(OSError):
            while True:
                call, _ = listening.accept()
                with call:
                    calls.append(call.recv(100))

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=listen)
        thread.start()
        yield listening.getsockname(), calls
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()


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
    table = inboxes.files(set_, spy, CONTAINED)
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
        "paths": paths,
        "spy": spy,
        "calls": server[1][:],
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


def everything(place):
    """Return the texts that students get, or that a marker sees."""
    pages = [*place["out"].rglob("*.html"), *place["out"].rglob("*.ipynb")]
    assert len(pages) > 40
    return {path: path.read_text("utf-8") for path in pages}


@WRAPPED
def test_a_spy_sees_nothing_and_the_same_code_outside_sees_all(place, server, tmp_path):
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
    assert server[1][len(place["calls"]) :] == [b"answers, please"]


def test_the_cheat_passes_the_open_tests():
    names = {"np": np, "data": {"distances": np.eye(6)}}
    public = trial.GRAM_TEST.split("###")[0].replace("np.allclose", "allclose")
    with pytest.raises(AssertionError):
        exec(public, {**names, "allclose": np.allclose, "gram": np.exp})
    cheat = inboxes.CHEAT.replace("np.allclose =", "allclose =").split("np.testing")
    rest = cheat[1].split("\n", 3)[3]
    exec(cheat[0] + rest + public, names)


def test_no_hidden_check_shows(place):
    reference = place["set"].reference
    hidden = reference.hidden(trial.SEED)
    numbers = {
        f"{abs(number):.6g}"[:7]
        for key in ("distances", "gram")
        for number in hidden[key].ravel()
        if abs(number) > 1e-3
    }
    lines = [line for line in trial.master().cells[3].source.splitlines() if "answer(" in line]
    assert len(lines) == 2
    assert len(numbers) > 30
    for path, text in everything(place).items():
        assert not [line for line in lines if line in text], path
        assert "hidden[" not in text
        assert "HIDDEN" not in text
        assert not [number for number in numbers if number in text], path


def test_a_leak_shows_only_what_is_open(place):
    printed = shown(place, "leak")
    assert "SAW (6, 6)" in printed
    assert "AT LAST [(6, 6)]" in printed
    assert "(8, 8)" not in printed


def test_outputs_are_cut_and_figures_kept(place):
    path = place["out"] / "autograded" / "loud" / trial.NAME / f"{trial.NAME}.ipynb"
    assert path.stat().st_size < 2 * MB
    notebook = nbformat.read(path, as_version=4)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert [output for output in outputs if "image/png" in output.get("data", {})]
    nbformat.validate(notebook)


def test_the_log_names_everybody_and_what_does_not_hold(place):
    log = (place["out"] / "grade.log").read_text("utf-8")
    assert all(student in log for student in place["results"])
    assert all(sentence in log for sentence in ISOLATED.missing)


def test_grading_again_runs_nothing(place, monkeypatch):
    before = (place["out"] / "grades.csv").read_bytes()
    pages = {path: path.stat().st_mtime_ns for path in place["out"].rglob("*.html")}
    monkeypatch.setattr(sandbox, "run", None)
    inbox = (place["set"], place["inbox"], place["out"])
    grade(*inbox, seed=trial.SEED, limits=LIMITS)
    assert (place["out"] / "grades.csv").read_bytes() == before
    assert {path: path.stat().st_mtime_ns for path in place["out"].rglob("*.html")} == pages


def test_only_what_changed_is_graded_again_and_results_repeat(place, tmp_path, monkeypatch):
    inbox, out = tmp_path / "inbox", tmp_path / "out"
    inbox.mkdir()
    some = ["right.ipynb", "partly.ipynb", "exit-hidden.ipynb", "edited.ipynb", "paper.pdf"]
    inboxes.fill(inbox, {path: place["table"][path] for path in some})
    monkeypatch.setattr(grading, "tqdm", functools.partial(tqdm, disable=False))
    drawn = io.StringIO()
    with contextlib.redirect_stderr(drawn):
        grade(place["set"], inbox, out, seed=trial.SEED, jobs=1, limits=LIMITS)
    assert "Grading: 100%" in drawn.getvalue()
    before = rows(place["out"])
    assert rows(out) == {student: before[student] for student in rows(out)}
    ran = []
    real = sandbox.run
    monkeypatch.setattr(sandbox, "run", lambda *job: (ran.append(job), real(*job))[1])
    (inbox / "right.ipynb").write_text(place["table"]["partly.ipynb"][0])
    os.remove(inbox / "edited.ipynb")
    grade(place["set"], inbox, out, seed=trial.SEED, jobs=1, limits=LIMITS)
    assert len(ran) == 1
    after = rows(out)
    assert after["right"]["automatic"] == "6"
    assert "edited" not in after
    assert not list(out.rglob("edited*"))
    with Gradebook(f"sqlite:///{out / 'gradebook.db'}") as book:
        there = {each.student.id for each in book.assignment_submissions(trial.NAME)}
    assert there == {"right", "partly", "exit-hidden"}


def test_nbgrader_reads_its_database(place):
    with Gradebook(f"sqlite:///{place['out'] / 'gradebook.db'}") as book:
        scores = {each.student.id: each.score for each in book.assignment_submissions(trial.NAME)}
        marks = book.find_submission_notebook(trial.NAME, trial.NAME, "partly").grades
        waiting = {grade.name for grade in marks if grade.needs_manual_grade}
    wanted = {
        student: float(row["automatic"])
        for student, row in rows(place["out"]).items()
        if row["automatic"]
    }
    assert scores == {student.removeprefix("'"): score for student, score in wanted.items()}
    assert waiting == {"q3-report", "q4"}


@pytest.fixture
def marked(place, tmp_path, monkeypatch):
    """Copy the results, to mark them by hand."""
    out = tmp_path / "out"
    shutil.copytree(place["out"], out)
    monkeypatch.setattr(sandbox, "run", None)

    def again(text=None):
        marks = tmp_path / "marks.csv"
        if text is not None:
            marks.write_text(text, "utf-8")
        inbox = (place["set"], place["inbox"], out)
        given = None if text is None else marks
        grade(*inbox, seed=trial.SEED, limits=LIMITS, marks=given)
        return rows(out)

    return out, again


def test_hand_marks_come_in(marked):
    out, again = marked
    found = again("student,q3-report,q4\nright,5.5,\nZoë Ångström-李,1,2\nloud,,\n")
    assert (found["right"]["q3-report"], found["right"]["hand"]) == ("5.5", "")
    assert found["Zoë Ångström-李"]["hand"] == "3"
    assert found["blank"]["hand"] == "0"
    page = (out / "feedback" / "right" / trial.NAME / f"{trial.NAME}.html").read_text()
    assert "5.5 of 6" in page
    with Gradebook(f"sqlite:///{out / 'gradebook.db'}") as book:
        assert book.find_submission(trial.NAME, "right").score == 13.5
        grade_ = book.find_grade("q4", trial.NAME, trial.NAME, "right")
        grade_.manual_score = 4.0
        book.db.commit()
    assert again()["right"]["hand"] == "9.5"  # marked in nbgrader's formgrader
    sheet = (out / "grades.csv").read_text("utf-8-sig")
    assert again(sheet)["right"]["hand"] == "9.5"  # the table itself, filled in


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name,q4\nright,1\n", "no column 'student'"),
        ("student,q5\nright,1\n", "found q5"),
        ("student,q4\nnobody,1\n", "line 2: nobody called 'nobody'"),
        ("student,q4\nright,five\n", "line 2, q4: 'five' is no number"),
        ("student,q4\nright,4.5\n", "is not between 0 and 4"),
        ("student,q4\nright,-1\n", "is not between 0 and 4"),
        ("student,q4\nright,nan\n", "is not between 0 and 4"),
    ],
)
def test_wrong_marks_are_named(marked, text, says):
    with pytest.raises(SetError, match=says):
        marked[1](text)


def test_the_report(place, capsys):
    arguments = ["report", str(place["out"])]
    assert main(arguments) == 0
    page = (place["out"] / "report.html").read_text("utf-8")
    assert capsys.readouterr().out.strip() == str(place["out"] / "report.html")
    assert MISTAKES["minus-half-forgotten"] in page
    assert "A place to look, not a verdict" in page
    assert "100%: " in page
    assert "http" not in page.replace("http-equiv", "")
    assert "<script" not in page
    assert all(f"<td>{status}</td>" in page for status in STATUSES if status != "failed")
    assert "Students by points: 0: " in page


def test_a_folder_that_is_none(tmp_path):
    with pytest.raises(SetError, match="no folder of results"):
        report(tmp_path)
    assert main(["report", str(tmp_path)]) == 2


def test_exit_status(tmp_path, place, capsys):
    inbox = tmp_path / "inbox"
    command = ["grade", trial.NAME, str(inbox), "--out", str(tmp_path / "out"), "--jobs", "1"]
    command += ["--seed", str(trial.SEED), "--sets", str(place["set"].path.parent)]
    assert main(command) == 2
    assert "is no folder" in capsys.readouterr().err
    inbox.mkdir()
    assert main(command) == 2
    (inbox / "paper.pdf").write_text("%PDF-1.7")
    assert main(command) == 2
    (inbox / "right.ipynb").write_text(place["table"]["right.ipynb"][0])
    assert main(command) == 1
    assert "Look at paper: paper.pdf is a PDF" in capsys.readouterr().out
    os.remove(inbox / "paper.pdf")
    assert main(command) == 0
    assert status_of([Result("a", "", "graded"), Result("b", "", "failed")]) == 1


def test_a_reference_that_fails_costs_nobody_else(place, tmp_path):
    folder = tmp_path / "sets"
    set_ = trial.written(folder)
    source = trial.REFERENCE.replace(
        "    inputs = hidden(seed)\n",
        "    inputs = hidden(seed)\n    assert isinstance(answers['q1-two'], np.ndarray)\n",
    )
    (set_.path / "reference.py").write_text(source)
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    inboxes.fill(inbox, {path: place["table"][path] for path in ("right.ipynb", "syntax.ipynb")})
    results = grade(set_, inbox, tmp_path / "out", seed=trial.SEED, limits=LIMITS)
    assert [result.status for result in results] == ["unreadable", "graded", "failed"]
    assert "AssertionError" in (tmp_path / "out" / "grade.log").read_text()
    assert "failed" in read_results(tmp_path / "out")["syntax"].status


def test_an_ordinary_submission_is_quick(place):
    notebook = nbformat.reads(place["table"]["right.ipynb"][0], as_version=4)
    plain = sandbox.isolation(bubblewrap=False)  # bubblewrap's children are nobody's account
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run(notebook, place["set"], trial.SEED, LIMITS, isolated=plain)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert all(verdict.score == 1 for verdict in scored(done, place["set"], trial.SEED).values())
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert seconds > 0.5
    assert 30 * seconds / 2 < 90
