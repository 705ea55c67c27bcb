"""Frame sliders are linked in the browser, light, described and deterministic."""

import base64
import io
import re

import ipywidgets
import matplotlib as mpl
import numpy as np
import pytest
from ipywidgets.widgets.widget import _instances
from ipywidgets.widgets.widget_link import Link
from PIL import Image

from kmds_figures.figures import BOOK_STYLE, COLORS
from kmds_figures.sliders import (
    FRAME_BYTES,
    frame_grid,
    frame_slider,
)


def draw_line(figure, height):
    ax = figure.subplots()
    ax.plot([0, height])
    ax.set(xlabel="time (s)", ylabel="height (m)", ylim=(0, 5))


def describe_line(height):
    return f"A line rises from zero at the left to {height} metres at the right."


def line_slider(**changes):
    options = {"label": "height (m)", "alt": describe_line} | changes
    return frame_slider(draw_line, [1, 2, 4], **options)


def webp(frame):
    return base64.b64decode(re.search(r'base64,([^"]+)"', frame.value)[1])


def links():
    return [widget for widget in _instances.values() if isinstance(widget, Link)]


@pytest.fixture(autouse=True)
def _close_widgets():
    ipywidgets.Widget.close_all()


def test_slider_is_linked_to_the_stack_without_python():
    slider, stack = line_slider(default=2, format="{} m".format).children
    assert slider.options == ("1 m", "2 m", "4 m")
    assert slider.index == stack.selected_index == 1
    assert slider.continuous_update
    (link,) = links()
    assert link.source == (slider, "index")
    assert link.target == (stack, "selected_index")


def test_frames_are_light_and_sharp_images_of_the_asked_size():
    _, stack = line_slider(size=(4, 3)).children
    for frame in stack.children:
        data = webp(frame)
        image = Image.open(io.BytesIO(data))
        assert len(data) <= FRAME_BYTES
        assert image.format == "WEBP"
        assert image.size == (800, 600)
        assert 'width="400" height="300"' in frame.value
        assert len(image.getcolors()) <= 64
        assert image.getpixel((1, 1)) == (255, 255, 255)
    assert len({webp(frame) for frame in stack.children}) == 3


def test_frames_are_the_same_bytes_each_time_and_under_any_style():
    first = [frame.value for frame in line_slider().children[1].children]
    with mpl.rc_context({"font.size": 30, "figure.facecolor": "red"}):
        second = [frame.value for frame in line_slider().children[1].children]
    assert first == second


def crowded_frames():
    """Return the pixels of frames whose backgrounds have little in common."""

    def draw(figure, hue):
        ax = figure.subplots()
        ramp = np.linspace(0, 1, 12)[None] ** (1 + hue)
        ax.imshow(ramp, cmap=("viridis", "magma", "RdBu")[hue], extent=(0, 8, 0, 1), aspect="auto")
        for place, name in enumerate(COLORS):
            ax.bar(place + 0.5, 1, bottom=1.2, width=0.9, color=COLORS[name])
        ax.bar(0.5, 1, bottom=2.4, width=0.9, color=COLORS["blue"], alpha=0.35)
        ax.set(xlim=(0, 8), ylim=(0, 4))

    _, stack = frame_slider(
        draw,
        [0, 1, 2],
        label="ramp",
        alt=lambda hue: f"Eight bars in the colours of the book stand above colour ramp {hue}.",
    ).children
    images = (Image.open(io.BytesIO(webp(frame))) for frame in stack.children)
    return [np.asarray(image.convert("RGB")) for image in images]


def test_a_colour_is_the_same_in_every_frame():
    frames = crowded_frames()
    wanted = [*COLORS.values(), "white", BOOK_STYLE["grid.color"], BOOK_STYLE["axes.edgecolor"]]
    for colour in np.rint(255 * mpl.colors.to_rgba_array(wanted)[:, :3]):
        areas = [np.all(frame == colour, axis=2).sum() for frame in frames]
        assert min(areas) >= 50, (colour, areas)
    tint = np.array([166, 206, 228])  # blue at 35 % on white
    shades = {
        tuple(pixel)
        for frame in frames
        for pixel in frame.reshape(-1, 3)
        if np.abs(pixel.astype(int) - tint).max() <= 6
    }
    assert len(shades) == 1


def test_frames_of_a_slider_too_rich_for_64_colours_get_32():
    def draw(figure, height):
        ax = figure.subplots()
        for power in range(1, 10):
            ax.plot(np.linspace(0, height) ** (power / 5), color="0.85", linestyle="-")

    options = {"label": "height (m)", "alt": describe_line, "size": (6.8, 3.8)}
    _, stack = frame_slider(draw, [1, 2], **options).children
    for frame in stack.children:
        image = Image.open(io.BytesIO(webp(frame)))
        assert len(webp(frame)) <= FRAME_BYTES
        assert len(image.getcolors()) <= 32


def test_drawing_opens_no_pyplot_figure():
    plt = pytest.importorskip("matplotlib.pyplot")
    before = plt.get_fignums()
    line_slider()
    assert plt.get_fignums() == before


def test_alternative_text_is_escaped():
    _, stack = line_slider(
        alt=lambda h: f'The line "a < b & c" ends at height {h} metres.'
    ).children
    assert 'alt="The line &quot;a &lt; b &amp; c&quot; ends at height 1 metres."' in (
        stack.children[0].value
    )


def test_grid_shows_the_pair_of_values():
    def draw(figure, left, right):
        figure.subplots().plot([left, right])

    box = frame_grid(
        draw,
        [0, 1],
        [0, 2, 3],
        labels=("left", "right"),
        alt=lambda a, b: f"A line runs from {a} at the left to {b} at the right.",
        default=(1, 3),
    )
    slider_a, slider_b, outer = box.children
    assert (slider_a.index, slider_b.index, outer.selected_index) == (1, 2, 1)
    assert [inner.selected_index for inner in outer.children] == [2, 2]
    assert "from 1 at the left to 3" in outer.children[1].children[2].value
    pairs = {(link.source[0], link.target[0]) for link in links()}
    assert pairs == {(slider_a, outer)} | {(slider_b, inner) for inner in outer.children}


def draw_noise(figure, seed):
    figure.subplots().imshow(np.random.default_rng(seed).normal(size=(200, 200)))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"alt": lambda h: f"line {h}"}, "write a sentence"),
        ({"alt": lambda h: ""}, "write a sentence"),
        ({"alt": lambda h: "The same line rises to the right in all the frames."}, "Two frames"),
        ({"default": 3}, "default=3 is none"),
        ({"format": lambda h: "high"}, "shows 'high' for two values"),
    ],
)
def test_bad_sliders_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        line_slider(**changes)


def test_heavy_and_empty_frames_and_single_values_are_refused():
    options = {"label": "seed", "alt": lambda s: f"White noise in a square, drawn with seed {s}."}
    with pytest.raises(ValueError, match=r"Frame 0 weighs \d+ bytes, above 30720\. Draw fewer"):
        frame_slider(draw_noise, [0, 1], **options)
    with pytest.raises(ValueError, match="draw left frame 0 empty"):
        frame_slider(lambda figure, seed: None, [0, 1], **options)
    with pytest.raises(ValueError, match="at least two"):
        frame_slider(draw_noise, [0], **options)
