"""Accurate distances from the expansion |x - y|^2 = |x|^2 + |y|^2 - 2 x'y.

The expansion needs one matrix product, but it suffers from cancellation if points are close
together and far from the origin. Therefore the mean is subtracted first, and close pairs are
computed again from their differences. The distances are computed in blocks of rows that fit into
the processor's cache.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.spatial.distance import cdist

from kmds_lib._types import FloatArray

Function = Callable[[FloatArray], FloatArray]
Fill = Callable[[FloatArray, FloatArray, FloatArray], None]

BLOCK_ROWS, BLOCK_ENTRIES = 192, 2**16
"""A block has half a MiB, or 192 rows if these need more. With 784 variables, 192 rows take 6.2 ms
at n = 500 and 298 ms at n = 4000; 128 rows take 6.6 and 307 ms, 256 rows 6.9 and 299 ms."""

CENTRE_ABOVE = 0.5
"""Squared norm of the mean, relative to the mean squared norm, above which points are centred."""

MOST_VARIABLES_FOR_DIFFERENCES = 8
"""Number of variables up to which differences are not slower than the expansion."""

MOST_VARIABLES_FOR_CDIST = 12
"""The same for distances without a function: at n = 500, ten variables take 0.67 ms by differences
and 0.85 ms by the expansion; sixteen take 1.01 and 0.97 ms."""

MOST_VARIABLES_WITH_NORMS = 16
"""Number of variables up to which the product between two sets includes the norms, as two further
variables. With ten variables, `transform` of 1000 points then takes a tenth less time; with more,
the copies need too much memory."""

CANCELLATION_BOUND = 1e-3
"""Squared distance, relative to the squared norms, below which a pair is computed again."""

WHOLE_BLOCK_FRACTION = 0.2
"""Fraction of such pairs above which the whole block is computed from differences."""


def euclidean(X: FloatArray, Y: FloatArray) -> FloatArray:
    """Return the distances between the rows of X and of Y."""
    if X.shape[1] <= MOST_VARIABLES_FOR_CDIST:
        return cdist(X, Y)
    return squared_euclidean(X, Y, lambda squares: np.sqrt(squares, out=squares))


def squared_euclidean(
    X: FloatArray, Y: FloatArray, function: Function = lambda squares: squares
) -> FloatArray:
    """Return the squared distances between rows, or a function of them, in one new array.

    If Y is X, the result is exactly symmetric, and the squared distances on the diagonal are
    exactly zero. The function is applied to blocks of squared distances, which it may overwrite.
    """
    by_differences = X.shape[1] <= MOST_VARIABLES_FOR_DIFFERENCES
    fill = _differences if by_differences else _expansion(X, Y)
    mirrored = X is Y and not by_differences
    out = np.empty((len(X), len(Y)))
    height = max(BLOCK_ROWS, BLOCK_ENTRIES // max(len(Y), 1))
    for top in range(0, len(X), height):
        rows, columns = slice(top, top + height), slice(top if mirrored else 0, len(Y))
        block = out[rows, columns]
        fill(X[rows], Y[columns], block)
        if mirrored:
            corner = block[:, : len(block)]
            corner[...] = 0.5 * (corner + corner.T)
            np.fill_diagonal(corner, 0.0)
        values = function(block)
        if values is not block:
            block[...] = values
        if mirrored:
            out[rows.stop :, rows] = block[:, len(block) :].T
    return out


def _differences(X: FloatArray, Y: FloatArray, block: FloatArray) -> None:
    """Fill a block with squared distances, computed from the differences of coordinates."""
    if block.flags.c_contiguous:
        cdist(X, Y, "sqeuclidean", out=block)
    else:
        block[...] = cdist(X, Y, "sqeuclidean")


def _expansion(all_X: FloatArray, all_Y: FloatArray) -> Fill:
    """Return a function that fills a block by the expansion and repairs cancellation."""
    mean, all_norms = all_Y.mean(axis=0), _row_squares(all_Y)
    is_centred = mean @ mean > CENTRE_ABOVE * all_norms.mean()
    if is_centred:
        all_norms = _row_squares(all_Y - mean)
    centred = all_Y - mean if is_centred else all_Y
    one_set = all_X is all_Y
    with_norms = None
    is_wide = all_Y.shape[1] <= MOST_VARIABLES_WITH_NORMS and len(all_Y) >= BLOCK_ROWS
    if is_wide and not one_set:
        with_norms = np.vstack([centred.T, all_norms, np.ones(len(centred))])

    def fill(X: FloatArray, Y: FloatArray, block: FloatArray) -> None:
        right, right_norms = centred[len(centred) - len(Y) :], all_norms[len(centred) - len(Y) :]
        if one_set:
            left, left_norms = right[: len(X)], right_norms[: len(X)]
        else:
            left = X - mean if is_centred else X
            left_norms = _row_squares(left)
        if with_norms is not None:
            ones = np.ones(len(left))
            np.matmul(np.column_stack([-2.0 * left, ones, left_norms]), with_norms, out=block)
        else:
            # Multiply the smaller factor by -2: a copy of the other can be larger than the block.
            if len(left) <= len(right):
                np.matmul(-2.0 * left, right.T, out=block)
            else:
                np.matmul(left, (-2.0 * right).T, out=block)
            block += left_norms[:, None]
            block += right_norms
        if one_set:
            np.fill_diagonal(block[:, : len(block)], np.inf)
        _repair(block, X, Y, left_norms, right_norms)

    return fill


def _repair(
    squares: FloatArray, X: FloatArray, Y: FloatArray, norms: FloatArray, other_norms: FloatArray
) -> None:
    """Recompute from differences the distances that lost three digits to cancellation."""
    bound = CANCELLATION_BOUND * (norms + other_norms.max())
    if (squares.min(axis=1) > bound).all():
        return
    low = np.flatnonzero(squares <= bound[:, None])
    i, j = np.divmod(low, squares.shape[1])
    near = squares[i, j] <= CANCELLATION_BOUND * (norms[i] + other_norms[j])
    i, j = i[near], j[near]
    if len(i) > WHOLE_BLOCK_FRACTION * squares.size:
        _differences(X, Y, squares)
        return
    chunk = max(1, BLOCK_ENTRIES // X.shape[1])
    for start in range(0, len(i), chunk):
        a, b = i[start : start + chunk], j[start : start + chunk]
        squares[a, b] = _row_squares(X[a] - Y[b])


def _row_squares(X: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("ij,ij->i", X, X))
