"""A choice opens by keyboard, says why it is right or wrong, and needs no script."""

import pytest

from tests.book.conftest import pages_with

pytestmark = pytest.mark.slow

# Takes one choice after the other; tells what is seen, whether it is said, how many stand open.
CHOOSE = """async (check) => {
    const [choices, seen] = [[...check.querySelectorAll("details")], []];
    for (const choice of choices) {
        const toggled = new Promise((done) => choice.addEventListener("toggle", done));
        choice.querySelector("summary").click();
        await toggled;
        await new Promise((done) => setTimeout(done, 30));
        const why = choice.querySelector(".choice-why");
        seen.push([
            choice.classList.contains("right"),
            why.checkVisibility() ? why.innerText.trim() : "",
            check.querySelector("[role=status]").textContent === why.textContent,
            choices.filter((one) => one.open).length,
        ]);
    }
    return seen;
}"""
PAGES = pages_with('class="concept-check"')


@pytest.mark.parametrize("reader", PAGES, indirect=True)
def test_every_choice_answers_and_is_read_out(reader):
    page = reader.look()
    for check in page.locator(".concept-check").all():
        for right, why, is_said, opened in check.evaluate(CHOOSE):
            assert why.startswith("Right." if right else "No.")
            assert is_said
            assert opened == 1


@pytest.mark.parametrize("reader", PAGES[:1], indirect=True)
def test_choices_answer_the_keyboard(reader):
    for choice in reader.look().locator(".concept-check details").all():
        choice.locator("summary").press("Enter")
        assert choice.locator(".choice-why").is_visible()


def test_choices_open_without_a_script(open_tab):
    page = open_tab(PAGES[0], java_script_enabled=False).page
    choice = page.locator(".concept-check details").first
    assert not choice.locator(".choice-why").is_visible()
    choice.locator("summary").click()
    assert choice.locator(".choice-why").is_visible()
