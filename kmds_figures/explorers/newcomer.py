"""A new point on a finished map, by Gower's formula."""

from typing import Any

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from kmds_figures.explorers.explorer import (
    SHARED_MODULE,
    SHARED_STYLE,
    Explorer,
    in_the_plane,
    script_text,
)

__all__ = ["NewcomerExplorer", "newcomer_explorer"]

_FIVE_POINTS = ((-2.5, -1.1), (-1.4, 1.5), (0.3, -1.6), (1.3, 1.4), (2.3, -0.2))
# What can be drawn; newcomer.js says the same.
_REACH = (3.39, 1.89)
_SQUARES = (-2.0, 4.0)


class NewcomerExplorer(Explorer):
    """A new point on a finished map; made by `newcomer_explorer`."""

    _esm = SHARED_MODULE + script_text("explorers/newcomer.js")
    _css = SHARED_STYLE + script_text("explorers/newcomer.css")
    points: Any = traitlets.List().tag(sync=True)
    new_point: Any = traitlets.List().tag(sync=True)
    squared_height = traitlets.Float().tag(sync=True)
    pulled: Any = traitlets.List().tag(sync=True)


def newcomer_explorer(
    points: ArrayLike = _FIVE_POINTS,
    new_point: ArrayLike = (1.5, -0.9),
    *,
    squared_height: float = 1.44,
) -> NewcomerExplorer:
    """Return a map of a few old points, with a new one that is placed by its distances.

    Parameters
    ----------
    points : array_like, shape (n, 2), optional
        The old points, 4 to 6 that do not lie on a line, within 3.39 of zero sideways and 1.89 up
        and down; their mean becomes the origin.
    new_point : array_like, shape (2,)
        Where the new point stands at the start, seen from above.
    squared_height : float, default 1.44
        What all its squared distances have more than that place has, from -2 to 4: the squared
        height over the map, where it is not negative.

    Returns
    -------
    NewcomerExplorer
        The widget, to be the last expression of the cell. Where a kernel runs, ``new_point`` and
        ``squared_height`` hold what is shown, and ``pulled`` the distances to the old points once
        one is changed by hand (an empty list before).

    Raises
    ------
    ValueError
        If there are other points than can be drawn, or they lie on a line.

    Notes
    -----
    The browser places the new point by its distances to the old ones, without a kernel. Derived in
    Chapter 10, A new point is projected, and a few landmarks place the rest. Source: Gower (1968).

    Examples
    --------
    >>> widget = newcomer_explorer(squared_height=0)
    >>> widget.new_point, widget.pulled
    ([1.5, -0.9], [])
    """
    old = np.asarray(in_the_plane(points, (4, 6), _REACH))
    old = old - old.mean(axis=0)
    if np.linalg.matrix_rank(old, tol=0.05) < 2:
        raise ValueError("The points lie on a line; their map needs two dimensions.")
    if not _SQUARES[0] <= squared_height <= _SQUARES[1]:
        raise ValueError(f"squared_height is {squared_height:g}; give a number from -2 to 4.")
    return NewcomerExplorer(
        points=[[float(x) for x in row] for row in old.round(4)],
        new_point=in_the_plane(np.atleast_2d(new_point), (1, 1), _REACH)[0],
        squared_height=round(float(squared_height), 2),
        pulled=[],
    )
