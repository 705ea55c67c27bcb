"""The mathematics of the explorers, run under Node and compared with `kmds_lib`.

Numbers agree to 1e-9 of the largest value. Points are compared after alignment, and like vectors
where their eigenvalues lie 1e-3 of the largest apart: nearer ones leave their axes open.
"""

import math
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import isotonic_regression
from scipy.sparse.csgraph import dijkstra
from scipy.spatial.distance import squareform

import kmds_figures
from kmds_lib import gram, kernels
from kmds_lib._checks import as_dissimilarities, as_gram
from kmds_lib._classical_scaling import classical_scaling
from kmds_lib._embedding import FewerComponentsWarning, rank_tolerance
from kmds_lib._fast.nearest_neighbors import Objects
from kmds_lib._isomap import isomap
from kmds_lib._kernel_mds import kernel_mds
from kmds_lib._kernel_pca import kernel_pca, kernel_pca_from_gram
from kmds_lib._linalg import canonical_signs, procrustes_align
from kmds_lib._losses import kruskal_stress, raw_stress
from kmds_lib._neighbor_graph import components, symmetric_graph
from tests.figures.under_node import ask

JS = Path(kmds_figures.__file__).parent / "js"
CORE = (JS / "core.js").read_text("utf-8")
FAMILIES = Path(__file__).with_name("core_families.mjs").read_text("utf-8")
TOLERANCE, APART = 1e-9, 1e-3
SIZES = (3, 4, 5, 7, 10, 15, 21, 30)
"""Orders of the small matrices; at some more, from 85 on, the core searches a subspace."""


def run_core(family, cases, source=CORE):
    """Return what the cases of a family come to."""
    body = f"{{{FAMILIES} return cases.map((one) => FAMILIES[family](m, one)); }}"
    return ask(source, body, family=family, cases=cases)


def close(found, expected, what=""):
    """Compare numbers to 1e-9 of the largest expected one."""
    expected = np.asarray(expected, dtype=float)
    found = np.array(found, dtype=float)
    assert found.size == expected.size, (what, found.size, expected.size)
    error = TOLERANCE * (np.abs(expected).max(initial=0.0) or 1.0)
    assert_allclose(found.ravel(), expected.ravel(), rtol=0, atol=error, err_msg=what)


def axes_determined(values, k):
    """Whether the k leading eigenvalues are apart from each other and from the next."""
    values = np.asarray(values)
    return bool((-np.diff(values[: k + 1]) > APART * np.abs(values).max()).all())


def same_fit(found, fit, new, what):
    """Compare a spectral fit: its spectrum, and its points where the axes are determined."""
    k = fit.points.shape[1]
    spectrum = fit.spectrum().eigenvalues
    close(found["spectrum"], spectrum, what)
    close(found["eigenvalues"], fit.eigenvalues, what)
    if not (k and axes_determined(spectrum, k)):
        return 0
    points = np.reshape(found["points"], fit.points.shape)
    turned = procrustes_align(points, target=fit.points)
    close(turned.points, fit.points, what)
    close(np.abs(points), np.abs(fit.points), what)
    if found["placed"]:
        placed = np.reshape(found["placed"], (-1, k)) @ turned.rotation + turned.translation
        close(placed, fit.transform(new), what)
    return 1


