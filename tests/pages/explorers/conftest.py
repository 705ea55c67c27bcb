"""An explorer as the reader of its chapter has it, by mouse and keys or on a phone.

A module of tests names the page, `PATH`, and says in its class `Explorer` what can be read there.
"""

import json
from urllib.parse import parse_qs, quote

import pytest

from tests.pages.conftest import PHONE, Reader

# Shows an explorer as if the page had been loaded with a query.
SHOW = """(figure, module, query) => {
    history.replaceState(null, "", location.pathname + query);
    figure.querySelectorAll(".kx-link").forEach((button) => button.remove());
    showExplorer(figure, module);
}"""
OPEN = f"async (figure, query) => ({SHOW})(figure, await moduleOf(figure), query)"


def centre(locator):
    """Return where on the screen the middle of something is."""
    locator.scroll_into_view_if_needed()
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


# What an explorer says of a state, in its banner, its tables and of its handles.
SHOWN = """(figure) => [...figure.querySelectorAll("div.kx-banner, td, [aria-valuetext]")]
    .map((e) => e.ariaValueText ?? e.textContent).join("|")"""


def follow(page, figure, start, end):
    """Drag by the mouse; what is seen follows the hand, what is heard and linked waits."""
    said, banner = figure.locator(".kx-said"), figure.locator("div.kx-banner")
    before, linked = said.inner_text(), page.evaluate("location.search")
    first = [figure.element_handle(), figure.evaluate(SHOWN)]
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=6)
    page.wait_for_function(f"([figure, first]) => ({SHOWN})(figure) !== first", arg=first)
    held = banner.inner_text()
    assert (said.inner_text(), page.evaluate("location.search")) == (before, linked)
    page.mouse.up()
    assert said.inner_text() == banner.inner_text() == held


def drag(page, start, *places, button="left"):
    """Drag by the mouse from a place of the screen over some others."""
    page.mouse.move(*start)
    page.mouse.down(button=button)
    for place in places:
        page.mouse.move(*place)
    page.mouse.up(button=button)


# Moves a handle by keys, or a slider from a value by steps, with a frame for each, and multiplies
# two matrices in between; returns the quickest of either.
QUICKEST = """(control, [first, step]) => {
    const key = (kind, name) =>
        control.dispatchEvent(new KeyboardEvent(kind, { key: name, bubbles: true }));
    const slide = (at) => {
        control.value = first + step * at;
        control.dispatchEvent(new Event("input"));
    };
    const press = (at) => key("keydown", at % 2 ? "ArrowLeft" : "ArrowRight");
    const move = control.matches("input") ? slide : press;
    const n = 160;
    const factor = Float64Array.from({ length: n * n }, (_, i) => Math.sin(i));
    const multiply = () => {
        const product = new Float64Array(n * n);
        for (let i = 0; i < n; i++)
            for (let k = 0; k < n; k++)
                for (let j = 0; j < n; j++)
                    product[i * n + j] += factor[i * n + k] * factor[k * n + j];
        return product;
    };
    const timed = (run, at) => {
        const begin = performance.now();
        run(at);
        return performance.now() - begin;
    };
    const ask = window.requestAnimationFrame;
    window.requestAnimationFrame = (draw) => (draw(), 0);
    const times = Array.from({ length: 30 }, (_, at) => [timed(move, at), timed(multiply)]);
    window.requestAnimationFrame = ask;
    if (move === slide) control.dispatchEvent(new Event("change"));
    else key("keyup", "ArrowLeft");
    return [0, 1].map((which) => Math.min(...times.map((pair) => pair[which])));
}"""
# So many milliseconds a cheap phone takes for that product.
PRODUCT_ON_A_PHONE = 16


def time_on_a_phone(control, first=0, step=0):
    """Return the milliseconds that a cheap phone takes to follow the hand."""
    answer, product = control.evaluate(QUICKEST, [first, step])
    return PRODUCT_ON_A_PHONE * answer / product


