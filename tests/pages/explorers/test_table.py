"""The road table of Chapter 4 under the reader's hand."""

import re

import numpy as np
import pytest

from kmds_figures.explorers import table_explorer
from tests.pages.explorers.conftest import Shown, drag_by_finger, drawn_numbers

pytestmark = pytest.mark.slow

PATH = "chapters/04-classical-scaling.html"
WIDGET = table_explorer()
LABELS = WIDGET.labels
N = len(LABELS)


class Explorer(Shown):
    """The explorer on a page, and what it says."""

    name = "table_explorer"
    RESULT = """(() => {
        const found = m.resultOf(state, state);
        return { ...found, words: m.sentence(state, found, state.labels) };
    })()"""

    def button(self, name):
        """Return a button by a part of its name: formulas stand before the words."""
        return self.figure.get_by_role("button", name=name)

    def facts(self):
        """Return both goodness-of-fit figures, the negative mass and both constants."""
        texts = self.part("facts").locator("td").all_inner_texts()
        return [float(re.match(r"[\d.]+", text)[0]) for text in texts]

    def cell(self, row, column):
        """Return where on the screen an entry of the table stands."""
        box = self.figure.locator(".kx-ground").bounding_box()
        i, j = LABELS.index(row), LABELS.index(column)
        size = box["width"] / N
        return box["x"] + (j + 0.5) * size, box["y"] + (i + 0.5) * size

    def city(self, name):
        """Return where on the screen a city stands."""
        return self.centre(self.figure.locator(".kx-spot").nth(LABELS.index(name)))


def is_right(explorer):
    """Check figures, worst entries and words of what is on show; return what it comes to."""
    found = explorer.result()
    constants = found["constants"]
    figures = [*found["fits"], found["mass"], constants["cailliez"], constants["lingoes"] / 1e6]
    for number, value, places in zip(explorer.facts(), figures, [3, 3, 3, 1, 3], strict=True):
        assert abs(number - value) <= 0.5001 * 10.0**-places
    expected = [
        [f"{LABELS[one['i']]}–{LABELS[one['j']]}", f"{one['table']:.0f}", f"{one['map']:.0f}"]
        for one in found["worst"]
    ]
    assert explorer.rows("worst")[: len(expected)] == expected
    return found


def test_one_entry_is_behind_a_third_of_the_constant(explorer):
    is_right(explorer)
    assert explorer.rows("worst")[0] == ["Geneva–Cologne", "1662", "713"]
    explorer.figure.locator(".kx-ground").scroll_into_view_if_needed()
    explorer.page.mouse.click(*explorer.cell("Cologne", "Geneva"))
    said = explorer.figure.locator(".kx-cells").get_attribute("aria-valuetext")
    assert said == "Cologne to Geneva: 1662 km"
    explorer.part("entry").fill("713")
    explorer.part("entry").press("Tab")
    is_right(explorer)
    assert "Cailliez’s constant is 1489 km and was 2133 km" in explorer.banner()
    assert "9 of 21 eigenvalues are negative" in explorer.banner()


@pytest.mark.parametrize("method", ["cailliez", "lingoes"])
def test_the_last_bar_goes_at_the_constant_and_not_before(explorer, method):
    explorer.button(method.capitalize()).click()
    slider = explorer.figure.locator('input[type="range"]')
    slider.press("End")
    assert explorer.banner().startswith("Euclidean, with the constant")
    is_right(explorer)
    slider.press("ArrowLeft")
    said = "Not Euclidean: 1 of 21 eigenvalues is negative, less than 0.1 % of"
    assert explorer.banner().startswith(said)
    assert explorer.state()["share"] == 0.99


