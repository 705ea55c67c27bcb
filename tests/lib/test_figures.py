"""The four plots of the book draw what they say and refuse what they cannot draw."""

import subprocess
import sys

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from kmds_lib.figures import (
    COLORS,
    plot_map,
    plot_matrix,
    plot_shepard,
    plot_spectrum,
    use_book_style,
)


@pytest.fixture
def ax():
    return Figure(figsize=(5, 3.5)).add_subplot()


def test_library_does_not_import_plotting():
    code = "import sys, kmds_lib; print({'matplotlib', 'ipywidgets', 'PIL'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


def test_book_style_sets_size_white_card_and_double_coding():
    with mpl.rc_context():
        use_book_style()
        assert mpl.rcParams["figure.figsize"] == [5.0, 3.5]
        assert mpl.rcParams["figure.facecolor"] == "white"
        cycle = mpl.rcParams["axes.prop_cycle"].by_key()
        assert len(set(cycle["color"])) == len(cycle["color"]) == len(cycle["linestyle"])
        smallest = min(mpl.rcParams[f"{axis}tick.labelsize"] for axis in "xy")
        assert smallest >= 9


def test_spectrum_marks_negative_by_colour_and_hatch(ax):
    plot_spectrum(ax, [3.0, 1.0, 0.5, -0.2], kept=2)
    heights = [bar.get_height() for bar in ax.patches]
    assert heights == [3.0, 1.0, 0.5, -0.2]
    negative = ax.patches[-1]
    assert to_hex(negative.get_facecolor()).upper() == COLORS["vermillion"]
    assert negative.get_hatch()
    assert not ax.patches[0].get_hatch()
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["kept", "left out", "negative"]


def test_spectrum_of_one_kind_has_no_legend(ax):
    plot_spectrum(ax, [3.0, 1.0])
    assert ax.get_legend() is None


def test_map_is_equal_and_labelled(ax):
    plot_map(ax, [[0, 0], [3, 4], [3, 4.1]], ["a", "b", "c"], unit="km")
    assert ax.get_aspect() == 1.0
    assert {text.get_text() for text in ax.texts} == {"a", "b", "c"}
    assert ax.get_ylabel() == "dimension 2 (km)"


def test_map_labels_of_close_points_do_not_collide():
    figure = Figure(figsize=(5, 3.5), dpi=100)
    ax = figure.add_subplot()
    plot_map(ax, [[0, 0], [10, 3], [10.3, 3.1], [9.8, 3.2]], ["far", "one", "two", "three"])
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_map_of_coincident_points_draws(ax):
    plot_map(ax, np.zeros((3, 2)), ["a", "b", "c"])
    assert len(ax.texts) == 3


def test_map_groups_differ_by_colour_and_marker(ax):
    plot_map(ax, np.arange(8.0).reshape(4, 2), groups=["u", "v", "u", "v"])
    colors = [tuple(dots.get_facecolor()[0]) for dots in ax.collections]
    shapes = [dots.get_paths()[0].vertices.shape for dots in ax.collections]
    assert len(set(colors)) == 2
    assert len(set(shapes)) == 2
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["u", "v"]


def test_matrix_is_symmetric_about_zero(ax):
    plot_matrix(ax, [[1.0, -4.0], [0.5, 0.0]], ["a", "b"])
    image = ax.images[0]
    assert image.get_clim() == (-4.0, 4.0)
    assert [text.get_text() for text in ax.texts][1] == "−4.00"
    assert [text.get_text() for text in ax.get_xticklabels()] == ["a", "b"]


def test_large_matrix_gets_a_colour_bar():
    figure = Figure()
    plot_matrix(figure.add_subplot(), np.eye(20))
    assert len(figure.axes) == 2


def test_zero_matrix_draws(ax):
    plot_matrix(ax, np.zeros((2, 2)))
    assert ax.images[0].get_clim() == (-1.0, 1.0)


def test_shepard_takes_each_pair_once(ax):
    D = np.array([[0.0, 1, 2], [1, 0, 3], [2, 3, 0]])
    plot_shepard(ax, D, 0.9 * D, unit="km")
    assert ax.collections[0].get_offsets().tolist() == [[1, 0.9], [2, 1.8], [3, 0.9 * 3]]
    assert ax.get_aspect() == 1.0
    assert ax.get_xlabel().endswith("(km)")


@pytest.mark.parametrize(
    ("plot", "arguments", "message"),
    [
        (plot_spectrum, ([],), "non-empty"),
        (plot_spectrum, ([1.0, np.nan],), r"non-finite entry at \(1,\)"),
        (plot_map, ([[1, 2, 3]],), "3 columns"),
        (plot_map, ([[1, 2]], ["a", "b"]), "labels has 2 entries for 1 points"),
        (plot_matrix, ([1.0, 2.0],), "2 axes"),
        (plot_matrix, (np.eye(2), ["a"]), "labels has 1 entries"),
        (plot_shepard, (np.ones((2, 3)), np.ones((2, 3))), "square|vector of pairs"),
        (plot_shepard, ([1.0], [1.0, 2.0]), "1 pairs and d has 2"),
    ],
)
def test_bad_input_is_refused(ax, plot, arguments, message):
    with pytest.raises(ValueError, match=message):
        plot(ax, *arguments)
