"""Settings of property tests with Hypothesis, and the browser of the tests of built pages."""

import os
from pathlib import Path

# As in the Makefile, and before NumPy is imported: on a busy machine, two BLAS threads that wait
# for each other make some tests a hundred times slower.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import settings

from tools.chromium import FLAGS, find_chromium, served

# Every run uses the same examples unless the variable FRESH is set. There is no time limit,
# because the machine may be busy with other work.
settings.register_profile("book", deadline=None, derandomize="FRESH" not in os.environ)
settings.load_profile("book")


@pytest.fixture(scope="session")
def site():
    """Serve the built book and return its address."""
    with served(Path(__file__).resolve().parents[1] / "_build" / "html") as address:
        yield address


@pytest.fixture(scope="session")
def chromium():
    """Start Chromium; without one, fail on a build server and skip elsewhere."""
    from playwright.sync_api import sync_playwright  # the tests of the library work without it

    executable = find_chromium()
    if executable is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(
            "Chromium is not installed: apt-get install chromium-headless-shell"
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield browser
        browser.close()
