"""Titles, formulas and citations of the built pages say what they mean, once."""

import re
from collections import Counter

import nbformat
import pytest
from pybtex.database import parse_file

from tests.pages.conftest import ROOT, article_of, built_pages, source_of, words_of
from tools.chapters import CHAPTERS

CELL = re.compile(r'class="cell [^"]*docutils container')
CHECKED = re.compile(r": (?:(?:agree within|differ by) |at (?:most|least) [-\d.e]+$)")
CHECK = re.compile(r'<(summary|p) class="check">(.*?)</\1>')
WIDGET = re.compile(r'class="kmds-(?:slider|explorer)"')
# The style that all explorers of a page share stands before the first.
OPENED = re.compile(r'<figure class="[^"]*" id="[^"]*">\s*(?:<style>[^<]*</style>)?<div $')
STARS = {"★": "one star", "★★": "two stars", "★★★": "three stars"}
TITLE = re.compile(r'<(p|summary) class="admonition-title">(.*?Exercise .*?)</\1>')
KIND = re.compile(r'exercise-kind">\w+ <span role="img" aria-label="(.*?)">(.*?)</span>')


def exercise_titles(page):
    """Return the titles of the exercises and solutions of a page."""
    return [title for _, title in TITLE.findall(source_of(page))]


@pytest.mark.parametrize("page", [page for page in built_pages() if exercise_titles(page)])
def test_titles_of_exercises_have_no_brackets_in_brackets(page):
    for title in exercise_titles(page):
        assert "*" not in title
        assert " \N{MIDDLE DOT} " in title
        assert not re.search(r"\((Proof|Code|Explore)\b", title)
        for words, stars in KIND.findall(title):
            assert STARS[stars] == words


def test_works_of_one_year_are_told_apart():
    works = [
        (tuple(map(str, entry.persons["author"])), entry.fields.get("year", "")[:4])
        for entry in parse_file(ROOT / "chapters" / "references.bib").entries.values()
        if "author" in entry.persons
    ]
    twice = {work: count for work, count in Counter(works).items() if count > 1}
    assert twice
    pages = " ".join(words_of(article_of(page)) for page in built_pages())
    bibliography = words_of(article_of("chapters/bibliography.html"))
    for ((author, *_), year), count in twice.items():
        surname = author.partition(",")[0]
        assert not re.search(rf"{surname}( et al\.)?,? \[?{year}\]", pages)
        for letter in "abcdefg"[:count]:
            assert f"{year}{letter}." in bibliography


def checks_of(page):
    """Return the lines of a page that say what was checked."""
    return "\n".join(words_of(line) for _, line in CHECK.findall(article_of(page)))


def prose_of(page):
    """Return the words of a page that are no code and in no table of data."""
    return words_of(article_of(page, "script|style|pre|code|dt|table(?=[^>]*dataframe)"))


KINDS = (
    "algorithm|chapter|corollary|definition|example|exercise|fig|figure|lemma|proof|proposition"
    "|remark|section|table|theorem"
)
MISPRINTS = {
    "formula left as TeX": (article_of, r"\\[(\[]"),
    "dollar sign of a formula": (prose_of, r"\$"),
    "sentence set as a formula": (article_of, "(?:<mi>[a-zA-Z]</mi>){12}"),
    "mark that may leave its formula": (
        lambda page: article_of(page, 'script|pre|span(?= class="formula-edges")'),
        r"(?:\\\)|</mjx-container>)</span>[.,;:!?)]",
    ),
    "kind named twice": (
        lambda page: words_of(article_of(page)),
        rf"(?i)\b(?:({KINDS})s? \1\b|figures? fig\.)",
    ),
    "mathematics of a check as it is typed": (
        checks_of,
        r"\^|\de-?\d|[a-zA-Z]_\w\w?\b|\blambda\b| -",
    ),
}


@pytest.mark.parametrize("page", built_pages())
@pytest.mark.parametrize(("text_of", "misprint"), MISPRINTS.values(), ids=MISPRINTS)
def test_nothing_is_misprinted(page, text_of, misprint):
    text = text_of(page)
    found = re.finditer(misprint, text)
    assert [text[max(0, m.start() - 40) : m.end() + 20] for m in found] == []


@pytest.mark.parametrize(
    "page", [page for page in built_pages() if WIDGET.search(article_of(page))]
)
def test_every_interactive_figure_has_a_number_and_a_caption(page):
    opening, *figures = WIDGET.split(article_of(page))
    for before, figure in zip([opening, *figures], figures, strict=False):
        assert OPENED.search(before)
        caption = figure.partition("<figcaption>\n")[2].partition("</figcaption>")[0]
        assert re.search(
            r'caption-number">Fig\. [\d.]+ </span><span class="caption-text">\w', caption
        )
        assert "cell docutils container" not in figure.partition("<figcaption>\n")[0]


@pytest.mark.parametrize("page", built_pages())
def test_a_figure_comes_before_its_code(page):
    for cell in CELL.split(article_of(page))[1:]:
        figure, folded, _ = cell.partition(">Code of this figure<")
        if folded:
            assert "<figure" in figure or WIDGET.search(figure), cell[:200]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_what_only_checks_is_one_line(path):
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    printed = ["".join(out.get("text", "\n") for out in cell.outputs) for cell in cells]
    checking = [text for text in printed if text and all(map(CHECKED.search, text.splitlines()))]
    page = article_of(f"chapters/{path.stem}.html")
    assert page.count('<summary class="check">') == len(checking)
    # What a cell checks besides what it prints stands below that in one line.
    read = re.sub(r'<details class="check">.*?</details>', "", page, flags=re.DOTALL)
    outputs = re.findall(r'<div class="output .*?</pre>', read, re.DOTALL)
    assert len(outputs) > 10 or not path.name[0].isdigit()
    assert [output for output in outputs if CHECKED.search(re.sub("<[^>]*>", "", output))] == []
