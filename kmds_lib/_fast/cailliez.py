"""The eigenvalue problem of Cailliez's constant: a matrix of order 2n that is not symmetric."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.sparse.linalg import ArpackError, LinearOperator, eigs

from kmds_lib._fast.krylov import centred_product
from kmds_lib._types import FloatArray

LARGEST_DENSE_ORDER = 100
"""At n = 100, LAPACK takes 7 ms and ARPACK 3 ms, but ARPACK does not always converge."""


def largest_real_eigenvalue(A: FloatArray, D: FloatArray) -> float:
    """Return the largest real part of an eigenvalue of [[0, 2 HAH], [-I, 2 HDH]].

    On the vector of ones, the matrix has a double eigenvalue 0 with only one eigenvector, so that
    a rounding error e would become an eigenvalue of size sqrt(e). Therefore only centred vectors
    are used.
    """
    values = _by_lapack(A, D) if len(D) <= LARGEST_DENSE_ORDER else _by_products(A, D)
    return float(values.real.max())


def _by_lapack(A: FloatArray, D: FloatArray) -> NDArray[np.complexfloating]:
    basis = linalg.helmert(len(D))
    lower = [-np.eye(len(basis)), 2 * basis @ D @ basis.T]
    block = np.block([[np.zeros_like(lower[0]), 2 * basis @ A @ basis.T], lower])
    return linalg.eigvals(block, check_finite=False)


def _by_products(A: FloatArray, D: FloatArray) -> NDArray[np.complexfloating]:
    n, product_A, product_D = len(D), centred_product(A), centred_product(D)

    def apply(v: FloatArray) -> FloatArray:
        top, bottom = v[:n], v[n:]
        return np.concatenate([2 * product_A(bottom), 2 * product_D(bottom) - (top - top.mean())])

    operator = LinearOperator((2 * n, 2 * n), matvec=apply, dtype=np.float64)
    start = np.random.default_rng(0).standard_normal((2, n))
    start -= start.mean(axis=1, keepdims=True)
    try:
        return eigs(operator, k=1, which="LR", v0=start.ravel(), return_eigenvectors=False)
    except ArpackError:
        return _by_lapack(A, D)
