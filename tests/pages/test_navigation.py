"""The reading room: folds, links, previews, search, progress, contents, cards."""

import json
import re
from functools import cache
from html import unescape

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from _ext.site_config import read_site_config
from kmds_lib.datasets import load_eurodist, project_equal_area
from tests.pages.conftest import (
    CHAPTERS,
    HTML,
    PHONE,
    SETTLED,
    Reader,
    article_of,
    built_pages,
    source_of,
    words_of,
)

pytestmark = pytest.mark.slow

CHAPTER = "chapters/04-classical-scaling.html"
SITE = read_site_config().site
BLOCK = re.compile(r'<div class="(?:proof (?!proof-text)|exercise )[^"]*" id="([^"]+)"')
FIGURE = re.compile(r'<figure [^>]*id="([^"]+)"')
REFERENCE = re.compile(r'<a class="reference internal" href="([^":?]*)#([^"]+)"')


@pytest.fixture(scope="module")
def chapter(chromium, site):
    """Open one chapter; the checks of this module share the tab."""
    with Reader(chromium, site, CHAPTER) as tab:
        yield tab


# Folded blocks


@pytest.mark.parametrize("page", built_pages())
def test_blocks_fold_without_a_script(page):
    assert "togglebutton." not in source_of(page)
    assert not re.search(r'<div class="[^"]*\bdropdown\b[^"]*admonition', article_of(page))
    for title in re.findall(
        r'<summary class="admonition-title">(.*?)</summary>', article_of(page)
    ):
        assert "<a " not in title


def test_a_click_on_the_title_opens_a_solution_without_javascript(open_tab):
    page = open_tab(CHAPTER, java_script_enabled=False).page
    solutions = page.locator("details.solution")
    assert solutions.count() >= 5
    for i, solution in enumerate(solutions.all(), 1):
        assert solution.get_attribute("open") is None
        # The middle of the title's words, where a link once led away.
        solution.locator("> summary > span").click()
        assert solution.get_attribute("open") is not None
        assert page.locator("details.solution[open]").count() == i
    assert page.url.endswith(CHAPTER)


def test_a_link_into_a_fold_opens_it(chapter):
    page = chapter.page
    anchor = page.evaluate(
        "() => document.querySelectorAll('details.solution')[2].querySelector('section').id"
    )
    for name in (anchor, anchor.removesuffix("-content")):
        page.evaluate("() => document.querySelectorAll('details').forEach((d) => d.open = false)")
        page.evaluate("name => { location.hash = ''; location.hash = name; }", name)
        page.wait_for_function(
            "name => document.getElementById(name).closest('details').open", arg=name
        )
        top = page.evaluate(
            "name => document.getElementById(name).getBoundingClientRect().top", name
        )
        assert 0 <= top < 600


def test_paper_shows_what_is_folded(chapter):
    page = chapter.page
    page.evaluate("() => document.querySelectorAll('details').forEach((d) => d.open = false)")
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details.admonition:not([open], .hide)").count() == 0
    # Folded code is not printed: opened, it would be an empty sheet.
    assert page.locator("details.hide[open]").count() == 0
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    assert page.locator("details.admonition[open]").count() == 0


def test_one_button_shows_all_code_and_the_next_page_keeps_it(open_tab, site):
    tab = open_tab(CHAPTER)
    folds = tab.page.locator(".bd-article details:is(.check, .hide)")
    button = tab.page.locator(".btn-show-code")
    assert {fold.get_attribute("open") for fold in folds.all()} == {None}
    for shown in (True, False, True):
        button.click()
        assert button.get_attribute("aria-pressed") == str(shown).lower()
        assert (folds.first.get_attribute("open") is not None) == shown
        assert (folds.last.get_attribute("open") is not None) == shown
    tab.page.goto(f"{site}/chapters/01-similarity.html")
    assert folds.last.get_attribute("open") is not None


# Links and previews


