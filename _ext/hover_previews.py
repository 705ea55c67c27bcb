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

# An excerpt may begin at any element of a finished page, so two patterns find tags and attributes.
TAG = re.compile(r"<(/?)(\w+)([^>]*)>")
ATTRIBUTE = re.compile(r' ([\w-]+)="([^"]*)"')
HEADINGS = {f"h{level}" for level in range(1, 7)}
REMOVED_ATTRIBUTES = {"id", "tabindex", "aria-describedby"}
ABSOLUTE = ("data:", "http:", "https:", "mailto:", "#")
# Each contains one URL; a stacked picture is the srcset of a source element.
URL_ATTRIBUTES = {"href", "src", "srcset"}
MAX_CHARACTERS = 60_000


def attributes_of(tag):
    """Return the attributes of a match of TAG."""
    return dict(ATTRIBUTE.findall(tag[3]))


def tags(text, start=0):
    """Yield the start tags from a position on."""
    return (tag for tag in TAG.finditer(text, start) if not tag[1])


def element(text, tag):
    """Return the element that begins with a start tag, up to its end tag."""
    depth = 0
    for other in TAG.finditer(text, tag.start()):
        if other[2] == tag[2]:
            depth += -1 if other[1] else 1
            if depth == 0:
                return text[tag.start() : other.end()]
    return text[tag.start() :]


def content_of(markup):
    """Return the content of an element."""
    return markup[markup.index(">") + 1 : markup.rindex("</")]


def first_paragraph(text, start):
    """Return the first paragraph or displayed formula from a position on."""
    for tag in tags(text, start):
        formula = tag[2] == "div" and attributes_of(tag).get("class", "").startswith("math")
        if formula or tag[0] == "<p>":
            return element(text, tag)
    return ""


def section_excerpt(text, start):
    """Return the first heading from a position on and the first paragraph after it."""
    tag = next((tag for tag in tags(text, start) if tag[2] in HEADINGS), None)
    if tag is None:
        return None
    heading = element(text, tag)
    paragraph = first_paragraph(text, tag.start() + len(heading))
    return f'<p class="preview-title">{content_of(heading)}</p>{paragraph}'


def definition_excerpt(text, tag):
    """Return a term with its definition, or a signature with its first paragraph."""
    term = element(text, tag)
    following = (other for other in tags(text, tag.start() + len(term)) if other[2] == "dd")
    meaning = element(text, next(following))
    if "sig" in attributes_of(tag).get("class", "").split():
        meaning = f"<dd>{first_paragraph(meaning, 0) or content_of(meaning)}</dd>"
    return f"<dl><dt>{content_of(term)}</dt><dd>{content_of(meaning)}</dd></dl>"


def excerpt(text, tag):
    """Return the block with an anchor, or the heading and first paragraph of a section."""
    if tag[2] in ("section", "span", "h1", "h2", "h3"):
        return section_excerpt(text, tag.start())
    if tag[2] == "dt":
        return definition_excerpt(text, tag)
    whole = element(text, tag)
    if len(whole) <= MAX_CHARACTERS:
        return whole
    # An explorer with its data is too large for a preview, so show its caption.
    caption = next((other for other in tags(whole) if other[2] == "figcaption"), None)
    return element(whole, caption) if caption else whole


def is_removed(tag):
    """Return True for a script, a link to the block itself, and a link to source code."""
    attributes = attributes_of(tag)
    is_link = attributes.get("class") == "headerlink" or "_modules" in attributes.get("href", "")
    return tag[2] == "script" or (tag[2] == "a" and is_link)


def relocate(markup, page):
    """Return an excerpt without ids and with URLs relative to the root of the site."""
    while tag := next(filter(is_removed, tags(markup)), None):
        markup = markup[: tag.start()] + markup[tag.start() + len(element(markup, tag)) :]
    folder = dirname(page)

    def from_root(attribute):
        name, value = attribute.groups()
        if name in REMOVED_ATTRIBUTES:
            return ""
        if name not in URL_ATTRIBUTES or value.startswith(ABSOLUTE):
            return attribute[0]
        return f' {name}="@{normpath(join(folder, unescape(value)))}"'

    return TAG.sub(lambda tag: ATTRIBUTE.sub(from_root, tag[0]), markup)


def article(text):
    """Return the HTML within the article element of a page."""
    return text.partition("<article")[2].partition("</article>")[0]


def wanted_anchors(pages):
    """Return, for each page, the anchors that pages of the book refer to."""
    wanted = {page: set() for page in pages}
    for page, text in pages.items():
        links = (attributes_of(tag) for tag in tags(text) if tag[2] == "a")
        for link in links:
            path, mark, anchor = link.get("href", "").partition("#")
            if not mark or {"reference", "internal"} - set(link.get("class", "").split()):
                continue
            target = normpath(join(dirname(page), unquote(path))) if path else page
            if target in wanted:
                wanted[target].add(unquote(anchor))
    return wanted


def excerpts_of(page, text, anchors):
    """Return the excerpt for each anchor of a page."""
    excerpts = {}
    for tag in tags(text):
        name = unescape(attributes_of(tag).get("id", "")) if ' id="' in tag[3] else ""
        markup = excerpt(text, tag) if name in anchors else None
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
