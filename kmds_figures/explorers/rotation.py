"""Points in the plane, with a line or two axes that can be rotated."""

from collections.abc import Sequence
from typing import Any, Literal, get_args

import traitlets
from numpy.typing import ArrayLike

from kmds_figures.explorers.explorer import Explorer, as_drawable_points
from kmds_lib._parameters import check_number, check_option

View = Literal["variances", "projections", "distances"]
_N_POINTS_RANGE = (3, 150)
# How far each view extends to either side of 0, horizontally and vertically.
_MAX_COORDINATES = {
    "variances": (4.5, 3.9),
    "projections": (1.2, 1.1),
    "distances": (5.6, 3.9),
}


class RotationExplorer(Explorer, script="rotation"):
    """Points in the plane with a line that can be rotated, as returned by `rotation_explorer`."""

    show = traitlets.Enum(get_args(View)).tag(sync=True)
    points: Any = traitlets.List().tag(sync=True)
    axes: Any = traitlets.List().tag(sync=True)
    angle = traitlets.Float().tag(sync=True)


def rotation_explorer(
    points: ArrayLike,
    show: View = "projections",
    *,
    angle: float = 0.0,
    axes: Sequence[str] = (),
) -> RotationExplorer:
    """Return points in the plane with a line through the origin that can be rotated.

    Parameters
    ----------
    points : array_like, shape (n, 2)
        3 to 150 points, which are rounded to 0.01.
    show : {"variances", "projections", "distances"}
        Content: the variances along two rotated axes, the projections of points in the unit
        square onto a line with their errors, or the distances between the projections.
    angle : float
        Initial angle of the line in degrees, from 0 to 180.
    axes : sequence of str
        Names of both axes, written in the view of the projections.

    Returns
    -------
    RotationExplorer
        The widget. Make it the last expression of the cell. In a live notebook, its ``angle`` is
        the angle shown.

    Raises
    ------
    ValueError
        If `show` is unknown, or points or angle are out of range.

    Notes
    -----
    Derived in Chapters 1, 2 and 4.

    Examples
    --------
    >>> rotation_explorer([[1, 0], [0, 1], [1, 1]], angle=45).angle
    45.0
    """
    check_option(show, View, "show")
    if check_number(angle, "angle") > 180:
        raise ValueError(f"angle is {angle!r}; give at most 180 degrees.")
    return RotationExplorer(
        show=show,
        points=as_drawable_points(points, _N_POINTS_RANGE, _MAX_COORDINATES[show]),
        angle=float(angle),
        axes=[str(name) for name in axes],
    )
