"""Serve the browser libraries from the site itself, each script once a page."""

from pathlib import Path

from docutils import nodes
from sphinx.util import logging

HERE = Path(__file__).parent
LIBRARIES = HERE / "browser" / "site"
logger = logging.getLogger(__name__)


def use_local_libraries(app, config):
    """Point MathJax and the widgets to local copies, where they were fetched."""
    if not LIBRARIES.is_dir():
        logger.info("[self_hosted] no local browser libraries: pages will use public servers")
        return
    config.html_static_path += [str(LIBRARIES), str(HERE / "static")]
    config.mathjax_path = "vendor/mathjax/es5/tex-chtml.js"
    config.nb_ipywidgets_js = {
        "vendor/requirejs/require.js": {},
        "require-paths.js": {},
        "vendor/@jupyter-widgets/html-manager/dist/embed-amd.js": {},
    }


def drop_thebe(app, doctree, docname):
    """Drop the page settings of Thebe, which is off."""
    for node in list(doctree.findall(nodes.raw)):
        if "thebe" in node.astext() or "kernelName" in node.astext():
            node.parent.remove(node)


def tidy_scripts(app, pagename, templatename, context, doctree):
    """Drop the scripts of Thebe and those that are there twice."""
    kept = {}
    for script in context["script_files"]:
        filename, body = str(script.filename or ""), script.attributes.get("body", "")
        if "thebe" not in filename and "THEBE_JS_URL" not in body:
            kept.setdefault((filename, body), script)
    context["script_files"] = list(kept.values())


def setup(app):
    """Register the extension."""
    # Before myst-nb reads its settings and after other extensions have added theirs (500).
    app.connect("config-inited", use_local_libraries, priority=100)
    app.connect("doctree-resolved", drop_thebe, priority=900)
    app.connect("html-page-context", tidy_scripts, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
