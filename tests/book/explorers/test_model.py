"""The noise of Chapter 13 under the reader's hand, compared with the library."""

import re

import numpy as np
import pytest
from sklearn.datasets import load_wine

from kmds_lib import gaussian_log_likelihood, pca, probabilistic_pca
from tests.book.explorers.conftest import Shown, drawn_numbers, time_on_a_phone

pytestmark = pytest.mark.slow

PATH = "chapters/13-models.html"
WINE = load_wine().data
N, P = WINE.shape
Z = (WINE - WINE.mean(axis=0)) / WINE.std(axis=0)
FIT = pca(Z, n_components=P)
NU = FIT.variances


class Explorer(Shown):
    """The explorer on a page, and what it says."""

    name = "model_explorer"

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

    def numbers(self):
        """Return the numbers of the banner with two decimals."""
        return [float(n) for n in re.findall(r"-?\d+\.\d\d", self.banner().replace("−", "-"))]


def height(k, noise):
    """Return the log-likelihood of a wine under the best model of some axes and some noise."""
    excess = np.where(np.arange(P) < k, np.maximum(NU - noise, 0), 0)
    C = (FIT.axes * excess) @ FIT.axes.T + noise * np.eye(P)
    return gaussian_log_likelihood(Z, np.zeros(P), C) / N


def is_right(explorer):
    """Compare the verdict and the map with the library; return how far below the best it is."""
    k, noise = explorer.setting()
    best = NU[k:].mean()
    below = height(k, best) - height(k, noise)
    numbers = explorer.numbers()
    if below >= 0.005:
        assert numbers.pop(0) == pytest.approx(below, abs=0.00501)
    assert numbers[0] == pytest.approx(height(k, noise), abs=0.00501)
    kept = np.where((np.arange(2) < k) & (NU[:2] > noise), 1 - noise / NU[:2], 0)
    shown, scores = explorer.places(), FIT.points[:, :2]
    unit = min(162 / np.abs(scores[:, 0]).max(), 98 / np.abs(scores[:, 1]).max())
    np.testing.assert_allclose(shown, unit * scores * kept, atol=0.4)
    said = explorer.part("left").inner_text()
    assert said.endswith(
        f"keeps {100 * kept[0]:.1f} % on axis 1 and {100 * kept[1]:.1f} % on axis 2."
    )
    return below


def test_sliders_set_the_model_and_the_map_shrinks(explorer):
    assert is_right(explorer) == pytest.approx(14.34, abs=0.01)
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
        noise = probabilistic_pca(Z, n_components=k).noise_variance if k else NU.mean()
        assert explorer.setting()[1] == pytest.approx(noise, rel=5e-3)
        assert explorer.banner().startswith(f"The most likely noise for k = {k}.")
        assert is_right(explorer) < 0.005
    advice = explorer.part("unseen").inner_text()
    k, noise = re.search(r"k = (\d+), σ² = ([\d.]+), a gain of", advice).groups()
    explorer.button("best for wines not seen").click()
    assert explorer.setting() == (int(k), float(noise))
    assert explorer.part("unseen").inner_text() == "No setting is better for wines not seen."
    is_right(explorer)


def test_hidden_numbers_are_the_posterior_means(explorer):
    explorer.button("most likely σ²").click()
    explorer.button("hidden numbers").click()
    model = probabilistic_pca(Z, n_components=2)
    shown = explorer.places()
    unit = (shown * model.points).sum() / (model.points**2).sum()
    np.testing.assert_allclose(shown, unit * model.points, atol=0.3)


def test_the_verdict_follows_the_hand_and_is_said_when_it_rests(explorer):
    x, y = explorer.centre(explorer.corner)
    explorer.follow((x, y), (x + 44, y - 20))
    k, noise = explorer.setting()
    assert k == 4
    assert 0.5 < noise < 2
    is_right(explorer)


def test_keys_move_the_corner(explorer):
    corner = explorer.corner
    corner.press("ArrowRight")
    corner.press("ArrowUp")
    assert explorer.setting() == (3, 0.15)
    assert corner.get_attribute("aria-valuetext") == "3 hidden numbers, noise variance 0.150"
    for key, k in (("Home", 0), ("End", 12)):
        corner.press(key)
        assert explorer.setting()[0] == k
        assert corner.get_attribute("aria-valuenow") == str(k)
    is_right(explorer)


@pytest.mark.timed
def test_a_hand_is_followed_on_a_slow_phone(phone):
    assert time_on_a_phone(phone.corner) <= 50
