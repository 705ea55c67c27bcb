"""A progress bar for slow loops."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import Any, TypeVar

Step = TypeVar("Step")


def progress(
    steps: Iterable[Step], count: int, description: str, *, delay: float = 2.0
) -> Iterator[Step]:
    """Yield the steps of a loop, and show a progress bar in a terminal or notebook if it is slow.

    The bar appears after `delay` seconds and is removed at the end. There is no bar if tqdm is not
    installed or the environment variable TQDM_DISABLE is set, as it is when the book is built.
    """
    shown_after, bar = monotonic() + delay, None
    try:
        for done, step in enumerate(steps):
            if monotonic() > shown_after:
                bar, shown_after = _bar(done, count, description), float("inf")
            yield step
            if bar is not None:
                bar.update()
    finally:
        if bar is not None:
            bar.close()


def _bar(done: int, count: int, description: str) -> Any:
    if os.environ.get("TQDM_DISABLE"):
        return None
    try:
        from tqdm.auto import tqdm
        from tqdm.notebook import tqdm_notebook
    except ImportError:
        return None
    disable = False if issubclass(tqdm, tqdm_notebook) else None  # None: only without a terminal
    return tqdm(initial=done, total=count, desc=description, leave=False, disable=disable)
