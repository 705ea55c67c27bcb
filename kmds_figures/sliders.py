"""Sliders that switch between figures drawn in advance, in JupyterLab and on static pages."""

import base64
import html
import io
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import ipywidgets
import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from kmds_figures.figures import BOOK_STYLE, COLORS

__all__ = ["frame_grid", "frame_slider"]

MAX_FRAME_BYTES = 30 * 1024
"""Largest size of one frame of a slider, in bytes."""

_DPI = 100
_PIXEL_RATIO = 2  # pixels of a frame for each pixel of the page
_MAX_STRETCH = 1.05  # largest width of a frame on the page, relative to the size asked for
_PALETTE_SIZES = (64, 32)  # the second is tried if a frame is too large with the first
_MIN_ALT_WORDS = 8


_NAMED = [*COLORS.values(), *(BOOK_STYLE[key] for key in BOOK_STYLE if key.endswith("color"))]
_BOOK_COLOURS = np.unique(np.rint(255 * mpl.colors.to_rgba_array(_NAMED)[:, :3]), axis=0)


def _palette(pictures: list[np.ndarray], size: int) -> Image.Image:
    """Return an image with the palette of a slider, which has `size` colours for all its frames.

    A common palette gives a colour the same shade in every frame. It contains the colours of the
    book, and Pillow chooses the others from every seventh pixel.
    """
    pixels = np.concatenate([picture.reshape(-1, 3)[::7] for picture in pictures])
    number = size - len(_BOOK_COLOURS)
    chosen = Image.fromarray(pixels[None]).quantize(number, Image.Quantize.MAXCOVERAGE)
    palette = Image.new("P", (1, 1))
    palette.putpalette([*_BOOK_COLOURS.astype(int).flat, *(chosen.getpalette() or [])])
    return palette


def _webp(picture: np.ndarray, palette: Image.Image) -> bytes:
    """Return a WebP image of the picture in the colours of the palette."""
    image = Image.fromarray(picture).quantize(palette=palette, dither=Image.Dither.NONE)
    stream = io.BytesIO()
    image.convert("RGB").save(stream, format="WEBP", lossless=True, quality=100)
    return stream.getvalue()


def _check_alt(alt: str, where: str) -> None:
    """Raise ValueError if an alternative text is not a sentence."""
    words = len(alt.split()) if isinstance(alt, str) else 0
    if words < _MIN_ALT_WORDS or not alt[0].isupper() or alt.rstrip()[-1] not in ".!?":
        raise ValueError(
            f"The alternative text of frame {where} is {alt!r}; write a sentence of at least "
            f"{_MIN_ALT_WORDS} words, with a capital letter and a full stop, that describes it."
        )


def _check_distinct(texts: list[str]) -> None:
    """Raise ValueError if two frames have the same alternative text."""
    if len(set(texts)) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise ValueError(
            f"Two frames have the alternative text {twice!r}; include the values of the sliders."
        )


def _draw(
    draw: Callable[..., None], values: tuple[Any, ...], size: tuple[float, float], where: str
) -> np.ndarray:
    """Draw one frame and return its pixels, an array (height, width, 3) from 0 to 255."""
    with mpl.rc_context(BOOK_STYLE):
        figure = Figure(figsize=size, dpi=_PIXEL_RATIO * _DPI, layout="constrained")
        draw(figure, *values)
        if not figure.axes:
            raise ValueError(f"draw left frame {where} empty; draw on the given figure.")
        canvas: Any = FigureCanvasAgg(figure)
        canvas.draw()
        return np.array(canvas.buffer_rgba())[..., :3]


def _frames(
    draw: Callable[..., None],
    alt: Callable[..., str],
    values: list[tuple[Any, ...]],
    size: tuple[float, float],
) -> list[ipywidgets.HTML]:
    """Draw the frames of a slider, with an alternative text for each."""
    names = [", ".join(map(repr, value)) for value in values]
    texts = [alt(*value) for value in values]
    for text, where in zip(texts, names, strict=True):
        _check_alt(text, where)
    _check_distinct(texts)
    pictures = [
        _draw(draw, value, size, where) for value, where in zip(values, names, strict=True)
    ]
    for size_of_palette in _PALETTE_SIZES:
        palette = _palette(pictures, size_of_palette)
        webps = [_webp(picture, palette) for picture in pictures]
        if max(map(len, webps)) <= MAX_FRAME_BYTES:
            break
    return [_image(*parts, size) for parts in zip(webps, texts, names, strict=True)]


