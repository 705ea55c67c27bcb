"""The limits hold with bubblewrap and without, and what does not hold is said."""

import os
import re
import textwrap
import time
from dataclasses import replace

import psutil
import pytest

from coursework import executor, feedback, sandbox
from coursework.feedback import sanitize_html
from coursework.repair_submission import repair
from coursework.sandbox import MB, Limits
from coursework.student import student_version
from tests.coursework import example_set
from tests.coursework.example_set import WRAPPED

pytestmark = pytest.mark.slow

LIMITS = Limits(cell=6, cells=60, hand_in=40, memory=3000 * MB, output=200_000)
# A hundred processes that sleep, and that leave their group.
CROWD = """
import os, time

for _ in range(100):
    if os.fork() == 0:
        os.setsid()
        time.sleep(60)
        os._exit(0)
time.sleep(30)
"""
# Four processes of 500 MB: no one has too much.
TOGETHER = """
import os, time

for _ in range(3):
    if os.fork() == 0:
        break
table = bytearray(b"x") * (500 * 10**6)
time.sleep(60)
"""
BIG_FILE = """
try:
    with open("big", "wb") as file:
        for _ in range(100):
            file.write(bytes(10**6))
    print("WRITTEN")
except OSError as error:
    print("STOPPED", error.errno)
"""
MANY_FILES = """
try:
    for number in range(30):
        with open(f"file-{number}", "wb") as file:
            file.write(bytes(5 * 10**6))
    print("WRITTEN")
except OSError as error:
    print("STOPPED", error.errno)
"""
# Sixty files of 60 MB without a name, of which nothing is mapped.
NAMELESS = """
import os, time

kept = []
for _ in range(60):
    kept.append(os.memfd_create("x"))
    os.write(kept[-1], bytes(60 * 10**6))
time.sleep(30)
"""
EMPTY_FILES = """
import time

for number in range(3000):
    open(f"file-{number}", "w").close()
time.sleep(30)
"""
NEW_USERS = """
import ctypes

print("USERS", ctypes.CDLL(None).unshare(0x10000000))
"""
ASKING = "name = input('Your name? ')"
HELPER = "from helper import LIKED\n\nprint('HELPED', LIKED, np.loadtxt('mine.csv').sum())"


@pytest.fixture(scope="module")
def set_(tmp_path_factory):
    """Write the set."""
    return example_set.written(tmp_path_factory.mktemp("sets"))


@pytest.fixture(scope="module")
def release(set_):
    """Return what students get."""
    return student_version(set_)


@pytest.fixture(params=[pytest.param("bubblewrap", marks=WRAPPED), "without"])
def wrapped(request, monkeypatch):
    """Run in bubblewrap, and as where there is none; tell which."""
    if request.param == "without":
        monkeypatch.setattr(sandbox, "bubblewrap", lambda: False)
    return request.param == "bubblewrap"


def after(release, source):
    """Return right answers, with a cell behind them."""
    return example_set.filled(release, example_set.RIGHT, [("q2-points-test", source)])


def printed(done):
    """Return what a run printed."""
    outputs = [output for cell in done.notebook.cells for output in cell.get("outputs", [])]
    return "".join(output.get("text", "") for output in outputs)


def run(notebook, set_, limits=LIMITS, files=None):
    """Run a notebook of the set."""
    material = executor.grading_inputs(set_, example_set.SEED)
    submission = repair(notebook, student_version(set_)).notebook
    return executor.run(submission, material, limits, files)


def scores(done, set_):
    """Return the scores of the two tests."""
    return [
        each.score for each in set_.reference.verdicts(example_set.SEED, done.answers).values()
    ]


def alive(mark):
    """Return the processes whose command line holds a mark.

    As root every grader has user ids of its own, so that those of other tests are not counted.
    """
    first = sandbox.FIRST_USER + os.getpid() % 1_000_000 * sandbox.USERS_PER_GRADER
    ours = range(first, first + sandbox.USERS_PER_GRADER)
    return [
        each
        for each in psutil.process_iter(["cmdline", "uids"])
        if mark in " ".join(each.info["cmdline"] or ())
        and each.pid != os.getpid()
        and (os.geteuid() or each.info["uids"].effective in ours)
    ]


SLEEPS = "import time\n\nwhile True:\n    time.sleep(1)"
ENDLESS = {"computes": "while True:\n    pass", "sleeps": SLEEPS}
DEAF = "while True:\n    try:\n{}\n    except BaseException:\n        pass"


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS)
def test_an_endless_cell_ends(set_, release, source):
    limits = replace(LIMITS, cell=1, hand_in=2)
    for cell, says in (
        (source, "interrupted"),
        (DEAF.format(textwrap.indent(source, 8 * " ")), "ignored the interrupt"),
    ):
        done = run(after(release, cell), set_, limits)
        assert says in " ".join(done.notes)
        assert scores(done, set_) == [1, 1]


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS)
def test_an_endless_answer_ends(set_, release, source):
    loop = f"    if len(distances) == 8:\n{textwrap.indent(source, 8 * ' ')}\n    squares ="
    answer = example_set.RIGHT["q1-gram"].replace("    squares =", loop, 1)
    notebook = example_set.filled(release, {**example_set.RIGHT, "q1-gram": answer})
    done = run(notebook, set_, replace(LIMITS, cell=1))
    assert done.answers["q1-gram"].reason == executor.HIDDEN_TEST_ERRORS["time"]
    assert scores(done, set_) == [0, 1]


def test_a_busy_machine_stops_no_cell(set_, release):
    """By the clock alone a cell may take longer than its time."""
    waits = "import time\n\ntime.sleep(2)\nprint('AWAKE')"
    done = run(after(release, waits), set_, replace(LIMITS, cell=1))
    assert (done.status, scores(done, set_)) == ("run", [1, 1])
    assert "AWAKE" in printed(done)


