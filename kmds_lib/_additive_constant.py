"""Additive constants: the smallest change that makes dissimilarities Euclidean."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._checks import FloatArray, as_dissimilarities, check_option
from kmds_lib._eigen import minus_half_squares, smallest_eigenvalue
from kmds_lib._fast.cailliez import largest_real_eigenvalue
from kmds_lib._gram import has_no_negative_eigenvalue

__all__ = ["Method", "additive_constant"]

Method = Literal["cailliez", "lingoes"]

_NO_CONSTANT = 1e-12
"""Negative eigenvalue, relative to the largest, up to which D counts as Euclidean already."""


def additive_constant(D: ArrayLike, method: Method = "cailliez") -> float:
    r"""Return the smallest constant that makes dissimilarities Euclidean.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Dissimilarities.
    method : {"cailliez", "lingoes"}
        Cailliez: the smallest c with :math:`d_{ij} + c` Euclidean, in the units of `D`.
        Lingoes: the smallest c with :math:`\sqrt{d_{ij}^2 + 2c}` Euclidean, in squared units.

    Returns
    -------
    float
        Zero where `D` is Euclidean already, up to rounding.

    Raises
    ------
    ValueError
        If `D` is not a real, finite, symmetric, non-negative matrix with a zero diagonal, or
        `method` is unknown.

    Notes
    -----
    Derived in Chapter 4, Classical scaling. Cailliez's constant is the largest real eigenvalue
    of a matrix of order 2n that is never formed for large n; Lingoes's is minus the smallest
    eigenvalue of B. Source: Cailliez (1983); Lingoes (1971).

    Examples
    --------
    >>> D = [[0.0, 1.0, 3.0], [1.0, 0.0, 1.0], [3.0, 1.0, 0.0]]
    >>> round(additive_constant(D), 6), round(additive_constant(D, "lingoes"), 6)
    (1.0, 0.833333)
    """
    return smallest_constant(as_dissimilarities(D), method)


def smallest_constant(D: FloatArray, method: Method) -> float:
    """Return what `additive_constant` returns, for checked dissimilarities."""
    check_option(method, Method, "method")
    unit = float(D.max())
    if unit == 0:
        return 0.0
    D = D / unit
    A = minus_half_squares(D)
    if has_no_negative_eigenvalue(A, _NO_CONSTANT):
        return 0.0
    if method == "lingoes":
        return -smallest_eigenvalue(A, centred=True) * unit**2
    return max(0.0, largest_real_eigenvalue(A, D)) * unit


def add_constant(D: FloatArray, constant: float, method: Method) -> FloatArray:
    """Return D + c, or sqrt(D^2 + 2 c) for Lingoes; zeros are not spared."""
    if method == "cailliez":
        return D + constant
    return np.sqrt(np.square(D) + 2 * constant)
