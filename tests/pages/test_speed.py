"""A chapter on a slow connection and a slow processor, without JavaScript, and from a folder."""

import gzip
import math
import time
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError

from tests.pages.conftest import CHAPTERS, HTML, Reader
from tools.chromium import QuietHandler, served

# One chapter with sliders and an explorer stands for all where time is short. The explorers of the
# chapters that are left out are timed under the hand.
TIMED = [
    pytest.param(CHAPTERS[number - 1], marks=[pytest.mark.slow] * (number != 3))
    for number in (1, 3, 4, 6, 9, 10, 11)
]
FIGURES = ".kmds-slider, .kmds-explorer"
# With a picture of points in the page, and of lines and sliders.
ONE_OF_A_KIND = ["chapters/02-rank-psd-svd.html", "chapters/07-kernel-pca.html"]
COMPRESSED = {".css", ".html", ".js", ".json", ".svg"}
NETWORK = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
WATCH = """
    window.seen = { shift: 0 };
    const watch = (type, note) =>
        new PerformanceObserver((list) => list.getEntries().forEach(note))
            .observe({ type, buffered: true });
    watch("layout-shift", (entry) => { if (!entry.hadRecentInput) seen.shift += entry.value; });
    watch("paint", ({ name, startTime }) => {
        if (name === "first-contentful-paint") seen.paint = startTime;
    });
"""
# An answer: the theme's button, whose script comes last, has changed the page.
ANSWER = """async () => {
    document.querySelector(".theme-switch-button").click();
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return [performance.now(), document.documentElement.dataset.mode];
}"""
IS_ALIVE = """(figure) => {
    const image = figure.querySelector("img");
    return "alive" in figure.dataset && (!image || (image.complete && image.naturalWidth > 0));
}"""


class CompressingHandler(QuietHandler):
    """Serve the pages as a host does: compressed, over connections that are kept."""

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


@pytest.fixture(scope="module")
def host():
    """Serve the built book compressed and return its address."""
    with served(HTML, CompressingHandler) as address:
        yield address


def slow_visit(chromium, address):
    """Open a page on the slow connection and scroll to its last figure; return what it took."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.add_init_script(WATCH)
    device = context.new_cdp_session(page)
    weights = []
    device.on("Network.loadingFinished", lambda event: weights.append(event["encodedDataLength"]))
    device.send("Network.enable")
    device.send("Network.emulateNetworkConditions", NETWORK)
    device.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(address, wait_until="load")
    answered, mode = page.evaluate(ANSWER)
    assert mode != "auto"
    taken = page.evaluate("() => seen") | {"answer": answered, "bytes": sum(weights)}
    figure = page.locator(FIGURES).last
    start = time.perf_counter()
    figure.evaluate("(figure) => figure.scrollIntoView({ block: 'center', behavior: 'instant' })")
    page.wait_for_function(IS_ALIVE, arg=figure.element_handle())
    taken["alive"] = 1000 * (time.perf_counter() - start)
    taken["shift"] = page.evaluate("() => seen.shift")
    context.close()
    return taken


@pytest.mark.timed
@pytest.mark.parametrize("path", TIMED)
def test_a_chapter_is_quick_on_a_slow_connection(chromium, host, path):
    most = {"paint": 2500, "answer": 5000, "shift": 0.05, "alive": 5000, "bytes": 900_000}
    # Another process may have held the processor: the second visit counts too.
    for _ in range(2):
        try:
            taken = slow_visit(chromium, f"{host}/{path}")
        except TimeoutError:
            late = {"load": math.inf}
            continue
        late = {name: value for name, value in taken.items() if value > most[name]}
        if not late:
            break
    assert late == {}


@pytest.mark.slow
@pytest.mark.parametrize("path", ONE_OF_A_KIND)
def test_figures_and_formulas_stand_without_javascript(open_tab, path):
    page = open_tab(path, java_script_enabled=False).page
    assert page.locator(".bd-article mjx-container").filter(visible=True).count() > 0
    for figure in page.locator(FIGURES).all():
        figure.scroll_into_view_if_needed()
        assert figure.locator("img, svg").first.bounding_box()["height"] > 100
        assert not figure.locator("input[type=range], .kx-bar").first.is_visible()


@pytest.mark.slow
def test_a_chapter_works_from_a_folder(chromium):
    with Reader(chromium, f"file://{HTML}", "chapters/07-kernel-pca.html") as tab:
        assert len(tab.figures("img, .kx")) == tab.page.locator(FIGURES).count()
        image = tab.page.locator(".kmds-slider img").first
        before = image.get_attribute("src")
        tab.page.locator(".kmds-slider input").first.press("End")
        assert image.get_attribute("src") != before
        tab.page.wait_for_function("image => image.naturalWidth > 0", arg=image.element_handle())
        assert tab.page.evaluate("document.fonts.check('20px \"STIX Two Text\"')")
