"""Figures in the style of the book: a palette, colours with fixed meanings, and four plots."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.font_manager import fontManager
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike
from threadpoolctl import threadpool_limits

from kmds_figures._point_labels import write_labels

__all__ = [
    "BAR_LOOKS",
    "BOOK_STYLE",
    "COLORS",
    "MEANINGS",
    "plot_map",
    "plot_matrix",
    "plot_shepard",
    "plot_spectrum",
    "use_book_style",
]

COLORS = {
    "blue": "#0072B2",
    "vermillion": "#D55E00",
    "green": "#009E73",
    "orange": "#E69F00",
    "purple": "#CC79A7",
    "skyblue": "#56B4E9",
    "black": "#000000",
    "yellow": "#F0E442",
}
"""Palette of Okabe and Ito (2008), distinguishable with every common colour blindness."""

MEANINGS = {
    "distance": "#8a6100",
    "product": "#007a5a",
    "kept": "#0072b2",
    "discarded": "#5494c0",
    "negative": "#b8430a",
}
"""Colours with a fixed meaning, the same in figures and in explorers (explorer.css).

They are blue, vermillion, green and orange of the palette, the last three darkened until text in
them is legible on white. Colour is never the only sign: negative values are hatched or dashed, and
discarded ones are pale with an edge, or dotted lines. (Ochre and vermillion look alike to readers
who do not see red or green, who can distinguish them by the hatch.)
"""

BAR_LOOKS: dict[str, dict[str, Any]] = {
    "kept": {"facecolor": MEANINGS["kept"], "edgecolor": MEANINGS["kept"]},
    "discarded": {"facecolor": "#bbd4e6", "edgecolor": MEANINGS["discarded"]},
    "negative": {"facecolor": MEANINGS["negative"], "edgecolor": "white", "hatch": "////"},
}
"""Fill, edge and hatch of the bars of a spectrum. Discarded bars have a lighter fill."""

_PRODUCT_COLORS = [
    *("#63240a", MEANINGS["negative"], "#eeb392", "white"),
    *("#9dd3c2", MEANINGS["product"], "#003b2c"),
]
"""Colours of the entries of a Gram matrix, from the smallest to the largest."""

# Not quite opaque, so that the dark theme can distinguish labels from images (layout.html).
_TEXT_COLOR = "#222222f7"
_COLOR_CYCLE = ["blue", "vermillion", "green", "orange", "purple", "skyblue", "black"]
_LINE_STYLES = ["-", "--", "-.", ":", (0, (6, 1)), (0, (3, 1, 1, 1, 1, 1)), (0, (1, 1))]
_MARKERS = "os^Dv*PX<>"
# The font of the pages, which `make bundles` writes. Characters that it lacks, such as Greek
# letters, are drawn in STIXGeneral.
_FONTS = sorted((Path(__file__).parent / "bundles").glob("*.ttf"))
for _font in _FONTS:
    fontManager.addfont(_font)

BOOK_STYLE: dict[Any, Any] = {
    "figure.figsize": (4.8, 3.5),
    "figure.dpi": 120,
    "figure.facecolor": "white",
    "figure.constrained_layout.use": True,
    "figure.constrained_layout.hspace": 0.08,
    "savefig.facecolor": "white",
    "font.family": ["STIX Two Text", "STIXGeneral"] if _FONTS else "STIXGeneral",
    "mathtext.fontset": "stix",
    "font.size": 12,
    "axes.titlesize": 12.5,
    "axes.labelsize": 12,
    "xtick.labelsize": 11,
    "ytick.labelsize": 11,
    "legend.fontsize": 11,
    "legend.framealpha": 0.85,
    "legend.edgecolor": "none",
    "axes.facecolor": "white",
    "axes.edgecolor": "#aaaaaa",
    "axes.labelcolor": _TEXT_COLOR,
    "axes.titlecolor": _TEXT_COLOR,
    "text.color": _TEXT_COLOR,
    "xtick.color": "#444444f7",
    "ytick.color": "#444444f7",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.8,
    "lines.linewidth": 1.8,
    "lines.markersize": 5.5,
    "hatch.linewidth": 1.2,
    "axes.prop_cycle": cycler(color=[COLORS[name] for name in _COLOR_CYCLE])
    + cycler(linestyle=_LINE_STYLES),
}
"""matplotlib settings of the book, applied by `use_book_style`."""


def use_book_style() -> None:
    """Set the book's matplotlib style, and limit BLAS to one thread.

    Notes
    -----
    Called once in the first code cell of each chapter. Figures are 4.8 by 3.5 inches on
    white, lines differ in colour and dash pattern, and text is legible on a phone. Notebooks
    render figures at twice the screen's resolution. For matrices as small as the book's, more
    threads are slower: with two, a GP-LVM takes twenty times as long.

    Examples
    --------
    >>> import matplotlib
    >>> with matplotlib.rc_context():
    ...     use_book_style()
    ...     print(matplotlib.rcParams["figure.figsize"])
    [4.8, 3.5]
    """
    mpl.rcParams.update(BOOK_STYLE)
    threadpool_limits(1, user_api="blas")
    if "inline" in mpl.get_backend():
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        set_matplotlib_formats("retina")  # type: ignore[no-untyped-call]


def _as_finite_array(values: ArrayLike, name: str, ndim: int) -> np.ndarray:
    """Return `values` as a finite float array with `ndim` axes."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != ndim or array.size == 0:
        raise ValueError(
            f"{name} has shape {array.shape}; pass a non-empty array with {ndim} axes."
        )
    if not np.isfinite(array).all():
        place = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(f"{name} has a non-finite entry at {place}; remove it before plotting.")
    return array


