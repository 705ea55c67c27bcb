"""Rules that fit the parameter of a kernel to the distances at hand."""

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

_LEVEL = math.exp(-0.5)
"""Part of r(0) that a kernel has left at a typical distance: the median rule of Chapter 8."""
_REACH = 300.0
"""Logarithm of the largest factor between theta and that of RBF."""


def theta_by_rule(rule: Rule, kernel: Callable[[float], Kernel], D: FloatArray) -> float:
    """Return the theta at which objects a typical distance apart have e^(-1/2) of r(0).

    Typical is the median distance between objects that differ, or half the root of the mean
    squared distance over all ordered pairs. For `RBF` it is 1 / (2 delta^2). Where all objects
    coincide, and every theta does, it is 1.
    """
    delta = _typical_distance(rule, D)
    if delta == 0:
        return 1.0
    gaussian = 1 / (2 * delta**2)

    def excess(log_ratio: float) -> float:
        return _excess(kernel(gaussian * math.exp(log_ratio)), delta)

    try:
        return gaussian * math.exp(brentq(excess, -_REACH, _REACH, xtol=1e-14))
    except ValueError as error:
        raise ValueError(
            f"theta = {rule!r} finds no value for this kernel: give theta a number. ({error})"
        ) from error


def _excess(kernel: Kernel, delta: float) -> float:
    """Return what a profile has at a distance, less the part of r(0) that it shall have there."""
    check_kernel(kernel, "kernel(theta)", "another one")
    with np.errstate(over="ignore"):
        at_zero, at_delta = kernel.profile([0.0, delta])
    return float(at_delta - _LEVEL * at_zero)


def _typical_distance(rule: Rule, D: FloatArray) -> float:
    """Return the distance that a rule takes for typical; 0 where all objects coincide."""
    pairs = squareform(D, checks=False)
    if rule == "scale":
        return math.sqrt(np.square(pairs).sum() / (2 * len(D) ** 2))
    if rule == "median":
        return float(np.median(pairs[pairs > 0])) if pairs.any() else 0.0
    raise ValueError(f"theta = {rule!r} is unknown; use 'median', 'scale' or a number.")
