"""The pseudo-inverse of a sparse cost matrix: formed, or applied by a sparse factor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import linalg
from scipy.sparse import csr_array, diags_array
from scipy.sparse.linalg import splu

from kmds_lib._checks import EPS, FloatArray
from kmds_lib._eigen import DENSE_UP_TO, KRYLOV_PART, Eigenpairs, solve, solve_operator
from kmds_lib._fast.nearest import Graph
from kmds_lib.linalg import canonical_signs

FULL_FROM = 0.1
"""Part of the entries of a cost matrix that are not zero from which it is treated as full."""


def pseudo_inverse(M: Graph, null: FloatArray) -> FloatArray:
    """Return the pseudo-inverse of a semidefinite matrix whose null space is one unit vector."""
    shift = float(M.diagonal().mean())
    try:
        factor = linalg.cho_factor(M.toarray() + shift * np.outer(null, null), lower=True)
    except linalg.LinAlgError:
        raise _several_zeros() from None
    inverse = linalg.cho_solve(factor, np.eye(len(null)))
    K = inverse - np.outer(null, null) / shift
    return np.asarray(0.5 * (K + K.T))


def cheapest_axes(cost: Graph, balance: FloatArray, k: int) -> Eigenpairs:
    """Return the k leading eigenpairs of the pseudo-inverse of S M S, S = diag(balance), M 1 = 0.

    Small or full matrices are inverted; for the others, one row and column is left out, which
    makes the matrix definite, and a sparse factor solves for each vector of a Krylov space.
    """
    n = len(balance)
    S = diags_array(balance)
    M = csr_array(S @ cost @ S)
    null = 1 / (balance * linalg.norm(1 / balance))
    pairs = None
    if n > DENSE_UP_TO and k * KRYLOV_PART <= n and M.nnz < FULL_FROM * n * n:
        pairs = solve_operator(_Grounded(M, null), null[:, None], k)
    if pairs is None:
        pairs = solve(pseudo_inverse(M, null), k, centred=False)
    size = float(abs(M).sum(axis=0).max())
    if not 0 < pairs.values[0] * size < 1 / (16 * n * EPS):
        raise _several_zeros()
    vectors = canonical_signs(balance[:, None] * pairs.vectors) / balance[:, None]
    residual = float(linalg.norm(M @ vectors - vectors / pairs.values, axis=0).max()) / size
    return replace(pairs, vectors=vectors, residual=residual)


class _Grounded:
    """The pseudo-inverse of M, by a sparse factor of M without its last row and column."""

    def __init__(self, M: Graph, null: FloatArray) -> None:
        self.null = null
        options = {"SymmetricMode": True}
        try:
            self.factor = splu(
                M[:-1, :-1].tocsc(), "MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options
            )
        except RuntimeError:
            raise _several_zeros() from None

    def __call__(self, v: FloatArray) -> FloatArray:
        b = v - self.null * (self.null @ v)
        x = np.append(self.factor.solve(b[:-1]), 0.0)
        return np.asarray(x - self.null * (self.null @ x))


def _several_zeros() -> ValueError:
    return ValueError(
        "More than one eigenvalue of the cost matrix is zero to rounding, so that the axes are "
        "not determined: the graph is joined by weights too small to count. Take more "
        "neighbours, or a larger t or regularization."
    )
