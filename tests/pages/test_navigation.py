"""Reading a page: folds, previews, concept checks, progress, contents."""

import re
from contextlib import suppress

import pytest
from fontTools.ttLib import TTFont
from playwright.sync_api import Error, expect

from tests.pages.conftest import CHAPTERS, HTML, PHONE, pages_with

CHAPTER = "chapters/04-classical-scaling.html"

# Folds


def test_solutions_open_without_javascript(open_tab):
    page = open_tab(CHAPTER, java_script_enabled=False).page
    solution = page.locator("details.solution").first
    assert solution.get_attribute("open") is None
    solution.locator("> summary > span").click()
    assert solution.get_attribute("open") is not None
    assert page.url.endswith(CHAPTER)


def test_a_link_into_a_fold_opens_it(open_tab):
    page = open_tab(CHAPTER).page
    anchor = page.locator("details.solution section").nth(2).get_attribute("id")
    page.evaluate("name => { location.hash = name; }", anchor)
    target = page.locator(f'[id="{anchor}"]')
    expect(target).to_be_in_viewport()
    assert target.evaluate("element => element.closest('details').open")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_shows_few_checks_and_folds_the_others(chapter, open_tab):
    page = open_tab(chapter).page
    folds = page.locator("summary.check", has_text="more check")
    is_visible = "all => all.filter((one) => one.checkVisibility()).length"
    shown = page.locator(".check-sentence").evaluate_all(is_visible)
    assert shown - folds.evaluate_all(is_visible) <= 10
    if chapter == CHAPTERS[0]:  # the other chapters may have only folded checks, or none
        assert shown


def test_one_button_shows_all_code(open_tab):
    tab = open_tab(CHAPTER)
    folds = tab.page.locator(".bd-article details:is(.check, .hide)")
    assert not any(folds.evaluate_all("all => all.map((fold) => fold.open)"))
    button = tab.page.locator(".btn-show-code")
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    assert all(folds.evaluate_all("all => all.map((fold) => fold.open)"))
    tab.goto(CHAPTERS[0])
    assert all(folds.evaluate_all("all => all.map((fold) => fold.open)"))


# Concept checks


def test_concept_checks_respond_to_keys_and_are_announced(open_tab):
    page = open_tab(pages_with('class="concept-check"')[0]).page
    for check in page.locator(".concept-check").all():
        for choice in check.locator("details").all():
            choice.locator("summary").press("Enter")
            reason = choice.locator(".choice-why")
            expect(reason).to_be_visible()
            expect(check.get_by_role("status")).to_have_text(reason.text_content())
            expect(check.locator("details[open]")).to_have_count(1)


# Previews and pictures


def reference_to(page, anchor):
    """Return the first reference to an anchor."""
    return page.locator(f'.bd-article a.reference.internal[href$="{anchor}"]').first


def test_hovering_a_reference_previews_its_target(open_tab):
    page = open_tab(CHAPTER).page
    link, card = reference_to(page, "#thm-strain"), page.locator("#reference-preview")
    link.scroll_into_view_if_needed()
    # Scrolling moves the link under the mouse.
    box = link.bounding_box()
    page.mouse.move(box["x"] + 9, box["y"] + box["height"] / 2 + 100)
    page.evaluate("scrollBy(0, -100)")
    page.wait_for_timeout(450)
    assert link.evaluate("link => link.matches(':hover')")
    assert not card.is_visible()
    link.hover()
    card.wait_for(state="visible")
    assert "Theorem 4.3" in card.inner_text()
    assert card.get_attribute("role") == "tooltip"
    assert link.get_attribute("aria-describedby") == "reference-preview"
    # WCAG 1.4.13: the pointer may move onto the card, and Escape dismisses it.
    card.hover()
    page.wait_for_timeout(450)
    assert card.is_visible()
    page.keyboard.press("Escape")
    assert not card.is_visible()


