"""LAPACK for the leading eigenpairs of a symmetric matrix, where it can be trusted."""

from __future__ import annotations

import numpy as np
from scipy import linalg
from scipy.linalg.blas import dnrm2

from kmds_lib._checks import EPS, FloatArray
from kmds_lib._fast.krylov import LeadingPairs, yardstick

SCALE_STEPS = 20
"""Powers that bring the estimate of the largest modulus to within a factor of two: they miss it
only from a start whose part along its eigenvector is below 2^-20."""


def dense_eigenpairs(A: FloatArray, k: int) -> LeadingPairs:
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
