"""Interactive figures that compute in the browser, in JupyterLab and on the static page.

Importing this module needs anywidget, which the rest of the library does not use.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal, get_args

import anywidget
import numpy as np
import traitlets
from numpy.typing import ArrayLike
from scipy.cluster.hierarchy import leaves_list, linkage

from kmds_lib._checks import (
    as_dissimilarities,
    as_points,
    check_n_components,
    check_number,
    check_option,
)
from kmds_lib.datasets import load_eurodist, project_equal_area, rings, three_clusters
from kmds_lib.kernels import (
    RBF,
    DampedCosine,
    Exponential,
    Kernel,
    Linear,
    Polynomial,
    Power,
)

__all__ = ["gram_explorer", "kernel_explorer", "map_explorer", "table_explorer", "width_explorer"]

_JS = Path(__file__).parent / "js"
_FOUR_POINTS = ((-2.0, 0.6), (0.2, 1.8), (2.2, -0.4), (-0.7, -1.5))
_KINDS = ("symmetric", "diagonalisable", "defective")
Question = Literal["kernel", "components"]
Centring = Literal["all", "fit", "none"]
Points = Literal["line", "grid", "rings", "moons", "clusters"]
Profile = Literal["RBF", "Exponential"]
_WIDTHS = (1e-4, 1e3)
_FEWEST_POINTS, _MOST_POINTS = 5, 60
_REACH = (3.12, 2.82)
# What the sliders of the kernel explorer reach; js/kernel_explorer.js says the same.
_RANGES: dict[type[Kernel], dict[str, tuple[float, float]]] = {
    Linear: {},
    Polynomial: {"degree": (1, 6), "offset": (0, 3)},
    RBF: {"theta": (0.01, 100)},
    Exponential: {"theta": (0.01, 100)},
    DampedCosine: {"alpha": (0, 6), "omega": (0, 6)},
    Power: {"beta": (0.25, 4)},
}


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


class KernelExplorer(Explorer):
    """Points of the plane under a kernel; made by `kernel_explorer`."""

    _esm = SHARED_MODULE + _text("kernel_explorer.js")
    _css = SHARED_STYLE + _text("kernel_explorer.css")
    asks = traitlets.Enum(get_args(Question)).tag(sync=True)
    presets: Any = traitlets.Dict().tag(sync=True)
    points: Any = traitlets.List().tag(sync=True)
    groups: Any = traitlets.List().tag(sync=True)
    kernel: Any = traitlets.Dict().tag(sync=True)
    component = traitlets.Int().tag(sync=True)
    centring = traitlets.Enum(get_args(Centring)).tag(sync=True)
    test: Any = traitlets.List().tag(sync=True)
    chosen = traitlets.Int(0).tag(sync=True)
    signs: Any = traitlets.List([1, 1, 1, 1]).tag(sync=True)
    turn: Any = traitlets.List([0, 1]).tag(sync=True)


class WidthExplorer(Explorer):
    """Kernel MDS of a table as its kernel's width changes; made by `width_explorer`."""

    _esm = SHARED_MODULE + _text("width_explorer.js")
    _css = SHARED_STYLE + _text("width_explorer.css")
    upper: Any = traitlets.List().tag(sync=True)
    groups: Any = traitlets.List().tag(sync=True)
    names: Any = traitlets.List().tag(sync=True)
    kernel = traitlets.Enum(get_args(Profile)).tag(sync=True)
    theta = traitlets.Float().tag(sync=True)
    turn: Any = traitlets.List([0, 1]).tag(sync=True)


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


