"""The base class of all explorers: shared scripts, shared style sheet and initial state."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets
from numpy.typing import ArrayLike

from kmds_lib._checks import as_points
from kmds_lib._types import FloatArray

__all__ = [
    "SHARED_MODULE",
    "SHARED_STYLE",
    "Explorer",
    "as_drawable_points",
    "as_groups",
    "read_files",
    "round_to_six_digits",
]

_FOLDER = Path(__file__).parents[1]


def read_files(*names: str) -> str:
    """Return the concatenated text of files of this package."""
    return "".join((_FOLDER / name).read_text(encoding="utf-8") + "\n" for name in names)


SHARED_STYLE = read_files("js/explorer.css")
"""First part of the style sheet of every explorer. A page contains it once."""
SHARED_MODULE = read_files("js/core.js", "js/common.js")
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
            cls._esm = SHARED_MODULE + read_files(f"{name}.js")
            if (_FOLDER / f"{name}.css").exists():
                cls._css = SHARED_STYLE + read_files(f"{name}.css")
        super().__init_subclass__(**options)

    def __init__(self, **state: Any) -> None:
        """Set the initial state."""
        super().__init__(**state)
        own = self.traits(sync=True).keys() - Explorer.class_traits(sync=True).keys()
        shown = sorted(name for name in own if not name.startswith("_"))
        self.start = {name: deepcopy(getattr(self, name)) for name in shown}


def as_groups(groups: ArrayLike | None, n: int) -> list[int]:
    """Return the group of each of n objects, which determines its marker; 0 if not given."""
    shapes = np.zeros(n, dtype=int) if groups is None else np.asarray(groups)
    if shapes.shape != (n,) or not np.isin(shapes, (0, 1, 2)).all():
        raise ValueError(f"groups must contain 0, 1 or 2 for each of the {n} objects.")
    return [int(group) for group in shapes]


def round_to_six_digits(values: FloatArray) -> FloatArray:
    """Return values rounded to six digits of the largest absolute value."""
    largest = float(np.abs(values).max()) or 1.0
    return values.round(5 - int(np.floor(np.log10(largest))))


def as_drawable_points(
    points: ArrayLike, n_range: tuple[int, int], max_coordinates: tuple[float, float]
) -> list[list[float]]:
    """Return points, rounded to two decimals, if their number and coordinates are in range."""
    X = as_points(points, "points")
    if X.shape[1] != 2 or not n_range[0] <= len(X) <= n_range[1]:
        wanted = " to ".join(str(count) for count in sorted(set(n_range)))
        raise ValueError(
            f"points has shape {X.shape}; pass {wanted} points of the plane, one per row."
        )
    outside = np.argwhere(np.abs(X) > np.array(max_coordinates) + 0.005)
    if len(outside):
        i, axis = outside[0]
        raise ValueError(
            f"points[{i}, {axis}] = {X[i, axis]:g} is outside the drawing, which extends "
            f"{max_coordinates[axis]} to either side of 0; choose another unit."
        )
    return [[round(float(x), 2) + 0.0 for x in row] for row in X]
