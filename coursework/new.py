"""Begin a set from exercises of the book: the questions and solutions, as far as they go.

An exercise of the book is written for a reader; a question for students also needs what only a
person can write. Each such place says FILL IN, and a release fails while one is left:

- what the set is to find out, and its title and minutes, which are a first estimate;
- for code, the function's name, arguments and returned value, the public asserts, and the
  hidden inputs that it is called with;
- for text, the rubric under **Marks.**;
- in ``reference.py`` the data, the hidden inputs and the right answers.

References to theorems and equations became words: read them once in their sentences.
"""

import ast
import builtins
import re
import symtable
import textwrap
from collections.abc import Callable, Container, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import nbformat
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from coursework.exercises import Book, Exercise
from coursework.form import FILL_IN
from coursework.sets import SetError
from coursework.student import KERNEL

GIVEN = "given"  # the argument: a name that no chapter uses
POINTS, MINUTES_A_STAR = 4, 15
REFERENCE = '''"""Right answers of {name}: never given to students.

Compute them by plain arithmetic, not with functions that students may call. A draw must not make
a question harder or easier: try fifty seeds.
"""

import numpy as np

from coursework.checks import compare


def data(seed):
    """Return the arrays that students get."""
    raise NotImplementedError("FILL IN: drawn from np.random.default_rng(seed)")


def hidden(seed):
    """Return the arrays that the hidden tests use, other than the data."""
    raise NotImplementedError("FILL IN: drawn from np.random.default_rng([seed, 1])")


def verdicts(seed, answers):
    """Return a verdict for each test cell, by its grade_id."""
    # FILL IN: compute each right value from hidden(seed), and what known mistakes give.
    return {{
{verdicts}
    }}
'''


def begun(name: str, exercises: Sequence[Exercise]) -> NotebookNode:
    """Return a master, right in its form but for the places that say FILL IN."""
    title = re.sub(r"^[\d-]+", "", name).replace("-", " ").capitalize() or name
    purpose = f"# {title}\n\n{FILL_IN}: what these questions find out together."
    imported = {"np": "import numpy as np", **_imports(exercises)}
    imports = "\n".join(sorted(set(imported.values()), reverse=True))
    cells = [
        _cell("markdown", "introduction", purpose),
        _cell("code", "data", f'{imports}\n\ndata = np.load("data.npz")'),
    ]
    for number, exercise in enumerate(exercises, start=1):
        cells += _question(f"q{number}-{_short(exercise)}", f"{number}. ", exercise, imported)
    minutes = MINUTES_A_STAR * sum(exercise.stars for exercise in exercises)
    about = {"set": name, "title": title, "minutes": minutes}
    notebook = new_notebook(cells=cells, metadata={**KERNEL, "coursework": about})
    return cast(NotebookNode, notebook)


def _short(exercise: Exercise) -> str:
    """Return the label of an exercise without its chapter."""
    return re.sub(r"^ex-(?:\d+|errata)-", "", exercise.label)


def _cell(
    kind: str, grade_id: str, source: str, *, solution: bool = False, points: int = 0
) -> NotebookNode:
    """Return a cell with nbgrader's metadata; locked unless it is a solution."""
    about: dict[str, Any] = {"schema_version": 3, "grade_id": grade_id, "task": False}
    about |= {"solution": solution, "locked": not solution, "grade": points > 0}
    if points:
        about["points"] = points
    make: Callable[..., Any] = new_code_cell if kind == "code" else new_markdown_cell
    return cast(NotebookNode, make(source, id=grade_id[:64], metadata={"nbgrader": about}))


def _question(
    grade_id: str, number: str, exercise: Exercise, imported: Container[str]
) -> Iterator[NotebookNode]:
    """Yield the cells of one exercise: its words, code to write, an answer in words."""
    head = f"## {number}{exercise.title}\n\n"
    for position, (kind, text) in enumerate(exercise.statement, start=1):
        yield _cell(kind, f"{grade_id}-{position}", head + text if position == 1 else text)
    code = "\n\n".join(text for kind, text in exercise.solution if kind == "code")
    if code:
        missing = sorted(name for name in _unbound(code) if name not in imported)
        code = f"# {FILL_IN}: the chapter has {', '.join(missing)}\n" * bool(missing) + code
    words = "\n\n".join(text for kind, text in exercise.solution if kind == "markdown")
    if code and "code" in exercise.kind.lower():
        yield from _code(grade_id, exercise, code)
    elif code:
        work = f"### BEGIN SOLUTION\n{code}\n### END SOLUTION"
        yield _cell("code", f"{grade_id}-work", work, solution=True)
    if words:
        marks = f"**Marks.** {FILL_IN}: the points of each step, and of half an answer."
        text = f"### BEGIN SOLUTION\n{words}\n\n{marks}\n### END SOLUTION"
        yield _cell("markdown", f"{grade_id}-words", text, solution=True, points=POINTS)


