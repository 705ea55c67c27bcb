"""Compare the numerical core of the explorers, run under Node, with `kmds_lib`.

Numbers agree to 1e-9 of the largest value. Maps are compared after alignment, and only where
their eigenvalues differ by 1e-3 of the largest, because closer ones leave the axes undetermined.
"""

import math
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components, dijkstra

from kmds_lib import (
    canonical_signs,
    classical_scaling,
    distances,
    isomap,
    kernels,
    procrustes_align,
)
from kmds_lib._validation import as_dissimilarities, as_gram
from tests.web.node import evaluate

REL_TOL, MIN_EIGENGAP = 1e-9, 1e-3
SIZES = (3, 4, 5, 7, 10, 15, 21, 30)
"""Orders of the small matrices. From 61 on, the core uses inverse iteration."""


def run_core(family, cases):
    """Return the core's results for the cases of a family."""
    return evaluate("core/", "cases.map(m.RESULTS[family])", family=family, cases=cases)


def assert_close(found, expected, message=""):
    """Compare numbers to 1e-9 of the largest expected one."""
    expected = np.asarray(expected, dtype=float)
    found = np.array(found, dtype=float)
    assert found.size == expected.size, (message, found.size, expected.size)
    error = REL_TOL * (np.abs(expected).max(initial=0.0) or 1.0)
    assert_allclose(found.ravel(), expected.ravel(), rtol=0, atol=error, err_msg=message)


def compare_fit(found, fit, new, message):
    """Compare a spectral fit with the library's; return True if its points were compared."""
    k = fit.points.shape[1]
    spectrum = fit.spectrum().eigenvalues
    assert_close(found["spectrum"], spectrum, message)
    assert_close(found["eigenvalues"], fit.eigenvalues, message)
    if not k or (-np.diff(spectrum[: k + 1]) <= MIN_EIGENGAP * np.abs(spectrum).max()).any():
        return False
    points = np.reshape(found["points"], fit.points.shape)
    aligned = procrustes_align(points, target=fit.points)
    assert_close(aligned.points, fit.points, message)
    assert_close(np.abs(points), np.abs(fit.points), message)
    placed = np.reshape(found["placed"], (-1, k)) @ aligned.rotation + aligned.translation
    assert_close(placed, fit.transform(new), message)
    return True


