"""What belongs together is seen together, on a phone and beside the text.

The verdict, what the hand moves and the spectrum share a screen; no state makes an explorer taller
or shorter; every point of a map has its name.
"""

import numpy as np
import pytest

from tests.pages.conftest import CHAPTERS, PHONE
from tests.pages.explorers.conftest import centre, drawn_numbers

pytestmark = pytest.mark.slow

# A screen of 844 less what the page keeps of it.
SCREEN = 780
TOGETHER = {
    "map": ["plane", "coordinates", "facts"],
    "rank": ["picture", "bars"],
    "gram": ["points", "bars"],
    "table": ["table", "map", "spectrum"],
    "clerk": ["plane", "axis1", "axis2", "facts"],
    "kernel": ["points", "spectrum"],
    "width": ["map", "spectrum", "width"],
    "stress": ["map", "trace", "steps"],
    "newcomer": ["map", "height", "pulls", "side"],
    "neighbor": ["roll", "map", "sliders"],
    "permutation": ["points", "histogram", "exponent"],
    "model": ["spectrum", "rank", "noise", "map"],
    "turn": ["plane"],
}
MAPS = {"chapters/04-classical-scaling.html": 21, "chapters/09-stress.html": 21}
# Presses every button, moves every slider to both ends after each, takes points out to the edges
# by keys: notes, for each state, how tall the explorer is and from where to where its parts reach.
STATES = """async ([figure, names]) => {
    const kx = figure.querySelector(".kx");
    const named = names.map((name) => kx.querySelector(`[data-part="${name}"]`));
    const parts = [kx.querySelector("div.kx-banner"), ...named];
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20)));
    const seen = [];
    const look = (state) => {
        const boxes = parts.map((part) => part.getBoundingClientRect()).filter((at) => at.height);
        const [low, high] = [boxes.map((at) => at.bottom), boxes.map((at) => at.top)];
        const span = Math.max(...low) - Math.min(...high);
        seen.push([state, Math.round(kx.getBoundingClientRect().height), Math.round(span)]);
    };
    const slide = (state) => {
        for (const field of kx.querySelectorAll("input[type=range]"))
            for (const part of [0, 1, 0.5]) {
                const value = Number(field.min) + part * (field.max - field.min);
                field.value = value;
                for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind));
                look(`${state}, slider at ${value}`);
            }
    };
    const push = (state) => {
        for (const grip of kx.querySelectorAll(".kx-handle"))
            for (const key of ["Home", "PageUp", "PageUp", "PageUp", "PageUp", "End"]) {
                for (const kind of ["keydown", "keyup"])
                    grip.dispatchEvent(new KeyboardEvent(kind, { key }));
                look(`${state}, ${key}`);
            }
    };
    look("first");
    slide("first");
    const buttons = [...kx.querySelectorAll("button:not(.kx-link)")];
    for (const button of buttons) {
        if (button.disabled || !button.checkVisibility()) continue;
        button.click();
        await frame();
        look(button.textContent);
        slide(button.textContent);
        push(button.textContent);
    }
    return seen;
}"""
# The boxes of the names on a map, as letters fill them.
NAMES = """(figure) => [...figure.querySelectorAll('[data-part="map"] .kx-name')]
    .filter((name) => name.textContent)
    .map((name) => [name.textContent, name.getBoundingClientRect()])
    .map(([name, { left, right, top, bottom }]) => [name, left, right, top + 3, bottom - 3])"""


@pytest.mark.parametrize(
    "options",
    [PHONE, pytest.param({}, marks=pytest.mark.weekly)],
    ids=["phone", "wide"],
)
@pytest.mark.parametrize("path", CHAPTERS)
def test_a_screen_holds_it_and_no_state_moves_the_page(open_tab, path, options):
    tab = open_tab(path, **options)
    for figure in tab.figures(".kx"):
        parts = TOGETHER[figure.get_attribute("data-name").removesuffix("_explorer")]
        seen = tab.page.evaluate(STATES, [figure.element_handle(), parts])
        assert len(seen) > 10
        first = seen[0][1]
        assert [state for state, height, _ in seen if height != first] == []
        assert [(state, span) for state, _, span in seen if options and span > SCREEN] == []


