"""A bar for loops that take long, where there is somebody to see it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import Any, TypeVar

Step = TypeVar("Step")


def progress(
    steps: Iterable[Step], count: int, what: str, *, delay: float = 2.0
) -> Iterator[Step]:
    """Yield the steps of a loop, with a bar in a terminal or a notebook if it takes long.

    The bar appears after `delay` seconds and is gone at the end. There is none without tqdm, nor
    where the environment has ``TQDM_DISABLE=1``, as while the book is built.
    """
    late, bar = monotonic() + delay, None
    try:
        for done, step in enumerate(steps):
            if monotonic() > late:
                bar, late = _bar(done, count, what), float("inf")
            yield step
            if bar is not None:
                bar.update()
    finally:
        if bar is not None:
            bar.close()


def _bar(done: int, count: int, what: str) -> Any:
    if os.environ.get("TQDM_DISABLE"):
        return None
    try:
        from tqdm.auto import tqdm
        from tqdm.notebook import tqdm_notebook
    except ImportError:
        return None
    hidden = False if issubclass(tqdm, tqdm_notebook) else None  # None: where no terminal is
    return tqdm(initial=done, total=count, desc=what, leave=False, disable=hidden)