def test_points_of_a_plane_have_two_eigenvalues_and_a_changed_entry_makes_four(explorer):
    explorer.button("straight lines").click()
    assert explorer.banner().startswith("Euclidean: no eigenvalue is negative.")
    bars = explorer.figure.locator(".kx-bar-kept, .kx-bar-rest, .kx-bar-minus")
    count = "es => es.map((e) => (e.getAttribute('d').match(/M/g) ?? []).length)"
    assert bars.evaluate_all(count) == [2, 0, 0]
    cells = explorer.figure.locator(".kx-cells")
    cells.focus()
    cells.press("ArrowDown")
    cells.press("Enter")
    explorer.page.keyboard.type("2000,4")
    explorer.page.keyboard.press("Tab")
    assert bars.evaluate_all(count) == [2, 1, 1]
    ((*pair, length),) = explorer.state()["edits"]
    assert (pair, length) == (sorted(explorer.state()["chosen"]), 2000.4)
    is_right(explorer)


def test_a_dragged_city_names_the_entries_that_it_contradicts(explorer):
    x, y = explorer.city("Rome")
    explorer.drag((x, y), (x + 10, y + 10), (x + 20, y + 20), (x + 30, y + 30))
    city, *place = explorer.state()["moved"]
    assert LABELS[city] == "Rome"
    found = is_right(explorer)
    assert found["points"][2 * city : 2 * city + 2] == place
    said = f"You moved Rome: the strain is {found['strainRatio']:.2f} times the least"
    assert said in explorer.banner()


def test_a_hand_without_a_mouse_reaches_every_entry_and_city(explorer):
    explorer.part("row").select_option(label="Stockholm")
    explorer.part("column").select_option(label="Athens")
    assert explorer.part("entry").input_value() == "3927"
    explorer.part("entry").fill("abc")
    assert "no number" in explorer.part("typed").inner_text()
    explorer.part("entry").press("ArrowUp")
    assert explorer.part("entry").input_value() == "3937"
    assert explorer.part("typed").inner_text() == "It was 3927 km."
    handle = explorer.figure.locator(".kx-handle")
    assert handle.get_attribute("aria-label") == "Stockholm"
    handle.press("ArrowLeft")
    assert explorer.banner().split(". ")[1].startswith("You moved Stockholm")


def cells_of(path):
    """Return the entries of the table at which a path has squares."""
    corners = np.reshape(path, (-1, 5))[:, 1::-1]
    return [(int(i), int(j)) for i, j in (corners - [16, 87]) / 12]


def roots_drawn(panel):
    """Return the heights of the bars in 1000 km, by the numbers beside their axis."""
    ticks = panel.locator(".kx-tick")
    values = [float(tick.replace("\u2212", "-")) for tick in ticks.all_text_contents()]
    heights = np.array(drawn_numbers(ticks, "y")).ravel()
    order = np.argsort(heights)
    kinds = panel.locator(".kx-bar-kept, .kx-bar-rest, .kx-bar-minus")
    bars = [np.reshape(path, (-1, 5)) for path in drawn_numbers(kinds, "d")]
    tops = [np.interp(bar[:, 3], heights[order], np.array(values)[order]) for bar in bars]
    return tops, kinds.last.get_attribute("d")


