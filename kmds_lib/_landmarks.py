"""The choice of landmarks: given rows, random rows, and farthest first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kmds_lib._parameters import check_count_up_to, check_enough_landmarks, check_rows
from kmds_lib._rounding import TIE
from kmds_lib._types import FloatArray

LandmarkChoice = Literal["random", "farthest"]
IntArray = NDArray[np.intp]

DistancesTo = Callable[[int], FloatArray]
"""Function of a row number: the distances between all objects and that one, squared or not."""

_DEFAULT_NUMBER = 200
"""Number of landmarks if none is given."""


def landmark_rows(
    n: int,
    landmarks: Any,
    n_components: Any,
    choose: LandmarkChoice,
    rng: np.random.Generator,
    distances_to: DistancesTo,
) -> IntArray:
    """Return the row numbers of the landmarks, given or chosen; there are more than components.

    There are n objects. The other arguments are those of `kmds_lib.landmark_scaling` and
    `farthest_first`.
    """
    if np.ndim(landmarks) > 0:
        return given_rows(landmarks, n, n_components)
    count = min(n, _DEFAULT_NUMBER) if landmarks is None else landmarks
    m = check_count_up_to(count, n, "landmarks")
    check_enough_landmarks(m, n_components)
    if choose == "random":
        return np.sort(rng.choice(n, m, replace=False)).astype(np.intp)
    return farthest_first(int(rng.integers(n)), m, distances_to)


def given_rows(landmarks: ArrayLike, n: int, n_components: Any) -> IntArray:
    """Return given row numbers after checking that they are distinct, and more than components."""
    rows = check_rows(landmarks, n, "landmarks")
    check_enough_landmarks(len(rows), n_components)
    return rows


def farthest_first(first: int, m: int, distances_to: DistancesTo) -> IntArray:
    """Return m row numbers: the first, then repeatedly the object farthest from all so far.

    No object is chosen twice, even if all others coincide with chosen ones. If several are
    farthest, the first is chosen. ``distances_to(row)`` returns the distances between all objects
    and one, as an array that may be overwritten. It is called once for each chosen object except
    the last, in their order.
    """
    rows, nearest = [first], np.array(np.inf)
    while len(rows) < m:
        to_row = distances_to(rows[-1])
        to_row[rows[-1]] = -np.inf
        nearest = np.minimum(nearest, to_row)
        rows.append(int((nearest >= (1 - TIE) * nearest.max()).argmax()))
    return np.array(rows)
