"""Every page reads well in light and dark, wide and on a phone, by eye and by a reader's aids."""

import re
from functools import cache

import pytest
from fontTools.ttLib import TTFont

from tests.book.conftest import HTML, ROOT, built_pages

AXE = ROOT / "_ext" / "browser" / "node_modules" / "axe-core" / "axe.min.js"
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

# What a formula draws is hidden from the reader's aids, which read its MathML. So its thousands
# of elements are taken out while axe looks, and their room is kept.
RUN_AXE = """async (options) => {
    const drawn = [...document.querySelectorAll("mjx-math[aria-hidden='true']")];
    const sizes = drawn.map((formula) => formula.getBoundingClientRect());
    const parts = drawn.map((formula) => [...formula.childNodes]);
    const styles = drawn.map((formula) => formula.getAttribute("style") ?? "");
    drawn.forEach((formula, i) => {
        formula.replaceChildren();
        formula.style.display = "inline-block";
        formula.style.width = `${sizes[i].width}px`;
        formula.style.height = `${sizes[i].height}px`;
    });
    const found = await axe.run({ resultTypes: ["violations"], ...options });
    drawn.forEach((formula, i) => {
        formula.setAttribute("style", styles[i]);
        formula.replaceChildren(...parts[i]);
    });
    return found;
}"""

# Words of code that are seen with one class, colour and ground have one contrast: axe looks at the
# first of them alone.
UNMARK_CODE = """() => {
    const grounds = new Map();
    const groundOf = (box) => {
        for (let at = box; at; at = at.parentElement) {
            const { backgroundColor } = getComputedStyle(at);
            if (backgroundColor !== "rgba(0, 0, 0, 0)") return backgroundColor;
        }
    };
    const seen = new Set();
    const words = [...document.querySelectorAll(".highlight pre span:not(:has(span))")];
    const kinds = words.map((word) => {
        const box = word.closest("pre");
        if (!grounds.has(box)) grounds.set(box, groundOf(box));
        const { backgroundColor, color } = getComputedStyle(word);
        const kind = [word.className, color, backgroundColor, grounds.get(box)].join();
        return word.checkVisibility() && kind;
    });
    words.forEach((word, i) => {
        if (seen.has(kinds[i])) word.replaceWith(word.textContent);
        else if (kinds[i]) seen.add(kinds[i]);
    });
}"""

# The dark theme changes colours alone. The wide frame is the same on all pages: one chapter, one
# page of the library and one other stand for it.
DARK = {"runOnly": ["color-contrast", "link-in-text-block"]}
WIDE = ["chapters/03-distances-gram.html", "chapters/api/kernels.html", "chapters/laboratory.html"]
# Lines of code or output that are longer than their box, were they not folded.
LONG_LINES = """() => [...document.querySelectorAll(".bd-article .highlight pre")].map((pre) => {
    pre.style.whiteSpace = "pre";
    const over = pre.scrollWidth > pre.clientWidth + 1 ? pre.textContent.slice(0, 80) : null;
    pre.style.whiteSpace = "";
    return over;
}).filter(Boolean)"""

# Characters of the area for private use, which only the fonts of icons draw.
ICONS = """() => [...document.querySelectorAll("body *")].flatMap((element) =>
    ["::before", "::after"].flatMap((part) => {
        const { content, fontFamily } = getComputedStyle(element, part);
        return [...content.matchAll(/[\ue000-\uf8ff]/g)]
            .map(([icon]) => [fontFamily, icon.codePointAt(0)]);
    }))"""
ICON_FONTS = {"Brands": ["fa-brands-400"], "Free": ["fa-solid-900", "fa-regular-400"]}

# What stands out of the article to the right and is in no box that scrolls.
BEYOND = """() => {
    const edge = document.querySelector(".bd-article").getBoundingClientRect().right + 2;
    const inBox = (element) => {
        for (let at = element.parentElement; at.localName !== "article"; at = at.parentElement) {
            if (getComputedStyle(at).overflowX !== "visible") return true;
        }
        return false;
    };
    return [...document.querySelectorAll(".bd-article :is(p, li, code, a, table, img, pre, div)")]
        .filter((element) => element.getBoundingClientRect().right > edge && !inBox(element))
        .map((element) => element.outerHTML.slice(0, 120));
}"""

