"""What statistics of Chapter 12 see of data: kernel matrices, or minus distances."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._checks import (
    FloatArray,
    Metric,
    as_dissimilarities,
    as_gram,
    check_number,
    check_option,
)
from kmds_lib.kernels import Kernel, Power
from kmds_lib.kernels._base import check_kernel
from kmds_lib.kernels._matrices import check_not_constant, check_overflow

KernelOrPrecomputed = Kernel | Literal["precomputed"]


def minus_distances(
    values: ArrayLike, metric: Metric, exponent: float, name: str
) -> tuple[ArrayLike, KernelOrPrecomputed]:
    """Return data and kernel of an energy statistic: points, or a table of minus distances."""
    exponent = check_number(exponent, "exponent", positive=True)
    if exponent > 2:
        raise ValueError(
            f"exponent is {exponent:g}: give a number in (0, 2], where -||x - y||^exponent is "
            "conditionally positive definite."
        )
    check_option(metric, Metric, "metric")
    if metric == "euclidean":
        return values, Power(exponent)
    return -(as_dissimilarities(values, name) ** exponent), "precomputed"


def kernel_matrix(points: FloatArray, kernel: Kernel, name: str) -> FloatArray:
    """Return what centring makes equal to the kernel matrix; refuse what is no kernel.

    It is `Kernel.minus_value_at_zero` of the points, moved to their mean where that makes no
    difference.
    """
    check_kernel(kernel, name, "'precomputed' for a kernel matrix")
    kernel.warn_if_indefinite(points.shape[1])
    if kernel.translation_invariant:
        points = points - points.mean(axis=0)
    with np.errstate(over="ignore", invalid="ignore"):
        K = check_overflow(kernel.minus_value_at_zero(points), f"the matrix of {name}")
    if (points != points[0]).any():
        check_not_constant(K)
    return as_gram(K, f"the matrix of {name}")
