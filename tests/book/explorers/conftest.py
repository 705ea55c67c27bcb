"""An explorer as the reader of its chapter has it, by mouse and keys or on a phone.

A module of tests names the page, `PATH`, and says in its class `Explorer` what can be read there.
"""

import pytest

from tests.book.conftest import PHONE, Reader, ShownExplorer

# Moves a range input to a place, and lets it go.
SLIDE = """(field, place) => {
    field.value = place;
    for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind));
}"""


class Shown(ShownExplorer):
    """An explorer of an open tab, and where its parts stand on the screen."""

    def __init__(self, tab):
        super().__init__(tab)
        self.tab = tab

    def slide(self, place, row=0):
        """Move a slider to a place, and let it go."""
        self.figure.locator(".kx-range input").nth(row).evaluate(SLIDE, place)

    def centre(self, locator):
        """Return where on the screen the middle of something is."""
        locator.scroll_into_view_if_needed()
        box = locator.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, start, *places):
        """Drag by the mouse from a place of the screen over some others."""
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        for place in places:
            mouse.move(*place)
        mouse.up()

    def follow(self, start, end):
        """Drag by the mouse; what is seen follows the hand, what is heard and linked waits."""
        said, mouse = self.figure.locator(".kx-said"), self.page.mouse
        before = said.inner_text()
        mouse.move(*start)
        mouse.down()
        mouse.move(*end, steps=6)
        self.page.wait_for_function(
            "text => document.querySelector('.kx-banner').textContent.trim() !== text", arg=before
        )
        assert said.inner_text() == before
        assert self.state() == {}
        mouse.up()
        assert said.inner_text() == self.banner()


@pytest.fixture(scope="module")
def tab(request, chromium, site):
    """Open the page of a module; its tests share the tab."""
    tab = Reader(chromium, site, request.module.PATH)
    yield tab
    tab.context.close()


@pytest.fixture(autouse=True)
def _nothing_goes_wrong(request):
    """Fail a test during which a page that others use too had an error."""
    reader = request.getfixturevalue("reader") if "reader" in request.fixturenames else None
    yield
    assert reader is None or reader.problems == []


@pytest.fixture
def explorer(request, tab):
    """Show the explorer of a module in its first state; nothing may go wrong."""
    yield request.module.Explorer(tab)
    assert tab.problems == []


@pytest.fixture
def phone(request, chromium, site):
    """Show it on a phone, where nothing may go wrong or run over the edge."""
    tab = Reader(chromium, site, request.module.PATH, **PHONE)
    yield request.module.Explorer(tab)
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert tab.problems == []
    tab.context.close()
