"""The index has enough entries, and they lead into the chapters."""

import re

import pytest

from tests.pages.conftest import HTML

ENTRY = re.compile(r"<li>\s*([^<>]+?)\s*((?:,?\s*<a [^>]*>[^<]+</a>)+)")
PLACE = re.compile(r'href="([^"#]+)#[^"]+">([^<]+)</a>')


@pytest.fixture(scope="module")
def entries():
    """Name of each entry and its places: page and what the link says."""
    text = (HTML / "genindex.html").read_text("utf-8")
    return [(name, PLACE.findall(links)) for name, links in ENTRY.findall(text)]


def test_a_hundred_and_fifty_terms_lead_into_chapters(entries):
    terms = {
        name
        for name, places in entries
        if any(re.match(r"chapters/\d\d-", page) for page, _ in places)
    }
    assert len(terms) >= 150


def test_places_are_named_after_their_chapters(entries):
    for name, places in entries:
        for page, said in places:
            number = re.match(r"chapters/(\d\d)-", page)
            assert said == (f"Chapter {int(number[1])}" if number else said), name


def test_every_chapter_is_indexed(entries):
    chapters = {path.stem for path in (HTML / "chapters").glob("[0-9][0-9]-*.html")}
    indexed = {page for _, places in entries for page, _ in places}
    assert {f"chapters/{name}.html" for name in chapters} <= indexed


def test_members_of_classes_are_left_out(entries):
    assert [name for name, _ in entries if "kmds_lib" in name] == []


def test_no_entry_stands_in_singular_and_plural(entries):
    names = {name.lower() for name, _ in entries}
    assert sorted(name for name in names if f"{name}s" in names) == []