def _image(webp: bytes, text: str, where: str, size: tuple[float, float]) -> ipywidgets.HTML:
    """Return one frame as an image that fills its column up to `_MAX_STRETCH`."""
    if len(webp) > MAX_FRAME_BYTES:
        raise ValueError(
            f"Frame {where} has {len(webp)} bytes, more than {MAX_FRAME_BYTES}. Draw fewer "
            "points, less text, no transparency, images or filled contours, or reduce the size."
        )
    width, height = (round(_DPI * side) for side in size)
    source = base64.b64encode(webp).decode()
    return ipywidgets.HTML(
        f'<img class="kmds-frame" alt="{html.escape(text)}" width="{width}" height="{height}" '
        f'style="display:block;box-sizing:border-box;width:100%;height:auto;background:#fff;'
        f'max-width:{_MAX_STRETCH * width:.0f}px;border-radius:4px" '
        f'src="data:image/webp;base64,{source}">',
        layout={"width": "100%", "margin": "0"},
    )


def _slider(
    values: Sequence[Any], label: str, default: Any, to_text: Callable[[Any], str]
) -> ipywidgets.SelectionSlider:
    """Return a slider over values, set to `default` or to the first value."""
    values = list(values)
    texts = [to_text(value) for value in values]
    if len(texts) < 2:
        raise ValueError(f"The slider {label!r} has {len(texts)} values; give at least two.")
    if len(set(texts)) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise ValueError(
            f"The slider {label!r} shows {twice!r} for two values; use a format that "
            "distinguishes them."
        )
    if default is not None and default not in values:
        raise ValueError(f"default={default!r} is not a value of the slider {label!r}.")
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
    """Return a stack that shows the child at the index of a slider, linked in the browser."""
    stack = ipywidgets.Stack(children, selected_index=slider.index, layout={"max_width": "100%"})
    ipywidgets.jslink((slider, "index"), (stack, "selected_index"))
    return stack


def frame_slider(
    draw: Callable[[Figure, Any], None],
    values: Sequence[Any],
    *,
    label: str,
    alt: Callable[[Any], str],
    default: Any = None,
    size: tuple[float, float] = (6.8, 3.8),
) -> ipywidgets.VBox:
    """Return a slider that switches between figures, one for each value.

    Parameters
    ----------
    draw : callable
        ``draw(fig, value)`` draws on an empty matplotlib figure, without pyplot. It should fix
        the limits of the axes, so that readers can compare frames.
    values : sequence
        Values of the slider, at least two.
    label : str
        Name of the slider, with its unit if there is one.
    alt : callable
        ``alt(value)`` returns the alternative text of a frame: a sentence that describes it and
        differs from the texts of the other frames.
    default : object, optional
        Value shown first. By default the first value.
    size : tuple of two floats
        Width and height of a frame in inches.

    Returns
    -------
    ipywidgets.VBox
        The slider above its frame. Make it the last expression of the cell.

    Raises
    ------
    ValueError
        If a frame is empty or exceeds 30 KB, if an alternative text is not a sentence or is used
        twice, if two values have the same text, or if `default` is not in `values`.

    Notes
    -----
    The browser switches the frames, so the slider works without a Python kernel. Used in every
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
    slider = _slider(values, label, default, str)
    frames = _frames(draw, alt, [(value,) for value in values], size)
    return ipywidgets.VBox([slider, _stack(slider, frames)])


def frame_grid(
    draw: Callable[[Figure, Any, Any], None],
    values_a: Sequence[Any],
    values_b: Sequence[Any],
    *,
    labels: tuple[str, str],
    alt: Callable[[Any, Any], str],
    default: tuple[Any, Any] | None = None,
    formats: tuple[Callable[[Any], str], Callable[[Any], str]] = (str, str),
    size: tuple[float, float] = (6.8, 3.8),
) -> ipywidgets.VBox:
    """Return two sliders that switch between figures, one for each pair of values.

    Parameters
    ----------
    draw : callable
        ``draw(fig, a, b)`` draws on an empty matplotlib figure, without pyplot.
    values_a, values_b : sequence
        Values of the two sliders, at least two each.
    labels : tuple of two str
        Names of the sliders.
    alt : callable
        ``alt(a, b)`` returns the alternative text of a frame: a sentence that describes it and
        differs from the texts of the other frames.
    default : tuple of two, optional
        Pair shown first. By default the first value of each.
    formats : tuple of two callables
        Functions that return the text shown beside each slider.
    size : tuple of two floats
        Width and height of a frame in inches.

    Returns
    -------
    ipywidgets.VBox
        The sliders above the frame. Make it the last expression of the cell.

    Raises
    ------
    ValueError
        As in `frame_slider`.

    Notes
    -----
    All pairs are drawn in advance. With m and n values the page contains m n frames, so keep
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
    frames = iter(_frames(draw, alt, list(product(values_a, values_b)), size))
    stacks = [_stack(slider_b, [next(frames) for _ in values_b]) for _ in values_a]
    return ipywidgets.VBox([slider_a, slider_b, _stack(slider_a, stacks)])
