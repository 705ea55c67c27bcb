"""Rounding errors of input: one rule for all functions, and messages about larger differences."""

import re
import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from kmds_lib import (
    classical_scaling,
    critchley_scaling,
    distances,
    distances_from_gram,
    energy_distance,
    is_euclidean,
    isomap,
    kernel_mds,
    kernel_pca_from_gram,
    kruskal_stress,
    landmark_scaling,
    laplacian_eigenmaps,
    locally_linear_embedding,
    pca,
    permutation_test,
    sammon,
    similarities_to_dissimilarities,
    smacof,
)
from kmds_lib.kernels import RBF, DampedCosine, Exponential
from kmds_lib.sklearn import ClassicalScaling, KernelMDS, LandmarkScaling, Stress
from tests.lib.conftest import sample

X = sample(30, 3)
D = distances(X)
NEW = distances(sample(4, 3, seed=1), X)
NEW[0] = D[3]  # a new object that coincides with a training object
OPTIONS = {"metric": "precomputed"}
NEIGHBORS = OPTIONS | {"n_neighbors": 9}
EVERY_THIRD = np.arange(0, 30, 3)

FITS = {
    "classical_scaling": classical_scaling,
    "lingoes": lambda D: classical_scaling(np.sqrt(np.abs(D)) * np.sign(D), additive="lingoes"),
    "kernel_mds": lambda D: kernel_mds(D, RBF(0.2)),
    "critchley_scaling": lambda D: critchley_scaling(D, 0.5),
    "smacof": smacof,
    "ordinal": lambda D: smacof(D, transform="ordinal"),
    "isomap": lambda D: isomap(D, **NEIGHBORS),
    "lle": lambda D: locally_linear_embedding(D, **NEIGHBORS),
    "laplacian": lambda D: laplacian_eigenmaps(D, **NEIGHBORS),
    "landmarks": lambda D: landmark_scaling(D, landmarks=np.arange(30), **OPTIONS),
    "farthest": lambda D: landmark_scaling(D, landmarks=30, choose="farthest", seed=0, **OPTIONS),
}
WITHOUT_ROOTS = [name for name in FITS if name != "lingoes"]
"""All fits but one, which takes the roots of its input: a root magnifies rounding errors."""

ESTIMATORS = {
    "ClassicalScaling": ClassicalScaling(**OPTIONS),
    "KernelMDS": KernelMDS(theta=0.2, **OPTIONS),
    "Stress": Stress(**OPTIONS),
    "LandmarkScaling": LandmarkScaling(landmarks=EVERY_THIRD, **OPTIONS),
}


def below_zero(M):
    """Replace zeros by -2e-16, as in 1 - cosine similarity."""
    return np.where(M == 0, -2.2e-16, M)


def order_of(fit):
    return fit.landmarks if hasattr(fit, "landmarks") else np.arange(30)


@pytest.mark.parametrize("name", FITS)
def test_rounding_errors_below_zero_count_as_zero(name):
    fit, expected = FITS[name](below_zero(D)), FITS[name](D)
    assert_allclose(fit.points, expected.points, atol=1e-12)
    columns = order_of(expected)
    placed = fit.transform(below_zero(NEW)[:, columns])
    assert_allclose(placed, expected.transform(NEW[:, columns]), atol=1e-12)
    bad = np.where(NEW == 0, -1e-6, NEW)[:, columns]
    with pytest.raises(ValueError, match=r"new.*\[0, \d+\] = -1e-06 is negative"):
        fit.transform(bad)


SHORT = [(np.float32, 1e-4), (np.float64, 1e-9)]
"""Types, and distances that the diagonal of a fit may have as rounding errors."""


@pytest.mark.parametrize("metric", ["precomputed", "cityblock", lambda x, y: np.abs(x - y).max()])
@pytest.mark.parametrize("method", [isomap, locally_linear_embedding, laplacian_eigenmaps])
@pytest.mark.parametrize(("dtype", "size"), SHORT)
def test_objects_of_a_small_cluster_remain_apart(method, metric, dtype, size):
    points = (1 + X * np.where(np.arange(30) < 6, size, 1)[:, None]).astype(dtype)
    table = distances(points).astype(dtype) if metric == "precomputed" else points
    large = {"regularization": 10.0} if method is locally_linear_embedding else {}
    fit = method(table, metric=metric, n_neighbors=9, **large)
    assert_allclose(fit.transform(table), fit.points, atol=1e-9)


