"""Checks in one line: what was compared, and how closely it agrees, or on which side it lies.

No line shows rounding noise, so that it reads the same on every processor.
"""

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["agree", "at_least", "at_most", "differ"]


def agree(what: str, found: ArrayLike, expected: ArrayLike = 0.0, *, within: float = 1e-8) -> None:
    """Assert that two results agree, and print it.

    Parameters
    ----------
    what : str
        What is compared, in words.
    found : array_like
        The result, of any shape.
    expected : array_like, default: 0
        What it must be: an array of the same shape, or one number for all entries.
    within : float, default: 1e-8
        The largest modulus of a difference that is tolerated, in the unit of the results.

    Raises
    ------
    AssertionError
        If an entry differs by more, is not a number, or the shapes do not fit.

    Examples
    --------
    >>> agree("column means", [[1e-17, -2e-16]], 0, within=1e-6)
    column means: agree within 1e-6
    """
    gap = _largest_gap(what, found, expected)
    assert gap <= within, f"{what}: differ by {_short(gap)}, tolerated {_plain(within)}"
    print(f"{what}: agree within {_plain(within)}")


def differ(what: str, found: ArrayLike, expected: ArrayLike = 0.0, *, by: float) -> None:
    """Assert that two results differ, and print by how much, to one digit.

    Parameters
    ----------
    what : str
        What is compared, in words.
    found, expected : array_like
        As in `agree`.
    by : float
        The largest modulus of a difference must exceed this, in the unit of the results.

    Raises
    ------
    AssertionError
        If no entry differs by more, one is not a number, or the shapes do not fit.

    Examples
    --------
    >>> differ("centred from one side", [[9.0, 2.0]], [[9.0, -16.4]], by=1)
    centred from one side: differ by 20, more than 1
    """
    gap = _largest_gap(what, found, expected)
    assert gap > by, f"{what}: differ by {_short(gap)}, not more than {_plain(by)}"
    print(f"{what}: differ by {_short(gap)}, more than {_plain(by)}")


def at_most(what: str, found: ArrayLike, bound: float, *, within: float = 1e-8) -> None:
    """Assert that no entry of a result exceeds a bound, and print the bound.

    Parameters
    ----------
    what : str
        What is bounded, in words.
    found : array_like
        The result, of any shape.
    bound : float
        The largest value that it may have.
    within : float, default: 1e-8
        By how much an entry may exceed the bound, for rounding.

    Raises
    ------
    AssertionError
        If an entry is larger, or not a number.

    Examples
    --------
    >>> at_most("steps of the loss", [-0.2, 1e-17], 0)
    steps of the loss: at most 0
    """
    largest = float(np.max(found))
    assert largest <= bound + within, f"{what}: {largest:.3g}, more than {_plain(bound, 3)}"
    print(f"{what}: at most {_plain(bound, 3)}")


def at_least(what: str, found: ArrayLike, bound: float, *, within: float = 1e-8) -> None:
    """Assert that every entry of a result reaches a bound, and print the bound.

    Parameters
    ----------
    what, found, within
        As in `at_most`.
    bound : float
        The smallest value that it may have.

    Raises
    ------
    AssertionError
        If an entry is smaller, or not a number.

    Examples
    --------
    >>> at_least("gain of each deal, in points", [4.1, 7.0], 3)
    gain of each deal, in points: at least 3
    """
    smallest = float(np.min(found))
    assert smallest >= bound - within, f"{what}: {smallest:.3g}, less than {_plain(bound, 3)}"
    print(f"{what}: at least {_plain(bound, 3)}")


def _largest_gap(what: str, found: ArrayLike, expected: ArrayLike) -> float:
    """Return the largest modulus of a difference of two results of one shape."""
    left, right = np.asarray(found), np.asarray(expected)
    shapes = f"{what}: shapes {left.shape} and {right.shape}"
    assert left.size, f"{shapes}: nothing to compare"
    assert right.ndim == 0 or left.shape == right.shape, f"{shapes} do not fit"
    return float(np.abs(np.subtract(left, right, dtype=np.result_type(left, right, 0.0))).max())


def _short(gap: float) -> str:
    """Return a number to one significant digit."""
    return _plain(float(f"{gap:.0e}"))


def _plain(number: float, most: int = 6) -> str:
    """Return a number with as few digits as it needs, a power of ten without zeros before it."""
    digits, _, exponent = f"{number:.{most}g}".partition("e")
    return f"{digits}e{int(exponent)}" if exponent else digits
