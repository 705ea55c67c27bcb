"""Drafts of problem sets from exercises of the book, in nbgrader's cells.

An exercise of the book is written for readers; a question for students also needs texts that
only an author can write. Each such place is marked with a placeholder, and the book's roles and
links remain. A release fails while any of them is left, and names the cell.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TypeAlias, cast

import nbformat
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_notebook

from coursework.sets import SetError
from coursework.student import KERNEL, new_cell
from coursework.validate_master import LOAD_DATA, PLACEHOLDER

Cells: TypeAlias = list[tuple[str, str]]  # the type of each, "markdown" or "code", and its text

CHAPTERS = Path(__file__).resolve().parents[1] / "chapters"
# An exercise or solution; gated ones contain code cells, which are between marks in the text.
BLOCK = re.compile(
    r"^(?P<fence>:{3,}|`{3,})\{(?P<kind>exercise|solution)(?P<gated>-start)?\}"
    r" *(?P<title>[^\n]*)\n(?P<options>(?::[\w-]+:[^\n]*\n)*)(?(gated)(?P=fence)\n)(?P<body>.*?)\n"
    r"(?P=fence)(?(gated)\{(?P=kind)-end\}\n(?P=fence))$",
    re.MULTILINE | re.DOTALL,
)
CODE_MARK = "\x00"
EXERCISE_FORM = (
    "must begin with the two lines `:::{exercise} Its title (Proof and code, ★★)` and "
    "`:label: ex-4-its-name`, with one to three stars"
)
HEAD = re.compile(r"^(?P<title>.*) \((?P<kind>[^()]+), (?P<stars>★{1,3})\)$")
POINTS, MINUTES_PER_STAR = 4, 15
CODE_CELL = f"""# {PLACEHOLDER}: what students see here, such as a function with its arguments.
### BEGIN SOLUTION
{{}}
### END SOLUTION"""
TEST_CELL = f"""# Covered: {PLACEHOLDER}: what the asserts test, without giving the answer away.
# Not covered: {PLACEHOLDER}.
### BEGIN HIDDEN TESTS
answer("{{0}}", lambda: ...)  # {PLACEHOLDER}: the function, called with hidden inputs
### END HIDDEN TESTS"""
TEXT_CELL = f"""### BEGIN SOLUTION
{{}}

**Marks.** {PLACEHOLDER}: the points for each step, and for half an answer.
### END SOLUTION"""
REFERENCE = '''"""Right answers of {name}. Never give this file to students.

Compute the answers by plain arithmetic, without functions that students may call. The seed must
not make a question harder or easier: try fifty seeds.
"""

import numpy as np

from coursework.checks import compare


def data(seed):
    """Return the arrays that students get."""
    raise NotImplementedError("FILL IN: drawn from np.random.default_rng(seed)")


def hidden(seed):
    """Return the arrays that the hidden tests use, which differ from the data."""
    raise NotImplementedError("FILL IN: drawn from np.random.default_rng([seed, 1])")


def verdicts(seed, answers):
    """Return a verdict for each test cell, by its grade_id."""
    # FILL IN: compute each right value from hidden(seed), and the values of known mistakes.
    return {{
{verdicts}
    }}
'''


@dataclass
class Exercise:
    """An exercise with its solution."""

    title: str
    kind: str  # "Proof", "Code", "Explore" or several of them
    stars: int
    statement: Cells
    solution: Cells = field(default_factory=list)


