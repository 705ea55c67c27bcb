"""Prevent line breaks within "Chapter 4" and "p-value", and after the letter of a part, "(a)"."""

import re

from docutils import nodes

SPACE = re.compile(
    r"(\b(?:Chapters?|Theorem|Lemma|Proposition|Corollary|Definition|Algorithm|Exercise|Section)"
    r"(?=\s\d)|\([a-h]\)(?=\s(?:[A-Z]|$)))\s"
)
PREFIXED = re.compile(r"(\b[a-z]-[a-z]\w*)")
VERBATIM = (nodes.FixedTextElement, nodes.literal, nodes.math)


def with_spaces(text):
    """Return a text with no-break spaces."""
    return SPACE.sub("\\1\u00a0", text)


def without_breaks(text):
    """Return a text with no-break spaces as nodes; words with a prefix have a class."""
    parts = enumerate(PREFIXED.split(with_spaces(text)))
    return [
        nodes.inline("", part, classes=["unbroken"]) if at % 2 else nodes.Text(part)
        for at, part in parts
        if part
    ]


def prevent_breaks(app, doctree, docname):
    """Change the texts of a page, except for code and formulas."""
    if app.builder.format != "html":
        return
    for text in list(doctree.findall(nodes.Text)):
        is_prose = isinstance(text.parent, nodes.TextElement) and not isinstance(
            text.parent, VERBATIM
        )
        if is_prose and (new := without_breaks(text)) != [text]:
            text.parent.replace(text, new)


def setup(app):
    """Register the extension."""
    # After the texts have been stored for the search (550).
    app.connect("doctree-resolved", prevent_breaks, priority=560)
