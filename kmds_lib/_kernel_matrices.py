"""The kernel matrices that the statistics of Chapter 12 are computed from."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._parameters import check_number, check_option
from kmds_lib._rounding import equality_tolerance
from kmds_lib._types import FloatArray
from kmds_lib._validation import EuclideanOrPrecomputed, as_dissimilarities, as_gram
from kmds_lib.kernels import Kernel, Power
from kmds_lib.kernels._kernel_validation import check_kernel
from kmds_lib.kernels._matrices import check_not_constant, check_overflow

KernelOrPrecomputed = Kernel | Literal["precomputed"]


def minus_distances(
    values: ArrayLike, metric: EuclideanOrPrecomputed, exponent: float, name: str
) -> tuple[ArrayLike, KernelOrPrecomputed]:
    """Return the data and the kernel of an energy statistic: minus a power of the distances."""
    exponent = check_number(exponent, "exponent", positive=True)
    if exponent > 2:
        raise ValueError(
            f"exponent is {exponent:g}: give a number in (0, 2], for which -||x - y||^exponent is "
            "conditionally positive definite."
        )
    check_option(metric, EuclideanOrPrecomputed, "metric")
    if metric == "euclidean":
        return values, Power(exponent)
    return -(as_dissimilarities(values, name) ** exponent), "precomputed"


def kernel_matrix(points: FloatArray, kernel: Kernel, name: str) -> FloatArray:
    """Return the kernel matrix minus r(0), which has the same centred matrix.

    If the kernel is translation invariant, the points are centred first, which reduces rounding
    errors; variables that are constant to rounding become 0. See `Kernel.k_minus_value_at_zero`.
    """
    check_kernel(kernel, name, "'precomputed' for a kernel matrix")
    kernel.warn_if_indefinite(points.shape[1])
    if kernel.translation_invariant:
        constant = np.ptp(points, axis=0) <= equality_tolerance() * np.abs(points).max(axis=0)
        points = points - points.mean(axis=0)
        points[:, constant] = 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        K = check_overflow(kernel.k_minus_value_at_zero(points), f"the matrix of {name}")
    if (points != points[0]).any():
        check_not_constant(K)
    return as_gram(K, f"the matrix of {name}")