def quietly(work, *arguments, **options):
    """Call the library where too few positive eigenvalues and open definiteness are no news."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewerComponentsWarning)
        warnings.simplefilter("ignore", kernels.DefinitenessWarning)
        return work(*arguments, **options)


def random_table(rng, n, kind):
    """Dissimilarities: of points, or further and further from Euclidean."""
    D = gram.distances(rng.normal(size=(n, 3)))
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


def gram_cases(rng):
    for n in SIZES * 2:
        p = int(rng.integers(1, 6))
        A = rng.normal(size=(n, n))
        shift = rng.choice([0.0, 1e3])
        X = rng.normal(size=(n, p)) + shift
        yield {"X": X, "Y": rng.normal(size=(4, p)) + shift, "K": A + A.T}


def check_gram(case, found):
    X = case["X"]
    D = gram.distances(X)
    close(found["squares"], gram.squared_distances(X))
    close(found["cross"], gram.distances(X, case["Y"]))
    close(found["gram"], gram.gram_from_distances(D))
    close(np.square(found["back"]), D**2)
    close(found["centred"], gram.center_gram(case["K"]))
    close(found["columns"], X - X.mean(axis=0))
    assert found["rows"] == X.ravel().tolist()
    close(found["padded"], np.pad(X, ((0, 0), (0, 1))))
    close(found["median"], [np.median(squareform(D, checks=False))])


def eigen_cases(rng):
    for n in SIZES * 4 + (85, 120, 150):
        kinds = ["any", "led", "led", "low rank", "repeated", "graded"]
        kind = "led" if n > 100 else rng.choice(kinds)
        Q = np.linalg.qr(rng.normal(size=(n, n)))[0]
        values = {
            "any": rng.normal(size=n),
            "low rank": np.r_[[5.0, 3.0], np.zeros(n - 2)],
            "repeated": np.r_[[4.0, 4.0], np.full(n - 2, -1.0)],
            "graded": 10.0 ** -np.arange(n),
            "led": np.r_[[1.0, 0.9, 0.8], rng.uniform(-0.5, 0.5, size=n - 3)],
        }[kind] * 10.0 ** rng.integers(-8, 9)
        A = (Q * values) @ Q.T
        small = 1e-2 * np.abs(A).max() * rng.normal(size=(n, n))
        yield {"A": (A + A.T) / 2, "before": (A + A.T) / 2 + small + small.T, "k": min(3, n - 1)}
    # The vectors stay, but one far below rises: where it was, the others' residuals are zero.
    order = np.r_[90.0:0.0:-1]
    yield {"A": np.diag(np.r_[order[:-1], 89.5]), "before": np.diag(order), "k": 2}
    yield from out_of_range(rng)
    yield hidden_pair()
    # Ties of modulus, one eigenvalue far below zero, and a spectrum too flat for a search.
    path = 2 * np.eye(20) - np.eye(20, k=1) - np.eye(20, k=-1)
    yield {"A": path, "before": path, "k": 3}
    for values in (np.r_[np.linspace(1, 0.1, 84), -50.0], 1 - 1e-10 * np.arange(85.0)):
        Q = np.linalg.qr(rng.normal(size=(85, 85)))[0]
        A = (Q * values) @ Q.T
        yield {"A": (A + A.T) / 2, "start": Q[:, :5].T, "k": 3}


def out_of_range(rng):
    """Matrices whose entries, or the squares of them, leave the range of numbers.

    A kernel narrower than the points are apart, a rank of one, units, and starts of nothing.
    """
    for n in (2, 12, 80):
        X = rng.normal(size=(n, 2)) * [1, 3]
        for A in (kernels.RBF(200.0)(X), np.ones((n, n)), 1e-300 * np.diag(rng.normal(size=n))):
            zero = np.zeros((min(5, n), n))
            yield {"A": A, "start": zero, "k": min(3, n - 1)}
            yield {"A": A, "start": zero + 1, "k": min(3, n - 1)}
    A = np.where(np.eye(80) > 0, np.arange(80.0), 1e-158)
    yield {"A": A, "before": A, "k": 2}


def hidden_pair():
    """A start of exact vectors without the third, which a second look almost misses."""
    rng = np.random.default_rng(1480)
    Q = np.linalg.qr(rng.normal(size=(85, 85)))[0]
    values = np.sort(10.0 ** -rng.uniform(0, 3, size=85))[::-1]
    A = (Q * values) @ Q.T
    return {"A": (A + A.T) / 2, "start": Q[:, [0, 1, 3, 4, 5]].T, "k": 3}


def check_eigen(case, found):
    A, k = case["A"], case["k"]
    n = len(A)
    values, vectors = np.linalg.eigh(A)
    values, vectors = values[::-1], canonical_signs(vectors[:, ::-1])
    close(found["all"], values)
    close(found["alone"], values)
    gaps = -np.diff(values) > APART * np.abs(values).max()
    own = np.r_[True, gaps] & np.r_[gaps, True]
    V = np.reshape(found["vectors"], (n, n))
    close(V.T @ V, np.eye(n))
    close(V[:, own], vectors[:, own])
    for way in ("cold", "warm"):
        largest = np.abs(values).max()
        close([*found[way], largest], [*values[:k], largest])
        W = np.reshape(found[f"{way}Vectors"], (n, k))
        close(W.T @ W, np.eye(k))
        close(W[:, own[:k]], vectors[:, :k][:, own[:k]])
    assert_allclose(found["scales"], np.abs(values).max(), rtol=0.1)
    return int(own[:k].all())


KERNELS = [
    ("Linear",),
    ("Polynomial", 3, 1.0, 0.5),
    ("Polynomial", 2),
    ("RBF", 0.3),
    ("RBF", 20.0),
    ("Exponential", 0.7),
    ("DampedCosine", 1.0, 0.8),
    ("DampedCosine", 1.0, 0.0),
    ("DampedCosine", 3**0.5, 1.0),
    ("DampedCosine", 1.0, 1.0),
    ("Power", 1.0),
    ("Power", 1.5),
    ("Power", 2.0),
    ("Power", 3.0),
]


def kernel_of(name, *parameters):
    """Return the library's kernel that a case names."""
    return getattr(kernels, name)(*parameters)


