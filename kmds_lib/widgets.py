"""Interactive figures that live in JupyterLab and on the static page, without a kernel.

Importing this module needs matplotlib, ipywidgets and anywidget, which the rest of the
library does not use.
"""

import base64
import html
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets
import matplotlib as mpl
import numpy as np
import traitlets
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import ArrayLike
from PIL import Image

from kmds_lib.figures import BOOK_STYLE

__all__ = ["frame_grid", "frame_slider", "gram_explorer", "map_explorer"]

FRAME_BYTES = 15 * 1024
"""Largest weight of one frame of a slider, in bytes."""

_DPI = 100
_COLOURS = 64
_SENTENCE_WORDS = 8


def _palette_png(figure: Figure) -> bytes:
    """Return the figure as a PNG of 64 colours, the same bytes for the same drawing."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    image = Image.frombytes("RGBA", canvas.get_width_height(), bytes(canvas.buffer_rgba()))
    small = image.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
    stream = io.BytesIO()
    small.save(stream, format="PNG", optimize=True)
    return stream.getvalue()


def _check_alt(alt: str, where: str) -> None:
    """Refuse an alternative text that is not a sentence."""
    words = len(alt.split()) if isinstance(alt, str) else 0
    if words < _SENTENCE_WORDS or not alt[0].isupper() or alt.rstrip()[-1] not in ".!?":
        raise ValueError(
            f"The alternative text of frame {where} is {alt!r}; write a sentence of at least "
            f"{_SENTENCE_WORDS} words, with a capital and a full stop, that says what is seen."
        )


def _frame(
    draw: Callable[..., None], alt: Callable[..., str], values: tuple, size: tuple[float, float]
) -> ipywidgets.HTML:
    """Draw one frame and wrap it as an image with its alternative text."""
    where = ", ".join(map(repr, values))
    text = alt(*values)
    _check_alt(text, where)
    with mpl.rc_context(BOOK_STYLE):
        figure = Figure(figsize=size, dpi=_DPI, layout="constrained")
        draw(figure, *values)
        if not figure.axes:
            raise ValueError(f"draw left frame {where} empty; draw on the figure it is given.")
        png = _palette_png(figure)
    if len(png) > FRAME_BYTES:
        raise ValueError(
            f"Frame {where} weighs {len(png)} bytes, above {FRAME_BYTES}. Draw fewer points or "
            "text, drop transparency, images and filled contours, or make the figure smaller."
        )
    width, height = (round(_DPI * side) for side in size)
    source = base64.b64encode(png).decode()
    return ipywidgets.HTML(
        f'<img class="kmds-frame" alt="{html.escape(text)}" width="{width}" height="{height}" '
        'style="display:block;max-width:100%;height:auto;background:#fff;border-radius:4px" '
        f'src="data:image/png;base64,{source}">',
        layout={"max_width": "100%", "margin": "0"},
    )


def _slider(
    values: Sequence, label: str, default: Any, to_text: Callable[[Any], str]
) -> ipywidgets.SelectionSlider:
    """Return a slider over `values` that stands at `default`, or at the first value."""
    values = list(values)
    texts = [to_text(value) for value in values]
    if len(texts) < 2:
        raise ValueError(f"The slider {label!r} has {len(texts)} values; give at least two.")
    if len(set(texts)) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise ValueError(
            f"The slider {label!r} shows {twice!r} for two values; use a format that "
            "tells them apart."
        )
    if default is not None and default not in values:
        raise ValueError(f"default={default!r} is none of the values of the slider {label!r}.")
    return ipywidgets.SelectionSlider(
        options=texts,
        index=0 if default is None else values.index(default),
        description=label,
        continuous_update=True,
        style={"description_width": "initial"},
        layout={"width": "500px", "max_width": "100%"},
    )


def _stack(
    slider: ipywidgets.SelectionSlider, children: list[ipywidgets.Widget]
) -> ipywidgets.Stack:
    """Return a stack that shows the child at the slider's index, linked in the browser."""
    stack = ipywidgets.Stack(children, selected_index=slider.index, layout={"max_width": "100%"})
    ipywidgets.jslink((slider, "index"), (stack, "selected_index"))
    return stack


def _check_distinct(frames: list[ipywidgets.HTML]) -> None:
    """Refuse frames that share an alternative text."""
    texts = [html.unescape(frame.value.split('alt="')[1].split('"')[0]) for frame in frames]
    if len(set(texts)) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise ValueError(
            f"Two frames have the alternative text {twice!r}; name in it the values that differ."
        )


