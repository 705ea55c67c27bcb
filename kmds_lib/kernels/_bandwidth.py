"""Rules that choose the bandwidth parameter theta of a kernel from the distances in the data."""

from __future__ import annotations

import math
from collections.abc import Callable
from inspect import signature
from typing import Literal

import numpy as np
from scipy.optimize import brentq
from scipy.spatial.distance import squareform

from kmds_lib._checks import FloatArray
from kmds_lib.kernels._base import Kernel, check_kernel, profile_of

Rule = Literal["median", "scale"]

_RELATIVE_VALUE = math.exp(-0.5)
"""Value of the profile at a typical distance, relative to r(0): the median rule of Chapter 8."""

_LOG_SEARCH_RADIUS = 300.0
"""Theta is searched within this distance of the theta of RBF, on a logarithmic scale."""


def theta_by_rule(rule: Rule, kernel: Callable[[float], Kernel], D: FloatArray) -> float:
    """Return the theta at which the profile has decreased to e^(-1/2) r(0) at a typical distance.

    The typical distance is the median over pairs of different objects ("median"), or half the root
    mean squared distance over all ordered pairs ("scale"). For `RBF`, theta = 1 / (2 delta^2). If
    all objects coincide, every theta gives the same matrix, and 1 is returned.
    """
    delta = _typical_distance(rule, D)
    if delta == 0:
        return 1.0
    theta_of_rbf = 1 / (2 * delta**2)
    check_takes_theta(kernel)

    def excess(log_ratio: float) -> float:
        return _excess(kernel_of_theta(kernel, theta_of_rbf * math.exp(log_ratio)), delta)

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
        found = kernel(theta)
    except ValueError as error:
        name = getattr(kernel, "__name__", repr(kernel))
        raise ValueError(f"kernel = {name} refuses theta = {theta!r}: {error}") from error
    check_kernel(found, "The value of kernel", "another one")
    return found


def check_takes_theta(kernel: Callable[[float], Kernel]) -> None:
    """Refuse a class or function that has no parameter theta, or needs others too."""
    try:
        signature(kernel).bind(1.0)
    except TypeError as error:
        name = getattr(kernel, "__name__", repr(kernel))
        parameters = ", ".join(signature(kernel).parameters)
        raise ValueError(
            f"kernel is {name}({parameters}), which cannot be called with theta alone: {error}. "
            "Give a function of theta, such as RBF, or lambda theta: DampedCosine(theta, 1.0)."
        ) from None


def _check_positive_at_zero(kernel: Kernel) -> None:
    """Refuse a kernel whose profile cannot decrease to a share of r(0)."""
    if profile_of(kernel) and kernel.value_at_zero <= 0:
        raise ValueError(
            f"{kernel!r} has r(0) = {kernel.value_at_zero:.6g}, but the rule needs a profile that "
            "decreases from r(0) > 0"
        )


def _excess(kernel: Kernel, delta: float) -> float:
    """Return r(delta) - e^(-1/2) r(0)."""
    with np.errstate(over="ignore"):
        at_zero, at_delta = kernel.profile([0.0, delta])
    return float(at_delta - _RELATIVE_VALUE * at_zero)


def _typical_distance(rule: Rule, D: FloatArray) -> float:
    """Return the typical distance of a rule, or 0 if all objects coincide."""
    pairs = squareform(D, checks=False)
    if rule == "scale":
        return math.sqrt(np.square(pairs).sum() / (2 * len(D) ** 2))
    if rule == "median":
        return float(np.median(pairs[pairs > 0])) if pairs.any() else 0.0
    raise ValueError(f"theta = {rule!r} is unknown; use 'median', 'scale' or a number.")
