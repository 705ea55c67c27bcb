"""Limits on the code of a submission, with bubblewrap and without."""

import os
import textwrap
import time
from dataclasses import replace
from types import SimpleNamespace

import psutil
import pytest

from coursework import executor, sandbox
from coursework.repair_submission import repair
from coursework.sandbox import MB, Limits
from coursework.student_version import student_version
from tests.coursework import example_set
from tests.coursework.example_set import NEEDS_BUBBLEWRAP, RIGHT, SEED, fill

pytestmark = pytest.mark.slow

LIMITS = Limits(cell=6, cells=60, hidden_tests=40, memory=3000 * MB, output=200_000)
# One hundred processes that sleep and leave their process group.
MANY_PROCESSES = """
import os, time

for _ in range(100):
    if os.fork() == 0:
        os.setsid()
        time.sleep(60)
        os._exit(0)
time.sleep(30)
"""
# Four processes of 500 MB each, of which none exceeds the limit alone.
MEMORY_OF_ALL = """
import os, time

for _ in range(3):
    if os.fork() == 0:
        break
table = bytearray(b"x") * (500 * 10**6)
time.sleep(60)
"""
# Sixty files of 60 MB that exist in memory only.
FILES_IN_MEMORY = """
import os, time

kept = []
for _ in range(60):
    kept.append(os.memfd_create("x"))
    os.write(kept[-1], bytes(60 * 10**6))
time.sleep(30)
"""
LARGE_FILES = """
try:
    for number in range({count}):
        with open(f"file-{{number}}", "wb") as file:
            for _ in range({megabytes}):
                file.write(bytes(10**6))
    print("WRITTEN")
except OSError as error:
    print("STOPPED", error.errno)
"""
NEW_USER_NAMESPACE = """
import ctypes

print("USERS", ctypes.CDLL(None).unshare(0x10000000))
"""
# Writes reports that a cell has begun, or that all have run, into every pipe, without an end.
FORGED_PROGRESS = """
import json, os, time

while True:
    try:
        for number in range(3, 64):
            for kind in ({"kind": "begin", "cell": 7}, {"kind": "executed"}):
                try:
                    os.write(number, json.dumps(kind).encode() + b"\\n")
                except OSError:
                    break
        time.sleep(0.1)
    except BaseException:
        pass
"""

FINDS_REPORTS = """
import contextlib, gc, json, os

worker = next(each for each in gc.get_objects() if type(each).__name__ == "Worker")
report, file = worker.report, worker.reports.fileno()
"""
# Is killed in the middle of a report, after it has tried to delete the earlier ones.
TRUNCATES_REPORTS = f"""{FINDS_REPORTS}
with contextlib.suppress(OSError):
    os.ftruncate(file, 0)
os.write(file, b'{{"kind": "outp')
os.kill(os.getpid(), 9)
"""
# Makes the report that all cells have run unreadable, and then reports the hidden inputs.
REWRITES_REPORTS = f"""{FINDS_REPORTS}

def report_after_bracket(kind, **fields):
    os.write(file, b"[" * (kind == "executed"))
    report(kind, **fields)

worker.report = report_after_bracket

def gram(distances):
    for number in range(30 * (len(distances) == 8)):
        seen = {{"output_type": "stream", "text": f"SAW {{distances}}"}}
        report("outputs", cell=number, outputs=[seen])
"""


@pytest.fixture(scope="module")
def set_(tmp_path_factory):
    """Write the set."""
    return example_set.write(tmp_path_factory.mktemp("sets"))


@pytest.fixture(params=[pytest.param(True, marks=NEEDS_BUBBLEWRAP), False])
def confined(request, monkeypatch):
    """Run with bubblewrap, and as if it were not installed."""
    if not request.param:
        monkeypatch.setattr(sandbox, "bubblewrap_works", lambda: False)
    return request.param


def run(set_, answers=RIGHT, cells=(), limits=LIMITS, files=None):
    """Run a notebook with answers and with cells behind question 2."""
    release = student_version(set_)
    notebook = fill(release, answers, [("q2-points-test", cell) for cell in cells])
    inputs = executor.grading_inputs(set_, SEED)
    notebook = repair(notebook, release).notebook
    result = executor.run(notebook, inputs, limits, files)
    return SimpleNamespace(notebook=notebook, **result._asdict())


def outputs(result, field):
    """Return a field of all outputs that have it."""
    found = [output for cell in result.notebook.cells for output in cell.get("outputs", [])]
    return [output[field] for output in found if field in output]


def printed(result):
    """Return everything that a run printed."""
    return "".join(outputs(result, "text"))


def scores(result, set_):
    """Return the scores of the two tests."""
    return [each.score for each in set_.reference.verdicts(SEED, result.answers).values()]


COMPUTES = "while True:\n    pass"
SLEEPS = "import time\n\nwhile True:\n    time.sleep(1)"
IGNORES_INTERRUPTS = """
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
"""


