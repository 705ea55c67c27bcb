"""The four plots of the book draw what they say and refuse what they cannot draw."""

import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure

import kmds_figures
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


def test_book_style_sets_size_white_card_and_double_coding():
    with mpl.rc_context():
        use_book_style()
        assert mpl.rcParams["figure.figsize"] == [5.0, 3.5]
        assert mpl.rcParams["figure.facecolor"] == "white"
        cycle = mpl.rcParams["axes.prop_cycle"].by_key()
        assert len(set(cycle["color"])) == len(cycle["color"]) == len(cycle["linestyle"])
        smallest = min(mpl.rcParams[f"{axis}tick.labelsize"] for axis in "xy")
        assert smallest >= 11


def test_chapters_compute_with_one_thread_however_many_there_are():
    asked = (
        "import numpy, scipy.linalg; from kmds_figures.figures import use_book_style as style;"
        "from threadpoolctl import threadpool_info as pools;"
        "style(); print({p['num_threads'] for p in pools() if p['user_api'] == 'blas'})"
    )
    several = os.environ | {"OPENBLAS_NUM_THREADS": "2"}
    run = [sys.executable, "-c", asked]
    said = subprocess.run(run, env=several, check=True, capture_output=True, text=True).stdout
    assert said == "{1}\n"


def test_meanings_have_the_colours_of_the_explorers():
    sheet = (Path(kmds_figures.__file__).parent / "js" / "explorer.css").read_text("utf-8")
    on_white = sheet[: sheet.index("}")]
    explorers = dict(re.findall(r"--kx-([a-z]+): (#[0-9a-f]{6});", on_white))
    assert {name: explorers[name] for name in MEANINGS} == MEANINGS
    assert len(set(MEANINGS.values())) == len(MEANINGS) == 5


def luminance(colour):
    """Return the relative luminance of a colour, as contrast is measured with."""
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in colour]
    return np.dot(linear, [0.2126, 0.7152, 0.0722])


def test_spectrum_marks_negative_by_colour_and_hatch(ax):
    plot_spectrum(ax, [3.0, 1.0, 0.0, -0.2])
    heights = [bar.get_height() for bar in ax.patches]
    assert heights == [3.0, 1.0, 0.0, -0.2]
    negative = ax.patches[-1]
    assert to_hex(negative.get_facecolor()) == MEANINGS["negative"]
    assert negative.get_hatch()
    assert not ax.patches[0].get_hatch()
    assert to_hex(ax.patches[0].get_facecolor()) == MEANINGS["kept"]
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["positive", "negative"]


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
    plot_matrix(ax, [[1.0, -4.0], [0.5, 0.0]], ["a", "b"], kind="product")
    assert ax.images[0].get_clim() == (-4.0, 4.0)
    assert [text.get_text() for text in ax.texts][1] == "−4.00"
    assert [text.get_text() for text in ax.get_xticklabels()] == ["a", "b"]


def test_zero_matrix_draws(ax):
    plot_matrix(ax, np.zeros((2, 2)), "ab", kind="product")
    assert ax.images[0].get_clim() == (-1.0, 1.0)


def test_matrix_of_distances_darkens_in_grey_and_starts_at_zero(ax):
    plot_matrix(ax, [[0.0, 4.0], [4.0, 0.0]], "ab", kind="distance")
    image = ax.images[0]
    assert image.get_clim() == (0.0, 4.0)
    grey = image.cmap(np.linspace(0, 1, 50))[:, :3] @ [0.299, 0.587, 0.114]
    assert (np.diff(grey) < 0).all()


def test_matrix_of_products_is_green_above_zero_and_vermillion_below(ax):
    plot_matrix(ax, [[3.0, -3.0], [-3.0, 3.0]], "ab", kind="product")
    image = ax.images[0]
    for value, name in ((2.0, "product"), (-2.0, "negative")):
        assert image.cmap(image.norm(value))[:3] == pytest.approx(to_rgb(MEANINGS[name]), abs=0.02)


@pytest.mark.parametrize("kind", ["distance", "product"])
def test_numbers_in_cells_can_be_read_on_every_shade(ax, kind):
    least = 0 if kind == "distance" else -40
    values = np.arange(least, 41.0)[None]
    plot_matrix(ax, values, "a", kind=kind)
    image = ax.images[0]
    for value, text in zip(values[0], ax.texts, strict=True):
        colours = image.cmap(image.norm(value))[:3], to_rgb(text.get_color())
        dark, light = sorted(luminance(colour) + 0.05 for colour in colours)
        assert light / dark > 3.5


def test_shepard_takes_each_pair_once(ax):
    D = np.array([[0.0, 1, 2], [1, 0, 3], [2, 3, 0]])
    plot_shepard(ax, D, 0.9 * D)
    assert ax.collections[0].get_offsets().tolist() == [[1, 0.9], [2, 1.8], [3, 0.9 * 3]]
    assert to_hex(ax.collections[0].get_facecolor()[0]) == MEANINGS["distance"]
    assert ax.get_aspect() == 1.0


@pytest.mark.parametrize(
    ("plot", "arguments", "message"),
    [
        (plot_spectrum, ([],), "non-empty"),
        (plot_spectrum, ([1.0, np.nan],), r"non-finite entry at \(1,\)"),
        (plot_map, ([[1, 2, 3]],), "3 columns"),
        (plot_map, ([[1, 2]], ["a", "b"]), "labels has 2 entries for 1 points"),
        (partial(plot_matrix, kind="product"), ([1.0, 2.0], "a"), "2 axes"),
        (partial(plot_matrix, kind="kernel"), (np.eye(2), "ab"), "kind is 'kernel'; choose"),
        (partial(plot_matrix, kind="distance"), (-np.eye(2), "ab"), r"distance at \(0, 0\)"),
        (plot_shepard, (np.ones((2, 3)), np.ones((2, 3))), "square|vector of pairs"),
        (plot_shepard, ([1.0], [1.0, 2.0]), "1 pairs and d has 2"),
    ],
)
def test_bad_input_is_refused(ax, plot, arguments, message):
    with pytest.raises(ValueError, match=message):
        plot(ax, *arguments)
