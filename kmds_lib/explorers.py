"""Interactive figures that compute in the browser, in JupyterLab and on the static page.

Importing this module needs anywidget, which the rest of the library does not use.
"""

from copy import deepcopy
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets
from numpy.typing import ArrayLike, NDArray
from scipy.cluster.hierarchy import leaves_list, linkage

from kmds_lib._checks import as_points, check_n_components
from kmds_lib.datasets import load_eurodist, project_equal_area

__all__ = ["gram_explorer", "map_explorer", "neighbor_explorer", "table_explorer"]

_JS = Path(__file__).parent / "js"
_FOUR_POINTS = ((-2.0, 0.6), (0.2, 1.8), (2.2, -0.4), (-0.7, -1.5))
_KINDS = ("symmetric", "diagonalisable", "defective")
_ROLL_POINTS = (40, 200)
_ROLL_NEIGHBORS = (2, 15)


def _text(*names: str) -> str:
    """Return the text of some files, joined."""
    return "".join((_JS / name).read_text(encoding="utf-8") + "\n" for name in names)


SHARED_STYLE = _text("explorer.css")
"""Where the style sheet of every explorer begins: a page holds this part once."""
SHARED_MODULE = _text("core.js", "common.js")
"""Where the module of every explorer begins: it can import nothing, so it holds the core."""


class Explorer(anywidget.AnyWidget):
    """What all explorers have: the state in which they start, for their reset button."""

    _css = SHARED_STYLE
    start = traitlets.Dict().tag(sync=True)

    def __init__(self, **state: Any) -> None:
        """Take the first state."""
        super().__init__(**state)
        own = self.traits(sync=True).keys() - Explorer.class_traits(sync=True).keys()
        shown = sorted(name for name in own if not name.startswith("_"))
        self.start = {name: deepcopy(getattr(self, name)) for name in shown}


class GramExplorer(Explorer):
    """Four points and their distance table; made by `gram_explorer`."""

    _esm = SHARED_MODULE + _text("gram_explorer.js")
    points: Any = traitlets.List().tag(sync=True)
    distances: Any = traitlets.List().tag(sync=True)


class MapExplorer(Explorer):
    """A map of the plane in two bases; made by `map_explorer`."""

    _esm = SHARED_MODULE + _text("map_explorer.js")
    kind = traitlets.Enum(_KINDS).tag(sync=True)
    basis: Any = traitlets.List().tag(sync=True)


class TableExplorer(Explorer):
    """The road table, its map and its spectrum; made by `table_explorer`."""

    _esm = SHARED_MODULE + _text("table_explorer.js")
    labels: Any = traitlets.List().tag(sync=True)
    table: Any = traitlets.List().tag(sync=True)
    places: Any = traitlets.List().tag(sync=True)
    base = traitlets.Enum(("roads", "straight")).tag(sync=True)
    edits: Any = traitlets.List().tag(sync=True)
    method = traitlets.Enum(("cailliez", "lingoes")).tag(sync=True)
    share = traitlets.Float().tag(sync=True)
    chosen: Any = traitlets.List().tag(sync=True)
    moved: Any = traitlets.List().tag(sync=True)