def read_exercises(chapters: Path = CHAPTERS) -> dict[str, Exercise]:
    """Return all exercises of the book by their labels, in their order."""
    found: dict[str, Exercise] = {}
    for path in sorted(chapters.glob("*.ipynb")):
        marked = (
            f"{CODE_MARK}{cell.source}{CODE_MARK}" if cell.cell_type == "code" else cell.source
            for cell in nbformat.read(path, as_version=4).cells
        )
        for block in BLOCK.finditer("\n".join(marked)):
            title, cells = block["title"].strip(), list(_block_cells(block["body"]))
            head = HEAD.match(title)
            label = re.search(r"^:label: *(\S+)", block["options"], re.MULTILINE)
            if block["kind"] == "solution":
                if title not in found:
                    raise SetError(f"{path.name}: the solution of {title!r} follows no exercise.")
                found[title].solution = cells
            elif head is None or label is None:
                raise SetError(f"{path.name}: the exercise {title!r} {EXERCISE_FORM}.")
            else:
                stars = len(head["stars"])
                found[label[1]] = Exercise(head["title"], head["kind"], stars, cells)
    return found


def _block_cells(body: str) -> Iterator[tuple[str, str]]:
    """Yield the cells of a block; every second part between the marks is code."""
    for position, part in enumerate(body.split(CODE_MARK)):
        if text := part.strip("\n").removeprefix("**Coursework.** "):
            yield "code" if position % 2 else "markdown", text


def draft_master(name: str, chosen: dict[str, Exercise]) -> NotebookNode:
    """Return a master whose form is right except for the placeholders."""
    title = re.sub(r"^[\d-]+", "", name).replace("-", " ").capitalize() or name
    purpose = f"# {title}\n\n{PLACEHOLDER}: what students find out with these questions."
    cells = [
        new_cell("markdown", "introduction", purpose),
        new_cell("code", "data", f"import numpy as np\n\n{LOAD_DATA}"),
    ]
    for number, (label, exercise) in enumerate(chosen.items(), start=1):
        grade_id = f"q{number}-{label.split('-', 2)[-1]}"
        cells += _question_cells(grade_id, f"## {number}. {exercise.title}", exercise)
    minutes = MINUTES_PER_STAR * sum(exercise.stars for exercise in chosen.values())
    about = {"set": name, "title": title, "minutes": minutes}
    notebook = new_notebook(cells=cells, metadata={**KERNEL, "coursework": about})
    return cast(NotebookNode, notebook)


def _question_cells(name: str, heading: str, exercise: Exercise) -> Iterator[NotebookNode]:
    """Yield the cells of a question: its statement, code to write, and an answer in words."""
    yield new_cell("markdown", f"{name}-head", heading)
    for position, (kind, text) in enumerate(exercise.statement, start=1):
        yield new_cell(kind, f"{name}-{position}", text)
    code, words = (
        "\n\n".join(text for kind, text in exercise.solution if kind == wanted)
        for wanted in ("code", "markdown")
    )
    if code:
        yield new_cell("code", name, CODE_CELL.format(code), solution=True)
    if code and "code" in exercise.kind.lower():
        yield new_cell("code", f"{name}-test", TEST_CELL.format(name), points=POINTS)
    if words:
        text = TEXT_CELL.format(words)
        yield new_cell("markdown", f"{name}-words", text, solution=True, points=POINTS)


def create_set(name: str, labels: Sequence[str], sets_dir: Path) -> Path:
    """Write the draft of a master and of its reference, and return their folder."""
    folder, book = sets_dir / name, read_exercises()
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", name):
        raise SetError(f"{name!r} is not a name of a set. Use small letters, digits and hyphens.")
    if folder.exists():
        raise SetError(f"{folder} exists already; nothing was written.")
    if unknown := [label for label in labels if label not in book]:
        near = ", ".join(get_close_matches(unknown[0], book)) or "none"
        raise SetError(f"The book has no exercise {unknown[0]!r}. Similar labels: {near}.")
    master = draft_master(name, {label: book[label] for label in labels})
    tests = [
        f'        "{cell.id}": compare(answers["{cell.id.removesuffix("-test")}"], ...),'
        for cell in master.cells
        if cell.id.endswith("-test")
    ]
    folder.mkdir(parents=True)
    nbformat.write(master, folder / f"{name}.ipynb")
    text = REFERENCE.format(name=name, verdicts="\n".join(tests))
    (folder / "reference.py").write_text(text, "utf-8")
    return folder
