"""What a reference shows when the pointer rests on it: a piece of the built page that it names.

One script for each page holds its pieces. A page asks for such a script when a reference is
first pointed at, so that it costs nothing before, and works from a folder too.
"""

import json
import re
from html import unescape
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import unquote

from html_postprocess import when_written

# References within the book that stand in the text: no link to itself, to a source or a note.
REFERENCE = re.compile(r'<a class="[^"]*\breference internal\b[^"]*" href="([^":?]*)#([^"]+)"')
START = re.compile(r'<(\w+)[^>]* id="([^"]+)"[^>]*>')
HEADING = re.compile(r"<h([1-6])\b.*?</h\1>", re.DOTALL)
PARAGRAPH = re.compile(r"<p>.*?</p>|<div class=\"math.*?</div>", re.DOTALL)
LEFT_OUT = re.compile(
    r'<a class="headerlink".*?</a>|<script.*?</script>|<a class="reference internal" '
    r'href="[^"]*_modules.*?</a>| id="[^"]*"| tabindex="[^"]*"| aria-describedby="[^"]*"',
    re.DOTALL,
)
ADDRESS = re.compile(r'(?<= )(src|href)="(?!data:|https?:|mailto:|#)([^"]*)"')
LONGEST = 60_000


def element(text, start, tag):
    """Return the element that begins at a place, up to its own end tag."""
    depth = 0
    for part in re.compile(rf"<(/?){tag}\b[^>]*>").finditer(text, start):
        depth += -1 if part[1] else 1
        if depth == 0:
            return text[start : part.end()]
    return text[start:]


def opening(text, start):
    """Return the heading behind a place and the first paragraph after it."""
    heading = HEADING.search(text, start)
    if heading is None:
        return None
    words = re.sub(r"<a class=\"headerlink\".*?</a>", "", heading[0], flags=re.DOTALL)
    title = re.sub(r"</?h\d[^>]*>", "", words)
    paragraph = PARAGRAPH.search(text, heading.end())
    return f'<p class="preview-title">{title}</p>{paragraph[0] if paragraph else ""}'


def definition(text, start):
    """Return a term, or a signature with its first paragraph."""
    term = element(text, start, "dt")
    place = text.find("<dd", start + len(term))
    meaning = element(text, place, "dd")
    if 'class="sig' in term:
        paragraph = PARAGRAPH.search(meaning)
        meaning = paragraph[0] if paragraph else ""
    return f"<dl><dt>{inside(term)}</dt><dd>{inside(meaning)}</dd></dl>"


def inside(markup):
    """Return what an element holds."""
    return re.sub(r"^<d[td][^>]*>|</d[td]>$", "", markup)


def piece(text, match):
    """Return what stands at an anchor: a block, or the opening of a section."""
    tag = match[1]
    if tag in ("section", "span", "h1", "h2", "h3"):
        return opening(text, match.start())
    if tag == "dt":
        return definition(text, match.start())
    whole = element(text, match.start(), tag)
    caption = whole.find("<figcaption")
    # An explorer with its data is too much for a preview: its caption says what it is.
    return whole if len(whole) <= LONGEST or caption < 0 else element(whole, caption, "figcaption")


def cleaned(markup, page):
    """Make a piece fit for any page: no ids, and addresses that start at the root."""
    markup = LEFT_OUT.sub("", markup)
    folder = dirname(page)
    return ADDRESS.sub(lambda m: f'{m[1]}="@{normpath(join(folder, unescape(m[2])))}"', markup)


def article(text):
    """Return the text of a page without what surrounds it."""
    return text.partition("<article")[2].partition("</article>")[0]


def wanted_anchors(pages):
    """Return the anchors of each page that any page refers to."""
    wanted = {page: set() for page in pages}
    for page, text in pages.items():
        for path, anchor in REFERENCE.findall(text):
            target = normpath(join(dirname(page), unquote(path))) if path else page
            if target in wanted:
                wanted[target].add(unquote(anchor))
    return wanted


def pieces_of(page, text, anchors):
    """Return what each anchor of a page shows."""
    found = {}
    for match in START.finditer(text):
        name = unescape(match[2])
        markup = piece(text, match) if name in anchors else None
        if markup and len(markup) <= LONGEST:
            found[name] = cleaned(markup, page)
    return found


def write_previews(app):
    """Write one script for each page that is referred to."""
    names = [f"{docname}{app.builder.out_suffix}" for docname in sorted(app.env.found_docs)]
    folder = Path(app.outdir)
    pages = {name: article((folder / name).read_text("utf-8")) for name in names}
    for page, anchors in wanted_anchors(pages).items():
        pieces = json.dumps(pieces_of(page, pages[page], anchors), ensure_ascii=False)
        path = folder / "_static" / "previews" / f"{page.removesuffix(app.builder.out_suffix)}.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"bookPreviews.fill({json.dumps(page)}, {pieces});\n", "utf-8")


def setup(app):
    """Register the extension."""
    # After everything that changes the pages once they are written.
    when_written(app, write_previews, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
