"""Read the built pages, and open them in a tab that can reach no other host."""

import re
from contextlib import ExitStack
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from _ext.site_config import ROOT

HTML = ROOT / "_build" / "html"
INTERACTIVE = re.compile(r'<div class="kmds-(?:slider|explorer)"')
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# Give all sections of a page their layout at once.
LAY_OUT = "() => { delete document.documentElement.dataset.layingOut; }"
# All animations end, except one that follows the scrolling.
WAIT_FOR_TRANSITIONS = """() => Promise.all(document.getAnimations()
    .filter(({ timeline }) => timeline === document.timeline).map(({ finished }) => finished))"""


def built_pages():
    """Return the paths of all pages that readers see, relative to the site."""
    helpers = {"index.html", "prf-prf.html", "py-modindex.html", "search.html"}
    pages = (path.relative_to(HTML).as_posix() for path in HTML.rglob("*.html"))
    return sorted(
        page for page in pages if page not in helpers and not page.startswith(("_", "reports/"))
    )


@cache
def source_of(page):
    """Return the HTML of a page."""
    return (HTML / page).read_text("utf-8")


@cache
def article_of(page, without="script"):
    """Return the HTML of a page's article without the named elements."""
    article = source_of(page).partition("<article")[2].partition("</article>")[0]
    return re.sub(rf"<({without})\b.*?</\1>", " ", article, flags=re.DOTALL)


def words_of(markup):
    """Return the words of a piece of HTML."""
    return " ".join(unescape(re.sub(r"<[^>]+>", "", markup)).split())


def pages_with(text):
    """Return the pages that contain a piece of HTML."""
    return [page for page in built_pages() if text in source_of(page)]


class Anchors(HTMLParser):
    """The links and ids of one page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """Collect the ids and links of a tag."""
        attributes = dict(attrs)
        if attributes.get("id"):
            self.ids.append(attributes["id"])
        for name in ("href", "src"):
            if tag in ("a", "img", "link", "script") and attributes.get(name):
                self.links.append(attributes[name])


@cache
def anchors(path):
    """Return the links and ids of the page in a file."""
    return Anchors(path.read_text(encoding="utf-8"))


def is_broken(page, link):
    """Return True if the page or the anchor that an internal link names does not exist."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return False
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return True
    anchor = unquote(parts.fragment)
    return bool(anchor and target.suffix == ".html" and anchor not in anchors(target).ids)


CHAPTERS = [page for page in built_pages() if re.match(r"chapters/\d\d-", page)]


class Tab:
    """One browser tab; closing it asserts that nothing failed and no other host was contacted."""

    def __init__(self, chromium, site, path, **options):
        self.site, self.path = site, path
        self.errors, self.foreign_requests = [], []
        options = {
            "viewport": {"width": 1280, "height": 900},
            "reduced_motion": "reduce",
        } | options
        self.context = chromium.new_context(**options)
        self.context.add_init_script(path=Path(__file__).with_name("inPage.js"))
        self.page = self.context.new_page()
        self.page.on("request", self._collect_foreign_request)
        self.page.on("console", self._collect_console_error)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("response", self._collect_failed_response)
        self.goto(path)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()
        assert self.errors == self.foreign_requests == []

    def goto(self, path):
        """Open a page of the book and lay out all its sections."""
        self.page.goto(f"{self.site}/{path}", wait_until="load")
        self.page.evaluate(LAY_OUT)

    def _collect_foreign_request(self, request):
        is_web = urlsplit(request.url).scheme in ("http", "https")
        if is_web and not request.url.startswith(self.site):
            self.foreign_requests.append(request.url)

    def _collect_console_error(self, message):
        if message.type == "error":
            self.errors.append(message.text)

    def _collect_failed_response(self, response):
        if response.status >= 400:
            self.errors.append(f"{response.status} {response.url}")

    def set_theme(self, theme):
        """Show the page in the light or the dark theme."""
        self.page.evaluate("t => { document.documentElement.dataset.theme = t; }", theme)
        self.page.evaluate(WAIT_FOR_TRANSITIONS)
        return self.page

    def figures(self):
        """Return the started interactive figures."""
        found = self.page.locator(".kmds-slider, .kmds-explorer").all()
        for figure in found:
            figure.scroll_into_view_if_needed()
            figure.and_(self.page.locator("[data-ready]")).wait_for()
        # The laboratory dims its results, and makes them inert, until they are computed.
        self.page.locator("[data-part=out][inert]").wait_for(state="detached")
        return found


@pytest.fixture
def open_tab(chromium, site):
    """Return a function that opens a page of the book in a tab of its own."""
    with ExitStack() as tabs:
        yield lambda path, **options: tabs.enter_context(Tab(chromium, site, path, **options))
