"""Four points and their distance table."""

from typing import Any

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from kmds_figures.explorers.explorer import SHARED_MODULE, Explorer, script_text

__all__ = ["GramExplorer", "gram_explorer"]

_FOUR_POINTS = ((-2.0, 0.6), (0.2, 1.8), (2.2, -0.4), (-0.7, -1.5))


class GramExplorer(Explorer):
    """Four points and their distance table; made by `gram_explorer`."""

    _esm = SHARED_MODULE + script_text("explorers/gram.js")
    points: Any = traitlets.List().tag(sync=True)
    distances: Any = traitlets.List().tag(sync=True)


def gram_explorer(points: ArrayLike | None = None) -> GramExplorer:
    """Return four draggable points with their distances, B, its spectrum and the map.

    Parameters
    ----------
    points : array_like, shape (4, 2), optional
        Points at the start, within about 3.7 of zero sideways and 2.4 up and down.

    Returns
    -------
    GramExplorer
        The widget, to be the last expression of the cell. Where a kernel runs, its
        ``points`` hold the points, and its ``distances`` the six distances d12, d13, d14,
        d23, d24, d34 once they are edited by hand (an empty list before).

    Raises
    ------
    ValueError
        If `points` is not a finite array of shape (4, 2).

    Notes
    -----
    The browser computes B and its eigenvalues by Jacobi rotations, without a kernel. Derived
    in Chapter 3, Distances and Gram matrices. Source: Schoenberg (1935); Young and
    Householder (1938).

    Examples
    --------
    >>> widget = gram_explorer([[0, 0], [1, 0], [1, 1], [0, 1]])
    >>> widget.points[2]
    [1.0, 1.0]
    """
    start = np.asarray(_FOUR_POINTS if points is None else points, dtype=np.float64)
    if start.shape != (4, 2) or not np.isfinite(start).all():
        raise ValueError(
            f"points has shape {start.shape}; pass four finite points of the plane, one a row."
        )
    return GramExplorer(points=start.tolist(), distances=[])
