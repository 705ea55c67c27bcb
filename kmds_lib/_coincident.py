"""New objects at distance 0 from training objects, whose points they get.

Without this module, they would get other points in three cases: if a dissimilarity is a rounding
error instead of 0, if there is an additive constant, which the fit does not add between an object
and itself, and if several equal training objects have different points. In the third case, a new
object gets the mean of these points, and a warning says so.
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
    new: FloatArray, first_coincident: NDArray[np.intp], unit: float, tolerance: float
) -> FloatArray:
    """Return the dissimilarities of new objects with rounding errors replaced by 0.

    For each training object, `first_coincident` contains the number of the first one that it
    coincides with. A new object has the dissimilarity 0, up to a rounding error, to the training
    objects that it coincides with. These are the nearest one and those with the same number in
    `first_coincident`, and no other entry of a row is changed. An entry is a rounding error if it
    is at most `tolerance` times `unit`, and at most the root of `tolerance` times the median of
    its row. The unit does not exceed the largest dissimilarity of the fit, which may be an
    outlier: therefore the second bound is needed. Missing dissimilarities are infinite.
    """
    typical = np.median(new, axis=1, keepdims=True)
    largest = np.minimum(tolerance * unit, math.sqrt(tolerance) * typical)
    nearest = first_coincident[new.argmin(axis=1)]
    return np.where((first_coincident == nearest[:, None]) & (largest >= new), 0.0, new)


def remove_constant_from_zeros(
    A: FloatArray, D: FloatArray, training: FloatArray, tolerance: float
) -> Groups:
    """Remove an additive constant from A, in place, where the dissimilarities D are 0.

    A contains -1/2 times the squared dissimilarities between new objects and training objects,
    and `training` those between training objects, both with the constant. The fit added no
    constant between an object and itself. A new object with several zeros could be any of these
    training objects. Its coordinates, which are linear in A, are the mean over them.
    """
    largest = D.max(axis=1, keepdims=True, initial=0.0)
    groups: Groups = {}
    zero = tolerance * largest >= D
    # A dissimilarity above this bound is a rounding error too if the new object has the same
    # dissimilarities as the training object to all other objects.
    for row, same in np.argwhere(~zero & (math.sqrt(tolerance) * largest >= D)):
        error = np.abs(A[row] - training[same])
        error[same] = 0.0
        zero[row, same] = error.max() <= 4 * tolerance * np.abs(A[row]).max()
    for row in np.flatnonzero(zero.sum(axis=1) > 1):
        same = np.flatnonzero(zero[row])
        rows = np.tile(A[row], (len(same), 1))
        rows[np.arange(len(same)), same] = 0.0
        error = np.abs(rows - training[same]).max(axis=1)
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
