"""Kernel MDS: classical scaling of the distances between feature vectors.

An isotropic kernel turns dissimilarities delta into kernel values r(delta), and these into
feature distances sqrt(2 (r(0) - r(delta))). Classical scaling of the feature distances needs
the centred kernel matrix alone, since HAH = HKH (Williams 2001).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._checks import (
    LARGEST,
    SMALLEST,
    as_dissimilarities,
    check_n_components,
    check_number,
    warn_caller,
)
from kmds_lib._classical_scaling import ClassicalScalingResult, classical_scaling
from kmds_lib._kernel_pca import decompose, kernel_pca
from kmds_lib._kernel_pca_result import KernelPCAResult
from kmds_lib._labels import carry_labels
from kmds_lib.kernels import DefinitenessWarning, Kernel
from kmds_lib.kernels._base import check_kernel, profile_of

__all__ = ["critchley_scaling", "kernel_mds", "kernel_mds_from_points"]


@carry_labels
def kernel_mds(D: ArrayLike, kernel: Kernel, n_components: int = 2) -> KernelPCAResult:
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
    KernelPCAResult
        Points, eigenvalues of :math:`HKH`, ``explained`` (gamma), ``residual_sum``,
        ``feature_distances``, `shepard`, `transform`, `spectrum`. It keeps a copy of `D`, not the
        kernel matrix.

    Raises
    ------
    ValueError
        If `D` is not a real, finite, symmetric, non-negative matrix of at least two objects
        with a zero diagonal, the kernel is not isotropic, the kernel matrix overflows, underflows
        or is constant to rounding, or `n_components` is out of range.

    Warns
    -----
    FewerComponentsWarning
        If fewer than `n_components` eigenvalues are positive; the positive ones are returned.
    DefinitenessWarning
        If the kernel is not known to be conditionally positive definite in any dimension.

    Notes
    -----
    Derived in Chapter 8, Kernel MDS. :math:`HKH` is guaranteed to be positive semidefinite where
    delta is Euclidean, of a dimension in which the kernel is conditionally positive definite.
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
    _check_isotropic(kernel)
    D = as_dissimilarities(D, min_objects=2)
    k = check_n_components(n_components, len(D) - 1)
    _warn_indefinite(kernel)
    with np.errstate(over="ignore", invalid="ignore"):
        A = profile_of(kernel).r_minus_value_at_zero(D)
    spectral = decompose(A, k, distinct=bool(D.any()))
    return KernelPCAResult(*spectral, False, kernel, D.copy(), None)


def kernel_mds_from_points(X: ArrayLike, kernel: Kernel, n_components: int = 2) -> KernelPCAResult:
    r"""Place points so that distances approximate the feature distances of a kernel.

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
    KernelPCAResult
        As from `kernel_mds`, with :math:`\delta_{ij} = \|x_i - x_j\|` and a `transform` that takes
        points.

    Raises
    ------
    ValueError
        If `X` is not a finite real matrix of at least two rows, `kernel` is not a `Kernel`, the
        kernel matrix overflows, underflows or is constant to rounding, or `n_components` is out
        of range.

    Warns
    -----
    FewerComponentsWarning
        If fewer than `n_components` eigenvalues are positive; the positive ones are returned.
    DefinitenessWarning
        If the kernel is not known to be conditionally positive definite on :math:`\mathbb R^p`.

    Notes
    -----
    Derived in Chapter 8, Kernel MDS. It is `kernel_pca` of the points. For a kernel that is not
    isotropic, the feature distance is no function of delta. Source: Williams (2001), Sections 4.1
    and 4.2.

    Examples
    --------
    >>> from kmds_lib.kernels import Polynomial
    >>> fit = kernel_mds_from_points([[0.0], [1.0], [2.0]], Polynomial(2), n_components=1)
    >>> fit.feature_distances[0].round(4)
    array([0.    , 1.7321, 4.899 ])
    """
    return kernel_pca(X, kernel, n_components)


@carry_labels
def critchley_scaling(D: ArrayLike, mu: float, n_components: int = 2) -> ClassicalScalingResult:
    r"""Scale classically the dissimilarities raised to a power.

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
    ClassicalScalingResult
        Classical scaling of :math:`\delta^\mu`, with ``mu``, and a `transform` that raises new
        rows to it.

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
    Derived in Chapter 8, Kernel MDS. Where delta is Euclidean, :math:`\delta^\mu` is Euclidean too
    for :math:`0 < \mu \le 1` (Schoenberg 1938) and can fail to be for every :math:`\mu > 1`. The
    configuration is that of kernel MDS with ``Power(2 * mu)``, divided by :math:`\sqrt2`. Source:
    Critchley (1978), as in Williams (2001), Section 2.3.

    Examples
    --------
    >>> line = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0)))
    >>> fit = critchley_scaling(line, mu=0.5, n_components=3)
    >>> fit.points.shape, round(fit.explained, 6)
    ((4, 3), 1.0)
    >>> bool(np.allclose(fit.transform(line), fit.points))
    True
    """
    mu = check_number(mu, "mu", positive=True)
    D = as_dissimilarities(D, min_objects=2)
    with np.errstate(over="ignore", under="ignore"):
        powers = np.power(D, mu)
    if D.any() and not SMALLEST <= powers.max() <= LARGEST:
        raise ValueError(f"D to the power {mu} leaves the range of the library: rescale D.")
    return replace(classical_scaling(powers, n_components), mu=mu)


def _check_isotropic(kernel: Kernel) -> None:
    check_kernel(kernel, "kernel", "another isotropic one")
    if not kernel.isotropic:
        raise ValueError(
            f"kernel is {kernel!r}; dissimilarities need an isotropic one, such as RBF(1.0). For "
            "any other kernel use kernel_mds_from_points."
        )


def _warn_indefinite(kernel: Kernel) -> None:
    if kernel.definiteness.conditional == 0:
        warn_caller(
            f"{kernel!r} is not known to be definite in any dimension: the centred kernel "
            "matrix can have negative eigenvalues",
            DefinitenessWarning,
        )
