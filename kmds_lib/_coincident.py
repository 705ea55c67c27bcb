"""New objects at distance 0 from training objects, whose points they get.

Three cases need care:

- A dissimilarity is a rounding error instead of 0.
- The fit added a constant to all dissimilarities, but not between an object and itself.
- Several training objects at distance 0 have different points. The new object then gets the mean
  of these points, and a warning says so.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from kmds_lib._messages import warn_caller
from kmds_lib._rounding import ROUNDING_TOLERANCE
from kmds_lib._types import FloatArray

Groups = dict[int, NDArray[np.intp]]
"""For each row of new objects at distance 0 from several training objects, their numbers."""


def zero_rounding_errors(
    new: FloatArray, first_coincident: NDArray[np.intp], scale: float, tolerance: float
) -> FloatArray:
    """Return the dissimilarities of new objects with rounding errors replaced by 0.

    Training objects that coincide have the same number in `first_coincident`, that of the first of
    them. In each row, only the entries of the nearest training object and of those that coincide
    with it can become 0. They do so if they are at most `tolerance` times `scale`, the size of the
    dissimilarities of the fit, and at most the root of `tolerance` times the median of the row.
    Without the second bound, an outlier in the fit would make the first one too large. Missing
    dissimilarities are infinite.
    """
    typical = np.median(new, axis=1, keepdims=True)
    largest = np.minimum(tolerance * scale, math.sqrt(tolerance) * typical)
    nearest = first_coincident[new.argmin(axis=1)]
    return np.where((first_coincident == nearest[:, None]) & (largest >= new), 0.0, new)


def undo_constant_at_zeros(
    A: FloatArray, D: FloatArray, A_training: FloatArray, tolerance: float
) -> Groups:
    """Remove an additive constant from A, in place, where D is 0; return the groups of zeros.

    D has the dissimilarities between new objects and training objects, and A -1/2 times their
    squares after the constant was added, as in `A_training` between training objects. The constant
    does not belong between an object and itself. A new object with several zeros could be any of
    these training objects. Since its coordinates are linear in A, the mean of the corresponding
    rows gives the mean of their points.
    """
    largest = D.max(axis=1, keepdims=True, initial=0.0)
    groups: Groups = {}
    zero = tolerance * largest >= D
    # A larger entry also counts as 0 if the rest of the row is that of the training object.
    for row, same in np.argwhere(~zero & (math.sqrt(tolerance) * largest >= D)):
        error = np.abs(A[row] - A_training[same])
        error[same] = 0.0
        zero[row, same] = error.max() <= 4 * tolerance * np.abs(A[row]).max()
    for row in np.flatnonzero(zero.sum(axis=1) > 1):
        same = np.flatnonzero(zero[row])
        rows = np.tile(A[row], (len(same), 1))
        rows[np.arange(len(same)), same] = 0.0
        error = np.abs(rows - A_training[same]).max(axis=1)
        equal = error <= 4 * tolerance * np.abs(A[row]).max()
        same = same[equal] if equal.any() else same
        A[row, same] *= 1 - 1 / len(same)
        zero[row], groups[int(row)] = False, same
    A[zero] = 0.0
    return groups


def coincident_groups(
    rows: NDArray[np.intp], first: NDArray[np.int32], new: FloatArray, training: FloatArray | None
) -> Groups:
    """Return the training objects that each new object coincides with, if there are several.

    `rows` are the rows of `new` that coincide with a training object, the first of which is in
    `first`. If there are no points `training`, `new` contains dissimilarities.
    """
    if not len(rows):
        return {}
    if training is None:
        groups = (np.flatnonzero(new[row] == 0) for row in rows)
    else:
        number = np.unique(training, axis=0, return_inverse=True)[1].ravel()
        repeated = np.bincount(number)[number[first]] > 1
        rows, first = rows[repeated], first[repeated]
        groups = (np.flatnonzero(number == number[i]) for i in first)
    pairs = zip(rows.tolist(), groups, strict=True)
    return {row: objects for row, objects in pairs if len(objects) > 1}


def warn_coincident(groups: Groups, points: FloatArray) -> None:
    """Warn if a new object coincides with training objects that have different points."""
    margin = ROUNDING_TOLERANCE * np.abs(points).max(initial=0.0)
    for row, objects in groups.items():
        if np.ptp(points[objects], axis=0).max(initial=0.0) > margin:
            numbers = ", ".join(map(str, objects[:5])) + (", ..." if len(objects) > 5 else "")
            warn_caller(
                f"Row {row} of new is at distance 0 from the training objects {numbers}, which "
                "have different points: it gets their mean, and so do other rows of this kind. "
                "To avoid this, keep one of each set of equal objects in the fit.",
                UserWarning,
            )
            return
