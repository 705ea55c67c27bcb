"""What chapter 5's explorer shows when a reader moves it."""

import re

import numpy as np
import pytest

from kmds_figures.explorers import clerk_explorer
from tests.pages.explorers.conftest import Shown, drawn_numbers

pytestmark = pytest.mark.slow

PATH = "chapters/05-pca-equivalence.html"
FIRST = clerk_explorer()
UPRIGHT = "All lines are upright: the scores agree."
MIRRORED = "All lines cross at zero: the signs disagree."
CROSSED = "The lines cross in many places: the axes differ."


class Explorer(Shown):
    """The explorer on a page, and what it shows."""

    name = "clerk_explorer"
    RESULT = """(() => {
        const found = m.bothComputations(state.points, state);
        return { ...found, words: m.dualityVerdict(found, state.agree) };
    })()"""

    def points(self):
        """Return the points on show."""
        return np.array(self.state().get("points", FIRST.points))

    def lines(self):
        """Return what is said of the lines of both axes."""
        labels = [self.drawing(f"axis{k}").get_attribute("aria-label") for k in (1, 2)]
        return [label.split("below. ")[1] for label in labels]

    def drawing(self, part):
        """Return the drawing of a part."""
        return self.part(part).locator("svg")

    def facts(self):
        """Return the table of eigenvalues."""
        rows = self.part("facts").locator("tr").all()
        cells = [row.locator("td").all_inner_texts() for row in rows]
        return np.array([[np.nan if c == "–" else float(c) for c in row] for row in cells])

    def marks(self, part, name):
        """Return the places of some marks of a drawing, y upwards."""
        (path,) = drawn_numbers(self.drawing(part).locator(f"path.{name}"), "d")
        return np.reshape(path, (len(self.points()), -1))[:, :2] * [1, -1]

    def spot(self, number):
        """Return where on the screen a point stands."""
        return self.centre(self.figure.locator(".kx-spot").nth(number))


def is_right(explorer):
    """Check the eigenvalues and the words of what is on show; return what it comes to."""
    found = explorer.result()
    nu = np.array(found["variances"])
    expected = [found["n"] * nu, found["values"][:2], nu]
    np.testing.assert_allclose(explorer.facts(), expected, rtol=0, atol=5.01e-5)
    return found


def test_a_mirror_is_all_that_parts_the_pictures_of_a_long_cloud(explorer):
    found = is_right(explorer)
    assert explorer.lines() == [UPRIGHT if sign > 0 else MIRRORED for sign in found["differ"]]
    assert "but for the sign of axis 1" in explorer.banner()
    for k in (1, 2):
        for name, scores in (("kx-first", "scores"), ("kx-second", "second")):
            drawn = explorer.marks(f"axis{k}", name)[:, 0]
            np.testing.assert_allclose(drawn, 100 * np.array(found[scores])[k - 1 :: 2], atol=0.06)
    explorer.button("turned to agree").click()
    assert explorer.lines() == [UPRIGHT, UPRIGHT]
    assert (
        "less than 10⁻¹² cm apart, now that axis 1 of the second is mirrored" in explorer.banner()
    )
    explorer.button("mirror its axis 2").click()
    assert explorer.lines() == [UPRIGHT, MIRRORED]
    assert explorer.state() == {"signs": [1, 1, -1, -1]}
    explorer.button("mirror axis 1 of the second").click()
    assert explorer.lines() == [MIRRORED, MIRRORED]
    assert "but for the signs of both axes" in explorer.banner()


def test_a_round_cloud_parts_them_by_more_until_a_point_moves(explorer):
    explorer.button("a round one").click()
    explorer.button("turned to agree").click()
    assert explorer.lines() == [CROSSED, CROSSED]
    shows_names_inside(explorer)
    assert explorer.banner().startswith("λ₁ = λ₂: the axes are each program’s own choice.")
    assert "after one turn less than 10⁻¹² cm" in explorer.banner()
    explorer.figure.locator(".kx-handle").press("ArrowUp")
    assert explorer.lines() == [UPRIGHT, UPRIGHT]
    assert is_right(explorer)["words"]["head"] == "The same scores."


