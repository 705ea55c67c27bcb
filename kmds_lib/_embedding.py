"""The spectrum of a centred Gram matrix, and the base class of all spectral embeddings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._eigen import Eigenpairs, all_eigenvalues, leading_eigenpairs
from kmds_lib._labels import Labelled
from kmds_lib._messages import FewerComponentsWarning, plural, warn_caller
from kmds_lib._parameters import check_count_up_to, is_share
from kmds_lib._rounding import EPS
from kmds_lib._types import FloatArray


@dataclass(frozen=True, eq=False)
class Spectrum:
    """All eigenvalues of a centred Gram matrix.

    Attributes
    ----------
    eigenvalues : ndarray of shape (n,)
        All eigenvalues, including negative ones, in descending order.

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
        r"""Return the negative fraction: the sum of :math:`|\lambda|` over :math:`\lambda < 0`.

        It is divided by the sum over all eigenvalues.
        """
        return _ratio(-self._relative_eigenvalues.clip(max=0.0).sum(), self._total, empty=0.0)

    @cached_property
    def explained(self) -> FloatArray:
        r"""Return the explained fraction of k = 1, ..., n axes, in entry k - 1.

        The sum of the k leading eigenvalues is divided by the sum of the absolute values of all,
        as in the first number of `goodness_of_fit`; it is 1 if all eigenvalues are zero. Chapter 4
        calls it the fit from absolute values. It is equal to the explained fraction
        :math:`\gamma(k)` if no eigenvalue is negative.
        """
        if not self._total:
            return np.ones(len(self.eigenvalues))
        return np.cumsum(self._relative_eigenvalues) / self._total

    @cached_property
    def explained_variance_ratio(self) -> FloatArray:
        r"""Return each eigenvalue, divided by the sum of all :math:`|\lambda|`, shape (n,).

        The ratio of a negative eigenvalue is negative, so that the cumulative sums are
        `explained`. All ratios are 0 if all eigenvalues are zero.
        """
        return self._relative_eigenvalues / (self._total or 1.0)

    def goodness_of_fit(self, n_components: int) -> tuple[float, float]:
        """Return the two measures of fit that R's ``cmdscale`` calls GOF.

        Parameters
        ----------
        n_components : int
            Number of leading eigenvalues that are kept, from 1 to n.

        Returns
        -------
        tuple of float
            The sum of the kept eigenvalues, divided by the sum of all absolute values, and by the
            sum of the positive eigenvalues. Both are 1 if all eigenvalues are zero.

        Notes
        -----
        Derived in Chapter 4, Classical scaling. Source: Mardia, Kent & Bibby (1979), section 14.4.
        """
        k = check_count_up_to(n_components, len(self.eigenvalues))
        kept = self._relative_eigenvalues[:k].sum()
        positive = self._relative_eigenvalues.clip(min=0.0).sum()
        return _ratio(kept, self._total, empty=1.0), _ratio(kept, positive, empty=1.0)

    @cached_property
    def _relative_eigenvalues(self) -> FloatArray:
        """Return the eigenvalues relative to the largest absolute value; rounding errors are 0."""
        largest = np.abs(self.eigenvalues).max(initial=0.0)
        if largest == 0:
            return np.zeros_like(self.eigenvalues)
        relative = self.eigenvalues / largest
        return np.where(np.abs(relative) > rank_tolerance(len(relative)), relative, 0.0)

    @cached_property
    def _total(self) -> float:
        return float(np.abs(self._relative_eigenvalues).sum())


@dataclass(frozen=True, eq=False, repr=False)
class Embedding(Labelled, ABC):
    """Points in few dimensions, with their eigenvalues.

    Each method has a subclass that documents the input of its `transform`.

    Attributes
    ----------
    pairs : Eigenpairs
        The eigenpairs of the centred Gram matrix that are kept; their eigenvalues are positive.

    Notes
    -----
    Introduced in Chapter 4, Classical scaling.
    """

    _printed: ClassVar[tuple[str, ...]] = ("eigenvalues",)
    pairs: Eigenpairs

    @property
    def eigenvalues(self) -> FloatArray:
        """Return the positive eigenvalues of the centred Gram matrix, in descending order."""
        return self.pairs.values

    @cached_property
    def points(self) -> FloatArray:
        r"""Return the coordinates :math:`Y = V_k \Lambda_k^{1/2}`, of shape (n, k).

        The columns are centred, orthogonal and in the order of their eigenvalues.
        """
        return centred_columns(self.pairs.vectors) * np.sqrt(self.eigenvalues)

    @property
    def residual(self) -> float:
        """Return the largest residual of an eigenpair, relative to the largest eigenvalue."""
        return self.pairs.residual

    @property
    def solver(self) -> str:
        """Return the name of the eigenvalue solver, such as ``"krylov"`` or ``"dense"``."""
        return self.pairs.solver

    @cached_property
    def _coefficients(self) -> FloatArray:
        """Return the columns v / sqrt(lambda), which sum to zero.

        The mean of a computed eigenvector is a rounding error divided by lambda. Without its
        subtraction, the coordinates of new objects would be wrong for small eigenvalues.
        """
        return centred_columns(self.pairs.vectors / np.sqrt(self.eigenvalues))

    @cached_property
    def explained(self) -> float:
        """Return the sum of the kept eigenvalues, divided by the sum of all absolute values.

        This is the fit from absolute values; see `Spectrum.explained` for its relation to the
        explained fraction. The first call may compute all eigenvalues with a dense decomposition.
        """
        if k := len(self.eigenvalues):
            return self._spectrum.goodness_of_fit(k)[0]
        return float(not self._spectrum.explained_variance_ratio.any())

    @cached_property
    def explained_variance_ratio(self) -> FloatArray:
        """Return the share of each axis, shape (k,); the shares sum to `explained`.

        An eigenvalue is divided by the sum of the absolute values of all eigenvalues, including
        the negative ones. For Euclidean input this sum is the total variance, and the shares are
        those that scikit-learn's PCA calls by the same name.
        """
        return self.explained * (self.eigenvalues / (self.eigenvalues.sum() or 1.0))

    @cached_property
    def negative_mass(self) -> float:
        """Return the negative fraction of the spectrum, which is 0 for Euclidean input.

        The first call may compute all eigenvalues with a dense decomposition.
        """
        return self._spectrum.negative_mass

    def spectrum(self) -> Spectrum:
        """Return the `Spectrum` of the centred Gram matrix: all eigenvalues, computed once."""
        return self._spectrum

    @abstractmethod
    def transform(self, new: ArrayLike) -> FloatArray:
        """Return the coordinates of new objects on the axes of the fit.

        Parameters
        ----------
        new : array_like
            The same kind of data as in the fit, with one row for each new object.

        Returns
        -------
        ndarray of shape (m, k)

        Raises
        ------
        ValueError
            If `new` has the wrong number of columns, non-finite entries or negative
            dissimilarities.
        """

    @property
    @abstractmethod
    def _spectrum(self) -> Spectrum:
        """Return the spectrum. Subclasses compute and store it when it is first read."""


