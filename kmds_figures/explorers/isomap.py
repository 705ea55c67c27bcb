"""A rolled-up sheet, its neighbour graph and its map by Isomap."""

from typing import Any, Literal, get_args

import traitlets
from numpy.typing import ArrayLike

from kmds_figures.explorers.explorer import Explorer, round_to_six_digits
from kmds_lib._parameters import check_count_up_to, check_option
from kmds_lib._validation import as_points

View = Literal["all", "map"]


class IsomapExplorer(Explorer, script="isomap"):
    """A rolled-up sheet, its neighbour graph and its map, from `isomap_explorer`."""

    show = traitlets.Enum(get_args(View)).tag(sync=True)
    points: Any = traitlets.List().tag(sync=True)
    sheet: Any = traitlets.List().tag(sync=True)
    n_points = traitlets.Int().tag(sync=True)
    n_neighbors = traitlets.Int().tag(sync=True)
    removed: Any = traitlets.List().tag(sync=True)
    view: Any = traitlets.List().tag(sync=True)


def isomap_explorer(
    points: ArrayLike,
    sheet: ArrayLike,
    *,
    n_points: int | None = None,
    show: View = "all",
) -> IsomapExplorer:
    """Return a rolled-up sheet that can be rotated, its neighbour graph and its map by Isomap.

    Parameters
    ----------
    points : array_like, shape (n, 3)
        40 to 200 points in space. The figure has a slider for the number of points, which are the
        first rows, so the first rows should be a sample of the sheet.
    sheet : array_like, shape (n, 2)
        Their positions on the flat sheet. The first column determines colours and markers.
    n_points : int, optional
        Initial number of points, at least 40. By default all.
    show : {"all", "map"}
        Everything, or everything except the negative mass.

    Returns
    -------
    IsomapExplorer
        The widget. Make it the last expression of the cell. In a live notebook, ``n_points`` and
        ``n_neighbors`` are the values of the sliders, ``removed`` contains a row ``[i, j]`` with
        i < j for each edge that was removed, and ``view`` the rotation and the tilt of the roll in
        degrees. Its ``points`` and ``sheet`` are rounded to six digits of the largest entry.

    Raises
    ------
    ValueError
        If `points` or `sheet` is not finite or has a wrong shape, `n_points` is out of range, or
        `show` is unknown.

    Notes
    -----
    An edge is called a short circuit if its ends are more than twice as far apart on the sheet as
    in space. The browser computes the same as `isomap`, without a Python kernel. Derived in
    Chapter 11, Manifold methods. Source: Tenenbaum, de Silva & Langford (2000); Balasubramanian &
    Schwartz (2002).

    Examples
    --------
    >>> from kmds_lib import swiss_roll
    >>> widget = isomap_explorer(*swiss_roll(120))
    >>> widget.n_points, widget.n_neighbors, widget.removed
    (120, 5, [])
    """
    check_option(show, View, "show")
    X, places = as_points(points, "points"), as_points(sheet, "sheet")
    fewest, most = 40, 200
    if X.shape[1] != 3 or not fewest <= len(X) <= most:
        raise ValueError(
            f"points has shape {X.shape}; pass {fewest} to {most} points in space, one per row."
        )
    if places.shape != (len(X), 2):
        raise ValueError(
            f"sheet has shape {places.shape}; pass two coordinates for each of {len(X)} points."
        )
    count = check_count_up_to(len(X) if n_points is None else n_points, len(X), "n_points")
    if count < fewest:
        raise ValueError(f"n_points = {count} is too few; take at least {fewest}.")
    return IsomapExplorer(
        show=show,
        points=round_to_six_digits(X).tolist(),
        sheet=round_to_six_digits(places).tolist(),
        n_points=count,
        n_neighbors=5,
        removed=[],
        view=[35, 20],
    )