def call_library(function, *arguments, **options):
    """Call a function of the library, ignoring warnings on rank and definiteness."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return function(*arguments, **options)


def random_dissimilarities(rng, n, kind):
    """Return distances of points, or dissimilarities that are more or less far from Euclidean."""
    D = distances(rng.normal(size=(n, 3)))
    if kind == "noisy":
        noise = np.abs(rng.normal(size=(n, n)))
        D = D + 0.3 * (noise + noise.T)
    elif kind == "arbitrary":
        table = rng.uniform(1, 5, size=(n, n))
        D = table + table.T
    elif kind == "roads":
        D = 20 * np.rint(30 * D**0.8 * rng.uniform(1, 1.4, size=(n, n)))
        D = np.minimum(D, D.T)
    np.fill_diagonal(D, 0.0)
    return D


KINDS = ("points", "noisy", "arbitrary", "roads")


def random_spectrum(rng, n):
    """Return n eigenvalues: random, with three dominant ones, of low rank, tied or graded."""
    kind = "dominant" if n > 100 else rng.choice(["any", "dominant", "low rank", "tied", "graded"])
    values = {
        "any": rng.normal(size=n),
        "low rank": np.r_[[5.0, 3.0], np.zeros(n - 2)],
        "tied": np.r_[[4.0, 4.0], np.full(n - 2, -1.0)],
        "graded": 10.0 ** -np.arange(n),
        "dominant": np.r_[[1.0, 0.9, 0.8], rng.uniform(-0.5, 0.5, size=n - 3)],
    }[kind]
    return values * 10.0 ** rng.integers(-8, 9)


def with_spectrum(rng, values):
    """Return a random symmetric matrix with given eigenvalues, and its eigenvectors."""
    Q = np.linalg.qr(rng.normal(size=(len(values), len(values))))[0]
    A = (Q * values) @ Q.T
    return (A + A.T) / 2, Q


def eigen_cases(rng):
    for n in SIZES * 4 + (85, 120, 150):
        A, _ = with_spectrum(rng, random_spectrum(rng, n))
        yield {"A": A, "k": min(3, n - 1)}
    # Eigenvectors that are axes, values of several sizes, and eigenvalues tied in absolute value.
    yield {"A": np.diag(np.r_[90.0:1.0:-1, 89.5]), "k": 2}
    yield {"A": with_spectrum(rng, 10.0 ** -rng.uniform(0, 3, size=85))[0], "k": 3}
    yield {"A": 2 * np.eye(20) - np.eye(20, k=1) - np.eye(20, k=-1), "k": 3}
    # One eigenvalue very negative, and a spectrum that is almost flat.
    for values in (np.r_[np.linspace(1, 0.1, 84), -50.0], 1 - 1e-10 * np.arange(85.0)):
        yield {"A": with_spectrum(rng, values)[0], "k": 3}
    # Points on a circle, whose two largest eigenvalues are equal.
    circle = np.exp(2j * np.pi * np.arange(80) / 80)
    yield {"A": np.outer(circle, circle.conj()).real, "k": 2}
    # Entries whose squares underflow, rank one, and the identity.
    for n in (2, 12, 80):
        X = rng.normal(size=(n, 2)) * [1, 3]
        for A in (kernels.RBF(200.0)(X), np.ones((n, n)), 1e-300 * np.diag(rng.normal(size=n))):
            yield {"A": A, "k": min(3, n - 1)}


def check_eigen(case, found):
    A, k = case["A"], case["k"]
    n = len(A)
    values, vectors = np.linalg.eigh(A)
    values, vectors = values[::-1], canonical_signs(vectors[:, ::-1])
    largest = np.abs(values).max()
    for name in ("all", "valuesOnly", "spectrum"):
        assert_close(found[name], values)
    gaps = -np.diff(values) > MIN_EIGENGAP * largest
    simple = np.r_[True, gaps] & np.r_[gaps, True]
    V = np.reshape(found["vectors"], (n, n))
    assert_close(V.T @ V, np.eye(n))
    assert_close(V[:, simple], vectors[:, simple])
    assert_close(found["leading"], [*values[:k], largest])
    W = np.reshape(found["leadingVectors"], (n, k))
    assert_close(W.T @ W, np.eye(k))
    assert_close(W[:, simple[:k]], vectors[:, :k][:, simple[:k]])
    return bool(simple[:k].all())


KERNELS = [
    ("Linear",),
    ("Polynomial", 3, 1.0, 0.5),
    ("RBF", 0.3),
    ("RBF", 20.0),
    ("Exponential", 0.7),
    ("DampedCosine", 1.0, 0.8),
    ("DampedCosine", 3**0.5, 1.0),
    ("DampedCosine", 1.0, 0.0),
    ("Power", 1.5),
    ("Power", 2.0),
    ("Power", 3.0),
]


def kernel_cases(rng):
    for kernel in KERNELS:
        p = int(rng.integers(1, 5))
        X, Y = rng.normal(size=(9, p)), rng.normal(size=(4, p))
        yield {"kernel": kernel, "X": X, "Y": Y, "delta": rng.exponential(size=12)}


def check_kernels(case, found):
    name, *parameters = case["kernel"]
    kernel = getattr(kernels, name)(*parameters)
    assert_close(found["matrix"], call_library(kernel, case["X"]))
    assert_close(found["cross"], call_library(kernel, case["X"], case["Y"]))
    assert (found["profile"] is None) == (name in ("Linear", "Polynomial"))
    if found["profile"]:
        assert_close(found["profile"], kernel.profile(case["delta"]))
    bounds = [f"{bound:g}" for bound in vars(kernel.definiteness).values()]
    assert [bound.replace("Infinity", "inf") for bound in found["definiteness"]] == bounds


def scaling_cases(rng):
    for n in SIZES:
        for kind in KINDS:
            for additive in (None, "lingoes", "cailliez"):
                D = random_dissimilarities(rng, n, kind)
                rows = D[:2] + rng.uniform(0, 0.1, size=(2, n)) * D.max()
                rows[0] = D[0]
                yield {"D": D, "rows": rows, "k": min(2, n - 1), "additive": additive}
    collinear = distances(rng.normal(size=(12, 2)) * [1, 1e-5])
    arbitrary = random_dissimilarities(rng, 10, "arbitrary")
    for D, k in ((collinear, 3), (arbitrary, 9), (np.zeros((5, 5)), 2)):
        yield {"D": D, "rows": D[:2], "k": k, "additive": None}
    for kind, additive in (("roads", None), ("noisy", "cailliez"), ("arbitrary", "lingoes")):
        D = random_dissimilarities(rng, 90, kind)
        yield {"D": D, "rows": D[:2], "k": 2, "additive": additive}


def check_scaling(case, found):
    additive = case["additive"]
    fit = call_library(classical_scaling, case["D"], case["k"], additive=additive)
    spectrum = fit.spectrum()
    assert_close(found["constant"], [fit.additive_constant], additive)
    assert_close(found["goodness"], spectrum.goodness_of_fit(len(fit.eigenvalues) or 1))
    assert found["negativeMass"] == pytest.approx(spectrum.negative_mass, abs=1e-9)
    assert_close(found["explained"], [*spectrum.explained, fit.explained])
    return compare_fit(found, fit, case["rows"], additive)


def graph_cases(rng):
    for n in SIZES * 3:
        kind = rng.choice(["points", "two clusters", "grid", "nearly tied", "noisy"])
        if kind in ("grid", "nearly tied"):
            side = math.ceil(n**0.5)
            D = distances(np.argwhere(np.ones((side, side)))[:n])
            relative = 1e-13 * rng.normal(size=(n, n)) * (kind == "nearly tied")
            D = D * (1 + relative + relative.T)
        elif kind == "two clusters":
            D = distances(rng.normal(size=(n, 2)) + 50 * (np.arange(n)[:, None] % 2))
        else:
            D = random_dissimilarities(rng, n, kind)
        yield {"D": D, "nNeighbors": int(rng.integers(1, min(6, n)))}


def fit_isomap(D, n_neighbors):
    """Return the library's fit, or None if the neighbour graph is not connected."""
    try:
        return call_library(isomap, D, n_neighbors=n_neighbors, metric="precomputed")
    except ValueError:
        return None