@pytest.mark.parametrize("page", CHAPTERS)
def test_every_block_has_a_link_of_its_own(page):
    article = article_of(page)
    anchors = BLOCK.findall(article) + FIGURE.findall(article)
    assert len(anchors) >= 12
    links = re.findall(r'<a class="headerlink" href="#([^"]+)"', article)
    assert set(anchors) <= set(links)


def test_the_links_of_blocks_are_seen(chapter):
    hidden = chapter.look().eval_on_selector_all(
        ".admonition-title > .headerlink, figcaption .headerlink",
        "links => links.filter((a) => getComputedStyle(a).visibility !== 'visible'"
        " || getComputedStyle(a).opacity < 1 || !a.offsetWidth).length",
    )
    assert hidden == 0


@cache
def previews(page):
    """Return what the references to a page show, by anchor."""
    text = (HTML / "_static" / "previews" / page).with_suffix(".js").read_text("utf-8")
    return json.loads(text.partition(", ")[2].removesuffix(");\n"))


@pytest.mark.parametrize("page", built_pages())
def test_every_reference_has_something_to_show(page):
    for path, anchor in REFERENCE.findall(article_of(page)):
        target = (HTML / page).parent.joinpath(path).resolve() if path else HTML / page
        name = target.relative_to(HTML.resolve()).as_posix() if path else page
        if name.startswith("_modules/"):
            continue
        shown = previews(name)[unescape(anchor)]
        assert words_of(shown) or "<img" in shown, (path, anchor)
        assert ' id="' not in shown
        assert "<script" not in shown


def test_previews_say_what_the_reference_names():
    shown = previews(CHAPTER)
    assert words_of(shown["thm-strain"]).startswith("Theorem 4.3 (Classical scaling minimises")
    assert "<img" in shown["fig-eurodist-raw"]
    assert words_of(shown["ch-scaling"]).startswith("4. Classical scaling")
    assert "inner products" in words_of(previews("chapters/glossary.html")["term-Gram-matrix"])


def reference_to(page, pattern):
    """Return the first reference of a page whose address ends like this."""
    return page.locator(f'.bd-article a.reference.internal[href$="{pattern}"]').first


def test_the_pointer_shows_a_theorem_and_escape_hides_it(chapter):
    page = chapter.look()
    link, card = reference_to(page, "#thm-strain"), page.locator("#reference-preview")
    link.scroll_into_view_if_needed()
    link.hover()
    card.wait_for(state="visible")
    assert "Classical scaling minimises strain" in card.inner_text()
    assert card.get_attribute("role") == "tooltip"
    assert link.get_attribute("aria-describedby") == "reference-preview"
    # It can be pointed at, and it stays.
    card.hover()
    page.wait_for_timeout(450)
    assert card.is_visible()
    page.keyboard.press("Escape")
    assert not card.is_visible()
    page.mouse.move(0, 0)


def test_the_keyboard_shows_a_reference_to_another_page(chapter):
    page = chapter.look()
    link, card = reference_to(page, "#thm-eckart-young"), page.locator("#reference-preview")
    page.evaluate("() => document.querySelectorAll('details').forEach((d) => d.open = true)")
    page.keyboard.press("Tab")
    link.focus()
    card.wait_for(state="visible")
    assert "Theorem 2.3" in card.inner_text()
    box, frame = card.bounding_box(), page.locator(".bd-article").bounding_box()
    assert box["x"] >= frame["x"] - 1
    assert box["x"] + box["width"] <= frame["x"] + frame["width"] + 1
    page.keyboard.press("Tab")
    page.wait_for_function(
        "() => document.querySelector('#reference-preview').hidden || "
        "document.activeElement.matches('.reference')"
    )


def test_a_finger_follows_the_link_at_once(open_tab):
    tab = open_tab(CHAPTER, has_touch=True, viewport={"width": 390, "height": 844})
    link = reference_to(tab.page, "#thm-strain")
    link.tap()
    tab.page.wait_for_timeout(400)
    assert tab.page.url.endswith("#thm-strain")
    assert not tab.page.locator("#reference-preview").is_visible()


