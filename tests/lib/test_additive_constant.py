"""Additive constants make dissimilarities Euclidean, and are the smallest that do."""

import numpy as np
import pytest
from scipy.sparse.linalg import ArpackNoConvergence

from kmds_lib._additive_constant import add_constant, additive_constant
from kmds_lib._eigen import minus_half_squares
from kmds_lib._fast import cailliez
from kmds_lib._gram import distances, is_euclidean
from tests.lib.conftest import noisy, sample

METHODS = pytest.mark.parametrize("method", ["cailliez", "lingoes"])


@METHODS
@pytest.mark.parametrize("n", [20, 150, 400])
def test_constant_is_the_smallest_that_works(n, method):
    D = noisy(n)
    constant = additive_constant(D, method)
    for factor, works in ((1.0, True), (0.99, False)):
        A = add_constant(minus_half_squares(D), D, factor * constant, method)
        np.fill_diagonal(A, 0.0)
        assert is_euclidean(np.sqrt(-2 * A), tol=1e-9) is works


@pytest.mark.parametrize("n", [5, 60, 150])
def test_constant_is_proportional_to_small_errors(n):
    rng = np.random.default_rng(n)
    D, error = distances(rng.normal(size=(n, 3))), rng.normal(size=(n, n))
    np.fill_diagonal(error, 0.0)
    large, small = (additive_constant(D + (error + error.T) * size) for size in (1e-8, 1e-11))
    assert small == pytest.approx(large / 1000, rel=0.01)


@METHODS
def test_constant_of_euclidean_distances_is_zero(method):
    assert additive_constant(np.zeros((4, 4)), method) == 0.0
    for n in (30, 130):
        assert additive_constant(distances(sample(n, 3, seed=1)), method) == 0.0


def test_lapack_is_used_if_arpack_does_not_converge(monkeypatch):
    D = noisy(120)
    expected = additive_constant(D)

    def fails(*args, **options):
        raise ArpackNoConvergence("no convergence", np.empty(0), np.empty((0, 0)))

    monkeypatch.setattr(cailliez, "eigs", fails)
    assert expected > 0
    assert additive_constant(D) == pytest.approx(expected, rel=1e-8)