def check_graphs(case, found):
    D, n_neighbors = case["D"], case["nNeighbors"]
    n = len(D)
    fit = fit_isomap(D, n_neighbors)
    links = [(i, j) for i, row in enumerate(found["links"]) for j in row]
    graph = coo_array((np.ones(len(links)), np.transpose(links)), shape=(n, n))
    count, component = connected_components(graph)
    parts = sorted(np.flatnonzero(component == c).tolist() for c in range(count))
    assert sorted(map(sorted, found["components"])) == parts
    if fit is None:
        assert count > 1
        joining = next(c for c in range(n_neighbors + 1, n) if fit_isomap(D, c) is not None)
        assert found["joining"] == joining
        return
    assert sorted(links) == sorted(map(tuple, np.argwhere(fit.graph.toarray() > 0).tolist()))
    assert_close(found["paths"], dijkstra(fit.graph))


FAMILIES = {
    "eigen": (eigen_cases, check_eigen),
    "kernels": (kernel_cases, check_kernels),
    "scaling": (scaling_cases, check_scaling),
    "graphs": (graph_cases, check_graphs),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_core_computes_what_the_library_does(family):
    make_cases, check = FAMILIES[family]
    cases = list(make_cases(np.random.default_rng(sum(map(ord, family)))))
    compared = [check(*pair) for pair in zip(cases, run_core(family, cases), strict=True)]
    if compared[0] is not None:
        assert np.count_nonzero(compared) > 0.4 * len(cases), "too few cases compare points"


def valid_and_invalid_matrices():
    """Return dissimilarity matrices, most of which have one invalid entry."""
    rng = np.random.default_rng(0)
    D = random_dissimilarities(rng, 7, "noisy")
    for value in (np.nan, np.inf, -np.inf, -1e-5, 2.5 * D[4, 1], 1e70, 1e130):
        invalid = D.copy()
        invalid[4, 1] = value
        yield invalid.copy()
        invalid[1, 4] = value
        yield invalid
    for value in (0.5, 1e-20, 1e6):
        yield D + np.diag(np.full(7, value))
    yield from (1e-70 * D, 1e-130 * D, D[:-1], np.array([[0.0]]))
    yield D * (1 + 1e-12 * rng.normal(size=(7, 7)))


@pytest.mark.parametrize(("kind", "check"), [("distances", as_dissimilarities), ("gram", as_gram)])
def test_core_rejects_what_the_library_rejects(kind, check):
    matrices = list(valid_and_invalid_matrices())
    found = run_core("checks", [{"kind": kind, "table": matrix} for matrix in matrices])
    assert 2 < sum(answer["accepted"] for answer in found) < len(matrices) - 2
    for matrix, answer in zip(matrices, found, strict=True):
        if not answer["accepted"]:
            with pytest.raises(ValueError, match=r"\w"):
                check(matrix, min_objects=2)
            continue
        checked = check(matrix, min_objects=2)
        if answer.get("matrix"):
            assert_close(answer["matrix"], checked)
