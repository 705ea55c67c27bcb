"""The new point of Chapter 10 under the reader's hand: all that is shown is what was computed."""

import re

import numpy as np
import pytest

from kmds_figures.explorers import newcomer_explorer
from kmds_lib import distances
from tests.pages.explorers.conftest import Shown

pytestmark = pytest.mark.slow

PATH = "chapters/10-new-points.html"
OLD = np.array(newcomer_explorer().points)
FLAT = distances([[1.5, -0.9]], OLD)[0]


class Explorer(Shown):
    """The explorer on a page, and what it says."""

    name = "newcomer_explorer"

    def __init__(self, tab):
        super().__init__(tab)
        self.handle = self.figure.locator(".kx-handle")

    def told(self):
        """Return distances and entries of g, as they are written."""
        rows = self.part("pulls").locator(".kx-range").all()
        told = [[row.locator(tag).inner_text() for tag in ("em", "var")] for row in rows]
        return np.array([[float(text.replace("−", "-")) for text in row] for row in told]).T

    def lands(self):
        """Return the middle of the square, in the unit of the map."""
        path = self.figure.locator(".kx-foot").get_attribute("d")
        x, y = map(float, re.match(r"M(-?[\d.]+) (-?[\d.]+)", path).groups())
        return np.array([x + 15, -y - 15]) / 46

    def ends(self):
        """Return where the last arrow ends, in the unit of the map."""
        path = self.figure.locator(".kx-chain").get_attribute("d")
        *_, (x, y) = re.findall(r"L(-?[\d.]+) (-?[\d.]+)M", path)
        return np.array([float(x), -float(y)]) / 46


def is_right(explorer, d):
    """Check what is shown of some distances; return the place and the squared height."""
    found = explorer.computed(f"m.placed(m.mapOf(state.points), {list(map(float, d))})")
    np.testing.assert_allclose(explorer.told(), [d, found["g"]], atol=0.00501)
    np.testing.assert_allclose(explorer.lands(), found["place"], atol=0.1 / 46)
    np.testing.assert_allclose(explorer.ends(), found["place"], atol=0.2 / 46)
    lift = explorer.part("height").locator("em").inner_text().replace("−", "-")
    assert float(lift) == pytest.approx(found["height"], abs=0.00501)
    return found["place"], found["height"]


def test_a_point_lands_below_itself_and_the_slider_moves_its_height_alone(explorer):
    assert is_right(explorer, np.sqrt(FLAT**2 + 1.44))[1] == pytest.approx(1.44)
    assert "and stands 1.20 above the map" in explorer.banner()
    for square in (0, 4, -1):
        explorer.slide(square)
        is_right(explorer, np.sqrt(FLAT**2 + square))
    assert explorer.banner().startswith("No point: h² = −1.00.")
    explorer.button("on the map").click()
    assert explorer.banner().startswith("It lands at (1.50, −0.90), on the map.")


def test_a_pulled_distance_belongs_to_no_point_and_dragging_takes_true_ones_again(explorer):
    explorer.button("one wrong distance").click()
    wrong = FLAT + [0.8, 0, 0, 0, 0]  # noqa: RUF005
    is_right(explorer, wrong)
    assert explorer.banner().startswith("No point has these distances.")
    explorer.slide(0, row=3)
    wrong[2] = 0
    place, _ = is_right(explorer, wrong)
    explorer.slide(2)
    pulled = explorer.state()["pulled"]
    below, height = is_right(explorer, pulled)
    assert height == pytest.approx(2, abs=0.01)
    np.testing.assert_allclose(below, place, atol=1e-3)
    x, y = explorer.centre(explorer.handle)
    explorer.drag((x, y), (x - 40, y - 30))
    assert "pulled" not in explorer.state()
    is_right(explorer, distances([explorer.state()["new_point"]], OLD)[0])
