"""A choice opens by keyboard, says why it is right or wrong, and needs no script."""

import pytest
from playwright.sync_api import expect

from tests.pages.conftest import pages_with

pytestmark = pytest.mark.slow

# What a choice does is the same on all pages, and what it says stands in the chapters.
PAGE = pages_with('class="concept-check"')[0]


def test_every_choice_answers_the_keyboard_and_is_read_out(open_tab):
    for check in open_tab(PAGE).page.locator(".concept-check").all():
        for choice in check.locator("details").all():
            choice.locator("summary").press("Enter")
            why = choice.locator(".choice-why")
            expect(why).to_be_visible()
            is_right = "right" in choice.get_attribute("class").split()
            assert why.inner_text().startswith("Right." if is_right else "No.")
            expect(check.get_by_role("status")).to_have_text(why.text_content())
            expect(check.locator("details[open]")).to_have_count(1)


def test_choices_open_without_a_script(open_tab):
    page = open_tab(PAGE, java_script_enabled=False).page
    choice = page.locator(".concept-check details").first
    assert not choice.locator(".choice-why").is_visible()
    choice.locator("summary").click()
    assert choice.locator(".choice-why").is_visible()
