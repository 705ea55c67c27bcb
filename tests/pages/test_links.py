"""Every link and anchor within the book leads somewhere."""

import re
from functools import cache
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest
from sphinx_external_toc.parsing import parse_toc_yaml
from tests.test_moved import MOVED

from tests.pages.conftest import HTML, REDIRECTS, ROOT, built_pages, source_of


class Anchors(HTMLParser):
    """Links and ids of one page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """Note the ids and links of a tag."""
        attributes = dict(attrs)
        if attributes.get("id"):
            self.ids.append(attributes["id"])
        for name in ("href", "src"):
            if tag in ("a", "img", "link", "script") and attributes.get(name):
                self.links.append(attributes[name])


@cache
def anchors(path):
    """Parse one page."""
    return Anchors(path.read_text(encoding="utf-8"))


def leads_nowhere(page, link):
    """Say whether a link of a page misses its page or its anchor."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return False
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return True
    anchor = unquote(parts.fragment)
    return bool(anchor and target.suffix == ".html" and anchor not in anchors(target).ids)


def test_all_pages_of_the_table_of_contents_are_here():
    expected = {f"{page}.html" for page in parse_toc_yaml(ROOT / "_toc.yml")}
    assert expected <= set(built_pages())


@pytest.mark.parametrize("page", built_pages())
def test_links_lead_somewhere(page):
    path = HTML / page
    assert [link for link in anchors(path).links if leads_nowhere(path, link)] == []


@pytest.mark.parametrize("page", built_pages())
def test_ids_are_unique(page):
    ids = anchors(HTML / page).ids
    assert sorted(name for name in set(ids) if ids.count(name) > 1) == []


def test_what_style_sheets_name_is_there():
    linked = set()
    for page in built_pages():
        sheets = re.findall(r'<link[^>]*rel="stylesheet"[^>]*href="([^"?]+)', source_of(page))
        linked |= {(HTML / page).parent.joinpath(sheet).resolve() for sheet in sheets}
    assert len(linked) > 5
    for sheet in linked:
        addresses = re.findall(r'url\(["\']?(?!data:|#)([^"\')]+)', sheet.read_text("utf-8"))
        missing = [a for a in addresses if not (sheet.parent / re.split("[?#]", a)[0]).is_file()]
        assert missing == [], sheet


@pytest.mark.parametrize(("old", "new"), REDIRECTS.items())
def test_old_addresses_lead_to_pages(old, new):
    page = HTML / f"{old}.html"
    assert f'url={new}"' in page.read_text("utf-8")
    assert not leads_nowhere(page, new)


def test_a_label_of_an_earlier_edition_leads_to_where_it_stands_now(open_tab):
    earlier, place = next(iter(MOVED.items()))
    tab = open_tab(f"chapters/{earlier.replace('#', '.html#')}")
    tab.page.wait_for_url(f"**/{place.replace('#', '.html#')}")
