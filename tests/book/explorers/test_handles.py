"""Sliders and draggable figures work in the browser, without a kernel."""

import json
import math
import re

import pytest

from kmds_figures.sliders import FRAME_BYTES
from tests.book.conftest import HTML, PHONE, built_pages
from tests.book.explorers.conftest import drag_by_finger

STATE = re.compile(r'<script type="application/json">(\{"options".*?)</script>')
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


def pages_with(text):
    """Return the pages that hold a piece of HTML."""
    return [page for page in built_pages() if text in (HTML / page).read_text("utf-8")]


def shown(figure):
    """Return alternative text and picture of the frame on show."""
    frames = figure.locator("img").filter(visible=True)
    assert frames.count() == 1
    return frames.get_attribute("alt"), frames.get_attribute("src")


def texts(figure):
    """Return all that an explorer reads out: banner, tables, handles."""
    return figure.evaluate(
        """e => [e.querySelector("output").textContent,
                 ...[...e.querySelectorAll("td")].map((cell) => cell.textContent),
                 ...[...e.querySelectorAll("[aria-valuetext]")].map((h) => h.ariaValueText)]"""
    )


def drag(page, handle, dx, dy, button="left"):
    """Drag a handle by some pixels with the mouse."""
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down(button=button)
    page.mouse.move(x + dx / 2, y + dy / 2)
    page.mouse.move(x + dx, y + dy)
    page.mouse.up(button=button)


sliders = pytest.mark.parametrize("reader", pages_with("kmds-slider"), indirect=True)
one_page = pytest.mark.parametrize("reader", ["chapters/09-stress.html"], indirect=True)
# The laboratory has other controls, and tests of its own.
EXPLORERS = [page for page in pages_with("kmds-explorer") if "laboratory" not in page]
# The gallery of the preface holds drawings of explorers, and none.
HANDLES, TABLES = (
    [page for page in pages_with(part) if page in EXPLORERS]
    for part in ('class="kx-handle', "data-pair")
)
explorers = pytest.mark.parametrize("reader", EXPLORERS, indirect=True)
handles = pytest.mark.parametrize("reader", HANDLES, indirect=True)
tables = pytest.mark.parametrize("reader", TABLES, indirect=True)


@pytest.mark.parametrize("page", pages_with("kmds-slider"))
def test_frames_are_light(page):
    states = [json.loads(state) for state in STATE.findall((HTML / page).read_text("utf-8"))]
    assert states
    for state in states:
        frames = [(HTML / page).parent / source for source, _ in state["frames"]]
        assert len(frames) == math.prod(map(len, state["options"]))
        assert max(frame.stat().st_size for frame in frames) <= FRAME_BYTES


@sliders
def test_every_value_shows_a_frame_of_its_own(reader):
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


# What a key or a mouse does to a slider is the browser's: one page stands for all.
@pytest.mark.slow
@one_page
def test_keys_move_every_slider_to_both_ends(reader):
    for figure in reader.figures(SLIDER):
        for handle in figure.locator(SLIDER).all():
            seen = {}
            for key in ("Home", "End"):
                handle.press(key)
                seen[key] = (*shown(figure), handle.get_attribute("aria-valuetext"))
            assert all(first != last for first, last in zip(*seen.values(), strict=True)), seen
            handle.press("ArrowLeft")
            assert shown(figure)[0] != seen["End"][0]


@pytest.mark.slow
@sliders
def test_sliders_are_named_apart(reader):
    for figure in reader.figures(SLIDER):
        names = figure.locator(SLIDER).evaluate_all(
            "inputs => inputs.map((input) => input.labels[0]?.textContent)"
        )
        assert all(names)
        assert len(set(names)) == len(names)


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
@explorers
def test_planes_side_by_side_are_level(reader):
    for figure in reader.figures('[data-part="coordinates"]', needed=False):
        boxes = [plane.bounding_box() for plane in figure.locator(".kx-plane").all()]
        assert boxes[0]["x"] < boxes[1]["x"]
        assert abs(boxes[0]["y"] - boxes[1]["y"]) < 1


@pytest.mark.slow
@handles
def test_mouse_drags_every_handle(reader):
    for figure in reader.figures(EXPLORER_HANDLE):
        for handle in figure.locator(EXPLORER_HANDLE).all():
            before = texts(figure)
            drag(reader.page, handle, 30, 24)
            assert texts(figure) != before


@handles
def test_arrow_keys_move_every_handle(reader):
    for figure in reader.figures(EXPLORER_HANDLE):
        for handle in figure.locator(EXPLORER_HANDLE).all():
            for key in ("ArrowLeft", "ArrowUp"):
                before = texts(figure)
                handle.press(key)
                assert texts(figure) != before


@pytest.mark.slow
@handles
def test_handles_stay_within_what_is_read_out(reader):
    for figure in reader.figures(EXPLORER_HANDLE):
        for handle in figure.locator(EXPLORER_HANDLE).all():
            for key, bound in (("Home", "min"), ("End", "max")):
                handle.press(key)
                value = handle.get_attribute("aria-valuenow")
                assert value == handle.get_attribute(f"aria-value{bound}")


@pytest.mark.slow
@handles
def test_the_right_button_drags_nothing(reader):
    for figure in reader.figures(EXPLORER_HANDLE):
        for handle in figure.locator(EXPLORER_HANDLE).all():
            before = texts(figure)
            drag(reader.page, handle, 30, 24, button="right")
            assert texts(figure) == before


@explorers
def test_buttons_change_the_figure_and_reset(reader):
    for figure in reader.figures(".kx"):
        seen = []
        for button in figure.get_by_role("button").all():
            if button.is_enabled() and button.get_attribute("aria-pressed") != "true":
                button.click()
                seen.append("|".join(texts(figure)))
        # One of them copies the link, which changes nothing.
        assert len(set(seen)) >= min(3, len(seen) - 1)


@pytest.mark.slow
@tables
def test_distance_table_follows_and_turns_red(reader):
    for figure in reader.figures("[data-pair]"):
        figure.locator("input[data-pair]").first.fill("9")
        assert "Not Euclidean" in figure.locator("output").inner_text()
        assert figure.locator(".kx-negative").count() >= 1


@pytest.mark.slow
@tables
def test_distance_table_reads_commas_and_refuses_in_words(reader):
    for figure in reader.figures("[data-pair]"):
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


@pytest.mark.slow
@tables
def test_presets_stay_pressed_until_a_number_changes(reader):
    for figure in reader.figures("[data-pair]"):
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
    handle.scroll_into_view_if_needed()
    before, box = texts(figure), handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    drag_by_finger(phone, (x, y), (x + 20, y + 16))
    assert texts(figure) != before
