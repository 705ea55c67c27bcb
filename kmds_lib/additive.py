"""Additive constants: the smallest change that makes dissimilarities Euclidean."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import linalg
from scipy.sparse.linalg import ArpackError, LinearOperator, eigs

from kmds_lib._checks import FloatArray, as_dissimilarities, check_option
from kmds_lib._eigen import centred_product, halved_squares, smallest_eigenvalue
from kmds_lib.gram import has_no_negative_eigenvalue

__all__ = ["Method", "additive_constant"]

Method = Literal["cailliez", "lingoes"]

_DENSE_UP_TO = 100
"""LAPACK takes 7 ms at n = 100 and ARPACK 3 ms, but ARPACK may fail to converge."""

_NO_CONSTANT = 1e-12
"""Negative eigenvalue, relative to the largest, up to which D counts as Euclidean already."""


def additive_constant(D: ArrayLike, method: Method = "cailliez") -> float:
    """Return the smallest constant that makes dissimilarities Euclidean.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Dissimilarities.
    method : {"cailliez", "lingoes"}
        Cailliez: the smallest c with d_ij + c Euclidean, in the units of `D`.
        Lingoes: the smallest c with sqrt(d_ij^2 + 2 c) Euclidean, in squared units.

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
    """Return what `additive_constant` returns, for checked dissimilarities.

    Parameters
    ----------
    D : ndarray of shape (n, n)
        Checked dissimilarities.
    method : {"cailliez", "lingoes"}
        Which constant.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If `method` is unknown.

    Examples
    --------
    >>> smallest_constant(np.array([[0.0, 1.0], [1.0, 0.0]]), "lingoes")
    0.0
    """
    check_option(method, Method, "method")
    unit = float(D.max())
    if unit == 0:
        return 0.0
    D = D / unit
    A = halved_squares(D)
    if has_no_negative_eigenvalue(A, _NO_CONSTANT):
        return 0.0
    if method == "lingoes":
        return -smallest_eigenvalue(A, centred=True) * unit**2
    return _cailliez(A, D) * unit


def add_constant(D: FloatArray, constant: float, method: Method) -> FloatArray:
    """Return every entry with an additive constant; zeros are not spared.

    Parameters
    ----------
    D : ndarray
        Checked dissimilarities.
    constant : float
        As from `additive_constant`.
    method : {"cailliez", "lingoes"}
        Which kind of constant it is.

    Returns
    -------
    ndarray
        ``D + c`` for Cailliez, ``sqrt(D**2 + 2 c)`` for Lingoes.

    Examples
    --------
    >>> add_constant(np.array([[3.0, 4.0]]), 3.5, "lingoes")
    array([[4.        , 4.79583152]])
    """
    if method == "cailliez":
        return D + constant
    return np.sqrt(np.square(D) + 2 * constant)


def _cailliez(A: FloatArray, D: FloatArray) -> float:
    """Largest real eigenvalue of [[0, 2 HAH], [-I, 2 HDH]], A = -1/2 D^(2): Cailliez (1983).

    On the vector of ones the block has a double zero with one eigenvector, which rounding would
    spread to the root of its size. So only what is centred is looked at.
    """
    n = len(D)
    if n <= _DENSE_UP_TO:
        values = _cailliez_spectrum(A, D)
    else:
        of_squares, of_roots = centred_product(A), centred_product(D)

        def apply(v: FloatArray) -> FloatArray:
            top, bottom = v[:n], v[n:]
            return np.concatenate(
                [2 * of_squares(bottom), 2 * of_roots(bottom) - (top - top.mean())]
            )

        operator = LinearOperator((2 * n, 2 * n), matvec=apply, dtype=np.float64)
        start = np.random.default_rng(0).standard_normal((2, n))
        start -= start.mean(axis=1, keepdims=True)
        try:
            values = eigs(operator, k=1, which="LR", v0=start.ravel(), return_eigenvectors=False)
        except ArpackError:
            values = _cailliez_spectrum(A, D)
    return max(0.0, float(values.real.max()))


def _cailliez_spectrum(A: FloatArray, D: FloatArray) -> NDArray[np.complexfloating]:
    basis = linalg.helmert(len(D))
    below = [-np.eye(len(basis)), 2 * basis @ D @ basis.T]
    block = np.block([[np.zeros_like(below[0]), 2 * basis @ A @ basis.T], below])
    return linalg.eigvals(block, check_finite=False)
