"""Lowest entry, highest entry and asymmetry of a matrix: what the checks at the door ask for."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import issymmetric

FloatArray = NDArray[np.float64]

_TILE = 192

_AT_ONCE = 1000
"""Order up to which a symmetric matrix is read as a whole: 0.11 ms against 0.21 ms in tiles at
n = 500, 0.51 and 0.76 at n = 1000, but 5.9 and 4.4 at n = 2000."""


def extremes(M: FloatArray) -> tuple[float, float, float]:
    """Return lowest entry, highest entry and largest |M - M^T|, in one pass over tiles in cache.

    Lowest and highest are those of one triangle; the other differs by the asymmetry at most.
    A NaN or an infinity anywhere makes at least one of the three figures non-finite.
    """
    n = len(M)
    if n <= _AT_ONCE and issymmetric(M):
        low, high = float(M.min()), float(M.max())
        if math.isfinite(low) and math.isfinite(high):
            return min(0.0, low), max(0.0, high), 0.0
    lows, highs, gaps = [0.0], [0.0], [0.0]
    buffers = np.empty((2, _TILE * _TILE))
    with np.errstate(invalid="ignore", over="ignore"):
        for i in range(0, n, _TILE):
            for j in range(i, n, _TILE):
                tile = M[i : i + _TILE, j : j + _TILE]
                upper, gap = (b[: tile.size].reshape(tile.shape) for b in buffers)
                upper[...] = tile
                gap[...] = M[j : j + _TILE, i : i + _TILE].T
                gap -= upper
                lows.append(upper.min())
                highs.append(upper.max())
                gaps += [gap.max(), -gap.min()]
    return float(np.min(lows)), float(np.max(highs)), float(np.max(gaps))