def kernel_cases(rng):
    for kernel in KERNELS * 2:
        p = int(rng.integers(1, 5))
        X, Y = rng.normal(size=(9, p)), rng.normal(size=(4, p))
        yield {"kernel": kernel, "X": X, "Y": Y, "delta": rng.exponential(size=12)}


def check_kernels(case, found):
    kernel = kernel_of(*case["kernel"])
    close(found["matrix"], quietly(kernel, case["X"]))
    close(found["cross"], quietly(kernel, case["X"], case["Y"]))
    if kernel.isotropic:
        close(found["profile"], kernel.profile(case["delta"]))
    known = kernel.definiteness
    bounds = [f"{bound:g}".replace("inf", "Infinity") for bound in vars(known).values()]
    flags = [str(flag).lower() for flag in (kernel.isotropic, kernel.translation_invariant)]
    assert found["known"] == flags + bounds


def scaling_cases(rng):
    for n in SIZES:
        for kind in KINDS:
            for additive in (None, "lingoes", "cailliez"):
                D = random_table(rng, n, kind)
                rows = D[:2] + rng.uniform(0, 0.1, size=(2, n)) * D.max()
                rows[0] = D[0]
                yield {"D": D, "rows": rows, "k": min(2, n - 1), "additive": additive}
    flat = gram.distances(rng.normal(size=(12, 2)) * [1, 1e-5])
    for D, k in ((flat, 3), (random_table(rng, 10, "arbitrary"), 9), (np.zeros((5, 5)), 2)):
        yield {"D": D, "rows": D[:2], "k": k, "additive": None}
    for kind, additive in (("roads", None), ("noisy", "cailliez"), ("arbitrary", "lingoes")):
        D = random_table(rng, 90, kind)
        yield {"D": D, "rows": D[:2], "k": 2, "additive": additive}


def check_scaling(case, found):
    fit = quietly(classical_scaling, case["D"], case["k"], additive=case["additive"])
    spectrum = fit.spectrum()
    close(found["constant"], [fit.additive_constant], case["additive"])
    close(found["figures"][:2], spectrum.goodness_of_fit(len(fit.eigenvalues) or 1))
    close([*found["figures"][2:], 1.0], [spectrum.negative_mass, 1.0])
    close(found["explained"], [*spectrum.explained, fit.explained])
    return same_fit(found, fit, case["rows"], case["additive"])


def kernel_fit_cases(rng):
    for kernel in KERNELS * 3:
        n, p = int(rng.choice(SIZES[2:])), int(rng.integers(1, 5))
        D = random_table(rng, n, rng.choice(KINDS[:2]))
        X, Y = rng.normal(size=(n, p)) + 2, rng.normal(size=(3, p)) + 2
        yield {"kernel": kernel, "X": X, "Y": Y, "D": D, "rows": D[:2] + 0.1, "k": 2}
    X, D = rng.normal(size=(95, 2)), random_table(rng, 95, "points")
    yield {"kernel": ("RBF", 0.5), "X": X, "Y": X[:3] + 0.1, "D": D, "rows": D[:2], "k": 2}


