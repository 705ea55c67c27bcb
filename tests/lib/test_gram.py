"""Distances and Gram matrices: exact, there and back, at any scale and offset."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from kmds_lib._gram import (
    center_cross_gram,
    center_gram,
    distances,
    distances_from_gram,
    gram_from_distances,
    is_euclidean,
    squared_distances,
)
from kmds_lib._linalg import centering_matrix
from tests.lib.conftest import noisy, point_sets, sample


@given(point_sets)
def test_distances_equal_direct_differences(X):
    D, expected = distances(X), cdist(X, X)
    assert np.array_equal(D, D.T)
    assert not D.diagonal().any()
    assert np.allclose(D, expected, rtol=1e-11, atol=1e-13 * (1 + np.abs(X).max()))


@pytest.mark.parametrize(
    ("n", "m", "p"), [(300, 200, 3), (300, 200, 20), (129, 1, 40), (1, 257, 1)]
)
def test_two_sets_of_points(n, m, p):
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((n, p)), rng.standard_normal((m, p)) + 2
    assert np.allclose(distances(X, Y), cdist(X, Y), rtol=1e-12)
    assert np.allclose(squared_distances(X, Y), cdist(X, Y, "sqeuclidean"), rtol=1e-12)
    for near, far in ((X, 9 * Y), (9 * X, Y)):
        assert np.allclose(distances(near, far), cdist(near, far), rtol=1e-12)


@pytest.mark.parametrize("offset", [0.0, 1e4, 1e8])
@pytest.mark.parametrize("gap", [3e-3, 1e-3, 1e-6, 0.0])
def test_no_digit_lost_for_duplicates_near_or_exact_far_away(offset, gap):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((150, 20))
    X = np.vstack([X, X + gap * rng.standard_normal(X.shape)]) + offset
    assert np.allclose(distances(X), cdist(X, X), rtol=1e-12, atol=0)


@pytest.mark.parametrize("factor", [1e-58, 1e57])
def test_distances_at_extreme_scales(factor):
    X = sample(60, 3, seed=4)
    assert np.allclose(distances(X * factor) / factor, cdist(X, X), rtol=1e-12)


def test_small_integers_do_not_overflow():
    X = np.array([[0], [200], [255]], dtype=np.uint8)
    assert np.array_equal(squared_distances(X)[0], [0, 40000, 65025])
    D = np.array([[0, 200], [200, 0]], dtype=np.uint8)
    assert np.array_equal(gram_from_distances(D), [[1e4, -1e4], [-1e4, 1e4]])


def test_points_without_coordinates_coincide():
    assert np.array_equal(distances(np.empty((3, 0))), np.zeros((3, 3)))
    assert np.array_equal(distances(np.empty((3, 0)), np.empty((2, 0))), np.zeros((3, 2)))


@pytest.mark.parametrize("p", [6, 7, 40])
@pytest.mark.parametrize("apart", [0.0, 5e4])
def test_many_points_symmetric_to_the_last_bit(p, apart):
    """Several panels, by either formula, and the repair of two far clusters."""
    X = sample(400, p, seed=7)
    X[::2] += apart
    D = distances(X)
    assert np.array_equal(D, D.T)
    assert not D.diagonal().any()
    assert np.allclose(D, cdist(X, X), rtol=1e-12, atol=0)
    assert np.allclose(distances(X, X[:30].copy()), cdist(X, X[:30]), rtol=1e-12, atol=1e-9)


@given(point_sets)
def test_gram_of_distances_is_the_centred_gram(X):
    centred = X - X.mean(axis=0)
    B = gram_from_distances(distances(X))
    scale = 1 + np.abs(X).max() ** 2
    assert np.allclose(B, centred @ centred.T, atol=1e-11 * scale)
    assert np.allclose(B.sum(axis=0), 0, atol=1e-10 * scale)


@given(point_sets)
def test_round_trip_from_gram_to_distances_and_back(X):
    G = X @ X.T
    returned = gram_from_distances(distances_from_gram(G))
    assert np.allclose(returned, center_gram(G), atol=1e-9 * (1 + np.abs(G).max()))


@given(point_sets, st.integers(0, 2**32 - 1))
def test_gram_does_not_see_rotation_or_shift(X, seed):
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.standard_normal((X.shape[1],) * 2))[0]
    moved = X @ Q + rng.standard_normal(X.shape[1])
    before, after = (gram_from_distances(distances(points)) for points in (X, moved))
    assert np.allclose(before, after, atol=1e-10 * (1 + np.abs(X).max() ** 2))


def test_centring_equals_the_projection_on_both_sides():
    rng = np.random.default_rng(5)
    X, new = rng.standard_normal((9, 4)) + 3, rng.standard_normal((5, 4))
    K, H = X @ X.T, centering_matrix(9)
    assert np.allclose(center_gram(K), H @ K @ H)
    assert np.allclose(center_cross_gram(K, K), H @ K @ H)
    mean = X.mean(axis=0)
    assert np.allclose(center_cross_gram(new @ X.T, K), (new - mean) @ (X - mean).T)


@pytest.mark.parametrize("unit", [1e-30, 1.0, 1e30])
def test_impossible_similarities_are_refused(unit):
    with pytest.raises(ValueError, match="not a Gram matrix"):
        distances_from_gram(unit * np.array([[1.0, 1.001], [1.001, 1.0]]))
    slight = unit * np.array([[1.0, 1.0 + 4e-9], [1.0 + 4e-9, 1.0]])
    with pytest.raises(ValueError, match=r"2 G\[0, 1\] = -8e"):
        distances_from_gram(slight)
    rounded = unit * np.array([[1.0, 1.0 + 1e-12], [1.0 + 1e-12, 1.0]])
    assert not distances_from_gram(rounded).any()


def test_euclidean_or_not(eurodist):
    assert is_euclidean([[0.0]])
    assert is_euclidean(np.zeros((5, 5)))
    assert is_euclidean(1 - np.eye(50))
    assert is_euclidean(distances(sample(400, 3, seed=6)))
    assert not is_euclidean(eurodist)
    assert not is_euclidean(noisy(400))


@pytest.mark.parametrize("unit", [1e-59, 1.0, 1e59])
def test_what_counts_as_negative_is_relative_to_the_largest_eigenvalue(unit):
    Q = np.linalg.qr(np.column_stack([np.ones(20), sample(20, 3, seed=8)]))
    V = Q[0][:, 1:]
    for negative, tol, expected in (
        (1e-11, 1e-10, True),
        (1e-9, 1e-10, False),
        (1e-9, 1e-8, True),
    ):
        B = (V * [1.0, 0.5, -negative]) @ V.T + 0.01 * (centering_matrix(20) - V @ V.T)
        D = unit * distances_from_gram(0.5 * (B + B.T))
        assert is_euclidean(D, tol=tol) is expected
        assert is_euclidean(D) is (negative < 1e-10)