@pytest.mark.parametrize("options", [PHONE, {}], ids=["phone", "wide"])
@pytest.mark.parametrize("path", MAPS)
def test_every_city_has_its_name_and_no_two_names_meet(open_tab, path, options):
    tab = open_tab(path, **options)
    figure = tab.figures(".kx")[0]
    for preset in figure.locator("[data-preset]").all():
        preset.click()
        names = figure.evaluate(NAMES)
        assert len({name for name, *_ in names}) == MAPS[path]
        boxes = np.array([box for _, *box in names])
        left, right, top, bottom = boxes.T
        across = np.minimum.outer(right, right) - np.maximum.outer(left, left)
        down = np.minimum.outer(bottom, bottom) - np.maximum.outer(top, top)
        met = np.argwhere(np.triu((across > 0) & (down > 0), 1))
        assert [(names[i][0], names[j][0]) for i, j in met] == []


def test_the_worst_short_circuit_has_names_in_both_pictures(open_tab):
    tab = open_tab("chapters/11-manifolds.html")
    figure = tab.figures(".kx")[0]
    figure.get_by_role("button", name="κ = 7, n = 100").click()
    pair = figure.locator('[data-part="blame"] th').first.inner_text().split("–")
    for part in ("roll", "map"):
        named = figure.locator(f'[data-part="{part}"] .kx-name.kx-on').all_text_contents()
        assert sorted(filter(None, named)) == sorted(pair)


def test_a_map_of_points_of_the_plane_lies_on_them(open_tab):
    tab = open_tab("chapters/03-distances-gram.html")
    figure = tab.figures(".kx")[0]
    figure.get_by_role("button", name="square").click()
    marks = [
        figure.locator(f'[data-part="{part}"] g[class*="kx-p"]') for part in ("points", "map")
    ]
    for _ in range(3):
        held, drawn = (np.array(drawn_numbers(some, "transform")) for some in marks)
        assert held.shape == drawn.shape == (4, 2)
        assert np.abs(held - drawn).max() < 0.2
        figure.locator(".kx-handle").first.press("Shift+ArrowUp")
        figure.locator(".kx-handle").nth(2).press("PageDown")


def test_the_words_stay_at_the_edge_while_a_hand_is_on_an_explorer(open_tab):
    tab = open_tab("chapters/04-classical-scaling.html", **PHONE)
    figure = tab.figures(".kx")[0]
    field = figure.locator('[data-part="entry"]')
    top = "e => e.getBoundingClientRect().top"
    words = figure.locator("div.kx-banner")
    field.evaluate("e => scrollTo(0, e.getBoundingClientRect().top + scrollY - 500)")
    assert words.evaluate(top) < 0
    field.focus()
    assert 0 < words.evaluate(top) < 80
    field.evaluate("e => e.blur()")
    assert words.evaluate(top) < 0


def test_the_words_cover_no_map_while_a_slider_is_dragged(open_tab):
    tab = open_tab("chapters/11-manifolds.html", **PHONE)
    figure = tab.figures(".kx")[0]
    slider = figure.locator('[data-part="sliders"] input').last
    slider.evaluate("e => scrollTo(0, e.getBoundingClientRect().bottom + scrollY - 560)")
    slider.focus()
    words, map_, curve = (
        figure.locator(part).bounding_box()
        for part in ("div.kx-banner", '[data-part="map"]', '[data-part="curve"]')
    )
    assert 0 < words["y"] < 80
    assert words["y"] + words["height"] < map_["y"]
    assert curve["y"] + curve["height"] < SCREEN


@pytest.mark.parametrize("path", MAPS)
def test_names_go_along_with_points_that_a_hand_moves(open_tab, path):
    tab = open_tab(path)
    figure = tab.figures(".kx")[0]
    x, y = centre(figure.locator('[data-part="map"] .kx-city'))
    tab.page.mouse.move(x, y)
    tab.page.mouse.down()
    before = {name: np.array(place) for name, *place in figure.evaluate(NAMES)}
    tab.page.mouse.move(x - 20, y - 10, steps=4)
    tab.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    after = {name: np.array(place) for name, *place in figure.evaluate(NAMES)}
    tab.page.mouse.up()
    assert before.keys() == after.keys()
    moves = [after[name] - before[name] for name in before]
    assert sum(np.abs(move).max() > 0.2 for move in moves) == 1
