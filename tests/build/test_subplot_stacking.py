"""Subplots are stacked on a phone."""

from io import BytesIO

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from _ext.subplot_stacking import split_subplots, stack_subplots
from kmds_figures.figures import BOOK_STYLE

DENSITY = 2


def draw(columns, width, rows=1, **options):
    """Return a picture with some subplots side by side, in the style of the book."""
    with plt.rc_context(BOOK_STYLE):
        figure, file = Figure(figsize=(width, 3 * rows), dpi=240), BytesIO()
        for place, ax in enumerate(np.ravel(figure.subplots(rows, columns, **options))):
            ax.plot([0, 1], [0, 1], lw=3 * place + 2)
            ax.set(xlabel="x", ylabel="height", title="a title")
            if options:
                ax.label_outer()
        figure.savefig(file, dpi="figure")
    return Image.open(file).convert("RGB")


def count_dark_pixels(image):
    return int((np.asarray(image.convert("L")) < 128).sum())


def test_stacked_subplots_contain_the_whole_picture():
    wide = draw(2, 6.4)
    stacked = stack_subplots(wide, DENSITY)
    assert stacked.width < 0.6 * wide.width
    assert count_dark_pixels(stacked) == count_dark_pixels(wide)
    assert stacked.getchannel("A").getextrema() == (255, 255)


def test_shared_axis_labels_are_copied():
    first, second = split_subplots(draw(2, 6.4, sharey=True))
    labels = [image.crop((0, 0, 60, image.height)) for image in (first, second)]
    assert count_dark_pixels(labels[0]) == count_dark_pixels(labels[1]) > 0


def test_a_grid_is_read_row_by_row():
    stacked = np.asarray(stack_subplots(draw(2, 6.4, rows=2), DENSITY).convert("L"))
    ink = [(part < 128).sum() for part in np.array_split(stacked, 4)]
    assert ink == sorted(ink)


@pytest.mark.parametrize(("columns", "width"), [(1, 6.4), (2, 3.0)])
def test_narrow_pictures_are_not_stacked(columns, width):
    assert stack_subplots(draw(columns, width), DENSITY) is None
