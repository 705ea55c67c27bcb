"""Every page is quiet, asks no other host, and describes its pictures."""

import re

import pytest

from tests.pages.conftest import CHAPTERS, HTML, article_of, built_pages

pages = pytest.mark.parametrize("page", built_pages())


# The chapters are opened by the tests of their explorers.
@pytest.mark.parametrize("path", [page for page in built_pages() if page not in CHAPTERS])
def test_console_is_quiet_and_no_other_host_is_asked(open_tab, path):
    tab = open_tab(path)
    assert tab.problems == tab.foreign == []


@pages
def test_every_image_has_a_sentence(page):
    images = re.findall(r"<img\b[^>]*>", article_of(page))
    assert [
        image for image in images if not re.search(r'\balt="[^"\s]+(\s+[^"\s]+){5}', image)
    ] == []


@pages
def test_page_and_its_images_are_light(page):
    assert (HTML / page).stat().st_size <= 2_500_000
    for source in re.findall(r'<img\b[^>]* src="(?!data:|http)([^"]+)"', article_of(page)):
        assert (HTML / page).parent.joinpath(source).stat().st_size <= 400_000, source
