"""The base class of all explorers: shared scripts, shared style sheet and initial state."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets
from numpy.typing import ArrayLike

from kmds_lib._checks import FloatArray, as_points

__all__ = [
    "SHARED_MODULE",
    "SHARED_STYLE",
    "Explorer",
    "group_of_each",
    "in_the_plane",
    "script_text",
    "six_digits",
]

_FOLDER = Path(__file__).parents[1]


def script_text(*names: str) -> str:
    """Return the concatenated text of files of this package."""
    return "".join((_FOLDER / name).read_text(encoding="utf-8") + "\n" for name in names)


SHARED_STYLE = script_text("js/explorer.css")
"""First part of the style sheet of every explorer. A page contains it once."""
SHARED_MODULE = script_text("js/core.js", "js/common.js")
"""First part of the module of every explorer. It includes the core, as it cannot import it."""


class Explorer(anywidget.AnyWidget):
    """Base class of the explorers, with the initial state that the reset button restores."""

    _esm = SHARED_MODULE
    _css = SHARED_STYLE
    start = traitlets.Dict().tag(sync=True)

    def __init_subclass__(cls, **options: Any) -> None:
        """Load the script and the style sheet beside the module of an explorer."""
        name = f"explorers/{cls.__module__.rpartition('.')[2]}"
        if "_esm" not in vars(cls):
            cls._esm = SHARED_MODULE + script_text(f"{name}.js")
            if (_FOLDER / f"{name}.css").exists():
                cls._css = SHARED_STYLE + script_text(f"{name}.css")
        super().__init_subclass__(**options)

    def __init__(self, **state: Any) -> None:
        """Set the initial state."""
        super().__init__(**state)
        own = self.traits(sync=True).keys() - Explorer.class_traits(sync=True).keys()
        shown = sorted(name for name in own if not name.startswith("_"))
        self.start = {name: deepcopy(getattr(self, name)) for name in shown}


def group_of_each(groups: ArrayLike | None, n: int) -> list[int]:
    """Return the group of each of n objects, which determines its marker; 0 if not given."""
    shapes = np.zeros(n, dtype=int) if groups is None else np.asarray(groups)
    if shapes.shape != (n,) or not np.isin(shapes, (0, 1, 2)).all():
        raise ValueError(f"groups must contain 0, 1 or 2 for each of the {n} objects.")
    return [int(group) for group in shapes]


def six_digits(values: FloatArray) -> FloatArray:
    """Return values rounded to six digits of the largest absolute value."""
    largest = float(np.abs(values).max()) or 1.0
    return values.round(5 - int(np.floor(np.log10(largest))))


def in_the_plane(
    points: ArrayLike, counts: tuple[int, int], reach: tuple[float, float]
) -> list[list[float]]:
    """Return points that lie within reach of the origin, rounded to two decimals."""
    X = as_points(points, "points")
    if X.shape[1] != 2 or not counts[0] <= len(X) <= counts[1]:
        wanted = " to ".join(str(count) for count in sorted(set(counts)))
        raise ValueError(
            f"points has shape {X.shape}; pass {wanted} points of the plane, one per row."
        )
    outside = np.argwhere(np.abs(X) > np.array(reach) + 0.005)
    if len(outside):
        i, axis = outside[0]
        raise ValueError(
            f"points[{i}, {axis}] = {X[i, axis]:g} is outside the drawing, which extends "
            f"{reach[axis]} to either side of 0; choose another unit."
        )
    return [[round(float(x), 2) + 0.0 for x in row] for row in X]
