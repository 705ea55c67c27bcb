"""A problem set of two questions, small enough to be written by a test and spoilt by it."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from coursework.sets import Set

NAME = "0-small"
GRAM = '''def gram(distances):
    """Return the centred Gram matrix of a table of distances."""
    ### BEGIN SOLUTION
    squares = distances**2
    inner = (squares.mean(0) + squares.mean(1)[:, None] - squares - squares.mean()) / 2
    return inner
    ### END SOLUTION'''
GRAM_TEST = """assert gram(data["distances"]).shape == data["distances"].shape, "One row a point."
### BEGIN HIDDEN TESTS
answer("q1-gram", lambda: gram(hidden["distances"]))
### END HIDDEN TESTS"""
DERIVATION = """### BEGIN SOLUTION
The rows of the centred matrix sum to zero because H maps constants to zero.

**Marks.** Two points for the sum, one for the reason.
### END SOLUTION"""
REFERENCE = '''"""Right answers of the small set."""

import numpy as np

from coursework.checks import compare


def table(seed, size):
    points = np.random.default_rng(seed).normal(size=(size, 2))
    return np.linalg.norm(points[:, None] - points, axis=2)


def data(seed):
    return {"distances": table(seed, 6)}


def hidden(seed):
    return {"distances": table(seed + 10**6, 8)}


def verdicts(seed, answers):
    squares = hidden(seed)["distances"] ** 2
    h = np.eye(8) - 1 / 8
    right, wrong = -h @ squares @ h / 2, h @ squares @ h
    return {
        "q1-gram-test": compare(
            answers["q1-gram"], right, mistakes={"minus-half-forgotten": wrong}
        )
    }
'''


def about(grade_id, solution=False, points=0):
    """Return the nbgrader metadata of a cell."""
    fields = {"schema_version": 3, "grade_id": grade_id, "solution": solution, "task": False}
    fields |= {"locked": not solution, "grade": bool(points)}
    return {"nbgrader": fields | ({"points": points} if points else {})}


def master():
    """Return a master that is right."""
    cells = [
        new_markdown_cell("# A small set\n\nTwo questions.", metadata=about("intro")),
        new_code_cell('import numpy as np\n\ndata = np.load("data.npz")', metadata=about("data")),
        new_code_cell(GRAM, metadata=about("q1-gram", solution=True)),
        new_code_cell(GRAM_TEST, metadata=about("q1-gram-test", points=4)),
        new_markdown_cell(DERIVATION, metadata=about("q2", solution=True, points=3)),
    ]
    title = {"set": NAME, "title": "A small set", "minutes": 20}
    return new_notebook(cells=cells, metadata={"coursework": title})


def written(folder: Path, notebook=None, reference=REFERENCE) -> Set:
    """Write a set into a folder of sets."""
    path = folder / NAME
    path.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook or master(), path / f"{NAME}.ipynb")
    (path / "reference.py").write_text(reference, "utf-8")
    return Set(NAME, path)
