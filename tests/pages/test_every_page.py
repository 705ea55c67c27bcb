"""Every page, visited once: links, errors, requests, width, accessibility, interactive figures."""

import pytest

from tests.pages.conftest import (
    CHAPTERS,
    HTML,
    INTERACTIVE,
    ROOT,
    WAIT_FOR_TRANSITIONS,
    Tab,
    anchors,
    article_of,
    built_pages,
    is_broken,
)
from tests.pages.explorer import centre, drag, drag_by_finger, show_all_panels

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
# (rule of axe-core, text in the tag) -> the reason why the book cannot mend it.
AXE_EXCEPTIONS = {
    ("label-content-name-mismatch", "search-button-field"): "the theme's search field, whose "
    "text adds the keys that open it",
    ("label-content-name-mismatch", "theme-switch-button"): "the theme's button shows the mode "
    "in use as an icon",
    ("region", "logo__title"): "the theme's title beside the logo is in no landmark",
}
# Dark colours can only fail the rules on contrast.
DARK_RULES = {"runOnly": ["color-contrast", "link-in-text-block"]}
RUN_AXE = """async (rules) =>
    (await axe.run({ resultTypes: ["violations"], ...rules })).violations"""
# Hide sections without a figure while figures are moved, because long pages are slow.
HIDE_TEXT = """.bd-article > section > section:not(:has(.kmds-slider, .kmds-explorer)) {
    display: none;
}"""
PRESS = "all => all.forEach((one) => { if (one.checkVisibility()) one.click(); })"
OPEN_FOLDS = "all => all.forEach((fold) => { fold.open = true; })"
NOT_READ_ALOUD = """(formulas) => formulas.filter((formula) =>
    !formula.querySelector("mjx-assistive-mml > math")?.textContent.trim()
    || formula.querySelector("mjx-merror")).map((formula) => formula.outerHTML.slice(0, 160))"""
WITHOUT_BAR = """(bars) => bars.filter((bar) => !parseFloat(getComputedStyle(bar).borderTopWidth))
    .map((bar) => bar.closest("mjx-container").textContent)"""
NOT_ADAPTED = """(images) => images.filter((image) => getComputedStyle(image).filter === "none")
    .map((image) => image.src)"""
LABORATORY = "chapters/laboratory.html"  # test_laboratory.py moves it
SLIDERS = "[role='slider'], input[type='range']"


def axe_violations(page, rules):
    """Return the violations that axe finds in the page as it is shown, which is simplified."""
    page.evaluate(AXE.read_text("utf-8"))
    page.evaluate("inPage.simplify()")
    return [
        f"{rule['id']}: {rule['help']}: {node['html'][:160]}"
        for rule in page.evaluate(RUN_AXE, rules)
        for node in rule["nodes"]
        if not any(rule["id"] == name and tag in node["html"] for name, tag in AXE_EXCEPTIONS)
    ]


def first_control(figure):
    """Return the control that a reader would move: a handle of the drawing, or else a slider."""
    handles = figure.locator(".kx-handle").filter(visible=True)
    return (handles if handles.count() else figure.locator(SLIDERS).filter(visible=True)).first


def far_end(slider):
    """Return the end of a slider that is farther from its value, in pixels of the screen."""
    (x, y), width = centre(slider), slider.bounding_box()["width"]
    is_low = slider.evaluate("({ value, min, max }) => 2 * value < Number(min) + Number(max)")
    return (x + 0.45 * width if is_low else x - 0.45 * width), y


def move_by_key(tab, control):
    """Press an arrow key on a control, away from the end of a slider."""
    is_last = control.evaluate("({ value, max }) => value !== undefined && value === max")
    control.press("ArrowLeft" if is_last else "ArrowRight")


def move_by_mouse(tab, control):
    """Click near the far end of a slider; drag any other control."""
    if control.get_attribute("type") == "range":
        tab.page.mouse.click(*far_end(control))
    else:
        x, y = centre(control)
        drag(tab.page, (x, y), (x + 15, y + 12), (x + 30, y + 24))


