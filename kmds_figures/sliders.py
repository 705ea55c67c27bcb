"""Sliders over figures drawn in advance, in JupyterLab and on the static page."""

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

FRAME_BYTES = 30 * 1024
"""Largest weight of one frame of a slider, in bytes."""

_DPI = 100
_SHARPNESS = 2  # pixels of a frame for each pixel of the page
_STRETCH = 1.2
_COLOURS = (64, 32)
_SENTENCE_WORDS = 8


def _pixels(figure: Figure) -> np.ndarray:
    """Return the drawn figure as colours (height, width, 3) from 0 to 255."""
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    return np.array(canvas.buffer_rgba())[..., :3]


def _packed(colours: np.ndarray) -> np.ndarray:
    """Return each colour (..., 3) as one integer."""
    red, green, blue = np.moveaxis(colours.astype(np.int32), -1, 0)
    packed: np.ndarray = red << 16 | green << 8 | blue
    return packed


def _unpacked(numbers: np.ndarray) -> np.ndarray:
    """Return the colours (..., 3) of integers made by `_packed`."""
    return np.stack([numbers >> 16, numbers >> 8 & 255, numbers & 255], axis=-1).astype(np.uint8)


_NAMED = [*COLORS.values(), *(BOOK_STYLE[key] for key in BOOK_STYLE if key.endswith("color"))]
_BOOK_COLOURS = _packed(np.rint(255 * mpl.colors.to_rgba_array(_NAMED)[:, :3]))


def _palette(pictures: list[np.ndarray], size: int) -> np.ndarray:
    """Choose the `size` colours of a slider, once for all its frames.

    The book's colours that occur are kept as they are, and Pillow chooses the rest from the
    other pixels, of which every seventh is enough. So a colour looks the same in every frame.
    """
    pixels = np.concatenate([_packed(picture.reshape(-1, 3)[::7]) for picture in pictures])
    kept = np.intersect1d(pixels, _BOOK_COLOURS)
    rest = pixels[~np.isin(pixels, kept)]
    if not rest.size:
        return _unpacked(kept)
    strip = Image.fromarray(_unpacked(rest)[None])
    chosen = strip.quantize(size - len(kept), kmeans=1).getpalette()
    return np.vstack([_unpacked(kept), np.array(chosen, dtype=np.uint8).reshape(-1, 3)])


def _webp(picture: np.ndarray, palette: np.ndarray) -> bytes:
    """Return the picture as a WebP in which each pixel takes the nearest colour of the palette."""
    numbers, places = np.unique(_packed(picture), return_inverse=True)
    gaps = _unpacked(numbers)[:, None].astype(float) - palette[None]
    nearest = (gaps**2).sum(axis=2).argmin(axis=1)
    image = Image.fromarray(palette[nearest][places].reshape(picture.shape))
    stream = io.BytesIO()
    image.save(stream, format="WEBP", lossless=True, quality=100)
    return stream.getvalue()


def _check_alt(alt: str, where: str) -> None:
    """Refuse an alternative text that is not a sentence."""
    words = len(alt.split()) if isinstance(alt, str) else 0
    if words < _SENTENCE_WORDS or not alt[0].isupper() or alt.rstrip()[-1] not in ".!?":
        raise ValueError(
            f"The alternative text of frame {where} is {alt!r}; write a sentence of at least "
            f"{_SENTENCE_WORDS} words, with a capital and a full stop, that says what is seen."
        )


def _check_distinct(texts: list[str]) -> None:
    """Refuse frames that share an alternative text."""
    if len(set(texts)) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise ValueError(
            f"Two frames have the alternative text {twice!r}; name in it the values that differ."
        )


def _draw(
    draw: Callable[..., None], values: tuple[Any, ...], size: tuple[float, float], where: str
) -> np.ndarray:
    """Draw one frame and return its pixels."""
    with mpl.rc_context(BOOK_STYLE):
        figure = Figure(figsize=size, dpi=_SHARPNESS * _DPI, layout="constrained")
        draw(figure, *values)
        if not figure.axes:
            raise ValueError(f"draw left frame {where} empty; draw on the figure it is given.")
        return _pixels(figure)


def _frames(
    draw: Callable[..., None],
    alt: Callable[..., str],
    values: list[tuple[Any, ...]],
    size: tuple[float, float],
) -> list[ipywidgets.HTML]:
    """Draw all frames of a slider, each an image with its own alternative text."""
    names = [", ".join(map(repr, value)) for value in values]
    texts = [alt(*value) for value in values]
    for text, where in zip(texts, names, strict=True):
        _check_alt(text, where)
    _check_distinct(texts)
    pictures = [
        _draw(draw, value, size, where) for value, where in zip(values, names, strict=True)
    ]
    for size_of_palette in _COLOURS:
        palette = _palette(pictures, size_of_palette)
        webps = [_webp(picture, palette) for picture in pictures]
        if max(map(len, webps)) <= FRAME_BYTES:
            break
    return [_image(*parts, size) for parts in zip(webps, texts, names, strict=True)]


def _image(webp: bytes, text: str, where: str, size: tuple[float, float]) -> ipywidgets.HTML:
    """Return one frame as an image as wide as its column, if that blurs it little."""
    if len(webp) > FRAME_BYTES:
        raise ValueError(
            f"Frame {where} weighs {len(webp)} bytes, above {FRAME_BYTES}. Draw fewer points or "
            "text, drop transparency, images and filled contours, or make the figure smaller."
        )
    width, height = (round(_DPI * side) for side in size)
    source = base64.b64encode(webp).decode()
    return ipywidgets.HTML(
        f'<img class="kmds-frame" alt="{html.escape(text)}" width="{width}" height="{height}" '
        f'style="display:block;box-sizing:border-box;width:100%;height:auto;background:#fff;'
        f'max-width:{_STRETCH * width:.0f}px;border-radius:4px" '
        f'src="data:image/webp;base64,{source}">',
        layout={"width": "100%", "margin": "0"},
    )


def _slider(
    values: Sequence[Any], label: str, default: Any, to_text: Callable[[Any], str]
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


def frame_slider(
    draw: Callable[[Figure, Any], None],
    values: Sequence[Any],
    *,
    label: str,
    alt: Callable[[Any], str],
    default: Any = None,
    format: Callable[[Any], str] = str,
    size: tuple[float, float] = (6.8, 3.8),
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
        If a frame weighs more than 30 KB or is empty, if an alternative text is no sentence
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
    frames = iter(_frames(draw, alt, list(product(values_a, values_b)), size))
    stacks = [_stack(slider_b, [next(frames) for _ in values_b]) for _ in values_a]
    return ipywidgets.VBox([slider_a, slider_b, _stack(slider_a, stacks)])
