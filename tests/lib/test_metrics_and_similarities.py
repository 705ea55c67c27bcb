"""Dissimilarities from similarities, and distances by the metrics of SciPy."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.metrics import pairwise_distances

from kmds_lib import distances, smacof
from kmds_lib import similarities_to_dissimilarities as convert
from kmds_lib._validation import as_dissimilarities
from tests.lib.conftest import refused

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


@pytest.mark.parametrize("how", HOWS)
def test_missing_similarities_stay_missing(how):
    S = (0.5 + C / 2).clip(0.01) * 0.9 + 0.1 * np.eye(12)
    gaps = np.zeros((12, 12), dtype=bool)
    gaps[[0, 3, 7], [5, 4, 2]] = True
    gaps |= gaps.T
    expected = np.where(gaps, np.nan, by_loops(S, how))
    np.testing.assert_allclose(convert(np.where(gaps, np.nan, S), how), expected, atol=1e-12)
    names = list("abcdefghijkl")
    frame = pd.DataFrame(S, names, names).convert_dtypes().mask(gaps)
    assert frame.isna().to_numpy().sum() == 6
    found = convert(frame, how)
    assert list(found.columns) == list(found.index) == names
    np.testing.assert_allclose(found, expected, atol=1e-12)
    fit = smacof(found)
    assert len(fit.shepard().fitted) == 63


def test_similarity_just_above_one_is_distance_zero():
    S = np.array([[1.0, 1 + 2e-16], [1 + 2e-16, 1.0]])
    for how in HOWS:
        D = convert(S, how)
        assert D[0, 1] == 0.0
        assert not np.signbit(D).any()


PAIR = [[1.0, 2.0], [2.0, 1.0]]


test_invalid_similarities_are_refused = refused(
    (lambda: convert(np.where(np.eye(12) > 0, np.nan, C), "max-minus"), r"S\[0, 0\] is nan"),
    (lambda: convert(PAIR, "gram"), r"2 G\[0, 1\] = -2 is negative"),
    (lambda: convert(PAIR, "one-minus"), r'S\[0, 1\] = 2, but "one-minus" takes'),
    (lambda: convert(PAIR, "minus-log"), r"S\[0, 1\] = 2, .* above 0 and at most 1"),
    (lambda: convert(np.eye(2), "minus-log"), r"S\[0, 1\] = 0, .* above 0"),
    (lambda: convert([[1, -1e-16], [-1e-16, 1]], "minus-log"), r"S\[0, 1\] = -1e-16, .* floor"),
    (lambda: convert([[1.0, -0.1], [-0.1, 1.0]], "minus-log"), 'S.* = -0.1, .* "max-minus"'),
    (lambda: convert(np.diag([1.0, 0.0]), "cosine"), r"S\[1, 1\] = 0, but a cosine divides"),
    (lambda: convert([[1.0, 0.1], [0.1, -1.0]], "cosine"), r"S\[1, 1\] = -1"),
)


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
    scaled = distances(X, metric=lambda x, y, p: p * np.abs(x - y).max(), p=3)
    np.testing.assert_allclose(scaled, 3 * D)
    discrete = distances(X > 0, X[:3] > 0, metric=lambda x, y: (x != y).any())
    np.testing.assert_array_equal(discrete, ((X > 0)[:, None] != (X[:3] > 0)).any(axis=2))


THREE = [[1.0], [2.0], [3.0]]
SHARES = RNG.dirichlet(np.ones(4), 12)
NOT_METRICS = {
    "asymmetric": (lambda x, y: x @ np.log(x / y), SHARES, "not symmetric: .* a difference of"),
    "diagonal": (lambda x, y: 0.1 + np.abs(x - y).max(), X, "gives 0.1 for row 0 of X and itself"),
    "array": (lambda x, y: np.abs(x - y), X, r"returns an array of shape \(4,\)"),
    "undefined": (lambda x, y: np.nan if y[0] == 3 else 0.0, THREE, "gives nan for rows"),
    "negative": (lambda x, y: -np.abs(x - y).max(), X, "gives -.* for rows 0 and 1"),
}


@pytest.mark.parametrize("name", NOT_METRICS)
def test_functions_that_are_not_metrics_are_refused(name):
    metric, points, message = NOT_METRICS[name]
    with pytest.raises(ValueError, match=message):
        distances(points, metric=metric)
    with pytest.raises(ValueError, match="metric = <function"):
        distances(points, np.copy(points), metric=metric)


@pytest.mark.parametrize("unit", [1e-12, 1e-3, 1.0, 1e6, 1e12])
def test_tolerance_of_metrics_is_relative_to_largest_distance(unit):
    def with_error(error):
        return lambda x, y: unit * (np.abs(x - y).max() or -4 * error)

    points = np.array([[0.0], [0.0], [1.0], [4.0]])
    expected = unit * distances(points, metric="chebyshev")
    for error in (1e-16, 1e-9):
        np.testing.assert_array_equal(distances(points, metric=with_error(error)), expected)
        found = distances(points, points[:3], metric=with_error(error))
        np.testing.assert_array_equal(found, expected[:, :3])
    for Y in (None, points[:3]):
        with pytest.raises(ValueError, match=r"gives -.* for rows 0 and [01]"):
            distances(points, Y, metric=with_error(1e-6))
    same = unit * np.tile(X[:1], (3, 1))
    for metric in ("cosine", "correlation"):
        np.testing.assert_allclose(distances(same, metric=metric), 0, atol=1e-12)
        np.testing.assert_allclose(distances(same[:1], same[:1], metric=metric), 0, atol=1e-12)


def mahalanobis(X, Y=None):
    """Return the Mahalanobis distances by the pseudo-inverse of the covariances of all rows."""
    rows = X if Y is None else np.concatenate([X, Y])
    VI = np.linalg.pinv(np.cov(rows.T), rcond=1e-10, hermitian=True)
    return cdist(X, X if Y is None else Y, "mahalanobis", VI=VI)


COLLINEAR = {
    "none": X,
    "sum": np.column_stack([X, X[:, 0] + X[:, 1]]),
    "repeated": np.column_stack([X, 3 * X[:, 2]]),
    "constant": np.column_stack([X, np.full(12, 0.1)]),
    "percentages": 100 * SHARES,
    "one row": np.tile(X[:1], (6, 1)),
}


@pytest.mark.parametrize("name", COLLINEAR)
def test_mahalanobis_of_collinear_float32_columns(name):
    points = COLLINEAR[name].astype(np.float32)
    for first, second in ((points, None), (pd.DataFrame(points), None), (points * 1.0, points)):
        found = distances(first, second, metric="mahalanobis")
        expected = mahalanobis(COLLINEAR[name], None if second is None else COLLINEAR[name])
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


def test_columns_constant_to_rounding_are_refused():
    far = (X + 4e6).astype(np.float32)
    for metric in ("mahalanobis", "seuclidean"):
        with pytest.raises(ValueError, match=r"constant to rounding.* subtract a common offset"):
            distances(far, metric=metric)
        near = far - far[0]
        expected = squareform(pdist(near.astype(float), metric))
        np.testing.assert_allclose(distances(near, metric=metric), expected, rtol=1e-5)


@pytest.mark.parametrize("unit", [1.0, 1e-12, 1e9])
@pytest.mark.parametrize("name", COLLINEAR)
def test_mahalanobis_of_collinear_columns(name, unit):
    points = COLLINEAR[name]
    units = np.append(np.ones(points.shape[1] - 1), unit)  # which do not change the distances
    found = distances(units * points, metric="mahalanobis")
    np.testing.assert_allclose(found, mahalanobis(points), rtol=1e-7, atol=1e-7)
    assert np.array_equal(as_dissimilarities(found), found)
    new = distances(units * points[:5], units * points[3:], metric="mahalanobis")
    np.testing.assert_allclose(new, mahalanobis(points[:5], points[3:]), rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("name", ["sum", "repeated", "percentages"])
@pytest.mark.parametrize("sign", [1, -1])
def test_inverse_of_singular_covariances_is_refused(name, sign):
    points = COLLINEAR[name]
    columns = {"sum": "0, 1, 4", "repeated": "2, 4", "percentages": "0, 1, 2, 3"}[name]
    S = np.cov(points.T)
    v = np.linalg.eigh(S)[1][:, :1]
    noise = np.linalg.pinv(S) + sign * 1e16 * v @ v.T
    with pytest.raises(ValueError, match=rf"VI is not pos.* columns {columns} are collinear"):
        distances(points, metric="mahalanobis", VI=noise)
    VI = np.linalg.pinv(S, rcond=1e-10, hermitian=True)
    found = distances(points, metric="mahalanobis", VI=VI)
    np.testing.assert_allclose(found, mahalanobis(points), rtol=1e-7, atol=1e-9)


def test_jensen_shannon_distance_of_proportional_rows_is_zero():
    points = np.outer([1.0, 3.0, 1 / 3, 0.1, 7.0], SHARES[0])
    assert distances(points, metric="jensenshannon").max() < 1e-7
    assert distances(points[:1], points[1:], metric="jensenshannon").max() < 1e-7


def test_correlation_needs_rows_that_vary():
    for row in ([0.1, 0.1, 0.1, 0.1], [0.0, 0.0, 0.0, 0.0]):
        with pytest.raises(ValueError, match=r"Row 2 of X is constant \(1 such row\)"):
            distances(np.insert(X, 2, row, axis=0), metric="correlation")
        with pytest.raises(ValueError, match=r"Row 0 of Y is constant \(1 such row\)"):
            distances(X, [row], metric="correlation")


AMOUNTS = np.abs(X)
NEGATIVE = AMOUNTS - 2 * np.eye(12, 4, 1)


@pytest.mark.parametrize("metric", ["braycurtis", "jensenshannon"])
def test_rounding_errors_below_zero_are_amounts_of_zero(metric):
    zeros = AMOUNTS * (AMOUNTS > 0.5)
    noisy = np.where(zeros == 0, -1e-17, zeros)
    for Y in (None, noisy[:3]):
        expected = distances(zeros, Y if Y is None else zeros[:3], metric=metric)
        np.testing.assert_array_equal(distances(noisy, Y, metric=metric), expected)


test_rows_outside_the_domain_of_a_metric_are_refused = refused(
    (lambda: distances(X, metric="braycurtis"), r"X\[\d+, \d\] = -\d.\d+ is negative; metric"),
    (lambda: distances(AMOUNTS, NEGATIVE, metric="braycurtis"), r"Y\[\d, \d\] = -.* 'braycurtis'"),
    (lambda: distances(NEGATIVE, metric="jensenshannon"), r"X\[\d, \d\] = -.* 'jensenshannon'"),
    (lambda: distances(X, metric="seuclidean", V=[1, 2, 0, 1]), r"V\[2\] = 0 is not positive"),
    (lambda: distances([[0.3], [0.1 + 0.2]], metric="seuclidean"), "Column 0 of X is constant"),
    (lambda: distances(X, metric="cityblock", w=[1, 2, np.nan, 1]), r"w\[2\] is nan: give finite"),
    (lambda: distances(X, metric="cityblock", w=[1, 2, -1, 1]), r"w\[2\] is -1.0: give finite"),
    (lambda: distances(AMOUNTS, metric="canberra", w=[0, 0, 0, 0]), "w has only zeros: give"),
    (lambda: distances(AMOUNTS, metric="jensenshannon", w=np.ones(4)), "options are: none"),
    (lambda: distances(0 * AMOUNTS, metric="jensenshannon"), "Row 0 of X is all 0"),
)


test_invalid_metrics_are_refused = refused(
    (lambda: distances(X, metric="mahalanobis", w=np.ones(4)), "whose options are: VI"),
    (
        lambda: distances(X, metric="cityblock", p=3),
        "p is not an option of metric = 'cityblock', whose options are: w",
    ),
    (lambda: distances(X, metric="minkowski", p=-1), "p is -1: give a finite number > 0"),
    (lambda: distances(X, metric="seuclidean", V=[1.0]), "refuses metric = 'seuclidean'"),
    (
        lambda: distances(X, metric="mahalanobis", VI=np.eye(3)),
        r"VI has shape \(3, 3\), but X has 4 columns: give a matrix of shape \(4, 4\)",
    ),
    (
        lambda: distances(X[:3], metric="mahalanobis"),
        r"covariances of 4 columns from 3 rows, .* give more rows",
    ),
    (lambda: distances([[0, 0], [1, 1]], metric="cosine"), "gives nan for rows 0 and 1"),
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
