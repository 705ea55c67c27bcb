"""Leave the words of code that have the colour of plain text without an element of their own.

Names and punctuation are half of what is marked up in code, and a fifth of a chapter's elements.
"""

import re

from built_pages import is_finished, rewrite_pages

CODE = re.compile(r'<div class="highlight"><pre>.*?</pre>', re.DOTALL)
PLAIN = re.compile(r'<span class="[npw]">([^<]*)</span>')


def lighten(text):
    """Return a page whose code holds no element for a plain word."""
    return CODE.sub(lambda code: PLAIN.sub(r"\1", code[0]), text)


def lighten_pages(app, exception):
    """Change all pages."""
    if is_finished(app, exception):
        rewrite_pages(app, lambda path, text: lighten(text))


def setup(app):
    """Register the extension."""
    app.connect("build-finished", lighten_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
