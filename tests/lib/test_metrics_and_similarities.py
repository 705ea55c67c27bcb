"""Dissimilarities from similarities, and distances by the metrics of SciPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.metrics import pairwise_distances

from kmds_lib import distances
from kmds_lib import similarities_to_dissimilarities as convert
from kmds_lib._checks import as_dissimilarities
from tests.lib.conftest import refusals

RNG = np.random.default_rng(0)
X = RNG.standard_normal((12, 4))
C = np.corrcoef(X)
HOWS = ["gram", "cosine", "one-minus", "max-minus", "minus-log"]


def by_loops(S, how):
    """Return the conversion of each pair by its formula."""
    rule = {
        "gram": lambda i, j: (S[i, i] + S[j, j] - 2 * S[i, j]) ** 0.5,
        "cosine": lambda i, j: (2 - 2 * S[i, j] / (S[i, i] * S[j, j]) ** 0.5) ** 0.5,
        "one-minus": lambda i, j: 1 - S[i, j],
        "max-minus": lambda i, j: S.max() - S[i, j],
        "minus-log": lambda i, j: -np.log(S[i, j]),
    }[how]
    return np.array(
        [[0.0 if i == j else rule(i, j) for j in range(len(S))] for i in range(len(S))]
    )


@pytest.mark.parametrize("how", HOWS)
@given(st.integers(0, 2**32 - 1), st.integers(2, 9))
def test_conversions_equal_their_formulas(how, seed, n):
    points = np.random.default_rng(seed).random((n, 3)) / 2
    S = points @ points.T
    before = S.copy()
    D = convert(S, how)
    np.testing.assert_allclose(D, by_loops(S, how), rtol=1e-9, atol=1e-7)
    assert np.array_equal(as_dissimilarities(D), D)
    assert np.array_equal(S, before)


def test_unused_diagonal_is_ignored():
    for how in ("one-minus", "minus-log"):
        S = 0.1 + 0.8 * RNG.random((5, 5))
        S = S + S.T
        S /= S.max()
        filled = S.copy()
        np.fill_diagonal(filled, [0.0, 5.0, -3.0, 1.0, 0.5])
        found = [convert(table, how) for table in (S, filled)]
        assert np.array_equal(*found)


def test_similarity_just_above_one_is_distance_zero():
    S = np.array([[1.0, 1 + 2e-16], [1 + 2e-16, 1.0]])
    for how in HOWS:
        D = convert(S, how)
        assert D[0, 1] == 0.0
        assert not np.signbit(D).any()


PAIR = [[1.0, 2.0], [2.0, 1.0]]

test_invalid_similarities_are_refused = refusals(
    (lambda: convert(C, "corr"), "how = 'corr' is unknown; use 'gram', 'cosine', 'one-minus'"),
    (lambda: convert(C[:3], "gram"), r"S has shape \(3, 12\)"),
    (lambda: convert(np.where(np.eye(12) > 0, np.nan, C), "max-minus"), r"S\[0, 0\] is nan"),
    (lambda: convert(np.triu(C), "gram"), "S is not symmetric"),
    (lambda: convert(PAIR, "gram"), r"2 G\[0, 1\] = -2 is negative"),
    (lambda: convert(PAIR, "one-minus"), r'S\[0, 1\] = 2, but "one-minus" takes'),
    (lambda: convert(PAIR, "minus-log"), r"S\[0, 1\] = 2, .* above 0 and at most 1"),
    (lambda: convert(np.eye(2), "minus-log"), r"S\[0, 1\] = 0, .* above 0"),
    (lambda: convert([[1.0, -0.1], [-0.1, 1.0]], "minus-log"), 'S.* = -0.1, .* "max-minus"'),
    (lambda: convert(np.diag([1.0, 0.0]), "cosine"), r"S\[1, 1\] = 0, but a cosine divides"),
    (lambda: convert([[1.0, 0.1], [0.1, -1.0]], "cosine"), r"S\[1, 1\] = -1"),
)


def test_zeros_need_a_floor_for_the_logarithm():
    S = np.array([[0.9, 0.1, 0.0], [0.1, 0.8, 0.02], [0.0, 0.02, 0.7]])
    with pytest.raises(ValueError, match=r"S\[0, 2\] = 0, .* floor .* np.maximum\(S, 0.01\)"):
        convert(S, "minus-log")
    D = convert(np.maximum(S, 0.01), "minus-log")
    np.testing.assert_allclose(D[0], [0, -np.log(0.1), -np.log(0.01)])


METRICS = [
    *((name, {}) for name in ("braycurtis", "canberra", "chebyshev", "cityblock", "correlation")),
    *((name, {}) for name in ("cosine", "euclidean", "hamming", "jensenshannon")),
    ("euclidean", {"w": [1.0, 2.0, 3.0, 0.5]}),
    ("mahalanobis", {"VI": np.diag([1.0, 2.0, 3.0, 4.0])}),
    ("minkowski", {"p": 3}),
    ("minkowski", {"p": np.inf}),
    ("minkowski", {"p": np.inf, "w": [1.0, 0.0, 2.0, 0.5]}),
    ("seuclidean", {"V": [1.0, 2.0, 3.0, 4.0]}),
]


@pytest.mark.parametrize(("metric", "options"), METRICS)
def test_metrics_equal_scipy(metric, options):
    points = np.abs(X)
    D = distances(points, metric=metric, **options)
    np.testing.assert_allclose(D, squareform(pdist(points, metric, **options)), atol=1e-12)
    assert np.array_equal(as_dissimilarities(D), D)
    new = distances(points[:3] + 1, points, metric=metric, **options)
    np.testing.assert_allclose(new, cdist(points[:3] + 1, points, metric, **options), atol=1e-12)


@pytest.mark.parametrize(
    "metric", ["dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule"]
)
def test_boolean_metrics_need_zeros_and_ones(metric):
    points = np.random.default_rng(1).random((10, 7)) < 0.6
    for values in (points, points.astype(int), points.astype(float).tolist()):
        D = distances(values, metric=metric)
        np.testing.assert_allclose(D, squareform(pdist(points, metric)))
    with pytest.raises(ValueError, match=f"metric = '{metric}' needs Boolean values, but row"):
        distances(points + 0.5, metric=metric)


def test_callable_metric():
    D = distances(X, metric=lambda x, y: np.abs(x - y).max())
    np.testing.assert_allclose(D, pairwise_distances(X, metric="chebyshev"))
    shifted = distances(X, metric=lambda x, y, p: p + np.abs(x - y).max(), p=-1e-3)
    np.testing.assert_allclose(shifted, np.maximum(D - 1e-3, 0))


test_invalid_metrics_are_refused = refusals(
    (lambda: distances(X, metric="manhattan"), "metric = 'manhattan' is unknown; use 'bray"),
    (
        lambda: distances(X, metric="cityblock", p=3),
        "refuses metric = 'cityblock'",
    ),
    (lambda: distances(X, metric="minkowski", p=-1), "p is -1: give a finite number > 0"),
    (
        lambda: distances(X, metric="seuclidean", V=[1.0]),
        "refuses metric = 'seuclidean'",
    ),
    (
        lambda: distances(X, metric="mahalanobis", VI=np.eye(3)),
        r"VI has shape \(3, 3\), but X has 4 columns: give a matrix of shape \(4, 4\)",
    ),
    (lambda: distances(X, X[:2] + 1, metric="mahalanobis", VI=np.ones(4)), r"shape \(4,\)"),
    (
        lambda: distances(X[:3], metric="mahalanobis"),
        "refuses metric = 'mahalanobis'",
    ),
    (lambda: distances([[0, 0], [1, 1]], metric="cosine"), "gives nan for rows 0 and 1"),
    (lambda: distances(X, metric=lambda x, y: -1.0), "gives -1.0 for rows 0 and 1"),
    (lambda: distances([[np.nan]], metric="cosine"), r"X\[0, 0\] is nan"),
    (lambda: distances(X, X[:, :2], metric="cityblock"), "4 columns but Y has 2"),
)


@pytest.mark.parametrize(("unit", "p"), [(1e-59, 6), (1e-3, 200), (1e3, 200)])
def test_minkowski_powers_outside_the_range_are_refused(unit, p):
    for other in (None, X[:2] + 1):
        Y = other if other is None else unit * other
        with pytest.raises(ValueError, match=rf"power p = {p} .* rows 0 and \d .* 'chebyshev'"):
            distances(unit * X, Y, metric="minkowski", p=p)
    equal = distances([[1e-59], [1e-59], [2.0]], metric="minkowski", p=6)
    np.testing.assert_allclose(equal, [[0, 0, 2], [0, 0, 2], [2, 2, 0]])
    half = distances([[0.0, 1e-59], [0.0, 2e-59]], metric="minkowski", p=6, w=[1.0, 0.0])
    assert not half.any()
