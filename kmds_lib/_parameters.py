"""Checks of parameters: numbers, counts, row numbers, flags, options and seeds.

Each check raises a ``ValueError`` that states the parameter, what was found and what to give.
"""

from __future__ import annotations

import math
import operator
from contextlib import suppress
from numbers import Real
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray


def check_count_up_to(value: Any, upper: int, name: str = "n_components") -> int:
    """Return a whole number from 1 to `upper`, such as the number of components, as an int."""
    count = check_count(value, name)
    if count > upper:
        raise ValueError(
            f"{name} = {count} is out of range for this input; give a number from 1 to {upper}."
        )
    return count


def check_dimensions(value: Any, upper: int) -> int:
    """Return the number of components; refuse a share, for methods that have no spectrum."""
    if is_share(value):
        raise ValueError(
            f"n_components = {value!r} is a share, but this method has no spectrum that explains "
            f"a share: give a whole number from 1 to {upper}."
        )
    return check_count_up_to(value, upper)


def check_count(value: Any, name: str) -> int:
    """Return a positive whole number as an int."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        count = operator.index(value)
    except TypeError:
        raise ValueError(f"{name} = {value!r} is not an integer; give a whole number.") from None
    if count < 1:
        raise ValueError(f"{name} = {count} is out of range; give a whole number from 1 on.")
    return count


def check_rows(rows: ArrayLike, n: int, name: str) -> NDArray[np.intp]:
    """Return row numbers, which must be different and between 0 and n - 1."""
    numbers = np.asarray(rows)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu" or np.ma.isMaskedArray(rows):
        raise ValueError(
            f"{name} has shape {numbers.shape} and dtype {numbers.dtype}: give their number, or a "
            "list of row numbers, such as np.flatnonzero(mask)."
        )
    outside = numbers[(numbers < 0) | (numbers >= n)]
    if len(outside):
        raise ValueError(f"{name} holds {outside[0]}: rows are numbered from 0 to {n - 1}.")
    values, counts = np.unique(numbers, return_counts=True)
    if counts.max(initial=0) > 1:
        raise ValueError(f"{name} holds {values[counts.argmax()]} twice: give each row once.")
    return numbers.astype(np.intp)


def is_share(value: Any) -> bool:
    """Return True for a number of components that is given as a share, between 0 and 1."""
    return isinstance(value, Real) and 0 < float(value) < 1


def check_enough_landmarks(m: int, n_components: Any) -> None:
    """Refuse a number of components that is not smaller than the number of landmarks."""
    k = 1 if is_share(n_components) else check_count(n_components, "n_components")
    if k >= m:
        raise ValueError(
            f"n_components = {k} needs at least {k + 1} landmarks instead of {m}: give more "
            "landmarks or fewer components."
        )


def check_number(value: Any, name: str, *, positive: bool = False) -> float:
    """Return a finite non-negative (or positive) real number as a Python float."""
    number = math.nan
    value = _without_array(value)
    if isinstance(value, Real) and not isinstance(value, bool):
        with suppress(OverflowError):
            number = float(value)
    if not 0 <= number < math.inf or (positive and number == 0):
        raise ValueError(
            f"{name} is {value!r}: give a finite number {'> 0' if positive else '>= 0'}."
        )
    return number


def check_field(owner: object, name: str, *, positive: bool = False) -> None:
    """Check a number in a frozen dataclass and store it as a float."""
    value = check_number(getattr(owner, name), name, positive=positive)
    object.__setattr__(owner, name, value)


def random_generator(seed: Any, name: str = "seed") -> np.random.Generator:
    """Return the random generator of a seed, which may be one already."""
    try:
        return np.random.default_rng(_without_array(seed))
    except (TypeError, ValueError):
        raise ValueError(
            f"{name} is {seed!r}: give a whole number >= 0, a numpy.random.Generator, or None."
        ) from None


def _without_array(value: Any) -> Any:
    """Return the number in an array without dimensions, and any other value unchanged."""
    return value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value


def check_flag(value: Any, name: str) -> bool:
    """Return a Boolean value as a Python bool; refuse text and numbers."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} is {value!r}: give True or False.")
    return bool(value)


def check_option(value: Any, options: Any, name: str) -> None:
    """Refuse a value that is not among the options, which are given as a `Literal`."""
    words = get_args(options)
    if not (isinstance(value, str) and value in words):
        *most, last = map(repr, words)
        raise ValueError(f"{name} = {value!r} is unknown; use {', '.join(most)} or {last}.")
