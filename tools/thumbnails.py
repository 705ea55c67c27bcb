"""The pictures of the gallery: one panel of each chapter's explorer, as the page first shows it.

They are committed, since they change with an explorer alone.

Usage: python -m tools.thumbnails, after `make book`.
"""

import io
from pathlib import Path

from PIL import Image, ImageOps
from playwright.sync_api import sync_playwright

from tools.chromium import FLAGS, find_chromium, served

ROOT = Path(__file__).resolve().parents[1]
HTML = ROOT / "_build" / "html"
SIZE = (480, 380)
# Which of the drawings of an explorer shows its idea, where that is not the first.
PANELS = {"04": 2, "13": 3}


def picture_of(page, panel):
    """Return a drawing of the explorer on a page, cut to the size of the gallery."""
    drawings = page.locator(".kmds-explorer").first.locator("svg:visible, canvas:visible")
    page.locator(".kmds-explorer[data-alive]").first.wait_for()
    large = [one for one in drawings.all() if one.bounding_box()["height"] > 60]
    with Image.open(io.BytesIO(large[panel].screenshot())) as shot:
        return ImageOps.fit(shot.convert("RGB"), SIZE)


def main():
    """Write a picture for each chapter."""
    with sync_playwright() as playwright, served(HTML) as site:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        page = browser.new_page(device_scale_factor=2, viewport={"width": 1280, "height": 1400})
        for chapter in sorted((HTML / "chapters").glob("[0-9][0-9]-*.html")):
            page.goto(f"{site}/chapters/{chapter.name}")
            number = chapter.stem[:2]
            target = ROOT / "images" / "thumbs" / f"{number}.webp"
            picture_of(page, PANELS.get(number, 0)).save(target, quality=82)
            print(target.relative_to(ROOT))


if __name__ == "__main__":
    main()
