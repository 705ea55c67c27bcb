"""Sliders and draggable figures work in the browser, without a kernel."""

import json
import math
import re

import pytest

from tests.pages.conftest import PHONE, pages_with
from tests.pages.explorers.conftest import (
    SHOWN,
    centre,
    drag,
    drag_by_finger,
    follow,
    time_on_a_phone,
)

SLIDER = '.kmds-controls input[type="range"]'
EXPLORER_HANDLE = ".kx-handle"
# Moves the sliders of a figure to each of their values and notes what is then seen and said.
TURN = """async (figure) => {
    const inputs = [...figure.querySelectorAll("input")];
    const image = figure.querySelector("img");
    const seen = [];
    const turn = async (k) => {
        if (k === inputs.length) {
            await image.decode();
            const said = inputs.map((input) => input.getAttribute("aria-valuetext"));
            const read = [...figure.querySelectorAll("output")].map((o) => o.textContent);
            seen.push([said, read, image.getAttribute("src"), image.alt, image.naturalWidth]);
            return;
        }
        for (let value = 0; value <= Number(inputs[k].max); value++) {
            inputs[k].value = value;
            inputs[k].dispatchEvent(new Event("input"));
            await turn(k + 1);
        }
    };
    await turn(0);
    return seen;
}"""


sliders = pytest.mark.parametrize("reader", pages_with("kmds-slider"), indirect=True)
# The laboratory has other controls, and tests of its own.
EXPLORERS = [page for page in pages_with("kmds-explorer") if "laboratory" not in page]
# The gallery of the preface holds drawings of explorers, and none.
HANDLES = [page for page in pages_with('class="kx-handle') if page in EXPLORERS]
explorers = pytest.mark.parametrize("reader", EXPLORERS, indirect=True)
handles = pytest.mark.parametrize("reader", HANDLES, indirect=True)
table = pytest.mark.parametrize("reader", ["chapters/03-distances-gram.html"], indirect=True)


@sliders
def test_every_value_of_every_slider_shows_a_frame_of_its_own(reader):
    for figure in reader.figures(SLIDER):
        options = json.loads(figure.locator("script").text_content())["options"]
        seen = figure.evaluate(TURN)
        assert len(seen) == math.prod(map(len, options))
        assert len({source for _, _, source, _, _ in seen}) == len(seen)
        assert len({alt for *_, alt, _ in seen}) == len(seen)
        for said, read, _, _, width in seen:
            assert said == read
            assert all(value in values for value, values in zip(said, options, strict=True))
            assert width >= 400
        assert len({tuple(said) for said, *_ in seen}) == len(seen)
        labels = "inputs => inputs.map((input) => input.labels[0]?.textContent)"
        names = figure.locator(SLIDER).evaluate_all(labels)
        assert all(names)
        assert len(set(names)) == len(names)


LOOK = """(button) => {
    const { borderRadius, backgroundColor, textDecorationLine } = getComputedStyle(button);
    return [parseFloat(borderRadius) > 10, backgroundColor, textDecorationLine].join();
}"""
KINDS = {
    "sample": ".kx-samples button",
    "mode": ".kx-modes button",
    "action": ".kx-actions button, button.kx-action",
    "link": ".kx-reset, .kx-link",
}


@pytest.mark.slow
@explorers
def test_a_control_looks_like_what_it_does(reader):
    for figure in reader.figures(".kx"):
        looks = {}
        for kind, selector in KINDS.items():
            found = figure.locator(f':is({selector}):not([disabled], [aria-pressed="true"])')
            for button in found.filter(visible=True).all():
                looks.setdefault(button.evaluate(LOOK), set()).add(kind)
        assert all(len(kinds) == 1 for kinds in looks.values()), looks
        every = ", ".join(KINDS.values())
        assert figure.locator(".kx button").count() == figure.locator(f":is({every})").count()


@pytest.mark.slow
@explorers
def test_text_of_explorers_starts_at_the_left(reader):
    for figure in reader.figures(".kx"):
        align = "e => getComputedStyle(e).textAlign"
        assert figure.locator("output").evaluate(align) == "left"


@pytest.mark.slow
@explorers
def test_on_paper_tables_of_explorers_fill_their_columns_and_nothing_asks_for_a_hand(reader):
    page = reader.look()
    page.emulate_media(media="print")
    gaps = """tables => tables.filter((one) => one.checkVisibility() && one.closest(".kx section"))
        .map((one) => one.closest("section").clientWidth - one.offsetWidth)"""
    widest = max(map(abs, page.locator(".kx table").evaluate_all(gaps)), default=0)
    hints = [one.inner_text() for one in page.locator(".kx .kx-title small:visible").all()]
    page.emulate_media(media="screen")
    assert widest <= 1
    assert not re.search(r"\b(drag|keys|edit|click)\b", " ".join(hints))


@pytest.mark.slow
@explorers
def test_heads_of_tables_are_not_cut(reader):
    cut = "heads => heads.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent)"
    for width in (1280, 390):
        page = reader.look(width=width)
        assert page.locator(".kx thead th").evaluate_all(cut) == []
    reader.look()


@pytest.mark.slow
@pytest.mark.parametrize("reader", pages_with('data-part="coordinates"'), indirect=True)
def test_planes_side_by_side_are_level(reader):
    for figure in reader.figures('[data-part="coordinates"]'):
        boxes = [plane.bounding_box() for plane in figure.locator(".kx-plane").all()]
        assert boxes[0]["x"] < boxes[1]["x"]
        assert abs(boxes[0]["y"] - boxes[1]["y"]) < 1


