"""Set the formulas of the docstrings, which stand there as a terminal can show them."""

import re
import tomllib
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

FORMULAS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def spaced(formula):
    """Return a pattern that finds a formula, broken over two lines or not."""
    return r"\s+".join(map(re.escape, formula.split()))


LONGEST_FIRST = sorted(FORMULAS, key=len, reverse=True)
ANY = re.compile(rf"(?<![\w^/(])({'|'.join(map(spaced, LONGEST_FIRST))})(?![\w^(/]|-\w)")


def formula(text):
    """Return the formula that belongs to a piece of a docstring."""
    tex = FORMULAS[" ".join(text.split())]
    return nodes.math(tex, tex)


class SetFormulas(SphinxTransform):
    """Replace formulas in the descriptions of functions and classes by set ones."""

    # Before the quotation marks are made round (750) and the domains look for formulas (850).
    default_priority = 300

    def apply(self, **kwargs):
        """Go through the descriptions of one page."""
        for content in self.document.findall(addnodes.desc_content):
            for code in list(content.findall(nodes.literal)):
                if code.astext() in FORMULAS:
                    code.replace_self(formula(code.astext()))
            for text in list(content.findall(nodes.Text)):
                if not any(isinstance(above, KEPT) for above in ancestors(text)):
                    self.set_text(text)

    def set_text(self, text):
        """Cut a text at its formulas."""
        parts = ANY.split(text)
        if len(parts) > 1:
            new = [formula(part) if i % 2 else nodes.Text(part) for i, part in enumerate(parts)]
            text.parent.replace(text, new)


# Where text stands as it is: code, links, formulas, signatures, and what is nested in them.
KEPT = (
    nodes.FixedTextElement,
    nodes.literal,
    nodes.math,
    nodes.reference,
    nodes.strong,
    addnodes.pending_xref,
    addnodes.desc_signature,
    addnodes.literal_strong,
)


def ancestors(node):
    """Return the elements around a node."""
    while node := node.parent:
        yield node


def setup(app):
    """Register the extension."""
    app.add_transform(SetFormulas)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
