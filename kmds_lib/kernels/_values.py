"""Kernel matrices: their values are finite, and symmetric in the two points."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kmds_lib._checks import ROUNDING, SYMMETRY_TOLERANCE, FloatArray

_PANEL_ROWS = 128
"""Rows that are computed at a time, so that data stays in cache."""

_COMPARED = 8
"""Rows that are compared with their columns: 16 n values beside the n^2 / 2 of the matrix."""


def check_overflow(K: FloatArray, name: str) -> FloatArray:
    """Return kernel values, all finite, or say which is not; `name` is that of the kernel."""
    with np.errstate(over="ignore", invalid="ignore"):
        total = K.sum()
    if not np.isfinite(total) and not np.isfinite(K).all():
        i, j = np.argwhere(~np.isfinite(K))[0]
        raise ValueError(
            f"{name} overflows: k(x_{i}, y_{j}) is {K[i, j]}. Rescale the points or its "
            "parameters."
        )
    return K


def check_symmetry(
    values: Callable[[FloatArray, FloatArray], FloatArray], X: FloatArray, name: str
) -> None:
    """Compare a few rows of a kernel matrix, spread over all, with their columns."""
    rows = np.unique(np.linspace(0, len(X) - 1, _COMPARED).astype(int))
    with np.errstate(over="ignore", invalid="ignore"):
        there, back = values(X[rows], X), values(X, X[rows]).T
        gap = np.abs(there - back)
    finite = np.isfinite(gap)
    gap[~finite] = 0.0
    i, j = np.unravel_index(np.argmax(gap), gap.shape)
    if gap[i, j] > SYMMETRY_TOLERANCE * np.abs(there).max(initial=0.0, where=finite):
        raise ValueError(
            f"{name} is not symmetric: k(x_{rows[i]}, x_{j}) = {there[i, j]:.6g} but "
            f"k(x_{j}, x_{rows[i]}) = {back[i, j]:.6g}. A value may depend on its own two points "
            "alone, and on both in the same way."
        )


def symmetric_matrix(
    entries: Callable[[FloatArray, FloatArray], FloatArray], X: FloatArray
) -> FloatArray:
    """Return the exactly symmetric matrix of a symmetric function, from its upper triangle."""
    K = np.empty((len(X), len(X)))
    for start in range(0, len(X), _PANEL_ROWS):
        rows = slice(start, start + _PANEL_ROWS)
        panel = entries(X[rows], X[start:])
        corner = panel[:, : len(panel)]
        K[rows, rows] = 0.5 * corner + 0.5 * corner.T
        K[rows, rows.stop :] = panel[:, len(panel) :]
        K[rows.stop :, rows] = panel[:, len(panel) :].T
    return K


def check_not_constant(K: FloatArray) -> None:
    """Refuse a kernel matrix of different objects that is constant to rounding."""
    for part in (K[:1], K):  # one row tells for ordinary data
        low, high = float(part.min()), float(part.max())
        if high - low > ROUNDING * max(high, -low):
            return
    raise ValueError(
        "The kernel matrix is constant to rounding: the kernel does not tell these objects apart. "
        "Rescale the data or the kernel's parameters."
    )
