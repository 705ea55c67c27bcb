"""Assertions that print one line: the results compared, and the tolerance or the bound.

The lines never show rounding errors, so that they are the same on every processor.
"""

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["agree", "at_least", "at_most", "differ"]


def agree(what: str, found: ArrayLike, expected: ArrayLike = 0.0, *, within: float = 1e-8) -> None:
    """Assert that two results agree within a tolerance, and print the tolerance.

    Parameters
    ----------
    what : str
        Name of the result, which is printed.
    found : array_like
        The result, of any shape.
    expected : array_like, default: 0
        Expected result: an array of the same shape, or one number for all entries.
    within : float, default: 1e-8
        Largest absolute difference that is tolerated, in the unit of the results.

    Raises
    ------
    AssertionError
        If an entry differs by more, an entry is NaN, or the shapes differ.

    Examples
    --------
    >>> agree("column means", [[1e-17, -2e-16]], 0, within=1e-6)
    column means: agree within 1e-6
    """
    gap = _largest_gap(what, found, expected)
    assert gap <= within, f"{what}: differ by {_one_digit(gap)}, tolerated {_text(within)}"
    print(f"{what}: agree within {_text(within)}")


def differ(what: str, found: ArrayLike, expected: ArrayLike = 0.0, *, by: float) -> None:
    """Assert that two results differ, and print the largest difference to one digit.

    Parameters
    ----------
    what : str
        Name of the result, which is printed.
    found, expected : array_like
        As in `agree`.
    by : float
        Bound that the largest absolute difference must exceed, in the unit of the results.

    Raises
    ------
    AssertionError
        If no entry differs by more, an entry is NaN, or the shapes differ.

    Examples
    --------
    >>> differ("centred from one side", [[9.0, 2.0]], [[9.0, -16.4]], by=1)
    centred from one side: differ by 20, more than 1
    """
    gap = _largest_gap(what, found, expected)
    assert gap > by, f"{what}: differ by {_one_digit(gap)}, not more than {_text(by)}"
    print(f"{what}: differ by {_one_digit(gap)}, more than {_text(by)}")


def at_most(what: str, found: ArrayLike, bound: float, *, within: float = 1e-8) -> None:
    """Assert that no entry of a result exceeds a bound, and print the bound.

    Parameters
    ----------
    what : str
        Name of the result, which is printed.
    found : array_like
        The result, of any shape.
    bound : float
        Largest value that an entry may have.
    within : float, default: 1e-8
        Tolerance for rounding errors.

    Raises
    ------
    AssertionError
        If an entry is larger, or NaN.

    Examples
    --------
    >>> at_most("steps of the loss", [-0.2, 1e-17], 0)
    steps of the loss: at most 0
    """
    largest = float(np.max(found))
    assert largest <= bound + within, f"{what}: {largest:.3g}, more than {_text(bound, 3)}"
    print(f"{what}: at most {_text(bound, 3)}")


def at_least(what: str, found: ArrayLike, bound: float, *, within: float = 1e-8) -> None:
    """Assert that no entry of a result is below a bound, and print the bound.

    Parameters
    ----------
    what, found, within
        As in `at_most`.
    bound : float
        Smallest value that an entry may have.

    Raises
    ------
    AssertionError
        If an entry is smaller, or NaN.

    Examples
    --------
    >>> at_least("gain of each deal, in points", [4.1, 7.0], 3)
    gain of each deal, in points: at least 3
    """
    smallest = float(np.min(found))
    assert smallest >= bound - within, f"{what}: {smallest:.3g}, less than {_text(bound, 3)}"
    print(f"{what}: at least {_text(bound, 3)}")


def _largest_gap(what: str, found: ArrayLike, expected: ArrayLike) -> float:
    """Return the largest absolute difference between two results of the same shape."""
    left, right = np.asarray(found), np.asarray(expected)
    shapes = f"{what}: shapes {left.shape} and {right.shape}"
    assert left.size, f"{shapes}: nothing to compare"
    assert right.ndim == 0 or left.shape == right.shape, f"{shapes} do not fit"
    return float(np.abs(np.subtract(left, right, dtype=np.result_type(left, right, 0.0))).max())


def _one_digit(gap: float) -> str:
    """Return a number as text, with one significant digit."""
    return _text(float(f"{gap:.0e}"))


def _text(number: float, most: int = 6) -> str:
    """Return a number as text with at most `most` digits and no zeros before its exponent."""
    digits, _, exponent = f"{number:.{most}g}".partition("e")
    return f"{digits}e{int(exponent)}" if exponent else digits
