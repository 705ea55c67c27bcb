"""Every page is quiet, asks no other host, and describes its pictures."""

import pytest

from tests.book.conftest import HTML, built_pages

pytestmark = pytest.mark.parametrize("reader", built_pages(), indirect=True)


def test_console_is_quiet(reader):
    assert reader.problems == []


def test_no_other_host_is_asked(reader):
    assert reader.foreign == []


def test_every_image_has_a_sentence(reader):
    images = reader.look().eval_on_selector_all(
        ".bd-article img", "images => images.map((image) => [image.src.slice(0, 80), image.alt])"
    )
    assert [(source, alt) for source, alt in images if len(alt.split()) < 6] == []


def test_page_is_light(reader):
    document = (HTML / reader.path).stat().st_size
    assert document <= 2_500_000


def test_no_dollar_sign_is_left_of_a_formula(reader):
    text = (
        reader.look()
        .locator(".bd-article")
        .evaluate(
            """article => {
            const copy = article.cloneNode(true);
            copy.querySelectorAll("pre, code, dt, script, style, table.dataframe")
                .forEach((part) => part.remove());
            return copy.textContent;
        }"""
        )
    )
    at = text.find("$")
    assert at < 0, text[max(0, at - 60) : at + 60]
