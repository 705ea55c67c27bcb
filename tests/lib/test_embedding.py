"""The spectrum, its measures of fit, and the warning about missing components."""

import dataclasses

import numpy as np
import pytest

from kmds_lib._classical_scaling import classical_scaling
from kmds_lib._eigen import Eigenpairs
from kmds_lib._embedding import FewerComponentsWarning, Spectrum, keep_positive
from kmds_lib._kernel_pca import kernel_pca_from_gram


def test_goodness_of_fit_of_a_small_spectrum():
    spectrum = Spectrum(np.array([6.0, 3.0, 0.0, -1.0]))
    assert spectrum.goodness_of_fit(2) == pytest.approx((0.9, 1.0))
    assert spectrum.goodness_of_fit(4) == pytest.approx((0.8, 8 / 9))
    assert spectrum.negative_mass == pytest.approx(0.1)
    assert Spectrum(np.array([1.0, 1e-16, -1e-16])).negative_mass == 0
    for k in (0, 5, 1.5):
        with pytest.raises(ValueError, match="n_components"):
            spectrum.goodness_of_fit(k)


def test_goodness_of_fit_of_a_zero_spectrum():
    spectrum = Spectrum(np.zeros(3))
    assert spectrum.goodness_of_fit(1) == (1.0, 1.0)
    assert spectrum.negative_mass == 0
    assert np.array_equal(spectrum.explained, np.ones(3))


def test_missing_components_are_reported():
    pairs = Eigenpairs(np.array([3.0, 1.0, -1e-17]), np.eye(10, 3), 0.0, "dense", 3.0)
    with pytest.warns(FewerComponentsWarning, match="3 components .* only 2 positive"):
        kept = keep_positive(pairs)
    assert np.array_equal(kept.values, [3.0, 1.0])
    assert kept.vectors.shape == (10, 2)
    assert len(keep_positive(kept).values) == 2


@pytest.mark.parametrize("n", [5, 400])
@pytest.mark.parametrize("value", [0.0, -1.0])
def test_no_positive_eigenvalue_is_reported(n, value):
    with pytest.warns(FewerComponentsWarning, match=r"coincide, or the centred matrix is neg"):
        fit = kernel_pca_from_gram(value * np.eye(n), 2)
    assert fit.points.shape == (n, 0)


def test_positive_is_relative_to_the_largest_absolute_eigenvalue():
    values = np.array([3.0, 1e-9])
    assert len(keep_positive(Eigenpairs(values, np.eye(10, 2), 0.0, "dense", 3.0)).values) == 2
    with pytest.warns(FewerComponentsWarning):
        assert len(keep_positive(Eigenpairs(values, np.eye(10, 2), 0.0, "", 1e6)).values) == 1


def test_fits_are_frozen():
    fit = classical_scaling([[0.0, 2.0], [2.0, 0.0]], 1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        fit.points = None
    assert fit.spectrum() is fit.spectrum()
