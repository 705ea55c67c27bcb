"""The result that every spectral method returns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._checks import EPS, FloatArray, check_n_components, warn_caller


class FewerComponentsWarning(UserWarning):
    """Fewer positive eigenvalues than components asked for."""


@dataclass(frozen=True, eq=False)
class Spectrum:
    """All eigenvalues of a centred Gram matrix.

    Attributes
    ----------
    eigenvalues : ndarray of shape (n,)
        In descending order, negative ones included.

    Notes
    -----
    Introduced in Chapter 4, Classical scaling.

    Examples
    --------
    >>> spectrum = Spectrum(np.array([6.0, 3.0, 0.0, -1.0]))
    >>> round(spectrum.negative_mass, 6)
    0.1
    >>> spectrum.goodness_of_fit(1)
    (0.6, 0.6666666666666666)
    """

    eigenvalues: FloatArray
    _reference: FloatArray | None = field(default=None, repr=False)
    """The same eigenvalues in units in which none of them under- or overflows."""

    @cached_property
    def negative_mass(self) -> float:
        """Sum of ``|lambda|`` over the negative eigenvalues, as a part of the sum over all."""
        return _ratio(-self._signed.clip(max=0.0).sum(), self._total, empty=0.0)

    @cached_property
    def explained(self) -> FloatArray:
        """Explained fraction gamma(k) for k = 1, ..., n: entry k - 1 keeps k eigenvalues.

        The first figure of `goodness_of_fit`, at every k; all 1 where every eigenvalue is zero.
        """
        if not self._total:
            return np.ones(len(self.eigenvalues))
        return np.cumsum(self._signed) / self._total

    def goodness_of_fit(self, n_components: int) -> tuple[float, float]:
        """Return the two figures that R's ``cmdscale`` calls GOF.

        Parameters
        ----------
        n_components : int
            How many leading eigenvalues are kept, from 1 to n.

        Returns
        -------
        tuple of float
            Their sum divided by the sum of all moduli, and by the sum of the positive
            eigenvalues. Both are 1 where every eigenvalue is zero.

        Raises
        ------
        ValueError
            If `n_components` is out of range.

        Notes
        -----
        Derived in Chapter 4, Classical scaling. Source: Mardia, Kent & Bibby (1979),
        section 14.4.
        """
        k = check_n_components(n_components, len(self.eigenvalues))
        kept = self._signed[:k].sum()
        positive = self._signed.clip(min=0.0).sum()
        return _ratio(kept, self._total, empty=1.0), _ratio(kept, positive, empty=1.0)

    @cached_property
    def _signed(self) -> FloatArray:
        """Eigenvalues relative to the largest modulus, rounding replaced by zero."""
        values = self.eigenvalues if self._reference is None else self._reference
        largest = np.abs(values).max(initial=0.0)
        if largest == 0:
            return np.zeros_like(values)
        relative = values / largest
        return np.where(np.abs(relative) > rank_tolerance(len(relative)), relative, 0.0)

    @cached_property
    def _total(self) -> float:
        return float(np.abs(self._signed).sum())


@dataclass(frozen=True, eq=False)
class Embedding(ABC):
    """Points in few dimensions, with the eigenvalues they came from.

    Each method has its own subclass, which says what `transform` takes.

    Attributes
    ----------
    points : ndarray of shape (n, k)
        Coordinates Y = V_k Lambda_k^(1/2), centred, columns orthogonal and in the order of
        their eigenvalues.
    eigenvalues : ndarray of shape (k,)
        Positive eigenvalues of the centred Gram matrix, in descending order.
    residual : float
        Largest residual of an eigenpair, relative to the largest eigenvalue.
    solver : str
        Which solver gave them.

    Notes
    -----
    Introduced in Chapter 4, Classical scaling.
    """

    points: FloatArray
    eigenvalues: FloatArray
    residual: float
    solver: str

    @cached_property
    def explained(self) -> float:
        """Sum of the kept eigenvalues, as a part of the sum of all moduli.

        On first use it may need the whole spectrum, at the cost of a dense decomposition.
        """
        k = len(self.eigenvalues)
        return self._spectrum.goodness_of_fit(k)[0] if k else float(not self._spectrum._total)

    @cached_property
    def negative_mass(self) -> float:
        """Part of the spectrum, by modulus, that is negative: 0 for Euclidean input.

        On first use it may need the whole spectrum, at the cost of a dense decomposition.
        """
        return self._spectrum.negative_mass

    def spectrum(self) -> Spectrum:
        """Return all eigenvalues of the centred Gram matrix, computed once.

        Returns
        -------
        Spectrum
        """
        return self._spectrum

    @abstractmethod
    def transform(self, new: ArrayLike) -> FloatArray:
        """Return coordinates of new objects on the axes of the fit.

        Parameters
        ----------
        new : array_like
            What the method was fitted on, for new objects; one row each.

        Returns
        -------
        ndarray of shape (m, k)
        """

    @cached_property
    def _spectrum(self) -> Spectrum:
        return self._full_spectrum()

    @abstractmethod
    def _full_spectrum(self) -> Spectrum:
        """Compute all n eigenvalues; called once, on demand."""


def rank_tolerance(n: int) -> float:
    """Return how small, relative to the largest, an eigenvalue of order n is rounding.

    Parameters
    ----------
    n : int
        Order of the matrix.

    Returns
    -------
    float

    Examples
    --------
    >>> rank_tolerance(100) < 1e-12
    True
    """
    return 16 * max(n, 16) * EPS


def keep_positive(values: FloatArray, scale: float, n: int) -> int:
    """Return how many leading eigenvalues are positive beyond rounding; warn where some are not.

    Parameters
    ----------
    values : ndarray of shape (k,)
        Leading eigenvalues, in descending order.
    scale : float
        Largest modulus of any eigenvalue, or an estimate from below.
    n : int
        Order of the matrix.

    Returns
    -------
    int

    Warns
    -----
    FewerComponentsWarning
        If fewer than all of `values` are positive.

    Examples
    --------
    >>> keep_positive(np.array([3.0, 1.0]), 3.0, 10)
    2
    """
    k = len(values)
    kept = int(np.count_nonzero(values > rank_tolerance(n) * max(scale, values[0])))
    if kept < k:
        found = f"only {kept} positive eigenvalue(s)" if kept else "no positive eigenvalue"
        remedy = "" if kept else ": all objects coincide, so the points have no columns"
        warn_caller(
            f"{k} components were asked for, but there is {found}{remedy}; "
            f"{kept} component(s) are returned.",
            FewerComponentsWarning,
        )
    return kept


def _ratio(part: float, whole: float, *, empty: float) -> float:
    return float(part / whole) if whole else empty