# Links to a figure or block that stand alone on the last line of its title.
LONE_LINKS = """() => [...document.querySelectorAll(
    ".bd-article :is(figcaption, .admonition-title) a.headerlink"
)].filter((link) => {
    const words = document.createRange();
    words.setStartBefore(link.parentElement.firstChild);
    words.setEndBefore(link);
    const lines = [...words.getClientRects()];
    const end = Math.max(...lines.map((line) => line.bottom));
    return lines.length && link.getBoundingClientRect().top > end - 4;
}).map((link) => link.hash)"""

# The space above and below each display between two paragraphs.
UNEVEN = """() => [...document.querySelectorAll(".bd-article div.math")].map((display) => {
    const [above, below] = [display.previousElementSibling, display.nextElementSibling];
    if (above?.localName !== "p" || below?.localName !== "p" || !display.offsetWidth) return null;
    const formula = display.querySelector("mjx-math").getBoundingClientRect();
    const room = [formula.top - above.getBoundingClientRect().bottom,
                  below.getBoundingClientRect().top - formula.bottom];
    return room.some((space) => space < 10 || space > 45) ? [display.id, ...room] : null;
}).filter(Boolean)"""


@cache
def drawn_by(name):
    """Return the characters that a font of icons draws."""
    path = HTML / "_static" / "vendor" / "fontawesome" / "webfonts" / f"{name}.woff2"
    return TTFont(path).getBestCmap().keys()


# Pages of the API have one form, of which the longest is looked at each time.
OFTEN = [
    pytest.param(page, marks=[pytest.mark.nightly] * ("/api/" in page and page not in WIDE))
    for page in built_pages()
]
# In an order that changes width and colours seldom: a chapter takes its time to be laid out.
pytestmark = [pytest.mark.slow, pytest.mark.parametrize("reader", OFTEN, indirect=True)]


def test_every_image_loads_and_those_of_cells_keep_their_room_and_are_sharp(reader):
    sizes = reader.look().eval_on_selector_all(
        "img",
        """images => Promise.all(images.map(async (image) => {
            image.loading = "eager";
            await image.decode().catch(() => { throw Error(image.src); });
            return image.closest(".bd-article .cell_output")
                && [image.src, image.getAttribute("width"), image.getAttribute("height"),
                    image.naturalWidth, image.naturalHeight];
        }))""",
    )
    for source, width, height, across, down in filter(None, sizes):
        assert width, source
        assert height, source
        assert across >= 2 * int(width) - 1, source
        assert abs(across * int(height) - down * int(width)) <= 2 * (across + down), source


def test_formulas_are_read_aloud_and_skipped_by_the_tab_key(reader):
    page = reader.look()
    silent = page.eval_on_selector_all(
        "mjx-container",
        """formulas => formulas.filter((formula) => {
            const math = formula.querySelector("mjx-assistive-mml > math");
            const drawn = formula.querySelector("mjx-math");
            return !math?.textContent.trim() || drawn.ariaHidden !== "true";
        }).map((formula) => formula.outerHTML)""",
    )
    assert silent == []
    assert (
        page.locator("mjx-container[tabindex='0']:not([display]), mjx-math [tabindex]").count()
        == 0
    )


def test_icons_are_in_the_fonts(reader):
    for family, icon in reader.look().evaluate(ICONS):
        fonts = next(names for kind, names in ICON_FONTS.items() if kind in family)
        assert any(icon in drawn_by(name) for name in fonts), f"U+{icon:X}"


