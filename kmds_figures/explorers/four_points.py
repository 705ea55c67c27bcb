"""Four points and their distance matrix."""

from typing import Any, Literal, get_args

import traitlets

from kmds_figures.explorers.explorer import Explorer
from kmds_lib._parameters import check_option

View = Literal["all", "distances"]


class FourPointsExplorer(Explorer, script="fourPoints"):
    """Four points and their distance matrix, as returned by `four_points_explorer`."""

    show = traitlets.Enum(get_args(View)).tag(sync=True)
    points: Any = traitlets.List().tag(sync=True)
    distances: Any = traitlets.List().tag(sync=True)


def four_points_explorer(show: View = "all") -> FourPointsExplorer:
    """Return four points that can be dragged, with their distances, B and its spectrum.

    Parameters
    ----------
    show : {"all", "distances"}
        All panels, or only the points and the distances between them.

    Returns
    -------
    FourPointsExplorer
        The widget. Make it the last expression of the cell. In a live notebook, its ``points`` are
        the points shown, and its ``distances`` the six distances d12, d13, d14, d23, d24, d34
        after an edit (an empty list before).

    Notes
    -----
    The browser computes B and its eigenvalues, without a Python kernel. Derived in Chapter 3,
    Distances and Gram matrices. Source: Schoenberg (1935); Young and Householder (1938).

    Examples
    --------
    >>> four_points_explorer().points[2]
    [2.2, -0.4]
    """
    check_option(show, View, "show")
    points = [[-2.0, 0.6], [0.2, 1.8], [2.2, -0.4], [-0.7, -1.5]]
    return FourPointsExplorer(show=show, points=points, distances=[])
