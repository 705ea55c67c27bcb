"""Every page reads well in light and dark, wide and on a phone, by eye and by a reader's aids."""

import re
from functools import cache

import pytest
from fontTools.ttLib import TTFont

from tests.pages.conftest import HTML, ROOT, built_pages

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

# What axe need not look at one by one is taken out: what formulas draw, which is hidden from the
# reader's aids and keeps its room; the parts of what is read instead; and words of code that stand
# in one box and have one class, but for the first. On a shade it cannot tell a contrast.
THIN_OUT = """() => {
    const drawn = [...document.querySelectorAll("mjx-math[aria-hidden='true']")];
    const sizes = drawn.map((formula) => formula.getBoundingClientRect());
    drawn.forEach((formula, i) => {
        formula.replaceChildren();
        formula.style.display = "inline-block";
        formula.style.width = `${sizes[i].width}px`;
        formula.style.height = `${sizes[i].height}px`;
    });
    const plain = "<style>* { background-image: none !important; }</style>";
    document.head.insertAdjacentHTML("beforeend", plain);
    for (const math of document.querySelectorAll("mjx-assistive-mml > math"))
        math.textContent = math.textContent;
    for (const box of document.querySelectorAll(".highlight pre")) {
        const seen = new Set();
        for (const word of box.querySelectorAll("span:not(:has(span))")) {
            if (seen.has(word.className)) word.replaceWith(word.textContent);
            else seen.add(word.className);
        }
    }
}"""

# The dark theme changes colours alone. The wide frame is the same on all pages: one chapter, one
# page of the library and one other stand for it.
DARK = {"runOnly": ["color-contrast", "link-in-text-block"]}
WIDE = ["chapters/03-distances-gram.html", "chapters/api/kernels.html", "chapters/laboratory.html"]
# Characters of the area for private use, which only the fonts of icons draw.
ICONS = """() => [...document.querySelectorAll("body :not(mjx-container *)")].flatMap((element) =>
    ["::before", "::after"].flatMap((part) => {
        const { content, fontFamily } = getComputedStyle(element, part);
        return [...content.matchAll(/[\ue000-\uf8ff]/g)]
            .map(([icon]) => [fontFamily, icon.codePointAt(0)]);
    }))"""
ICON_FONTS = {"Brands": ["fa-brands-400"], "Free": ["fa-solid-900", "fa-regular-400"]}

# What of an article is wrong, wide or on a phone: elements, and whether one of them is at fault.
WRONG_WIDE = {
    "formula that is not read aloud": (
        "mjx-container",
        """(formula) => !formula.querySelector("mjx-assistive-mml > math")?.textContent.trim()
            || formula.querySelector("mjx-math").ariaHidden !== "true" """,
    ),
    "formula on the way of the tab key": (
        "mjx-container[tabindex='0']:not([display]), mjx-math [tabindex]",
        "() => true",
    ),
    "formula without room": (
        "mjx-container",
        "(one) => one.checkVisibility() && !one.getBoundingClientRect().width",
    ),
    "display nearer to one of its paragraphs": (
        ".bd-article div.math",
        """(display) => {
            const [above, below] = [display.previousElementSibling, display.nextElementSibling];
            if (above?.localName !== "p" || below?.localName !== "p" || !display.offsetWidth)
                return false;
            const formula = display.querySelector("mjx-math").getBoundingClientRect();
            return [formula.top - above.getBoundingClientRect().bottom,
                below.getBoundingClientRect().top - formula.bottom]
                .some((space) => space < 10 || space > 45);
        }""",
    ),
    "title that does not fill its block": (
        ".bd-article .admonition > .admonition-title",
        """(title) => title.offsetWidth && title.parentElement.getBoundingClientRect().right
            - title.getBoundingClientRect().right > 6""",
    ),
    "table or formula wider than its box": (
        ".bd-article :is(.pst-scrollable-table-container, div.math, mjx-container, .text_html)",
        "(box) => box.scrollWidth > box.clientWidth + 4",
    ),
}
WRONG_ANYWHERE = {
    "part that stands out to the right and is in no box that scrolls": (
        ".bd-article :is(p, li, code, a, table, img, pre, div)",
        """(element) => {
            const article = element.closest("article");
            const edge = article.getBoundingClientRect().right + 2;
            if (element.getBoundingClientRect().right <= edge) return false;
            for (let at = element.parentElement; at !== article; at = at.parentElement)
                if (getComputedStyle(at).overflowX !== "visible") return false;
            return true;
        }""",
    ),
    "link to a block that is alone on the last line of its title": (
        ".bd-article :is(figcaption, .admonition-title) a.headerlink",
        """(link) => {
            const words = document.createRange();
            words.setStartBefore(link.parentElement.firstChild);
            words.setEndBefore(link);
            const lines = [...words.getClientRects()];
            const end = Math.max(...lines.map((line) => line.bottom));
            return lines.length && link.getBoundingClientRect().top > end - 4;
        }""",
    ),
    "box to mark an exercise outside its title": (
        ".exercise-done",
        """(box) => box.getBoundingClientRect().bottom
            > box.parentElement.getBoundingClientRect().bottom + 1""",
    ),
}
WRONG_ON_A_PHONE = {
    "formula that is cut": (
        ".bd-article .math mjx-container",
        """(formula) => {
            const right = formula.getBoundingClientRect().right;
            for (let at = formula; at.localName !== "article"; at = at.parentElement) {
                const { overflowX } = getComputedStyle(at);
                if (["auto", "scroll"].includes(overflowX)) return false;
                if (overflowX === "hidden" && right > at.getBoundingClientRect().right + 2)
                    return true;
            }
            return right > innerWidth + 1;
        }""",
    ),
    # Those of the docstrings scroll.
    "formula that is wider than its line": (
        ".bd-article :is(p, li, dd):not(dl.py *) span.math",
        """(formula) => {
            const block = formula.closest("p, li, dd");
            const drawn = formula.querySelector("mjx-container") ?? formula;
            return block.clientWidth
                && drawn.getBoundingClientRect().width > block.clientWidth + 1;
        }""",
    ),
}
WRONG = [
    pytest.param(width, *look, id=f"{width}-{name}")
    for width, looks in (
        (1280, WRONG_WIDE | WRONG_ANYWHERE),
        (390, WRONG_ANYWHERE | WRONG_ON_A_PHONE),
    )
    for name, look in looks.items()
]


