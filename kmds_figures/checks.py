"""Assertions that print one sentence: the results compared, and the tolerance or the bound.

A sentence begins with ✓, or with ≠ if it says that results differ. It never shows rounding errors,
so that it is the same on every processor.
"""

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["agree", "at_least", "at_most", "differ"]


def agree(what: str, found: ArrayLike, expected: ArrayLike = 0, *, within: float = 1e-8) -> None:
    """Assert that two results agree to within a tolerance, and print the tolerance.

    Parameters
    ----------
    what : str
        Name of the results, which begins the sentence. If `expected` is an integer, the name is
        singular.
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
    >>> agree("Both maps", [[1.0, -2.0]], [[1.0, -2.0]])
    ✓ Both maps agree to within 1e-8
    >>> agree("Each column mean", [[1e-17, -2e-16]], 0, within=1e-6)
    ✓ Each column mean is 0 to within 1e-6
    """
    gap = _largest_gap(what, found, expected)
    assert gap <= within, f"{what}: differ by {_one_digit(gap)}, tolerated {_text(within)}"
    verb = f"is {expected}" if isinstance(expected, int) else "agree"
    print(f"✓ {what} {verb} to within {_text(within)}")


def differ(what: str, found: ArrayLike, expected: ArrayLike = 0, *, by: float) -> None:
    """Assert that two results differ, and print the largest difference to one digit.

    Parameters
    ----------
    what : str
        Name of the results, as in `agree`.
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
    >>> differ("H E and H E H", [[9.0, 2.0]], [[9.0, -16.4]], by=1)
    ≠ H E and H E H differ by 20
    """
    gap = _largest_gap(what, found, expected)
    assert gap > by, f"{what}: differ by {_one_digit(gap)}, not more than {_text(by)}"
    verb = f"differs from {expected}" if isinstance(expected, int) else "differ"
    print(f"≠ {what} {verb} by {_one_digit(gap)}")


def at_most(what: str, found: ArrayLike, bound: float) -> None:
    """Assert that no entry of a result exceeds a bound, and print the bound.

    Parameters
    ----------
    what : str
        Name of one entry of the result, which begins the sentence.
    found : array_like
        The result, of any shape.
    bound : float
        Largest value that an entry may have, up to a rounding error of 1e-8.

    Raises
    ------
    AssertionError
        If an entry is larger, or NaN.

    Examples
    --------
    >>> at_most("Each change of the loss", [-0.2, 1e-17], 0)
    ✓ Each change of the loss is at most 0
    """
    largest = float(np.max(found))
    assert largest <= bound + 1e-8, f"{what}: {largest:.3g}, more than {_text(bound, 3)}"
    print(f"✓ {what} is at most {_text(bound, 3)}")


def at_least(what: str, found: ArrayLike, bound: float) -> None:
    """Assert that no entry of a result is below a bound, and print the bound.

    Parameters
    ----------
    what, found
        As in `at_most`.
    bound : float
        Smallest value that an entry may have, up to a rounding error of 1e-8.

    Raises
    ------
    AssertionError
        If an entry is smaller, or NaN.

    Examples
    --------
    >>> at_least("The gain of each split, in points,", [4.1, 7.0], 3)
    ✓ The gain of each split, in points, is at least 3
    """
    smallest = float(np.min(found))
    assert smallest >= bound - 1e-8, f"{what}: {smallest:.3g}, less than {_text(bound, 3)}"
    print(f"✓ {what} is at least {_text(bound, 3)}")


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