class NeighborExplorer(Explorer):
    """A rolled-up sheet, its neighbour graph and Isomap's map; made by `neighbor_explorer`."""

    _esm = SHARED_MODULE + _text("neighbor_explorer.js")
    _css = SHARED_STYLE + _text("neighbor_explorer.css")
    points: Any = traitlets.List().tag(sync=True)
    sheet: Any = traitlets.List().tag(sync=True)
    n_points = traitlets.Int().tag(sync=True)
    n_neighbors = traitlets.Int().tag(sync=True)
    cut: Any = traitlets.List().tag(sync=True)
    view: Any = traitlets.List().tag(sync=True)


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
        holds the two basis vectors, which are the columns of P^-1.

    Raises
    ------
    ValueError
        If `kind` is none of the three.

    Notes
    -----
    The browser computes M' = P M P^-1, its determinant, trace and eigenvalues, without a
    kernel. Derived in Chapter 1, One map, many matrices.

    Examples
    --------
    >>> map_explorer("defective").kind
    'defective'
    """
    if kind not in _KINDS:
        raise ValueError(f"kind={kind!r} is unknown; choose one of {', '.join(_KINDS)}.")
    return MapExplorer(kind=kind, basis=[[1.2, 0.3], [-0.5, 1.0]])


def table_explorer() -> TableExplorer:
    """Return the road table of `load_eurodist`, each entry of which can be changed, with its map.

    Returns
    -------
    TableExplorer
        The widget, to be the last expression of the cell. Its ``labels`` name the cities, in an
        order that puts near ones side by side; ``table`` holds the roads between them, pair by
        pair, and ``places`` their true positions in km. Where a kernel runs, ``base`` says
        whether the table is the ``"roads"`` or the ``"straight"`` lines, ``edits`` holds a row
        ``[i, j, km]`` for each changed entry, ``share`` the part of the constant of ``method``
        that is added, ``chosen`` the entry in view, and ``moved`` the city that was dragged,
        with its place in km (an empty list before).

    Notes
    -----
    The browser computes both constants of `additive_constant`, the map, its spectrum and its two
    goodness-of-fit figures, without a kernel. Derived in Chapter 4, Classical scaling. Source:
    Torgerson (1952); Lingoes (1971); Cailliez (1983).

    Examples
    --------
    >>> widget = table_explorer()
    >>> widget.labels[:3], len(widget.table)
    (['Athens', 'Rome', 'Gibraltar'], 210)
    """
    roads = load_eurodist()
    pairs = np.triu_indices(len(roads.labels), 1)
    tree = linkage(roads.distances[pairs], "average", optimal_ordering=True)
    order = leaves_list(tree)
    labels = [roads.labels[i] for i in order]
    chosen = [labels.index("Paris"), labels.index("Rome")]
    return TableExplorer(
        labels=labels,
        table=roads.distances[np.ix_(order, order)][pairs].tolist(),
        places=project_equal_area(roads.coordinates)[order].round(1).tolist(),
        base="roads",
        edits=[],
        method="cailliez",
        share=0.0,
        chosen=chosen,
        moved=[],
    )


def neighbor_explorer(
    points: ArrayLike, sheet: ArrayLike, *, n_neighbors: int = 5, n_points: int | None = None
) -> NeighborExplorer:
    """Return a rolled-up sheet that can be turned, its neighbour graph, and Isomap's map of it.

    Parameters
    ----------
    points : array_like, shape (n, 3)
        Points in space, from 40 to 200. The figure has a slider that takes the first of them
        alone, so that each beginning of the table should be a sample of the sheet.
    sheet : array_like, shape (n, 2)
        Their places on the sheet before it was rolled; colours and shapes follow the first column.
    n_neighbors : int, default 5
        Number of neighbours at the start, from 2 to 15.
    n_points : int, optional
        How many of the points are taken at the start, at least 40; all of them without it.

    Returns
    -------
    NeighborExplorer
        The widget, to be the last expression of the cell. Where a kernel runs, ``n_points`` and
        ``n_neighbors`` hold the sliders, ``cut`` a row ``[i, j]`` with i < j for each edge that
        was cut, and ``view`` by how many degrees the roll is turned and tilted. Its ``points``
        and ``sheet`` are rounded to six digits of the largest entry.

    Raises
    ------
    ValueError
        If `points` or `sheet` is not finite or has another shape, or a number is out of range.

    Notes
    -----
    An edge counts as a short circuit where its ends are more than twice as far apart on the sheet
    as in space. The browser computes what `isomap` does, without a kernel. Derived in Chapter 11,
    Manifold methods as kernel MDS. Source: Tenenbaum, de Silva & Langford (2000); Balasubramanian
    & Schwartz (2002).

    Examples
    --------
    >>> from kmds_lib import swiss_roll
    >>> widget = neighbor_explorer(*swiss_roll(120), n_neighbors=8)
    >>> widget.n_points, widget.n_neighbors, widget.cut
    (120, 8, [])
    """
    X, places = as_points(points, "points"), as_points(sheet, "sheet")
    fewest, most = _ROLL_POINTS
    if X.shape[1] != 3 or not fewest <= len(X) <= most:
        raise ValueError(
            f"points has shape {X.shape}; pass from {fewest} to {most} points of space, one a row."
        )
    if places.shape != (len(X), 2):
        raise ValueError(
            f"sheet has shape {places.shape}; pass two numbers for each of the {len(X)} points."
        )
    count = check_n_components(len(X) if n_points is None else n_points, len(X), "n_points")
    kappa = check_n_components(n_neighbors, _ROLL_NEIGHBORS[1], "n_neighbors")
    if count < fewest:
        raise ValueError(f"n_points = {count} is too few; take at least {fewest}.")
    if kappa < _ROLL_NEIGHBORS[0]:
        raise ValueError(f"n_neighbors = {kappa} is too few; take at least {_ROLL_NEIGHBORS[0]}.")
    return NeighborExplorer(
        points=_rounded(X),
        sheet=_rounded(places),
        n_points=count,
        n_neighbors=kappa,
        cut=[],
        view=[35, 20],
    )


def _rounded(rows: NDArray[np.float64]) -> list[list[float]]:
    """Return rows of numbers with six digits of the largest."""
    largest = float(np.abs(rows).max())
    digits = 5 - int(np.floor(np.log10(largest))) if largest > 0 else 0
    rounded: list[list[float]] = rows.round(digits).tolist()
    return rounded