@pytest.mark.parametrize(
    ("cell", "note"),
    [
        (COMPUTES, "interrupted"),
        (SLEEPS, "interrupted"),
        (IGNORES_INTERRUPTS, "ignored the interrupt"),
    ],
)
def test_endless_cell_is_stopped(set_, cell, note):
    result = run(set_, cells=[cell], limits=replace(LIMITS, cell=1, cells=10, hidden_tests=2))
    assert note in " ".join(outputs(result, "evalue"))
    assert scores(result, set_) == [1, 1]


def test_endless_answer_is_stopped(set_):
    body = f"    if len(distances) == 8:\n{textwrap.indent(SLEEPS, 8 * ' ')}\n    squares ="
    answer = RIGHT["q1-gram"].replace("    squares =", body, 1)
    result = run(set_, {**RIGHT, "q1-gram": answer}, limits=replace(LIMITS, cell=1))
    assert scores(result, set_) == [0, 1]


def test_waiting_does_not_count_as_computing(set_):
    waits = "import time\n\ntime.sleep(2)\nprint('AWAKE')"
    result = run(set_, cells=[waits], limits=replace(LIMITS, cell=1))
    assert not result.notes
    assert "AWAKE" in printed(result)


def test_forged_reports_gain_no_time(set_, monkeypatch):
    monkeypatch.setattr(sandbox, "GRACE_SECONDS", 1.0)
    limits, started = replace(LIMITS, cell=1, cells=3, hidden_tests=2), time.monotonic()
    assert run(set_, cells=[FORGED_PROGRESS], limits=limits).notes
    assert time.monotonic() - started < 3 * sandbox.CLOCK_FACTOR * (3 + 2 + 2)


def test_rewritten_reports_show_no_hidden_inputs(set_):
    assert "SAW" not in printed(run(set_, {**RIGHT, "q1-gram": REWRITES_REPORTS}))


def test_truncated_reports_cost_no_other_marks(set_):
    result = run(set_, {**RIGHT, "q1-gram": TRUNCATES_REPORTS})
    assert result.notes == ["The cell q1-gram ended the process; it was left out."]
    assert scores(result, set_) == [0, 1]


def test_very_large_answer_costs_no_other_marks(set_):
    large = "def gram(distances):\n    return np.ones((3000, 3000))"
    assert scores(run(set_, {**RIGHT, "q1-gram": large}), set_) == [0, 1]


def own_workers():
    """Return the worker processes of this grader; as root it has user ids of its own."""
    first = sandbox.FIRST_USER + os.getpid() * sandbox.USERS
    return [
        each
        for each in psutil.process_iter(["cmdline", "uids"])
        if "coursework/worker.py" in " ".join(each.info["cmdline"] or ())
        and (os.geteuid() or each.info["uids"].effective - first in range(sandbox.USERS))
    ]


def test_all_processes_are_killed(set_, confined):
    result = run(set_, cells=[MANY_PROCESSES], limits=replace(LIMITS, cell=2))
    assert scores(result, set_) == [1, 1]
    end = time.monotonic() + 5
    while own_workers() and time.monotonic() < end:
        time.sleep(0.1)
    assert not own_workers()


@pytest.mark.parametrize("cell", [MEMORY_OF_ALL, FILES_IN_MEMORY])
def test_memory_is_limited(set_, cell):
    result = run(set_, cells=[cell], limits=replace(LIMITS, memory=1500 * MB, cell=30))
    assert "used more memory" in " ".join(result.notes)
    assert scores(result, set_) == [1, 1]


def test_size_of_files_is_limited(set_, confined):
    limits = replace(LIMITS, file=20 * MB)
    one = LARGE_FILES.format(count=1, megabytes=100)
    many = LARGE_FILES.format(count=30, megabytes=5)
    result = run(set_, cells=[one, many] if confined else [one], limits=limits)
    assert printed(result).count("STOPPED") == 1 + confined
    assert scores(result, set_) == [1, 1]


@NEEDS_BUBBLEWRAP
@pytest.mark.parametrize("user", sorted({os.geteuid(), 1000}))
def test_sandbox_forbids_user_namespaces(set_, monkeypatch, user):
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert "USERS -1" in printed(run(set_, cells=[NEW_USER_NAMESPACE]))


def test_submitted_files_are_available_and_input_is_not(set_):
    helper = "from helper import LIKED\n\nprint('HELPED', LIKED, np.loadtxt('mine.csv').sum())"
    files = {"helper.py": b"LIKED = 7", "mine.csv": b"1 2\n3 4\n", "data.npz": b"not the data"}
    result = run(set_, cells=["name = input('Your name? ')", helper], files=files)
    assert "HELPED 7 10.0" in printed(result)
    assert outputs(result, "ename") == ["EOFError"]
    assert scores(result, set_) == [1, 1]


def test_failed_start_of_the_sandbox_gives_no_zero(set_, monkeypatch):
    monkeypatch.setattr(sandbox, "command_prefix", lambda *_: ["false"])
    with pytest.raises(RuntimeError, match="did not start"):
        run(set_)