def test_a_tap_shows_a_picture_as_large_as_it_was_drawn(open_tab):
    tab = open_tab(CHAPTER, **PHONE)
    picture = tab.page.locator("figure[id] img[width]").first
    picture.scroll_into_view_if_needed()
    drawn = int(picture.get_attribute("width"))
    assert picture.bounding_box()["width"] < 0.8 * drawn
    picture.tap()
    large = tab.page.get_by_role("dialog").locator("img")
    assert large.bounding_box()["width"] == pytest.approx(drawn, abs=1)
    large.tap()
    large.wait_for(state="detached")


# Search


@pytest.fixture(scope="module")
def search(chromium, site):
    """Open the search page."""
    with Reader(chromium, site, "search.html") as tab:
        tab.page.wait_for_function("() => bookSearch.find('matrix').length > 0")
        yield tab


def named_blocks():
    """Return (question, anchor) of every function, theorem and term of the book."""
    found = []
    for page in built_pages():
        article = article_of(page)
        for name, inner in re.findall(
            r'<dt[^>]* id="(term-[^"]+)">(.*?)</dt>', article, re.DOTALL
        ):
            found.append((words_of(inner).rstrip("#").strip(), name))
        for name in re.findall(r'<dt class="sig[^>]* id="(kmds_lib\.[^"]+)"', article):
            # Methods of many classes have one name; a reader asks for "Embedding.spectrum".
            found.append((re.search(r"(?:[A-Z]\w*\.)?\w+$", name)[0], name))
        for match in BLOCK.finditer(article):
            head = re.search(r'admonition-title">(.*?)</p>', article[match.end() :], re.DOTALL)
            if "proof" in match[0]:
                # A formula stands there as drawn and as read; a reader asks for the latter.
                unread = r'<a class="headerlink.*?</a>|<mjx-math.*?</mjx-math>|\\\(|\\\)'
                title = re.sub(unread, "", head[1])
                found.append((words_of(title), match[1]))
    return found


def test_search_finds_every_function_theorem_and_term(search):
    blocks = named_blocks()
    assert len(blocks) >= 250
    answers = search.page.evaluate(
        "questions => questions.map((q) => bookSearch.find(q).slice(0, 5)"
        ".map(({ url, sentence }) => [url, sentence]))",
        [question for question, _ in blocks],
    )
    lost = []
    for (question, anchor), found in zip(blocks, answers, strict=True):
        hits = [sentence for url, sentence in found if url.endswith(f"#{anchor}")]
        if "<" not in question and not (hits and len(hits[0].split()) >= 2):
            lost.append(question)
    assert lost == []


@pytest.mark.parametrize(
    ("question", "anchor"),
    [
        ("elbow", "term-scree-plot"),
        ("scree plot", "term-scree-plot"),
        ("double centering", "term-double-centring"),
        ("dimension reduction", "term-dimensionality-reduction"),
        ("dimensionality reduction", "term-dimensionality-reduction"),
        ("tSNE", "term-t-SNE"),
        ("UMAP t-SNE", "term-t-SNE"),
    ],
)
def test_search_knows_other_names(search, question, anchor):
    first = search.page.evaluate("q => bookSearch.find(q)[0].url", question)
    assert first.endswith(f"#{anchor}")


def test_one_letter_finds_itself_and_no_word_that_begins_with_it(search):
    found = search.page.evaluate("q => bookSearch.find(q).map((r) => r.name + r.body)", "R")
    assert found
    assert all(" r " in words for words in found)
    assert any(" cmdscale " in words for words in found)


