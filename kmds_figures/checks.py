"""Checks in one line: what was compared, and how closely it agrees or by how much it differs.

No line shows rounding noise, so that it reads the same on every processor.
"""

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["agree", "differ"]


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


def _plain(number: float) -> str:
    """Return a number with as few digits as it needs, a power of ten without zeros before it."""
    digits, _, exponent = f"{number:g}".partition("e")
    return f"{digits}e{int(exponent)}" if exponent else digits
