"""A choice opens by keyboard, says why it is right or wrong, and needs no script."""

import pytest

from tests.book.conftest import HTML, built_pages

pytestmark = pytest.mark.slow

MARK = 'class="concept-check"'
PAGES = [page for page in built_pages() if MARK in (HTML / page).read_text("utf-8")]


@pytest.mark.parametrize("reader", PAGES, indirect=True)
def test_every_choice_answers_the_keyboard_and_is_read_out(reader):
    page = reader.look()
    for check in page.locator(".concept-check").all():
        choices = check.locator("details").all()
        for choice in choices:
            choice.locator("summary").press("Enter")
            why = choice.locator(".choice-why")
            assert why.is_visible()
            right = "right" in choice.get_attribute("class").split()
            assert why.inner_text().startswith("Right." if right else "No.")
            page.wait_for_function(
                "([status, why]) => status.textContent === why.textContent",
                arg=[check.locator("[role=status]").element_handle(), why.element_handle()],
            )
            assert [c.get_attribute("open") is not None for c in choices].count(True) == 1


def test_choices_open_without_a_script(chromium, site):
    context = chromium.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(f"{site}/{PAGES[0]}", wait_until="commit")
    choice = tab.locator(".concept-check details").first
    assert not choice.locator(".choice-why").is_visible()
    choice.locator("summary").click()
    assert choice.locator(".choice-why").is_visible()
    context.close()