def drag_by_finger(tab, start, *places):
    """Put a finger down at a place of the screen, move it from place to place and lift it."""
    device = tab.context.new_cdp_session(tab.page)

    def touch(kind, *places):
        points = [{"x": x, "y": y} for x, y in places]
        device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", start)
    for place in places:
        touch("touchMove", place)
    # A finger that is lifted in its flight flicks, and the browser swallows the tap after a flick.
    tab.page.wait_for_timeout(150)
    touch("touchMove", places[-1])
    touch("touchEnd")


# A path that draws nothing holds no number.
NUMBERS = """(all, name) => all.map((one) =>
    (one.getAttribute(name).match(/-?[\\d.]+/g) ?? []).map(Number))"""


def drawn_numbers(found, name):
    """Return the numbers in an attribute of some drawn elements."""
    return found.evaluate_all(NUMBERS, name)


# What an expression comes to, of the functions `m` of an explorer's script and its state on show.
# Under Node these functions are compared with the library: here with what is shown.
COMPUTED = """async (figure, asked) => {
    const text = new Blob([moduleText(figure)], { type: "text/javascript" });
    const m = (figure.functions ??= await import(URL.createObjectURL(text)));
    const state = Object.assign(stateOf(figure), asked);
    const plain = (_, value) => (ArrayBuffer.isView(value) ? [...value] : value);
    return JSON.parse(JSON.stringify(EXPRESSION, plain));
}"""


class Shown:
    """An explorer of an open tab: its parts, where they stand on the screen, and what they say."""

    name = ""

    def __init__(self, tab):
        self.tab, self.page = tab, tab.page
        self.figure = tab.page.locator(f'[data-name="{self.name}"]')
        self.started()

    def started(self):
        """Wait until it is started by being looked at."""
        self.figure.scroll_into_view_if_needed()
        self.figure.and_(self.page.locator("[data-alive]")).wait_for()

    def open(self, **state):
        """Show it as a link with this state does."""
        self.figure.evaluate(OPEN, f"?{self.name}={quote(json.dumps(state))}")

    def button(self, name):
        """Return a button by its whole name."""
        return self.figure.get_by_role("button", name=name, exact=True)

    def part(self, name):
        """Return a named part."""
        return self.figure.locator(f'[data-part="{name}"]')

    def rows(self, part):
        """Return the cells of a table, row by row, as far as they are seen."""
        rows = self.part(part).locator("tr:visible").all()
        return [row.locator("th, td").all_inner_texts() for row in rows]

    def banner(self):
        """Return what the explorer says in words."""
        return self.figure.locator(".kx-banner").inner_text()

    def state(self):
        """Return what the address holds."""
        query = parse_qs(self.page.evaluate("location.search").removeprefix("?"))
        return json.loads(query.get(self.name, ["{}"])[0])

    def computed(self, expression):
        """Return what an expression comes to for what is on show."""
        script = COMPUTED.replace("EXPRESSION", expression)
        return self.figure.evaluate(script, self.state())

    def result(self):
        """Return what is on show, computed anew; the banner has its words."""
        result = self.computed(self.RESULT)
        assert self.banner() == f"{result['words']['head']} {result['words']['reason']}"
        return result

    def slide(self, place, row=0):
        """Move a slider to a place, and let it go."""
        self.figure.locator(".kx-range input").nth(row).fill(f"{place:g}")

    centre = staticmethod(centre)

    def drag(self, start, *places):
        """Drag by the mouse from a place of the screen over some others."""
        drag(self.page, start, *places)


@pytest.fixture(scope="module")
def tab(request, chromium, site):
    """Open the page of a module, or one that a test names; its tests share the tab."""
    path = getattr(request, "param", None) or request.module.PATH
    with Reader(chromium, site, path) as tab:
        yield tab


@pytest.fixture
def explorer(request, tab):
    """Show the explorer of a module in its first state."""
    shown = request.module.Explorer(tab)
    shown.button("reset").click()
    return shown


@pytest.fixture
def phone(request, chromium, site):
    """Show it on a phone, where nothing may run over the edge."""
    with Reader(chromium, site, request.module.PATH, **PHONE) as tab:
        yield request.module.Explorer(tab)
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= 390
