"""A new point on a finished map, by Gower's formula."""

from typing import Any

import traitlets

from kmds_figures.explorers.explorer import Explorer

__all__ = ["NewcomerExplorer", "newcomer_explorer"]

_OLD = ((-2.5, -1.1), (-1.4, 1.5), (0.3, -1.6), (1.3, 1.4), (2.3, -0.2))
"""Their mean is the origin."""


class NewcomerExplorer(Explorer):
    """A new point on a finished map; made by `newcomer_explorer`."""

    points: Any = traitlets.List().tag(sync=True)
    new_point: Any = traitlets.List().tag(sync=True)
    squared_height = traitlets.Float().tag(sync=True)
    pulled: Any = traitlets.List().tag(sync=True)


def newcomer_explorer() -> NewcomerExplorer:
    """Return a map of a few old points, with a new one that is placed by its distances.

    Returns
    -------
    NewcomerExplorer
        The widget, to be the last expression of the cell. Where a kernel runs, ``new_point`` and
        ``squared_height`` hold what is shown, and ``pulled`` the distances to the old points once
        one is changed by hand (an empty list before).

    Notes
    -----
    The browser places the new point by its distances to the old ones, without a kernel. Derived in
    Chapter 10, A new point is projected, and a few landmarks place the rest. Source: Gower (1968).

    Examples
    --------
    >>> widget = newcomer_explorer()
    >>> widget.new_point, widget.pulled
    ([1.5, -0.9], [])
    """
    return NewcomerExplorer(
        points=[list(point) for point in _OLD],
        new_point=[1.5, -0.9],
        squared_height=1.44,
        pulled=[],
    )
