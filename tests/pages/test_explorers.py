"""Each explorer: moved by a reader, it shows what the library computes for the new state."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from kmds_lib import classical_scaling, gram_from_distances, load_eurodist, procrustes_align
from tests.pages.conftest import PHONE
from tests.pages.explorer import (
    Explorer,
    centre,
    drag,
    drag_by_finger,
    drawn_numbers,
    show_all_panels,
)


def index_of(explorer, city):
    """Return the index of a city in an explorer of the road distances."""
    return explorer.first_state["labels"].index(city)


def city_on_map(explorer, name):
    """Return the place of a city on the map, in pixels of the screen."""
    return centre(explorer.figure.locator(".kx-draggable").nth(index_of(explorer, name)))


def road_distances(explorer):
    """Return the road distances in the order of an explorer, with the entries that it changes."""
    roads = load_eurodist()
    order = [roads.labels.index(city) for city in explorer.first_state["labels"]]
    D = roads.distances[np.ix_(order, order)]
    for i, j, value in explorer.state.get("edits", []):
        D[i, j] = D[j, i] = value
    return D


# Chapter 2: truncated singular value decomposition

SHADES = """(canvas) => Array.from(canvas.getContext("2d")
    .getImageData(0, 0, canvas.width, canvas.height).data).filter((_, at) => at % 4 === 0)"""


def test_truncated_svd_is_drawn(open_tab):
    explorer = Explorer(open_tab("chapters/02-rank-psd-svd.html"), "truncated_svd_explorer")
    canvas = explorer.figure.locator("canvas")
    shape = explorer.first_state["shape"]

    def shown(k):
        explorer.slide(k)
        return np.reshape(canvas.evaluate(SHADES), shape) / 255

    M = shown(min(shape))
    U, s, Vt = np.linalg.svd(M, full_matrices=False)
    for k in (1, 8, 50):
        np.testing.assert_allclose(shown(k), np.clip(U[:, :k] * s[:k] @ Vt[:k], 0, 1), atol=0.01)


def test_singular_values_are_omitted_by_keys_and_touch(open_tab):
    tab = open_tab("chapters/02-rank-psd-svd.html", **PHONE)
    explorer = Explorer(tab, "truncated_svd_explorer")
    bars = explorer.figure.locator(".kx-paint")
    for key in ("ArrowRight", "ArrowRight", " "):
        bars.press(key)
    assert explorer.state["kept"] == [0, 1, 3, 4, 5, 6, 7]
    assert bars.get_attribute("aria-valuetext").endswith("omitted")
    bars.press(" ")
    assert explorer.state.get("kept", explorer.first_state["kept"]) == list(range(8))
    bars.scroll_into_view_if_needed()
    box = bars.bounding_box()
    edges = (np.sqrt(np.arange(1, 6)) - 1) / (np.sqrt(86) - 1)
    places = [(box["x"] + box["width"] * x, box["y"] + box["height"] / 2) for x in edges]
    first, second = np.mean([places[:2], places[1:3]], axis=1)
    drag_by_finger(tab, tuple(first), tuple(second))
    assert explorer.state["kept"] == [2, 3, 4, 5, 6, 7]


# Chapter 3: four points and their distances


def test_typed_distances_are_read_or_refused_with_a_reason(open_tab):
    explorer = Explorer(open_tab("chapters/03-distances-gram.html"), "four_points_explorer-2")
    field = explorer.figure.locator("input[data-pair]").first
    mirrored = explorer.figure.locator('[data-mirror="01"]')
    field.fill("3,5")
    assert mirrored.inner_text() == "3.50"
    for typed, reason in (("1e9", "too large"), ("-4", "negative"), ("abc", "not a number")):
        field.fill(typed)
        assert field.get_attribute("aria-invalid") == "true"
        field.press("Tab")
        assert reason in explorer.part("typed").inner_text()
        assert field.input_value() == mirrored.inner_text() == "3.50"
        assert field.get_attribute("aria-invalid") is None
    field.fill("9")
    assert "Not Euclidean" in explorer.figure.locator("output").inner_text()
    assert explorer.figure.locator(".kx-negative").count() >= 1


# Chapter 4: classical scaling of the road distances


NAME_BOXES = """(figure) => [...figure.querySelectorAll('[data-part="map"] .kx-name')]
    .filter((name) => name.textContent)
    .map((name) => [name.textContent, name.getBoundingClientRect()])
    .map(([name, { left, right, top, bottom }]) => [name, left, right, top + 3, bottom - 3])"""


@pytest.mark.parametrize("options", [{}, PHONE])
def test_all_cities_are_named_at_once_or_on_a_phone_by_a_tap(open_tab, options):
    tab = open_tab("chapters/04-classical-scaling.html", **options)
    explorer = Explorer(tab, "classical_scaling_explorer")
    names, *boxes = zip(*explorer.figure.evaluate(NAME_BOXES), strict=True)
    left, right, top, bottom = np.array(boxes)
    across = np.minimum.outer(right, right) - np.maximum.outer(left, left)
    down = np.minimum.outer(bottom, bottom) - np.maximum.outer(top, top)
    assert not np.triu((across > 0) & (down > 0), 1).any()
    hidden = set(explorer.first_state["labels"]) - set(names)
    assert bool(hidden) == (options == PHONE)
    for city in hidden:
        tab.page.touchscreen.tap(*city_on_map(explorer, city))
        assert city in explorer.part("map").locator(".kx-name").all_text_contents()


# Preface: a matrix of numbers and its map


def test_dragging_the_name_of_a_city_changes_the_map(open_tab):
    explorer = Explorer(open_tab("chapters/preface.html"), "classical_scaling_explorer")
    n, vienna = len(explorer.first_state["labels"]), index_of(explorer, "Vienna")
    numbers = explorer.part("matrix").locator("g[aria-hidden] text")
    x, y = city_on_map(explorer, "Vienna")
    a, b = centre(explorer.part("map").locator(".kx-name").nth(vienna))
    drag(explorer.page, (a, b), (a - 20, b + 10), (a - 60, b + 30))
    assert np.hypot(*np.subtract(city_on_map(explorer, "Vienna"), (x - 60, y + 30))) < 15
    D = np.reshape([float(number) for number in numbers.all_text_contents()], (n, n))
    np.testing.assert_array_equal(D, road_distances(explorer))
    spots = explorer.figure.locator(".kx-draggable")
    places = np.array(drawn_numbers(spots, "transform"))
    fit = procrustes_align(places, target=classical_scaling(D).points, scaling=True)
    assert fit.residual < 0.01 * D.max()
    assert "You moved Vienna" in explorer.verdict
    products = " ".join(explorer.part("gram").locator("td").all_text_contents())
    B = np.fromstring(products.replace("\N{MINUS SIGN}", "-"), sep=" ")
    np.testing.assert_allclose(B, gram_from_distances(D).ravel() / 1e6, atol=0.051)
    explorer.part("matrix").locator(".kx-cells").press("ArrowRight")
    assert vienna == explorer.state["moved"][0]
    explorer.open(edits=[[0, vienna, 9999]])
    x, y = city_on_map(explorer, "Vienna")
    drag(explorer.page, (x, y), (x + 100, y), (x + 900, y))
    lengths = [length for *_, length in explorer.state["edits"]]
    assert (len(lengths), max(lengths)) == (n - 1, 9999)


def test_a_distance_in_the_preface_can_be_overwritten(open_tab):
    tab = open_tab("chapters/preface.html", **PHONE)
    explorer = Explorer(tab, "classical_scaling_explorer")
    numbers = explorer.part("matrix").locator("g[aria-hidden] text")
    cities = explorer.figure.locator(".kx-draggable")
    before = drawn_numbers(cities, "transform")
    numbers.nth(1).scroll_into_view_if_needed()
    tab.page.touchscreen.tap(*centre(numbers.nth(1)))
    tab.page.keyboard.type("4000")
    expect(numbers.nth(1)).to_have_text("4000")
    after = drawn_numbers(cities, "transform")
    assert before != after
    explorer.button("Rome at Stockholm").press("Enter")
    assert "Stockholm: 0 km" in explorer.verdict
    places = [city_on_map(explorer, city) for city in ("Rome", "Stockholm")]
    assert np.hypot(*np.subtract(*places)) < 15
    explorer.button("Rome–Paris 6000 km").press("Enter")
    explorer.figure.locator(".kx-banner a").click()
    expect(tab.page.locator("#ch-gram + h1")).to_be_visible()


# Chapter 9: SMACOF


@pytest.fixture
def smacof_explorer(open_tab):
    """Show the SMACOF explorer in its first state, a local minimum."""
    return Explorer(open_tab("chapters/09-stress.html"), "smacof_explorer")


def stress_of(explorer):
    """Return the stress in the verdict."""
    return float(re.search(r"[Ss]tress (\d+\.\d\d)", explorer.verdict)[1])


def test_a_dragged_city_leaves_the_local_minimum(smacof_explorer):
    explorer = smacof_explorer
    explorer.button("run").click()
    stuck = stress_of(explorer)
    assert explorer.button("one step").is_disabled()
    plane = explorer.figure.locator(".kx-plane")
    rome = np.array(explorer.first_state["best"]).reshape(-1, 2)[index_of(explorer, "Rome")]
    start, middle = np.array([city_on_map(explorer, "Rome"), centre(plane)])
    end = middle + 52 / 340 * plane.bounding_box()["width"] * rome * [1, -1]
    drag(explorer.page, start, (start + end) / 2, end)
    assert "You moved Rome" in explorer.verdict
    assert int(explorer.part("steps").locator("input").get_attribute("max")) > 10
    explorer.button("run").click()
    assert stress_of(explorer) < 7 < stuck
    explorer.button(f"show the map with stress {stuck}").click()
    assert stress_of(explorer) == stuck


def test_random_starts_are_counted_by_their_minimum(smacof_explorer):
    explorer = smacof_explorer
    explorer.button("random").click()
    explorer.button("run").click()
    assert "Of 1 random start, 1 ended here" in explorer.verdict
    explorer.button("20 random starts").click()
    explorer.page.locator(".kx-banner", has_text="Of 21 random starts").wait_for()
    assert sum(int(row[2]) for row in explorer.rows("minima") if row[2] != "–") == 21


def test_a_run_is_animated_and_can_be_paused(open_tab):
    # The test sets the clock, so that a slow machine takes as many steps as a quick one.
    tab = open_tab("chapters/09-stress.html", reduced_motion="no-preference")
    explorer, clock = Explorer(tab, "smacof_explorer"), tab.page.clock
    clock.install(time=0)
    clock.pause_at(1000)
    explorer.button("run").click()
    clock.run_for(1500)
    explorer.button("pause").click()
    clock.run_for(1000)
    steps = explorer.state["steps"]
    assert 3 < steps < 15
    clock.run_for(1000)
    assert explorer.state["steps"] == steps
    explorer.button("run").click()
    clock.run_for(5000)
    assert explorer.state == {}


# Chapters 10 and 11


def test_a_wrong_distance_moves_the_new_point(open_tab):
    explorer = Explorer(open_tab("chapters/10-new-points.html"), "new_point_explorer")
    explorer.button("one wrong distance").click()
    before = explorer.figure.locator(".kx-position").get_attribute("d")
    explorer.slide(1.2, row=3)
    assert explorer.state["edited_distances"][2] == 1.2
    assert explorer.figure.locator(".kx-position").get_attribute("d") != before
    x, y = centre(explorer.figure.locator(".kx-handle"))
    drag(explorer.page, (x, y), (x - 40, y - 30))
    assert "edited_distances" not in explorer.state


def test_a_short_circuit_is_removed_and_restored(open_tab):
    explorer = Explorer(open_tab("chapters/11-manifolds.html"), "isomap_explorer-2")
    explorer.button("κ = 7, n = 100").click()
    assert explorer.verdict.startswith("The map is not a flat strip")
    edge = explorer.rows("shortCircuits")[0][0]
    explorer.button(f"remove edge {edge}").press("Enter")
    assert explorer.verdict.startswith("The map is a flat strip")
    assert explorer.state["removed"] == [[int(i) for i in edge.split("–")]]
    explorer.page.keyboard.press("Enter")
    assert explorer.verdict.startswith("The map is not a flat strip")
    assert "removed" not in explorer.state


def test_a_finger_rotates_the_roll_or_scrolls_the_page(open_tab):
    tab = open_tab("chapters/11-manifolds.html", **PHONE)
    explorer = Explorer(tab, "isomap_explorer")
    roll, (x, y) = explorer.figure.locator(".kx-turntable"), centre(explorer.part("roll"))
    view, scrolled = roll.get_attribute("aria-valuetext"), tab.page.evaluate("scrollY")
    drag_by_finger(tab, (x, y), *((x, y - step) for step in (30, 60, 90)))
    assert tab.page.evaluate("scrollY") > scrolled
    assert roll.get_attribute("aria-valuetext") == view
    drag_by_finger(tab, centre(roll), *((x + step, centre(roll)[1]) for step in (30, 60, 90)))
    assert roll.get_attribute("aria-valuetext") != view


# Phones


def test_a_phone_shows_the_main_panel_first(open_tab):
    tab = open_tab("chapters/08-kernel-mds.html", **PHONE)
    explorer = Explorer(tab, "bandwidth_explorer-2")
    opening, box = explorer.verdict, explorer.figure.bounding_box()
    assert box["height"] < PHONE["viewport"]["height"]
    assert not explorer.part("gamma").is_visible()
    show_all_panels(explorer.figure)
    assert explorer.part("gamma").is_visible()
    explorer.slide(0)
    assert explorer.verdict != opening


SCROLL = "(element, block) => element.scrollIntoView({ block })"


def test_a_tap_on_a_phone_shows_the_points_and_the_verdict(open_tab):
    tab = open_tab("chapters/03-distances-gram.html", **PHONE)
    explorer = Explorer(tab, "four_points_explorer-2")
    banner = explorer.figure.locator("div.kx-banner")
    plane = explorer.part("points").locator("svg")
    for button, place in (("all triangles possible", "end"), ("square", "start")):
        explorer.button(button).evaluate(SCROLL, place)
        if place == "start":
            expect(plane).not_to_be_in_viewport(ratio=1)
        explorer.button(button).tap()
        # Safari does not focus a button that is tapped.
        tab.page.evaluate("document.activeElement.blur()")
        expect(banner).to_be_in_viewport(ratio=1)
        expect(plane).to_be_in_viewport(ratio=1)
        below = plane.bounding_box()
        assert below["y"] + below["height"] <= banner.bounding_box()["y"]
