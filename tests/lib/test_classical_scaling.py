"""Classical scaling: its theorems, new objects, units."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kmds_lib import classical_scaling, distances, load_eurodist
from kmds_lib.results import FewerComponentsWarning
from tests.lib.conftest import noisy, sample, with_memory

D = load_eurodist().distances


@given(arrays(np.float64, (8, 3), elements=st.floats(-50, 50).map(lambda x: round(x, 4))))
def test_euclidean_distances_are_recovered(X):
    D = distances(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewerComponentsWarning)
        fit = classical_scaling(D, 7)
    assert np.allclose(distances(fit.points), D, atol=1e-5 * (1 + D.max()))
    assert fit.points.shape[1] <= 3
    assert fit.negative_mass == 0
    assert fit.explained == pytest.approx(1)


TWINS = np.array(
    [[0, 1, 1, 3, 2], [1, 0, 0, 1, 2], [1, 0, 0, 1, 2], [3, 1, 1, 0, 1], [2, 2, 2, 1, 0.0]]
)
each_constant = pytest.mark.parametrize("additive", ["cailliez", "lingoes"])


@each_constant
def test_rows_of_twins_get_the_mean_of_their_points(additive):
    """The additive constant separates objects at distance 0; their rows do not differ."""
    fit = classical_scaling(TWINS, 3, additive=additive)
    expected = fit.points.copy()
    expected[1:3] = fit.points[1:3].mean(axis=0)
    assert np.ptp(fit.points[1:3], axis=0).max() > 1
    with pytest.warns(UserWarning, match="Row 1 of new .* training objects 1, 2, which have"):
        assert np.allclose(fit.transform(TWINS), expected, atol=1e-12)
    assert np.allclose(fit.transform(TWINS[[0, 3, 4]]), fit.points[[0, 3, 4]], atol=1e-12)


@each_constant
def test_additive_constant_keeps_the_points_of_training_rows(additive):
    rng = np.random.default_rng(0)
    for size in (0, 1e-17, 1e-15):  # rounding errors on the diagonal, as in 1 - cosine
        noise = size * rng.uniform(0, 1, 12)
        E = noisy(12) + np.diag(noise)
        E[2, 5] = E[5, 2] = E[2, 7] = E[7, 2] = 0  # zeros between objects with different rows
        fit = classical_scaling(E, 8, additive=additive)
        assert fit.additive_constant > 0.1
        assert np.allclose(fit.transform(E), fit.points, atol=1e-9)
    single = (noisy(12) + np.diag(rng.uniform(0, 1e-5, 12))).astype(np.float32)
    fit = classical_scaling(single, 8, additive=additive)
    assert np.allclose(fit.transform(single), fit.points, atol=1e-4)


@pytest.mark.parametrize("factor", [1e-58, 1e58])
@pytest.mark.parametrize(
    ("n", "additive"), [(30, None), (30, "cailliez"), (30, "lingoes"), (400, None)]
)
def test_results_scale_with_the_unit(factor, n, additive):
    D = noisy(n)
    base = classical_scaling(D, additive=additive)
    fit = classical_scaling(D * factor, additive=additive)
    assert np.allclose(fit.points / factor, base.points, rtol=1e-9, atol=1e-9)
    assert fit.negative_mass == pytest.approx(base.negative_mass, rel=1e-9, abs=1e-15)
    assert fit.spectrum().goodness_of_fit(2) == pytest.approx(base.spectrum().goodness_of_fit(2))
    assert np.allclose(fit.transform(D[:5] * factor) / factor, base.points[:5], atol=1e-9)


def test_memory_is_one_array_of_the_size_of_the_input():
    D = distances(sample(2500, 4))
    assert with_memory(classical_scaling, D)[1] < 1.1 * D.nbytes


def test_roots_of_rounding_errors_are_self_distances():
    """A chord sqrt(2 - 2 cos) is up to 1e-7 between equal vectors."""
    D = distances(sample(20, 3)) ** 2
    fit = classical_scaling(D, additive="cailliez")
    for own in (0.0, 2.6e-8, 1e-6):
        rows = D + own * D.max() * np.eye(20)
        np.testing.assert_allclose(fit.transform(rows), fit.points, atol=1e-4)