@handles
def test_arrow_keys_move_every_handle(reader):
    for figure in reader.figures(EXPLORER_HANDLE):
        for handle in figure.locator(EXPLORER_HANDLE).all():
            for key in ("ArrowLeft", "ArrowUp"):
                before = figure.evaluate(SHOWN)
                handle.press(key)
                assert figure.evaluate(SHOWN) != before


@pytest.mark.slow
@handles
def test_words_follow_the_mouse_on_every_handle_and_its_right_button_moves_none(reader):
    for figure in reader.figures(EXPLORER_HANDLE):
        for handle in figure.locator(EXPLORER_HANDLE).all():
            x, y = centre(handle)
            follow(reader.page, figure, (x, y), (x + 30, y + 24))
            before, (x, y) = figure.evaluate(SHOWN), centre(handle)
            drag(reader.page, (x, y), (x + 15, y + 12), (x + 30, y + 24), button="right")
            assert figure.evaluate(SHOWN) == before
            # A handle stays within what is read out.
            for key, bound in (("Home", "min"), ("End", "max")):
                handle.press(key)
                value = handle.get_attribute("aria-valuenow")
                assert value == handle.get_attribute(f"aria-value{bound}")


@explorers
def test_buttons_change_the_figure_and_reset(reader):
    for figure in reader.figures(".kx"):
        seen = []
        for button in figure.get_by_role("button").all():
            if button.is_enabled() and button.get_attribute("aria-pressed") != "true":
                button.click()
                seen.append(figure.evaluate(SHOWN))
        # One of them copies the link, which changes nothing.
        assert len(set(seen)) >= min(3, len(seen) - 1)


@pytest.mark.slow
@table
def test_distance_table_reads_commas_refuses_in_words_and_turns_red(reader):
    (figure,) = reader.figures("[data-pair]")
    field = figure.locator("input[data-pair]").first
    mirror = figure.locator('[data-mirror="01"]')
    note = figure.locator('[data-part="typed"]')
    field.focus()
    field.press("ControlOrMeta+a")
    field.type("3,5")
    assert mirror.inner_text() == "3.50"
    for typed, word in (("1e9", "too long"), ("-4", "negative"), ("abc", "no number")):
        field.fill(typed)
        assert field.get_attribute("aria-invalid") == "true"
        field.press("Tab")
        assert word in note.inner_text()
        assert mirror.inner_text() == "3.50"
        assert field.input_value() == "3.50"
        assert field.get_attribute("aria-invalid") is None
    field.press("ArrowUp")
    assert field.input_value() == mirror.inner_text() == "3.60"
    assert "no number" not in note.inner_text()
    field.fill("9")
    assert "Not Euclidean" in figure.locator("output").inner_text()
    assert figure.locator(".kx-negative").count() >= 1


@pytest.mark.slow
@table
def test_presets_stay_pressed_until_a_number_changes(reader):
    (figure,) = reader.figures("[data-pair]")
    pressed = figure.locator('button[aria-pressed="true"]')
    for button in figure.locator("button[aria-pressed]").all():
        button.click()
        assert pressed.count() == 1
        assert button.get_attribute("aria-pressed") == "true"
    figure.locator("input[data-pair]").first.press("ArrowUp")
    assert pressed.count() == 0
    figure.locator("button[aria-pressed]").first.click()
    assert pressed.count() == 1
    figure.locator(EXPLORER_HANDLE).first.press("ArrowLeft")
    assert pressed.count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("path", HANDLES)
def test_a_finger_drags_a_handle(open_tab, path):
    phone = open_tab(path, **PHONE)
    figure = phone.figures(EXPLORER_HANDLE)[0]
    handle = figure.locator(EXPLORER_HANDLE).first
    before, (x, y) = figure.evaluate(SHOWN), centre(handle)
    drag_by_finger(phone, (x, y), (x + 20, y + 16))
    assert figure.evaluate(SHOWN) != before


# What is moved on a page, after which button; a slider from where, by which steps. And the
# milliseconds that a cheap phone may take to follow.
QUICK = [
    ("02-rank-psd-svd", None, ".kx-paint", (), 50),
    ("05-pca-equivalence", "irises", ".kx-handle", (), 50),
    ("08-kernel-mds", None, ".kx-range input", (-1, 0.05), 50),
    ("09-stress", None, ".kx-handle", (), 50),
    ("11-manifolds", None, ".kx-range + .kx-range input", (200, -1), 200),
    ("12-kernel-tests", "does x tell of y?", ".kx-handle.kx-city", (), 50),
    ("13-models", None, ".kx-handle.kx-corner", (), 50),
]


@pytest.mark.slow
@pytest.mark.timed
@pytest.mark.parametrize(("page", "button", "control", "steps", "most"), QUICK)
def test_a_hand_is_followed_on_a_slow_phone(open_tab, page, button, control, steps, most):
    tab = open_tab(f"chapters/{page}.html", **PHONE)
    figure = tab.figures(control)[0]
    if button:
        figure.get_by_role("button", name=button, exact=True).click()
    assert time_on_a_phone(figure.locator(control), *steps) <= most
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 390
