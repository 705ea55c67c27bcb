"""Every page is quiet, self-contained, described, readable in dark mode and on a phone."""

import pytest

from tests.book.conftest import HTML, ROOT, built_pages

AXE = ROOT / "_ext" / "browser" / "tests" / "axe-core" / "axe.min.js"
# (rule of axe-core, what the tag holds) -> why it is let pass. None of it is the book's markup.
AXE_ALLOWED = {
    ("empty-table-header", "<th></th>"): "the corner of a table that pandas writes",
    ("label-content-name-mismatch", "search-button-field"): "the theme's search field, whose "
    "text adds the keys that open it",
    ("label-content-name-mismatch", "theme-switch-button"): "the theme's button shows the mode "
    "in use as an icon",
    ("region", "logo__title"): "the theme's title beside the logo is in no landmark",
}
CONTRAST = """() => {
    const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const luminance = (rgb) => rgb.slice(0, 3)
        .map((c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = (element) => {
        for (let at = element; at; at = at.parentElement) {
            const colour = channels(getComputedStyle(at).backgroundColor);
            if (colour.length === 3 || colour[3] > 0.5) return colour;
        }
        return [255, 255, 255];
    };
    return [...document.querySelectorAll("mjx-container")].map((formula) => {
        const [a, b] = [channels(getComputedStyle(formula).color), ground(formula)].map(luminance);
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    });
}"""

pytestmark = pytest.mark.parametrize("reader", built_pages(), indirect=True)


def test_console_is_quiet(reader):
    assert reader.problems == []


def test_no_other_host_is_asked(reader):
    assert reader.foreign == []


def test_every_image_has_a_sentence(reader):
    images = reader.look().eval_on_selector_all(
        ".bd-article img", "images => images.map((image) => [image.src.slice(0, 80), image.alt])"
    )
    assert [(source, alt) for source, alt in images if len(alt.split()) < 6] == []


def test_every_image_loads(reader):
    broken = reader.look().eval_on_selector_all(
        "img",
        "images => images.filter((i) => i.complete && !i.naturalWidth).map((i) => i.src)",
    )
    assert broken == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_formulas_stand_out(reader, theme):
    page = reader.look(theme=theme)
    has_formulas = page.locator(".math").count() > 0
    contrasts = page.evaluate(CONTRAST)
    assert bool(contrasts) == has_formulas
    assert min(contrasts, default=21) >= 7
    assert page.locator("mjx-merror").count() == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_phone_needs_no_sideways_scrolling(reader, theme):
    page = reader.look(width=390, theme=theme)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (1280, "dark"), (390, "light")])
def test_axe_finds_nothing(reader, width, theme):
    page = reader.look(width=width, theme=theme)
    if not page.evaluate("'axe' in window"):
        # The widgets bring a loader that would take axe for a module of theirs.
        page.evaluate("() => { window.hiddenDefine = window.define; window.define = undefined; }")
        page.evaluate(AXE.read_text(encoding="utf-8"))
        page.evaluate("() => { window.define = window.hiddenDefine; }")
    found = page.evaluate("() => axe.run({ resultTypes: ['violations'] })")["violations"]
    complaints = [
        f"{rule['id']}: {rule['help']}: {node['html'][:160]}"
        for rule in found
        for node in rule["nodes"]
        if not any(rule["id"] == name and tag in node["html"] for name, tag in AXE_ALLOWED)
    ]
    assert complaints == []


def test_page_is_light(reader):
    document = (HTML / reader.path).stat().st_size
    assert document <= 2_500_000


def test_no_formula_is_cut_on_a_phone(reader):
    page = reader.look(width=390)
    page.evaluate("() => document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    cut = page.eval_on_selector_all(
        ".bd-article .math mjx-container",
        """formulas => formulas.filter((formula) => {
            const right = formula.getBoundingClientRect().right;
            for (let at = formula; at.localName !== "article"; at = at.parentElement) {
                const style = getComputedStyle(at);
                if (["auto", "scroll"].includes(style.overflowX)) return false;
                if (style.overflowX === "hidden" && right > at.getBoundingClientRect().right + 2) {
                    return true;
                }
            }
            return right > innerWidth + 1;
        }).map((formula) => formula.parentElement.outerHTML.slice(0, 200))""",
    )
    assert cut == []


def test_formulas_in_a_line_fit_a_phone(reader):
    page = reader.look(width=390)
    wide = page.eval_on_selector_all(
        # Those of the docstrings scroll.
        ".bd-article :is(p, li, dd):not(dl.py *) span.math",
        """formulas => formulas.filter((formula) => {
            const block = formula.closest("p, li, dd");
            const drawn = formula.querySelector("mjx-container") ?? formula;
            const width = drawn.getBoundingClientRect().width;
            return block.clientWidth && width > block.clientWidth + 1;
        }).map((formula) => formula.textContent.slice(0, 80))""",
    )
    assert wide == []


def test_pictures_are_dimmed_in_the_dark_and_never_turned_round(reader):
    filters = reader.look(theme="dark").eval_on_selector_all(
        ".bd-article figure img", "images => images.map((image) => getComputedStyle(image).filter)"
    )
    for found in filters:
        assert found.startswith("brightness(")
        assert 0.6 <= float(found[11:-1]) <= 0.9
