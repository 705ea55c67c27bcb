"""Titles and citations of the built pages say what they mean, once."""

import re
from collections import Counter

import pytest
from pybtex.database import parse_file

from tests.book.conftest import HTML, ROOT, built_pages

STARS = {"★": "one star", "★★": "two stars", "★★★": "three stars"}
TITLE = re.compile(r'<p class="admonition-title">(.*?Exercise .*?)</p>')
KIND = re.compile(r'exercise-kind">\w+ <span role="img" aria-label="(.*?)">(.*?)</span>')


def text_of(page):
    """Return the words of a page's article."""
    article = (HTML / page).read_text("utf-8").partition("<article")[2].partition("</article>")[0]
    return " ".join(re.sub(r"<[^>]+>", "", article).split())


def exercise_titles(page):
    """Return the titles of the exercises and solutions of a page."""
    return TITLE.findall((HTML / page).read_text("utf-8"))


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
        (tuple(map(str, entry.persons["author"])), entry.fields.get("year"))
        for entry in parse_file(ROOT / "chapters" / "references.bib").entries.values()
        if "author" in entry.persons
    ]
    twice = {work: count for work, count in Counter(works).items() if count > 1}
    assert twice
    pages = " ".join(map(text_of, built_pages()))
    for ((author, *_), year), count in twice.items():
        surname = author.partition(",")[0]
        assert not re.search(rf"{surname}( et al\.)?,? \[?{year}\]", pages)
        for letter in "abcdefg"[:count]:
            assert f"{year}{letter}." in text_of("chapters/bibliography.html")
