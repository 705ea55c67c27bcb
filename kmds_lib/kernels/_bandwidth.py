"""Rules that choose the bandwidth parameter theta of a kernel from the distances in the data."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.spatial.distance import squareform

from kmds_lib._fast.distances import euclidean
from kmds_lib._parameters import check_option
from kmds_lib._types import FloatArray
from kmds_lib._validation import EuclideanOrPrecomputed, as_dissimilarities, as_points
from kmds_lib.kernels._base import Kernel
from kmds_lib.kernels._families import RBF
from kmds_lib.kernels._kernel_validation import check_kernel, check_takes_theta

BandwidthRule = Literal["median", "scale"]

_RELATIVE_VALUE = math.exp(-0.5)
"""Value of the profile at a typical distance, relative to r(0): the median rule of Chapter 8."""

_LOG_SEARCH_RADIUS = 300.0
"""Theta is searched within this distance of the theta of RBF, on a logarithmic scale."""


def choose_theta(
    X: ArrayLike,
    kernel: Callable[[float], Kernel] = RBF,
    rule: BandwidthRule = "median",
    *,
    metric: EuclideanOrPrecomputed = "euclidean",
) -> float:
    r"""Return the parameter theta of a kernel by a rule, such as the median heuristic.

    Parameters
    ----------
    X : array_like of shape (n, p) or (n,), or (n, n) where ``metric="precomputed"``
        Points, one in each row, where a vector is one variable; or dissimilarities, not squared.
    kernel : callable
        Class or function that returns the `Kernel` for a parameter theta, such as `RBF`.
    rule : {"median", "scale"}
        Typical distance :math:`\delta` between objects: the median distance between different
        objects ("median"), or half the root of the mean squared distance ("scale").
    metric : {"euclidean", "precomputed"}
        Contents of `X`: points, or dissimilarities.

    Returns
    -------
    float
        The theta at which the profile of the kernel has decreased to
        :math:`r(\delta) = e^{-1/2}\, r(0)`; for `RBF`, :math:`1 / (2 \delta^2)`, in the inverse
        squared unit of the distances. It is 1 if all objects coincide.

    Raises
    ------
    ValueError
        If an argument is not as described, or no theta satisfies the rule for this kernel.

    Notes
    -----
    Used in Chapter 8, Kernel multidimensional scaling, as a first guess. The estimator
    `kmds_lib.sklearn.KernelMDS` uses the same rules. With the median, the rule is the median
    heuristic of kernel tests. Source: Gretton et al. (2012), section 8.

    Examples
    --------
    >>> choose_theta([[0.0], [2.0]])
    0.125
    >>> kernel = RBF(choose_theta([[0.0], [2.0]]))
    """
    check_option(metric, EuclideanOrPrecomputed, "metric")
    check_option(rule, BandwidthRule, "rule")
    if metric == "precomputed":
        return theta_by_rule(rule, kernel, as_dissimilarities(X, "X", min_objects=2))
    points = as_points(X, min_points=2, vector_as_column=True)
    return theta_by_rule(rule, kernel, euclidean(points, points))


def theta_by_rule(rule: BandwidthRule, kernel: Callable[[float], Kernel], D: FloatArray) -> float:
    """Return the theta at which the profile has decreased to e^(-1/2) r(0) at a typical distance.

    The typical distance is the median over pairs of different objects ("median"), or half the root
    mean squared distance over all ordered pairs ("scale"). For `RBF`, theta = 1 / (2 delta^2). If
    all objects coincide, every theta gives the same matrix, and 1 is returned.
    """
    check_takes_theta(kernel)
    delta = _typical_distance(rule, D)
    if delta == 0:
        return 1.0
    theta_of_rbf = 1 / (2 * delta**2)

    def excess(log_ratio: float) -> float:
        candidate = kernel_of_theta(kernel, theta_of_rbf * math.exp(log_ratio))
        with np.errstate(over="ignore"):
            at_zero, at_delta = candidate.profile([0.0, delta])
        return float(at_delta - _RELATIVE_VALUE * at_zero)

    try:
        _check_positive_at_zero(kernel_of_theta(kernel, theta_of_rbf))
        root = brentq(excess, -_LOG_SEARCH_RADIUS, _LOG_SEARCH_RADIUS, xtol=1e-14)
    except ValueError as error:
        raise ValueError(
            f"theta = {rule!r} finds no value for this kernel: give theta a number. ({error})"
        ) from error
    return theta_of_rbf * math.exp(root)


def kernel_of_theta(kernel: Callable[[float], Kernel], theta: float) -> Kernel:
    """Return the kernel for theta."""
    check_takes_theta(kernel)
    try:
        value = kernel(theta)
    except ValueError as error:
        name = getattr(kernel, "__name__", repr(kernel))
        raise ValueError(f"kernel = {name} refuses theta = {theta!r}: {error}") from error
    check_kernel(value, "The value of kernel", "another one")
    return value


def _check_positive_at_zero(kernel: Kernel) -> None:
    """Refuse a kernel whose profile cannot decrease to a share of r(0)."""
    at_zero = kernel.r(np.zeros(1))[0]
    if at_zero <= 0:
        raise ValueError(
            f"{kernel!r} has r(0) = {at_zero:.6g}, but the rule needs a profile that "
            "decreases from r(0) > 0."
        )


def _typical_distance(rule: BandwidthRule, D: FloatArray) -> float:
    """Return the typical distance of a rule, or 0 if all objects coincide."""
    pairs = squareform(D, checks=False)
    if rule == "scale":
        return math.sqrt(np.square(pairs).sum() / (2 * len(D) ** 2))
    if rule == "median":
        return float(np.median(pairs[pairs > 0])) if pairs.any() else 0.0
    raise ValueError(f"theta = {rule!r} is unknown; use 'median', 'scale' or a number.")
