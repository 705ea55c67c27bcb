r"""Profiles: the functions r of isotropic kernels :math:`k(x, y) = r(\|x - y\|)`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._fast.distances import squared_euclidean
from kmds_lib._numbers import as_numbers, refuse_entries
from kmds_lib._rounding import EPS, rounding_tolerance
from kmds_lib._types import FloatArray
from kmds_lib._validation import without_negative


class ProfileMethods:
    """The methods of a kernel that concern its profile r; `Kernel` inherits them.

    `profile` and `inverse_profile` check their input and call `r` and `r_inverse`. An isotropic
    kernel defines `isotropic` and `r`. It may override the other methods whose names begin with
    ``r_``, because their defaults are slower or less accurate. By default, `r_inverse` raises an
    error, and so does `r` for a kernel that is not isotropic.
    """

    @property
    def isotropic(self) -> bool:
        r"""Return True if :math:`k(x, y)` depends on the distance :math:`\|x - y\|` alone."""
        return False

    def r(self, delta: FloatArray) -> FloatArray:
        r"""Return the profile :math:`r(\delta)`; see `IsotropicKernel.r`."""
        raise self._without_profile()

    def r_of_squares(self, squares: FloatArray) -> FloatArray:
        r"""Return :math:`r(\delta)` from :math:`\delta^2`, which may be overwritten."""
        return self.r(np.sqrt(squares, out=squares))

    def r_minus_value_at_zero(self, delta: FloatArray) -> FloatArray:
        r"""Return :math:`r(\delta) - r(0)`, minus half the squared feature distance.

        Differences of a few units in the last place are rounding errors and are set to 0. The
        families of the book compute the difference without cancellation.
        """
        at_zero = self.r(np.zeros(1))[0]
        difference = np.asarray(self.r(delta), dtype=np.float64) - at_zero
        return np.where(np.abs(difference) <= 4 * EPS * abs(at_zero), 0.0, difference)

    def r_minus_value_at_zero_of_squares(self, squares: FloatArray) -> FloatArray:
        r"""Return :math:`r(\delta) - r(0)` from :math:`\delta^2`, which may be overwritten."""
        return self.r_minus_value_at_zero(np.sqrt(squares, out=squares))

    def r_inverse(self, values: FloatArray) -> FloatArray:
        r"""Return :math:`\delta` with :math:`r(\delta)` equal to the values.

        Parameters
        ----------
        values : ndarray of any shape
            Values of r, not NaN; they may be beyond its range. They must not be changed.

        Returns
        -------
        ndarray of the shape of values
            A new array.

        Raises
        ------
        ValueError
            If the profile has no inverse in closed form.
        """
        raise ValueError(
            f"{self!r} has no inverse profile in closed form, so distances cannot be computed "
            "from kernel values. RBF, Exponential and Power have one, and so have their multiples."
        )

    @property
    def value_at_zero(self) -> float:
        r"""Return :math:`r(0)` of an isotropic kernel, and 0 for any other."""
        return float(self.r(np.zeros(1))[0]) if self.isotropic else 0.0

    def profile(self, delta: ArrayLike) -> FloatArray:
        r"""Return :math:`r(\delta)`, the kernel as a function of distance.

        Parameters
        ----------
        delta : array_like of any shape
            Distances or dissimilarities, finite and not negative. Negative entries up to 1.5e-8 of
            the largest entry count as rounding errors of 0; if no entry is positive, those at
            which r differs from r(0) by rounding errors only.

        Returns
        -------
        ndarray of the shape of delta
            :math:`r(\delta)`. RBF, Exponential and DampedCosine have :math:`r(0) = 1`, Power has
            :math:`r(0) = 0`; sums, products and multiples combine these values.

        Raises
        ------
        ValueError
            If the kernel is not isotropic, or an entry of delta is not as above.
        """
        if not self.isotropic:
            raise self._without_profile()
        tolerance = rounding_tolerance(delta)
        delta = as_numbers(delta, "delta")
        refuse_entries(delta, ~np.isfinite(delta), "delta", "give finite distances.")
        fit_scale = partial(self._fit_scale, delta, tolerance)
        reason = "distances are at least 0."
        return self.r(without_negative(delta, "delta", reason, tolerance, fit_scale))

    def inverse_profile(self, values: ArrayLike) -> FloatArray:
        r"""Return the distances at which the profile takes given values.

        Parameters
        ----------
        values : array_like of any shape
            Values of r. A value beyond the range of r is replaced by the nearest end of the range.

        Returns
        -------
        ndarray of the shape of values
            :math:`\delta \ge 0` with :math:`r(\delta)` equal to the value.

        Raises
        ------
        ValueError
            If the kernel is not isotropic, r has no inverse in closed form, or the values are not
            real numbers. RBF, Exponential and Power have an inverse, and so have their multiples.

        Notes
        -----
        Used in Chapter 7, Kernel PCA, for pre-images.
        """
        if not self.isotropic:
            raise self._without_profile()
        values = as_numbers(values, "values")
        refuse_entries(values, np.isnan(values), "values", "give values of r.")
        return self.r_inverse(values)

    def _fit_scale(self, delta: FloatArray, tolerance: float) -> float:
        """Return the scale for `without_negative`, to which small negative entries are relative.

        It is infinite if no entry is positive and r(|delta|) equals r(0) up to rounding errors,
        and 0 otherwise.
        """
        if (delta > 0).any():
            return 0.0
        at_zero = self.value_at_zero
        close = np.abs(self.r(np.abs(delta)) - at_zero) <= 4 * tolerance**2 * abs(at_zero)
        return np.inf if close.all() else 0.0

    def _without_profile(self) -> ValueError:
        return ValueError(
            f"{self!r} has no profile and no inverse profile, because it does not depend on the "
            "distance alone. Call it on points instead."
        )


def apply_to_distances(
    function_of_squares: Callable[[FloatArray], FloatArray], X: FloatArray, Y: FloatArray
) -> FloatArray:
    """Return a function of the squared distances between rows, without a second large array."""
    with np.errstate(over="ignore", under="ignore"):
        return squared_euclidean(X, Y, function_of_squares)
