"""A progress bar for long work, where somebody can see it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

__all__ = ["progress"]

T = TypeVar("T")


def progress(items: Iterable[T], label: str, total: int | None = None) -> Iterable[T]:
    """Return the items, with a tqdm bar in a terminal or a notebook where tqdm is installed.

    The bar appears after a second. ``TQDM_DISABLE=1`` in the environment, as set while the book
    is built, leaves it out of notebooks.

    Parameters
    ----------
    items : iterable
        What is worked through.
    label : str
        What the bar says.
    total : int, optional
        Number of items, where they do not tell it themselves.

    Returns
    -------
    iterable
    """
    try:
        from tqdm.auto import tqdm
        from tqdm.notebook import tqdm_notebook
    except ImportError:
        return items
    seen = {} if issubclass(tqdm, tqdm_notebook) else {"disable": None}
    bar: Iterable[T] = tqdm(items, desc=label, total=total, delay=1, leave=False, **seen)
    return bar
