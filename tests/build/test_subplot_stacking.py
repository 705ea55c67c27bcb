"""Panels that stand side by side stack on a phone, and their captions say so."""

from io import BytesIO

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from subplot_stacking import MARGIN, name_places, panels_of, stacked
from PIL import Image

from kmds_figures.figures import BOOK_STYLE

DENSITY = 2


def drawn(columns, width, **options):
    """Return a picture with so many panels, drawn as the pages draw it."""
    with plt.rc_context(BOOK_STYLE):
        figure, picture = Figure(figsize=(width, 3), dpi=240), BytesIO()
        for ax in np.ravel(figure.subplots(1, columns, **options)):
            ax.plot([0, 1], [0, 1])
            ax.set(xlabel="x", ylabel="height", title="a title")
            if options:
                ax.label_outer()
        figure.savefig(picture, dpi="figure")
    return Image.open(picture).convert("RGB")


def ink(image):
    """Return how many dark points a picture has."""
    return int((np.asarray(image.convert("L")) < 128).sum())


def test_two_panels_stack_and_nothing_is_lost():
    wide = drawn(2, 6.4)
    tall = stacked(wide, DENSITY)
    assert tall.width < 0.6 * wide.width
    assert ink(tall) == ink(wide)


def test_a_panel_without_numbers_gets_those_of_the_first():
    first, second = panels_of(drawn(2, 6.4, sharey=True))
    scale = panels_of(drawn(2, 6.4, sharey=True))[0].crop((0, 0, 60, first.height))
    assert ink(scale) > 0
    assert ink(second.crop((0, 0, 60, second.height))) == ink(scale)
    # Its axis stands where that of the first one does.
    spines = [
        np.argmax((np.asarray(one.convert("L")) < 128).sum(axis=0)) for one in (first, second)
    ]
    assert spines[0] == spines[1]


@pytest.mark.parametrize(("columns", "width", "rows"), [(3, 6.4, 3), (6, 7.4, 3)])
def test_narrow_panels_share_a_row(columns, width, rows):
    wide = drawn(columns, width, sharey=True)
    tall = stacked(wide, DENSITY)
    assert rows * wide.height * 0.8 < tall.height <= rows * (wide.height + 2 * MARGIN)


@pytest.mark.parametrize(("columns", "width"), [(1, 6.4), (2, 3.0)])
def test_what_fits_a_phone_stays(columns, width):
    assert stacked(drawn(columns, width), DENSITY) is None


def test_captions_of_stacked_pictures_name_both_places():
    words = "Left: a map, turned by a right angle. Right: right singular vectors."
    caption = f'<figcaption><p title="left">{words}</p></figcaption>'
    named = name_places(f"<picture><img></picture>{caption}")
    assert '<p title="left">' in named
    assert '<span class="side-by-side">Left</span><span class="stacked">Top</span>: a' in named
    assert '<span class="stacked">Bottom</span>: right singular vectors.' in named
    assert "a right angle." in named
    assert name_places(f"<img>{caption}") == f"<img>{caption}"
