"""Isomap compared with scikit-learn, classical scaling and Gower's formula."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kmds_lib import classical_scaling, distances, gram_from_distances, isomap, swiss_roll
from tests.lib.conftest import sample

ROLL = swiss_roll(400, seed=1)[0]


def test_isomap_is_classical_scaling_of_geodesic_distances():
    fit = isomap(ROLL, 3, n_neighbors=7)
    scaled = classical_scaling(fit.geodesics, 3)
    assert_allclose(fit.points, scaled.points, rtol=0, atol=1e-8)
    assert_allclose(fit.gram, gram_from_distances(fit.geodesics), atol=1e-9 * fit.gram.max())
    assert np.allclose(fit.spectrum().eigenvalues, scaled.spectrum().eigenvalues)
    assert fit.negative_mass == pytest.approx(scaled.negative_mass)
    assert fit.negative_mass > 0.01
    assert fit.explained == pytest.approx(scaled.explained)
    assert_allclose(fit.transform(ROLL), fit.points, rtol=0, atol=1e-8)


def test_landmarks_place_other_objects_by_gowers_formula():
    X = sample(80)
    landmarks = [3, 70, 11, 42, 5, 29]
    fit = isomap(X, 3, n_neighbors=79, landmarks=landmarks)
    assert (fit.landmarks == landmarks).all()
    assert fit.geodesics.shape == (6, 80)
    assert_allclose(distances(fit.points), distances(X), atol=1e-9)
    few = isomap(X[landmarks], 3, n_neighbors=5)
    assert_allclose(fit.points[landmarks], few.points, rtol=0, atol=1e-10)
    assert np.allclose(fit.gram, few.gram)
    assert_allclose(fit.spectrum().eigenvalues, few.spectrum().eigenvalues, atol=1e-10)
    assert_allclose(fit.transform(X), fit.points, rtol=0, atol=1e-9)


def test_each_landmark_is_the_farthest_from_those_before():
    fit, G = isomap(ROLL, n_neighbors=7, landmarks=12), isomap(ROLL, n_neighbors=7).geodesics
    expected = [int(np.argmax(G[0]))]
    for _ in range(11):
        expected.append(int(np.argmax(G[expected].min(axis=0))))
    assert fit.landmarks.tolist() == expected
    assert np.allclose(fit.geodesics, G[expected])


@pytest.mark.parametrize("step", [0.1, 1 / 3])
def test_ties_between_landmarks_go_to_the_first_objects(step):
    grid = np.indices((5, 6)).reshape(2, -1).T
    exact = isomap(grid, 2, n_neighbors=4, landmarks=8).landmarks
    assert np.array_equal(isomap(step * grid, 2, n_neighbors=4, landmarks=8).landmarks, exact)
