"""A new point on an existing map, placed by Gower's formula."""

from typing import Any

import traitlets

from kmds_figures.explorers.explorer import Explorer

_MAP_POINTS = ((-2.5, -1.1), (-1.4, 1.5), (0.3, -1.6), (1.3, 1.4), (2.3, -0.2))
"""Points of the map, with mean zero."""


class NewPointExplorer(Explorer, script="newPoint"):
    """A new point on an existing map, as returned by `new_point_explorer`."""

    points: Any = traitlets.List().tag(sync=True)
    new_point: Any = traitlets.List().tag(sync=True)
    squared_height = traitlets.Float().tag(sync=True)
    edited_distances: Any = traitlets.List().tag(sync=True)


def new_point_explorer() -> NewPointExplorer:
    """Return a map of five points with a new point, which is placed by its distances.

    Returns
    -------
    NewPointExplorer
        The widget. Make it the last expression of the cell. In a live notebook, ``new_point`` and
        ``squared_height`` are the state shown, and ``edited_distances`` contains the distances to
        the old points after one was edited (an empty list before).

    Notes
    -----
    The browser computes the position from the distances, without a Python kernel. Derived in
    Chapter 10, New points and landmarks. Source: Gower (1968).

    Examples
    --------
    >>> widget = new_point_explorer()
    >>> widget.new_point, widget.edited_distances
    ([1.5, -0.9], [])
    """
    return NewPointExplorer(
        points=[list(point) for point in _MAP_POINTS],
        new_point=[1.5, -0.9],
        squared_height=1.44,
        edited_distances=[],
    )