@cache
def drawn_by(name):
    """Return the characters that a font of icons draws."""
    path = HTML / "_static" / "vendor" / "fontawesome" / "webfonts" / f"{name}.woff2"
    return TTFont(path).getBestCmap().keys()


# Pages of the API have one form, of which the longest is looked at each time.
OFTEN = [
    pytest.param(page, marks=[pytest.mark.weekly] * ("/api/" in page and page not in WIDE))
    for page in built_pages()
]
# In an order that changes width and colours seldom: a chapter takes its time to be laid out.
pytestmark = [pytest.mark.slow, pytest.mark.parametrize("reader", OFTEN, indirect=True)]


@pytest.fixture(scope="module", autouse=True)
def _unfolded(reader):
    reader.page.eval_on_selector_all("details", "all => all.forEach((it) => { it.open = true; })")


@pytest.fixture(scope="module", params=["light", "dark"])
def phone(request, reader):
    """Show the page on a phone, in light or dark."""
    return reader.look(width=390, theme=request.param)


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


def test_icons_are_in_the_fonts(reader):
    for family, icon in reader.look().evaluate(ICONS):
        fonts = next(names for kind, names in ICON_FONTS.items() if kind in family)
        assert any(icon in drawn_by(name) for name in fonts), f"U+{icon:X}"


def test_code_of_the_chapters_fits_its_box(reader):
    cut = reader.look().eval_on_selector_all(
        ".bd-article .highlight pre",
        """boxes => boxes.filter((box) => {
            box.style.whiteSpace = "pre";
            const isCut = box.scrollWidth > box.clientWidth + 1;
            box.style.whiteSpace = "";
            return isCut;
        }).map((box) => box.textContent.slice(0, 80))""",
    )
    assert cut == [] or "/api/" in reader.path or "/coursework/" in reader.path


@pytest.mark.parametrize(("width", "selector", "is_wrong"), WRONG)
def test_no_part_of_an_article_is_wrong(reader, width, selector, is_wrong):
    page = reader.look(width=width)
    named = f"all => all.filter({is_wrong}).map((one) => one.outerHTML.slice(0, 200))"
    assert page.eval_on_selector_all(selector, named) == []


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


def test_phone_needs_no_sideways_scrolling(phone):
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_formulas_stand_out(phone):
    contrasts = phone.evaluate(CONTRAST)
    assert len(contrasts) == phone.locator(".math.notranslate").count()
    assert min(contrasts, default=21) >= 7
    assert phone.locator("mjx-merror").count() == 0


def test_boxes_have_two_colours(phone):
    edges = phone.eval_on_selector_all(
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
    found = reader.look(width=390, theme="dark").eval_on_selector_all(
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
    run = "async (rules) => (await axe.run({ resultTypes: ['violations'], ...rules })).violations"
    return [
        f"{rule['id']}: {rule['help']}: {node['html'][:160]}"
        for rule in page.evaluate(run, rules)
        for node in rule["nodes"]
        if not any(rule["id"] == name and tag in node["html"] for name, tag in AXE_ALLOWED)
    ]


def test_axe_finds_nothing(reader):
    """Comes last: what it need not look at is taken out of the page."""
    page = reader.look(width=390, theme="dark")
    page.evaluate(AXE.read_text("utf-8"))
    page.evaluate(THIN_OUT)
    assert complaints(page, DARK) == []
    assert complaints(reader.look(width=390), {}) == []
    if reader.path in WIDE:
        assert complaints(reader.look(), {}) == []
        assert complaints(reader.look(theme="dark"), DARK) == []
