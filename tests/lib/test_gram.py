"""Distances and Gram matrices, and the conversions between them, at every scale and offset."""

import numpy as np
import pytest
from hypothesis import given
from scipy.spatial.distance import cdist

from kmds_lib._gram import (
    center_gram,
    distances,
    distances_from_gram,
    gram_from_distances,
    is_euclidean,
    squared_distances,
)
from kmds_lib._linalg import centering_matrix
from tests.lib.conftest import noisy, point_sets, sample


@pytest.mark.parametrize(
    ("n", "m", "p"), [(300, 200, 3), (300, 200, 20), (129, 1, 40), (1, 257, 1)]
)
def test_distances_between_two_sets(n, m, p):
    X, Y = sample(n, p), sample(m, p, seed=1) + 2
    assert np.allclose(squared_distances(X, Y), cdist(X, Y, "sqeuclidean"), rtol=1e-12)
    for left, right in ((X, Y), (X, 9 * Y), (9 * X, Y)):
        assert np.allclose(distances(left, right), cdist(left, right), rtol=1e-12)


@pytest.mark.parametrize("offset", [0.0, 1e4, 1e8])
@pytest.mark.parametrize("gap", [1e-3, 1e-6, 0.0])
def test_distances_of_near_duplicates_keep_their_digits(offset, gap):
    X = sample(150, 20, seed=1)
    X = np.vstack([X, X + gap * sample(150, 20, seed=2)]) + offset
    assert np.allclose(distances(X), cdist(X, X), rtol=1e-12, atol=0)


@pytest.mark.parametrize("p", [6, 40])
@pytest.mark.parametrize("gap", [0.0, 5e4])
def test_distances_are_exactly_symmetric(p, gap):
    X = sample(400, p, seed=7)
    X[::2] += gap
    D = distances(X)
    assert np.array_equal(D, D.T)
    assert not D.diagonal().any()
    assert np.allclose(D, cdist(X, X), rtol=1e-12, atol=0)
    assert np.allclose(distances(X, X[:30].copy()), cdist(X, X[:30]), rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("factor", [1e-58, 1e57])
def test_distances_at_extreme_scales(factor):
    X = sample(60, 3, seed=4)
    assert np.allclose(distances(X * factor) / factor, cdist(X, X), rtol=1e-12)


def test_points_without_coordinates_have_distance_zero():
    assert np.array_equal(distances(np.empty((3, 0)), np.empty((2, 0))), np.zeros((3, 2)))


@given(point_sets)
def test_gram_of_distances_is_the_centred_gram(X):
    centred = X - X.mean(axis=0)
    B = gram_from_distances(distances(X))
    scale = 1 + np.abs(X).max() ** 2
    assert np.allclose(B, centred @ centred.T, atol=1e-11 * scale)
    assert np.allclose(B.sum(axis=0), 0, atol=1e-10 * scale)


@given(point_sets)
def test_gram_to_distances_and_back(X):
    G = X @ X.T
    returned = gram_from_distances(distances_from_gram(G))
    assert np.allclose(returned, center_gram(G), atol=1e-9 * (1 + np.abs(G).max()))


@pytest.mark.parametrize("unit", [1e-30, 1.0, 1e30])
def test_matrix_that_is_not_a_gram_matrix_is_refused(unit):
    def of_cosine(c):
        return distances_from_gram(unit * np.array([[1.0, c], [c, 1.0]]))

    with pytest.raises(ValueError, match="not a Gram matrix"):
        of_cosine(1.001)
    with pytest.raises(ValueError, match=r"2 G\[0, 1\] = -8e"):
        of_cosine(1.0 + 4e-9)
    assert not of_cosine(1.0 + 1e-12).any()


def test_is_euclidean_of_known_matrices(eurodist):
    assert is_euclidean([[0.0]])
    assert is_euclidean(np.zeros((5, 5)))
    assert is_euclidean(1 - np.eye(50))
    assert is_euclidean(distances(sample(400, 3, seed=6)))
    assert not is_euclidean(eurodist)
    assert not is_euclidean(noisy(400))


@pytest.mark.parametrize("unit", [1e-59, 1e59])
@pytest.mark.parametrize(
    ("negative", "tol", "expected"),
    [(1e-11, 1e-10, True), (1e-9, 1e-10, False), (1e-9, 1e-8, True)],
)
def test_is_euclidean_up_to_a_relative_tolerance(unit, negative, tol, expected):
    V = np.linalg.qr(np.column_stack([np.ones(20), sample(20, 3, seed=8)]))[0][:, 1:]
    B = (V * [1.0, 0.5, -negative]) @ V.T + 0.01 * (centering_matrix(20) - V @ V.T)
    D = unit * distances_from_gram(0.5 * (B + B.T))
    assert is_euclidean(D, tol=tol) is expected
    assert is_euclidean(D) is (negative < 1e-10)
