"""A map of the plane in two bases."""

from typing import Any

import traitlets

from kmds_figures.explorers.explorer import SHARED_MODULE, Explorer, script_text

__all__ = ["MapExplorer", "map_explorer"]

_KINDS = ("symmetric", "diagonalisable", "defective")


class MapExplorer(Explorer):
    """A map of the plane in two bases; made by `map_explorer`."""

    _esm = SHARED_MODULE + script_text("explorers/map.js")
    kind = traitlets.Enum(_KINDS).tag(sync=True)
    basis: Any = traitlets.List().tag(sync=True)


def map_explorer(kind: str = "symmetric") -> MapExplorer:
    """Return a map of the plane seen in a basis that can be dragged.

    Parameters
    ----------
    kind : {"symmetric", "diagonalisable", "defective"}
        The map shown at the start.

    Returns
    -------
    MapExplorer
        The widget, to be the last expression of the cell. Where a kernel runs, its ``basis``
        holds the two basis vectors, which are the columns of :math:`P^{-1}`.

    Raises
    ------
    ValueError
        If `kind` is none of the three.

    Notes
    -----
    The browser computes :math:`M' = P M P^{-1}`, its determinant, trace and eigenvalues, without a
    kernel. Derived in Chapter 1, One map, many matrices.

    Examples
    --------
    >>> map_explorer("defective").kind
    'defective'
    """
    if kind not in _KINDS:
        raise ValueError(f"kind={kind!r} is unknown; choose one of {', '.join(_KINDS)}.")
    return MapExplorer(kind=kind, basis=[[1.2, 0.3], [-0.5, 1.0]])