def test_search_shows_the_sentence_and_leads_to_the_section(open_tab):
    tab = open_tab("search.html?q=shadow+loses+least")
    first = tab.page.locator("#search-results li").first
    assert "shadow" in first.locator(".search-sentence").inner_text()
    assert first.locator("mark").count() >= 3
    assert "for “shadow" in tab.page.locator("#search-summary").inner_text()
    for item in tab.page.locator("#search-results li").all():
        # An excerpt is a sentence, not a list of the page's contents.
        assert not re.search(r"\d\.\d+\.\s.*\d\.\d+\.\s", item.locator("p").inner_text())
    address = first.locator("a").get_attribute("href")
    assert "#" in address
    first.locator("a").click()
    tab.page.wait_for_load_state()
    assert tab.page.evaluate("() => document.querySelector(':target') !== null")


def test_search_answers_while_one_types(open_tab):
    tab = open_tab(CHAPTER)
    page = tab.page
    page.keyboard.press("Control+k")
    window, answers = page.locator("#pst-search-dialog"), page.locator("#search-results a")
    page.keyboard.type("double cent")
    expect(page.locator("#search-summary")).to_contain_text("for “double cent”")
    assert answers.first.get_attribute("href").endswith("glossary.html#term-double-centring")
    page.keyboard.type("xyz")
    page.wait_for_function("() => !document.querySelector('#search-results a')")
    assert "Nothing holds all the words" in window.inner_text()
    here = CHAPTER.rpartition("/")[2]
    page.locator("#pst-search-dialog input").fill("four lines draw the map")
    link = page.locator(f'#search-results a[href*="{here}#"]').first
    link.click()
    assert not window.is_visible()
    assert page.evaluate("() => document.querySelector(':target') !== null")


def test_the_search_page_answers_while_one_types(open_tab):
    tab = open_tab("search.html")
    tab.page.wait_for_function("() => bookSearch.find('matrix').length > 0")
    tab.page.keyboard.type("elbow")
    tab.page.wait_for_function("() => location.search === '?q=elbow'")
    assert "term-scree-plot" in tab.page.locator("#search-results a").first.get_attribute("href")


def test_what_is_searched_for_starts_right_of_the_magnifier(search):
    field = search.page.locator(".bd-content form.bd-search")
    icon = field.locator(".fa-magnifying-glass").bounding_box()
    start = field.locator("input").evaluate(
        "e => e.getBoundingClientRect().left + parseFloat(getComputedStyle(e).paddingLeft)"
    )
    assert start > icon["x"] + icon["width"]


def test_search_looks_through_the_articles_alone(search):
    for chrome in ("Toggle primary sidebar", "Fullscreen mode", "Link to this heading"):
        assert search.page.evaluate("q => bookSearch.find(q).length", chrome) == 0


# Progress


def test_marks_and_place_come_back_and_travel(open_tab, site):
    tab = open_tab(CHAPTER)
    page = tab.page
    boxes = page.locator(".exercise-done input")
    total = boxes.count()
    assert total >= 5
    boxes.nth(0).check()
    boxes.nth(2).check()
    page.evaluate("() => document.querySelector('#the-least-strain').scrollIntoView()")
    page.wait_for_function("() => bookProgress.load().place?.anchor === 'the-least-strain'")
    page.reload()
    assert [boxes.nth(i).is_checked() for i in range(3)] == [True, False, True]
    assert page.locator(".bd-sidenav .progress-count").inner_text().startswith(f"2/{total}")
    page.evaluate("() => document.querySelector('#the-least-strain').scrollIntoView()")
    page.wait_for_function("() => bookProgress.load().place?.anchor === 'the-least-strain'")
    page.goto(f"{site}/chapters/preface.html")
    page.locator(SETTLED).wait_for(state="attached")
    assert page.locator("#reading-place a").get_attribute("href").endswith("#the-least-strain")
    assert "least strain" in page.locator("#reading-place").inner_text()
    assert "marked 2 of" in page.locator("#reading-count").inner_text()
    assert page.locator(".progress-place").count() == 1
    with page.expect_download() as saved:
        page.get_by_role("button", name="Export").click()
    record = saved.value.path().read_bytes()
    other = open_tab("chapters/preface.html")
    files = [
        {"name": "progress.json", "mimeType": "application/json", "buffer": record},
        {"name": "holiday.json", "mimeType": "application/json", "buffer": b'{"done": 3}'},
    ]
    for file, words in zip(files, ("Read 2 exercises", "no record of this book"), strict=True):
        other.page.locator("#reading-progress input").set_input_files(files=[file])
        other.page.wait_for_function(
            "words => document.querySelector('#reading-news').textContent.includes(words)",
            arg=words,
        )
        assert "marked 2 of" in other.page.locator("#reading-count").inner_text()


