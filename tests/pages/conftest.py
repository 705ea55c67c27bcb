"""The built book, served to a headless Chromium that can reach no other host."""

import os
import re
from contextlib import ExitStack
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import sync_playwright

from tools.chromium import FLAGS, find_chromium, served

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "_build" / "html"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# A page whose sections all have their layout.
SETTLED = "html:not([data-settling])"
SETTLE = "() => { delete document.documentElement.dataset.settling; }"
# The theme moves its sidebars for some frames after a change of width.
CALM = """() => new Promise((done) => {
    let [width, frames] = [-1, 0];
    const look = () => {
        const now = document.querySelector("main").clientWidth;
        frames = now === width ? frames + 1 : 0;
        width = now;
        if (frames < 6) requestAnimationFrame(look);
        else done();
    };
    look();
})"""


def built_pages():
    """Return the paths of all pages that readers see, relative to the site."""
    helpers = {"index.html", "prf-prf.html", "py-modindex.html", "search.html"}
    pages = (path.relative_to(HTML).as_posix() for path in HTML.rglob("*.html"))
    return sorted(
        page for page in pages if page not in helpers and not page.startswith(("_", "reports/"))
    )


@cache
def source_of(page):
    """Return a page as it was built."""
    return (HTML / page).read_text("utf-8")


@cache
def article_of(page, without="script"):
    """Return the HTML of a page's article without elements of some names."""
    article = source_of(page).partition("<article")[2].partition("</article>")[0]
    return re.sub(rf"<({without})\b.*?</\1>", " ", article, flags=re.DOTALL)


def words_of(markup):
    """Return the words of a piece of HTML."""
    return " ".join(unescape(re.sub(r"<[^>]+>", "", markup)).split())


def pages_with(text):
    """Return the pages that hold a piece of HTML."""
    return [page for page in built_pages() if text in source_of(page)]


CHAPTERS = [page for page in built_pages() if re.match(r"chapters/\d\d-", page)]


@pytest.fixture(scope="session")
def site():
    """Serve the built book and return its address."""
    with served(HTML) as address:
        yield address


@pytest.fixture(scope="session")
def chromium():
    """Start Chromium; skip where there is none, fail on a build server."""
    executable = find_chromium()
    if executable is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(
            "no Chromium here, which `apt-get install chromium` brings"
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield browser
        browser.close()


class Reader:
    """One browser tab on one page of the book, in which nothing may go wrong."""

    def __init__(self, chromium, site, path, **options):
        self.site, self.path = site, path
        self.problems, self.foreign = [], []
        self.looked = None
        options = {
            "viewport": {"width": 1280, "height": 900},
            "reduced_motion": "reduce",
        } | options
        self.context = chromium.new_context(**options)
        self.page = self.context.new_page()
        self.page.route("**/*", self._gate)
        self.page.on("console", self._note_console)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("response", self._note_status)
        self.page.goto(f"{site}/{path}", wait_until="load")
        self.page.evaluate(SETTLE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()
        assert self.problems == self.foreign == []

    def _gate(self, route):
        url = route.request.url
        if urlsplit(url).scheme in ("http", "https") and not url.startswith(self.site):
            self.foreign.append(url)
            route.abort()
        else:
            route.continue_()

    def _note_console(self, message):
        if message.type == "error":
            self.problems.append(message.text)

    def _note_status(self, response):
        if response.status >= 400:
            self.problems.append(f"{response.status} {response.url}")

    def look(self, *, width=1280, theme="light"):
        """Show the page at a width, in light or dark."""
        if self.looked != (width, theme):
            self.looked = (width, theme)
            self.page.set_viewport_size({"width": width, "height": 900})
            self.page.evaluate("t => { document.documentElement.dataset.theme = t; }", theme)
            self.page.evaluate(CALM)
        return self.page

    def figures(self, selector):
        """Return the interactive figures that hold the selector, started by being looked at."""
        kinds = self.page.locator(".kmds-slider, .kmds-explorer")
        found = kinds.filter(has=self.page.locator(selector)).all()
        assert found
        for figure in found:
            figure.scroll_into_view_if_needed()
            figure.and_(self.page.locator("[data-alive]")).wait_for()
        return found


@pytest.fixture(scope="module")
def reader(request, chromium, site):
    """Open one page of the book; all checks of a module share the tab."""
    with Reader(chromium, site, request.param) as tab:
        yield tab


@pytest.fixture
def open_tab(chromium, site):
    """Open tabs of a test's own."""
    with ExitStack() as tabs:
        yield lambda path, **options: tabs.enter_context(Reader(chromium, site, path, **options))
