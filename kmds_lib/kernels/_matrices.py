"""Computation and checks of the values of a kernel matrix."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kmds_lib._rounding import equality_tolerance
from kmds_lib._types import FloatArray

_BLOCK_ROWS = 128
"""Rows that are computed at a time, so that their data stay in cache."""

_COMPARED_ROWS = 8
"""Rows that are compared with their columns, which costs 16 n kernel values."""


def check_overflow(K: FloatArray, name: str) -> FloatArray:
    """Return kernel values unchanged; refuse values that are not finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        total = K.sum()
    if not np.isfinite(total) and not np.isfinite(K).all():
        i, j = np.argwhere(~np.isfinite(K))[0]
        raise ValueError(
            f"{name} overflows: k(x_{i}, y_{j}) is {K[i, j]}. Rescale the points or change the "
            "parameters of the kernel."
        )
    return K


def check_symmetry(
    values: Callable[[FloatArray, FloatArray], FloatArray],
    X: FloatArray,
    name: str,
    tolerance: float,
) -> None:
    """Compare a few evenly spaced rows of a kernel matrix with their columns."""
    rows = np.unique(np.linspace(0, len(X) - 1, _COMPARED_ROWS).astype(int))
    with np.errstate(over="ignore", invalid="ignore"):
        from_rows, from_columns = values(X[rows], X), values(X, X[rows]).T
        gap = np.abs(from_rows - from_columns)
    finite = np.isfinite(gap)
    gap[~finite] = 0.0
    i, j = np.unravel_index(np.argmax(gap), gap.shape)
    if gap[i, j] > tolerance * np.abs(from_rows).max(initial=0.0, where=finite):
        raise ValueError(
            f"{name} is not symmetric: k(x_{rows[i]}, x_{j}) = {from_rows[i, j]:.6g} but "
            f"k(x_{j}, x_{rows[i]}) = {from_columns[i, j]:.6g}, a difference of {gap[i, j]:.3g}. "
            "A value must depend on its own two points alone, and symmetrically."
        )


def symmetric_matrix(
    values: Callable[[FloatArray, FloatArray], FloatArray], X: FloatArray
) -> FloatArray:
    """Return the exactly symmetric matrix of a symmetric function, from its upper triangle."""
    K = np.empty((len(X), len(X)))
    for start in range(0, len(X), _BLOCK_ROWS):
        rows = slice(start, start + _BLOCK_ROWS)
        block = values(X[rows], X[start:])
        corner = block[:, : len(block)]
        K[rows, rows] = 0.5 * corner + 0.5 * corner.T
        K[rows, rows.stop :] = block[:, len(block) :]
        K[rows.stop :, rows] = block[:, len(block) :].T
    return K


def check_not_constant(K: FloatArray) -> None:
    """Refuse a kernel matrix of different objects whose entries are equal up to rounding."""
    for part in (K[:1], K):  # for ordinary data, the first row is enough
        low, high = float(part.min()), float(part.max())
        if high - low > equality_tolerance() * max(high, -low):
            return
    raise ValueError(
        "The kernel matrix is constant to rounding: the kernel does not distinguish these "
        "objects. Rescale the data or change the parameters of the kernel."
    )
