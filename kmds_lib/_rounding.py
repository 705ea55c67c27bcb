"""Rounding errors in input: how large they may be, and messages about larger differences.

One rule applies in the whole library. It depends on the machine precision of the input:
`rounding_tolerance`, the root of this precision, is for asymmetry, entries below zero, and
diagonals that should be zero. Two other bounds follow from it: `tie_tolerance` for ties and
differences of squares, and `equality_tolerance` for values that should be equal or zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from kmds_lib._types import FloatArray

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
    array, a column of a data frame, or the first entry of a list is of type float32.
    """
    return max(ROUNDING_TOLERANCE, *(_rounding_of(table) for table in tables))


def _rounding_of(table: Any) -> float:
    if hasattr(table, "rounding"):  # a LabelledArray
        return float(table.rounding)
    if isinstance(table, (list, tuple)):
        return _rounding_of(table[0]) if table else 0.0
    # A data frame has the types of its columns, an array or a series has one type.
    types = getattr(table, "dtypes", getattr(table, "dtype", None))
    types = types if np.iterable(types) else [types]
    # The name contains others for the types of some packages: "Sparse[float32, nan]".
    names = " ".join(str(getattr(dtype, "name", dtype)).lower() for dtype in types)
    return ROUNDING_TOLERANCE_FLOAT32 if "float32" in names else 0.0


def type_of_rounding(rounding: float) -> str:
    """Return the name of the type that a `rounding_tolerance` belongs to."""
    return "float32" if rounding >= ROUNDING_TOLERANCE_FLOAT32 else "float64"


def tie_tolerance(rounding: float) -> float:
    """Return the relative difference up to which values are tied, for a `rounding_tolerance`.

    It is 1e-10, or 64 times the machine precision if that is larger: 7.6e-6 for float32.
    """
    return max(TIE, 64 * rounding**2)


def equality_tolerance(rounding: float) -> float:
    """Return the relative difference up to which values are equal, for a `rounding_tolerance`.

    It is 16 times the machine precision: 3.6e-15, or 1.9e-6 for float32.
    """
    return 16 * rounding**2


def without_negative(
    values: FloatArray,
    name: str,
    reason: str,
    rounding: float,
    get_unit: Callable[[], float] | None = None,
) -> FloatArray:
    """Return values in which rounding errors below zero are 0; refuse other negative values.

    A value counts as a rounding error up to `rounding`, relative to the largest, or to the unit
    that `get_unit` computes if it is needed. NaN is allowed.
    """
    lowest = float(np.fmin.reduce(values, axis=None, initial=0.0))
    if lowest == 0:
        return values
    too_low = lowest < -rounding * float(np.fmax.reduce(values, axis=None))
    if too_low and (get_unit is None or lowest < -rounding * get_unit()):
        raise negative_error(values, name, reason)
    return np.where(values < 0, 0.0, values)


def negative_error(M: FloatArray, name: str, reason: str) -> ValueError:
    """Return the error about the smallest entry."""
    index = np.unravel_index(np.nanargmin(M), M.shape)
    place = f"[{', '.join(map(str, index))}]" if index else ""
    return ValueError(f"{name}{place} = {M[index]:.6g} is negative; {reason}")


def asymmetry_of(M: FloatArray, name: str, rounding: float) -> str:
    """Describe the asymmetry of a matrix, or of a part, and what to do about the whole."""
    whole = _name_of_whole(name)
    for empty, part in (("upper", np.triu(M, 1)), ("lower", np.tril(M, -1))):
        if not part.any():
            twice = f" - np.diag(np.diag({whole}))" if np.diagonal(M).any() else ""
            return (
                f"its {empty} triangle is zero, as if each pair was given once. To fill it, pass "
                f"{whole} + {whole}.T{twice}."
            )
    gap = np.abs(M - M.T)
    i, j = np.unravel_index(np.argmax(gap), gap.shape)
    return (
        f"{name}[{i}, {j}] = {M[i, j]:.6g} but {name}[{j}, {i}] = {M[j, i]:.6g}, a difference of "
        f"{gap[i, j]:.3g}, while rounding errors are at most {rounding:.2g} of the largest entry. "
        f"If both directions were measured, average them: ({whole} + {whole}.T) / 2."
    )


def _name_of_whole(name: str) -> str:
    """Return the name of a square matrix for that of its part between the landmarks."""
    return name.removesuffix("[landmarks][:, landmarks]").removesuffix(".iloc")


def refuse_one_sided(M: FloatArray, name: str) -> None:
    """Refuse a square matrix in which entry (i, j) is missing, but not entry (j, i)."""
    missing = np.isnan(M)
    one_sided = np.argwhere(missing & ~missing.T)
    if len(one_sided):
        (i, j), whole = one_sided[0], _name_of_whole(name)
        raise ValueError(
            f"{name}[{i}, {j}] is nan, but {name}[{j}, {i}] = {M[j, i]:.6g}. If each pair was "
            f"given once, take {whole}.fillna({whole}.T) for a data frame; in an array, fill the "
            f"gaps from the other side: np.where(np.isnan({whole}), {whole}.T, {whole})."
        )


def without_blank_diagonal(M: FloatArray) -> FloatArray:
    """Return a square matrix with 0 instead of NaN on its diagonal."""
    blank = np.flatnonzero(np.isnan(np.diagonal(M)))
    if len(blank):
        M = M.copy()
        M[blank, blank] = 0.0
    return M