def kernel_explorer(
    points: str | ArrayLike = "rings",
    kernel: Kernel | None = None,
    *,
    asks: Question = "components",
    component: int = 1,
    centring: Centring = "all",
    test: tuple[float, float] = (1.9, -1.2),
) -> KernelExplorer:
    """Return points of the plane under a kernel: its matrix, its spectrum and its components.

    Parameters
    ----------
    points : {"line", "grid", "rings", "moons", "clusters"} or array_like, shape (n, 2)
        Points at the start, of a preset or 5 to 60 of your own, within 3.12 of zero sideways
        and 2.82 up and down; they are rounded to 0.01.
    kernel : Linear, Polynomial, RBF, Exponential, DampedCosine or Power, optional
        The kernel at the start, within the range of the sliders, its parameters rounded to
        three digits; ``RBF(1.0)`` if not given.
    asks : {"components", "kernel"}
        The question: what components the kernel finds, with the map and the projection of a
        test point; or whether it is a kernel at all, with the function k(., x) of a point x.
    component : int, default 1
        The component whose level lines are drawn at the start, 1 to 4.
    centring : {"all", "fit", "none"}
        What is centred at the start: the kernel matrix and the new point, the matrix alone, or
        nothing. The last two are mistakes to look at.
    test : tuple of two floats
        The test point at the start.

    Returns
    -------
    KernelExplorer
        The widget, to be the last expression of the cell. Where a kernel runs, its ``points``,
        ``groups`` (one number a point, drawn as its shape), ``kernel`` (name and parameters),
        ``component``, ``centring``, ``test`` and the ``chosen`` point hold what is shown;
        ``signs`` and ``turn`` (degrees, and -1 if mirrored) how components and map are turned.

    Raises
    ------
    ValueError
        If a name is unknown, or points or a parameter lie outside what can be shown.
    TypeError
        If `kernel` is none of the six.

    Notes
    -----
    The browser computes the kernel matrix, all its eigenvalues, the scores and their level
    lines, without a Python kernel. Derived in Chapter 6, A kernel is a dot product after a
    map, and Chapter 7, Kernel PCA. Source: Schoelkopf, Smola and Mueller (1998).

    Examples
    --------
    >>> widget = kernel_explorer("clusters", RBF(2.0), component=2)
    >>> widget.kernel, len(widget.points)
    ({'name': 'RBF', 'theta': 2.0}, 36)
    """
    check_option(asks, Question, "asks")
    check_option(centring, Centring, "centring")
    component = check_n_components(component, 4, "component")
    presets = _kernel_presets()
    if isinstance(points, str):
        check_option(points, Points, "points")
        shown = presets[points]
    else:
        rows = _in_the_plane(points)
        shown = {"points": rows, "groups": [0] * len(rows)}
    return KernelExplorer(
        asks=asks,
        presets=presets,
        kernel=_kernel_state(RBF(1.0) if kernel is None else kernel),
        component=component,
        centring=centring,
        test=_in_the_plane([test], fewest=1)[0],
        **shown,
    )


def _kernel_presets() -> dict[str, dict[str, Any]]:
    """Return the points of each preset, with their groups."""
    along = np.linspace(0.0, np.pi, 16)
    upper = np.column_stack([1.8 * np.cos(along) - 0.8, 1.8 * np.sin(along) - 0.4])
    side = 0.8 * np.arange(-2, 3)
    square = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    circles, ring = rings(16, radii=(1.0, 2.8))
    clusters, cluster = three_clusters(12)
    drawn = {
        "line": (np.column_stack([np.linspace(-3, 3, 16), np.zeros(16)]), np.zeros(16)),
        "grid": (square, np.zeros(25)),
        "rings": (circles, ring),
        "moons": (np.concatenate([upper, -upper]), np.repeat([0, 1], 16)),
        "clusters": (3 * clusters, cluster),
    }
    return {
        name: {"points": _in_the_plane(X), "groups": [int(g) for g in groups]}
        for name, (X, groups) in drawn.items()
    }


def _in_the_plane(points: ArrayLike, fewest: int = _FEWEST_POINTS) -> list[list[float]]:
    """Return checked points of the plane as rows of numbers with two decimals."""
    X = as_points(points, "points")
    if X.shape[1] != 2 or not fewest <= len(X) <= _MOST_POINTS:
        raise ValueError(
            f"points has shape {X.shape}; pass {fewest} to {_MOST_POINTS} points of the plane, "
            "one a row."
        )
    outside = np.argwhere(np.abs(X) > np.array(_REACH) + 0.005)
    if len(outside):
        i, axis = outside[0]
        raise ValueError(
            f"points[{i}, {axis}] = {X[i, axis]:g} lies outside the plane that is drawn, "
            f"{_REACH[axis]} on either side of 0: choose another unit."
        )
    return [[round(float(x), 2) + 0.0 for x in row] for row in X]