def move_by_touch(tab, control):
    """Tap near the far end of a slider; drag any other control by a finger."""
    if control.get_attribute("type") == "range":
        tab.page.touchscreen.tap(*far_end(control))
    else:
        x, y = centre(control)
        drag_by_finger(tab, (x, y), (x - 20, y - 8), (x - 40, y - 12))


def figure_faults(tab, figure):
    """Return the faults when a figure is moved by keys, mouse and touch, and put back."""
    name, faults = figure.get_attribute("data-name") or "slider", []
    show_all_panels(figure)
    first = figure.evaluate("inPage.content")
    control = first_control(figure)
    for move in (move_by_key, move_by_mouse, move_by_touch):
        # At the top of the screen, the verdict of an explorer could cover the control.
        control.evaluate("(element) => element.scrollIntoView({block: 'center'})")
        before = figure.evaluate("inPage.content")
        move(tab, control)
        if figure.evaluate("inPage.content") == before:
            faults.append(f"{name} ignores {move.__name__}")
        faults += announcement_faults(figure, name)
    if name == "slider":
        image = figure.locator("img")
        if not image.evaluate("i => i.decode().then(() => i.naturalWidth)"):
            faults.append("a frame of a slider does not load")
        return faults
    figure.locator(".kx button:not(.kx-link, .kx-toggle)").evaluate_all(PRESS)
    figure.locator(".kx-reset").click()
    return faults + [f"reset of {name}"] * (figure.evaluate("inPage.content") != first)


def announcement_faults(figure, name):
    """Return a fault if the live region of an explorer does not contain the visible verdict."""
    if name == "slider":
        return []
    said = figure.locator("[aria-live].kx-visually-hidden").inner_text()
    is_same = said == figure.locator("div.kx-banner").inner_text()
    return [] if said and is_same else [f"{name} does not announce its verdict"]


@pytest.mark.parametrize("path", built_pages())
def test_page_works(chromium, site, path):
    file = HTML / path
    assert [link for link in anchors(file).links if is_broken(file, link)] == []
    options = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    with Tab(chromium, site, path, **options) as tab:
        page = tab.page
        figures = tab.figures()
        assert len(figures) == len(INTERACTIVE.findall(article_of(path)))
        if figures and path != LABORATORY:
            text_hidden = page.add_style_tag(content=HIDE_TEXT)
            assert [fault for one in figures for fault in figure_faults(tab, one)] == []
            text_hidden.evaluate("(style) => style.remove()")
        page.eval_on_selector_all("details", OPEN_FOLDS)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        shown = ".bd-article *:not(mjx-container *, svg *)"
        assert page.eval_on_selector_all(shown, "inPage.cutOff") == []
        assert page.eval_on_selector_all("mjx-container", NOT_READ_ALOUD) == []
        assert page.eval_on_selector_all("mjx-sqrt > mjx-box, mjx-line", WITHOUT_BAR) == []
        page.evaluate(WAIT_FOR_TRANSITIONS)  # opened code fades in
        assert axe_violations(page, {}) == []


@pytest.mark.slow
@pytest.mark.parametrize("path", built_pages())
def test_dark_page_is_legible(chromium, site, path):
    with Tab(chromium, site, path, viewport={"width": 390, "height": 844}) as tab:
        page = tab.set_theme("dark")
        tab.figures()
        page.eval_on_selector_all("details", OPEN_FOLDS)
        page.evaluate(WAIT_FOR_TRANSITIONS)
        assert axe_violations(page, DARK_RULES) == []
        assert page.eval_on_selector_all(".bd-article figure img", NOT_ADAPTED) == []


@pytest.mark.slow
@pytest.mark.parametrize("path", CHAPTERS)
def test_link_restores_each_explorer(chromium, site, path):
    with Tab(chromium, site, path) as tab:
        shown = {}
        for figure in tab.figures():
            if name := figure.get_attribute("data-name"):
                move_by_key(tab, first_control(figure))
                shown[name] = figure.evaluate("inPage.content")
        tab.goto(f"{path}{tab.page.evaluate('location.search')}")
        again = {figure.get_attribute("data-name"): figure for figure in tab.figures()}
        assert {name: again[name].evaluate("inPage.content") for name in shown} == shown