def uncentred_fit(found, cross, k):
    """Compare the fit that centres nothing with the eigenpairs of K itself."""
    n = cross.shape[1]
    K = np.reshape(found["matrix"], (n, n))
    values, V = np.linalg.eigh(K)
    values, V = values[::-1], canonical_signs(V[:, ::-1])
    kept = np.count_nonzero(values[:k] > rank_tolerance(n) * np.abs(values).max())
    close(found["spectrum"], values)
    close([*found["eigenvalues"], values[0]], [*values[:kept], values[0]])
    close(found["fraction"], [values[:kept].sum() / np.abs(values).sum()])
    if not (kept and axes_determined(values, kept)):
        return 0
    close(found["points"], V[:, :kept] * np.sqrt(values[:kept]))
    close(found["placed"], cross @ V[:, :kept] / np.sqrt(values[:kept]))
    return 1


def check_kernel_fits(case, found):
    kernel, k = kernel_of(*case["kernel"]), case["k"]
    fit = quietly(kernel_pca, case["X"], kernel, k)
    determined = same_fit(found["pca"], fit, case["Y"], repr(kernel))
    close(found["fraction"], [fit.explained])
    from_gram = quietly(kernel_pca_from_gram, quietly(kernel, case["X"]), k)
    cross = quietly(kernel, case["Y"], case["X"])
    same_fit(found["gram"], from_gram, cross, repr(kernel))
    close(found["gram"]["fraction"], [from_gram.explained])
    determined += uncentred_fit(found["plain"], cross, k)
    if kernel.isotropic:
        scaled = quietly(kernel_mds, case["D"], kernel, k)
        determined += same_fit(found["mds"], scaled, case["rows"], repr(kernel))
        close(found["mds"]["feature"], scaled.feature_distances)
        close(found["mds"]["fraction"], [scaled.explained])
    return determined


def stress_cases(rng):
    for n in SIZES * 3:
        D = random_table(rng, n, "noisy" if rng.random() < 0.7 else "roads")
        X = rng.normal(size=(n, int(rng.integers(1, 4))))
        if rng.random() < 0.4 and n > 4:
            X[3] = X[1]
        if n == 10:
            D = np.rint(6 * gram.distances(X + 0.1 * rng.normal(size=X.shape)))
        yield {"X": X, "D": D}


def check_stress(case, found):
    X, D = case["X"], case["D"]
    d = gram.distances(X)
    ratio = np.divide(D, d, out=np.zeros_like(D), where=d > 0)
    close(found["step"], (ratio.sum(axis=1)[:, None] * X - ratio @ X) / len(D))
    close(found["raw"], [raw_stress(X, D)])
    close(found["stress1"], [kruskal_stress(X, D)])
    delta, apart = squareform(D, checks=False), squareform(d, checks=False)
    order = np.lexsort([apart, delta])  # ties are broken by the distances: the primary approach
    fitted = np.empty(len(delta))
    fitted[order] = isotonic_regression(apart[order]).x
    close(found["disparities"], squareform(fitted * np.sqrt(delta @ delta / (fitted @ fitted))))


def alignment_cases(rng):
    for n in SIZES * 4:
        p = int(rng.integers(1, 5))
        Y = rng.normal(size=(n, p)) + 3
        Q = np.linalg.qr(rng.normal(size=(p, p)))[0]
        target = 2 * Y @ Q + rng.normal(size=p) + 0.1 * rng.normal(size=(n, p))
        if p > 1 and rng.random() < 0.3:
            Y = np.outer(Y[:, 0], rng.normal(size=p))
        yield {"Y": Y, "target": target, "scaling": bool(rng.random() < 0.5)}


def check_alignment(case, found):
    fit = procrustes_align(case["Y"], target=case["target"], scaling=case["scaling"])
    close(np.append(found["figures"], 1.0), [fit.scale, fit.residual, 1.0])
    Y = case["Y"]
    k = Y.shape[1]
    R = np.reshape(found["rotation"], (k, k))
    close(R.T @ R, np.eye(k))
    close(found["points"], fit.scale * Y @ R + found["translation"])
    if np.linalg.matrix_rank(Y - Y.mean(axis=0)) < k:
        return 0
    close(found["points"], fit.points)
    close(found["rotation"], fit.rotation)
    close(found["translation"], fit.translation)
    return 1


def graph_cases(rng):
    for n in SIZES * 3:
        kind = rng.choice(["points", "grid", "shaken", "noisy"])
        if kind in ("grid", "shaken"):
            side = math.ceil(n**0.5)
            D = gram.distances(np.argwhere(np.ones((side, side)))[:n])
            shake = 1e-13 * rng.normal(size=(n, n)) * (kind == "shaken")
            D = D * (1 + shake + shake.T)
        else:
            D = random_table(rng, n, kind)
        yield {"D": D, "nNeighbors": int(rng.integers(1, min(6, n))), "k": 2}


