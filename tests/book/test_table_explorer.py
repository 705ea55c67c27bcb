"""The road table of Chapter 4 under the reader's hand, compared with the library."""

import re

import numpy as np
import pytest

from kmds_lib import (
    additive_constant,
    classical_scaling,
    distances,
    gram_from_distances,
    procrustes_align,
)
from kmds_lib.explorers import table_explorer
from tests.book.conftest import PHONE, Reader, ShownExplorer, drag_by_finger

PATH = "chapters/04-classical-scaling.html"
WIDGET = table_explorer()
LABELS, PLACES = WIDGET.labels, np.array(WIDGET.places)
N = len(LABELS)
ROADS = np.zeros((N, N))
ROADS[np.triu_indices(N, 1)] = WIDGET.table
ROADS += ROADS.T
reading = pytest.mark.parametrize("reader", [PATH], indirect=True)


class Explorer(ShownExplorer):
    """The explorer on a page, and what it says."""

    name = "table_explorer"

    def button(self, name):
        """Return a button by a part of its name: formulas stand before the words."""
        return self.figure.get_by_role("button", name=name)

    def facts(self):
        """Return both goodness-of-fit figures, the negative mass and both constants."""
        texts = self.part("facts").locator("td").all_inner_texts()
        return [float(re.match(r"[\d.]+", text)[0]) for text in texts]

    def worst(self):
        """Return the entries on which map and table disagree most, with both lengths."""
        rows = self.part("worst").locator("tr").all()
        return [row.locator("th, td").all_inner_texts() for row in rows]

    def cell(self, row, column):
        """Return where on the screen an entry of the table stands."""
        box = self.figure.locator(".kx-ground").bounding_box()
        i, j = LABELS.index(row), LABELS.index(column)
        size = box["width"] / N
        return box["x"] + (j + 0.5) * size, box["y"] + (i + 0.5) * size

    def city(self, name):
        """Return where on the screen a city stands."""
        spot = self.figure.locator(".kx-spot").nth(LABELS.index(name))
        spot.scroll_into_view_if_needed()
        box = spot.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def figures_of(table, constant=None):
    """Return what the facts are to say, by the library."""
    fit = classical_scaling(table, n_components=2, additive=constant)
    spectrum = fit.spectrum()
    fits = spectrum.goodness_of_fit(2)
    constants = [additive_constant(table, method) for method in ("cailliez", "lingoes")]
    return [*fits, fit.negative_mass, constants[0], constants[1] / 1e6]


def said_rightly(found, expected):
    digits = [3, 3, 3, 1, 3]
    for number, value, places in zip(found, expected, digits, strict=True):
        assert abs(number - value) <= 0.5001 * 10.0**-places, (found, expected)


def changed(row, column, length, table=ROADS):
    table = table.copy()
    i, j = LABELS.index(row), LABELS.index(column)
    table[i, j] = table[j, i] = length
    return table


def worst_of(table, points):
    """Return the three entries that disagree most, as the explorer writes them."""
    d, upper = distances(points), np.triu_indices(N, 1)
    order = np.argsort(-np.abs(d - table)[upper])[:3]
    pairs = [(upper[0][at], upper[1][at]) for at in order]
    return [[f"{LABELS[i]}–{LABELS[j]}", f"{table[i, j]:.0f}", f"{d[i, j]:.0f}"] for i, j in pairs]


def map_of(table):
    return procrustes_align(classical_scaling(table, n_components=2).points, target=PLACES).points


@reading
def test_one_entry_is_behind_a_third_of_the_constant(reader):
    explorer = Explorer(reader)
    said_rightly(explorer.facts(), figures_of(ROADS))
    assert explorer.worst() == worst_of(ROADS, map_of(ROADS))
    assert explorer.worst()[0] == ["Geneva–Cologne", "1662", "713"]
    explorer.figure.locator(".kx-ground").scroll_into_view_if_needed()
    explorer.page.mouse.click(*explorer.cell("Cologne", "Geneva"))
    said = explorer.figure.locator(".kx-cells").get_attribute("aria-valuetext")
    assert said == "Cologne to Geneva: 1662 km"
    explorer.part("entry").fill("713")
    explorer.part("entry").press("Tab")
    mended = changed("Cologne", "Geneva", 713)
    said_rightly(explorer.facts(), figures_of(mended))
    assert "Cailliez’s constant is 1489 km, before 2133 km" in explorer.banner()
    assert "9 of 21 eigenvalues are negative" in explorer.banner()
    assert explorer.worst() == worst_of(mended, map_of(mended))
    assert reader.problems == []


