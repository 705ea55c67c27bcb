"""Rounding errors in input: how large they may be.

Three bounds apply in the whole library. They depend on the machine precision eps of the input:

- `rounding_tolerance`, its root, for asymmetry, entries below 0, and diagonals that should be 0;
- `tie_tolerance`, 1e-10 or 64 eps, for ties and differences of squares;
- `equality_tolerance`, 16 eps, for values that should be equal or zero.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

EPS = float(np.finfo(np.float64).eps)

ROUNDING_TOLERANCE = math.sqrt(EPS)
"""Largest rounding error of float64 data, relative to the largest entry: an asymmetry, an entry of
a diagonal that should be 0, or an entry below 0."""

TIE = 1e-10
"""Relative difference up to which two float64 values are tied, so that rounding errors break no
ties. Distances that are computed from points can have relative errors of this size."""

ROUNDING_TOLERANCE_FLOAT32 = math.sqrt(np.finfo(np.float32).eps)
"""The same tolerance as `ROUNDING_TOLERANCE`, for float32 data."""


def rounding_tolerance(*tables: Any) -> float:
    """Return the largest rounding error that is accepted in input, relative to the largest entry.

    It is the root of the machine precision of the least precise table: 1.5e-8, or 3.5e-4 if an
    array, a column of a data frame, or the first entry of a list is of type float32. Give the
    tables as they were passed by the user: `as_numbers` converts float32 to float64.
    """
    return max(ROUNDING_TOLERANCE, *(_rounding_of(table) for table in tables))


def _rounding_of(table: Any) -> float:
    if isinstance(table, (list, tuple)):
        return _rounding_of(table[0]) if table else 0.0
    # A data frame has the types of its columns, an array or a series has one type.
    types = getattr(table, "dtypes", getattr(table, "dtype", None))
    if types is None:  # a LabelledArray, or a number
        return float(getattr(table, "tolerance", 0.0))
    types = types if np.iterable(types) else [types]
    # The name contains others for the types of some packages: "Sparse[float32, nan]".
    names = " ".join(str(getattr(dtype, "name", dtype)).lower() for dtype in types)
    return ROUNDING_TOLERANCE_FLOAT32 if "float32" in names else 0.0


def dtype_of_tolerance(tolerance: float) -> str:
    """Return the name of the type that a `rounding_tolerance` belongs to."""
    return "float32" if tolerance >= ROUNDING_TOLERANCE_FLOAT32 else "float64"


def tie_tolerance(tolerance: float) -> float:
    """Return the relative difference up to which values are tied, for a `rounding_tolerance`.

    It is 1e-10, or 64 times the machine precision if that is larger: 7.6e-6 for float32.
    """
    return max(TIE, 64 * tolerance**2)


def equality_tolerance(tolerance: float = ROUNDING_TOLERANCE) -> float:
    """Return the relative difference up to which values are equal, for a `rounding_tolerance`.

    It is 16 times the machine precision: 3.6e-15 for float64, 1.9e-6 for float32.
    """
    return 16 * tolerance**2
