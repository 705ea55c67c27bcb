"""Additive constants: the smallest that works, in every unit, by either route."""

import numpy as np
import pytest
from scipy.sparse.linalg import ArpackNoConvergence

from kmds_lib._additive_constant import add_constant, additive_constant
from kmds_lib._fast import cailliez
from kmds_lib._gram import distances, is_euclidean
from tests.lib.conftest import noisy, sample


@pytest.mark.parametrize("method", ["cailliez", "lingoes"])
@pytest.mark.parametrize("n", [20, 150, 400])
def test_the_constant_is_the_smallest_that_works(n, method):
    D = noisy(n)
    constant = additive_constant(D, method)
    for factor, works in ((1.0, True), (0.99, False)):
        shifted = add_constant(D, factor * constant, method)
        np.fill_diagonal(shifted, 0.0)
        assert is_euclidean(shifted, tol=1e-9) is works


@pytest.mark.parametrize("n", [5, 60, 150])
def test_the_constant_shrinks_with_the_error_of_the_table(n):
    rng = np.random.default_rng(n)
    D, error = distances(rng.normal(size=(n, 3))), rng.normal(size=(n, n))
    np.fill_diagonal(error, 0.0)
    large, small = (additive_constant(D + (error + error.T) * size) for size in (1e-8, 1e-11))
    assert small == pytest.approx(large / 1000, rel=0.01)


def test_equal_objects_need_no_constant():
    assert additive_constant(np.zeros((4, 4))) == 0.0


@pytest.mark.parametrize("method", ["cailliez", "lingoes"])
@pytest.mark.parametrize("n", [30, 130])
def test_rounding_needs_no_constant(n, method):
    D = distances(sample(n, 3, seed=1))
    assert additive_constant(D, method) == 0.0


def test_lapack_takes_over_where_arpack_fails(monkeypatch):
    D = noisy(120)
    expected = additive_constant(D)

    def fails(*args, **keywords):
        raise ArpackNoConvergence("no convergence", np.empty(0), np.empty((0, 0)))

    monkeypatch.setattr(cailliez, "eigs", fails)
    assert expected > 0
    assert additive_constant(D) == pytest.approx(expected, rel=1e-8)
