"""Renamed copies are found, and right answers that were written independently are not."""

import ast
import builtins
import itertools

import pytest

from coursework.alike import THRESHOLD, alike, runs
from tests.coursework.trial import FIGURE, GRAM, POINTS, bare

pytestmark = pytest.mark.slow

RELEASE = "import numpy as np\ndata = np.load('data.npz')"
GRAMS = [
    bare(GRAM),
    """def gram(distances):
    n = len(distances)
    h = np.eye(n) - np.ones((n, n)) / n
    return -0.5 * h @ (distances ** 2) @ h""",
    """def gram(distances):
    D2 = np.square(distances)
    row = D2.mean(axis=1, keepdims=True)
    col = D2.mean(axis=0, keepdims=True)
    B = -0.5 * (D2 - row - col + D2.mean())
    return B""",
    """def gram(distances):
    n = distances.shape[0]
    result = np.zeros((n, n))
    squares = distances * distances
    rows = squares.sum(axis=1) / n
    total = squares.sum() / n ** 2
    for i in range(n):
        for j in range(n):
            result[i, j] = -(squares[i, j] - rows[i] - rows[j] + total) / 2
    return result""",
    """def centre(matrix):
    out = matrix - matrix.mean(0)
    return (out.T - out.T.mean(0)).T

def gram(distances):
    return centre(distances ** 2) / -2""",
    """def gram(distances):
    A = -distances**2 / 2
    J = np.identity(A.shape[0])
    J -= 1.0 / A.shape[0]
    return J.dot(A).dot(J)""",
    """from functools import reduce

def gram(distances):
    size = distances.shape[0]
    centring = np.full((size, size), -1 / size)
    np.fill_diagonal(centring, 1 - 1 / size)
    return reduce(np.matmul, [centring, np.power(distances, 2), centring]) * -0.5""",
]
COORDINATES = [
    bare(POINTS),
    """def coordinates(gram, dimension):
    w, v = np.linalg.eigh(gram)
    order = np.argsort(w)[::-1][:dimension]
    return v[:, order] @ np.diag(np.sqrt(w[order]))""",
    """def coordinates(gram, dimension):
    u, s, vt = np.linalg.svd(gram)
    return u[:, :dimension] * s[:dimension] ** 0.5""",
    """def coordinates(gram, dimension):
    eigenvalues, eigenvectors = np.linalg.eig(gram)
    idx = np.flip(eigenvalues.real.argsort())
    eigenvalues = np.real(eigenvalues[idx])
    eigenvectors = np.real(eigenvectors[:, idx])
    X = []
    for k in range(dimension):
        X.append(np.sqrt(max(eigenvalues[k], 0)) * eigenvectors[:, k])
    return np.array(X).T""",
    """import scipy.linalg

def coordinates(gram, dimension):
    n = gram.shape[0]
    w, V = scipy.linalg.eigh(gram, subset_by_index=[n - dimension, n - 1])
    w, V = w[::-1], V[:, ::-1]
    assert (w > -1e-9).all()
    return V * np.sqrt(np.clip(w, 0, None))""",
    """def coordinates(gram, dimension):
    pairs = sorted(zip(*np.linalg.eigh(gram)[:1], np.linalg.eigh(gram)[1].T), key=lambda p: -p[0])
    columns = [np.sqrt(value) * vector for value, vector in pairs[:dimension]]
    return np.stack(columns, axis=1)""",
]
FIGURES = [
    bare(FIGURE),
    "fig, ax = plt.subplots()\nax.imshow(data['distances'])\nax.set_title('Distances')",
    "plt.hist(data['distances'].ravel(), bins=20)\nplt.xlabel('distance')",
    "sums = data['distances'].sum(0)\nplt.bar(np.argsort(sums), sums[np.argsort(sums)])",
]


def independent(count):
    """Return programs of students who did not talk to each other."""
    together = itertools.product(FIGURES, COORDINATES, GRAMS)
    every = list(together)
    step = 37  # prime to 168: neighbours share no part
    return {
        f"student-{number:02}": "\n\n".join(reversed(every[number * step % len(every)]))
        for number in range(count)
    }


class Renamed(ast.NodeTransformer):
    """Gives every variable another name."""

    KEPT = frozenset(dir(builtins)) | {"np", "plt", "scipy", "reduce", "data", "gram"}

    def name(self, name):
        return name if name in self.KEPT else f"my_{len(name)}_{name[::-1]}"

    def visit_Name(self, node):
        return ast.Name(self.name(node.id), node.ctx)

    def visit_arg(self, node):
        return ast.arg(self.name(node.arg))

    def visit_FunctionDef(self, node):
        if node.name != "coordinates":
            node.name = self.name(node.name)
        return self.generic_visit(node)


def renamed(code):
    """Return a copy with other names, comments and line breaks."""
    text = ast.unparse(Renamed().visit(ast.parse(code)))
    return "# I wrote this myself\n" + text.replace("\n", "  # my own idea\n")


@pytest.mark.parametrize("size", [4, 12, 30])
def test_copies_are_found_and_nobody_else(size):
    code = independent(size)
    copies = {f"copy of {name}": renamed(code[name]) for name in list(code)[:3]}
    pairs = alike({**code, **copies}, RELEASE)
    found = {(pair.first, pair.second) for pair in pairs}
    wanted = {(f"copy of {name}", name) for name in list(code)[:3]}
    assert wanted <= found
    strangers = found - wanted
    assert not strangers, strangers


def test_a_copy_with_a_part_of_its_own_is_found():
    code = independent(12)
    victim = code["student-03"]
    own = FIGURES[1] if FIGURES[1] not in victim else FIGURES[2]
    figure = next(figure for figure in FIGURES if figure in victim)
    code["copy"] = renamed(victim.replace(figure, own))
    best = alike(code, RELEASE)[0]
    assert {best.first, best.second} == {"copy", "student-03"}


def test_what_the_release_holds_does_not_count():
    given = bare(GRAM)
    code = {"a": given + "\n" + COORDINATES[1], "b": given + "\n" + COORDINATES[2]}
    assert alike({name: given for name in "ab"}, given, 0) == []
    assert all(pair.likeness < THRESHOLD for pair in alike(code, given, 0))


def test_what_does_not_parse_is_compared_too():
    broken = bare(GRAM) + bare(POINTS).replace("return", "retrun (")
    assert runs(broken)
    pairs = alike({"a": broken, "b": broken, "c": GRAMS[1]}, RELEASE)
    assert [(pair.first, pair.second) for pair in pairs] == [("a", "b")]
    assert runs("(" * 10**5) is not None
