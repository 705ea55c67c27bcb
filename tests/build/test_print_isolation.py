"""A page that a reader prints alone, from a browser in dark mode, looks like one of the book."""

import io
import subprocess

import pytest
from PIL import Image

from tests.build.conftest import letters, text_of
from tests.pages.conftest import Tab

pytestmark = pytest.mark.slow

PAGE = "chapters/03-distances-gram.html"


@pytest.fixture(scope="module")
def sheets(chromium, site, tmp_path_factory):
    """Print a chapter from the browser."""
    path = tmp_path_factory.mktemp("alone") / "page.pdf"
    with Tab(chromium, site, PAGE) as tab:
        tab.set_theme("dark").pdf(path=path, format="A4", print_background=True)
    return path


def grey(sheets):
    """Return all sheets as small grey pictures, without the page number."""
    run = ["pdftoppm", "-r", "20", "-gray", sheets]
    data = subprocess.run(run, capture_output=True, check=True).stdout
    pictures, stream = [], io.BytesIO(data)
    while stream.tell() < len(data):
        magic, size, depth = (stream.readline() for _ in range(3))
        assert (magic, depth) == (b"P5\n", b"255\n")
        width, height = map(int, size.split())
        picture = Image.frombytes("L", (width, height), stream.read(width * height))
        pictures.append(picture.crop((0, 0, width, int(height * 0.92))))
    return pictures


def filled(picture):
    """Return how far down a sheet is printed."""
    box = picture.point(lambda level: 255 * (level < 200)).getbbox()
    return box[3] / picture.height if box else 0


def test_title_has_its_number_and_no_list_of_sections_follows(sheets):
    first = text_of(sheets)[0]
    assert letters("".join(first[:3])).startswith("3Distances")
    assert "Contents" not in [line.strip() for line in first]


def test_solutions_and_proofs_are_printed(sheets):
    text = letters("".join(line for page in text_of(sheets) for line in page))
    assert text.count("SolutiontoExercise3") == 10
    # Of a proof that waits folded on the page.
    assert "fortherowsascolumnsand" in text


def test_sheets_are_light_and_full(sheets):
    pictures = grey(sheets)
    assert all(picture.getpixel((2, 2)) > 250 for picture in pictures)
    half_empty = [n + 1 for n, picture in enumerate(pictures[:-1]) if filled(picture) < 0.5]
    assert half_empty == []
