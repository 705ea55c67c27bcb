"""Placement of new points on a fixed configuration, each by minimising its own stress."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kmds_lib._messages import NotConvergedWarning, warn_caller
from kmds_lib._types import FloatArray

_N_NEAREST = 3
"""Number of nearest old points around which the starting points are placed."""
_MAX_STEPS = 1000
_RELATIVE_TOL = 1e-9
"""Step of a point, relative to the norm of the configuration, at which it has converged."""
_MAX_DISTANCES = 10**6
"""Number of distances that are computed at once."""


def place_by_least_stress(X: FloatArray, targets: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the minimisers y of sum_j w_j (|y - x_j| - target_j)^2 over the old points x_j.

    `targets` and `weights` have one row for each new point. The best of several starts is
    returned. Warn if a returned point has not converged.
    """
    placed = np.empty((len(targets), X.shape[1]))
    n_starts = 1 + 2 * _N_NEAREST * X.shape[1]
    n_rows = max(1, _MAX_DISTANCES // (n_starts * X.size))
    all_converged = True
    for first in range(0, len(targets), n_rows):
        rows = slice(first, first + n_rows)
        t, w = targets[rows], weights[rows]
        ends, converged = _repeat_guttman_transform(_starting_points(X, t, w), X, t, w)
        errors = np.linalg.norm(ends[:, :, None] - X, axis=-1) - t[:, None]
        best = np.argmin((w[:, None] * errors**2).sum(axis=-1), axis=1)
        best_ends = np.arange(len(best)), best
        placed[rows] = ends[best_ends]
        all_converged = all_converged and bool(converged[best_ends].all())
    if not all_converged:
        warn_caller(
            f"Some new points did not converge in {_MAX_STEPS} steps: they may be far from "
            "the map. Check the unit of new.",
            NotConvergedWarning,
        )
    return placed


def _starting_points(X: FloatArray, targets: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the starting points of each new point, shape (m, n_starts, k).

    They are the mean of the old points, and the points at the target distance from each of the
    nearest old points, in both directions along each axis. In one dimension a point cannot move
    past another, and therefore all old points are starting points too.
    """
    k = X.shape[1]
    nearest = np.argsort(np.where(weights > 0, targets, np.inf), axis=1)[:, :_N_NEAREST]
    directions = np.concatenate([np.eye(k), -np.eye(k)])
    radius = np.take_along_axis(targets, nearest, axis=1)[..., None, None]
    around = (X[nearest][:, :, None] + radius * directions).reshape(len(targets), -1, k)
    common = np.vstack([X.mean(axis=0), X if k == 1 else X[:0]])
    return np.concatenate([around, np.broadcast_to(common, (len(targets), *common.shape))], axis=1)


def _repeat_guttman_transform(
    starts: FloatArray, X: FloatArray, targets: FloatArray, weights: FloatArray
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Repeat the Guttman transform of each point; return the mask of those that converge.

    The transform of y is the weighted mean of the points at distance target_j from x_j in the
    direction of y. Each point stops on its own, so that the result does not depend on the others.
    """
    m, n_starts, k = starts.shape
    Y, row = starts.reshape(-1, k).copy(), np.repeat(np.arange(m), n_starts)
    norm = np.linalg.norm(X)
    moving = np.arange(len(Y))
    for _ in range(_MAX_STEPS):
        t, w = targets[row[moving]], weights[row[moving]]
        differences = Y[moving, None] - X
        d = np.linalg.norm(differences, axis=-1)
        factors = w * (1 - np.divide(t, d, out=np.ones_like(d), where=d > 0))
        step = (factors[..., None] * differences).sum(axis=1) / w.sum(axis=-1, keepdims=True)
        Y[moving] -= step
        moving = moving[np.linalg.norm(step, axis=-1) > _RELATIVE_TOL * norm]
        if not len(moving):
            break
    converged = np.ones(len(Y), dtype=bool)
    converged[moving] = False
    return Y.reshape(starts.shape), converged.reshape(m, n_starts)
