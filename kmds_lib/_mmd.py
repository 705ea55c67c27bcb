"""Two-sample statistics: the maximum mean discrepancy and the energy distance.

Both depend on the centred kernel matrix only, so a conditionally positive definite kernel is
sufficient. Both functions return squares and not their roots, because the unbiased estimators may
be negative.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kmds_lib._eigen import double_centre
from kmds_lib._fast.permutations import Estimator, TwoSamples
from kmds_lib._kernel_matrices import KernelOrPrecomputed, kernel_matrix, minus_distances
from kmds_lib._labels import check_same_objects
from kmds_lib._messages import plural
from kmds_lib._numbers import as_numbers
from kmds_lib._parameters import check_option
from kmds_lib._rounding import equality_tolerance
from kmds_lib._types import FloatArray
from kmds_lib._validation import EuclideanOrPrecomputed, as_gram, as_two_sets


def mmd(
    X: ArrayLike, Y: ArrayLike, kernel: KernelOrPrecomputed, *, estimator: Estimator = "V"
) -> float:
    r"""Return the squared maximum mean discrepancy between two samples.

    Parameters
    ----------
    X : array_like of shape (m, p) or (m,)
        First sample, one point in each row; a vector is one variable. With
        ``kernel="precomputed"``, the kernel matrix of both samples together, shape (N, N).
    Y : array_like of shape (n, p) or (n,)
        Second sample. With ``kernel="precomputed"``, N booleans: True for the objects of the
        second sample.
    kernel : Kernel or "precomputed"
        The kernel.
    estimator : {"V", "U"}
        "V": the V-statistic, which is the squared distance between the two means in feature
        space and never negative for a conditionally positive definite kernel. "U": the
        U-statistic, which omits the pairs of a point with itself; it is unbiased and often
        negative if the two distributions are equal.

    Returns
    -------
    float
        :math:`\operatorname{MMD}^2`, the square.

    Raises
    ------
    ValueError
        If an input is not as described, a sample has fewer than two points, the samples have
        different variables, a matrix and its samples have different labels of the objects, or
        the kernel matrix of different points is constant to rounding.

    Warns
    -----
    DefinitenessWarning
        If the kernel is not known to be conditionally positive definite on :math:`\mathbb R^p`.

    Notes
    -----
    Derived in Chapter 12, Kernel tests. With c = 1/m for the first sample and -1/n for the second,
    the V-statistic is :math:`c^\top K c = \operatorname{tr}(HKH\, c c^\top)`. Source: Gretton et
    al. (2012), Lemma 6.

    Examples
    --------
    >>> from kmds_lib.kernels import RBF, Linear
    >>> mmd([[0.0], [2.0]], [[4.0], [4.0]], Linear())
    9.0
    >>> round(mmd([[0.0], [2.0]], [[4.0], [4.0]], RBF(0.1), estimator="U"), 4)
    0.7981
    """
    return mmd_matrices(X, Y, kernel, estimator).observed


def energy_distance(
    X: ArrayLike,
    Y: ArrayLike,
    metric: EuclideanOrPrecomputed = "euclidean",
    *,
    exponent: float = 1.0,
    estimator: Estimator = "V",
) -> float:
    r"""Return the energy distance between two samples.

    Parameters
    ----------
    X : array_like of shape (m, p) or (m,)
        First sample, as in `mmd`. With ``metric="precomputed"``, the distances between all objects
        of both samples, not squared, shape (N, N).
    Y : array_like of shape (n, p) or (n,)
        Second sample, or N booleans, as in `mmd`.
    metric : {"euclidean", "precomputed"}
        Whether X and Y contain points, or distances and labels.
    exponent : float
        Power of the distances, in (0, 2]. With 2, only the means are compared.
    estimator : {"V", "U"}
        V-statistic, or unbiased U-statistic; see `mmd`.

    Returns
    -------
    float
        Twice the mean distance between the samples, minus the mean distances within them. This is
        the square of the value of `scipy.stats.energy_distance`.

    Raises
    ------
    ValueError
        If an input is not as described, a sample has fewer than two points, the samples have
        different variables, a matrix and its samples have different labels of the objects, or
        distances are not a symmetric, non-negative matrix with a zero diagonal.

    Notes
    -----
    Derived in Chapter 12, Kernel tests. The energy distance is equal to `mmd` with the kernel
    :math:`-\|x - y\|^{\text{exponent}}`. Source: Székely & Rizzo (2013).

    Examples
    --------
    >>> energy_distance([[0.0], [2.0]], [[4.0], [4.0]])
    5.0
    """
    return energy_matrices(X, Y, metric, exponent, estimator).observed


def energy_matrices(
    X: ArrayLike,
    Y: ArrayLike,
    metric: EuclideanOrPrecomputed,
    exponent: float,
    estimator: Estimator,
) -> TwoSamples:
    """Return the centred matrix and the labels from which `energy_distance` is computed."""
    if metric == "precomputed":
        check_same_objects(X, Y, square=(True, False))
    X, kernel = minus_distances(X, metric, exponent, "X")
    return mmd_matrices(X, Y, kernel, estimator)


def mmd_matrices(
    X: ArrayLike, Y: ArrayLike, kernel: KernelOrPrecomputed, estimator: Estimator
) -> TwoSamples:
    """Return the centred kernel matrix and the labels from which `mmd` is computed.

    The U-statistic omits the diagonal.
    """
    check_option(estimator, Estimator, "estimator")
    K, second = _pooled(X, Y, kernel)
    HKH = double_centre(K)
    if estimator == "U":
        np.fill_diagonal(HKH, 0.0)
    tolerance = equality_tolerance() * float(np.abs(K).max()) if estimator == "V" else 0.0
    return TwoSamples(HKH, second, estimator, tolerance)


def _pooled(
    X: ArrayLike, Y: ArrayLike, kernel: KernelOrPrecomputed
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Return the kernel matrix of both samples together, and True for objects of the second."""
    if kernel == "precomputed":
        check_same_objects(X, Y, square=(True, False))
        K = as_gram(X, "X", min_objects=4)
        return K, _as_labels(Y, len(K))
    if Y is None:
        as_numbers(Y, "Y")  # raises, because `as_two_sets` would take X twice
    x, y = as_two_sets(X, Y, min_points=2, vector_as_column=True)
    K = kernel_matrix(np.vstack([x, y]), kernel, "kernel")
    return K, np.arange(len(K)) >= len(x)


def _as_labels(labels: ArrayLike, n: int) -> NDArray[np.bool_]:
    """Check labels: n booleans, True for the objects of the second sample."""
    if np.ma.isMaskedArray(labels):
        as_numbers(labels, "Y")  # raises, because the mask would be ignored
    second = np.asarray(labels)
    if second.dtype != np.bool_ or second.shape != (n,):
        raise ValueError(
            f"Y has dtype {second.dtype} and shape {second.shape}: with a precomputed matrix, "
            f"give {plural(n, 'boolean')}, True for the objects of the second sample."
        )
    size = int(second.sum())
    if min(size, n - size) < 2:
        raise ValueError(f"Y is True for {size} of {n} objects: each sample needs at least 2.")
    return second
