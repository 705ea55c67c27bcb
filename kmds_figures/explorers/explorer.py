"""The base class of all explorers: script, style sheet and initial state."""

from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import numpy as np
import traitlets
from numpy.typing import ArrayLike

from kmds_lib._types import FloatArray
from kmds_lib._validation import as_points

BUNDLES = Path(__file__).parents[1] / "bundles"
"""Folder of the scripts and style sheets that `web/build.ts` makes from `web/src`."""


@cache
def read_bundle(path: Path) -> str:
    """Return the text of a bundle; raise FileNotFoundError if the bundles were not built."""
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} does not exist, because the scripts of the explorers have not been built. "
            "Run `make bundles` in a clone of the repository of the book, or install kmds_lib "
            "from a tag that begins with notebooks-, which contains them."
        )
    return path.read_text(encoding="utf-8")


class Explorer(anywidget.AnyWidget):
    """Base class of the explorers, with the initial state that the reset button restores."""

    script: ClassVar[str]
    """Name of the module in `web/src`, and of its bundle."""
    start = traitlets.Dict().tag(sync=True)

    def __init_subclass__(cls, *, script: str = "", **options: Any) -> None:
        """Set the name of the script of an explorer; anywidget's own subclasses inherit it."""
        if script:
            cls.script = script
        super().__init_subclass__(**options)

    @property
    def _esm(self) -> str:
        """Return the script, which anywidget sends to the browser."""
        return read_bundle(BUNDLES / f"{self.script}.js")

    @property
    def _css(self) -> str:
        """Return the style sheet, which anywidget sends to the browser."""
        return read_bundle(BUNDLES / f"{self.script}.css")

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
