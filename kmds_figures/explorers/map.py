"""The matrices of a linear map of the plane in two bases."""

from typing import Any

import traitlets

from kmds_figures.explorers.explorer import Explorer

__all__ = ["MapExplorer", "map_explorer"]


class MapExplorer(Explorer, script="changeOfBasis"):
    """A linear map of the plane in two bases, as returned by `map_explorer`."""

    kind = traitlets.Enum(("symmetric", "diagonalisable", "defective")).tag(sync=True)
    basis: Any = traitlets.List().tag(sync=True)


def map_explorer() -> MapExplorer:
    """Return a linear map of the plane with its matrix in a basis that can be dragged.

    Returns
    -------
    MapExplorer
        The widget. Make it the last expression of the cell. In a live notebook, its ``basis``
        contains the two basis vectors, which are the columns of :math:`P^{-1}`, and its ``kind``
        is the name of the linear map shown.

    Notes
    -----
    The browser computes :math:`M' = P M P^{-1}`, its determinant, trace and eigenvalues, without a
    Python kernel. Derived in Chapter 1, Similarity transforms and the spectral theorem.

    Examples
    --------
    >>> map_explorer().kind
    'symmetric'
    """
    return MapExplorer(kind="symmetric", basis=[[1.2, 0.3], [-0.5, 1.0]])