# Writes into every pipe that a cell has begun, or that all have run, for as long as it may.
STRETCH = """
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


def test_forged_lines_buy_no_time(set_, release):
    limits = replace(LIMITS, cell=1, cells=3, hand_in=2)
    started = time.monotonic()
    done = run(after(release, STRETCH), set_, limits)
    assert done.status == "stopped"
    assert time.monotonic() - started < 3 * sandbox.CLOCK_FACTOR * (
        3 + 2 + 2 * sandbox.GRACE_SECONDS
    )


def test_check_may_stay_in_what_is_handed_in(set_, release):
    done = run(after(release, 'check("q1-gram-test")'), set_)
    assert "q1-gram-test: 2 of 2 open tests pass" in printed(done)
    assert scores(done, set_) == [1, 1]


def test_a_crowd_of_processes_is_ended(set_, release, wrapped):
    done = run(after(release, CROWD), set_)
    assert scores(done, set_) == [1, 1]
    if not sandbox.has_user_per_run():
        assert "more processes" in " ".join(done.notes)
    end = time.monotonic() + 5
    while alive("coursework/worker.py") and time.monotonic() < end:
        time.sleep(0.1)
    assert not alive("coursework/worker.py")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        pytest.param(TOGETHER, "used more memory", id="together"),
        pytest.param(NAMELESS, "used more memory", id="nameless"),
        pytest.param(EMPTY_FILES, "wrote more files", id="files", marks=WRAPPED),
    ],
)
def test_what_takes_too_much_is_left_out(set_, release, source, says):
    limits = replace(LIMITS, memory=1500 * MB, files=2000, cell=30)
    done = run(after(release, source), set_, limits)
    assert says in " ".join(done.notes), done.notebook.cells[-1]
    assert scores(done, set_) == [1, 1]


def test_files_are_limited(set_, release, wrapped):
    limits = replace(LIMITS, file=20 * MB)
    done = run(after(release, BIG_FILE), set_, limits)
    assert "STOPPED" in printed(done)
    assert scores(done, set_) == [1, 1]
    if wrapped:
        assert "STOPPED" in printed(run(after(release, MANY_FILES), set_, limits))


GROUP = """#!/bin/sh
echo "$@" >> {calls}
while [ "$1" != "--" ]; do shift; done
shift
exec "$@"
"""


@WRAPPED
def test_a_control_group_limits_memory_where_there_is_one(set_, release, tmp_path, monkeypatch):
    calls, program = tmp_path / "calls", tmp_path / "systemd-run"
    program.write_text(GROUP.format(calls=calls))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/5")
    sandbox._control_group.cache_clear()
    try:
        seen = after(release, "import os\n\nprint('BUS', os.environ.get('XDG_RUNTIME_DIR'))")
        done = run(seen, set_, replace(LIMITS, memory=2000 * MB))
    finally:
        sandbox._control_group.cache_clear()
    assert scores(done, set_) == [1, 1]
    assert "BUS None" in printed(done)
    probe, *_, run_ = calls.read_text().splitlines()
    assert probe.endswith("-- true")
    assert f"--scope --quiet --collect -p MemoryMax={2000 * MB}" in run_


@WRAPPED
@pytest.mark.parametrize("user", sorted({os.geteuid(), 1000}))
def test_no_user_namespace_opens_in_the_sandbox(set_, release, monkeypatch, user):
    monkeypatch.setattr(os, "geteuid", lambda: user)
    done = run(after(release, NEW_USERS), set_)
    assert "USERS -1" in printed(done)


def test_nobody_is_asked_and_files_beside_are_there(set_, release):
    extra = [("q2-points-test", ASKING), ("q2-points-test", HELPER)]
    notebook = example_set.filled(release, example_set.RIGHT, extra)
    files = {"helper.py": b"LIKED = 7", "mine.csv": b"1 2\n3 4\n", "data.npz": b"not the data"}
    done = run(notebook, set_, files=files)
    assert "HELPED 7 10.0" in printed(done)
    names = [
        output.ename
        for cell in done.notebook.cells
        for output in cell.get("outputs", [])
        if output.output_type == "error"
    ]
    assert names == ["EOFError"]
    assert scores(done, set_) == [1, 1]


def test_a_sandbox_that_does_not_start_is_not_a_zero(set_, release, monkeypatch):
    monkeypatch.setattr(sandbox, "_before", lambda *_: ["false"])
    assert run(release, set_).status == "failed"


# In a tag: what is no tag any more may say what it likes.
HARMFUL = re.compile(
    r"<[^>]*\b(script|iframe|style|form|input|svg|onerror|onload|src|href)\b", re.IGNORECASE
)


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<img src='https://example.org/who.png'>",
        "<a href='javascript:alert(1)'>x</a>",
        "<iframe src='https://example.org'></iframe>",
        "<style>body { display: none }</style>",
        "<form action='https://example.org'><input></form>",
        "<svg onload=alert(1)>",
        "<p style='position: fixed'>x</p>",
    ],
)
def test_nothing_of_a_student_runs_in_a_browser(text):
    assert HARMFUL.search(text)
    assert not HARMFUL.search(sanitize_html(text))


def test_a_text_of_no_sensible_length_is_not_rendered():
    started = time.monotonic()
    shown = feedback.safe_markdown({}, "<b>" + 3_000_000 * "$")
    assert time.monotonic() - started < 1
    assert shown.startswith("<pre>&lt;b&gt;$$")
    assert len(shown) < 2 * feedback.LONGEST
