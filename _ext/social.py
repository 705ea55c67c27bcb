"""A description, a card and an address for every page, and a sitemap for search engines."""

import textwrap
from html import escape
from pathlib import Path
from xml.sax.saxutils import escape as escape_xml

from docutils import nodes
from matplotlib import get_data_path
from PIL import Image, ImageDraw, ImageFont
from search_records import words

SIZE = (1200, 630)
INK, PAPER, ACCENT = "#12344d", "#ffffff", "#0b5c8a"
LONGEST = 200
# Points of the motif, and which of them are joined: a map and its distances.
MOTIF = ((905, 490), (1010, 425), (1105, 510), (985, 585))


def description(doctree):
    """Return the first paragraph of a page as one line, cut at the end of a sentence."""
    paragraphs = (" ".join(words(node).split()) for node in doctree.findall(nodes.paragraph))
    text = next(filter(None, paragraphs), "")
    if len(text) <= LONGEST:
        return text
    end = max(text.rfind(mark, 0, LONGEST) for mark in (". ", "? "))
    return text[: end + 1] if end > 0 else textwrap.shorten(text, LONGEST, placeholder="…")


def font(name, size):
    """Return a font that comes with Matplotlib."""
    return ImageFont.truetype(str(Path(get_data_path(), "fonts", "ttf", name)), size)


def draw_card(path, above, title):
    """Draw the picture that stands beside a link in a message or a post."""
    card = Image.new("RGB", SIZE, PAPER)
    pen = ImageDraw.Draw(card)
    pen.rectangle((0, 0, 22, SIZE[1]), fill=ACCENT)
    for i, start in enumerate(MOTIF):
        for end in MOTIF[i + 1 :]:
            pen.line((start, end), fill="#9fc3d9", width=4)
    for x, y in MOTIF:
        pen.ellipse((x - 13, y - 13, x + 13, y + 13), fill=ACCENT)
    pen.text((90, 80), above, font=font("DejaVuSans.ttf", 34), fill=ACCENT)
    lines = textwrap.wrap(title, 26)
    size = 58 if len(lines) < 4 else 48
    pen.multiline_text(
        (90, 150), "\n".join(lines), font=font("DejaVuSans-Bold.ttf", size), fill=INK, spacing=18
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    card.save(path, optimize=True)


def card_of(app, pagename):
    """Return the address of a page's card within the site: chapters have one each."""
    numbered = app.env.toc_secnumbers.get(pagename, {}).get("")
    return f"_static/cards/{pagename if numbered else 'book'}.png"


def add_tags(app, pagename, templatename, context, doctree):
    """Describe one page to search engines and to those who link to it."""
    if doctree is None:
        return
    text, base = description(doctree), app.config.html_baseurl
    tags = {
        "og:site_name": app.config.html_title,
        "og:type": "article",
        "og:title": app.env.titles[pagename].astext(),
        "og:description": text,
    }
    if base:
        base = base.rstrip("/")
        tags["og:url"] = f"{base}/{pagename}{app.builder.out_suffix}"
        tags["og:image"] = f"{base}/{card_of(app, pagename)}"
        tags["og:image:alt"] = (
            f"The title {tags['og:title']!r} beside four points joined by lines."
        )
    lines = [
        f'<meta property="{name}" content="{escape(value)}" />' for name, value in tags.items()
    ]
    lines.append(f'<meta name="description" content="{escape(text)}" />')
    lines.append('<meta name="twitter:card" content="summary_large_image" />')
    context["metatags"] = "\n    ".join([context.get("metatags", ""), *lines])


def draw_cards(app):
    """Draw the card of the book, and one for each chapter."""
    out = Path(app.outdir)
    draw_card(out / card_of(app, ""), "A book that computes", app.config.html_title)
    for docname in app.env.found_docs:
        if number := app.env.toc_secnumbers.get(docname, {}).get(""):
            draw_card(
                out / card_of(app, docname),
                f"{app.config.html_title} · Chapter {number[0]}",
                app.env.titles[docname].astext(),
            )


def write_sitemap(app):
    """List the addresses of all pages."""
    base = app.config.html_baseurl.rstrip("/")
    lines = [
        f"  <url><loc>{escape_xml(f'{base}/{docname}{app.builder.out_suffix}')}</loc></url>"
        for docname in sorted(app.env.found_docs)
    ]
    head = '<?xml version="1.0" encoding="UTF-8"?>'
    start = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    (Path(app.outdir) / "sitemap.xml").write_text(
        "\n".join([head, start, *lines, "</urlset>", ""]), "utf-8"
    )


def finish(app, exception):
    """Write what belongs to the whole site."""
    if exception or app.builder.format != "html":
        return
    draw_cards(app)
    if app.config.html_baseurl:
        write_sitemap(app)


def setup(app):
    """Register the extension."""
    app.connect("html-page-context", add_tags)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