def test_a_page_from_the_cache_shows_what_changed_since(open_tab):
    tab = open_tab("chapters/preface.html")
    record = {"version": 1, "place": None, "done": {"ex-4-constants": "2026-01-01"}}
    tab.page.evaluate(
        """(record) => {
            localStorage.setItem("book-progress", JSON.stringify(record));
            dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
        }""",
        record,
    )
    assert "marked 1 of" in tab.page.locator("#reading-count").inner_text()


def test_marks_work_where_storage_is_denied(chromium, site):
    context = chromium.new_context()
    page, problems = context.new_page(), []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.add_init_script(
        "Storage.prototype.setItem = Storage.prototype.getItem ="
        " () => { throw new DOMException('denied', 'SecurityError'); };"
    )
    page.goto(f"{site}/{CHAPTER}")
    page.locator(".exercise-done input").first.check()
    assert page.locator(".bd-sidenav .progress-count").inner_text().startswith("1/")
    page.goto(f"{site}/chapters/preface.html")
    page.locator(SETTLED).wait_for(state="attached")
    assert "keeps no record" in page.locator("#reading-count").inner_text()
    # The theme asks for its own setting in the head of each page and stops there.
    assert [text for text in problems if "denied" not in text] == []
    context.close()


def test_every_exercise_has_a_box(chapter):
    listed = chapter.page.evaluate("page => window.bookExercises[page]", CHAPTER)
    boxes = chapter.page.eval_on_selector_all(".exercise-done input", "b => b.map((x) => x.value)")
    exercises = re.findall(r'<div class="exercise [^"]*" id="([^"]+)"', article_of(CHAPTER))
    assert boxes == listed == exercises
    names = chapter.page.eval_on_selector_all(
        ".exercise-done input", "b => b.map((x) => x.ariaLabel)"
    )
    assert len(set(names)) == len(names)


# Contents and sidebar


def test_the_contents_always_mark_one_section(chapter):
    page = chapter.look()
    height = page.evaluate("document.documentElement.scrollHeight")
    seen = []
    for step in range(21):
        page.evaluate("y => scrollTo(0, y)", height * step / 20)
        page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))"
        )
        active = page.locator("#pst-page-toc-nav a.active")
        assert active.count() == 1
        assert active.get_attribute("aria-current") == "location"
        seen.append(active.inner_text())
    assert len(set(seen)) >= 10
    assert seen[-1].endswith("History and references")


def test_logo_and_search_stay_on_a_low_screen(open_tab):
    height = 768
    tab = open_tab("chapters/api/sliders.html", viewport={"width": 1280, "height": height})
    tab.page.wait_for_timeout(300)
    for selector in (
        ".bd-sidebar-primary .navbar-brand",
        ".search-button-field",
        ".bd-sidenav .current a.current",
    ):
        box = tab.page.locator(selector).last.bounding_box()
        assert box["y"] >= -1, selector
        assert box["y"] + box["height"] <= height, selector
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert tab.page.evaluate(
            "([selector, x, y]) => !!document.elementFromPoint(x, y).closest(selector)",
            [selector, *middle],
        ), f"{selector} is covered"


