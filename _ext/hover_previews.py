"""Write the previews that references show on hover: excerpts of the pages that they link to.

There is one script for each page, with its excerpts. A browser loads it when the pointer first
rests on a link to that page. Scripts, unlike JSON files, can also be loaded over file://.
"""

import json
import re
from html import unescape
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import unquote

from html_postprocess import on_pages_written

# References from the text to a place in the book.
REFERENCE = re.compile(r'<a class="[^"]*\breference internal\b[^"]*" href="([^":?]*)#([^"]+)"')
START_TAG = re.compile(r'<(\w+)[^>]* id="([^"]+)"[^>]*>')
HEADING = re.compile(r"<h([1-6])\b.*?</h\1>", re.DOTALL)
PARAGRAPH = re.compile(r"<p>.*?</p>|<div class=\"math.*?</div>", re.DOTALL)
REMOVED = re.compile(
    r'<a class="headerlink".*?</a>|<script.*?</script>|<a class="reference internal" '
    r'href="[^"]*_modules.*?</a>| id="[^"]*"| tabindex="[^"]*"| aria-describedby="[^"]*"',
    re.DOTALL,
)
RELATIVE_URL = re.compile(r'(?<= )(src|href)="(?!data:|https?:|mailto:|#)([^"]*)"')
MAX_CHARACTERS = 60_000


def element(text, start, tag):
    """Return the element that starts at position start, up to its end tag."""
    depth = 0
    for part in re.compile(rf"<(/?){tag}\b[^>]*>").finditer(text, start):
        depth += -1 if part[1] else 1
        if depth == 0:
            return text[start : part.end()]
    return text[start:]


def section_excerpt(text, start):
    """Return the first heading after position start and the first paragraph after it."""
    heading = HEADING.search(text, start)
    if heading is None:
        return None
    without_link = re.sub(r"<a class=\"headerlink\".*?</a>", "", heading[0], flags=re.DOTALL)
    title = re.sub(r"</?h\d[^>]*>", "", without_link)
    paragraph = PARAGRAPH.search(text, heading.end())
    return f'<p class="preview-title">{title}</p>{paragraph[0] if paragraph else ""}'


def definition_excerpt(text, start):
    """Return a term with its definition, or a signature with its first paragraph."""
    term = element(text, start, "dt")
    place = text.find("<dd", start + len(term))
    meaning = element(text, place, "dd")
    if 'class="sig' in term:
        paragraph = PARAGRAPH.search(meaning)
        meaning = paragraph[0] if paragraph else ""
    return f"<dl><dt>{content_of(term)}</dt><dd>{content_of(meaning)}</dd></dl>"


def content_of(markup):
    """Return the content of a dt or dd element."""
    return re.sub(r"^<d[td][^>]*>|</d[td]>$", "", markup)


def excerpt(text, match):
    """Return the block with an anchor, or the heading and first paragraph of a section."""
    tag = match[1]
    if tag in ("section", "span", "h1", "h2", "h3"):
        return section_excerpt(text, match.start())
    if tag == "dt":
        return definition_excerpt(text, match.start())
    whole = element(text, match.start(), tag)
    caption = whole.find("<figcaption")
    # An explorer with its data is too large for a preview, so show its caption.
    too_long = len(whole) > MAX_CHARACTERS and caption >= 0
    return element(whole, caption, "figcaption") if too_long else whole


def relocate(markup, page):
    """Return an excerpt without ids and with URLs relative to the root of the site."""
    markup = REMOVED.sub("", markup)
    folder = dirname(page)

    def from_root(match):
        return f'{match[1]}="@{normpath(join(folder, unescape(match[2])))}"'

    return RELATIVE_URL.sub(from_root, markup)


def article(text):
    """Return the HTML within the article element of a page."""
    return text.partition("<article")[2].partition("</article>")[0]


def wanted_anchors(pages):
    """Return, for each page, the anchors that pages of the book refer to."""
    wanted = {page: set() for page in pages}
    for page, text in pages.items():
        for path, anchor in REFERENCE.findall(text):
            target = normpath(join(dirname(page), unquote(path))) if path else page
            if target in wanted:
                wanted[target].add(unquote(anchor))
    return wanted


def excerpts_of(page, text, anchors):
    """Return the excerpt for each anchor of a page."""
    excerpts = {}
    for match in START_TAG.finditer(text):
        name = unescape(match[2])
        markup = excerpt(text, match) if name in anchors else None
        if markup and len(markup) <= MAX_CHARACTERS:
            excerpts[name] = relocate(markup, page)
    return excerpts


def write_previews(app):
    """Write one script of excerpts for each page."""
    names = [f"{docname}{app.builder.out_suffix}" for docname in sorted(app.env.found_docs)]
    folder = Path(app.outdir)
    pages = {name: article((folder / name).read_text("utf-8")) for name in names}
    for page, anchors in wanted_anchors(pages).items():
        excerpts = json.dumps(excerpts_of(page, pages[page], anchors), ensure_ascii=False)
        path = folder / "_static" / "previews" / f"{page.removesuffix(app.builder.out_suffix)}.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"bookPreviews.fill({json.dumps(page)}, {excerpts});\n", "utf-8")


def setup(app):
    """Register the extension."""
    # After all other changes to the written pages.
    on_pages_written(app, write_previews, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
