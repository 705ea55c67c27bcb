"""Kernel MDS: classical scaling of the distances between feature vectors.

An isotropic kernel converts dissimilarities delta into kernel values r(delta) and feature
distances sqrt(2 (r(0) - r(delta))). Because HAH = HKH (Williams 2001), classical scaling of the
feature distances needs only the centred kernel matrix.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._classical_scaling import ClassicalScalingResult, classical_scaling
from kmds_lib._kernel_pca import decompose_centred
from kmds_lib._kernel_pca_result import GivenDissimilarities, KernelPCAResult
from kmds_lib._labels import store_labels
from kmds_lib._messages import warn_caller
from kmds_lib._parameters import check_number
from kmds_lib._validation import LARGEST, SMALLEST, as_dissimilarities
from kmds_lib.kernels import DefinitenessWarning, Kernel
from kmds_lib.kernels._kernel_validation import check_kernel


@store_labels(square=True)
def kernel_mds(D: ArrayLike, kernel: Kernel, n_components: int | float = 2) -> KernelPCAResult:
    r"""Place objects so that distances approximate the feature distances of a kernel.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Dissimilarities delta, not squared.
    kernel : Kernel
        An isotropic kernel, for example ``RBF(theta)``; its profile is applied to `D`.
    n_components : int or float
        As in `classical_scaling`.

    Returns
    -------
    KernelPCAResult
        Points, eigenvalues of :math:`HKH`, ``explained`` (:math:`\gamma(k)` of Chapter 8), and
        more. It stores a copy of `D` and not the kernel matrix.

    Raises
    ------
    ValueError
        As in `classical_scaling`, or if the kernel is not isotropic, or its matrix overflows,
        underflows or is constant to rounding.

    Warns
    -----
    FewerComponentsWarning
        As in `classical_scaling`.
    DefinitenessWarning
        If the kernel is not known to be conditionally positive definite in any dimension.

    Notes
    -----
    Derived in Chapter 8, Kernel multidimensional scaling. :math:`HKH` is guaranteed to be positive
    semidefinite if D contains Euclidean distances in a dimension in which the kernel is
    conditionally positive definite. Otherwise look at ``negative_mass``. The dimension is not
    known to this function, so there is no warning for kernels such as DampedCosine that are
    definite in low dimensions only. Points for which the kernel is not isotropic are scaled by
    `kernel_pca`. Source: Williams (2001), Section 4.1.

    Examples
    --------
    >>> from kmds_lib.kernels import RBF
    >>> fit = kernel_mds([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]], RBF(0.1))
    >>> fit.points.shape, round(fit.explained, 6)
    ((3, 2), 1.0)
    >>> fit.feature_distances[0].round(4)
    array([0.    , 1.0894, 1.2634])
    """
    check_kernel(kernel, "kernel", "another isotropic kernel")
    if not kernel.isotropic:
        raise ValueError(
            f"kernel is {kernel!r}; dissimilarities need an isotropic one, such as RBF(1.0). For "
            "any other kernel use kernel_pca, which takes points."
        )
    D = as_dissimilarities(D, min_objects=2)
    if kernel.definiteness.conditional == 0:
        warn_caller(
            f"{kernel!r} is not known to be definite in any dimension: the centred kernel matrix "
            "can have negative eigenvalues. Choose another kernel, such as RBF; in a kernel of "
            "your own, state its definiteness.",
            DefinitenessWarning,
        )
    with np.errstate(over="ignore", invalid="ignore"):
        A = kernel.r_minus_value_at_zero(D)
    decomposition = decompose_centred(A, n_components, distinct=bool(D.any()))
    data = GivenDissimilarities(kernel, D.copy())
    return KernelPCAResult(*decomposition, definite=False, _data=data)


@store_labels(square=True)
def critchley_scaling(
    D: ArrayLike, mu: float, n_components: int | float = 2
) -> ClassicalScalingResult:
    r"""Compute classical scaling of the dissimilarities raised to a power.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Dissimilarities delta, not squared.
    mu : float
        Exponent, positive.
    n_components : int or float
        As in `classical_scaling`.

    Returns
    -------
    ClassicalScalingResult
        Classical scaling of :math:`\delta^\mu`, with ``mu``; `transform` raises new
        dissimilarities to the same power.

    Raises
    ------
    ValueError
        As in `classical_scaling`, or if `mu` is not positive, or the powers overflow or underflow.

    Warns
    -----
    FewerComponentsWarning
        As in `classical_scaling`.

    Notes
    -----
    Derived in Chapter 8, Kernel multidimensional scaling. If :math:`\delta` is Euclidean,
    :math:`\delta^\mu` is Euclidean for :math:`0 < \mu \le 1` (Schoenberg 1938) and need not be for
    :math:`\mu > 1`. The configuration is that of kernel MDS with ``Power(2 * mu)``, divided by
    :math:`\sqrt2`. Source: Critchley (1978), as in Williams (2001), Section 2.3.

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
        raise ValueError(f"D to the power {mu} overflows or underflows: rescale D.")
    return replace(classical_scaling(powers, n_components), mu=mu)
