"""The photograph of Chapter 2 with its bars under the reader's hand, compared with NumPy."""

import re

import numpy as np
import pytest
from sklearn.datasets import load_sample_image

from kmds_lib import nearest_psd
from tests.book.explorers.conftest import Shown, drag_by_finger, time_on_a_phone

pytestmark = pytest.mark.slow

PATH = "chapters/02-rank-psd-svd.html"
PHOTO = load_sample_image("china.jpg").mean(axis=2)[:425]
PHOTO = PHOTO.reshape(85, 5, 128, 5).mean(axis=(1, 3)) / 255
N, P = PHOTO.shape
V, S, UT = np.linalg.svd(PHOTO, full_matrices=False)
SEEN = np.random.default_rng(0).random(PHOTO.shape) < 0.5
HALF = np.where(SEEN, PHOTO, 0)
TABLE = HALF @ HALF.T / (SEEN.astype(float) @ SEEN.T)
TRUTH = PHOTO @ PHOTO.T / P
LAMBDA, W = np.linalg.eigh(TABLE)
ORDER = np.argsort(-np.abs(LAMBDA))
LAMBDA, W = LAMBDA[ORDER], W[:, ORDER]
SHADES = """(canvas) => Array.from(canvas.getContext("2d")
    .getImageData(0, 0, canvas.width, canvas.height).data).filter((_, at) => at % 4 === 0)"""


class Explorer(Shown):
    """The explorer on a page, and what it says."""

    name = "rank_explorer"

    def __init__(self, tab):
        super().__init__(tab)
        self.bars = self.figure.locator(".kx-paint")

    def kept(self):
        return self.state().get("kept", list(range(8)))

    def bar(self, index):
        """Return where on the screen the bar of an index stands, the first being 1."""
        self.bars.scroll_into_view_if_needed()
        box = self.bars.bounding_box()
        edges = (np.sqrt([index, index + 1]) - 1) / (np.sqrt(N + 1) - 1)
        return box["x"] + box["width"] * edges.mean(), box["y"] + box["height"] / 2

    def shades(self):
        return np.reshape(self.figure.locator("canvas").evaluate(SHADES), (N, P))


def error(kept):
    return 100 * np.sqrt(1 - np.sum(S[kept] ** 2) / np.sum(S**2))


def gaps(kept):
    """Return how far what is kept of the table lies from the measured table and the true one."""
    part = (W[:, kept] * LAMBDA[kept]) @ W[:, kept].T
    return [np.linalg.norm(part - M) for M in (TABLE, TRUTH)]


def numbers(words):
    return [float(number) for number in re.findall(r"\d+\.\d\d", words)]


def test_the_slider_keeps_the_largest_and_says_their_error(explorer):
    for k in (1, 2, 8, 24, 50, 84):
        explorer.slide(k)
        assert explorer.banner().startswith(f"Rank {k}: error {error(range(k)):.1f} %.")
        assert f"It takes {k * (N + P + 1)} numbers" in explorer.banner()
        part = np.clip((V[:, :k] * S[:k]) @ UT[:k], 0, 1)
        assert np.abs(explorer.shades() / 255 - part).max() < 0.004
    explorer.slide(85)
    assert explorer.banner() == "Rank 85: error 0.0 %. All are kept: this is the photograph."


def test_who_keeps_the_wrong_ones_sees_that_the_largest_are_nearer(explorer):
    explorer.page.mouse.click(*explorer.bar(1))
    explorer.page.mouse.click(*explorer.bar(12))
    kept = [*range(1, 8), 11]
    assert explorer.kept() == kept
    said = explorer.banner()
    assert said.startswith(f"Rank 8: error {error(kept):.1f} %.")
    assert f"The 8 largest leave {error(range(8)):.1f} %: you dropped s₁ and kept s₁₂." in said
    assert explorer.part("bar").inner_text() == f"s₁₂ = {S[11]:.2f}, kept"
    explorer.button("the k largest in size").click()
    assert explorer.banner().startswith("Rank 8: error 10.1 %.")


def test_the_verdict_follows_the_hand_and_is_said_when_it_rests(explorer):
    explorer.follow(explorer.bar(5), explorer.bar(8))
    assert explorer.kept() == [0, 1, 2, 3]
    assert explorer.banner().startswith(f"Rank 4: error {error(range(4)):.1f} %.")


def test_keys_choose_a_bar_and_the_space_bar_drops_it(explorer):
    explorer.bars.focus()
    said = explorer.bars.get_attribute("aria-valuetext")
    assert said == f"s₁ = {S[0]:.2f}, kept"
    for key in ("ArrowRight", "ArrowRight", " "):
        explorer.bars.press(key)
    assert explorer.bars.get_attribute("aria-valuetext") == f"s₃ = {S[2]:.2f}, dropped"
    assert explorer.kept() == [0, 1, 3, 4, 5, 6, 7]
    explorer.bars.press("End")
    assert explorer.bars.get_attribute("aria-valuenow") == "85"
    explorer.bars.press("Enter")
    assert explorer.kept()[-1] == 84
    explorer.bars.press("Home")
    explorer.bars.press("ArrowLeft")
    assert explorer.bars.get_attribute("aria-valuenow") == "1"


def test_the_table_has_points_where_nothing_negative_is_kept(explorer):
    explorer.button("inner products, half lost").click()
    for k in (2, 5, 12, 48, 85):
        explorer.slide(k)
        negative = int(np.sum(LAMBDA[:k] < 0))
        clipped = [r for r in range(k) if LAMBDA[r] > 0]
        said = explorer.banner()
        if negative:
            assert said.startswith(f"No points: {negative} of the {k} are negative.")
            np.testing.assert_allclose(numbers(said), gaps(range(k)) + gaps(clipped), atol=0.006)
            assert gaps(clipped)[1] < gaps(range(k))[1]
        else:
            assert said.startswith(f"Points in {k} dimensions.")
            np.testing.assert_allclose(numbers(said), gaps(range(k)), atol=0.006)
    explorer.slide(12)
    explorer.button("the k largest positive").click()
    near = np.linalg.norm(TABLE - nearest_psd(TABLE, rank=12))
    assert numbers(explorer.banner())[0] == pytest.approx(near, abs=0.006)
    assert "No points in 12 dimensions come nearer" in explorer.banner()
    explorer.slide(85)
    assert explorer.banner().startswith(f"Points in {np.sum(LAMBDA > 0)} dimensions.")
    explorer.slide(3)
    explorer.page.mouse.click(*explorer.bar(1))
    assert "The 2 largest positive lie" in explorer.banner()


def test_a_finger_sweeps_and_taps(phone):
    drag_by_finger(phone.tab, phone.bar(1), phone.bar(2), phone.bar(3))
    assert phone.kept() == [3, 4, 5, 6, 7]
    phone.page.touchscreen.tap(*phone.bar(1))
    assert phone.kept() == [0, 3, 4, 5, 6, 7]
    phone.page.wait_for_timeout(300)
    x, y = phone.bar(2)
    top = phone.page.evaluate("scrollY")
    drag_by_finger(phone.tab, (x, y), (x, y - 30), (x, y - 90), (x, y - 180))
    phone.page.wait_for_timeout(300)
    assert phone.page.evaluate("scrollY") > top
    assert phone.kept() == [0, 3, 4, 5, 6, 7]


@pytest.mark.timed
def test_a_hand_is_followed_on_a_slow_phone(phone):
    assert time_on_a_phone(phone.bars) <= 50
