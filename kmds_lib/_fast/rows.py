"""A symmetric function of two points, a panel of rows at a time: data stays in cache."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kmds_lib._checks import FloatArray

PANEL_ROWS = 128


def symmetric_matrix(
    entries: Callable[[FloatArray, FloatArray], FloatArray], X: FloatArray
) -> FloatArray:
    """Return the exactly symmetric matrix of a symmetric function, from its upper triangle."""
    K = np.empty((len(X), len(X)))
    for start in range(0, len(X), PANEL_ROWS):
        rows = slice(start, start + PANEL_ROWS)
        panel = entries(X[rows], X[start:])
        corner = panel[:, : len(panel)]
        K[rows, rows] = 0.5 * corner + 0.5 * corner.T
        K[rows, rows.stop :] = panel[:, len(panel) :]
        K[rows.stop :, rows] = panel[:, len(panel) :].T
    return K
