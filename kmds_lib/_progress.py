"""A bar for loops that take long, where there is somebody to see it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

__all__ = ["progress"]

Step = TypeVar("Step")

_LONG = 16
"""Steps from which a loop is worth a bar."""

_DELAY = 1.0
"""Seconds before the bar appears."""


def progress(steps: Iterable[Step], count: int, what: str) -> Iterable[Step]:
    """Return the steps of a loop, with a bar in a terminal or a notebook if it takes long.

    The bar appears after a second, and is gone at the end. Without tqdm there is none.

    Parameters
    ----------
    steps : iterable
        What the loop runs over.
    count : int
        How many steps there are.
    what : str
        What the loop does, in a few words.

    Returns
    -------
    iterable

    Examples
    --------
    >>> list(progress("ab", 2, "letters"))
    ['a', 'b']
    """
    if count < _LONG:
        return steps
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return steps
    bar: Iterable[Step] = tqdm(
        steps, total=count, desc=what, disable=None, delay=_DELAY, leave=False
    )
    return bar