def _check_labels(labels: Sequence[Any] | None, n: int, name: str) -> None:
    """Raise ValueError unless there is one label for each of n points."""
    if labels is not None and len(labels) != n:
        raise ValueError(f"{name} has {len(labels)} entries for {n} points; give one for each.")


def plot_spectrum(ax: Axes, eigenvalues: ArrayLike) -> None:
    """Draw eigenvalues as bars, with negative ones in vermillion and hatched.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    eigenvalues : array_like, shape (m,)
        Eigenvalues in the order in which they are drawn.

    Raises
    ------
    ValueError
        If `eigenvalues` is empty, not one-dimensional or not finite.

    Notes
    -----
    Used from Chapter 4, Classical scaling, onwards.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().add_subplot()
    >>> plot_spectrum(ax, [3.0, 1.0, -0.5])
    >>> len(ax.patches)
    3
    """
    values = _as_finite_array(eigenvalues, "eigenvalues", 1)
    index = np.arange(1, 1 + values.size)
    kinds = [(values >= 0, "kept", "positive"), (values < 0, "negative", "negative")]
    drawn = [kind for kind in kinds if kind[0].any()]
    for mask, meaning, label in drawn:
        look = BAR_LOOKS[meaning] | ({"hatch": None} if values.size > 60 else {})
        ax.bar(index[mask], values[mask], 0.8, label=label, linewidth=0.6, **look)
    ax.axhline(0, color=_TEXT_COLOR, linewidth=0.9)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(axis="x", visible=False)
    ax.set(xlabel="index $i$", ylabel=r"eigenvalue $\lambda_i$")
    if len(drawn) > 1:
        ax.legend()


def plot_map(
    ax: Axes,
    points: ArrayLike,
    labels: Sequence[Any] | None = None,
    *,
    groups: Sequence[Any] | None = None,
    legend: str | None = None,
    unit: str | None = None,
    size: float = 26,
) -> None:
    """Draw points in the plane with the same scale on both axes.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    points : array_like, shape (n, 2)
        One point per row.
    labels : sequence of n, optional
        Names, each written on the side of its point where it overlaps least.
    groups : sequence of n, optional
        Group of each point. Groups differ in colour and marker, and are listed in a legend.
    legend : str, optional
        Legend entry of the points if there are no groups; call ``ax.legend()`` afterwards.
    unit : str, optional
        Unit written on both axes.
    size : float
        Area of a marker in square points.

    Raises
    ------
    ValueError
        If `points` is not a finite (n, 2) array, or `labels` or `groups` does not have n entries.

    Notes
    -----
    Readers compare distances on the page, so the aspect is always equal. Used from Chapter 3,
    Distances and Gram matrices, onwards.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().add_subplot()
    >>> plot_map(ax, [[0, 0], [3, 4]], ["here", "there"], unit="km")
    >>> ax.get_xlabel()
    'dimension 1 (km)'
    """
    points = _as_finite_array(points, "points", 2)
    if points.shape[1] != 2:
        raise ValueError(f"points has {points.shape[1]} columns; choose two, as in points[:, :2].")
    _check_labels(labels, len(points), "labels")
    _check_labels(groups, len(points), "groups")
    style: dict[str, Any] = {"s": size, "linewidths": 0.5, "edgecolors": "white", "zorder": 3}
    if groups is None:
        ax.scatter(*points.T, color=COLORS["blue"], marker="o", label=legend, **style)
    else:
        members = np.asarray(groups)
        for order, group in enumerate(np.unique(members)):
            style["color"] = COLORS[_COLOR_CYCLE[order % len(_COLOR_CYCLE)]]
            style["marker"] = _MARKERS[order % len(_MARKERS)]
            ax.scatter(*points[members == group].T, label=str(group), **style)
        ax.legend()
    if labels is not None:
        ax.margins(0.12)
        write_labels(ax, points, labels)
    ax.set_aspect("equal", adjustable="datalim")
    suffix = f" ({unit})" if unit else ""
    ax.set(xlabel=f"dimension 1{suffix}", ylabel=f"dimension 2{suffix}")


