"""An inbox with every submission that a grader must expect, and what each must come to."""

import io
import json
import os
import zipfile
from dataclasses import dataclass, field

from coursework.student import student_version
from tests.coursework.trial import DERIVATION, GRAM, RIGHT, bare, filled, position, text

HALF = bare(GRAM).replace("- squares.mean()) / 2", "- squares.mean()) * -1")
BOTH, FIRST, SECOND = 8.0, 4.0, 4.0

ABSENT = f"import not_installed_here\n\n{bare(GRAM)}"
ABSENT_WITHIN = bare(GRAM).replace("    squares", "    import not_installed_here\n    squares", 1)
# The helper takes the squares in the table that it was given.
IN_PLACE = bare(GRAM).replace("squares = distances**2", "distances **= 2\n    squares = distances")
BORROWED = f"import kmds_lib as helpful\n\nhelpful.__name__\n\n{bare(GRAM)}"
LOOP = "def gram(distances):\n    while True:\n        pass\n"
STUBBORN = """
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
"""
DEAF = """
try:
    while True:
        pass
except BaseException:
    pass
"""
HUNGRY = "def gram(distances):\n    return np.ones((1500, 1000, 1000))[0]\n"
HUNGRY_BYTES = "table = bytearray(12 * 10**9)\n"
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
    also: list = field(default_factory=list)


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


def changed(notebook, grade_id, source):
    """Return a notebook with another text in any cell."""
    return filled(notebook, {grade_id: source})


