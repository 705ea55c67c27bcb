"""Let no script hold up a page: each is there once and late, and none that is not needed."""

import re
from pathlib import Path

from docutils import nodes
from html_postprocess import rewrite_pages, when_written
from sphinx.errors import ExtensionError

# Thebe is off, the book has no tabs and cards, and blocks fold without a script.
SPARE = re.compile("thebe|THEBE_JS_URL|design|togglebutton|let toggle")
# The name of the page is set in a script that stands in the page and needs this one.
AT_ONCE = "documentation_options.js"
# A page that is opened anew, at its top, may lay out its lower sections later (lazy_layout.js).
# One with a query may be opened at an explorer (figures.js). The fonts of the first lines, which
# the style sheets hold, are unpacked before a line is shown; half a second is the most.
OPENING = """<script>
    if (!location.hash && !location.search &&
        performance.getEntriesByType("navigation")[0]?.type === "navigate")
      document.documentElement.dataset.settling = "";
    const faces = ["", "bold ", "italic "].map((face) => `${face}1em "STIX Two Text"`);
    const unpacked = Promise.allSettled(faces.map((face) => document.fonts.load(face)));
    const late = new Promise((done) => setTimeout(done, 500));
    document.documentElement.dataset.unpacking = "";
    Promise.race([unpacked, late]).then(() => delete document.documentElement.dataset.unpacking);
  </script>
  </head>"""
# What the theme writes into each page, and what stands there instead. Scripts that are asked for
# early take the line from the style sheets; they are wanted late.
THEME = {
    # A sheet that does nothing but import the other, for which a page would wait twice.
    r"styles/theme\.css[^\"]*": "basic.css",
    r"\s*<!-- Pre-loaded scripts[^>]*-->": "",
    r'\s*<link rel="preload" as="script"[^>]*>': "",
    r"\s*<!-- So that users can add custom icons -->\s*"
    r'<script src="[^"]*fontawesome\.js[^"]*"></script>': "",
    'data-theme="auto"': 'data-theme="light"',
    r'localStorage\.getItem\("theme"\) \|\| "auto"': (
        'localStorage.getItem("theme") || '
        '(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")'
    ),
    "</head>": OPENING,
}
# The theme measures every box of code and of output at once, to let keys reach those that scroll;
# book.js does this for each box when it is laid out.
MEASURES_ALL = r'"complete"===document\.readyState\?(\w)\(\):window\.addEventListener\("load",\1\)'


def drop_thebe(app, doctree, docname):
    """Drop the page settings of Thebe, which is off."""
    for node in list(doctree.findall(nodes.raw)):
        if "thebe" in node.astext() or "kernelName" in node.astext():
            node.parent.remove(node)


def tidy_scripts(app, pagename, templatename, context, doctree):
    """Drop scripts and sheets that are not needed or are there twice; let the scripts wait."""
    kept = {}
    for script in context["script_files"]:
        filename, body = str(script.filename or ""), script.attributes.get("body", "")
        if SPARE.search(filename) or SPARE.search(body):
            continue
        kept.setdefault((filename, body), script)
        if filename and AT_ONCE not in filename:
            script.attributes["defer"] = "defer"
    context["script_files"] = list(kept.values())
    context["css_files"] = [s for s in context["css_files"] if not SPARE.search(str(s.filename))]
    for sheet in context["css_files"]:
        if "print.css" in str(sheet.filename):
            sheet.attributes["media"] = "print"


def replaced(pattern, new, text, place):
    """Return a text with all that a pattern finds replaced; fail where it finds nothing."""
    changed, found = re.subn(pattern, new, text)
    if not found:
        raise ExtensionError(
            f"{place} holds nothing of the form {pattern!r}: the theme has changed, and "
            "_ext/theme_patches.py has to follow."
        )
    return changed


def tidy_theme(path, text):
    """Let the theme's scripts wait, except for the choice of light or dark, which is made at once.

    The script that draws icons is left out, because they are a font as well.
    """
    for pattern, new in THEME.items():
        text = replaced(pattern, new, text, path.name)
    return text


def tidy_pages(app):
    """Tidy the theme's scripts on all pages."""
    rewrite_pages(app, tidy_theme)
    script = Path(app.outdir) / "_static" / "scripts" / "pydata-sphinx-theme.js"
    script.write_text(replaced(MEASURES_ALL, "0", script.read_text("utf-8"), script.name), "utf-8")


def setup(app):
    """Register the extension."""
    app.connect("doctree-resolved", drop_thebe, priority=900)
    app.connect("html-page-context", tidy_scripts, priority=900)
    when_written(app, tidy_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