def check_graphs(case, found):
    D, k = case["D"], case["k"]
    near = Objects.checked(D, "precomputed").nearest(case["nNeighbors"])
    graph = symmetric_graph(near)

    def said(matrix):
        rows = np.split(matrix.indices, matrix.indptr[1:-1])
        return [",".join(map(str, sorted(row))) for row in rows]

    assert found["near"] == said(near)
    assert found["links"] == said(graph)
    parts = components(near)
    assert found["parts"] == [",".join(map(str, part)) for part in parts]
    paths = dijkstra(graph)
    close(found["paths"], np.where(np.isfinite(paths), paths, -1.0))
    if len(parts) > 1:
        with pytest.raises(ValueError, match=f"^{re.escape(found['apart'])}$"):
            isomap(D, n_neighbors=case["nNeighbors"], metric="precomputed")
    if len(parts) > 1 or len(D) < 3:
        return 0
    fit = quietly(isomap, D, k, n_neighbors=case["nNeighbors"], metric="precomputed")
    if not axes_determined(fit.spectrum().eigenvalues, fit.points.shape[1]):
        return 0
    points = np.reshape(found["map"], fit.points.shape)
    close(procrustes_align(points, target=fit.points).points, fit.points)
    return 1


FAMILY = {
    "gram": (gram_cases, check_gram),
    "eigen": (eigen_cases, check_eigen),
    "kernels": (kernel_cases, check_kernels),
    "scaling": (scaling_cases, check_scaling),
    "kernelFits": (kernel_fit_cases, check_kernel_fits),
    "stress": (stress_cases, check_stress),
    "alignment": (alignment_cases, check_alignment),
    "graphs": (graph_cases, check_graphs),
}


def cases_of(family):
    """Return the seeded inputs of a family."""
    return list(FAMILY[family][0](np.random.default_rng(sum(map(ord, family)))))


@pytest.mark.parametrize("family", FAMILY)
def test_core_is_the_library(family):
    cases = cases_of(family)
    found = run_core(family, cases)
    determined = [FAMILY[family][1](*pair) for pair in zip(cases, found, strict=True)]
    if determined[0] is not None:
        assert np.count_nonzero(determined) > 0.5 * len(cases), "too few cases compare points"


def wrong_tables():
    """Tables that are refused, each with the one thing that is wrong, and two that are not."""
    rng = np.random.default_rng(0)
    for n in (2, 3, 7, 12):
        D = random_table(rng, n, "noisy")
        i, j = rng.choice(n, size=2, replace=False)
        for value in (np.nan, np.inf, -np.inf, -1e-5, -123456.789, 2.5 * D[i, j], 1e70, 1e130):
            broken = D.copy()
            broken[i, j] = value
            yield broken.tolist()
            broken[j, i] = value
            yield broken
        for value in (0.5, 1e-20, 1e6):
            yield D + np.diag(np.full(n, value))
        yield 1e-70 * D
        yield 1e-130 * D
        yield D * (1 + 1e-12 * rng.normal(size=(n, n)))
        yield D[:-1]
        yield [*D[:-1].tolist(), D[-1, :-1].tolist()]
    yield [[0.0]]


def refusal(check, table):
    """Return what the library says of a table, or None."""
    try:
        check(table, min_objects=2)
    except ValueError as error:
        return str(error)
    return None


@pytest.mark.parametrize(
    ("kind", "name", "check"), [("distances", "D", as_dissimilarities), ("gram", "K", as_gram)]
)
def test_bad_tables_are_refused_in_the_librarys_words(kind, name, check):
    tables = list(wrong_tables())
    found = run_core("words", [{"kind": kind, "table": table} for table in tables])
    expected = [refusal(check, table) for table in tables]
    wrong = [answer["wrong"] for answer in found]
    assert [fault and fault["sentence"] for fault in wrong] == expected
    assert sum(words is None for words in expected) >= 4
    for fault, words in zip(wrong, expected, strict=True):
        if fault and (entry := fault["entry"]):
            assert f"{name}[{entry[0]}, {entry[1]}]" in words
    for answer, table in zip(found, tables, strict=True):
        if answer.get("matrix"):
            close(answer["matrix"], as_dissimilarities(table))
