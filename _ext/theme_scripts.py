"""Remove scripts and style sheets of the theme that pages do not need, and defer the others."""

from docutils import nodes

from _ext.event_order import DROP_THEBE, SELECT_SCRIPTS

# Thebe and the search of Sphinx are off, the book has no tabs or cards and only one version, and
# neither <details> nor interactive figures need these scripts.
UNUSED = ["thebe", "THEBE_JS_URL", "design", "togglebutton", "let toggle", "doctools"]
UNUSED += ["sphinx_highlight", "jupyter.widget-state", "DOCUMENTATION_OPTIONS.pagename"]


def is_unused(text):
    """Return True for the name or the text of a script or style sheet that pages do not need."""
    return any(name in text for name in UNUSED)


def drop_thebe(app, doctree, docname):
    """Remove the page settings of Thebe, which is off."""
    for node in list(doctree.findall(nodes.raw)):
        if "thebe" in node.astext() or "kernelName" in node.astext():
            node.parent.remove(node)


def select_scripts(app, pagename, templatename, context, doctree):
    """Drop unused and duplicate scripts and style sheets, and defer the other scripts."""
    kept: dict[tuple[str, str], object] = {}
    for script in context["script_files"]:
        filename, body = str(script.filename or ""), script.attributes.get("body", "")
        if any(map(is_unused, (filename, body, script.attributes.get("type", "")))):
            continue
        kept.setdefault((filename, body), script)
        if filename:
            script.attributes["defer"] = "defer"
    context["script_files"] = list(kept.values())
    context["css_files"] = [s for s in context["css_files"] if not is_unused(str(s.filename))]


def setup(app):
    """Register the extension."""
    app.connect("doctree-resolved", drop_thebe, priority=DROP_THEBE)
    app.connect("html-page-context", select_scripts, priority=SELECT_SCRIPTS)
