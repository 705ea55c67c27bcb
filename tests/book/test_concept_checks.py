"""A choice opens by keyboard, says why it is right or wrong, and needs no script."""

import pytest

from tests.book.conftest import HTML, Reader, built_pages

pytestmark = pytest.mark.parametrize(
    "page",
    [
        page
        for page in built_pages()
        if 'class="concept-check"' in (HTML / page).read_text("utf-8")
    ],
)


def test_every_choice_answers_the_keyboard_and_is_read_out(chromium, site, page):
    tab = Reader(chromium, site, page)
    for check in tab.page.locator(".concept-check").all():
        choices = check.locator("details").all()
        for choice in choices:
            choice.locator("summary").press("Enter")
            why = choice.locator(".choice-why")
            assert why.is_visible()
            right = "right" in choice.get_attribute("class").split()
            assert why.inner_text().startswith("Right." if right else "No.")
            tab.page.wait_for_function(
                "([status, why]) => status.textContent === why.textContent",
                arg=[check.locator("[role=status]").element_handle(), why.element_handle()],
            )
            assert [c.get_attribute("open") is not None for c in choices].count(True) == 1
    assert tab.problems == []
    tab.context.close()


def test_choices_open_without_a_script(chromium, site, page):
    context = chromium.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(f"{site}/{page}", wait_until="commit")
    choice = tab.locator(".concept-check details").first
    assert not choice.locator(".choice-why").is_visible()
    choice.locator("summary").click()
    assert choice.locator(".choice-why").is_visible()
    context.close()
