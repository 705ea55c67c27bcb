"""Four points and their distance table."""

from typing import Any

import traitlets

from kmds_figures.explorers.explorer import Explorer

__all__ = ["GramExplorer", "gram_explorer"]


class GramExplorer(Explorer):
    """Four points and their distance table; made by `gram_explorer`."""

    points: Any = traitlets.List().tag(sync=True)
    distances: Any = traitlets.List().tag(sync=True)


def gram_explorer() -> GramExplorer:
    """Return four draggable points with their distances, B, its spectrum and the map.

    Returns
    -------
    GramExplorer
        The widget, to be the last expression of the cell. Where a kernel runs, its
        ``points`` hold the points, and its ``distances`` the six distances d12, d13, d14,
        d23, d24, d34 once they are edited by hand (an empty list before).

    Notes
    -----
    The browser computes B and its eigenvalues, without a kernel. Derived in Chapter 3, Distances
    and Gram matrices. Source: Schoenberg (1935); Young and Householder (1938).

    Examples
    --------
    >>> gram_explorer().points[2]
    [2.2, -0.4]
    """
    points = [[-2.0, 0.6], [0.2, 1.8], [2.2, -0.4], [-0.7, -1.5]]
    return GramExplorer(points=points, distances=[])
