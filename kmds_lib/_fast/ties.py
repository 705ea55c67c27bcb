"""The rule by which dissimilarities count as equal, although rounding errors make them differ."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kmds_lib._checks import ROUNDING
from kmds_lib._types import FloatArray

TIE = 1e-10
"""Relative difference up to which two dissimilarities are tied, so that rounding errors break no
ties. Distances that are computed from points can have relative errors of this size."""


def tie_starts(values: FloatArray) -> NDArray[np.intp]:
    """Return the position at which each tie begins, for non-negative values in increasing order.

    Two consecutive values are tied if they differ by at most 1e-10 of the larger one. Values up
    to 16 times the machine precision, relative to the last value, are tied with 0.
    """
    starts = np.diff(values, prepend=-1.0) > TIE * values
    starts[1:] &= values[1:] > ROUNDING * values[-1:]
    return np.flatnonzero(starts)