@reading
@pytest.mark.parametrize("method", ["cailliez", "lingoes"])
def test_the_last_bar_goes_at_the_constant_and_not_before(reader, method):
    explorer = Explorer(reader)
    explorer.button(method.capitalize()).click()
    slider = explorer.figure.locator('input[type="range"]')
    slider.press("End")
    assert explorer.banner().startswith("Euclidean, with the constant")
    fits = explorer.facts()[:2]
    expected = classical_scaling(ROADS, n_components=2, additive=method).explained
    assert np.abs(np.subtract(fits, expected)).max() <= 0.0005
    slider.press("ArrowLeft")
    assert explorer.banner().startswith("Not Euclidean: 1 of 21")
    assert explorer.state()["share"] == 0.99
    assert reader.problems == []


@reading
def test_points_of_a_plane_have_two_eigenvalues_and_a_changed_entry_makes_four(reader):
    explorer = Explorer(reader)
    explorer.button("straight lines").click()
    assert explorer.banner().startswith("Euclidean: no eigenvalue is negative.")
    bars = explorer.figure.locator(".kx-bar-kept, .kx-bar-rest, .kx-bar-minus")
    count = "es => es.map((e) => (e.getAttribute('d').match(/M/g) ?? []).length)"
    assert bars.evaluate_all(count) == [2, 0, 0]
    cells = explorer.figure.locator(".kx-cells")
    cells.focus()
    cells.press("ArrowDown")
    cells.press("Enter")
    explorer.page.keyboard.type("2000,5")
    explorer.page.keyboard.press("Tab")
    assert bars.evaluate_all(count) == [2, 1, 1]
    i, j = explorer.state()["chosen"]
    table = changed(LABELS[i], LABELS[j], 2000.5, distances(PLACES))
    said_rightly(explorer.facts(), figures_of(table))
    assert reader.problems == []


@reading
def test_a_dragged_city_names_the_entries_that_it_contradicts(reader):
    explorer = Explorer(reader)
    x, y = explorer.city("Rome")
    mouse = explorer.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 30, y + 30, steps=3)
    mouse.up()
    city, *place = explorer.state()["moved"]
    assert LABELS[city] == "Rome"
    points = map_of(ROADS)
    B, least = gram_from_distances(ROADS), points - points.mean(axis=0)
    points[city] = place
    assert explorer.worst() == worst_of(ROADS, points)
    moved = points - points.mean(axis=0)
    ratio = np.sum((B - moved @ moved.T) ** 2) / np.sum((B - least @ least.T) ** 2)
    assert f"You moved Rome: the strain is {ratio:.2f} times the least" in explorer.banner()
    assert reader.problems == []


@reading
def test_a_hand_without_a_mouse_reaches_every_entry_and_city(reader):
    explorer = Explorer(reader)
    explorer.part("row").select_option(label="Stockholm")
    explorer.part("column").select_option(label="Athens")
    assert explorer.part("entry").input_value() == "3927"
    explorer.part("entry").press("ArrowUp")
    assert explorer.part("entry").input_value() == "3937"
    handle = explorer.figure.locator(".kx-handle")
    assert handle.get_attribute("aria-label") == "Stockholm"
    handle.press("ArrowLeft")
    assert explorer.banner().split(". ")[1].startswith("You moved Stockholm")
    assert reader.problems == []


@reading
def test_entries_are_refused_in_words(reader):
    explorer = Explorer(reader)
    field, note = explorer.part("entry"), explorer.part("typed")
    for typed, word in (
        ("1e9", "too long"),
        ("-4", "negative"),
        ("abc", "no number"),
        ("", "0 to"),
    ):
        field.fill(typed)
        assert word in note.inner_text()
        field.press("Tab")
        assert field.input_value() == "1476"
    assert explorer.state() == {}
    assert reader.problems == []


def test_a_finger_chooses_an_entry_and_drags_a_city(chromium, site):
    phone = Reader(chromium, site, PATH, **PHONE)
    explorer = Explorer(phone)
    explorer.figure.locator(".kx-ground").scroll_into_view_if_needed()
    phone.page.touchscreen.tap(*explorer.cell("Lisbon", "Lyons"))
    assert [LABELS[i] for i in explorer.state()["chosen"]] == ["Lisbon", "Lyons"]
    x, y = explorer.city("Athens")
    drag_by_finger(phone, (x, y), (x - 40, y - 10))
    assert LABELS[explorer.state()["moved"][0]] == "Athens"
    wide = "document.documentElement.scrollWidth"
    assert phone.page.evaluate(wide) <= 390
    assert phone.problems == []
    phone.context.close()
