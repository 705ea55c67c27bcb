"""The PDF of the book is complete, and its links, page numbers and bookmarks are right."""

import re
from collections import Counter

import pytest
from bs4 import BeautifulSoup

from tests.build.conftest import article, letters, pdf_lines
from tests.pages.conftest import words_of
from tools.pdf import COLUMN_WIDTH, SCRIPT, SITE, planned_pages

pytestmark = pytest.mark.slow

PAGES = [page["docname"] for page in planned_pages()]
TABLES = ("chapters/notation", "chapters/williams", "chapters/conventions", "chapters/errata")
CHAPTERS = [page for page in PAGES if re.match(r"chapters/\d\d-", page)]
FORMULA = re.compile(r'<(span|div) class="math.*?</\1>|<mjx-container.*?</mjx-container>', re.S)
NOT_PRINTED = (
    ".cell:not(:has(.cell_output)) details.hide, .cell:has(figure, img, svg) details.hide,"
    "details > summary, .on-screen, .headerlink, .math, mjx-container,"
    "output, button, .kmds-controls, .kx-banner > span, .kx-control"
)
NUMBER = re.compile(r"\d+(?:\.\d+)?")
GAP_OF_FORMULA = re.compile(r"\s\s+|\s+(?=[:,/])")
"""White space of a bookmark that replaces a formula."""
TOO_WIDE = """<pre style="white-space:pre">{1}</pre>
<table style="width:{0}px"><tr><td>wide</td></tr></table>"""


def start_of(markup):
    """Return the letters of a piece of HTML up to its first formula."""
    return letters(re.sub(r"<[^>]+>|&#?\w+;", "", FORMULA.split(markup)[0]).replace("#", ""))


@pytest.fixture(scope="module")
def ranges(printed):
    """Return the range of printed pages of each page of the site."""
    starts = {letters(title): number for depth, title, number in printed.bookmarks if depth == 0}
    titles = [start_of(re.search(r"<h1.*?</h1>", article(page), re.S)[0]) for page in PAGES]
    starts = [starts[title] for title in titles]
    ends = [*starts[1:], len(printed.lines)]
    return {page: range(*pair) for page, *pair in zip(PAGES, starts, ends, strict=True)}


def text_of(printed, numbers):
    """Return the letters of some printed pages."""
    return "".join(printed.letters[number] for number in numbers)


@pytest.mark.parametrize("page", CHAPTERS)
def test_all_captions_are_printed(printed, ranges, page):
    text = text_of(printed, ranges[page])
    content = BeautifulSoup(article(page), "html.parser")
    for hidden in content.select(".on-screen"):
        hidden.decompose()
    captions = content.select("figcaption:has(.caption-number)")
    starts = [start_of(caption.decode_contents())[:30] for caption in captions]
    assert starts
    assert [start for start in starts if start not in text] == []


@pytest.mark.parametrize("page", [*CHAPTERS, *TABLES])
def test_all_numbers_are_printed(printed, ranges, page):
    content = BeautifulSoup(article(page), "html.parser")
    for hidden in content.select(NOT_PRINTED):
        hidden.replace_with(" ")
    text = " ".join(printed.source_texts[number] for number in ranges[page])
    assert Counter(NUMBER.findall(content.get_text(" "))) - Counter(NUMBER.findall(text)) == {}
    rows = [row.get_text() for row in content.select("tr") if not row.find_parent(class_="kx")]
    rows += "".join(pre.get_text() for pre in content.select(".cell_output pre")).splitlines()
    assert [row for row in rows if letters(row) not in letters(text)] == []


@pytest.mark.parametrize("page", CHAPTERS)
def test_interactive_figures_link_to_the_site(printed, ranges, page):
    urls = {url for number, url, _ in printed.links if number in ranges[page]}
    figures = re.findall(r'<figure[^>]* id="([^"]+)"(.*?)</figure>', article(page), re.S)
    interactive = [
        name for name, content in figures if re.search("kmds-slider|-explorer", content)
    ]
    assert interactive
    assert {f"{SITE.page(page)}#{name}" for name in interactive} <= urls


