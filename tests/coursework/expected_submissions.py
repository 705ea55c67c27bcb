"""Submissions that a grader must expect, with the result that each must get."""

import copy
import os
from dataclasses import dataclass

from coursework.student_version import student_version
from tests.coursework.example_set import (
    GRAM,
    RIGHT,
    cell_of,
    fill,
    position,
    text,
    without_markers,
)

RIGHT_GRAM = without_markers(GRAM)
FACTOR_FORGOTTEN = RIGHT_GRAM.replace("- squares.mean()) / 2", "- squares.mean()) * -1")
SYNTAX_ERROR = RIGHT_GRAM.replace("def gram(distances):", "def gram(distances)")
FAILS_OPEN_TEST = RIGHT_GRAM.replace("return (", "return np.ones(3) if len(squares) == 6 else (")
NOT_INSTALLED = f"import not_installed_here\n\n{RIGHT_GRAM}"
CHANGES_INPUT = RIGHT_GRAM.replace(
    "squares = distances**2", "distances **= 2\n    squares = distances"
)
USES_LIBRARY = f"import kmds_lib as helpful\n\nhelpful.__name__\n\n{RIGHT_GRAM}"
EXITS_ON_HIDDEN = f"import os\n\n{RIGHT_GRAM} if len(distances) == 6 else os._exit(0)"
PRINTS_300_MB = 'for _ in range(300):\n    print("x" * 1_000_000)\n'
FORK_BOMB = """
import os

while True:
    try:
        os.fork()
    except OSError:
        pass
"""
REPLACES_COMPARISONS = """
import builtins

np.allclose = lambda *_, **__: True
np.testing.assert_allclose = lambda *_, **__: None
builtins.AssertionError = type("Quiet", (BaseException,), {})

def gram(distances):
    class Anything(np.ndarray):
        def __eq__(self, other):
            return True
    return np.zeros(distances.shape).view(Anything)
"""
# Prints its inputs, stores them for a later cell, and puts them into an error message.
LEAKS_INPUTS = f"""
seen = []

{RIGHT_GRAM.replace("gram(", "really(", 1)}

def gram(distances):
    print("SAW", distances.shape, distances.tolist())
    seen.append(distances)
    if len(distances) == 8:
        raise ValueError(str(distances.tolist()))
    return really(distances)
"""
# Writes what an honest run would report, and malformed reports, into every open pipe.
FORGES_REPORTS = """
import json, os

for number in range(3, 64):
    for report in (
        {"kind": "answer", "name": "q1-gram", "value": {"type": "plain", "value": True}},
        {"kind": "answer", "name": "q1-gram", "value": {"type": "verdict", "value": 1.0}},
        {"kind": "verdict", "name": "q1-gram-test", "score": 1.0},
        {"kind": "outputs", "cell": -1, "outputs": [{"output_type": "display_data"}]},
        {"kind": "outputs", "cell": 10**9, "outputs": 5},
        {"kind": "part", "cell": [], "end": {}},
        {"kind": ["finished"]},
    ):
        try:
            os.write(number, json.dumps(report).encode() + b"\\n" + b"[" * 5000 + b"\\n")
        except OSError:
            break
"""


@dataclass
class Expected:
    """The result of a submission: its status, its automatic points, a note, and feedback."""

    status: str = "graded"
    points: float | None = 8.0
    note: str = ""
    feedback: str = ""


def spy_code(paths, address):
    """Return code that reads and writes files, lists folders and opens a connection."""
    return f"""
import os, socket

for path in {[str(path) for path in paths]!r}:
    try:
        print("READ", path, open(path, "rb").read(40))
    except OSError as error:
        print("no file", path, type(error).__name__)
    try:
        open(path + ".spied", "w").write("x")
        print("WROTE", path)
    except OSError as error:
        print("not written", path)
    try:
        print("LISTED", os.listdir(os.path.dirname(path)))
    except OSError:
        print("not listed", path)
try:
    socket.create_connection({address!r}, timeout=2).sendall(b"answers, please")
    print("CONNECTED")
except OSError as error:
    print("no network", type(error).__name__)
print("PROCESSES", len([name for name in os.listdir("/proc") if name.isdigit()]))
print("SECRET", os.environ.get("COURSEWORK_SECRET"))
"""