def positive_eigenpairs(
    A: FloatArray, n_components: int | float, *, centring: bool = True, rounding_scale: float = 0.0
) -> Eigenpairs:
    """Return the leading eigenpairs of A, or of H A H with `centring`, if they are positive.

    `n_components` is their number, at most n - 1, or a share as in `count_components`. A warning
    says if there are fewer. Rounding errors of eigenvalues are relative to the largest absolute
    eigenvalue, or to `rounding_scale` if this is larger.
    """
    k = count_components(
        n_components, len(A) - 1, lambda: Spectrum(all_eigenvalues(A, centring=centring))
    )
    pairs = leading_eigenpairs(A, k, centring=centring)
    return keep_positive(replace(pairs, scale=max(pairs.scale, rounding_scale)))


def rank_tolerance(n: int) -> float:
    """Return the size, relative to the largest, up to which an eigenvalue is a rounding error."""
    return 16 * max(n, 16) * EPS


def centred_columns(V: FloatArray) -> FloatArray:
    """Return the columns minus their means."""
    means: FloatArray = V.mean(axis=0)
    return V - means


def count_components(n_components: Any, upper: int, spectrum: Callable[[], Spectrum]) -> int:
    """Return the number of components: a whole number from 1 to `upper`, or that of a share.

    For a share between 0 and 1, it is the smallest number whose explained fraction is at least
    the share. If negative eigenvalues prevent this, all positive eigenvalues are counted, and a
    warning says so. `spectrum` computes all eigenvalues; it is called for a share only.
    """
    check_components(n_components, upper)
    if is_share(n_components):
        return _count_for_share(float(n_components), upper, spectrum())
    return int(n_components)


def check_components(n_components: Any, upper: int) -> None:
    """Refuse what is neither a number of components up to `upper` nor a share."""
    if is_share(n_components):
        return
    if isinstance(n_components, Real) and not isinstance(n_components, Integral):
        raise ValueError(
            f"n_components = {n_components!r} is not an integer: give a whole number from 1 to "
            f"{upper}, or a share between 0 and 1, such as 0.9."
        )
    check_count_up_to(n_components, upper)


def _count_for_share(share: float, upper: int, spectrum: Spectrum) -> int:
    explained = spectrum.explained[:upper]
    enough = np.flatnonzero(explained >= share - rank_tolerance(len(spectrum.eigenvalues)))
    if len(enough):
        return int(enough[0]) + 1
    positive = int(np.count_nonzero(spectrum.explained_variance_ratio[:upper] > 0))
    if positive:
        warn_caller(
            f"n_components = {share:g} cannot be reached, because of negative eigenvalues: the "
            f"result has {plural(positive, 'component')}, as many as there are positive "
            f"eigenvalues, and explains {explained.max():.3g} of the sum of all absolute values. "
            "Give a smaller share.",
            FewerComponentsWarning,
        )
    return max(1, positive)


def keep_positive(pairs: Eigenpairs, order: int | None = None, *, warn: bool = True) -> Eigenpairs:
    """Return the pairs whose eigenvalues exceed the rounding error, and warn if some do not.

    The tolerance is that of a matrix of the given order, by default the length of the vectors.
    """
    scale = max(pairs.scale, float(pairs.values[0]))
    tolerance = rank_tolerance(order or len(pairs.vectors))
    kept = int(np.count_nonzero(pairs.values > tolerance * scale))
    if warn and kept < len(pairs.values):
        number = "no positive eigenvalue (all objects coincide, or the centred matrix is negative)"
        number = f"only {plural(kept, 'positive eigenvalue')}" if kept else number
        warn_caller(
            f"n_components is {len(pairs.values)}, but the matrix has {number}: the result has "
            f"{plural(kept, 'component')}. Give fewer components, or check the data.",
            FewerComponentsWarning,
        )
    return replace(pairs, values=pairs.values[:kept], vectors=pairs.vectors[:, :kept])


def _ratio(part: float, whole: float, *, empty: float) -> float:
    return float(part / whole) if whole else empty
