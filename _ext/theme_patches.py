"""Remove scripts and style sheets of the theme that pages do not need, and defer the others."""

import re
from pathlib import Path

from docutils import nodes
from html_postprocess import on_pages_written, rewrite_pages
from sphinx.errors import ExtensionError

# Thebe is off, the book has no tabs and cards, and <details> needs no script.
UNUSED = re.compile("thebe|THEBE_JS_URL|design|togglebutton|let toggle")
# A script within each page, which is never deferred, uses the object that this script defines.
NOT_DEFERRED = "documentation_options.js"
# A page that is opened at its top can lay out its lower sections later (lazyLayout.js), unless a
# query may scroll it to an explorer (stateLinks.js). The text is hidden, for at most half a
# second, until the fonts of the first lines, which are embedded in type.css, are loaded.
HEAD_SCRIPT = """<script>
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
# Patterns in the theme's HTML and their replacements. Scripts are not preloaded, because this
# would delay the style sheets.
REPLACEMENTS = {
    # theme.css only imports basic.css; the browser would wait for one after the other.
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
    "</head>": HEAD_SCRIPT,
}
# The theme measures all boxes of code and output on loading, to make those that scroll focusable.
# This is slow; scrollers.js measures each box when it comes into view.
MEASURE_BOXES = (
    r'"complete"===document\.readyState\?(\w)\(\):window\.addEventListener\("load",\1\)'
)


def drop_thebe(app, doctree, docname):
    """Remove the page settings of Thebe, which is off."""
    for node in list(doctree.findall(nodes.raw)):
        if "thebe" in node.astext() or "kernelName" in node.astext():
            node.parent.remove(node)


def select_scripts(app, pagename, templatename, context, doctree):
    """Drop unused and duplicate scripts and style sheets, and defer the other scripts."""
    kept = {}
    for script in context["script_files"]:
        filename, body = str(script.filename or ""), script.attributes.get("body", "")
        if UNUSED.search(filename) or UNUSED.search(body):
            continue
        kept.setdefault((filename, body), script)
        if filename and NOT_DEFERRED not in filename:
            script.attributes["defer"] = "defer"
    context["script_files"] = list(kept.values())
    context["css_files"] = [s for s in context["css_files"] if not UNUSED.search(str(s.filename))]
    for sheet in context["css_files"]:
        if "print.css" in str(sheet.filename):
            sheet.attributes["media"] = "print"


def replace_or_fail(pattern, new, text, place):
    """Return the text with all matches of a pattern replaced; raise an error if there is none."""
    changed, found = re.subn(pattern, new, text)
    if not found:
        raise ExtensionError(
            f"{place} does not match {pattern!r}: the theme has changed. "
            "Adapt _ext/theme_patches.py to its new version."
        )
    return changed


def patch_page(path, text):
    """Apply all replacements to a page.

    The theme's script for icons is removed, because the icons are also available as a font.
    """
    for pattern, new in REPLACEMENTS.items():
        text = replace_or_fail(pattern, new, text, path.name)
    return text


def patch_theme(app):
    """Patch all written pages and the theme's own script."""
    rewrite_pages(app, patch_page)
    script = Path(app.outdir) / "_static" / "scripts" / "pydata-sphinx-theme.js"
    script.write_text(
        replace_or_fail(MEASURE_BOXES, "0", script.read_text("utf-8"), script.name), "utf-8"
    )


def setup(app):
    """Register the extension."""
    app.connect("doctree-resolved", drop_thebe, priority=900)
    app.connect("html-page-context", select_scripts, priority=900)
    on_pages_written(app, patch_theme)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
