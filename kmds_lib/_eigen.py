"""The one solver: leading eigenpairs of a symmetric matrix, or of the matrix centred.

LAPACK decomposes small matrices and gives many pairs; for the rest a Krylov space, which stands in
``kmds_lib._fast``, needs products with the matrix alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import linalg
from scipy.linalg.blas import dnrm2

from kmds_lib._checks import EPS, FloatArray
from kmds_lib._fast.krylov import (
    LeadingPairs,
    krylov_eigenpairs,
    sum_of_squares,
    symmetric_product,
    yardstick,
)
from kmds_lib._linalg import canonical_signs

DENSE_UP_TO = 300
"""LAPACK takes 2 to 3 ms at n = 300, a Krylov space 2 to 5 ms on a flat spectrum."""

KRYLOV_PART = 16
"""The Krylov route takes k <= n / 16. On a flat spectrum of n = 2000 it needs 0.32 s for k = 100,
LAPACK 0.5 s; at n = 500 and 1000 the two meet between k = n / 16 and n / 10."""

SCALE_STEPS = 20
"""Powers that bring the estimate of the largest modulus to within a factor of two: they miss it
only from a start whose part along its eigenvector is below 2^-20."""


@dataclass(frozen=True, eq=False)
class Eigenpairs:
    r"""Leading eigenpairs of a symmetric matrix.

    Attributes
    ----------
    values : ndarray of shape (k,)
        The k algebraically largest eigenvalues, in descending order.
    vectors : ndarray of shape (n, k)
        Orthonormal eigenvectors in columns, with the signs of `canonical_signs`.
    residual : float
        Largest norm of :math:`M v - \lambda v` over the pairs, divided by the largest eigenvalue
        or, where that is more, by a hundred thousandth of `scale`. LAPACK's pairs are multiplied
        by M; a Krylov space knows the norm without that, but not the rounding of its products.
    solver : str
        ``"krylov"`` or ``"dense"``.
    scale : float
        Estimate, from below and within a factor of two, of the largest modulus of any
        eigenvalue: the yardstick for what is zero.
    """

    values: FloatArray
    vectors: FloatArray
    residual: float
    solver: str
    scale: float


def minus_half_squares(D: FloatArray) -> FloatArray:
    """Return A = -1/2 D^(2), a new array: step 1 of classical scaling."""
    A = np.square(D)
    A *= -0.5
    return A


def centre(A: FloatArray) -> FloatArray:
    """Return H A H, a new array: step 2 of classical scaling."""
    B: FloatArray = A - A.mean(axis=0)
    B -= B.mean(axis=1)[:, None]
    return B


def leading_eigenpairs(A: FloatArray, k: int, *, centred: bool) -> Eigenpairs:
    """Return the k leading eigenpairs of A, or of H A H: the one solver of every method.

    Introduced in Chapter 4, Classical scaling. LAPACK where n is at most 300 or more than n / 16
    pairs are asked for. Elsewhere a Krylov space with full reorthogonalisation and thick restarts;
    copies of repeated eigenvalues are ruled out by the sum of squares of all, or looked for a
    second time; LAPACK again where it does not converge. Same input, same output, same signs.
    Source: Wu & Simon (2000).

    A is finite and symmetric, its largest entry between 1e-150 and 1e150 in size, or 0. Residuals,
    as `Eigenpairs` measures them, are at most 1e-10, unless rounding alone is more: where the
    negative eigenvalues, or what centring takes away, are many times larger than the largest.
    """
    if len(A) > DENSE_UP_TO and k * KRYLOV_PART <= len(A):
        # Orthogonal to the vector of ones, which is known to have the eigenvalue 0, HAH acts as A.
        known = np.full((len(A), int(centred)), len(A) ** -0.5)
        squares = partial(sum_of_squares, A, known)
        found = krylov_eigenpairs(symmetric_product(A), known, k, squares)
        if found is not None:
            return _with_signs(found, "krylov")
    return _with_signs(_dense_eigenpairs(centre(A) if centred else A, k), "dense")


def leading_eigenpairs_of_operator(
    apply: Callable[[FloatArray], FloatArray], known: FloatArray, k: int
) -> Eigenpairs | None:
    """Return the k leading eigenpairs of v -> M v, or None where that does not converge in time.

    Orthonormal vectors of the eigenvalue 0 that are known beforehand come in columns of `known`.
    """
    found = krylov_eigenpairs(apply, known, k)
    return None if found is None else _with_signs(found, "krylov")


def all_eigenvalues(A: FloatArray, *, centred: bool) -> FloatArray:
    """Return every eigenvalue of A, or of H A H, in descending order."""
    values = linalg.eigvalsh(centre(A) if centred else A, check_finite=False)
    return np.asarray(values[::-1], dtype=np.float64)


def smallest_eigenvalue(A: FloatArray, *, centred: bool) -> float:
    """Return the algebraically smallest eigenvalue of A, or of H A H, from the same solver."""
    return -float(leading_eigenpairs(-A, 1, centred=centred).values[0])


def _with_signs(found: LeadingPairs, solver: str) -> Eigenpairs:
    vectors = canonical_signs(found.vectors)
    return Eigenpairs(found.values, vectors, found.residual, solver, found.scale)


def _dense_eigenpairs(A: FloatArray, k: int) -> LeadingPairs:
    """Return the k leading eigenpairs of A, from all of them where LAPACK's choice of a few fails.

    The driver for a few pairs ends in an error, or loses vectors without one, on some matrices
    with a highly repeated eigenvalue, such as that of the regular simplex.
    """
    n = len(A)
    try:
        values, V = linalg.eigh(A, subset_by_index=[n - k, n - 1], check_finite=False)
        sound = V.shape[1] == k and np.abs(V.T @ V - np.eye(k)).max() <= n * EPS**0.75
    except linalg.LinAlgError:
        sound = False
    if not sound:
        values, V = linalg.eigh(A, driver="evd", check_finite=False)
    values, V = values[: -k - 1 : -1], V[:, : -k - 1 : -1]
    scale = max(_largest_modulus(A), float(np.abs(values).max()))
    errors = linalg.norm(A @ V - V * values, axis=0)
    residual = float(errors.max()) / (yardstick(values[0], scale) or 1.0)
    return LeadingPairs(values, V, residual, scale)


def _largest_modulus(A: FloatArray) -> float:
    """Estimate, from below, the largest modulus of an eigenvalue by powers of A."""
    v, size = np.random.default_rng(0).standard_normal(len(A)), 1.0
    for _ in range(SCALE_STEPS):
        v = A @ (v / size)
        size = dnrm2(v)
        if size == 0:
            break
    return float(size)