@pytest.mark.parametrize("page", CHAPTERS)
def test_solutions_follow_the_chapter(printed, ranges, page):
    text = text_of(printed, ranges[page])
    exercises = re.findall(r'class="exercise admonition" id="([^"]+)"', article(page))
    solutions = re.findall(r'class="[^"]*\bsolution\b[^"]*" id="([^"]+)"', article(page))
    assert len(exercises) == len(solutions)
    for number in range(1, len(exercises) + 1):
        exercise = f"Exercise{int(page[9:11])}{number}"
        assert text.index(exercise) < text.rindex("Summary") < text.rindex(f"Solutionto{exercise}")
    linked = {target for number, _, target in printed.links if number in ranges[page]}
    assert {f"{page}#{name}" for name in exercises + solutions} <= linked


def test_bookmarks_lead_to_their_titles(printed):
    assert len(printed.bookmarks) > len(PAGES)
    titles = [title for depth, title, _ in printed.bookmarks if depth == 0]
    for page in PAGES:
        words = words_of(re.search(r"<h1.*?</h1>", article(page), re.S)[0])
        assert re.sub(r"^(\d+)\.", r"\1", words.rstrip("#")) in titles
    for _, title, number in printed.bookmarks:
        for words in map(letters, GAP_OF_FORMULA.split(title)):
            assert words in printed.letters[number], title


def test_contents_and_index_give_the_right_pages(printed, ranges):
    contents = range(2, ranges[PAGES[0]].start)
    lines = [line for number in contents for line in printed.lines[number][:-1]]
    # pdftotext reads some page numbers with a space between their digits.
    entries = ["".join(line.split()) for line in lines if re.search(r"\s\d+$", line)]
    targets = [target for number, _, target in printed.links if number in contents]
    expected = [printed.targets[target] + 1 for target in dict.fromkeys(targets)]
    pairs = list(zip(entries, expected, strict=True))
    assert [entry for entry, number in pairs if not entry.endswith(str(number))] == []
    assert len(pairs) > len(PAGES)
    index = "\n".join(line for number in ranges["genindex"] for line in printed.lines[number])
    entry = re.search(r"Cailliez\D*?, (\d+)", index)
    assert "cailliez" in printed.letters[int(entry[1]) - 1].lower()


def test_folds_without_a_title_get_none(printed):
    assert "Details" not in [line.strip() for page in printed.lines for line in page]


def test_links_have_targets_within_the_book_or_on_the_web(printed):
    assert printed.links
    printed_urls = tuple(SITE.page(page) for page in PAGES)
    for number, url, target in printed.links:
        assert bool(url) != (target in printed.targets), (number + 1, url, target)
        assert "127.0.0.1" not in url
        # Links to printed pages stay within the book, except for interactive figures.
        assert "#fig-" in url or not url.startswith(printed_urls), (number + 1, url)


def test_pdf_is_tagged_for_screen_readers(printed):
    root = printed.reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert str(root["/Lang"]) == "en"
    assert printed.reader.metadata.title == SITE.title
    assert printed.reader.metadata.author


def test_elements_that_are_too_wide_are_reported(chromium, site):
    page = chromium.new_page(viewport={"width": COLUMN_WIDTH, "height": 900})
    page.goto(f"{site}/chapters/bibliography.html")
    page.emulate_media(media="print")
    page.evaluate(SCRIPT)
    assert page.evaluate("printing.fit()") == []
    content = TOO_WIDE.format(COLUMN_WIDTH + 60, "x" * 200)
    page.eval_on_selector("article.bd-article", "(e, text) => { e.innerHTML = text; }", content)
    assert len(page.evaluate("printing.fit()")) == 2
    page.close()


def test_single_page_prints_in_full_from_a_dark_browser(chromium, site, tmp_path):
    page = chromium.new_page(color_scheme="dark")
    page.goto(f"{site}/chapters/03-distances-gram.html")
    page.pdf(path=tmp_path / "page.pdf", format="A4", print_background=True)
    page.emulate_media(media="print", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    colour = page.evaluate("getComputedStyle(document.querySelector('article p')).color")
    assert max(map(int, re.findall(r"\d+", colour))) < 100
    page.close()
    lines = pdf_lines(tmp_path / "page.pdf")
    assert letters("".join(lines[0][:3])).startswith("3Distances")
    text = letters("".join(line for page in lines for line in page))
    solutions = re.findall(r'class="[^"]*\bsolution\b', article("chapters/03-distances-gram"))
    assert text.count("SolutiontoExercise3") == len(solutions)
