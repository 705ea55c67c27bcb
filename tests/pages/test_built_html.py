"""The HTML of the built pages: contents, index, previews, descriptions, formulas."""

import json
import re
from functools import cache
from html import unescape

import pytest
from bs4 import BeautifulSoup

from _ext.site_config import read_site_config
from tests.pages.conftest import (
    CHAPTERS,
    HTML,
    INTERACTIVE,
    anchors,
    article_of,
    built_pages,
    source_of,
    words_of,
)

SITE = read_site_config().site
REFERENCE = re.compile(r'<a class="reference internal" href="([^":?]*)#([^"]+)"')


@pytest.mark.parametrize("page", built_pages())
def test_ids_are_unique(page):
    ids = anchors(HTML / page).ids
    assert sorted(name for name in set(ids) if ids.count(name) > 1) == []


def test_gallery_links_to_all_chapters():
    cards = article_of("chapters/preface.html").split('"chapter-card ')[1:]
    links = [re.search('href="([^"#]*)', card)[1] for card in cards]
    assert [f"chapters/{link}" for link in links] == CHAPTERS


@pytest.mark.parametrize("page", [page for page in built_pages() if page != "genindex.html"])
def test_page_has_a_description_and_a_social_card(page):
    head = source_of(page).partition("</head>")[0]
    metas = BeautifulSoup(head, "html.parser").find_all("meta", content=True)
    tags = {meta.get("name") or meta.get("property"): meta["content"] for meta in metas}
    assert len(tags["description"]) >= 20
    assert "\\" not in tags["description"]
    assert tags["og:description"] == tags["description"]
    assert tags["og:title"]
    assert tags["og:url"] == f"{SITE}{page}"
    assert (HTML / tags["og:image"].removeprefix(SITE)).is_file()


# Index and previews

INDEX_ENTRY = re.compile(r"<li>\s*([^<>]+?)\s*((?:,?\s*<a [^>]*>[^<]+</a>)+)")
INDEX_PLACE = re.compile(r'href="([^"#]+)#[^"]+">([^<]+)</a>')
PREVIEW_PICTURE = re.compile(r' (?:src|srcset)="@?([^"]+)"')


def test_index_leads_into_every_chapter_by_its_number():
    entries = INDEX_ENTRY.findall((HTML / "genindex.html").read_text("utf-8"))
    places = [place for _, links in entries for place in INDEX_PLACE.findall(links)]
    in_chapters = [(page, text) for page, text in places if page in CHAPTERS]
    assert {page for page, _ in in_chapters} == set(CHAPTERS)
    for page, text in in_chapters:
        assert text == f"Chapter {int(page.partition('/')[2][:2])}"


@cache
def previews(page, folder=HTML):
    """Return the HTML that references to a page show, by anchor."""
    text = (folder / "_static" / "previews" / page).with_suffix(".js").read_text("utf-8")
    return json.loads(text.partition(", ")[2].removesuffix(");\n"))


@pytest.mark.parametrize("page", built_pages())
def test_every_reference_has_a_preview(page):
    for path, anchor in REFERENCE.findall(article_of(page)):
        target = (HTML / page).parent.joinpath(path).resolve() if path else HTML / page
        name = target.relative_to(HTML.resolve()).as_posix() if path else page
        if not name.startswith("_modules/"):
            shown = previews(name)[unescape(anchor)]
            assert words_of(shown) or "<img" in shown, (path, anchor)
            for picture in PREVIEW_PICTURE.findall(shown):
                assert (HTML / picture).is_file(), (path, anchor)


# Text


@pytest.mark.parametrize("page", built_pages())
def test_formulas_are_typeset(page):
    assert re.findall(r".{40}\\[(\[].{20}", article_of(page)) == []
    prose = words_of(article_of(page, "script|style|pre|code|dt|table(?=[^>]*dataframe)"))
    assert re.findall(r".{0,40}\$.{0,20}", prose) == []
    # A sentence in a formula: a dollar sign that was closed too late.
    assert re.findall("(?:<mi>[a-zA-Z]</mi>){12}", article_of(page)) == []


@pytest.mark.parametrize("page", [page for page in built_pages() if "preface" not in page])
def test_interactive_figures_have_a_number_and_a_caption(page):
    for figure in INTERACTIVE.split(article_of(page))[1:]:
        assert re.search(
            r'caption-number">Fig\. [\d.]+ </span><span class="caption-text">\w', figure
        )


# The build report

REPORTED_RUN = re.compile(
    r'<a [^>]*href="([\w-]+)\.html"[^>]*>.*?</td>.*?</td>.*?</td>\s*<td><p>([\d.]+)', re.DOTALL
)


def test_build_report_lists_all_chapters():
    report = article_of("chapters/build-report.html")
    times = {f"chapters/{name}.html": time for name, time in REPORTED_RUN.findall(report)}
    assert set(CHAPTERS) <= set(times)
    assert all(float(times[page]) > 0 for page in CHAPTERS)
    assert "{{" not in report