def test_new_objects_of_a_metric_coincide():
    assert np.diagonal(distances(X, X.copy(), metric="cosine")).max() > 0
    fit = laplacian_eigenmaps(X, metric="cosine", n_neighbors=9)
    assert_allclose(fit.transform(X), fit.points, atol=1e-12)


def test_outlier_does_not_make_other_distances_rounding_errors():
    far = np.pad(D, (0, 1), constant_values=1e9) * (1 - np.eye(31))
    fit, near = FITS["laplacian"](far), FITS["laplacian"](D)
    new = np.pad(distances(X[:1] + 0.1, X), ((0, 0), (0, 1)), constant_values=1e9)
    edges = fit.graph[:30, :30] != near.graph
    assert edges.nnz == 0
    place = fit.transform(new)[0]
    assert np.linalg.norm(fit.points - place, axis=1).min() > 0


@pytest.mark.parametrize("name", ["classical_scaling", "kernel_mds", "isomap", "landmarks"])
def test_rounding_errors_of_new_objects_are_relative_to_the_fit(name):
    fit = FITS[name](D)
    zeros = np.zeros((1, 30))
    assert_allclose(fit.transform(zeros - 1e-16), fit.transform(zeros), atol=1e-12)


@pytest.mark.parametrize("mu", [0.5, 1, 2])
def test_rounding_errors_of_new_objects_are_in_the_unit_of_the_dissimilarities(mu):
    fit = critchley_scaling(1e3 * D, mu)
    size = 1e3 * np.mean(D ** (2 * mu)) ** (0.5 / mu)
    zeros = np.zeros((1, 30))
    assert_allclose(fit.transform(zeros - 1.4e-8 * size), fit.transform(zeros))
    with pytest.raises(ValueError, match="is negative"):
        fit.transform(zeros - 1.6e-8 * size)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_estimators_accept_rounding_errors(name):
    estimator = ESTIMATORS[name]
    placed = estimator.fit(D).transform(NEW)
    for single in (in_float32(D), pd.DataFrame(in_float32(D)).astype({0: float})):
        estimator.fit(single)
        assert_allclose(estimator.transform(in_float32(NEW))[1:], placed[1:], atol=5e-3)
    assert_allclose(estimator.fit(below_zero(D)).transform(below_zero(NEW)), placed, atol=1e-12)
    with pytest.raises(ValueError, match=r"X\[0, 3\] = -1e-06 is negative"):
        estimator.transform(np.where(NEW == 0, -1e-6, NEW))


def test_other_functions_accept_rounding_errors_below_zero():
    for delta in (-2e-16, [-2e-16], [[-1e-16, 0.0]]):
        for kernel in (RBF(1.0), Exponential(1.0), RBF(1.0) + DampedCosine(1.0, 0.1)):
            assert_allclose(kernel.profile(delta), kernel.profile(np.zeros(np.shape(delta))))
    with pytest.raises(ValueError, match=r"delta\[0\] = -0.001 is negative"):
        RBF(1.0).profile([-1e-3])
    assert_allclose(RBF(0.5).profile(below_zero(NEW)), RBF(0.5).profile(NEW), rtol=1e-12)
    W = (D > 1).astype(float)
    fit, expected = smacof(D, weights=below_zero(W)), smacof(D, weights=W)
    assert_allclose(fit.points, expected.points, atol=1e-12)
    groups = np.arange(30) < 12
    found = energy_distance(below_zero(D), groups, **OPTIONS)
    assert found == pytest.approx(energy_distance(D, groups, **OPTIONS))


# float32


def in_float32(M, seed=0):
    """Return a matrix of type float32 with asymmetric rounding errors, as of x'x + y'y - 2 x'y."""
    noise = 2e-7 * np.random.default_rng(seed).uniform(-1, 1, M.shape) * np.abs(M).max()
    return (M + noise).astype(np.float32)


