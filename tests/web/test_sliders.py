"""Frame sliders are linked in the browser, small, described and deterministic."""

import ipywidgets
import matplotlib as mpl
import numpy as np
import pytest
from ipywidgets.widgets.widget import _instances
from ipywidgets.widgets.widget_link import Link

from kmds_figures.sliders import frame_grid, frame_slider


def draw_line(figure, height):
    ax = figure.subplots()
    ax.plot([0, height])
    ax.set(xlabel="time (s)", ylabel="height (m)", ylim=(0, 5))


def line_slider(**changes):
    """Return a slider over the height of a line."""
    alt = "A line rises from zero at the left to {} metres at the right.".format
    options = {"values": [1, 2, 4], "label": "height (m)", "alt": alt, "size": (4, 3)} | changes
    return frame_slider(options.pop("draw", draw_line), options.pop("values"), **options)


def links():
    """Return the source and the target of each link in the browser."""
    widgets = [widget for widget in _instances.values() if isinstance(widget, Link)]
    return [(widget.source, widget.target) for widget in widgets]


@pytest.fixture(autouse=True)
def _close_widgets():
    ipywidgets.Widget.close_all()


def test_slider_and_stack_are_linked_in_the_browser():
    slider, stack = line_slider(default=2).children
    assert slider.options == ("1", "2", "4")
    assert slider.index == stack.selected_index == 1
    assert links() == [((slider, "index"), (stack, "selected_index"))]


def test_frames_do_not_depend_on_the_current_style():
    first = [frame.value for frame in line_slider(values=[1, 2]).children[1].children]
    with mpl.rc_context({"font.size": 30, "figure.facecolor": "red"}):
        second = [frame.value for frame in line_slider(values=[1, 2]).children[1].children]
    assert first == second


def test_alternative_text_is_escaped():
    alt = 'The line "a < b & c" ends at height {} metres.'.format
    _, stack = line_slider(values=[1, 2], alt=alt).children
    assert 'alt="The line &quot;a &lt; b &amp; c&quot; ends at height 1' in stack.children[0].value


def test_grid_shows_a_pair_of_values():
    def draw(figure, left, right):
        figure.subplots().plot([left, right])

    alt = "A line runs from {} at the left to {} at the right.".format
    labels = ("left", "right")
    box = frame_grid(draw, [0, 1], [0, 3], labels=labels, alt=alt, default=(1, 3), size=(4, 3))
    slider_a, slider_b, outer = box.children
    assert (slider_a.index, slider_b.index, outer.selected_index) == (1, 1, 1)
    assert [inner.selected_index for inner in outer.children] == [1, 1]
    assert "from 1 at the left to 3" in outer.children[1].children[1].value
    pairs = {(source, target) for (source, _), (target, _) in links()}
    assert pairs == {(slider_a, outer)} | {(slider_b, inner) for inner in outer.children}


def draw_noise(figure, seed):
    figure.subplots().imshow(np.random.default_rng(seed).normal(size=(200, 200)))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"alt": "line {}".format}, "sentence"),
        ({"alt": "The same line rises to the right in all the frames.".format}, "Two frames"),
        ({"default": 3}, "default=3"),
        ({"values": [1, 1]}, "'1' for two values"),
        ({"values": [0]}, "at least two"),
        ({"draw": draw_noise, "values": [1, 2], "size": (3, 3)}, r"Frame 1 has \d+ bytes"),
        ({"draw": lambda figure, value: None}, "frame 1 empty"),
    ],
)
def test_invalid_sliders_are_rejected(changes, message):
    with pytest.raises(ValueError, match=message):
        line_slider(**changes)
