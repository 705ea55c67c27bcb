"""Cailliez's constant: an eigenvalue of a matrix of order 2n that is not symmetric."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.sparse.linalg import ArpackError, LinearOperator, eigs

from kmds_lib._checks import FloatArray
from kmds_lib._fast.krylov import centred_product

DENSE_UP_TO = 100
"""LAPACK takes 7 ms at n = 100 and ARPACK 3 ms, but ARPACK may fail to converge."""


def largest_real_eigenvalue(A: FloatArray, D: FloatArray) -> float:
    """Return the largest real part of an eigenvalue of [[0, 2 HAH], [-I, 2 HDH]].

    On the vector of ones the block has a double zero with one eigenvector, which rounding would
    spread to the root of its size. So only what is centred is looked at.
    """
    values = _by_lapack(A, D) if len(D) <= DENSE_UP_TO else _by_products(A, D)
    return float(values.real.max())


def _by_lapack(A: FloatArray, D: FloatArray) -> NDArray[np.complexfloating]:
    basis = linalg.helmert(len(D))
    below = [-np.eye(len(basis)), 2 * basis @ D @ basis.T]
    block = np.block([[np.zeros_like(below[0]), 2 * basis @ A @ basis.T], below])
    return linalg.eigvals(block, check_finite=False)


def _by_products(A: FloatArray, D: FloatArray) -> NDArray[np.complexfloating]:
    n, of_squares, of_roots = len(D), centred_product(A), centred_product(D)

    def apply(v: FloatArray) -> FloatArray:
        top, bottom = v[:n], v[n:]
        return np.concatenate([2 * of_squares(bottom), 2 * of_roots(bottom) - (top - top.mean())])

    operator = LinearOperator((2 * n, 2 * n), matvec=apply, dtype=np.float64)
    start = np.random.default_rng(0).standard_normal((2, n))
    start -= start.mean(axis=1, keepdims=True)
    try:
        return eigs(operator, k=1, which="LR", v0=start.ravel(), return_eigenvectors=False)
    except ArpackError:
        return _by_lapack(A, D)
