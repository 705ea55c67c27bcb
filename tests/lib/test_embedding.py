"""The spectrum and its two goodness-of-fit figures."""

import dataclasses

import numpy as np
import pytest

from kmds_lib.classical import classical_scaling
from kmds_lib.embedding import FewerComponentsWarning, Spectrum, keep_positive


def test_goodness_of_fit_by_hand():
    spectrum = Spectrum(np.array([6.0, 3.0, 0.0, -1.0]))
    assert spectrum.goodness_of_fit(2) == pytest.approx((0.9, 1.0))
    assert spectrum.goodness_of_fit(4) == pytest.approx((0.8, 8 / 9))
    assert spectrum.negative_mass == pytest.approx(0.1)


def test_rounding_does_not_count_as_negative():
    assert Spectrum(np.array([1.0, 1e-16, -1e-16])).negative_mass == 0


def test_zero_spectrum_has_figures_without_nan():
    spectrum = Spectrum(np.zeros(3))
    assert spectrum.goodness_of_fit(1) == (1.0, 1.0)
    assert spectrum.negative_mass == 0


@pytest.mark.parametrize("k", [0, 5, 1.5])
def test_goodness_of_fit_checks_its_argument(k):
    with pytest.raises(ValueError, match="n_components"):
        Spectrum(np.ones(4)).goodness_of_fit(k)


def test_fewer_components_are_announced():
    values = np.array([3.0, 1.0, -1e-17])
    with pytest.warns(FewerComponentsWarning, match="3 components .* only 2 positive"):
        assert keep_positive(values, 3.0, 10) == 2
    assert keep_positive(values[:2], 3.0, 10) == 2


def test_fits_are_frozen():
    fit = classical_scaling([[0.0, 2.0], [2.0, 0.0]], 1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        fit.points = None
    assert fit.spectrum() is fit.spectrum()