def frame_slider(
    draw: Callable[[Figure, Any], None],
    values: Sequence,
    *,
    label: str,
    alt: Callable[[Any], str],
    default: Any = None,
    format: Callable[[Any], str] = str,
    size: tuple[float, float] = (5.0, 3.5),
) -> ipywidgets.VBox:
    """Return a slider over figures drawn in advance, one for each value.

    Parameters
    ----------
    draw : callable
        ``draw(fig, value)`` draws on an empty matplotlib figure, without pyplot. Fix the
        limits of the axes in it, so that frames can be compared.
    values : sequence
        Values of the slider, at least two.
    label : str
        Name of the slider, with its unit where there is one.
    alt : callable
        ``alt(value)`` gives the alternative text of a frame: a sentence that says what the
        frame shows, different for each value.
    default : object, optional
        Value shown first. By default the first value.
    format : callable
        ``format(value)`` gives the text shown beside the slider.
    size : tuple of two floats
        Width and height of a frame in inches.

    Returns
    -------
    ipywidgets.VBox
        The slider above its frame. It is to be the last expression of the cell.

    Raises
    ------
    ValueError
        If a frame weighs more than 15 KB or is empty, if an alternative text is no sentence
        or is used twice, if two values read the same, or if `default` is not in `values`.

    Notes
    -----
    The browser flips the frames itself, so the slider works without a kernel. Used in every
    chapter.

    Examples
    --------
    >>> def draw(fig, height):
    ...     fig.subplots().plot([0, height])
    >>> def alt(height):
    ...     return f"A line rises from zero at the left to {height} at the right."
    >>> box = frame_slider(draw, [1, 2, 3], label="height", alt=alt, default=2)
    >>> box.children[1].selected_index
    1
    """
    values = list(values)
    slider = _slider(values, label, default, format)
    frames = [_frame(draw, alt, (value,), size) for value in values]
    _check_distinct(frames)
    return ipywidgets.VBox([slider, _stack(slider, frames)])


def frame_grid(
    draw: Callable[[Figure, Any, Any], None],
    values_a: Sequence,
    values_b: Sequence,
    *,
    labels: tuple[str, str],
    alt: Callable[[Any, Any], str],
    default: tuple[Any, Any] | None = None,
    formats: tuple[Callable[[Any], str], Callable[[Any], str]] = (str, str),
    size: tuple[float, float] = (5.0, 3.5),
) -> ipywidgets.VBox:
    """Return two sliders over figures drawn in advance, one for each pair of values.

    Parameters
    ----------
    draw : callable
        ``draw(fig, a, b)`` draws on an empty matplotlib figure, without pyplot.
    values_a, values_b : sequence
        Values of the two sliders, at least two each.
    labels : tuple of two str
        Names of the sliders.
    alt : callable
        ``alt(a, b)`` gives the alternative text of a frame: a sentence that says what the
        frame shows, different for each pair.
    default : tuple of two, optional
        Pair shown first. By default the two first values.
    formats : tuple of two callables
        They give the text shown beside each slider.
    size : tuple of two floats
        Width and height of a frame in inches.

    Returns
    -------
    ipywidgets.VBox
        The sliders above the frame. It is to be the last expression of the cell.

    Raises
    ------
    ValueError
        As in `frame_slider`.

    Notes
    -----
    All pairs are drawn in advance: with m and n values the page carries m n frames, so keep
    that number below about 40.

    Examples
    --------
    >>> def draw(fig, left, right):
    ...     fig.subplots().plot([left, right])
    >>> def alt(left, right):
    ...     return f"A line runs from {left} at the left to {right} at the right."
    >>> box = frame_grid(draw, [0, 1], [0, 1, 2], labels=("left", "right"), alt=alt)
    >>> len(box.children)
    3
    """
    values_a, values_b = list(values_a), list(values_b)
    first, second = default if default is not None else (None, None)
    slider_a = _slider(values_a, labels[0], first, formats[0])
    slider_b = _slider(values_b, labels[1], second, formats[1])
    rows = [[_frame(draw, alt, (a, b), size) for b in values_b] for a in values_a]
    _check_distinct([frame for row in rows for frame in row])
    stacks = [_stack(slider_b, row) for row in rows]
    return ipywidgets.VBox([slider_a, slider_b, _stack(slider_a, stacks)])


_JS = Path(__file__).parent / "js"
_STYLE = (_JS / "explorer.css").read_text(encoding="utf-8")
_FOUR_POINTS = ((-2.0, 0.6), (0.2, 1.8), (2.2, -0.4), (-0.7, -1.5))
_KINDS = ("symmetric", "diagonalisable", "defective")


def _module(name: str) -> str:
    """Return one ECMAScript module: the shared part followed by the named explorer."""
    parts = ("common.js", f"{name}.js")
    return "\n".join((_JS / part).read_text(encoding="utf-8") for part in parts)


class GramExplorer(anywidget.AnyWidget):
    """Four points and their distance table; made by `gram_explorer`."""

    _esm = _module("gram_explorer")
    _css = _STYLE
    start = traitlets.List().tag(sync=True)
    points = traitlets.List().tag(sync=True)
    distances = traitlets.List().tag(sync=True)


class MapExplorer(anywidget.AnyWidget):
    """A map of the plane in two bases; made by `map_explorer`."""

    _esm = _module("map_explorer")
    _css = _STYLE
    kind = traitlets.Enum(_KINDS).tag(sync=True)
    basis = traitlets.List().tag(sync=True)


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
    rows = start.tolist()
    return GramExplorer(start=rows, points=rows, distances=[])


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
