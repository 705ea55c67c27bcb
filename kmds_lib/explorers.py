"""Interactive figures that compute in the browser, in JupyterLab and on the static page.

Importing this module needs anywidget, which the rest of the library does not use.
"""

from copy import deepcopy
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets
from numpy.typing import ArrayLike
from scipy.cluster.hierarchy import leaves_list, linkage

from kmds_lib.datasets import load_eurodist, project_equal_area
from kmds_lib.linalg import procrustes_align
from kmds_lib.stress import smacof

__all__ = ["gram_explorer", "map_explorer", "stress_explorer", "table_explorer"]

_JS = Path(__file__).parent / "js"
_FOUR_POINTS = ((-2.0, 0.6), (0.2, 1.8), (2.2, -0.4), (-0.7, -1.5))
_KINDS = ("symmetric", "diagonalisable", "defective")


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


class StressExplorer(Explorer):
    """The descent of SMACOF on the road table; made by `stress_explorer`."""

    _esm = SHARED_MODULE + _text("stress_explorer.js")
    labels: Any = traitlets.List().tag(sync=True)
    table: Any = traitlets.List().tag(sync=True)
    best: Any = traitlets.List().tag(sync=True)
    run: Any = traitlets.List().tag(sync=True)
    steps = traitlets.Int().tag(sync=True)
    ends: Any = traitlets.List().tag(sync=True)
    tried: Any = traitlets.List().tag(sync=True)
    chosen = traitlets.Int().tag(sync=True)
    points: Any = traitlets.List().tag(sync=True)


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


def stress_explorer() -> StressExplorer:
    """Return SMACOF on the road table of `load_eurodist`, step by step, with its springs.

    Returns
    -------
    StressExplorer
        The widget, to be the last expression of the cell. Its ``labels`` name the cities,
        ``table`` holds the roads between them, pair by pair, and ``best`` the map of the least
        raw stress that is known, north up, both in 1000 km. Where a kernel runs, ``run`` says
        where the descent began: ``[0]`` at the classical map, ``[seed]`` at a random one, and
        ``[city, x0, y0, x1, ...]`` where a hand left the cities, in km. ``steps`` counts the
        steps taken, 1000 standing for all; ``points`` is the map after them, in 1000 km, once
        something was changed (an empty list before). ``ends`` holds the runs that ended in
        different maps, each behind the number of random starts that did, ``tried`` the last seed
        and the number of them, and ``chosen`` the city to drag.

    Notes
    -----
    The browser computes the steps, which are Guttman transforms, and stops as `smacof` does with
    ``tol=1e-5``; `smacof` takes fewer, longer steps to the same minima. Derived in Chapter 9,
    Stress. Source: Guttman (1968); de Leeuw (1977).

    Examples
    --------
    >>> widget = stress_explorer()
    >>> widget.labels[widget.chosen], widget.run, widget.ends
    ('Rome', [11], [[0, 0], [0, 11]])
    """
    roads = load_eurodist()
    D = roads.distances / 1000
    best = smacof(D, tol=1e-9).points
    best = procrustes_align(best, target=project_equal_area(roads.coordinates)).points
    return StressExplorer(
        labels=list(roads.labels),
        table=D[np.triu_indices(len(D), 1)].tolist(),
        best=(best - best.mean(axis=0)).round(4).tolist(),
        run=[11],
        steps=1000,
        ends=[[0, 0], [0, 11]],
        tried=[11, 0],
        chosen=roads.labels.index("Rome"),
        points=[],
    )


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