def plot_matrix(
    ax: Axes,
    M: ArrayLike,
    labels: Sequence[Any],
    *,
    fmt: str = ".2f",
    vmax: float | None = None,
) -> None:
    """Draw a matrix of inner products as coloured cells with numbers.

    Positive entries are green, and negative ones vermillion.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    M : array_like, shape (m, n)
        Matrix to draw.
    labels : sequence
        Names of the rows, and of the columns if M is square.
    fmt : str
        Format of the numbers in the cells.
    vmax : float, optional
        Absolute value with the darkest colour. By default the largest in M.

    Raises
    ------
    ValueError
        If M is empty, not two-dimensional or not finite, or `labels` does not have one entry per
        row.

    Notes
    -----
    The colours are distinguishable with colour blindness. Used in Chapter 3, Distances and Gram
    matrices.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().add_subplot()
    >>> plot_matrix(ax, [[2.0, -1.0], [-1.0, 2.0]], "ab")
    >>> [text.get_text() for text in ax.texts]
    ['2.00', '−1.00', '−1.00', '2.00']
    """
    M = _as_finite_array(M, "M", 2)
    _check_labels(labels, len(M), "labels")
    top = (float(np.abs(M).max()) if vmax is None else vmax) or 1.0
    shades = LinearSegmentedColormap.from_list("product", _PRODUCT_COLORS)
    ax.imshow(M, interpolation="nearest", vmin=-top, vmax=top, cmap=shades)
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)
    for (row, column), value in np.ndenumerate(M):
        shade = "white" if abs(value) > 0.55 * top else _TEXT_COLOR
        text = format(value, fmt).replace("-", "\N{MINUS SIGN}")
        ax.text(column, row, text, ha="center", va="center", color=shade)
    ax.set_yticks(range(len(M)), labels)
    columns = labels if M.shape[0] == M.shape[1] else []
    ax.set_xticks(range(len(columns)), columns)


def _pairs(values: ArrayLike, name: str) -> np.ndarray:
    """Return the entries above the diagonal of a square matrix, or a vector unchanged."""
    array = _as_finite_array(values, name, np.ndim(values))
    if array.ndim == 1:
        return array
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise ValueError(
            f"{name} has shape {array.shape}; pass an (n, n) matrix or a vector of pairs."
        )
    return array[np.triu_indices(len(array), 1)]


def plot_shepard(ax: Axes, delta: ArrayLike, d: ArrayLike) -> None:
    """Draw a Shepard diagram: distances in a map against the given dissimilarities.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    delta : array_like, shape (n, n) or (n (n - 1) / 2,)
        Given dissimilarities, as a matrix or as one value per pair.
    d : array_like, same shape
        Distances between the points of the configuration.

    Raises
    ------
    ValueError
        If an input is neither a square matrix nor a vector, not finite, or the sizes differ.

    Notes
    -----
    A point on the dashed diagonal is a pair whose distance the map reproduces. Derived in
    Chapter 4, Classical scaling. Source: Shepard (1962).

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().add_subplot()
    >>> plot_shepard(ax, [1.0, 2.0, 3.0], [1.0, 1.8, 2.9])
    >>> ax.get_ylabel()
    'distance in the map $d_{ij}$'
    """
    delta, d = _pairs(delta, "delta"), _pairs(d, "d")
    if delta.size != d.size:
        raise ValueError(f"delta has {delta.size} pairs and d has {d.size}; give the same pairs.")
    top = 1.05 * max(delta.max(), d.max())
    ax.plot([0, top], [0, top], "--", color="#666666", linewidth=1.2, label="$d = \\delta$")
    ax.scatter(
        delta,
        d,
        s=14,
        color=MEANINGS["distance"],
        alpha=0.6 if delta.size > 200 else 0.9,
        linewidths=0,
        zorder=3,
    )
    ax.set(xlabel=r"given dissimilarity $\delta_{ij}$", xlim=(0, top))
    ax.set(ylabel=r"distance in the map $d_{ij}$", ylim=(0, top), aspect="equal")
    ax.legend(loc="upper left")
