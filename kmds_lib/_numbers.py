"""Conversion of input to arrays of real numbers; `_validation` has the checks of matrices."""

from __future__ import annotations

from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kmds_lib._labels import is_missing
from kmds_lib._messages import warn_caller
from kmds_lib._types import FloatArray

_LARGEST_EXACT_INTEGER = 2**53

NEIGHBOR_GRAPHS = (
    "the library does not accept neighbour graphs. Give points or all dissimilarities, or use "
    'scikit-learn\'s Isomap(metric="precomputed") or SpectralEmbedding(affinity="precomputed").'
)


def as_numbers(values: ArrayLike, name: str) -> FloatArray:
    """Return real numbers as a float64 array of any shape; they need not be finite."""
    rows = values if isinstance(values, (list, tuple)) else ()
    if np.ma.isMaskedArray(values) or any(np.ma.isMaskedArray(row) for row in rows):
        raise ValueError(
            f"{name} is a masked array, whose mask would be ignored. Fill or drop the masked "
            "entries first, for example with .filled() or .compressed()."
        )
    if hasattr(values, "toarray"):
        raise ValueError(
            f"{name} is a sparse matrix. If the entries that are not stored are 0, pass "
            f"{name}.toarray(). If they are unknown distances: {NEIGHBOR_GRAPHS}"
        )
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(
            f"{name} is ragged: its rows have different lengths. Give rows of equal length."
        ) from error
    return _as_float64(array, name)


def refuse_entries(values: FloatArray, bad: NDArray[np.bool_], name: str, remedy: str) -> None:
    """Refuse an array of any shape if one of its entries is bad."""
    if bad.any():
        index = tuple(np.argwhere(bad)[0])
        raise ValueError(f"{name_of_entry(name, index)} is {values[index]}: {remedy}")


def name_of_entry(name: str, index: tuple[Any, ...]) -> str:
    """Return the name of an entry, such as "D[0, 1]", or that of a number without dimensions."""
    return f"{name}[{', '.join(map(str, index))}]".removesuffix("[]")


def _as_float64(array: NDArray[Any], name: str) -> FloatArray:
    if array.dtype.kind == "O" and any(isinstance(value, complex) for value in array.flat):
        array = array.astype(complex)
    if array.dtype.kind == "c":
        raise ValueError(
            f"{name} is complex ({array.dtype}); real numbers are needed. If the imaginary part "
            f"is only a rounding error, pass {name}.real."
        )
    if array.dtype.kind not in "biufO":
        raise ValueError(
            f"{name} has dtype {array.dtype}; real numbers are needed. Convert its entries first: "
            f"text by np.asarray({name}, float), times by subtraction and division by a unit."
        )
    if array.dtype.kind == "O":
        if array.ndim:  # None is a missing entry of an array, but not an array
            array = np.where(is_missing(array), np.nan, array)
        for index, value in np.ndenumerate(array):
            if not isinstance(value, (Real, Decimal)):
                remedy = "Convert it, or remove the row." if index else "Give an array of numbers."
                place = name_of_entry(name, index)
                raise ValueError(f"{place} is {value!r}, which is not a real number. {remedy}")
    try:
        numbers = np.asarray(array, dtype=np.float64)
    except OverflowError as error:
        raise ValueError(
            f"{name} contains an integer beyond the range of float64. Choose another unit."
        ) from error
    _warn_large_integers(array, numbers, name)
    return numbers


def _warn_large_integers(array: NDArray[Any], numbers: FloatArray, name: str) -> None:
    """Warn about integers, or Decimals of this size, that differ from their float64 numbers."""
    if array.dtype.kind == "f" or array.dtype.itemsize < 8:
        return
    large = np.abs(numbers) >= _LARGEST_EXACT_INTEGER
    exact = array[large].astype(object)
    lost = exact[exact != numbers[large].astype(object)]
    if len(lost):
        warn_caller(
            f"{name} contains a number of size {np.abs(lost).max()}, and float64 represents "
            "integers exactly up to 2**53 only: the last digits are lost. Subtract a common "
            "offset first, or choose another unit.",
            UserWarning,
        )