@pytest.mark.parametrize("preset", ["a long cloud", "one outlier", "irises"])
def test_dragged_points_keep_both_together(explorer, preset):
    explorer.button(preset).click()
    explorer.button("turned to agree").click()
    before = explorer.points()
    for number, dx, dy in ((3, 40, -25), (7, -60, 30)):
        x, y = explorer.spot(number)
        explorer.drag((x, y), (x + dx / 2, y + dy / 2), (x + dx, y + dy))
        assert explorer.state()["chosen"] == number
        (strong,) = drawn_numbers(explorer.drawing("axis1").locator("path.kx-on"), "d")
        assert strong[0] == explorer.marks("axis1", "kx-first")[number, 0]
        assert explorer.lines() == [UPRIGHT, UPRIGHT]
        assert is_right(explorer)["words"]["head"] == "The same scores."
    assert np.flatnonzero((explorer.points() != before).any(axis=1)).tolist() == [3, 7]


def test_the_ellipse_and_its_axes_are_those_of_the_covariance(explorer):
    found = explorer.result()
    nu, U = found["variances"], np.reshape(found["axes"], (2, 2))
    ellipse = explorer.drawing("plane").locator("ellipse")
    sides = [float(ellipse.get_attribute(name)) for name in ("rx", "ry")]
    np.testing.assert_allclose(sides, 200 * np.sqrt(nu), atol=0.06)
    ((x, y, angle),) = drawn_numbers(ellipse, "transform")
    np.testing.assert_allclose([x, -y], 100 * np.array(found["mean"]), atol=0.06)
    turned = np.radians(-angle)
    assert abs(U[:, 0] @ [np.cos(turned), np.sin(turned)]) > 0.9999
    mean = explorer.drawing("plane").locator(".kx-mean")
    assert drawn_numbers(mean, "transform") == [[x, y]]
    shows_arrows(explorer)
    explorer.open(signs=[-1, 1, 1, 1])
    shows_arrows(explorer)


def shows_arrows(explorer):
    """Each axis runs two deviations both ways from the mean, its point where scores grow."""
    arrows = drawn_numbers(explorer.drawing("plane").locator(".kx-unit"), "d")
    names = explorer.drawing("plane").locator(".kx-name").all()
    found = explorer.result()
    U, mean = np.reshape(found["axes"], (2, 2)), np.array(found["mean"])
    for k, (arrow, name) in enumerate(zip(arrows, names, strict=True)):
        half = 2 * np.sqrt(found["variances"][k]) * U[:, k]
        for end, at in zip((arrow[:2], arrow[2:4]), (-half, half), strict=True):
            np.testing.assert_allclose(end, 100 * (mean + at) * [1, -1], atol=0.11)
        assert name.text_content() == ["u₁", "u₂"][k]


def shows_names_inside(explorer):
    """The name of every axis that is drawn can be read."""
    names = explorer.drawing("plane").locator(".kx-name").filter(has_text=re.compile("."))
    places = np.abs(drawn_numbers(names, "transform"))
    assert (places < [0.97 * 170, 0.97 * 145]).all()


def test_states_at_the_ends_of_what_a_link_may_ask_for(explorer):
    first = explorer.facts()
    wide = [[-1.56, -1.31], [1.56, 1.31]] * 10
    explorer.open(points=wide)
    unit = explorer.marks("axis1", "kx-first")[1, 0] / np.hypot(1.56, 1.31)
    rule = explorer.drawing("axis1").locator("path.kx-rule").get_attribute("d")
    places = [float(place) for place in re.findall(r"M(-?[\d.]+) 16V66", rule)]
    np.testing.assert_allclose(places, [-unit, unit], atol=0.06)
    assert unit < 80
    shows_names_inside(explorer)
    explorer.open(points=[[0.1, 0.1]] * 6)
    assert explorer.banner().startswith("All points are one.")
    assert explorer.lines() == ["All scores are zero."] * 2
    assert not explorer.facts().any()
    explorer.figure.locator(".kx-handle").press("ArrowRight")
    assert "there is no axis 2" in explorer.banner()
    hostile = [[[0, 0]] * 3, [[9, 0]] * 5, [[0, None]] * 5, "x" * 5, [[0, 0, 0]] * 5]
    for points in hostile:
        explorer.open(points=points, signs=[1, 0, 1, 1], agree="yes", chosen=-1)
        assert explorer.banner().startswith("The same scores, but for the sign of axis 1.")
        np.testing.assert_array_equal(explorer.facts(), first)
        assert explorer.lines() == [MIRRORED, UPRIGHT]
