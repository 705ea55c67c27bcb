"""Helpers to move an interactive figure by mouse, keys and touch, and to read its content."""

import json
from urllib.parse import parse_qs, quote

NUMBERS = """(all, name) => all.map((one) =>
    (one.getAttribute(name).match(/-?[\\d.]+/g) ?? []).map(Number))"""


def centre(locator):
    """Return the middle of an element, in pixels of the screen."""
    locator.scroll_into_view_if_needed()
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, start, *places):
    """Drag by the mouse from a place of the screen over some others."""
    page.mouse.move(*start)
    page.mouse.down()
    for place in places:
        page.mouse.move(*place)
    page.mouse.up()


def drag_by_finger(tab, start, *places):
    """Put a finger down at a place of the screen, move it over some others and lift it."""
    device = tab.context.new_cdp_session(tab.page)

    def touch(kind, *places):
        points = [{"x": x, "y": y} for x, y in places]
        device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", start)
    for place in places:
        touch("touchMove", place)
    # A finger that is lifted while it moves flicks, and the browser ignores the next tap.
    tab.page.wait_for_timeout(150)
    touch("touchMove", places[-1])
    touch("touchEnd")


def show_all_panels(figure):
    """Show the panels that an explorer shows on demand on a narrow screen."""
    for toggle in figure.locator('.kx-toggle[aria-expanded="false"]').filter(visible=True).all():
        toggle.click()


def drawn_numbers(found, name):
    """Return the numbers in an attribute of each of some drawn elements."""
    return found.evaluate_all(NUMBERS, name)


class Explorer:
    """An explorer in an open tab: its parts, its state and its verdict."""

    def __init__(self, tab, name):
        self.tab, self.page, self.name = tab, tab.page, name
        self.wait_until_started()

    def wait_until_started(self):
        """Scroll to the explorer and wait until it has started."""
        self.figure = self.page.locator(f'[data-name="{self.name}"]')
        self.figure.scroll_into_view_if_needed()
        self.figure.and_(self.page.locator("[data-ready]")).wait_for()

    def open(self, **state):
        """Follow a link to the explorer in this state."""
        self.tab.goto(f"{self.tab.path}?{self.name}={quote(json.dumps(state))}")
        self.wait_until_started()

    def button(self, name, exact=True):
        """Return a button by its name."""
        return self.figure.get_by_role("button", name=name, exact=exact)

    def part(self, name):
        """Return a named part."""
        return self.figure.locator(f'[data-part="{name}"]')

    def rows(self, part):
        """Return the words in the visible cells of a table, row by row."""
        rows = self.part(part).locator("tr:visible").all()
        return [row.locator("th, td").all_inner_texts() for row in rows]

    @property
    def verdict(self):
        """Return the verdict of the explorer."""
        return self.figure.locator("div.kx-banner").inner_text()

    @property
    def state(self):
        """Return the state in the address of the page; empty in the first state."""
        query = parse_qs(self.page.evaluate("location.search").removeprefix("?"))
        return json.loads(query.get(self.name, ["{}"])[0])

    @property
    def first_state(self):
        """Return the state in which the explorer begins."""
        return json.loads(self.figure.locator('script[type="application/json"]').text_content())

    def slide(self, value, row=0):
        """Move a slider to a value."""
        self.figure.locator(".kx-range input").nth(row).fill(f"{value:g}")
