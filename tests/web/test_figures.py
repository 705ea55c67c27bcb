"""The four plots show their data and reject invalid input."""

import re

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from threadpoolctl import threadpool_info, threadpool_limits

from _ext.node import WEB
from kmds_figures.figures import (
    MEANINGS,
    plot_map,
    plot_matrix,
    plot_shepard,
    plot_spectrum,
    use_book_style,
)


@pytest.fixture
def ax():
    return Figure(figsize=(5, 3.5)).add_subplot()


def test_book_style_limits_blas_to_one_thread():
    with mpl.rc_context(), threadpool_limits(2, user_api="blas"):
        use_book_style()
        threads = {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}
    assert threads == {1}


def test_figures_and_explorers_have_the_same_colours():
    sheet = (WEB / "src" / "ui" / "explorer.css").read_text("utf-8")
    light = sheet[: sheet.index("}")]
    explorers = dict(re.findall(r"--kx-([a-z]+): (#[0-9a-f]{6});", light))
    assert {name: explorers[name] for name in MEANINGS} == MEANINGS


def test_spectrum_hatches_negative_eigenvalues(ax):
    plot_spectrum(ax, [3.0, 1.0, 0.0, -0.2])
    assert [bar.get_height() for bar in ax.patches] == [3.0, 1.0, 0.0, -0.2]
    assert [bool(bar.get_hatch()) for bar in ax.patches] == [False, False, False, True]


def test_map_labels_of_close_points_do_not_overlap():
    figure = Figure(figsize=(5, 3.5), dpi=100)
    ax = figure.add_subplot()
    plot_map(ax, [[0, 0], [10, 3], [10.3, 3.1], [9.8, 3.2]], ["far", "one", "two", "three"])
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_map_groups_differ_by_colour_and_marker(ax):
    plot_map(ax, np.arange(8.0).reshape(4, 2), groups=["u", "v", "u", "v"])
    colors = {tuple(dots.get_facecolor()[0]) for dots in ax.collections}
    shapes = {dots.get_paths()[0].vertices.shape for dots in ax.collections}
    assert len(colors) == len(shapes) == 2


@pytest.mark.parametrize(
    ("entries", "top"), [([[1.0, -4.0], [0.5, 0.0]], 4), (np.zeros((2, 2)), 1)]
)
def test_matrix_shows_its_entries(ax, entries, top):
    plot_matrix(ax, entries, ["a", "b"])
    assert ax.images[0].get_clim() == (-top, top)
    numbers = [float(text.get_text().replace("\u2212", "-")) for text in ax.texts]
    assert numbers == np.ravel(entries).tolist()


def test_shepard_diagram_has_each_pair_once(ax):
    D = np.array([[0.0, 1, 2], [1, 0, 3], [2, 3, 0]])
    plot_shepard(ax, D, 0.9 * D)
    assert ax.collections[0].get_offsets().tolist() == [[1, 0.9], [2, 1.8], [3, 0.9 * 3]]
    assert ax.get_aspect() == 1.0


@pytest.mark.parametrize(
    ("plot", "arguments", "message"),
    [
        (plot_spectrum, ([],), "non-empty"),
        (plot_spectrum, ([1.0, np.nan],), r"\(1,\)"),
        (plot_map, ([[1, 2, 3]],), "3 columns"),
        (plot_map, ([[1, 2]], ["a", "b"]), "2 entries for 1 points"),
        (plot_matrix, ([1.0, 2.0], "a"), "2 axes"),
        (plot_shepard, (np.ones((2, 3)), np.ones((2, 3))), r"\(2, 3\)"),
        (plot_shepard, ([1.0], [1.0, 2.0]), "1 pairs and d has 2"),
    ],
)
def test_invalid_input_is_rejected(ax, plot, arguments, message):
    with pytest.raises(ValueError, match=message):
        plot(ax, *arguments)
