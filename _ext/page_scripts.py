"""Let no script hold up a page: each is there once and late, and none that is not needed."""

import re
from pathlib import Path

from built_pages import is_finished, rewrite_pages
from docutils import nodes

# Thebe is off, and the book has no tabs.
SPARE = ("thebe", "THEBE_JS_URL", "design-tabs")
# The name of the page is set in a script that stands in the page and needs this one.
AT_ONCE = "documentation_options.js"
THEME_SCRIPT = re.compile(
    r'<script src="([^"]*_static/scripts/(?:bootstrap|pydata-sphinx-theme)\.js[^"]*)">'
)
THEME_NOW = (
    'localStorage.getItem("theme") || '
    '(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")'
)
ICON_SCRIPT = re.compile(
    r"\s*<!-- So that users can add custom icons -->\s*"
    r'<script src="[^"]*fontawesome\.js[^"]*"></script>'
)
# The theme measures every box of code and of output at once, to let keys reach those that scroll;
# book.js does this for each box when it is laid out.
MEASURES_ALL = re.compile(
    r'"complete"===document\.readyState\?(\w)\(\):window\.addEventListener\("load",\1\)'
)
# A page that is opened anew, at its top, may lay out its lower sections later (settle.js).
# One with a query may be opened at an explorer (figures.js).
SETTLING = """<script>
    if (!location.hash && !location.search &&
        performance.getEntriesByType("navigation")[0]?.type === "navigate")
      document.documentElement.dataset.settling = "";
  </script>
  """


def drop_thebe(app, doctree, docname):
    """Drop the page settings of Thebe, which is off."""
    for node in list(doctree.findall(nodes.raw)):
        if "thebe" in node.astext() or "kernelName" in node.astext():
            node.parent.remove(node)


def tidy_scripts(app, pagename, templatename, context, doctree):
    """Drop scripts that are not needed or are there twice, and let the others wait."""
    kept = {}
    for script in context["script_files"]:
        filename, body = str(script.filename or ""), script.attributes.get("body", "")
        if any(word in filename or word in body for word in SPARE):
            continue
        kept.setdefault((filename, body), script)
        if filename and AT_ONCE not in filename:
            script.attributes["defer"] = "defer"
    context["script_files"] = list(kept.values())


def tidy_theme(path, text):
    """Let the theme's scripts wait, except for the choice of light or dark, which is made at once.

    The script that draws icons is left out, because they are a font as well.
    """
    text = THEME_SCRIPT.sub(r'<script defer src="\1">', ICON_SCRIPT.sub("", text))
    text = text.replace('data-theme="auto"', 'data-theme="light"', 1)
    text = text.replace('localStorage.getItem("theme") || "auto"', THEME_NOW)
    return text if SETTLING in text else text.replace("<title>", f"{SETTLING}<title>", 1)


def tidy_pages(app, exception):
    """Tidy the theme's scripts on all pages."""
    if not is_finished(app, exception):
        return
    rewrite_pages(app, tidy_theme)
    script = Path(app.outdir) / "_static" / "scripts" / "pydata-sphinx-theme.js"
    text, found = MEASURES_ALL.subn("0", script.read_text("utf-8"))
    if found:
        script.write_text(text, "utf-8")


def setup(app):
    """Register the extension."""
    app.connect("doctree-resolved", drop_thebe, priority=900)
    app.connect("html-page-context", tidy_scripts, priority=900)
    app.connect("build-finished", tidy_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
