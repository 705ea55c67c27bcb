"""Pages on a slow connection and processor, without JavaScript, and opened from a folder."""

import gzip
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError

from tests.pages.conftest import HTML, Tab
from tools.chromium import QuietHandler, served

# A chapter with a slider and explorers.
CHAPTER = "chapters/04-classical-scaling.html"
PREFACE = "chapters/preface.html"
COMPRESSED = {".css", ".html", ".js", ".json", ".svg"}
SLOW_NETWORK = {
    "offline": False,
    "latency": 150,  # ms
    "downloadThroughput": 1_600_000 / 8,  # bytes per second
    "uploadThroughput": 750_000 / 8,
}
SLOWDOWN_OF_PROCESSOR = 4
LIMITS = {
    "first text, ms": 2500,
    "first answer, ms": 5000,
    "layout shift": 0.05,
    "weight, bytes": 900_000,
    "weight without pictures, bytes": 450_000,
}
OBSERVE = """new PerformanceObserver((list) => (window.shifts ??= []).push(...list.getEntries()))
    .observe({ type: "layout-shift", buffered: true })"""
# Press the theme's button, whose script comes last, and wait until the page has changed.
ANSWER = """new Promise((done) => {
    document.querySelector(".theme-switch-button").click();
    requestAnimationFrame(() => setTimeout(() => done(performance.now()))); })"""


class CompressingHandler(QuietHandler):
    """Request handler that compresses pages and keeps connections open, as a web host does."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        """Send one file."""
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        data = path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        if path.suffix in COMPRESSED:
            data = gzip.compress(data)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def slow_visit(chromium, address):
    """Open a page slowly, scroll to its last figure, and return the quantities of LIMITS."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.add_init_script(OBSERVE)
    device = context.new_cdp_session(page)
    device.send("Network.enable")
    device.send("Network.emulateNetworkConditions", SLOW_NETWORK)
    device.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN_OF_PROCESSOR})
    page.goto(address, wait_until="load")
    found = {"first answer, ms": page.evaluate(ANSWER)}
    entries = page.evaluate("performance.getEntries().map((entry) => entry.toJSON())")
    paints = {entry["name"]: entry["startTime"] for entry in entries}
    found["first text, ms"] = paints["first-contentful-paint"]
    sent = [entry for entry in entries if "transferSize" in entry]
    others = [entry for entry in sent if entry["initiatorType"] != "img"]
    for name, part in (("weight, bytes", sent), ("weight without pictures, bytes", others)):
        found[name] = sum(entry["transferSize"] for entry in part)
    figure = page.locator(".kmds-slider, .kmds-explorer").last
    figure.evaluate("(figure) => figure.scrollIntoView({ block: 'center', behavior: 'instant' })")
    figure.and_(page.locator("[data-ready]")).wait_for()
    shifts = page.evaluate("(window.shifts ?? []).map((entry) => entry.toJSON())")
    found["layout shift"] = sum(one["value"] for one in shifts if not one["hadRecentInput"])
    context.close()
    return found


@pytest.mark.timed
@pytest.mark.parametrize("path", [CHAPTER, PREFACE])
def test_a_page_is_fast_on_a_slow_connection(chromium, path):
    with served(HTML, CompressingHandler) as host:
        # Another process may have delayed the first visit: the second counts too.
        for _ in range(2):
            try:
                found = slow_visit(chromium, f"{host}/{path}")
            except TimeoutError:
                exceeded = {"timeout": True}
                continue
            exceeded = {name: found[name] for name in LIMITS if found[name] > LIMITS[name]}
            if not exceeded:
                break
    assert exceeded == {}


@pytest.mark.parametrize("path", [CHAPTER, "chapters/laboratory.html"])
def test_figures_and_formulas_are_drawn_without_javascript(open_tab, path):
    page = open_tab(path, java_script_enabled=False).page
    if path == CHAPTER:
        assert page.locator(".bd-article mjx-container").filter(visible=True).count() > 0
    for figure in page.locator(".kmds-slider, .kmds-explorer").all():
        figure.scroll_into_view_if_needed()
        assert figure.locator("img, svg").first.bounding_box()["height"] > 100
        assert figure.locator("button, input[type=range]").filter(visible=True).count() == 0


def test_a_chapter_works_from_a_folder(chromium):
    with Tab(chromium, HTML.as_uri(), CHAPTER) as tab:
        assert tab.figures()
        slider = tab.page.locator(".kmds-slider")
        before = slider.locator("img").get_attribute("src")
        slider.locator("input").press("End")
        assert slider.locator("img").get_attribute("src") != before
        assert slider.locator("img").evaluate("i => i.decode().then(() => i.naturalWidth > 0)")
        assert tab.page.evaluate("document.fonts.check('20px \"STIX Two Text\"')")
