"""Functions of the rows of a matrix, computed block by block to limit the memory."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kmds_lib._types import FloatArray

BLOCK_ENTRIES = 2**20
"""Entries of an intermediate array, which needs 8 MiB."""


def map_rows(
    function: Callable[[FloatArray], FloatArray], X: FloatArray, k: int, values: int
) -> FloatArray:
    """Return the (n, k) values of a function of the rows of X, which are computed in blocks.

    The function needs an intermediate array with `values` numbers for each row.
    """
    out, height = np.empty((len(X), k)), max(1, BLOCK_ENTRIES // max(values, 1))
    for start in range(0, len(X), height):
        rows = slice(start, start + height)
        out[rows] = function(X[rows])
    return out
