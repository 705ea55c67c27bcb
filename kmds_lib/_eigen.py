"""The eigenvalue solver: leading eigenpairs of a symmetric matrix A, or of H A H.

LAPACK is used for small matrices and for many pairs. Otherwise a Krylov method is used, which
needs only products of the matrix with vectors; see ``kmds_lib._fast.krylov``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import linalg
from scipy.linalg.blas import dnrm2

from kmds_lib._fast.krylov import (
    KrylovSearch,
    RawEigenpairs,
    residual_denominator,
    symmetric_product,
)
from kmds_lib._rounding import EPS
from kmds_lib._types import FloatArray

LARGEST_DENSE_ORDER = 300
"""Largest order at which LAPACK is always used: there a Krylov method saves no time."""

KRYLOV_PAIRS_DIVISOR = 16
"""The Krylov method is used for k <= n / 16 pairs, because it saves little time for more."""

POWER_STEPS = 20
"""Steps of the power method that bring the estimate of the largest absolute eigenvalue to within a
factor of two, unless the component of the start along its eigenvector is below 2^-20."""

SIGN_TIE = 1e-8
"""Relative difference up to which the absolute values of two entries count as equal."""


@dataclass(frozen=True, eq=False)
class Eigenpairs:
    r"""Leading eigenpairs of a symmetric matrix M.

    Attributes
    ----------
    values : ndarray of shape (k,)
        The k algebraically largest eigenvalues, in descending order.
    vectors : ndarray of shape (n, k)
        Orthonormal eigenvectors in columns, with the signs of `canonical_signs`.
    residual : float
        Largest norm of :math:`M v - \lambda v` over the pairs, divided by the largest eigenvalue
        or by ``1e-5 * scale``, whichever is larger. For LAPACK it is computed with products by M,
        for a Krylov method from the last direction, so that it does not include the rounding
        errors of the products.
    solver : str
        ``"krylov"`` or ``"dense"``.
    scale : float
        Estimate of the largest absolute eigenvalue, from below and within a factor of two.
        Rounding errors of eigenvalues are relative to it.
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


def double_centre(A: FloatArray) -> FloatArray:
    """Return H A H, a new array: step 2 of classical scaling."""
    B: FloatArray = A - A.mean(axis=0)
    B -= B.mean(axis=1)[:, None]
    return B


def leading_eigenpairs(A: FloatArray, k: int, *, centring: bool) -> Eigenpairs:
    """Return the k leading eigenpairs of A, or of H A H with `centring`.

    Introduced in Chapter 4, Classical scaling. A Krylov method is used if n exceeds 300 and at
    most n / 16 pairs are wanted. Otherwise, or if this method does not converge, LAPACK is used.
    The same input always gives the same output, including the signs. Source: Wu & Simon (2000).

    A must be finite and symmetric, and zero or with a largest entry between 1e-150 and 1e150 in
    absolute value. Residuals, as defined in `Eigenpairs`, are at most 1e-10, unless rounding
    errors are larger: if negative eigenvalues, or the part that centring removes, are many times
    larger than the largest eigenvalue.
    """
    if len(A) > LARGEST_DENSE_ORDER and k * KRYLOV_PAIRS_DIVISOR <= len(A):
        # On vectors orthogonal to the vector of ones, whose eigenvalue is 0, HAH acts like A.
        null_vectors = np.full((len(A), int(centring)), len(A) ** -0.5)
        pairs = leading_eigenpairs_of_operator(symmetric_product(A), null_vectors, k)
        if pairs is not None:
            return pairs
    return _with_signs(_dense_eigenpairs(double_centre(A) if centring else A, k), "dense")


def leading_eigenpairs_of_operator(
    apply: Callable[[FloatArray], FloatArray], null_vectors: FloatArray, k: int
) -> Eigenpairs | None:
    """Return the k leading eigenpairs of v -> M v, or None if the method does not converge.

    The columns of `null_vectors` are orthonormal eigenvectors with eigenvalue 0.
    """
    pairs = KrylovSearch(apply, null_vectors).leading(k)
    return None if pairs is None else _with_signs(pairs, "krylov")


def all_eigenvalues(A: FloatArray, *, centring: bool) -> FloatArray:
    """Return all eigenvalues of A, or of H A H, in descending order."""
    values = linalg.eigvalsh(double_centre(A) if centring else A, check_finite=False)
    return np.asarray(values[::-1], dtype=np.float64)


def smallest_eigenvalue(A: FloatArray, *, centring: bool) -> float:
    """Return the algebraically smallest eigenvalue of A, or of H A H."""
    return -float(leading_eigenpairs(-A, 1, centring=centring).values[0])


def has_no_negative_eigenvalue(A: FloatArray, tol: float) -> bool:
    """Return True if HAH is positive semidefinite up to a relative tolerance.

    A small multiple of the identity is added before a Cholesky factorisation: at least `tol`, and
    at least n times the machine precision, times the largest eigenvalue. HAH has a positive
    eigenvalue unless A = 0.
    """
    largest = float(leading_eigenpairs(A, 1, centring=True).values[0])
    if largest <= 0:
        return not A.any()
    B = double_centre(A)
    B[np.diag_indices_from(B)] += max(tol, len(B) * EPS) * largest
    try:
        linalg.cholesky(B, overwrite_a=True, check_finite=False)
    except linalg.LinAlgError:
        return False
    return True


def with_canonical_signs(V: FloatArray) -> FloatArray:
    """Return the columns times +1 or -1, so that the largest entry in absolute value is positive.

    If entries are tied, the first decides. This is `canonical_signs` without its input check.
    """
    sizes = np.abs(V.T, order="C")
    first = np.argmax(sizes >= (1 - SIGN_TIE) * sizes.max(axis=1, keepdims=True), axis=1)
    return V * np.where(V[first, np.arange(V.shape[1])] < 0, -1.0, 1.0)


def _with_signs(pairs: RawEigenpairs, solver: str) -> Eigenpairs:
    vectors = with_canonical_signs(pairs.vectors)
    return Eigenpairs(pairs.values, vectors, pairs.residual, solver, pairs.scale)


def _dense_eigenpairs(A: FloatArray, k: int) -> RawEigenpairs:
    """Return the k leading eigenpairs of A from LAPACK.

    The driver for a subset of the pairs raises an error, or silently omits vectors, on some
    matrices with a highly repeated eigenvalue, such as that of the regular simplex. In these cases
    all pairs are computed.
    """
    n = len(A)
    try:
        values, V = linalg.eigh(A, subset_by_index=[n - k, n - 1], check_finite=False)
        orthonormal = V.shape[1] == k and np.abs(V.T @ V - np.eye(k)).max() <= n * EPS**0.75
    except linalg.LinAlgError:
        orthonormal = False
    if not orthonormal:
        values, V = linalg.eigh(A, driver="evd", check_finite=False)
    values, V = values[: -k - 1 : -1], V[:, : -k - 1 : -1]
    scale = max(_largest_absolute_eigenvalue(A), float(np.abs(values).max()))
    errors = linalg.norm(A @ V - V * values, axis=0)
    residual = float(errors.max()) / (residual_denominator(values[0], scale) or 1.0)
    return RawEigenpairs(values, V, residual, scale)


def _largest_absolute_eigenvalue(A: FloatArray) -> float:
    """Estimate the largest absolute eigenvalue from below by the power method."""
    v, size = np.random.default_rng(0).standard_normal(len(A)), 1.0
    for _ in range(POWER_STEPS):
        v = A @ (v / size)
        size = dnrm2(v)
        if size == 0:
            break
    return float(size)
