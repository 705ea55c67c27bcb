"""Points of the plane, and a line or two axes to turn."""

from typing import Any, Literal, get_args

import traitlets
from numpy.typing import ArrayLike

from kmds_figures.explorers.explorer import Explorer, in_the_plane
from kmds_lib._checks import check_number, check_option

__all__ = ["TurnExplorer", "turn_explorer"]

Asks = Literal["axes", "line", "shadow"]
_COUNTS = (3, 150)
# How far points may lie from the origin, by what is asked; turn.js says the same.
_REACH = {"axes": (4.5, 3.9), "line": (1.9, 1.3), "shadow": (5.6, 3.9)}


class TurnExplorer(Explorer):
    """Points of the plane, and a line to turn; made by `turn_explorer`."""

    asks = traitlets.Enum(get_args(Asks)).tag(sync=True)
    points: Any = traitlets.List().tag(sync=True)
    angle = traitlets.Float().tag(sync=True)


def turn_explorer(points: ArrayLike, asks: Asks = "line", *, angle: float = 0.0) -> TurnExplorer:
    """Return points of the plane with a line through the origin that can be turned.

    Parameters
    ----------
    points : array_like, shape (n, 2)
        The points, 3 to 150; they are rounded to 0.01.
    asks : {"axes", "line", "shadow"}
        What is shown: variances along two turned axes; squared length along a line and across it;
        or what a projection onto the line does to the distances.
    angle : float
        The angle of the line at the start, in degrees, from 0 to 180.

    Returns
    -------
    TurnExplorer
        The widget, to be the last expression of the cell. Where a kernel runs, its ``angle`` holds
        what is shown.

    Raises
    ------
    ValueError
        If `asks` is unknown, or points or angle lie outside what can be shown.

    Notes
    -----
    Derived in Chapters 1, 2 and 4.

    Examples
    --------
    >>> turn_explorer([[1, 0], [0, 1], [1, 1]], angle=45).angle
    45.0
    """
    check_option(asks, Asks, "asks")
    if check_number(angle, "angle") > 180:
        raise ValueError(f"angle is {angle!r}: give at most 180 degrees.")
    return TurnExplorer(
        asks=asks, points=in_the_plane(points, _COUNTS, _REACH[asks]), angle=float(angle)
    )
