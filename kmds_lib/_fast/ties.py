"""The rule by which dissimilarities count as equal, although rounding errors make them differ."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kmds_lib._rounding import computed_rounding, last_digits
from kmds_lib._types import FloatArray


def tie_starts(values: FloatArray, rounding: float) -> NDArray[np.intp]:
    """Return the position at which each tie begins, for non-negative values in increasing order.

    Two consecutive values are tied if they differ by at most the `computed_rounding` of the larger
    one. Values up to `last_digits`, relative to the last value, are tied with 0. If a chain of
    such values is eight times as wide as one tie, the values are close together by chance, and
    only those that are exactly equal are tied.
    """
    tie, smallest = computed_rounding(rounding), last_digits(rounding) * values[-1:]
    starts = np.diff(values, prepend=-1.0) > tie * values
    starts[1:] &= values[1:] > smallest
    first = np.flatnonzero(starts)
    for chain in np.flatnonzero(np.diff(first, append=len(values)) > 8):
        part = slice(first[chain], first[chain + 1] if chain + 1 < len(first) else None)
        low, high = values[part][[0, -1]]
        if high - low > 8 * tie * high + smallest:
            starts[part] = np.diff(values[part], prepend=-1.0) > 0
    return np.flatnonzero(starts)
