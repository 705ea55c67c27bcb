"""An inbox with every submission that a grader must expect, and what each must come to."""

import copy
import io
import os
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass

from coursework.student import student_version
from tests.coursework.example_set import (
    DERIVATION,
    GRAM,
    RIGHT,
    bare,
    cell_of,
    filled,
    position,
    text,
)

HALF = bare(GRAM).replace("- squares.mean()) / 2", "- squares.mean()) * -1")
BOTH, FIRST, SECOND = 8.0, 4.0, 4.0

ABSENT = f"import not_installed_here\n\n{bare(GRAM)}"
ABSENT_WITHIN = bare(GRAM).replace("    squares", "    import not_installed_here\n    squares", 1)
# The helper takes the squares in the table that it was given.
IN_PLACE = bare(GRAM).replace("squares = distances**2", "distances **= 2\n    squares = distances")
BORROWED = f"import kmds_lib as helpful\n\nhelpful.__name__\n\n{bare(GRAM)}"
LOOP = "def gram(distances):\n    while True:\n        pass\n"
DEAF = """
try:
    while True:
        pass
except BaseException:
    pass
"""
HUNGRY = "def gram(distances):\n    return np.ones((1500, 1000, 1000))[0]\n"
BOMB = """
import os

while True:
    try:
        os.fork()
    except OSError:
        pass
"""
LOUD = 'for _ in range(300):\n    print("x" * 1_000_000)\n'
CHEAT = """
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
# Shows what it is given, keeps it for a later cell, and puts it into an error.
LEAK = f"""
seen = []

{bare(GRAM).replace("gram(", "really(", 1)}

def gram(distances):
    print("SAW", distances.shape, distances.tolist())
    seen.append(distances)
    if len(distances) == 8:
        raise ValueError(str(distances.tolist()))
    return really(distances)
"""
# Writes into every pipe that is open what an honest run would report, and more.
FORGE = """
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
class Wanted:
    """What a submission must come to."""

    status: str
    automatic: float | None = BOTH
    says: str = ""
    also: Sequence[str] = ()


class Inbox:
    """Submissions to a set, by their paths: content, and what each must come to."""

    def __init__(self, set_):
        self.set, self.release, self.table = set_, student_version(set_), {}
        self.right = filled(self.release, RIGHT)

    def add(self, path, content, *wanted, **more):
        """Take a submission in; a second file of one student comes to nothing of its own."""
        content = content if isinstance(content, (str, bytes)) else text(content)
        self.table[path] = content, Wanted(*wanted, **more) if wanted else None

    def first(self, source):
        """Return right answers with another one to question 1."""
        return filled(self.release, {**RIGHT, "q1-gram": source})

    def then(self, source):
        """Return right answers with a cell behind question 2."""
        return filled(self.release, RIGHT, [("q2-points-test", source)])


def spying(paths, address):
    """Return code that reads and writes files, lists folders and calls a server, and reports."""
    return f"""
import os, socket, subprocess, urllib.request

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


def zipped(files):
    """Return the bytes of a zip file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def without(notebook, *grade_ids):
    """Return a notebook without some cells."""
    notebook = filled(notebook, {})
    for grade_id in grade_ids:
        del notebook.cells[position(notebook, grade_id)]
    return notebook


def twice(notebook, name, source):
    """Return a notebook with a copy of a cell behind it, of another text."""
    notebook = filled(notebook, {})
    double = copy.deepcopy(cell_of(notebook, name))
    double.update(source=source, id="copy")
    notebook.cells.insert(position(notebook, name) + 1, double)
    return notebook


def bare_of_metadata(notebook):
    """Return a notebook as a tool leaves it that drops what it does not know."""
    notebook = filled(notebook, {})
    notebook.metadata = {}
    for number, cell in enumerate(notebook.cells):
        cell.metadata, cell.id = {}, f"new-{number}"
    return notebook


def files(set_, spy, bomb):
    """Return all submissions: path in the inbox, content, and what each must come to.

    The fork bomb is among them only where nothing but its own processes can be hurt.
    """
    inbox = Inbox(set_)
    add_answers(inbox)
    add_hostile(inbox)
    add_changed(inbox)
    add_foreign(inbox)
    add_unreadable(inbox)
    inbox.add("spy.ipynb", inbox.then(spy), "graded")
    if bomb:
        inbox.add("bomb.ipynb", inbox.then(BOMB), "stopped", BOTH, "of their own")
    return inbox.table