@pytest.mark.parametrize("name", WITHOUT_ROOTS)
def test_float32_dissimilarities_are_judged_by_their_rounding(name):
    fit, expected = FITS[name](in_float32(D)), FITS[name](D)
    columns = order_of(fit)
    assert (columns == order_of(expected)).all()
    assert_allclose(fit.points, expected.points, atol=2e-3)
    new = in_float32(NEW)[:, columns]
    assert new[0].min() < 0 or name == "farthest"
    assert_allclose(fit.transform(new[1:]), expected.transform(NEW[1:, columns]), atol=5e-3)
    assert np.isfinite(fit.transform(new)).all()
    with pytest.raises(ValueError, match=r"not symmetric.*a difference of \d\.\d*e-0[67]"):
        FITS[name](in_float32(D).clip(0).astype(float) * (1 - np.eye(30)))


def test_columns_of_float64_remain_exact_beside_float32():
    times = pd.DataFrame({"time": 1.7e9 + X[:, 0], "rate": X[:, 1].astype(np.float32)})
    expected = classical_scaling(distances(times.to_numpy())).points
    assert_allclose(ClassicalScaling().fit(times).embedding_, expected, atol=1e-6)


def test_float32_similarities_are_judged_by_their_rounding():
    C = np.corrcoef(np.repeat(sample(6, 9), 2, axis=0))
    single = np.where(C > 1 - 1e-9, 1 + 1.2e-7, C).astype(np.float32)
    np.fill_diagonal(single, 1)
    assert single.max() > 1
    for how in ("gram", "cosine", "one-minus"):
        found = similarities_to_dissimilarities(single, how)
        assert_allclose(found, similarities_to_dissimilarities(C, how), atol=1e-3)
    with pytest.raises(ValueError, match=r"S\[0, 1\] = 1.00000012"):
        similarities_to_dissimilarities(single.astype(float), "one-minus")
    noisy = in_float32(C)
    for how in ("one-minus", "max-minus"):
        found = similarities_to_dissimilarities(noisy, how)
        assert_allclose(found, similarities_to_dissimilarities(C, how), atol=1e-5)
    mixed = pd.DataFrame(in_float32(D)).astype({0: float})
    assert_allclose(classical_scaling(mixed).points, classical_scaling(D).points, atol=1e-4)
    assert_allclose(smacof(list(in_float32(D))).points, smacof(D).points, atol=2e-3)
    assert distances_from_gram(in_float32(C)).shape == (12, 12)
    assert kernel_pca_from_gram(in_float32(C)).points.shape == (12, 2)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_dissimilarities_have_the_type_of_the_similarities(dtype):
    assert similarities_to_dissimilarities(np.exp(-D).astype(dtype), "one-minus").dtype == dtype


@pytest.mark.parametrize("container", [np.array, pd.DataFrame, list])
def test_landmarks_of_float32_are_judged_by_their_rounding(container):
    table, options = container(in_float32(D) - 1e-7 * np.eye(30, dtype=np.float32)), OPTIONS
    for choice in ({"landmarks": EVERY_THIRD}, {"landmarks": 9, "choose": "farthest", "seed": 0}):
        fit = landmark_scaling(table, **choice, **options)
        expected = landmark_scaling(D, landmarks=fit.landmarks, **options)
        assert_allclose(fit.points, expected.points, atol=1e-4)
        new = container(np.asarray(table)[:, fit.landmarks])
        assert_allclose(expected.transform(new), expected.points, atol=1e-4)


def test_float32_distances_are_euclidean():
    assert is_euclidean(D.astype(np.float32))
    assert not is_euclidean((D**1.2).astype(np.float32))


def test_ties_of_distances_between_float32_points():
    grid = np.argwhere(np.ones((4, 3))) / 7
    scaling = Stress(disparities="ordinal", ties="secondary")
    fits = [scaling.fit(points).result_ for points in (grid, grid.astype(np.float32))]
    assert_allclose(*(np.unique(fit.disparities).size for fit in fits))