def test_titles_of_the_sidebar_are_short():
    nav = source_of(CHAPTER).partition('aria-label="Main"')[2].partition("</nav>")[0]
    titles = [words_of(link) for link in re.findall(r"<a class=[^>]*>(.*?)</a>", nav)]
    assert len(titles) >= 30
    assert [title for title in titles if len(title) > 32] == []


def test_headings_differ_in_size(chapter):
    sizes = chapter.look().evaluate(
        "['h1', 'h2', 'h3'].map((h) => parseFloat(getComputedStyle("
        "document.querySelector(`.bd-article ${h}`)).fontSize))"
    )
    assert sizes[0] >= 1.3 * sizes[1] >= 1.5 * sizes[2]


# What looks the same with and without the keyboard on it, one element of each kind.
UNMARKED = """() => {
    const kinds = new Map();
    const focusable = "a[href], button, summary, input, [tabindex='0']";
    for (const at of document.querySelectorAll(focusable)) {
        const kind = `${at.localName}.${at.className} ${at.closest("nav, aside, article")?.id}`;
        const seen = at.checkVisibility({ visibilityProperty: true });
        if (seen && !at.disabled && !kinds.has(kind)) kinds.set(kind, at);
    }
    const look = (element) => [element, ...element.children].map((part) => {
        const { outlineStyle, outlineColor, boxShadow, stroke } = getComputedStyle(part);
        return [outlineStyle === "none" ? "" : outlineColor, boxShadow, stroke].join();
    }).join();
    const unmarked = [...kinds].filter(([, element]) => {
        document.activeElement.blur();
        const before = look(element);
        element.focus({ focusVisible: true, preventScroll: true });
        return look(element) === before;
    });
    document.activeElement.blur();
    return [kinds.size, unmarked.map(([kind]) => kind)];
}"""


def test_the_keyboard_is_seen_wherever_it_is(chapter):
    assert len(chapter.figures(".kx")) == 2
    kinds, unmarked = chapter.look().evaluate(UNMARKED)
    assert kinds >= 15
    assert unmarked == []


# How a chapter opens


@pytest.mark.parametrize("page", CHAPTERS)
def test_question_and_explorer_come_first(page):
    article = article_of(page)
    question = re.search(r"</h1>\s*<p><strong>(.*?)</strong></p>", article)
    assert question
    assert "?" in question[1]
    assert len(words_of(question[1])) < 220
    facts = article.index("chapter-facts")
    explorer = article.index('class="kmds-explorer"')
    assert question.end() < explorer < article.index(">Imports and settings<")
    assert explorer < facts
    assert article.count("chapter-facts") == 1
    folded = article[facts:].partition("</details>")[0]
    title = re.search(r"<summary[^>]*>(.*?)</summary>", article[facts:])[1]
    assert re.fullmatch(r"\d+ minutes to read, .* to work through: aims and prerequisites", title)
    assert 3 <= folded.count("<li>") <= 6
    assert "You need" in folded


def test_the_gallery_leads_to_every_chapter():
    doors = re.findall(
        r'<div class="door.*?href="([^"#]+)"', article_of("chapters/preface.html"), re.S
    )
    assert [f"chapters/{page}" for page in doors] == CHAPTERS


# Waits until a thumbnail has shown four drawings, or ten seconds, and says how many it showed.
PLAYED = """async (thumb) => {
    const seen = new Set();
    const frame = () => new Promise(requestAnimationFrame);
    for (const begun = Date.now(); seen.size < 4 && Date.now() < begun + 10_000; await frame()) {
        const drawing = thumb.querySelector("svg, canvas");
        seen.add(drawing.toDataURL?.() ?? drawing.innerHTML);
    }
    return seen.size;
}"""
SIZE = "(thumb) => [thumb.offsetWidth, thumb.offsetHeight, thumb.scrollHeight]"


