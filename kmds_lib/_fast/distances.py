"""Distances by the expansion |x - y|^2 = |x|^2 + |y|^2 - 2 x'y, with all their digits.

The expansion is one matrix product, but it cancels where points are close together and far from
the origin. So norms are taken about the mean, and close pairs computed again from their
differences. Panels of rows are finished while they are in the processor's cache.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.spatial.distance import cdist

from kmds_lib._checks import FloatArray

Function = Callable[[FloatArray], FloatArray]
Fill = Callable[[FloatArray, FloatArray, FloatArray], None]

PANEL_ROWS, PANEL_ENTRIES = 192, 2**16
"""A panel holds half a MiB, or 192 rows where those are more. With 784 variables these cost 6.2 ms
at n = 500 and 298 ms at n = 4000; 128 rows 6.6 and 307, 256 rows 6.9 and 299."""

SHIFT_FROM = 0.5
"""Part of the mean square up to which moving the origin to the mean gains no digit."""

DIRECT_UP_TO = 8
"""Variables up to which differences are no slower than the expansion, whatever is made of them."""

CDIST_UP_TO = 12
"""The same for plain distances: at n = 500 ten variables take 0.67 ms by differences and 0.85 ms
by the expansion, sixteen 1.01 and 0.97."""

CANCELLED = 1e-3
"""Squared distance, relative to the squared norms, below which the expansion loses digits."""

DIRECT_FROM = 0.2
"""Part of a panel that has cancelled from which the whole panel is computed from differences."""


def euclidean(X: FloatArray, Y: FloatArray) -> FloatArray:
    """Return the distances between the rows of X and of Y."""
    if X.shape[1] <= CDIST_UP_TO:
        return cdist(X, Y)
    return squared_euclidean(X, Y, lambda squares: np.sqrt(squares, out=squares))


def squared_euclidean(
    X: FloatArray, Y: FloatArray, function: Function = lambda squares: squares
) -> FloatArray:
    """Return the squared distances between rows, or a function of them, in one new array.

    Where Y is X itself, the result is exactly symmetric, and the squared distances on the diagonal
    are exactly zero. The function is applied to panels of squares, which it may overwrite.
    """
    by_differences = X.shape[1] <= DIRECT_UP_TO
    fill = _differences if by_differences else _expansion(X, Y)
    mirrored = X is Y and not by_differences
    out = np.empty((len(X), len(Y)))
    height = max(PANEL_ROWS, PANEL_ENTRIES // max(len(Y), 1))
    for top in range(0, len(X), height):
        rows, columns = slice(top, top + height), slice(top if mirrored else 0, len(Y))
        panel = out[rows, columns]
        fill(X[rows], Y[columns], panel)
        if mirrored:
            corner = panel[:, : len(panel)]
            corner[...] = 0.5 * (corner + corner.T)
            np.fill_diagonal(corner, 0.0)
        values = function(panel)
        if values is not panel:
            panel[...] = values
        if mirrored:
            out[rows.stop :, rows] = panel[:, len(panel) :].T
    return out


def _differences(X: FloatArray, Y: FloatArray, panel: FloatArray) -> None:
    """Fill a panel with squared distances from the differences of coordinates."""
    if panel.flags.c_contiguous:
        cdist(X, Y, "sqeuclidean", out=panel)
    else:
        panel[...] = cdist(X, Y, "sqeuclidean")


def _expansion(all_X: FloatArray, all_Y: FloatArray) -> Fill:
    """Return a function that fills a panel by the expansion, and repairs what has cancelled."""
    mean, all_norms = all_Y.mean(axis=0), _row_squares(all_Y)
    shifted = mean @ mean > SHIFT_FROM * all_norms.mean()
    if shifted:
        all_norms = _row_squares(all_Y - mean)
    centred = all_Y - mean if shifted else all_Y
    one_set = all_X is all_Y

    def fill(X: FloatArray, Y: FloatArray, panel: FloatArray) -> None:
        right, right_norms = centred[len(centred) - len(Y) :], all_norms[len(centred) - len(Y) :]
        if one_set:
            left, left_norms = right[: len(X)], right_norms[: len(X)]
        else:
            left = X - mean if shifted else X
            left_norms = _row_squares(left)
        # The fewer rows take the factor -2: the copy of the others' would be more than the panel.
        if len(left) <= len(right):
            np.matmul(-2.0 * left, right.T, out=panel)
        else:
            np.matmul(left, (-2.0 * right).T, out=panel)
        panel += left_norms[:, None]
        panel += right_norms
        if one_set:
            np.fill_diagonal(panel[:, : len(panel)], np.inf)
        _repair(panel, X, Y, left_norms, right_norms)

    return fill


def _repair(
    squares: FloatArray, X: FloatArray, Y: FloatArray, norms: FloatArray, other_norms: FloatArray
) -> None:
    """Compute again, from differences, the pairs of which three digits have cancelled."""
    bound = CANCELLED * (norms + other_norms.max())
    if (squares.min(axis=1) > bound).all():
        return
    low = np.flatnonzero(squares <= bound[:, None])
    i, j = np.divmod(low, squares.shape[1])
    near = squares[i, j] <= CANCELLED * (norms[i] + other_norms[j])
    i, j = i[near], j[near]
    if len(i) > DIRECT_FROM * squares.size:
        _differences(X, Y, squares)
        return
    chunk = max(1, PANEL_ENTRIES // X.shape[1])
    for start in range(0, len(i), chunk):
        a, b = i[start : start + chunk], j[start : start + chunk]
        squares[a, b] = _row_squares(X[a] - Y[b])


def _row_squares(X: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("ij,ij->i", X, X))
