"""The result that every spectral method returns, and the names that every result keeps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._checks import EPS, FloatArray, check_n_components, warn_caller
from kmds_lib._eigen import Eigenpairs
from kmds_lib._labels import Labelled

__all__ = ["Embedding", "FewerComponentsWarning", "NotConvergedWarning", "Spectrum"]


class FewerComponentsWarning(UserWarning):
    """Fewer positive eigenvalues than components asked for."""


class NotConvergedWarning(UserWarning):
    """An iteration stopped before it had converged."""


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

    @cached_property
    def negative_mass(self) -> float:
        r"""Sum of :math:`|\lambda|` over negative eigenvalues, as a part of the sum over all."""
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
        largest = np.abs(self.eigenvalues).max(initial=0.0)
        if largest == 0:
            return np.zeros_like(self.eigenvalues)
        relative = self.eigenvalues / largest
        return np.where(np.abs(relative) > rank_tolerance(len(relative)), relative, 0.0)

    @cached_property
    def _total(self) -> float:
        return float(np.abs(self._signed).sum())


@dataclass(frozen=True, eq=False)
class Embedding(Labelled, ABC):
    """Points in few dimensions, with the eigenvalues they came from.

    Each method has its own subclass, which says what `transform` takes.

    Attributes
    ----------
    pairs : Eigenpairs
        The eigenpairs kept: positive eigenvalues of the centred Gram matrix.

    Notes
    -----
    Introduced in Chapter 4, Classical scaling.
    """

    pairs: Eigenpairs = field(repr=False)

    @property
    def eigenvalues(self) -> FloatArray:
        """Positive eigenvalues of the centred Gram matrix, in descending order, shape (k,)."""
        return self.pairs.values

    @cached_property
    def points(self) -> FloatArray:
        r"""Coordinates :math:`Y = V_k \Lambda_k^{1/2}`, shape (n, k).

        Centred, columns orthogonal and in the order of their eigenvalues.
        """
        return centred_columns(self.pairs.vectors) * np.sqrt(self.eigenvalues)

    @property
    def residual(self) -> float:
        """Largest residual of an eigenpair, relative to the largest eigenvalue."""
        return self.pairs.residual

    @property
    def solver(self) -> str:
        """Which solver gave the eigenpairs: ``"krylov"``, ``"dense"``, or as the method says."""
        return self.pairs.solver

    @cached_property
    def _coefficients(self) -> FloatArray:
        """Columns v / sqrt(lambda), which sum to zero.

        An eigenvector is centred to rounding / lambda only, so that without the subtraction the
        coordinates of new objects would lose the components with small eigenvalues.
        """
        return centred_columns(self.points / self.eigenvalues)

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
    """Return how small, relative to the largest, an eigenvalue of order n is rounding."""
    return 16 * max(n, 16) * EPS


def centred_columns(V: FloatArray) -> FloatArray:
    """Return the columns minus their means."""
    means: FloatArray = V.mean(axis=0)
    return V - means


def keep_positive(pairs: Eigenpairs, order: int | None = None) -> Eigenpairs:
    """Return the pairs whose eigenvalue is positive beyond rounding; warn where some are not.

    Rounding is that of a matrix of the given order, or of the order of the vectors.
    """
    positive = positive_part(pairs, order)
    asked, kept = len(pairs.values), len(positive.values)
    if kept < asked:
        found = f"only {kept} positive eigenvalue(s)" if kept else "no positive eigenvalue"
        reason = "" if kept else " (all objects coincide, or the centred matrix is negative)"
        warn_caller(
            f"{asked} components were asked for, but there is {found}{reason}; "
            f"{kept} component(s) are returned.",
            FewerComponentsWarning,
        )
    return positive


def positive_part(pairs: Eigenpairs, order: int | None = None) -> Eigenpairs:
    """Return what `keep_positive` returns, without a warning: for internal starts.

    Filters of warnings are one for all threads, so that none may be changed for a moment.
    """
    scale = max(pairs.scale, float(pairs.values[0]))
    tolerance = rank_tolerance(order or len(pairs.vectors))
    kept = int(np.count_nonzero(pairs.values > tolerance * scale))
    return replace(pairs, values=pairs.values[:kept], vectors=pairs.vectors[:, :kept])


def _ratio(part: float, whole: float, *, empty: float) -> float:
    return float(part / whole) if whole else empty
