"""Does one variable know of another? The trace of two centred tables.

The Hilbert-Schmidt independence criterion is ``HSIC = tr(HKH HK'H) / n^2``, distance covariance
the same with K = -D and K' = -D', distance correlation its cosine. All are returned as squares,
without the root, because the unbiased estimators may be negative.

Derived in Chapter 12, One matrix, many statistics.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._checks import (
    EPS,
    ROUNDING,
    FloatArray,
    Metric,
    as_gram,
    as_points,
    check_option,
)
from kmds_lib._eigen import centre
from kmds_lib._fast.permutations import Estimator, Pairs, observed
from kmds_lib._kernel_matrices import KernelOrPrecomputed, kernel_matrix, minus_distances

__all__ = ["distance_correlation", "distance_covariance", "hsic"]

_FEWEST = {"V": 2, "U": 4}
"""Objects that the statistics need."""


@observed
def hsic(
    X: ArrayLike,
    Y: ArrayLike,
    kernel_x: KernelOrPrecomputed,
    kernel_y: KernelOrPrecomputed,
    *,
    estimator: Estimator = "V",
) -> Pairs:
    r"""Return the Hilbert-Schmidt independence criterion between paired observations.

    Parameters
    ----------
    X : array_like of shape (n, p)
        One observation in each row. With ``kernel_x="precomputed"``, a kernel matrix, (n, n).
    Y : array_like of shape (n, q)
        The other variables of the same objects, in the same order. With
        ``kernel_y="precomputed"``, a kernel matrix, (n, n).
    kernel_x, kernel_y : Kernel or "precomputed"
        Kernel of each side.
    estimator : {"V", "U"}
        "V": the V-statistic, biased upwards, never negative for conditionally positive definite
        kernels. "U": the unbiased U-statistic, at least 4 objects.

    Returns
    -------
    float
        The squared Hilbert-Schmidt norm of the cross-covariance: no root is taken.

    Raises
    ------
    ValueError
        If an input is not as described, the numbers of objects differ or are too small, or the
        kernel matrix of different points is constant to rounding.

    Warns
    -----
    DefinitenessWarning
        If a kernel is not known to be conditionally positive definite.

    Notes
    -----
    Derived in Chapter 12, One matrix, many statistics. The V-statistic is
    :math:`\operatorname{tr}(HKH\, HK'H) / n^2`; Gretton et al. (2005) divide by :math:`(n - 1)^2`.
    The U-statistic is that of Song et al. (2012), computed by U-centring (Székely & Rizzo 2014).

    Examples
    --------
    >>> from kmds_lib.kernels import Linear
    >>> x, y = [[1.0], [2.0], [3.0], [4.0]], [[0.0], [1.0], [1.0], [2.0]]
    >>> hsic(x, y, Linear(), Linear())
    0.5625
    >>> round(hsic(x, y, Linear(), Linear(), estimator="U"), 4)
    0.4167
    """
    return _paired(X, Y, kernel_x, kernel_y, estimator)


@observed
def distance_covariance(
    X: ArrayLike,
    Y: ArrayLike,
    metric: Metric = "euclidean",
    *,
    exponent: float = 1.0,
    estimator: Estimator = "V",
) -> Pairs:
    r"""Return the squared distance covariance between paired observations.

    Parameters
    ----------
    X : array_like of shape (n, p)
        One observation in each row. With ``metric="precomputed"``, distances, not squared, (n, n).
    Y : array_like of shape (n, q)
        The other variables of the same objects, in the same order; distances, (n, n), with
        ``metric="precomputed"``.
    metric : {"euclidean", "precomputed"}
        What X and Y hold.
    exponent : float
        Distances are raised to this power, in (0, 2]. At 2 only linear dependence is seen.
    estimator : {"V", "U"}
        V-statistic, or unbiased U-statistic; see `hsic`.

    Returns
    -------
    float
        :math:`\operatorname{dCov}^2`, the square: R's ``energy::dcov`` returns the root of the
        V-statistic.

    Raises
    ------
    ValueError
        If an input is not as described, or the numbers of objects differ or are too small.

    Notes
    -----
    Derived in Chapter 12, One matrix, many statistics: :math:`\operatorname{tr}(HDH\, HD'H) / n^2`
    for the distances D and D', which is `hsic` with the kernels
    :math:`-\|x - y\|^{\text{exponent}}`. With the Gram matrices :math:`-\tfrac12 HDH` it is 4
    times HSIC. Source: Székely, Rizzo & Bakirov (2007); Sejdinovic et al. (2013).

    Examples
    --------
    >>> distance_covariance([[0.0], [1.0]], [[0.0], [2.0]])
    0.5
    """
    X, kernel = minus_distances(X, metric, exponent, "X")
    Y, _ = minus_distances(Y, metric, exponent, "Y")
    return _paired(X, Y, kernel, kernel, estimator)


@observed
def distance_correlation(
    X: ArrayLike,
    Y: ArrayLike,
    metric: Metric = "euclidean",
    *,
    exponent: float = 1.0,
    estimator: Estimator = "V",
) -> Pairs:
    r"""Return the squared distance correlation between paired observations.

    Parameters
    ----------
    X : array_like of shape (n, p)
        One observation in each row. With ``metric="precomputed"``, distances, not squared, (n, n).
    Y : array_like of shape (n, q)
        The other variables of the same objects, in the same order; distances, (n, n), with
        ``metric="precomputed"``.
    metric : {"euclidean", "precomputed"}
        What X and Y hold.
    exponent : float
        Distances are raised to this power, in (0, 2].
    estimator : {"V", "U"}
        "V": between 0 and 1 for Euclidean distances. "U": the bias-corrected distance correlation,
        at most 1, which may be negative.

    Returns
    -------
    float
        :math:`\operatorname{dCor}^2`, which is :math:`\operatorname{dCov}^2(X, Y)` over the root
        of :math:`\operatorname{dCov}^2(X, X) \operatorname{dCov}^2(Y, Y)`; 0 where one side is
        constant. R's ``energy::dcor`` returns the root of the V form, ``energy::bcdcor`` the U
        form.

    Raises
    ------
    ValueError
        If an input is not as described, or the numbers of objects differ or are too small.

    Notes
    -----
    Derived in Chapter 12, One matrix, many statistics: the cosine of the angle between
    :math:`HDH` and :math:`HD'H`, as vectors of :math:`n^2` entries. Source: Székely, Rizzo &
    Bakirov (2007); Székely & Rizzo (2014).

    Examples
    --------
    >>> x = [[0.0], [1.0], [3.0], [4.0]]
    >>> round(distance_correlation(x, x), 6)
    1.0
    """
    X, kernel = minus_distances(X, metric, exponent, "X")
    Y, _ = minus_distances(Y, metric, exponent, "Y")
    M, M_other, rounding = _two_tables(X, Y, kernel, kernel, estimator)
    lengths = float(np.linalg.norm(M) * np.linalg.norm(M_other)) or 1.0
    return Pairs(M / lengths, M_other, rounding * len(M) ** 2 / lengths, highest=1.0)


def _paired(
    X: ArrayLike,
    Y: ArrayLike,
    kernel_x: KernelOrPrecomputed,
    kernel_y: KernelOrPrecomputed,
    estimator: Estimator,
) -> Pairs:
    """Return both tables, centred, with the divisor of the estimator."""
    M, M_other, rounding = _two_tables(X, Y, kernel_x, kernel_y, estimator)
    n = len(M)
    return Pairs(M / (n * n if estimator == "V" else n * (n - 3)), M_other, rounding)


def _two_tables(
    X: ArrayLike,
    Y: ArrayLike,
    kernel_x: KernelOrPrecomputed,
    kernel_y: KernelOrPrecomputed,
    estimator: Estimator,
) -> tuple[FloatArray, FloatArray, float]:
    """Return HKH and HK'H, or both U-centred, and how far V falls below 0 by rounding."""
    check_option(estimator, Estimator, "estimator")
    center = centre if estimator == "V" else _u_centred
    K = _table(X, kernel_x, "x", _FEWEST[estimator])
    K_other = _table(Y, kernel_y, "y", _FEWEST[estimator])
    if len(K) != len(K_other):
        raise ValueError(
            f"X holds {len(K)} objects and Y holds {len(K_other)}: give both for the same "
            "objects, in the same order."
        )
    rounding = ROUNDING * float(np.abs(K).max() * np.abs(K_other).max())
    return center(K), center(K_other), rounding if estimator == "V" else 0.0


def _table(values: ArrayLike, kernel: KernelOrPrecomputed, name: str, fewest: int) -> FloatArray:
    """Return the kernel matrix of one side."""
    if kernel == "precomputed":
        return as_gram(values, name.upper(), min_objects=fewest)
    points = as_points(values, name.upper(), min_points=fewest)
    return kernel_matrix(points, kernel, f"kernel_{name}")


def _u_centred(K: FloatArray) -> FloatArray:
    """Return K with a zero diagonal, centred so that the other entries of each row sum to 0.

    What is zero to rounding is set to zero, since correlations divide by its length.
    """
    n = len(K)
    M = centre(K)
    np.fill_diagonal(M, 0.0)
    rows = M.sum(axis=1) / (n - 2)
    M -= rows
    M -= rows[:, None]
    M += rows.sum() / (n - 1)
    np.fill_diagonal(M, 0.0)
    if np.abs(M).max() <= n * EPS * np.abs(K).max():
        M[:] = 0.0
    return M