def test_each_picture_of_the_gallery_plays_in_its_frame(open_tab):
    tab = open_tab("chapters/preface.html", reduced_motion="no-preference")
    thumbs = tab.page.locator(".thumb").all()
    assert len(thumbs) == len(CHAPTERS)
    for thumb in thumbs:
        size = thumb.evaluate(SIZE)
        thumb.hover()
        assert thumb.evaluate(PLAYED) == 4, thumb.get_attribute("href")
        assert thumb.evaluate(SIZE) == size
        # A link is one stop of the tab key, whatever moves in it.
        assert thumb.locator(":scope > [inert]").count() == 1


def test_the_gallery_keeps_still_for_readers_who_want_no_motion(open_tab):
    tab = open_tab("chapters/preface.html")
    thumb = tab.page.locator(".thumb").first
    before = thumb.inner_html()
    thumb.hover()
    tab.page.wait_for_timeout(500)
    assert thumb.inner_html() == before


# Pages of the library

ASCII = re.compile(r"\^|\|\||(?<![\w.])[a-z]_[a-z0-9]{1,2}\b(?!\()|Lambda|-1/2|\bsqrt\(")


@pytest.mark.parametrize("page", [page for page in built_pages() if "/api/" in page])
def test_formulas_of_the_library_are_set(page):
    named = 'script|pre|mjx-container|strong|dt(?= class="sig)|span(?= class="math )'
    text = words_of(article_of(page, without=named))
    assert [text[max(0, m.start() - 40) : m.end() + 20] for m in ASCII.finditer(text)] == []


@pytest.mark.parametrize(
    "page", [page for page in built_pages() if re.search(r"/api/(?!index)", page)]
)
def test_every_function_links_to_its_source(page):
    heads = re.findall(
        r'<dt class="sig[^"]*" id="(kmds_\w+(?:\.\w+)+)">(.*?)</dt>',
        article_of(page),
        re.DOTALL,
    )
    assert heads
    for name, head in heads:
        link = re.search(r'href="([^"#]+_modules/[^"#]+)#([^"]+)"', head)
        if link is None:
            assert re.search(rf'id="{name.rpartition(".")[0]}\.', article_of(page)), name
            continue
        assert (HTML / page).parent.joinpath(link[1]).resolve().is_file()


# Bibliography, cards, sitemap


def test_the_entry_that_a_citation_leads_to_is_marked(open_tab):
    tab = open_tab("chapters/bibliography.html")
    marked = "id => getComputedStyle(document.getElementById(id)).outlineStyle"
    first, second = re.findall(r'<div class="citation" id="([^"]+)"', article_of(tab.path))[5:7]
    tab.page.evaluate("id => { location.hash = id; }", first)
    assert tab.page.evaluate(marked, first) == "solid"
    assert tab.page.evaluate(marked, second) == "none"
    style = tab.page.locator(".citation > p").first.evaluate(
        "p => parseFloat(getComputedStyle(p).textIndent)"
    )
    assert style < -10