def _kernel_state(kernel: Kernel) -> dict[str, Any]:
    """Return name and parameters of a kernel that the explorer has sliders for."""
    ranges = _RANGES.get(type(kernel))
    if ranges is None:
        names = ", ".join(one.__name__ for one in _RANGES)
        raise TypeError(f"kernel is a {type(kernel).__name__}; give one of {names}.")
    values: dict[str, Any] = asdict(kernel) if ranges else {}  # type: ignore[call-overload]
    if values.pop("scale", 1.0) != 1.0:
        raise ValueError(f"{kernel} has a scale, for which there is no slider: scale the points.")
    for name, (least, most) in ranges.items():
        if not least <= values[name] <= most:
            raise ValueError(
                f"{name} = {values[name]:g} lies outside the slider, {least} to {most}."
            )
    for name in values.keys() - {"degree"}:
        values[name] = float(f"{values[name]:.3g}")
    return {"name": type(kernel).__name__, **values}


def width_explorer(
    D: ArrayLike,
    groups: ArrayLike | None = None,
    *,
    names: Sequence[str] = (),
    kernel: Profile = "RBF",
    theta: float = 0.1,
) -> WidthExplorer:
    """Return the kernel MDS of a table of dissimilarities as the kernel's width changes.

    Parameters
    ----------
    D : array_like, shape (n, n)
        Dissimilarities of 6 to 60 different objects, in a unit in which the widths below make
        sense; they are rounded to four digits of the largest.
    groups : array_like, shape (n,), optional
        The group of each object, 0, 1 or 2, drawn as its shape; one group if not given.
    names : sequence of str, optional
        What the groups are, for the key.
    kernel : {"RBF", "Exponential"}
        The kernel at the start.
    theta : float, default 0.1
        Its width parameter at the start, from 0.0001 to 1000.

    Returns
    -------
    WidthExplorer
        The widget, to be the last expression of the cell. Where a kernel runs, its ``kernel``
        and ``theta`` hold what is shown, ``turn`` how the map is turned (degrees, and -1 if
        mirrored), and ``upper`` the rounded table above the diagonal, row after row.

    Raises
    ------
    ValueError
        If D is no table of dissimilarities, has too many objects or equal ones, or another
        argument lies outside its range.

    Notes
    -----
    Map, function f, both Shepard diagrams and the explained fraction for every number of
    dimensions, beside its limits for wide and for narrow kernels. Derived in Chapter 8, Kernel
    MDS. Source: Williams (2001).

    Examples
    --------
    >>> widget = width_explorer(1.0 - np.eye(6), theta=0.5)
    >>> widget.theta, len(widget.upper)
    (0.5, 15)
    """
    check_option(kernel, Profile, "kernel")
    theta = check_number(theta, "theta", positive=True)
    if not _WIDTHS[0] <= theta <= _WIDTHS[1]:
        raise ValueError(f"theta is {theta:g}; the slider goes from {_WIDTHS[0]:g} to 1000.")
    table = as_dissimilarities(D)
    n = len(table)
    if not 6 <= n <= _MOST_POINTS:
        raise ValueError(f"D has {n} objects; give 6 to {_MOST_POINTS}.")
    upper = table[np.triu_indices(n, 1)]
    decimals = 3 - int(np.floor(np.log10(upper.max() or 1.0)))
    rounded = upper.round(decimals)
    if not (rounded > 0).all():
        raise ValueError(
            "Two objects of D are equal, to four digits; the limit of narrow kernels needs "
            "different ones. Keep one of each."
        )
    return WidthExplorer(
        upper=[float(d) for d in rounded],
        groups=_shapes(groups, n),
        names=[str(name) for name in names],
        kernel=kernel,
        theta=theta,
    )


def _shapes(groups: ArrayLike | None, n: int) -> list[int]:
    """Return the checked group of each of n objects."""
    shapes = np.zeros(n, dtype=int) if groups is None else np.asarray(groups)
    if shapes.shape != (n,) or not np.isin(shapes, (0, 1, 2)).all():
        raise ValueError(f"groups must hold 0, 1 or 2 for each of the {n} objects.")
    return [int(group) for group in shapes]
