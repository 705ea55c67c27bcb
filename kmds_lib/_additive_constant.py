"""Additive constants: the smallest constants that make dissimilarities Euclidean."""

from __future__ import annotations

from typing import Literal

from numpy.typing import ArrayLike

from kmds_lib._eigen import has_no_negative_eigenvalue, minus_half_squares, smallest_eigenvalue
from kmds_lib._fast.cailliez import largest_real_eigenvalue
from kmds_lib._parameters import check_option
from kmds_lib._types import FloatArray
from kmds_lib._validation import as_dissimilarities

AdditiveMethod = Literal["cailliez", "lingoes"]

_TOLERANCE = 1e-12
"""Size of a negative eigenvalue, relative to the largest, up to which D counts as Euclidean."""


def additive_constant(D: ArrayLike, method: AdditiveMethod = "cailliez") -> float:
    r"""Return the smallest constant that makes dissimilarities Euclidean.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Dissimilarities, not squared.
    method : {"cailliez", "lingoes"}
        Cailliez: the smallest c with :math:`d_{ij} + c` Euclidean, in the units of `D`.
        Lingoes: the smallest c with :math:`\sqrt{d_{ij}^2 + 2c}` Euclidean, in squared units.

    Returns
    -------
    float
        The constant; 0 if `D` is already Euclidean up to rounding errors.

    Raises
    ------
    ValueError
        As in `gram_from_distances`.

    Notes
    -----
    Derived in Chapter 4, Classical scaling. Cailliez's constant is the largest real eigenvalue
    of a matrix of order 2n, which is not formed if n is large. Lingoes's constant is minus the
    smallest eigenvalue of B. Source: Cailliez (1983); Lingoes (1971).

    Examples
    --------
    >>> D = [[0.0, 1.0, 3.0], [1.0, 0.0, 1.0], [3.0, 1.0, 0.0]]
    >>> round(additive_constant(D), 6), round(additive_constant(D, "lingoes"), 6)
    (1.0, 0.833333)
    """
    D = as_dissimilarities(D)
    return smallest_constant(minus_half_squares(D), D, method)


def smallest_constant(
    A: FloatArray, D: FloatArray, method: AdditiveMethod, name: str = "method"
) -> float:
    """Return the additive constant of checked dissimilarities D with A = -1/2 D^(2).

    `name` is the name of the parameter for the method in the error message.
    """
    check_option(method, AdditiveMethod, name)
    if has_no_negative_eigenvalue(A, _TOLERANCE):
        return 0.0
    if method == "lingoes":
        return -smallest_eigenvalue(A, centring=True)
    scale = float(D.max())  # because the problem contains both D and its squares
    return max(0.0, largest_real_eigenvalue(A / scale**2, D / scale)) * scale


def add_constant(
    A: FloatArray, D: FloatArray, constant: float, method: AdditiveMethod
) -> FloatArray:
    """Return -1/2 (D + c)^(2), or -1/2 (D^(2) + 2c) for Lingoes, given A = -1/2 D^(2).

    The constant is also added to zeros, including those on a diagonal.
    """
    if method == "cailliez":
        return A - constant * (D + 0.5 * constant)
    return A - constant