@pytest.mark.parametrize("page", [page for page in built_pages() if page != "genindex.html"])
def test_every_page_describes_itself(page):
    head = source_of(page).partition("</head>")[0]
    tags = dict(re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', head))
    assert 20 <= len(unescape(tags["description"])) <= 210
    assert tags["og:description"] == tags["description"]
    assert tags["og:title"]
    assert "\\" not in tags["description"]
    card = HTML / tags["og:image"].removeprefix(SITE)
    with Image.open(card) as picture:
        assert picture.size == (1146, 600)
    assert card.stat().st_size < 120_000
    assert tags["og:url"] == f"{SITE}{page}"


def test_the_sitemap_lists_every_page():
    places = re.findall(r"<loc>(.*?)</loc>", (HTML / "sitemap.xml").read_text("utf-8"))
    assert {place.removeprefix(SITE) for place in places} == set(built_pages())


def test_the_keys_of_a_point_move_it_and_not_the_page(open_tab):
    tab = open_tab("chapters/03-distances-gram.html")
    handle = tab.page.locator(".kx-handle").first
    handle.scroll_into_view_if_needed()
    handle.focus()
    tab.page.wait_for_timeout(500)
    place = tab.page.evaluate("scrollY")
    seen = [handle.get_attribute("aria-valuetext")]
    for key in ("Home", "PageUp", "End", "PageDown"):
        handle.press(key)
        seen.append(handle.get_attribute("aria-valuetext"))
        assert seen[-1] != seen[-2], key
    tab.page.wait_for_timeout(200)
    assert tab.page.evaluate("scrollY") == place


# The figure that opens the book


JUMP = "at => document.getAnimations().forEach((one) => { one.currentTime = at; })"


def places(tab):
    """Return where the dots of the moving figure stand."""
    return tab.evaluate(
        "() => [...document.querySelectorAll('.idea circle')].map((dot) => {"
        " const { x, y } = dot.getBoundingClientRect(); return [x, y].map(Math.round); })"
    )


def test_the_moving_figure_begins_at_its_end_moves_and_can_be_held(open_tab):
    tab = open_tab("chapters/preface.html", reduced_motion="no-preference")
    page = tab.page
    page.evaluate(JUMP, 0)
    first = places(page)
    page.evaluate(JUMP, 5000)
    page.wait_for_timeout(500)
    assert places(page) != first
    page.get_by_role("checkbox", name="Hold the moving figure").check()
    page.wait_for_timeout(100)
    held = places(page)
    page.wait_for_timeout(500)
    assert places(page) == held
    page.evaluate(JUMP, 31_000)
    assert places(page) == first


@pytest.mark.parametrize("media", [{"reduced_motion": "reduce"}, {"media": "print"}])
def test_the_moving_figure_rests_in_its_last_state(open_tab, media):
    tab = open_tab("chapters/preface.html", reduced_motion="no-preference")
    tab.page.emulate_media(**media)
    assert tab.page.evaluate("() => document.getAnimations().length") == 0
    dots = places(tab.page)
    assert len({tuple(dot) for dot in dots}) > 35
    assert not tab.page.locator(".idea input").is_visible()


def test_two_squares_of_the_moving_figure_are_distances_of_its_map():
    drawn = re.search(r'class="idea-pair" d="(.*?)"', article_of("chapters/preface.html"))[1]
    roads = load_eurodist()
    order = np.argsort(project_equal_area(roads.coordinates) @ [0.8, -0.6])
    D = roads.distances[np.ix_(order, order)]
    ratios = []
    for square, line in re.findall(r"M([^M]*?)h10v10h-10zM([^M]*)", drawn):
        column, row = ((float(v) - 13.5) / 10 for v in square.split())
        start, end = (np.array(place.split(), float) for place in line.split("L"))
        ratios.append(np.linalg.norm(end - start) / D[int(row), int(column)])
    assert len(ratios) == 2
    assert 0.7 < ratios[0] / ratios[1] < 1.4


@pytest.mark.parametrize("options", [{}, PHONE], ids=["mouse", "finger"])
def test_the_button_of_the_moving_figure_has_room_and_goes_with_it(open_tab, options):
    tab = open_tab("chapters/preface.html", **{"reduced_motion": "no-preference"} | options)
    button = tab.page.locator(".idea input")
    box = button.bounding_box()
    assert min(box["width"], box["height"]) >= (44 if options else 24)
    for place in [(0.5, 0.5), (0.1, 0.5), (0.9, 0.5), (0.5, 0.1), (0.5, 0.9)]:
        at = [
            box[edge] + part * box[side]
            for edge, side, part in zip(("x", "y"), ("width", "height"), place, strict=True)
        ]
        below = "([x, y]) => document.elementsFromPoint(x, y).map((e) => e.tagName)"
        found = tab.page.evaluate(below, at)
        assert found[0] == "INPUT"
        assert not {"path", "circle"} & set(found)
    tab.page.evaluate(JUMP, 30_000)
    assert button.is_visible()
    tab.page.evaluate(JUMP, 31_000)
    assert not button.is_visible()