def twice(notebook, grade_id, *sources):
    """Return a notebook with copies of a cell behind it."""
    notebook = filled(notebook, {})
    place = position(notebook, grade_id)
    for offset, source in enumerate(sources, start=1):
        cell = json.loads(text(notebook.cells[place]))
        copy = type(notebook.cells[place])(cell, source=source, id=f"copy-{offset}")
        notebook.cells.insert(place + offset, copy)
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
    release = student_version(set_)
    right = filled(release, RIGHT)

    def first(source):
        return text(filled(release, {**RIGHT, "q1-gram": source}))

    def then(source, after="q2-points-test"):
        return text(filled(release, RIGHT, [(after, source)]))

    other = student_version(set_)
    other.metadata["coursework"]["seed_tag"] = "0" * 16
    foreign = filled(release, {})
    foreign.metadata["coursework"]["set"] = "9-other"
    kernel = filled(right, {})
    kernel.metadata["kernelspec"] = {"name": "ir", "display_name": "R", "language": "R"}
    cut = text(right)
    tests = ("q1-gram-test", "q2-points-test")
    table = {
        "right.ipynb": (text(right), Wanted("graded")),
        "partly.ipynb": (
            first(HALF),
            Wanted("graded", 6.0, also=["The factor -1/2 is missing"]),
        ),
        "absent.ipynb": (first(ABSENT), Wanted("repaired", None, "not installed")),
        "absent-within.ipynb": (
            first(ABSENT_WITHIN),
            Wanted("repaired", None, "not installed", ["A person looks at it"]),
        ),
        "in-place.ipynb": (first(IN_PLACE), Wanted("graded", BOTH, also=["work on a copy"])),
        "borrowed.ipynb": (first(BORROWED), Wanted("repaired", None, "mentions kmds")),
        "published.ipynb": (
            text(filled(release, {**RIGHT, "q4": bare(DERIVATION)})),
            Wanted("repaired", BOTH, "the published solution"),
        ),
        "blank.ipynb": (text(release), Wanted("graded", 0.0, "No answer cell was changed")),
        "syntax.ipynb": (first("def gram(:\n"), Wanted("graded", SECOND)),
        "loop.ipynb": (first(LOOP), Wanted("stopped", SECOND, "interrupted")),
        "stubborn.ipynb": (then(STUBBORN), Wanted("stopped", BOTH, "ignored the interrupt")),
        "deaf.ipynb": (then(DEAF), Wanted("stopped", BOTH, "interrupted")),
        "exit.ipynb": (first("import os\n\nos._exit(0)"), Wanted("stopped", SECOND, "left out")),
        "exit-late.ipynb": (
            first("import os\n\n\ndef gram(distances):\n    os._exit(0)"),
            Wanted("stopped", SECOND, "left out"),
        ),
        "exit-hidden.ipynb": (
            first(f"import os\n\n{bare(GRAM)} if len(distances) == 6 else os._exit(0)"),
            Wanted("graded", SECOND, also=["ended its process"]),
        ),
        "hungry.ipynb": (first(HUNGRY), Wanted("graded", SECOND)),
        "hungry-bytes.ipynb": (then(HUNGRY_BYTES), Wanted("graded")),
        "loud.ipynb": (then(LOUD), Wanted("graded", also=["was cut"])),
        "cheat.ipynb": (first(CHEAT), Wanted("graded", SECOND)),
        "leak.ipynb": (
            text(
                filled(
                    release,
                    {**RIGHT, "q1-gram": LEAK},
                    [("q4", "print('AT LAST', [table.shape for table in seen], seen)")],
                )
            ),
            Wanted("graded", 6.0, also=["raised ValueError, in line 12 of its cell"]),
        ),
        "forge.ipynb": (first(FORGE), Wanted("graded", SECOND)),
        "spy.ipynb": (then(spy), Wanted("graded")),
        "no-tests.ipynb": (text(without(right, *tests)), Wanted("repaired", says="missing")),
        "edited.ipynb": (
            text(changed(filled(release, {}), tests[0], "assert True")),
            Wanted("repaired", 0.0, "changed: test cells q1-gram-test"),
        ),
        "text-gone.ipynb": (text(without(right, "between")), Wanted("repaired", says="between")),
        "deleted.ipynb": (
            text(without(right, "q1-gram")),
            Wanted("repaired", SECOND, "The answer cell q1-gram was missing"),
        ),
        "double.ipynb": (
            text(twice(changed(right, "q1-gram", HALF), "q1-gram", bare(GRAM))),
            Wanted("repaired", says="2 times"),
        ),
        "double-empty.ipynb": (
            text(twice(right, "q1-gram", release.cells[position(release, "q1-gram")].source)),
            Wanted("repaired", says="2 times"),
        ),
        "stripped.ipynb": (
            text(bare_of_metadata(right)),
            Wanted("repaired", says="lost its set and seed"),
        ),
        "renamed/my homework (final) v2.ipynb": (text(right), Wanted("graded")),
        "twofold/a.ipynb": (text(right), Wanted("two notebooks", None, "Which")),
        "twofold/b.ipynb": (first(HALF), None),
        "copied/0-trial.ipynb": (text(right), Wanted("repaired", says="2 notebooks")),
        "copied/0-trial (1).ipynb": (text(right), None),
        "empty.ipynb": ("", Wanted("unreadable", None, "is empty")),
        "words.ipynb": ("My answers are:", Wanted("unreadable", None, "is not a notebook")),
        "broken.ipynb": (
            '{"cells": [}, "nbformat": 4}',
            Wanted("unreadable", None, "is not JSON"),
        ),
        "deep.ipynb": ('{"cells": ' + "[" * 10**5, Wanted("unreadable", None, "not JSON")),
        "cut.ipynb": (cut[: len(cut) // 2], Wanted("unreadable", None, "truncated")),
        "paper.pdf": ("%PDF-1.7 ...", Wanted("unreadable", None, "PDF")),
        "disguised.ipynb": ("%PDF-1.7 ...", Wanted("unreadable", None, "PDF")),
        "foreign.ipynb": (text(foreign), Wanted("wrong set", None, "9-other")),
        "last-year.ipynb": (text(filled(other, RIGHT)), Wanted("wrong seed", None, "seed")),
        "kernel.ipynb": (text(kernel), Wanted("repaired", says="'ir'")),
        "Zoë Ångström-李.ipynb": (text(right), Wanted("graded")),
        "sent-0-trial.ipynb": (text(right), Wanted("graded")),
        "packed.zip": (
            zipped({"work/0-trial.ipynb": text(right), "__MACOSX/._0-trial.ipynb": "x"}),
            Wanted("graded"),
        ),
        "torn.zip": (zipped({"a.ipynb": text(right)})[:200], Wanted("unreadable", None, "zip")),
        "=HYPERLINK(A).ipynb": (text(right), Wanted("graded")),
    }
    if bomb:
        table["bomb.ipynb"] = (then(BOMB), Wanted("stopped", BOTH, "of their own"))
    return table


def student(path):
    """Return the student whom a path belongs to."""
    name = path.split("/")[0]
    name = name if "/" in path else name.rsplit(".", 1)[0]
    return name.removesuffix("-0-trial")


def fill(inbox, table):
    """Write submissions into an inbox."""
    for path, (content, _) in table.items():
        target = inbox / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
    (inbox / ".DS_Store").write_bytes(b"x")
    os.symlink("/etc/passwd", inbox / "linked.ipynb")
