"""The search finds every function, theorem and term, and answers while one types."""

import json
import re

from bs4 import BeautifulSoup
from playwright.sync_api import expect

from _ext.search_records import SYNONYMS
from tests.pages.conftest import HTML, article_of, built_pages, words_of

BLOCK = re.compile(r'<div class="(?:proof (?!proof-text)|exercise )[^"]*" id="([^"]+)"')
# A formula is drawn and written for screen readers: readers search for the latter.
NOT_ASKED_FOR = r'<a class="headerlink.*?</a>|<mjx-math.*?</mjx-math>|\\\(|\\\)'
FIND = """(questions) => questions.map((question) =>
    bookSearch.find(question).slice(0, 5).map(({ url, sentence }) => [url, sentence]))"""
READY = "() => bookSearch.find('matrix').length > 0"


def named_blocks():
    """Return (question, anchor) of every function, theorem, exercise and term of the book."""
    found = []
    for page in built_pages():
        article = article_of(page)
        for name, term in re.findall(r'<dt[^>]* id="(term-[^"]+)">(.*?)</dt>', article, re.DOTALL):
            found.append((words_of(term).rstrip("#").strip(), name))
        for name in re.findall(r'<dt class="sig[^>]* id="(kmds_lib\.[^"]+)"', article):
            # Methods of several classes share a name; readers search for "Embedding.spectrum".
            found.append((re.search(r"(?:[A-Z]\w*\.)?\w+$", name)[0], name))
        for match in BLOCK.finditer(article):
            title = re.search(r'admonition-title">(.*?)</p>', article[match.end() :], re.DOTALL)
            if "proof" in match[0]:
                found.append((words_of(re.sub(NOT_ASKED_FOR, "", title[1])), match[1]))
    return [(question, anchor) for question, anchor in found if "<" not in question]


def test_search_finds_every_function_theorem_and_term(open_tab):
    page = open_tab("search.html").page
    page.wait_for_function(READY)
    blocks = named_blocks()
    assert len(blocks) >= 250
    answers = page.evaluate(FIND, [question for question, _ in blocks])
    lost = []
    for (question, anchor), found in zip(blocks, answers, strict=True):
        hits = [sentence for url, sentence in found if url.endswith(f"#{anchor}")]
        if not (hits and len(hits[0].split()) >= 2):
            lost.append(question)
    assert lost == []


FIRST_RESULTS = {
    # Chapters come before the library and the bibliography.
    "stress": "09-stress.html",
    "Cailliez": "04-classical-scaling.html#additive-constants",
    "laboratory": "laboratory.html",
    # Synonyms and spellings
    "bandwidth": "07-kernel-pca.html#the-width-of-the-kernel",
    "elbow": "glossary.html#term-scree-plot",
    "double centering": "glossary.html#term-double-centring",
    "dimension reduction": "glossary.html#term-dimensionality-reduction",
    "tSNE": "glossary.html#term-t-SNE",
    "horseshoe": "11-manifolds.html#the-map-of-a-strip",
    "Mercer": "06-kernels.html#positive-definite-kernels",
    "sklearn.manifold.MDS": "09-stress.html",
    # Typing errors
    "procustes": "04-classical-scaling.html#procrustes-alignment",
}


def place_of(url):
    """Return the page of an address and the title that follows its anchor."""
    page, _, anchor = url.partition("#")
    article = BeautifulSoup((HTML / page).read_text("utf-8"), "html.parser").article
    target = article.find(id=anchor) if anchor else article
    titles = ["h1", "h2", "h3", "dt"]
    return page, (target if target.name in titles else target.find_next(titles)).text


def test_search_knows_synonyms_and_spellings(open_tab):
    page = open_tab("search.html").page
    page.wait_for_function(READY)
    answers = page.evaluate(FIND, list(FIRST_RESULTS))
    first = {question: found[0][0] for question, found in zip(FIRST_RESULTS, answers, strict=True)}
    expected = {question: place_of(f"chapters/{url}") for question, url in FIRST_RESULTS.items()}
    assert {question: place_of(url) for question, url in first.items()} == expected


def test_every_synonym_belongs_to_a_block():
    records = (HTML / "_static" / "search-records.js").read_text("utf-8")
    names = [name for names in SYNONYMS.values() for name in names]
    assert [name for name in names if json.dumps(name) not in records] == []


def test_search_results_show_formulas_and_lead_to_their_block(open_tab):
    page = open_tab("search.html?q=disparity").page
    term = page.locator('a[href$="#term-disparity"]')
    item = page.locator("#search-results li").filter(has=term)
    expect(item).to_contain_text("d\u0302ij = f(δij)")
    assert item.locator("sub", has_text="ij").count() >= 2
    item.locator("a").click()
    page.wait_for_load_state()
    assert page.evaluate("() => document.querySelector(':target') !== null")


def test_search_window_answers_while_one_types(open_tab):
    page = open_tab("chapters/04-classical-scaling.html").page
    page.keyboard.press("Control+k")
    results = page.locator("#search-results")
    page.keyboard.type("double cent")
    expect(page.locator("#search-summary")).to_contain_text("double cent")
    expect(results.locator("a").first).to_have_attribute("href", re.compile("double-centring$"))
    assert results.locator("mark").count() > 0
    page.keyboard.press("ArrowDown")
    expect(results.locator("a").first).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.type("xyz")
    expect(results.locator("a")).to_have_count(0)
    expect(page.locator("#pst-search-dialog")).to_contain_text("Nothing")
    page.locator("#pst-search-dialog input").fill("t-sne")
    expect(results.locator("mark").first).to_have_text("t")
    assert {mark.lower() for mark in results.locator("mark").all_inner_texts()} == {"t", "sne"}
    assert all(results.locator(".search-sentence").all_inner_texts())
    page.locator("#pst-search-dialog input").fill("strain")
    page.locator("#pst-search-dialog input").press("Enter")
    expect(page.locator("#pst-search-dialog")).to_be_hidden()
    assert page.evaluate("() => document.querySelector(':target') !== null")