def is_drawn(explorer):
    """Check map, spectrum, Shepard diagram and shaded table; return what they come to."""
    found = is_right(explorer)
    points, values = np.reshape(found["points"], (N, 2)), np.array(found["values"])
    wide = float(re.search(r"\d+", explorer.part("square").inner_text())[0])
    places = drawn_numbers(explorer.figure.locator(".kx-spot"), "transform")
    shown = np.array(places) * [wide / 50, -wide / 50]
    np.testing.assert_allclose(shown, points, rtol=0, atol=2 + 2e-3 * wide)
    roots = np.sign(values) * np.sqrt(np.abs(values)) / 1000
    (kept, rest, minus), outline = roots_drawn(explorer.part("spectrum"))
    expected = [roots[:2], roots[2:][roots[2:] > 1e-3], roots[roots < -1e-3]]
    for heights, wanted in zip((kept, rest, minus), expected, strict=True):
        np.testing.assert_allclose(heights, wanted, rtol=0, atol=0.01)
    hatched = explorer.part("spectrum").locator('path[fill^="url"]')
    assert hatched.get_attribute("d") == outline
    pairs = np.array([[one["table"], one["map"]] for one in found["pairs"]]) / 1000
    shepard = explorer.part("shepard")
    x0, y0, x1, y1 = drawn_numbers(shepard.locator(".kx-equal"), "d")[0]
    top = np.ceil(1.02 * pairs.max())
    dots = np.reshape(drawn_numbers(shepard.locator(".kx-dots"), "d")[0], (-1, 3))
    across, up = (dots[:, 0] - x0) / (x1 - x0), (dots[:, 1] - y0) / (y1 - y0)
    np.testing.assert_allclose(np.column_stack([across, up]), pairs / top, rtol=0, atol=5e-4)
    labels = [set(name.split("–")) for name, *_ in explorer.rows("worst")]
    marked = cells_of(drawn_numbers(explorer.part("table").locator(".kx-worst"), "d")[0])
    assert [{LABELS[i], LABELS[j]} for i, j in marked[::2]] == labels
    (square,) = drawn_numbers(shepard.locator(".kx-chosen"), "d")
    i, j = explorer.state().get("chosen", WIDGET.chosen)
    delta = np.reshape(found["delta"], (N, N))
    assert len(square) == 5
    assert abs((square[0] + 6 - x0) / (x1 - x0) - delta[i, j] / 1000 / top) < 1e-3
    return delta, found["constant"]


def test_the_drawings_are_those_of_what_was_computed(explorer):
    roads, _ = is_drawn(explorer)
    shades = drawn_numbers(explorer.figure.locator(".kx-shade"), "d")
    for strength, path in enumerate(shades):
        for i, j in cells_of(path):
            assert strength == min(7, int(8 * roads[i, j] / roads.max()))
    assert sum(len(cells_of(path)) for path in shades) == N * (N - 1)
    explorer.button("Lingoes").click()
    explorer.figure.locator('input[type="range"]').press("End")
    _, constant = is_drawn(explorer)
    assert f"2 × {constant / 1e6:.3f} million km²" in explorer.banner()
    assert explorer.figure.locator(".kx-range em").inner_text() == f"{constant / 1e6:.2f} M km²"
    assert explorer.part("entries").inner_text() == "with c"
    explorer.button("reset").click()
    assert explorer.part("entries").inner_text() == "table"


def test_straight_lines_are_themselves_again_after_a_change_and_back(explorer):
    explorer.button("straight lines").click()
    field = explorer.part("entry")
    shown = field.input_value()
    for typed in ("2000", shown):
        field.fill(typed)
        field.press("Tab")
    assert explorer.state() == {"base": "straight"}
    assert explorer.button("straight lines").get_attribute("aria-pressed") == "true"


def test_every_entry_can_be_changed_and_nothing_else_is_taken(explorer):
    edits = [[i, j, 1000 + j] for i in range(3) for j in range(i + 1, N)]
    explorer.open(edits=edits, method="lingoes", share=0.123)
    explorer.part("entry").fill("1234")
    explorer.part("entry").press("Tab")
    state = explorer.state()
    assert len(state["edits"]) == len(edits) + (min(WIDGET.chosen) > 2) > 40
    assert state["share"] == 0.12
    for edits in (None, 7, [[0, 0, 5]], [[3, 1, 5]], [[0, 1, 5], [0, 1, 6]], [[0, 1, 1e5]], "x"):
        explorer.open(edits=edits, moved=[99, 0, 0], chosen=[1, 1], method="lingoes")
        assert "disagree most on Geneva–Cologne: 1662" in explorer.banner()
        assert explorer.button("Lingoes").get_attribute("aria-pressed") == "true"


def test_a_finger_chooses_an_entry_and_drags_a_city(phone):
    phone.figure.locator(".kx-ground").scroll_into_view_if_needed()
    phone.page.touchscreen.tap(*phone.cell("Lisbon", "Lyons"))
    assert [LABELS[i] for i in phone.state()["chosen"]] == ["Lisbon", "Lyons"]
    x, y = phone.city("Athens")
    drag_by_finger(phone.tab, (x, y), (x - 40, y - 10))
    assert LABELS[phone.state()["moved"][0]] == "Athens"
