"""Keep a formula in one line with the bracket before it and the punctuation behind it."""

import re

from docutils import nodes

BEFORE = re.compile(r"[(\[“‘]+$")
# Punctuation, or the rest of a word: "$k$-means,".
BEHIND = re.compile(r"^(?:[-‑]\w{1,12})?(?:s\b)?[,.;:!?)\]’”…]*")


def cut(text, pattern):
    """Return the part of a text node that the pattern finds, and take it off the node."""
    found = pattern.search(text) if isinstance(text, nodes.Text) else None
    if not found or not found[0]:
        return None
    rest = text[: found.start()] + text[found.end() :]
    text.parent.replace(text, nodes.Text(rest))
    return nodes.Text(found[0])


def join_edges(app, doctree, docname):
    """Wrap each formula in a line that has such neighbours, in place."""
    if app.builder.format != "html":
        return
    for formula in list(doctree.findall(nodes.math)):
        line = formula.parent
        place = line.index(formula)
        before = cut(line[place - 1], BEFORE) if place else None
        behind = cut(line[place + 1], BEHIND) if place + 1 < len(line) else None
        if before or behind:
            joined = nodes.inline("", "", classes=["formula-edges"])
            formula.replace_self(joined)
            joined.extend(part for part in (before, formula, behind) if part is not None)


def setup(app):
    """Register the extension."""
    app.connect("doctree-resolved", join_edges)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
