"""Places of new objects on a map that stays, each found by a search of its own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kmds_lib._checks import FloatArray, warn_caller
from kmds_lib._embedding import NotConvergedWarning

_NEAREST = 3
"""Old objects around which the search begins."""
_STEPS = 1000
_TOLERANCE = 1e-9
"""Move of a point, relative to the size of the map, at which it rests."""
_AT_ONCE = 10**6
"""Distances formed at once."""


def least_places(X: FloatArray, targets: FloatArray, weights: FloatArray) -> FloatArray:
    """Return where the sum of w (|y - x| - target)^2 over the old points x is least.

    Targets and weights have a row for each new point: what its distances should be, and how much
    each counts. Of several starts, the lowest end counts; a warning tells if it had not come to
    rest.
    """
    places = np.empty((len(targets), X.shape[1]))
    starts = 1 + 2 * _NEAREST * X.shape[1]
    rows = max(1, _AT_ONCE // (starts * X.size))
    rests = True
    for first in range(0, len(targets), rows):
        part = slice(first, first + rows)
        t, w = targets[part], weights[part]
        ends, still = _settled(_around(X, t, w), X, t, w)
        gaps = np.linalg.norm(ends[:, :, None] - X, axis=-1) - t[:, None]
        best = np.argmin((w[:, None] * gaps**2).sum(axis=-1), axis=1)
        lowest = np.arange(len(best)), best
        places[part] = ends[lowest]
        rests = rests and bool(still[lowest].all())
    if not rests:
        warn_caller(
            f"Some new points had not come to rest after {_STEPS} steps: they may lie far from "
            "the map. Check the unit of new.",
            NotConvergedWarning,
        )
    return places


def _around(X: FloatArray, targets: FloatArray, weights: FloatArray) -> FloatArray:
    """Return starts for each row: both ways along each axis from the nearest, and the middle.

    On a line, where no point walks round another, the old points are starts too.
    """
    k = X.shape[1]
    near = np.argsort(np.where(weights > 0, targets, np.inf), axis=1)[:, :_NEAREST]
    away = np.concatenate([np.eye(k), -np.eye(k)])
    reach = np.take_along_axis(targets, near, axis=1)[..., None, None]
    starts = (X[near][:, :, None] + reach * away).reshape(len(targets), -1, k)
    fixed = np.vstack([X.mean(axis=0), X[: len(X) * (k == 1)]])
    return np.concatenate([starts, np.broadcast_to(fixed, (len(targets), *fixed.shape))], axis=1)


def _settled(
    starts: FloatArray, X: FloatArray, targets: FloatArray, weights: FloatArray
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Repeat the Guttman transform of one point: the mean of the nearest points on the circles.

    Return the ends, and which of them rest. Each stops by itself, whatever the others do.
    """
    m, each, k = starts.shape
    Y, row, size = starts.reshape(-1, k).copy(), np.repeat(np.arange(m), each), np.linalg.norm(X)
    moving = np.arange(len(Y))
    for _ in range(_STEPS):
        t, w = targets[row[moving]], weights[row[moving]]
        gaps = Y[moving, None] - X
        d = np.linalg.norm(gaps, axis=-1)
        pull = w * (1 - np.divide(t, d, out=np.ones_like(d), where=d > 0))
        move = (pull[..., None] * gaps).sum(axis=1) / w.sum(axis=-1, keepdims=True)
        Y[moving] -= move
        moving = moving[np.linalg.norm(move, axis=-1) > _TOLERANCE * size]
        if not len(moving):
            break
    rests = np.ones(len(Y), dtype=bool)
    rests[moving] = False
    return Y.reshape(starts.shape), rests.reshape(m, each)
