"""The warnings that several modules issue, and functions for messages."""

from __future__ import annotations

import inspect
import os
import warnings

_PACKAGE = os.path.dirname(__file__) + os.sep


class FewerComponentsWarning(UserWarning):
    """Warning that there are fewer positive eigenvalues than requested components."""


class NotConvergedWarning(UserWarning):
    """Warning that an iteration stopped before it had converged."""


def plural(count: int, noun: str, several: str = "") -> str:
    """Return a number with its noun, such as "1 row" or "3 rows"."""
    return f"{count} {noun if count == 1 else several or noun + 's'}"


def warn_caller(message: str, category: type[Warning]) -> None:
    """Issue a warning that points to the line outside this package that called it."""
    level, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
