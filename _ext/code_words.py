"""Words of code: those of no colour are no elements, and long names break between their parts.

Names and punctuation are half of what is marked up in code, and a fifth of a chapter's elements.
"""

import re

from built_pages import is_finished, rewrite_pages

CODE = re.compile(r'<div class="highlight"><pre>.*?</pre>', re.DOTALL)
PLAIN = re.compile(r'<span class="[npw]">([^<]*)</span>')
NAME = re.compile(r'<span class="pre">[^<]{10,}</span>')
# After `similarities_`, `smacof::`, `fit.` and `smacof(`, and in `Spectral|Embedding`.
JOINT = re.compile(r"(?<=[a-z](?:_|\.|\())(?=[a-z])|(?<=::)(?=\w)|(?<=[a-z])(?=[A-Z][a-z]{3})")


def lighten(text):
    """Return a page whose code holds no element for a plain word."""
    return CODE.sub(lambda code: PLAIN.sub(r"\1", code[0]), text)


def break_names(text):
    """Return a page whose long names in text and tables can be broken at their joints."""
    return NAME.sub(lambda name: JOINT.sub("<wbr>", name[0]), text)


def rewrite_code(app, exception):
    """Change all pages."""
    if is_finished(app, exception):
        rewrite_pages(app, lambda path, text: break_names(lighten(text)))


def setup(app):
    """Register the extension."""
    app.connect("build-finished", rewrite_code)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