def test_focusing_a_reference_previews_another_page(open_tab):
    page = open_tab(CHAPTER).page
    link, card = reference_to(page, "#thm-eckart-young"), page.locator("#reference-preview")
    page.eval_on_selector_all("details", "all => all.forEach((fold) => { fold.open = true; })")
    page.keyboard.press("Tab")
    link.focus()
    card.wait_for(state="visible")
    assert "(Eckart and Young)" in card.inner_text()


def test_tapping_a_reference_follows_it_at_once(open_tab):
    page = open_tab(CHAPTER, **PHONE).page
    reference_to(page, "#thm-strain").tap()
    page.wait_for_timeout(400)
    assert page.url.endswith("#thm-strain")
    assert not page.locator("#reference-preview").is_visible()


def test_tapping_a_picture_on_a_phone_enlarges_it(open_tab):
    page = open_tab(CHAPTER, **PHONE).page
    picture = page.locator("figure[id] img[width]").first
    small = picture.bounding_box()["width"]
    picture.tap()
    large = page.get_by_role("dialog").locator("img")
    # A rotated figure is as high as it was wide.
    box = large.bounding_box()
    assert max(box["width"], box["height"]) > 1.2 * small
    assert box["width"] < PHONE["viewport"]["width"] + 1
    large.tap()
    large.wait_for(state="detached")


# Progress


def test_progress_is_kept(open_tab):
    tab = open_tab(CHAPTER)
    page = tab.page
    boxes = page.locator(".exercise-done input")
    boxes.nth(0).check()
    boxes.nth(2).check()
    page.reload()
    assert [boxes.nth(i).is_checked() for i in range(3)] == [True, False, True]
    count = page.locator(".bd-sidenav .progress-mark").inner_text()
    assert count.startswith(f"2/{boxes.count()}")


def send_sandboxed(route):
    """Send a file to a sandbox, in which the browser denies all storage."""
    # The sandbox is an origin of its own, which loads fonts only with the second header.
    headers = {"content-security-policy": "sandbox allow-scripts"}
    headers |= {"access-control-allow-origin": "*"}
    # A file may be asked for just before the page is left.
    with suppress(Error):
        response = route.fetch()
        route.fulfill(response=response, headers=response.headers | headers)


def open_without_storage(open_tab, site, **options):
    """Open a chapter in a sandbox and return its page."""
    tab = open_tab("genindex.html", **options)
    tab.page.route(f"{site}/**", send_sandboxed)
    tab.goto(CHAPTER)
    assert tab.page.evaluate("() => !(localStorage instanceof Storage)")
    return tab.page


def test_progress_theme_and_search_work_without_storage(open_tab, site):
    page = open_without_storage(open_tab, site)
    page.locator(".exercise-done input").first.check()
    assert page.locator(".bd-sidenav .progress-mark").inner_text().startswith("1/")
    page.locator(".theme-switch-button").filter(visible=True).click()
    expect(page.locator("html")).to_have_attribute("data-mode", re.compile("light|dark"))
    page.keyboard.press("Control+k")
    page.keyboard.type("strain")
    expect(page.locator("#search-results a").first).to_be_visible()


def test_the_menu_of_a_phone_works_without_storage(open_tab, site):
    page = open_without_storage(open_tab, site, **PHONE)
    page.locator(".primary-toggle").filter(visible=True).tap()
    expect(page.locator("#pst-primary-sidebar-modal")).to_be_visible()


# Contents, focus and icons

TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
IS_LAID_OUT = "!('layingOut' in document.documentElement.dataset)"
IS_AT_END = "document.documentElement.scrollHeight - innerHeight <= scrollY + 1"


def test_contents_mark_the_section_that_is_read(open_tab):
    page = open_tab(CHAPTER).page
    # While the sections get their layout, the page below the reader still moves.
    page.wait_for_function(IS_LAID_OUT)
    expect(page.locator("#pst-page-toc-nav .active")).to_have_count(0)
    seen = []
    for section in page.locator(".bd-article > section > section[id]").all():
        section.evaluate("(section) => section.scrollIntoView()")
        page.evaluate(TWO_FRAMES)  # until the browser has told its observers
        anchor = section.get_attribute("id")
        active = page.locator("#pst-page-toc-nav a.active[aria-current='location']")
        expect(active).to_have_count(1)
        seen.append((active.get_attribute("href"), f"#{anchor}"))
    assert sum(marked == wanted for marked, wanted in seen[:-1]) >= len(seen) - 3


