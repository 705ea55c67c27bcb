"""Rules that choose the bandwidth parameter theta of a kernel from the distances in the data."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from scipy.optimize import brentq
from scipy.spatial.distance import squareform

from kmds_lib._checks import FloatArray
from kmds_lib.kernels._base import Kernel, check_kernel

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

    def excess(log_ratio: float) -> float:
        return _excess(kernel(theta_of_rbf * math.exp(log_ratio)), delta)

    try:
        root = brentq(excess, -_LOG_SEARCH_RADIUS, _LOG_SEARCH_RADIUS, xtol=1e-14)
    except ValueError as error:
        raise ValueError(
            f"theta = {rule!r} finds no value for this kernel: give theta a number. ({error})"
        ) from error
    return theta_of_rbf * math.exp(root)


def _excess(kernel: Kernel, delta: float) -> float:
    """Return r(delta) - e^(-1/2) r(0)."""
    check_kernel(kernel, "kernel(theta)", "another one")
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
