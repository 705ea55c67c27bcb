"""The photograph of Chapter 2 with its bars under the reader's hand."""

import numpy as np
import pytest

from tests.pages.explorers.conftest import Shown, drag_by_finger, follow

pytestmark = pytest.mark.slow

PATH = "chapters/02-rank-psd-svd.html"
N, P = 85, 128
SHADES = """(canvas) => Array.from(canvas.getContext("2d")
    .getImageData(0, 0, canvas.width, canvas.height).data).filter((_, at) => at % 4 === 0)"""


class Explorer(Shown):
    """The explorer on a page, and what it says."""

    name = "rank_explorer"
    RESULT = """(() => {
        const terms = m.prepared(state)[state.shows];
        const found = m.resultOf(terms, state.kept);
        return { ...found, words: m.rankVerdict(found, terms) };
    })()"""

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


def is_right(explorer, kept):
    """Check that this is kept and that this is said of it; return what it comes to."""
    assert explorer.kept() == [*kept]
    return explorer.result()


def test_the_slider_keeps_the_largest_and_says_their_error(explorer):
    for k in (1, 2, 8, 24, 50, 84):
        explorer.slide(k)
        part = np.reshape(is_right(explorer, range(k))["part"], (N, P))
        assert np.abs(explorer.shades() / 255 - np.clip(part, 0, 1)).max() < 0.004
    explorer.slide(85)
    assert explorer.banner() == "Rank 85: error 0.0 %. All are kept: this is the photograph."


def test_who_keeps_the_wrong_ones_sees_that_the_largest_are_nearer(explorer):
    explorer.page.mouse.click(*explorer.bar(1))
    explorer.page.mouse.click(*explorer.bar(12))
    found = is_right(explorer, [*range(1, 8), 11])
    assert explorer.banner().endswith("you dropped s₁ and kept s₁₂.")
    assert explorer.part("bar").inner_text() == f"s₁₂ = {found['values'][11]:.2f}, kept"
    explorer.button("the k largest in size").click()
    assert explorer.banner().startswith("Rank 8: error 10.1 %.")


def test_the_verdict_follows_the_hand_and_is_said_when_it_rests(explorer):
    follow(explorer.page, explorer.figure, explorer.bar(5), explorer.bar(8))
    is_right(explorer, range(4))


def test_keys_choose_a_bar_and_the_space_bar_drops_it(explorer):
    explorer.bars.focus()
    values = explorer.result()["values"]
    said = explorer.bars.get_attribute("aria-valuetext")
    assert said == f"s₁ = {values[0]:.2f}, kept"
    for key in ("ArrowRight", "ArrowRight", " "):
        explorer.bars.press(key)
    assert explorer.bars.get_attribute("aria-valuetext") == f"s₃ = {values[2]:.2f}, dropped"
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
        found = is_right(explorer, range(k))
        if found["negative"]:
            assert found["clipped"][1] < found["far"]
    positive = np.flatnonzero(np.array(found["values"]) > 0).tolist()
    explorer.slide(12)
    explorer.button("the k largest positive").click()
    is_right(explorer, positive[:12])
    assert "No points in 12 dimensions come nearer" in explorer.banner()
    explorer.slide(85)
    is_right(explorer, positive)
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
    phone.page.wait_for_function("top => scrollY > top", arg=top)
    assert phone.kept() == [0, 3, 4, 5, 6, 7]
