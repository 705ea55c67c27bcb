"""The noise of Chapter 13 under the reader's hand."""

import re

import numpy as np
import pytest

from tests.pages.explorers.conftest import Shown, drawn_numbers

pytestmark = pytest.mark.slow

PATH = "chapters/13-models.html"


class Explorer(Shown):
    """The explorer on a page, and what it says."""

    name = "model_explorer"
    RESULT = """(() => {
        const top = m.bestUnseen(state);
        const found = m.atSetting(state, state.n_components, state.noise);
        const advice = m.unseenSays(found, top, state.noun);
        return { ...found, ...state, advice, words: m.modelVerdict(found, top, state.noun) };
    })()"""

    def __init__(self, tab):
        super().__init__(tab)
        self.corner = self.figure.locator(".kx-handle.kx-corner")

    def setting(self):
        """Return the number of axes and the noise."""
        state = self.state()
        return state.get("n_components", 2), state.get("noise", 0.1)

    def places(self):
        """Return where the map shows the wines."""
        marks = self.figure.locator(".kx-after .kx-data")
        return np.array(drawn_numbers(marks, "transform")) * [1, -1]


def is_right(explorer):
    """Check the words and the map of what is on show; return what it comes to."""
    found = explorer.result()
    assert explorer.part("unseen").inner_text() == found["advice"]
    kept, scores = np.array(found["kept"])[:2], np.array(found["scores"])
    unit = (np.array([162, 98]) / np.abs(scores).max(axis=0)).min()
    np.testing.assert_allclose(explorer.places(), unit * scores * kept, atol=0.4)
    said = explorer.part("left").inner_text()
    assert said.endswith(
        f"keeps {100 * kept[0]:.1f} % on axis 1 and {100 * kept[1]:.1f} % on axis 2."
    )
    return found


def test_sliders_set_the_model_and_the_map_shrinks(explorer):
    is_right(explorer)
    assert explorer.banner().startswith("Too little noise: 14.34 nats below the best for k = 2.")
    for k in (0, 1, 2, 12):
        explorer.slide(k)
        for place in (-2, -0.5, 0, 1):
            explorer.slide(place, row=1)
            assert explorer.setting() == (k, float(f"{10**place:.3g}"))
            is_right(explorer)
    assert explorer.banner().startswith("All is noise, the map one point: 12.95 nats")
    assert np.ptp(explorer.places(), axis=0).max() == 0


def test_the_buttons_find_the_best(explorer):
    for k in (0, 2, 7):
        explorer.slide(k)
        explorer.button("most likely σ²").click()
        found = is_right(explorer)
        assert found["noise"] == pytest.approx(found["best"], rel=5e-3)
        assert explorer.banner().startswith(f"The most likely noise for k = {k}.")
    advice = explorer.part("unseen").inner_text()
    k, noise = re.search(r"k = (\d+), σ² = ([\d.]+), a gain of", advice).groups()
    explorer.button("best for wines not seen").click()
    assert explorer.setting() == (int(k), float(noise))
    assert is_right(explorer)["advice"] == "No setting is better for wines not seen."


def test_hidden_numbers_are_the_posterior_means(explorer):
    explorer.button("most likely σ²").click()
    explorer.button("hidden numbers").click()
    found, shown = explorer.result(), explorer.places()
    hidden = found["scores"] * np.sqrt(np.divide(found["kept"], found["variances"]))[:2]
    unit = (shown * hidden).sum() / (hidden**2).sum()
    np.testing.assert_allclose(shown, unit * hidden, atol=0.3)


def test_keys_and_the_mouse_move_the_corner(explorer):
    corner = explorer.corner
    corner.press("ArrowRight")
    corner.press("ArrowUp")
    assert explorer.setting() == (3, 0.15)
    assert corner.get_attribute("aria-valuetext") == "3 hidden numbers, noise variance 0.150"
    for key, k in (("Home", 0), ("End", 12)):
        corner.press(key)
        assert explorer.setting()[0] == k
        assert corner.get_attribute("aria-valuenow") == str(k)
    explorer.button("reset").click()
    x, y = explorer.centre(corner)
    explorer.drag((x, y), (x + 44, y - 20))
    k, noise = explorer.setting()
    assert k == 4
    assert 0.5 < noise < 2
    is_right(explorer)