def test_the_header_names_the_page_at_its_top(open_tab):
    page = open_tab(CHAPTER, viewport={"width": 390, "height": 15000}).page
    name = page.locator(".bd-docs-nav a.current").last.text_content()
    expect(page.locator(".section-in-view")).to_have_text(name)
    page.evaluate("scrollTo(0, 60)")
    expect(page.locator(".section-in-view")).not_to_have_text(name)


def test_the_header_of_a_phone_shows_the_section_that_is_read(open_tab):
    page = open_tab(f"{CHAPTER}#exercises", **PHONE).page
    page.get_by_role("button", name="Exercises").tap()
    expect(page.locator("#pst-page-toc-nav a.active").last).to_be_in_viewport()
    page.locator("#pst-page-toc-nav a").first.tap()
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator("#pst-page-toc-nav a.active")).to_have_count(1)


def test_a_link_with_an_anchor_jumps_to_the_title(open_tab):
    page = open_tab(f"{CHAPTER}#exercises", reduced_motion="no-preference").page
    top_of_title = "name => document.getElementById(name).getBoundingClientRect().top"
    assert 50 < page.evaluate(top_of_title, "exercises") < 80
    title = page.locator(".bd-article > section > section").nth(1).get_attribute("id")
    page.evaluate("name => { location.hash = name; }", title)
    assert 50 < page.evaluate(top_of_title, title) < 80


def test_a_link_reaches_the_last_section_of_a_chapter(open_tab, site):
    page = open_tab("genindex.html").page
    page.goto(f"{site}/chapters/11-manifolds.html#history-and-references")
    page.wait_for_function(IS_AT_END)


def test_the_end_key_reaches_the_end_of_a_chapter(open_tab, site):
    page = open_tab("genindex.html").page
    page.goto(f"{site}/chapters/11-manifolds.html")
    page.keyboard.press("End")
    page.wait_for_function(IS_LAID_OUT)
    page.wait_for_function(IS_AT_END)


@pytest.mark.parametrize("chapter", [CHAPTERS[0], CHAPTERS[-1]])
def test_the_list_of_pages_shows_the_current_page_on_a_phone(open_tab, chapter):
    page = open_tab(chapter, **PHONE).page
    page.locator(".primary-toggle").filter(visible=True).tap()
    expect(page.locator(".bd-docs-nav a.current").last).to_be_in_viewport(ratio=1)


def test_the_list_of_pages_shows_the_current_page(open_tab):
    page = open_tab("chapters/which-method.html", viewport={"width": 1280, "height": 800}).page
    page.locator('.bd-article a[href*="09-stress"]').first.click()
    expect(page.locator(".bd-docs-nav a.current")).to_be_in_viewport(ratio=1)
    assert "Stress" in page.locator(".bd-docs-nav a.current").inner_text()
    page.locator(".navbar-brand").first.click()
    page.wait_for_url("**/preface.html")
    expect(page.locator(".bd-docs-nav .current > a")).to_be_in_viewport(ratio=1)


def test_keyboard_focus_is_visible(open_tab):
    tab = open_tab(CHAPTER)
    assert tab.figures()
    assert tab.page.evaluate("inPage.withoutFocusStyle()") == []


GENERATED_CONTENT = """[...document.querySelectorAll("body :not(mjx-container *)")].flatMap((at) =>
    ["::before", "::after"].map((part) => getComputedStyle(at, part).content))"""


def test_icons_are_in_the_reduced_fonts(open_tab):
    contents = open_tab(CHAPTER).page.evaluate(GENERATED_CONTENT)
    icons = set(map(ord, re.findall("[\ue000-\uf8ff]", "".join(contents))))  # for private use
    fonts = (HTML / "_static" / "vendor" / "fontawesome" / "webfonts").glob("*.woff2")
    drawn = set().union(*(TTFont(font).getBestCmap() for font in fonts))
    assert icons
    assert icons <= drawn
