"""Choose the pages that Sphinx writes again, and call other extensions after it has written them.

Sphinx writes only pages that changed. Pages show titles, numbers and terms of other pages, so all
pages are written again if one of these changes.
"""

import hashlib
import shutil
from pathlib import Path

from _ext.event_order import COMPLETE_SITEMAP, FIND_PAGES_TO_REWRITE, SET_NODE_DOCUMENTS
from _ext.internals import add_to_sitemap, cited_works, exercise_titles, theorems


def on_pages_written(app, change, priority=500):
    """Call ``change(app)`` at the end of each build that has written HTML pages."""

    def finish(app, exception):
        if exception is None and app.builder.format == "html" and app.written_pages:
            change(app)

    app.connect("build-finished", finish, priority=priority)


def delete_shared_files(app, builder):
    """Delete the scripts and style sheets of an earlier build; this build writes them again."""
    shutil.rmtree(Path(app.outdir, "_static"), ignore_errors=True)


def set_node_documents(app, doctree):
    """Set the document of all nodes of a page to that page.

    Nodes of an `eval-rst` block belong to a document of their own, with which Sphinx would store
    its whole environment: 17 MB for each page of the API.
    """
    for node in doctree.findall():
        node.document = doctree


def record_page(app, pagename, templatename, context, doctree):
    """Record a page that is written in this build, except index.html, a redirect."""
    if Path(templatename).name != "redirect.html":
        app.written_pages.add(pagename)


def complete_sitemap(app):
    """Add the pages that were not written in this build to the sitemap."""
    for name in sorted(app.env.found_docs - app.written_pages):
        add_to_sitemap(app, f"{name}.html")


def shared_text(env):
    """Return all titles, numbers, labels, terms and works as text: pages show those of others."""
    parts = [
        sorted(env.toc_secnumbers.items()),
        sorted(env.toc_fignumbers.items()),
        sorted(env.get_domain("math").equations.items()),
        sorted((name, title.astext()) for name, title in env.titles.items()),
        sorted((name, toc.pformat()) for name, toc in env.tocs.items()),
        sorted(exercise_titles(env)),
        sorted(theorems(env)),
        sorted(cited_works(env)),
        *(sorted(map(str, env.domains[name].get_objects())) for name in sorted(env.domains)),
    ]
    return "\n".join(map(str, parts))


def find_pages_to_rewrite(app, env):
    """Return all pages if a title, number, label or term has changed, else an empty list."""
    found = hashlib.sha256(shared_text(env).encode()).hexdigest()
    before, env.shared_digest = getattr(env, "shared_digest", found), found
    return [] if found == before else env.found_docs


def setup(app):
    """Register the extension."""
    app.written_pages = set()
    app.connect("doctree-read", set_node_documents, priority=SET_NODE_DOCUMENTS)
    app.connect("write-started", delete_shared_files)
    app.connect("html-page-context", record_page)
    app.connect("env-get-updated", find_pages_to_rewrite, priority=FIND_PAGES_TO_REWRITE)
    on_pages_written(app, complete_sitemap, priority=COMPLETE_SITEMAP)