def test_code_of_the_chapters_fits_its_box(reader):
    page = reader.look()
    page.evaluate("() => document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    if "/api/" not in reader.path and "/coursework/" not in reader.path:
        assert page.evaluate(LONG_LINES) == []


def test_titles_fill_their_blocks(reader):
    short = reader.look().eval_on_selector_all(
        ".bd-article .admonition > .admonition-title",
        """titles => titles.filter((title) => title.offsetWidth
            && title.parentElement.getBoundingClientRect().right
            - title.getBoundingClientRect().right > 6).map((title) => title.textContent)""",
    )
    assert short == []


def test_displays_stand_midway(reader):
    assert reader.look().evaluate(UNEVEN) == []


def test_tables_and_formulas_fit_a_wide_screen(reader):
    cut = reader.look().eval_on_selector_all(
        ".bd-article :is(.pst-scrollable-table-container, div.math, mjx-container, .text_html)",
        """boxes => boxes.filter((box) => box.scrollWidth > box.clientWidth + 4)
            .map((box) => box.textContent.slice(0, 80))""",
    )
    assert cut == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_formulas_stand_out(reader, theme):
    page = reader.look(theme=theme)
    formulas = page.locator(".math.notranslate").count()
    contrasts = page.evaluate(CONTRAST)
    assert len(contrasts) == formulas
    assert min(contrasts, default=21) >= 7
    assert page.locator("mjx-merror").count() == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_boxes_have_two_colours(reader, theme):
    edges = reader.look(theme=theme).eval_on_selector_all(
        ".bd-article .admonition:not(.hide, .proof-text)",
        """boxes => boxes.map((box) => {
            const kind = box.matches(".proof:not(.remark, .example), .exercise");
            return [kind, getComputedStyle(box).borderLeftColor].join();
        })""",
    )
    assert len({edge.partition(",")[2] for edge in edges}) == len(set(edges)) <= 2


# A digit, a photograph and a table of shades stay black on white.
SHADED = {"fig-spoilt", "fig-by-hand", "fig-cleaning", "fig-rows-map", "fig-origin", "fig-duality"}


def test_in_the_dark_drawings_turn_light_and_shaded_pictures_are_dimmed(reader):
    found = reader.look(theme="dark").eval_on_selector_all(
        ".bd-article figure img",
        """images => images.map((image) => [
            image.closest("figure").id,
            image.closest(".drawing") !== null,
            getComputedStyle(image).filter,
        ])""",
    )
    for name, drawing, look in found:
        if drawing:
            assert name not in SHADED
            assert look == "invert(1) hue-rotate(180deg)"
        else:
            assert 0.6 <= float(look.removeprefix("brightness(")[:-1]) <= 0.9
    chapters = re.match(r"chapters/\d\d-", reader.path)
    assert not chapters or any(drawing for _, drawing, _ in found)


def complaints(page, rules):
    """Return what axe finds on a page as it stands."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
        page.evaluate(UNMARK_CODE)
    found = page.evaluate(RUN_AXE, rules)["violations"]
    return [
        f"{rule['id']}: {rule['help']}: {node['html'][:160]}"
        for rule in found
        for node in rule["nodes"]
        if not any(rule["id"] == name and tag in node["html"] for name, tag in AXE_ALLOWED)
    ]


def test_axe_finds_nothing(reader):
    assert complaints(reader.look(width=390), {}) == []
    assert complaints(reader.look(theme="dark"), DARK) == []
    if reader.path in WIDE:
        assert complaints(reader.look(), {}) == []


def test_every_formula_takes_room(reader):
    gone = reader.look(width=1280).eval_on_selector_all(
        "mjx-container",
        """all => all.filter((one) => one.checkVisibility() && !one.getBoundingClientRect().width)
            .map((one) => one.closest("p, summary, li, td, figcaption, div").textContent)""",
    )
    assert gone == []


def test_panels_stack_on_a_phone_with_labels_to_read(reader):
    shown = reader.look(width=390).eval_on_selector_all(
        ".bd-article figure picture img",
        """images => Promise.all(images.map(async (image) => {
            image.loading = "eager";
            await image.decode();
            return [image.currentSrc, image.clientWidth / image.previousElementSibling.width];
        }))""",
    )
    for source, scale in shown:
        assert "-stacked" in source
        # The smallest numbers of an axis have 11.5 points at 120 dots an inch.
        assert scale * 11.5 * 120 / 72 >= 11, source


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_phone_needs_no_sideways_scrolling(reader, theme):
    page = reader.look(width=390, theme=theme)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


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


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_stands_out_of_the_article(reader, width):
    page = reader.look(width=width)
    assert page.evaluate(BEYOND) == []
    assert page.evaluate(LONE_LINKS) == []
    # A box to mark an exercise stays in its title.
    outside = page.eval_on_selector_all(
        ".exercise-done",
        """boxes => boxes.filter((box) => box.getBoundingClientRect().bottom
            > box.parentElement.getBoundingClientRect().bottom + 1).length""",
    )
    assert outside == 0
