"""A map of the plane in two bases."""

from typing import Any

import traitlets

from kmds_figures.explorers.explorer import Explorer

__all__ = ["MapExplorer", "map_explorer"]


class MapExplorer(Explorer):
    """A map of the plane in two bases; made by `map_explorer`."""

    kind = traitlets.Enum(("symmetric", "diagonalisable", "defective")).tag(sync=True)
    basis: Any = traitlets.List().tag(sync=True)


def map_explorer() -> MapExplorer:
    """Return a map of the plane seen in a basis that can be dragged.

    Returns
    -------
    MapExplorer
        The widget, to be the last expression of the cell. Where a kernel runs, its ``basis``
        holds the two basis vectors, which are the columns of :math:`P^{-1}`, and its ``kind`` says
        which map is shown.

    Notes
    -----
    The browser computes :math:`M' = P M P^{-1}`, its determinant, trace and eigenvalues, without a
    kernel. Derived in Chapter 1, One map, many matrices.

    Examples
    --------
    >>> map_explorer().kind
    'symmetric'
    """
    return MapExplorer(kind="symmetric", basis=[[1.2, 0.3], [-0.5, 1.0]])