def _code(grade_id: str, exercise: Exercise, code: str) -> Iterator[NotebookNode]:
    """Yield the cell of a function and the cell of its tests."""
    name = _short(exercise).replace("-", "_")
    body = textwrap.indent(code, "    ")
    yield _cell(
        "code",
        grade_id,
        f'def {name}({GIVEN}):\n    """{FILL_IN}: what goes in, with its shape, and what '
        f'comes back."""\n    ### BEGIN SOLUTION\n{body}\n'
        f"    return None  # {FILL_IN}: what the function returns\n    ### END SOLUTION",
        solution=True,
    )
    yield _cell(
        "code",
        f"{grade_id}-test",
        f"# Covered: {FILL_IN}: what the asserts try, which help and do not give the answer.\n"
        f"# Not covered: {FILL_IN}.\n"
        f"### BEGIN HIDDEN TESTS\n"
        f'answer("{grade_id}", lambda: {name}(hidden["{GIVEN}"]))  # {FILL_IN}: the input\n'
        "### END HIDDEN TESTS",
        points=POINTS,
    )


def _unbound(code: str) -> set[str]:
    """Return the names that code takes from elsewhere."""
    tables = [symtable.symtable(code, "exercise", "exec")]
    bound = {
        symbol.get_name()
        for symbol in tables[0].get_symbols()
        if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
    }
    for table in tables:
        tables += table.get_children()
    symbols = (symbol for table in tables for symbol in table.get_symbols())
    read = {symbol.get_name() for symbol in symbols if symbol.is_global()}
    return read - bound - set(dir(builtins))


def _imports(exercises: Sequence[Exercise]) -> dict[str, str]:
    """Return the names that the exercises' code takes from imports of its chapter, with these."""
    found: dict[str, str] = {}
    for exercise in exercises:
        cells = [*exercise.statement, *exercise.solution]
        needed = _unbound("\n".join(text for kind, text in cells if kind == "code"))
        code = [cell.source for cell in exercise.chapter.cells if cell.cell_type == "code"]
        for node in ast.parse("\n".join(code)).body:
            if not isinstance(node, (ast.Import, ast.ImportFrom)):
                continue
            for alias in [*node.names]:
                node.names = [alias]
                bound, line = alias.asname or alias.name.split(".")[0], ast.unparse(node)
                # What a chapter draws and checks with is not at hand in a problem set.
                if bound in needed and "kmds_figures" not in line:
                    found[bound] = line
    return found


def begin(name: str, labels: Sequence[str], sets_dir: Path) -> Path:
    """Write the master and the reference of a new set into its folder, which is returned."""
    folder = sets_dir / name
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", name):
        raise SetError(f"{name!r} is no name of a set. Use small letters, digits and hyphens.")
    if folder.exists():
        raise SetError(f"{folder} is there already; nothing was written.")
    if repeated := {label for label in labels if labels.count(label) > 1}:
        raise SetError(f"Exercises are named twice: {', '.join(sorted(repeated))}.")
    book = Book()
    master = begun(name, [book.exercise(label) for label in labels])
    nbformat.validate(master)
    tests = [
        f'        "{cell.id}": compare(answers["{cell.id.removesuffix("-test")}"], ...),'
        for cell in master.cells
        if cell.id.endswith("-test")
    ]
    folder.mkdir(parents=True)
    nbformat.write(master, folder / f"{name}.ipynb")
    text = REFERENCE.format(name=name, verdicts="\n".join(tests))
    (folder / "reference.py").write_text(text.replace("{\n\n    }", "{}"), "utf-8")
    return folder
