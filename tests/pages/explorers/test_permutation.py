"""Two samples and pairs of Chapter 12 under the reader's hand."""

import re

import numpy as np
import pytest

from kmds_figures.explorers import permutation_explorer
from kmds_lib import distance_covariance, energy_distance
from tests.pages.explorers.conftest import Shown, drawn_numbers

pytestmark = pytest.mark.slow

PATH = "chapters/12-kernel-tests.html"
PRESETS = {name: np.array(points) for name, points in permutation_explorer().presets.items()}
BUTTONS = {"same": "nothing", "shift": "shifted", "wide": "wider", "cross": "crossed"}
SAMPLES, PAIRS = "one law for ● and ○?", "does x tell of y?"
KERNELS = {"distance": "−distanceβ", "RBF": "RBF"}


class Explorer(Shown):
    """The explorer on a page, and what it says."""

    name = "permutation_explorer"
    RESULT = """(() => {
        const found = m.tested(state, m.dealsOf(state.points.length));
        return { ...found, ...m.plainNumbers(state), words: m.chanceVerdict(found, state) };
    })()"""

    def __init__(self, tab):
        super().__init__(tab)
        self.point = self.figure.locator(".kx-handle.kx-city")
        self.samples = [self.figure.locator(f".kx-handle.kx-all{side}") for side in (0, 1)]

    def points(self):
        return np.array(self.state().get("points", PRESETS["wide"]))

    def deal(self):
        """Return both samples as the deal on show has them."""
        found = [
            drawn_numbers(self.figure.locator(f".kx-{name}"), "d") for name in ("full", "hollow")
        ]
        starts = [np.reshape(numbers, (15, -1))[:, :2] for (numbers,) in found]
        return [(start + np.array([3.4, 0])) / [30, -30] for start in starts]


def is_right(explorer, **state):
    """Check what is said, in a state that has these values; return what it comes to."""
    assert state.items() <= explorer.computed("state").items()
    return explorer.result()


@pytest.mark.parametrize("asks", [SAMPLES, PAIRS])
def test_each_question_and_kernel_has_its_statistic(explorer, asks):
    explorer.button(asks).click()
    for kernel, written in KERNELS.items():
        explorer.button(written).click()
        for name, preset in BUTTONS.items():
            explorer.button(preset).click()
            assert np.array_equal(explorer.points(), PRESETS[name])
            found = is_right(explorer, asks="pairs" if asks == PAIRS else "samples", kernel=kernel)
            said = explorer.part("plain").inner_text().replace("−", "-")
            names = ("r", "cosine") if asks == PAIRS else ("step",)
            numbers = [float(number) for number in re.findall(r"-?\d\.\d\d", said)]
            assert numbers == pytest.approx([found[name] for name in names], abs=0.00501)


def test_at_the_exponent_two_a_wider_sample_is_not_seen(explorer):
    assert is_right(explorer)["p"] <= 0.05
    for exponent in (0.1, 0.5, 1.5):
        explorer.slide(exponent)
        is_right(explorer, exponent=exponent)
    explorer.slide(2)
    assert "less than 0.00001: 999 of 999" in explorer.banner()
    assert explorer.banner().startswith("Chance deals this too")
    explorer.button("RBF").click()
    for place in (-1, 0, 2):
        explorer.slide(place, row=1)
        is_right(explorer, kernel="RBF", theta=10.0**place)
    explorer.slide(-3, row=1)
    assert explorer.banner().startswith("Chance deals this too")


def test_keys_move_one_point_and_a_press_takes_another(explorer):
    explorer.point.press("ArrowLeft")
    moved = explorer.points() - PRESETS["wide"]
    assert np.argwhere(np.abs(moved) > 1e-9).tolist() == [[29, 0]]
    assert moved[29, 0] == pytest.approx(-0.1)
    is_right(explorer)
    explorer.samples[0].press("ArrowRight")
    moved = explorer.points() - PRESETS["wide"]
    np.testing.assert_allclose(moved[:15], np.broadcast_to([0.1, 0], (15, 2)), atol=1e-9)
    assert np.abs(moved[15:29]).max() == 0
    explorer.button("next point").click()
    assert explorer.state()["chosen"] == 0
    assert explorer.point.get_attribute("aria-label") == "point 1 of 30, sample A"
    explorer.point.press("End")
    assert explorer.points()[0, 0] == 3.39
    farthest = np.abs(PRESETS["wide"][:, 0]).argmax()
    spot = explorer.figure.locator(".kx-spot").nth(int(farthest))
    x, y = explorer.centre(spot)
    explorer.drag((x, y), (x, y + 20))
    assert explorer.state()["chosen"] == farthest
    assert explorer.points()[farthest, 1] < PRESETS["wide"][farthest, 1]
    is_right(explorer)


def test_a_deal_is_shown_with_its_value(explorer):
    values = set()
    for deal in (2, 3, 4):
        explorer.button("deal again").click()
        said = explorer.part("dealt").inner_text()
        assert said.startswith(f"deal {deal} of 999, labels dealt anew: ")
        first, second = explorer.deal()
        together = np.concatenate([first, second])
        for row in PRESETS["wide"]:
            assert np.abs(together - row).max(axis=1).min() < 0.01
        value = float(said.rpartition(" ")[2])
        assert value == pytest.approx(energy_distance(first, second), rel=0.05)
        values.add(value)
    assert len(values) == 3
    explorer.button(PAIRS).click()
    said = explorer.part("dealt").inner_text()
    assert said.startswith("deal 4 of 999, each x with another y: ")
    x, y = np.concatenate(explorer.deal()).T
    dealt = distance_covariance(x[:, None], y[:, None])
    assert float(said.rpartition(" ")[2]) == pytest.approx(dealt, rel=0.05)
    for axis, drawn in enumerate((x, y)):
        np.testing.assert_allclose(np.sort(drawn), np.sort(PRESETS["wide"][:, axis]), atol=0.01)
