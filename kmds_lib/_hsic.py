"""Statistics of dependence: HSIC, distance covariance and distance correlation.

All functions return squares and not their roots, because the unbiased estimators may be negative.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._eigen import double_centre
from kmds_lib._fast.permutations import Estimator, PairedSamples
from kmds_lib._kernel_matrices import KernelOrPrecomputed, kernel_matrix, minus_distances
from kmds_lib._labels import check_same_objects
from kmds_lib._messages import plural
from kmds_lib._parameters import check_option
from kmds_lib._rounding import EPS, equality_tolerance
from kmds_lib._types import FloatArray
from kmds_lib._validation import EuclideanOrPrecomputed, as_gram, as_points

_MIN_OBJECTS = {"V": 2, "U": 4}
"""Smallest number of objects for each estimator."""


def hsic(
    X: ArrayLike,
    Y: ArrayLike,
    kernel_x: KernelOrPrecomputed,
    kernel_y: KernelOrPrecomputed,
    *,
    estimator: Estimator = "V",
) -> float:
    r"""Return the Hilbert-Schmidt independence criterion between paired observations.

    Parameters
    ----------
    X, Y : array_like of shape (n, p) or (n,), and (n, q) or (n,)
        Observations of the same objects, one in each row, in the same order; a vector is one
        variable. A kernel matrix, (n, n), with ``kernel_x="precomputed"`` or
        ``kernel_y="precomputed"``.
    kernel_x, kernel_y : Kernel or "precomputed"
        Kernels for X and for Y, for example ``RBF(choose_theta(X))`` and ``RBF(choose_theta(Y))``.
    estimator : {"V", "U"}
        "V": the V-statistic, which is biased upwards and never negative for conditionally positive
        definite kernels. "U": the unbiased U-statistic, which needs at least 4 objects.

    Returns
    -------
    float
        The squared Hilbert-Schmidt norm of the cross-covariance.

    Raises
    ------
    ValueError
        If an input is not as described, X and Y have different or too small numbers of objects or
        different labels, or the kernel matrix of different points is constant to rounding.

    Warns
    -----
    DefinitenessWarning
        If a kernel is not known to be conditionally positive definite.

    Notes
    -----
    Derived in Chapter 12, Kernel tests. The V-statistic is :math:`\operatorname{tr}(HKH\, HLH) /
    n^2`; Gretton et al. (2005) divide by :math:`(n - 1)^2`. The U-statistic is that of Song et al.
    (2012), computed by U-centring (Székely & Rizzo 2014).

    Examples
    --------
    >>> from kmds_lib.kernels import Linear
    >>> x, y = [[1.0], [2.0], [3.0], [4.0]], [[0.0], [1.0], [1.0], [2.0]]
    >>> hsic(x, y, Linear(), Linear())
    0.5625
    >>> round(hsic(x, y, Linear(), Linear(), estimator="U"), 4)
    0.4167
    """
    return hsic_matrices(X, Y, kernel_x, kernel_y, estimator).observed


def distance_covariance(
    X: ArrayLike,
    Y: ArrayLike,
    metric: EuclideanOrPrecomputed = "euclidean",
    *,
    exponent: float = 1.0,
    estimator: Estimator = "V",
) -> float:
    r"""Return the squared distance covariance between paired observations.

    Parameters
    ----------
    X, Y : array_like of shape (n, p) or (n,), and (n, q) or (n,)
        Observations, as in `hsic`. With ``metric="precomputed"``, distances, not squared, (n, n).
    metric : {"euclidean", "precomputed"}
        Whether X and Y contain observations or distances.
    exponent : float
        Power of the distances, in (0, 2]. With 2, only linear dependence is measured.
    estimator : {"V", "U"}
        V-statistic, or unbiased U-statistic; see `hsic`.

    Returns
    -------
    float
        :math:`\operatorname{dCov}^2`, the square. R's ``energy::dcov`` returns the root of the
        V-statistic.

    Raises
    ------
    ValueError
        If an input is not as described, X and Y have different or too small numbers of objects or
        different labels, or distances are not a symmetric, non-negative matrix with a zero
        diagonal.

    Notes
    -----
    Derived in Chapter 12, Kernel tests. The V-statistic is :math:`\operatorname{tr}(HDH\, HEH) /
    n^2`, where D and E are the distances for X and Y. It is equal to `hsic` with the kernels
    :math:`-\|x - y\|^{\text{exponent}}`, and to 4 times HSIC with the Gram matrices
    :math:`-\tfrac12 HDH` and :math:`-\tfrac12 HEH`. Source: Székely, Rizzo & Bakirov (2007);
    Sejdinovic et al. (2013).

    Examples
    --------
    >>> distance_covariance([[0.0], [1.0]], [[0.0], [2.0]])
    0.5
    """
    return covariance_matrices(X, Y, metric, exponent, estimator).observed


def distance_correlation(
    X: ArrayLike,
    Y: ArrayLike,
    metric: EuclideanOrPrecomputed = "euclidean",
    *,
    exponent: float = 1.0,
    estimator: Estimator = "V",
) -> float:
    r"""Return the squared distance correlation between paired observations.

    Parameters
    ----------
    X, Y, metric, exponent
        As in `distance_covariance`, with the same errors.
    estimator : {"V", "U"}
        "V": the V-statistic, between 0 and 1 for Euclidean distances. "U": the bias-corrected
        distance correlation, which is at most 1 and may be negative.

    Returns
    -------
    float
        :math:`\operatorname{dCor}^2`, which is :math:`\operatorname{dCov}^2(X, Y)` divided by the
        root of :math:`\operatorname{dCov}^2(X, X) \operatorname{dCov}^2(Y, Y)`; 0 if X or Y is
        constant. R's ``energy::dcor`` returns the root of the V-statistic, ``energy::bcdcor`` the
        U-statistic.

    Notes
    -----
    Derived in Chapter 12, Kernel tests. The V-statistic is the cosine of the angle between
    :math:`HDH` and :math:`HEH` as vectors with :math:`n^2` entries, where D and E are the
    distances for X and Y. Source: Székely, Rizzo & Bakirov (2007); Székely & Rizzo (2014).

    Examples
    --------
    >>> x = [[0.0], [1.0], [3.0], [4.0]]
    >>> round(distance_correlation(x, x), 6)
    1.0
    """
    return correlation_matrices(X, Y, metric, exponent, estimator).observed


def hsic_matrices(
    X: ArrayLike,
    Y: ArrayLike,
    kernel_x: KernelOrPrecomputed,
    kernel_y: KernelOrPrecomputed,
    estimator: Estimator,
) -> PairedSamples:
    """Return the centred kernel matrices from which `hsic` is computed."""
    check_same_objects(X, Y, square=(kernel_x == "precomputed", kernel_y == "precomputed"))
    check_option(estimator, Estimator, "estimator")
    K = _kernel_matrix(X, kernel_x, "x", _MIN_OBJECTS[estimator])
    L = _kernel_matrix(Y, kernel_y, "y", _MIN_OBJECTS[estimator])
    n = len(K)
    if n != len(L):
        raise ValueError(
            f"X has {plural(n, 'object')} and Y has {len(L)}: give both for the same objects, in "
            "the same order."
        )
    if estimator == "U":
        return PairedSamples(_u_centre(K) / (n * (n - 3)), _u_centre(L), 0.0)
    tolerance = equality_tolerance() * float(np.abs(K).max() * np.abs(L).max())
    return PairedSamples(double_centre(K) / n**2, double_centre(L), tolerance)


def covariance_matrices(
    X: ArrayLike,
    Y: ArrayLike,
    metric: EuclideanOrPrecomputed,
    exponent: float,
    estimator: Estimator,
) -> PairedSamples:
    """Return the centred matrices from which `distance_covariance` is computed."""
    if metric == "precomputed":
        check_same_objects(X, Y, square=(True, True))
    X, kernel = minus_distances(X, metric, exponent, "X")
    Y, _ = minus_distances(Y, metric, exponent, "Y")
    return hsic_matrices(X, Y, kernel, kernel, estimator)


def correlation_matrices(
    X: ArrayLike,
    Y: ArrayLike,
    metric: EuclideanOrPrecomputed,
    exponent: float,
    estimator: Estimator,
) -> PairedSamples:
    """Return the centred matrices from which `distance_correlation` is computed."""
    pair = covariance_matrices(X, Y, metric, exponent, estimator)
    lengths = float(np.linalg.norm(pair.fixed) * np.linalg.norm(pair.permutable)) or 1.0
    fixed, tolerance = pair.fixed / lengths, pair.tolerance / lengths
    return replace(pair, fixed=fixed, tolerance=tolerance, upper_bound=1.0)


def _kernel_matrix(
    values: ArrayLike, kernel: KernelOrPrecomputed, name: str, min_objects: int
) -> FloatArray:
    """Return the kernel matrix of X or of Y."""
    if kernel == "precomputed":
        return as_gram(values, name.upper(), min_objects=min_objects)
    points = as_points(values, name.upper(), min_points=min_objects, vector_as_column=True)
    return kernel_matrix(points, kernel, f"kernel_{name}")


def _u_centre(K: FloatArray) -> FloatArray:
    """Return K with a zero diagonal, centred so that the other entries of each row sum to 0.

    A matrix that is zero to rounding is set to zero, because correlations divide by its norm.
    """
    n = len(K)
    M = double_centre(K)
    np.fill_diagonal(M, 0.0)
    rows = M.sum(axis=1) / (n - 2)
    M -= rows
    M -= rows[:, None]
    M += rows.sum() / (n - 1)
    np.fill_diagonal(M, 0.0)
    if np.abs(M).max() <= n * EPS * np.abs(K).max():
        M[:] = 0.0
    return M
