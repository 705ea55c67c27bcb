"""Kernel MDS: classical scaling of the distances between feature vectors.

An isotropic kernel turns dissimilarities delta into kernel values r(delta), and these into
feature distances sqrt(2 (r(0) - r(delta))). Classical scaling of the feature distances needs
the centred kernel matrix alone, since HAH = HKH (Williams 2001).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._checks import (
    LARGEST,
    SMALLEST,
    FloatArray,
    as_coordinates,
    as_cross,
    as_dissimilarities,
    check_n_components,
    check_number,
    warn_caller,
)
from kmds_lib._eigen import all_eigenvalues
from kmds_lib.classical import ClassicalScalingResult, classical_scaling
from kmds_lib.embedding import Spectrum
from kmds_lib.gram import distances
from kmds_lib.kernel_components import (
    KernelEmbedding,
    fit_gram,
    fit_points,
    project_points,
)
from kmds_lib.kernels import DefinitenessWarning, Kernel

__all__ = [
    "CritchleyScalingResult",
    "KernelMDSResult",
    "PointKernelMDSResult",
    "Shepard",
    "critchley_scaling",
    "kernel_mds",
    "kernel_mds_from_points",
]


class Shepard(NamedTuple):
    """Data of a Shepard diagram, one entry for each pair i < j.

    Attributes
    ----------
    delta : ndarray of shape (n (n - 1) / 2,)
        Given dissimilarities.
    feature : ndarray of shape (n (n - 1) / 2,)
        Feature distances.
    fitted : ndarray of shape (n (n - 1) / 2,)
        Distances between the fitted points; never above the feature distances, up to
        rounding, where HKH is positive semidefinite.
    """

    delta: FloatArray
    feature: FloatArray
    fitted: FloatArray


@dataclass(frozen=True, eq=False)
class KernelMDSResult(KernelEmbedding):
    """Fit of `kernel_mds`; see `KernelEmbedding` for its other attributes.

    Attributes
    ----------
    kernel : Kernel
        The kernel of the fit.
    dissimilarities : ndarray of shape (n, n)
        The given dissimilarities.
    gram : ndarray of shape (n, n)
        Kernel matrix K, not centred.
    """

    kernel: Kernel
    dissimilarities: FloatArray = field(repr=False)
    gram: FloatArray = field(repr=False)

    @property
    def feature_distances(self) -> FloatArray:
        """Distances between feature vectors, sqrt(k_ii + k_jj - 2 k_ij), shape (n, n).

        For an isotropic kernel with r(0) = 1 they are sqrt(2 (1 - r(delta))).
        """
        squares = self.kernel_diagonal[:, None] + self.kernel_diagonal - 2 * self.gram
        return np.sqrt(np.maximum(squares, 0.0, out=squares), out=squares)

    def shepard(self) -> Shepard:
        """Return dissimilarity, feature distance and fitted distance of every pair.

        Returns
        -------
        Shepard

        Notes
        -----
        Used in Chapter 8, Kernel MDS. Source: Williams (2001), Section 5.

        Examples
        --------
        >>> from kmds_lib.kernels import RBF
        >>> fit = kernel_mds([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]], RBF(0.1), 1)
        >>> shepard = fit.shepard()
        >>> shepard.delta
        array([3., 4., 5.])
        >>> bool(np.all(shepard.fitted <= shepard.feature))
        True
        """
        pairs = np.triu_indices(len(self.points), 1)
        fitted = distances(self.points)
        return Shepard(self.dissimilarities[pairs], self.feature_distances[pairs], fitted[pairs])

    def transform(self, new: ArrayLike) -> FloatArray:
        """Place new objects by their dissimilarities to the training objects.

        Parameters
        ----------
        new : array_like of shape (m, n)
            Dissimilarity from each new object to every training object, in the units of the
            fit.

        Returns
        -------
        ndarray of shape (m, k)
            Projections on the fitted axes.

        Raises
        ------
        ValueError
            If `new` does not have n columns, or holds negative or non-finite entries.

        Notes
        -----
        Derived in Chapter 8, Kernel MDS. Source: Williams (2001), Remark 3, with the
        coefficients divided by sqrt(lambda) and the kernel centred.

        Examples
        --------
        >>> from kmds_lib.kernels import RBF
        >>> fit = kernel_mds([[0.0, 2.0], [2.0, 0.0]], RBF(0.1), n_components=1)
        >>> fit.transform([[1.0, 1.0]]).round(6)
        array([[0.]])
        """
        D_new = as_cross(new, len(self.points), "new", nonnegative=True)
        with np.errstate(over="ignore", invalid="ignore"):
            points = (self.kernel.r(D_new) - self.column_means) @ self.coefficients
        return as_coordinates(points, "new")

    def _full_spectrum(self) -> Spectrum:
        return Spectrum(all_eigenvalues(self.gram, centred=True))


@dataclass(frozen=True, eq=False)
class PointKernelMDSResult(KernelMDSResult):
    """Fit of `kernel_mds_from_points`: a `KernelMDSResult` whose `transform` takes points."""

    _training: FloatArray = field(repr=False)
    _shift: FloatArray = field(repr=False)

    def transform(self, new: ArrayLike) -> FloatArray:
        """Place new points on the fitted axes.

        Parameters
        ----------
        new : array_like of shape (m, p)
            Points in the variables of the training data.

        Returns
        -------
        ndarray of shape (m, k)
            Projections on the fitted axes.

        Raises
        ------
        ValueError
            If `new` is not a finite real matrix with p columns.

        Examples
        --------
        >>> from kmds_lib.kernels import RBF
        >>> fit = kernel_mds_from_points([[0.0], [2.0]], RBF(0.1), n_components=1)
        >>> fit.transform([[1.0]]).round(6)
        array([[0.]])
        """
        return project_points(self, self.kernel, new, self._training, self._shift)


@dataclass(frozen=True, eq=False)
class CritchleyScalingResult(ClassicalScalingResult):
    """Fit of `critchley_scaling`: classical scaling of delta^mu.

    Attributes
    ----------
    mu : float
        The exponent. See `ClassicalScalingResult` for the other attributes.
    """

    mu: float

    def transform(self, new: ArrayLike) -> FloatArray:
        """Place new objects by their dissimilarities, not yet raised to mu.

        Parameters
        ----------
        new : array_like of shape (m, n)
            Dissimilarity from each new object to every training object.

        Returns
        -------
        ndarray of shape (m, k)
            Projections on the fitted axes.

        Raises
        ------
        ValueError
            If `new` does not have n columns, or holds negative or non-finite entries.

        Examples
        --------
        >>> fit = critchley_scaling([[0.0, 4.0], [4.0, 0.0]], mu=0.5, n_components=1)
        >>> fit.transform([[4.0, 0.0]]).round(6) == fit.points[1].round(6)
        array([[ True]])
        """
        D_new = as_cross(new, len(self.points), "new", nonnegative=True)
        return super().transform(np.power(D_new, self.mu))


def kernel_mds(D: ArrayLike, kernel: Kernel, n_components: int = 2) -> KernelMDSResult:
    """Place objects so that distances approximate the feature distances of a kernel.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Dissimilarities delta, not squared.
    kernel : Kernel
        An isotropic kernel, for example ``RBF(theta)``; its profile is applied to `D`.
    n_components : int
        Number of coordinates, from 1 to n - 1.

    Returns
    -------
    KernelMDSResult
        Points, eigenvalues of HKH, ``explained`` (gamma), ``residual_sum``,
        ``feature_distances``, `shepard`, `transform`, `spectrum`. It keeps a copy of `D`, and
        the kernel matrix.

    Raises
    ------
    ValueError
        If `D` is not a real, finite, symmetric, non-negative matrix of at least two objects
        with a zero diagonal, the kernel is not isotropic, the kernel matrix over- or
        underflows, or `n_components` is out of range.

    Warns
    -----
    FewerComponentsWarning
        If fewer than `n_components` eigenvalues are positive; the positive ones are returned.
    DefinitenessWarning
        If the kernel is not known to be conditionally positive definite in any dimension.

    Notes
    -----
    Derived in Chapter 8, Kernel MDS. HKH is guaranteed to be positive semidefinite where delta
    is Euclidean, of a dimension in which the kernel is conditionally positive definite.
    Elsewhere look at ``negative_mass``. The dimension behind `D` is not known here, so a kernel
    that is definite in low dimensions only, such as DampedCosine, is taken without a warning.
    Source: Williams (2001), Section 4.1.

    Examples
    --------
    >>> from kmds_lib.kernels import RBF
    >>> fit = kernel_mds([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]], RBF(0.1))
    >>> fit.points.shape, round(fit.explained, 6)
    ((3, 2), 1.0)
    >>> fit.feature_distances[0].round(4)
    array([0.    , 1.0894, 1.2634])
    """
    if not (isinstance(kernel, Kernel) and kernel.isotropic):
        raise ValueError(
            f"kernel is {kernel!r}; dissimilarities need an isotropic one, such as RBF. For any "
            "other kernel use kernel_mds_from_points."
        )
    D = as_dissimilarities(D, min_objects=2)
    k = check_n_components(n_components, len(D) - 1)
    if kernel.definiteness.conditional == 0:
        warn_caller(
            f"{kernel!r} is not known to be definite in any dimension: the centred kernel "
            "matrix can have negative eigenvalues",
            DefinitenessWarning,
        )
    with np.errstate(over="ignore", invalid="ignore"):
        K = kernel.r(D)
    fit = fit_gram(K, k, definite=False, distinct=bool(D.any()))
    return KernelMDSResult(*fit, kernel, D.copy(), K)


def kernel_mds_from_points(
    X: ArrayLike, kernel: Kernel, n_components: int = 2
) -> PointKernelMDSResult:
    """Place points so that distances approximate the feature distances of a kernel.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Points, one in each row.
    kernel : Kernel
        Any kernel, isotropic or not.
    n_components : int
        Number of coordinates, from 1 to n - 1.

    Returns
    -------
    PointKernelMDSResult
        As from `kernel_mds`, with delta_ij = ||x_i - x_j|| and a `transform` that takes points.

    Raises
    ------
    ValueError
        If `X` is not a finite real matrix of at least two rows, `kernel` is not a `Kernel`, the
        kernel matrix over- or underflows, or `n_components` is out of range.

    Warns
    -----
    FewerComponentsWarning
        If fewer than `n_components` eigenvalues are positive; the positive ones are returned.
    DefinitenessWarning
        If the kernel is not known to be conditionally positive definite on R^p.

    Notes
    -----
    Derived in Chapter 8, Kernel MDS. The configuration is that of `kernel_pca`; this fit keeps
    the kernel matrix and the distances as well. For a kernel that is not isotropic, the feature
    distance is no function of delta. Source: Williams (2001), Sections 4.1 and 4.2.

    Examples
    --------
    >>> from kmds_lib.kernels import Polynomial
    >>> fit = kernel_mds_from_points([[0.0], [1.0], [2.0]], Polynomial(2), n_components=1)
    >>> fit.feature_distances[0].round(4)
    array([0.    , 1.7321, 4.899 ])
    """
    fit = fit_points(X, kernel, n_components)
    delta = distances(fit.points)
    return PointKernelMDSResult(*fit.to_gram, kernel, delta, fit.gram, fit.points, fit.shift)


def critchley_scaling(D: ArrayLike, mu: float, n_components: int = 2) -> CritchleyScalingResult:
    """Scale classically the dissimilarities raised to a power.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Dissimilarities delta, not squared.
    mu : float
        Exponent, positive.
    n_components : int
        Number of coordinates, from 1 to n - 1.

    Returns
    -------
    CritchleyScalingResult
        Classical scaling of delta^mu, with a `transform` that raises new rows to mu as well.

    Raises
    ------
    ValueError
        If `D` is not a real, finite, symmetric, non-negative matrix of at least two objects
        with a zero diagonal, `mu` is not positive, or `n_components` is out of range.

    Warns
    -----
    FewerComponentsWarning
        If fewer than `n_components` eigenvalues are positive; the positive ones are returned.

    Notes
    -----
    Derived in Chapter 8, Kernel MDS. Where delta is Euclidean, delta^mu is Euclidean too for
    0 < mu <= 1 (Schoenberg 1938) and can fail to be for every mu > 1. The configuration is that
    of kernel MDS with ``Power(2 * mu)``, divided by sqrt(2). Source: Critchley (1978), as in
    Williams (2001), Section 2.3.

    Examples
    --------
    >>> line = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0)))
    >>> fit = critchley_scaling(line, mu=0.5, n_components=3)
    >>> fit.points.shape, round(fit.explained, 6)
    ((4, 3), 1.0)
    """
    mu = check_number(mu, "mu", positive=True)
    D = as_dissimilarities(D, min_objects=2)
    with np.errstate(over="ignore", under="ignore"):
        powers = np.power(D, mu)
    if D.any() and not SMALLEST <= powers.max() <= LARGEST:
        raise ValueError(f"D to the power {mu} leaves the range of the library: rescale D.")
    fit = classical_scaling(powers, n_components)
    return CritchleyScalingResult(fit.pairs, None, 0.0, fit._halved_squares, mu)