def submissions(set_, spy, has_bubblewrap):
    """Return a dictionary from names of files to contents and expected results."""
    release = student_version(set_)
    table = {
        path: (text(notebook), Expected(*expected))
        for group in (answers, damaged)
        for path, notebook, *expected in group(release)
    }
    for path, source, *expected in hostile():
        table[path] = text(fill(release, {**RIGHT, "q1-gram": source})), Expected(*expected)
    shows = [("q4", "print('AT LAST', [table.shape for table in seen], seen)")]
    leak = fill(release, {**RIGHT, "q1-gram": LEAKS_INPUTS}, shows)
    table["leak.ipynb"] = text(leak), Expected("graded", 6.0, "", "raised ValueError, in line 12")
    own_cells = {"spy.ipynb": (spy, "graded"), "loud.ipynb": (PRINTS_300_MB, "graded")}
    if has_bubblewrap:  # elsewhere it would harm other processes
        own_cells["bomb.ipynb"] = FORK_BOMB, "stopped"
    for path, (source, status) in own_cells.items():
        table[path] = text(fill(release, extra=[("q2-points-test", source)])), Expected(status)
    return table


def answers(release):
    """Yield honest submissions."""

    def first(source):
        return fill(release, {**RIGHT, "q1-gram": source})

    right = fill(release)
    yield "right.ipynb", right
    yield "=HYPERLINK(A).ipynb", right
    yield "half.ipynb", first(FACTOR_FORGOTTEN), "graded", 6.0, "", "The factor -1/2 is missing"
    yield "syntax.ipynb", first(SYNTAX_ERROR), "graded", 4.0, "", "has a syntax error"
    yield "open.ipynb", first(FAILS_OPEN_TEST), "graded", 6.0, "", "half of the points"
    yield "in-place.ipynb", first(CHANGES_INPUT)
    yield "absent.ipynb", first(NOT_INSTALLED), "repaired", None, "not installed"
    yield "library.ipynb", first(USES_LIBRARY), "repaired", None, "kmds_lib"
    yield "blank.ipynb", release, "graded", 0.0, "No answer cell was changed"


def hostile():
    """Yield answers to question 1 that end the process or try to change marks."""
    yield "exit-hidden.ipynb", EXITS_ON_HIDDEN, "graded", 4.0, "", "ended its process"
    yield "cheat.ipynb", REPLACES_COMPARISONS, "graded", 4.0
    yield "forge.ipynb", FORGES_REPORTS, "graded", 4.0


def damaged(release):
    """Yield notebooks whose cells were deleted, edited, doubled or stripped of metadata."""
    no_tests, deleted, stripped, foreign, old = (fill(release) for _ in range(5))
    for notebook, names in (
        (no_tests, ("q1-gram-test", "q2-points-test")),
        (deleted, ("q1-gram",)),
    ):
        for name in names:
            del notebook.cells[position(notebook, name)]
    yield "no-tests.ipynb", no_tests, "repaired", 8.0, "missing"
    yield "deleted.ipynb", deleted, "repaired", 4.0, "The answer cell q1-gram was missing"
    edited = fill(release, {"q1-gram-test": "assert True"})
    yield "edited.ipynb", edited, "repaired", 0.0, "q1-gram-test"
    double = fill(release, {**RIGHT, "q1-gram": FACTOR_FORGOTTEN})
    second = copy.deepcopy(cell_of(double, "q1-gram"))
    second.update(source=RIGHT_GRAM, id="copy")
    double.cells.insert(position(double, "q1-gram") + 1, second)
    yield "double.ipynb", double, "repaired", 8.0, "2 times"
    stripped.metadata = {}
    for number, cell in enumerate(stripped.cells):
        cell.metadata, cell.id = {}, f"new-{number}"
    yield "stripped.ipynb", stripped, "repaired", 8.0, "lack the set and seed"
    foreign.metadata["coursework"]["set"] = "9-other"
    yield "foreign.ipynb", foreign, "wrong set", None, "9-other"
    old.metadata["coursework"]["seed_tag"] = "0" * 16
    yield "last-year.ipynb", old, "wrong seed", None, "seed"


def write(folder, table):
    """Write submissions into a folder, with a system file and a link."""
    for name, (content, _) in table.items():
        (folder / name).write_text(content, "utf-8")
    (folder / ".DS_Store").write_bytes(b"x")
    os.symlink("/etc/passwd", folder / "linked.ipynb")