def add_answers(inbox):
    """Add what students mean to hand in, and the names that they give it."""
    add, first, right, release = inbox.add, inbox.first, inbox.right, inbox.release
    add("right.ipynb", right, "graded")
    add("partly.ipynb", first(HALF), "graded", 6.0, also=["The factor -1/2 is missing"])
    shown = bare(GRAM).replace("return (", "return np.ones(3) if len(squares) == 6 else (")
    add("open.ipynb", first(shown), "graded", 6.0, also=["which costs half of the points"])
    add("absent.ipynb", first(ABSENT), "repaired", None, "not installed")
    lacking = "not installed", ["A person looks at it"]
    add("absent-within.ipynb", first(ABSENT_WITHIN), "repaired", None, *lacking)
    add("in-place.ipynb", first(IN_PLACE), "graded", also=["work on a copy"])
    add("borrowed.ipynb", first(BORROWED), "repaired", None, "mentions kmds")
    published = filled(release, {**RIGHT, "q4": bare(DERIVATION)})
    add("published.ipynb", published, "repaired", BOTH, "the published solution")
    add("blank.ipynb", release, "graded", 0.0, "No answer cell was changed")
    add("syntax.ipynb", first("def gram(:\n"), "graded", SECOND)
    add("renamed/my homework (final) v2.ipynb", right, "graded")
    add("twofold/a.ipynb", right, "two notebooks", None, "Which")
    add("twofold/b.ipynb", first(HALF))
    add("copied/0-example.ipynb", right, "repaired", says="2 notebooks")
    add("copied/0-example (1).ipynb", right)
    add("Zoë Ångström-李.ipynb", right, "graded")
    add("sent-0-example.ipynb", right, "graded")
    add("=HYPERLINK(A).ipynb", right, "graded")
    packed = {"work/0-example.ipynb": text(right), "__MACOSX/._0-example.ipynb": "x"}
    add("packed.zip", zipped(packed), "graded")


def add_hostile(inbox):
    """Add code that takes too much, ends its process, or reaches for marks and hidden inputs."""
    add, first, then = inbox.add, inbox.first, inbox.then
    add("loop.ipynb", first(LOOP), "stopped", SECOND, "interrupted")
    add("deaf.ipynb", then(DEAF), "stopped", BOTH, "interrupted")
    late = "import os\n\n\ndef gram(distances):\n    os._exit(0)"
    add("exit-late.ipynb", first(late), "stopped", SECOND, "left out")
    hidden = f"import os\n\n{bare(GRAM)} if len(distances) == 6 else os._exit(0)"
    add("exit-hidden.ipynb", first(hidden), "graded", SECOND, also=["ended its process"])
    add("hungry.ipynb", first(HUNGRY), "graded", SECOND)
    add("loud.ipynb", then(LOUD), "graded", also=["was cut"])
    add("cheat.ipynb", first(CHEAT), "graded", SECOND)
    shows = [("q4", "print('AT LAST', [table.shape for table in seen], seen)")]
    leak = filled(inbox.release, {**RIGHT, "q1-gram": LEAK}, shows)
    add("leak.ipynb", leak, "graded", 6.0, also=["raised ValueError, in line 12 of its cell"])
    add("forge.ipynb", first(FORGE), "graded", SECOND)


def add_changed(inbox):
    """Add notebooks whose cells were deleted, edited, doubled or stripped."""
    add, right, release = inbox.add, inbox.right, inbox.release
    tests = ("q1-gram-test", "q2-points-test")
    add("no-tests.ipynb", without(right, *tests), "repaired", says="missing")
    edited = filled(release, {tests[0]: "assert True"})
    add("edited.ipynb", edited, "repaired", 0.0, "changed: test cells q1-gram-test")
    add("text-gone.ipynb", without(right, "between"), "repaired", says="between")
    missing = "The answer cell q1-gram was missing"
    add("deleted.ipynb", without(right, "q1-gram"), "repaired", SECOND, missing)
    double = twice(filled(right, {"q1-gram": HALF}), "q1-gram", bare(GRAM))
    add("double.ipynb", double, "repaired", says="2 times")
    empty = twice(right, "q1-gram", cell_of(release, "q1-gram").source)
    add("double-empty.ipynb", empty, "repaired", says="2 times")
    add("stripped.ipynb", bare_of_metadata(right), "repaired", says="lost its set and seed")


def add_foreign(inbox):
    """Add notebooks of another set and another seed."""
    foreign, other = (filled(inbox.release, RIGHT) for _ in range(2))
    foreign.metadata["coursework"]["set"] = "9-other"
    inbox.add("foreign.ipynb", foreign, "wrong set", None, "9-other")
    other.metadata["coursework"]["seed_tag"] = "0" * 16
    inbox.add("last-year.ipynb", other, "wrong seed", None, "seed")


def add_unreadable(inbox):
    """Add files that are no notebooks."""
    whole = text(inbox.right)
    for path, content, says in (
        ("empty.ipynb", "", "is empty"),
        ("words.ipynb", "My answers are:", "is not a notebook"),
        ("broken.ipynb", '{"cells": [}, "nbformat": 4}', "is not JSON"),
        ("deep.ipynb", '{"cells": ' + "[" * 10**5, "not JSON"),
        ("cut.ipynb", whole[: len(whole) // 2], "truncated"),
        ("paper.pdf", "%PDF-1.7 ...", "PDF"),
        ("disguised.ipynb", "%PDF-1.7 ...", "PDF"),
        ("torn.zip", zipped({"a.ipynb": whole})[:200], "zip"),
    ):
        inbox.add(path, content, "unreadable", None, says)


def student(path):
    """Return the student whom a path belongs to."""
    name = path.split("/")[0]
    name = name if "/" in path else name.rsplit(".", 1)[0]
    return name.removesuffix("-0-example")


def fill(inbox, table):
    """Write submissions into an inbox."""
    for path, (content, _) in table.items():
        target = inbox / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
    (inbox / ".DS_Store").write_bytes(b"x")
    os.symlink("/etc/passwd", inbox / "linked.ipynb")
