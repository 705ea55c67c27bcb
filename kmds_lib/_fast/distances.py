"""Accurate distances from the expansion |x - y|^2 = |x|^2 + |y|^2 - 2 x'y.

The expansion needs one matrix product, but it suffers from cancellation if points are close
together and far from the origin. Therefore the mean is subtracted first, and close pairs are
computed again from their differences.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.spatial.distance import cdist

from kmds_lib._types import FloatArray

Function = Callable[[FloatArray], FloatArray]

BLOCK_ROWS = 96
"""Number of rows that are computed at once, so that they stay in the processor's cache."""

MOST_VARIABLES_FOR_DIFFERENCES = 8
"""Number of variables up to which differences are not slower than the expansion."""

CANCELLATION_BOUND = 2e-3
"""Squared distance, relative to a squared norm, up to which a pair is computed again: it may have
lost three digits. The norms of two points that are so close are almost equal."""


def euclidean(X: FloatArray, Y: FloatArray) -> FloatArray:
    """Return the distances between the rows of X and of Y."""
    return squared_euclidean(X, Y, lambda squares: np.sqrt(squares, out=squares))


def squared_euclidean(
    X: FloatArray, Y: FloatArray, function: Function = lambda squares: squares
) -> FloatArray:
    """Return the squared distances between rows, or a function of them, in one new array.

    If Y is X, the result is exactly symmetric, and the squared distances on the diagonal are
    exactly zero. The function is applied to blocks of squared distances, which it may overwrite.
    """
    one_set, mean = X is Y, Y.mean(axis=0)
    right = Y - mean
    left = right if one_set else X - mean
    norms, other_norms = _row_squares(left), _row_squares(right)
    out = np.empty((len(X), len(Y)))
    for top in range(0, len(X), BLOCK_ROWS):
        rows, columns = slice(top, top + BLOCK_ROWS), slice(top if one_set else 0, len(Y))
        block = out[rows, columns]
        if X.shape[1] <= MOST_VARIABLES_FOR_DIFFERENCES:
            block[...] = cdist(X[rows], Y[columns], "sqeuclidean")
        else:
            np.matmul(-2.0 * left[rows], right[columns].T, out=block)
            block += norms[rows, None]
            block += other_norms[columns]
            if one_set:
                np.fill_diagonal(block[:, : len(block)], np.inf)
            _recompute(block, CANCELLATION_BOUND * norms[rows], X[rows], Y[columns])
        if one_set:
            corner = block[:, : len(block)]
            corner[...] = 0.5 * (corner + corner.T)
            np.fill_diagonal(corner, 0.0)
        block[...] = function(block)
        if one_set:
            out[rows.stop :, rows] = block[:, len(block) :].T
    return out


def _recompute(squares: FloatArray, bounds: FloatArray, X: FloatArray, Y: FloatArray) -> None:
    """Compute squared distances up to the bound of their row again, from differences."""
    i, j = np.divmod(np.flatnonzero(squares <= bounds[:, None]), len(Y))
    if 5 * len(i) > squares.size:
        squares[...] = cdist(X, Y, "sqeuclidean")
        return
    for start in range(0, len(i), BLOCK_ROWS):
        a, b = i[start : start + BLOCK_ROWS], j[start : start + BLOCK_ROWS]
        squares[a, b] = _row_squares(X[a] - Y[b])


def _row_squares(X: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("ij,ij->i", X, X))
