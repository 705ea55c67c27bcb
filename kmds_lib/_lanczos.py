"""Leading eigenpairs of a stored symmetric matrix, one vector at a time.

A single-vector Krylov space needs about half the arithmetic of a block, and BLAS reads one
triangle of the matrix alone. But it sees a repeated eigenvalue once. So a second space, kept
orthogonal to the eigenvectors found, looks for a copy that the first has missed; where it finds
one, or cannot tell, the caller falls back on the block method.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import linalg
from scipy.linalg.blas import dsymv

from kmds_lib._checks import FloatArray

_BREAKDOWN = 1e-13

# The second look ends once its leading residual is small beside its own Ritz value, and beside
# what is left up to the smallest eigenvalue found.
_CONVERGED = 0.05
_REMAINING = 0.25


class RitzPairs(NamedTuple):
    """Leading Ritz pairs of a Krylov space, largest value first.

    Attributes
    ----------
    values : ndarray of shape (k,)
        Approximate eigenvalues.
    vectors : ndarray of shape (n, k)
        Approximate eigenvectors.
    errors : ndarray of shape (k,)
        Norms of their residuals.
    scale : float
        Largest modulus of any Ritz value.
    """

    values: FloatArray
    vectors: FloatArray
    errors: FloatArray
    scale: float


def lanczos(
    M: FloatArray, start: FloatArray, k: int, *, centred: bool, target: float, steps: int = 150
) -> RitzPairs | None:
    """Return the k leading eigenpairs of M or HMH, or None where a block method must decide.

    Parameters
    ----------
    M : ndarray of shape (n, n)
        Symmetric and contiguous; one triangle is read.
    start : ndarray of shape (n, 2)
        Where the search and the second look begin.
    k : int
        How many pairs.
    centred : bool
        Whether the matrix is HMH.
    target : float
        Residual to reach, relative to the largest eigenvalue.
    steps : int
        Most steps of either search.

    Returns
    -------
    RitzPairs or None
        None after a breakdown, without convergence, or where a copy was missed.

    Examples
    --------
    >>> M = np.diag(0.5 ** np.arange(40))
    >>> start = np.random.default_rng(0).standard_normal((40, 2))
    >>> lanczos(M, start, 2, centred=False, target=1e-11).values.round(6)
    array([1. , 0.5])
    """
    if not (M.flags.c_contiguous or M.flags.f_contiguous):
        return None
    apply = _triangle_product(M, centred)
    nothing = np.empty((len(M), 0))

    def exact(values: FloatArray, errors: FloatArray) -> bool:
        return values[-1] > 0 and errors.max() <= target * values[0]

    found = _krylov_space(apply, start[:, 0], nothing, k, exact, steps)
    if found is None:
        return None
    least = found.values[-1]

    def decided(values: FloatArray, errors: FloatArray) -> bool:
        below = least - values[0]
        return below <= 0 or (
            errors[0] <= _CONVERGED * abs(values[0]) and errors[0] <= _REMAINING * below
        )

    rest = _krylov_space(apply, start[:, 1], found.vectors, 1, decided, steps)
    return found if rest is not None and rest.values[0] < least else None


def _triangle_product(M: FloatArray, centred: bool) -> Callable[[FloatArray], FloatArray]:
    fortran = M if M.flags.f_contiguous else M.T

    def apply(v: FloatArray) -> FloatArray:
        if not centred:
            return dsymv(1.0, fortran, v)
        z = dsymv(1.0, fortran, v - v.mean())
        z -= z.mean()
        return z

    return apply


def _krylov_space(
    apply: Callable[[FloatArray], FloatArray],
    q: FloatArray,
    known: FloatArray,
    k: int,
    done: Callable[[FloatArray, FloatArray], bool],
    steps: int,
) -> RitzPairs | None:
    """Grow a space orthogonal to `known` until the k leading Ritz pairs satisfy `done`."""
    limit = min(steps, len(q) - known.shape[1] - 1)
    Q = np.empty((len(q), limit), order="F")
    diagonal, beside = [], []
    q = _orthogonal(q, known, Q[:, :0])
    for m in range(1, limit + 1):
        size = linalg.norm(q)
        if size <= _BREAKDOWN * max(map(abs, diagonal), default=0.0):
            return None
        beside.append(size)
        Q[:, m - 1] = q / size
        q = apply(Q[:, m - 1])
        diagonal.append(Q[:, m - 1] @ q)
        q = _orthogonal(q, known, Q[:, :m])
        if m >= k and m % 2 == 0:
            values, S = linalg.eigh_tridiagonal(diagonal, beside[1:])
            errors = linalg.norm(q) * np.abs(S[-1])
            leading = slice(None, -k - 1, -1)
            if done(values[leading], errors[leading]):
                scale = float(max(-values[0], values[-1]))
                vectors = Q[:, :m] @ S[:, leading]
                return RitzPairs(values[leading], vectors, errors[leading], scale)
    return None


def _orthogonal(q: FloatArray, known: FloatArray, basis: FloatArray) -> FloatArray:
    """Return q without its part in two orthonormal families, taken out twice."""
    for _ in range(2):
        q = q - known @ (known.T @ q)
        q -= basis @ (basis.T @ q)
    return q
