"""A small problem set for the tests of grading."""

import copy
import json
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from coursework import sandbox
from coursework.sets import Set, grade_id

HAS_BUBBLEWRAP = sandbox.bubblewrap_works()
NEEDS_BUBBLEWRAP = pytest.mark.skipif(not HAS_BUBBLEWRAP, reason="needs a working bubblewrap")
NAME = "0-example"
SEED = 3
GRAM = '''def gram(distances):
    """Return the centred Gram matrix of a matrix of distances."""
    ### BEGIN SOLUTION
    squares = distances**2
    return (squares.mean(0) + squares.mean(1)[:, None] - squares - squares.mean()) / 2
    ### END SOLUTION'''
GRAM_TEST = """table = gram(data["distances"])
assert table.shape == data["distances"].shape, "One row a point."
assert np.allclose(table.sum(0), 0), "The columns sum to zero."
### BEGIN HIDDEN TESTS
answer("q1-gram", lambda: gram(hidden["distances"]))
answer("q1-two", lambda: gram(hidden["pair"]))
### END HIDDEN TESTS"""
POINTS = '''def coordinates(gram, dimension):
    """Return the principal coordinates of a Gram matrix, the largest first."""
    ### BEGIN SOLUTION
    values, vectors = np.linalg.eigh(gram)
    return vectors[:, ::-1][:, :dimension] * np.sqrt(values[::-1][:dimension])
    ### END SOLUTION'''
POINTS_TEST = """assert coordinates(np.eye(3), 2).shape == (3, 2), "One row a point."
### BEGIN HIDDEN TESTS
answer("q2-points", lambda: coordinates(hidden["gram"], 2))
### END HIDDEN TESTS"""
FIGURE = """### BEGIN SOLUTION
import matplotlib.pyplot as plt

plt.plot(data["distances"][0])
plt.show()
### END SOLUTION"""
REPORT = """### BEGIN SOLUTION
The first point lies far from all others.

**Marks.** Three for the figure, three for what it shows.
### END SOLUTION"""
DERIVATION = """### BEGIN SOLUTION
The rows of the centred matrix sum to zero because H maps constants to zero.

**Marks.** Two for the sum, two for the reason.
### END SOLUTION"""
REFERENCE = '''"""Right answers of the example set."""

import numpy as np

from coursework.compare_answers import combine, compare

WITHOUT_LIBRARY = ("q1",)
PAIR = np.array([[0.0, 2.0], [2.0, 0.0]])


def table(seed, size):
    points = np.random.default_rng(seed).normal(size=(size, 2))
    return np.linalg.norm(points[:, None] - points, axis=2)


def centred(squares):
    h = np.eye(len(squares)) - 1 / len(squares)
    return h @ squares @ h


def data(seed):
    return {"distances": table(seed, 6)}


def hidden(seed):
    distances = table(seed + 10**6, 8)
    return {"distances": distances, "pair": PAIR, "gram": -centred(distances**2) / 2}


def verdict(answer, distances):
    mistakes = {"minus-half-forgotten": centred(distances**2)}
    return compare(answer, -centred(distances**2) / 2, mistakes=mistakes)


def verdicts(seed, answers):
    inputs = hidden(seed)
    left, roots, _ = np.linalg.svd(inputs["gram"])
    right = left[:, :2] * np.sqrt(roots[:2])
    return {
        "q1-gram-test": combine(
            verdict(answers["q1-gram"], inputs["distances"]), verdict(answers["q1-two"], PAIR)
        ),
        "q2-points-test": compare(answers["q2-points"], right, up_to="sign"),
    }
'''


def new_cell(kind, grade_id, source, *, solution=False, points=0):
    """Return a cell with nbgrader's metadata; it is locked unless it is a solution."""
    fields = {"schema_version": 3, "grade_id": grade_id, "task": False, "points": points}
    fields |= {"solution": solution, "locked": not solution, "grade": points > 0}
    make = {"code": new_code_cell, "markdown": new_markdown_cell}[kind]
    return make(source, id=grade_id, metadata={"nbgrader": fields})


def master():
    """Return the master."""
    data = 'import numpy as np\n\ndata = np.load("data.npz")'
    cells = [
        new_cell("markdown", "intro", "# An example\n\nFour questions."),
        new_cell("code", "imports", data),
        new_cell("code", "q1-gram", GRAM, solution=True),
        new_cell("code", "q1-gram-test", GRAM_TEST, points=4),
        new_cell("markdown", "between", "Now the coordinates."),
        new_cell("code", "q2-points", POINTS, solution=True),
        new_cell("code", "q2-points-test", POINTS_TEST, points=4),
        new_cell("code", "q3-figure", FIGURE, solution=True),
        new_cell("markdown", "q3-report", REPORT, solution=True, points=6),
        new_cell("markdown", "q4", DERIVATION, solution=True, points=4),
    ]
    metadata = {"set": NAME, "title": "An example", "minutes": 30}
    return new_notebook(cells=cells, metadata={"coursework": metadata})


def write(folder: Path, notebook=None, reference=REFERENCE) -> Set:
    """Write the set into a folder of sets."""
    path = folder / NAME
    path.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook or master(), path / f"{NAME}.ipynb")
    (path / "reference.py").write_text(reference, "utf-8")
    return Set(NAME, path)


def without_markers(source):
    """Return a solution without its markers."""
    return "\n".join(line for line in source.splitlines() if "SOLUTION" not in line)


RIGHT = {
    "q1-gram": without_markers(GRAM),
    "q2-points": without_markers(POINTS),
    "q3-figure": without_markers(FIGURE),
    "q3-report": "The first point is far from the others, as the line shows.",
    "q4": "Because $H 1 = 0$, and $H$ is on both sides.",
}


def fill(release, answers=RIGHT, extra=()):
    """Return a released notebook with answers by id, and code cells added behind cells by id."""
    notebook = copy.deepcopy(release)
    for cell in notebook.cells:
        cell.source = answers.get(grade_id(cell), cell.source)
    for after, source in extra:
        notebook.cells.insert(position(notebook, after) + 1, new_code_cell(source))
    return notebook


def position(notebook, name):
    """Return the index of a cell."""
    return [*map(grade_id, notebook.cells)].index(name)


def cell_of(notebook, name):
    """Return a cell by its id."""
    return notebook.cells[position(notebook, name)]


def text(notebook):
    """Return a notebook as it is stored."""
    return json.dumps(notebook)