def test_ties_of_permutations_of_float32():
    x, y = np.random.default_rng(0).integers(0, 4, (2, 14)) / 10
    arguments = {"n_permutations": 499, "seed": 1}
    expected = permutation_test("distance_covariance", x, y, **arguments).p_value
    single = x.astype(np.float32), y.astype(np.float32)
    assert permutation_test("distance_covariance", *single, **arguments).p_value == expected


# Triangular matrices, and missing entries


def test_advice_for_triangular_matrices_gives_the_matrix():
    K = np.exp(X @ X.T)
    for half, function, whole in (
        (np.triu(D), classical_scaling, D),
        (np.tril(K), kernel_pca_from_gram, K),
        (np.where(np.tril(np.ones((30, 30))) > 0, np.nan, D), smacof, D),
        (np.triu(D), FITS["landmarks"], D),
    ):
        with pytest.raises(ValueError, match=r"triangle is zero|is nan, but") as caught:
            function(half)
        advice = re.search(r"(?:pass|side:) (.*)\.$", str(caught.value))[1]
        M = eval(advice, {"np": np, "D": half, "K": half, "X": half})
        assert_allclose(function(M).points, function(whole).points, atol=1e-9)


BLANK = D + np.diag(np.full(30, np.nan))


@pytest.mark.parametrize("name", WITHOUT_ROOTS)
def test_blank_diagonal_of_dissimilarities_is_ignored(name):
    assert_allclose(FITS[name](BLANK).points, FITS[name](D).points, atol=1e-12)


def test_blank_diagonal_is_ignored_where_it_has_no_meaning():
    assert is_euclidean(BLANK)
    assert_allclose(sammon(BLANK).points, sammon(D).points)
    assert kruskal_stress(X, BLANK) == kruskal_stress(X, D)
    S = np.exp(-D)
    for how in ("one-minus", "minus-log"):
        for unused in (np.nan, 5.0, -3.0):
            found = similarities_to_dissimilarities(np.where(np.eye(30) > 0, unused, S), how)
            assert_allclose(found, similarities_to_dissimilarities(S, how), atol=1e-12)


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("container", [np.array, pd.DataFrame, list])
def test_estimators_ignore_a_blank_diagonal(name, container):
    expected = ESTIMATORS[name].fit(D).embedding_
    objects = np.where(np.isnan(BLANK), None, BLANK.astype(object))
    for table in (container(BLANK), container(objects)):
        assert_allclose(ESTIMATORS[name].fit(table).embedding_, expected, atol=1e-12)


def test_estimators_read_missing_entries():
    missing = np.where((D[0, 1] == D) | (D[2, 3] == D), None, D.astype(object))
    expected = smacof(missing).points
    estimator = Stress(weights=lambda D: 1.0 - np.isnan(D), **OPTIONS)
    na = pd.DataFrame(missing).astype(object).where(missing != None, pd.NA)  # noqa: E711
    for table in (missing, missing.tolist(), na):
        assert_allclose(estimator.fit(table).embedding_, expected, atol=1e-9)
    with pytest.raises(ValueError, match="NaN"):
        ClassicalScaling(**OPTIONS).fit(na)


# Integers


@pytest.mark.parametrize("dtype", [np.int64, np.uint64, object])
def test_integers_beyond_exact_floats_warn(dtype):
    """Times in nanoseconds, for example, differ in digits that float64 does not have."""
    times = np.array([[2**53 + 1], [2**53 + 3], [2**53 + 7]], dtype=dtype)
    with pytest.warns(UserWarning, match=r"X contains a number of size 9007199254740999.*2\*\*53"):
        distances(times)
    with pytest.warns(UserWarning, match="X contains a number of size"):
        pca(pd.DataFrame(times), 1)
    with pytest.warns(UserWarning, match="number of size 9223372036854775807"):
        pca([[1 - 2**63], [0]], 1)
    with pytest.warns(UserWarning, match="number of size 9007199254740993"):
        pca([[Decimal(2**53 + 1)], [0]], 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert distances(times - times[0])[0, 2] == 6
        distances(np.array([[2**60], [0]], dtype=dtype))  # float64 represents it exactly
        pca([[-(2**63)], [0]], 1)
        distances(np.array([[2**53], [0]], dtype=dtype))
        distances(times.astype(float))
        distances(times.astype(np.longdouble))
