"""Change the pages of the book once they are written; other extensions here build on it.

Sphinx writes the pages that changed, and they alone are changed here: the others stand finished.
A page shows titles, numbers and terms of other pages: where one of these changes, all are written.
"""

import hashlib
import shutil
import sys
from pathlib import Path

PACKAGES = Path(__file__).parent / "browser" / "node_modules"
NODE = Path(sys.executable).with_name("node")


def when_written(app, change, priority=500):
    """Have ``change(app)`` called at the end of a build that has written pages."""

    def finish(app, exception):
        if exception is None and app.builder.format == "html" and app.written_pages:
            change(app)

    app.connect("build-finished", finish, priority=priority)


def read_pages(app):
    """Yield the path and the text of each page."""
    for path in sorted(Path(app.outdir).rglob("*.html")):
        if "_static" not in path.relative_to(app.outdir).parts:
            yield path, path.read_text("utf-8")


def rewrite_pages(app, change):
    """Replace the text of each page of this run by ``change(path, text)``, where that differs."""
    for name in sorted(app.written_pages):
        path = Path(app.outdir, f"{name}.html")
        text = path.read_text("utf-8")
        changed = change(path, text)
        if changed != text:
            path.write_text(changed, "utf-8")


def root_of(app, path):
    """Return the way from a page to the root of the site: "" or "../"."""
    return "../" * (len(path.relative_to(app.outdir).parts) - 1)


def drop_shared_files(app, builder):
    """Drop scripts and sheets of an earlier build: they are made anew, and links hold a mark."""
    shutil.rmtree(Path(app.outdir, "_static"), ignore_errors=True)


def own_nodes(app, doctree):
    """Let all nodes of a page belong to it.

    Those of an `eval-rst` block belong to a document of their own, which would be stored with the
    whole environment, 17 MB for each page of the library.
    """
    for node in doctree.findall():
        node.document = doctree


def note_page(app, pagename, templatename, context, doctree):
    """Note a page that is written in this run; the first one forwards to the preface."""
    if Path(templatename).name != "redirect.html":
        app.written_pages.add(pagename)


def list_finished_pages(app):
    """Have the map of the site name the pages, too, that were not written now."""
    for name in sorted(app.env.found_docs - app.written_pages):
        app.sitemap_links.put((f"{name}.html", None))


def shown_elsewhere(env):
    """Return what pages show of each other, as text: titles, numbers, labels, terms, works."""
    exercises = getattr(env, "sphinx_exercise_registry", {})
    works = env.get_domain("cite").citation_refs
    parts = [
        sorted(env.toc_secnumbers.items()),
        sorted(env.toc_fignumbers.items()),
        sorted(env.get_domain("math").equations.items()),
        sorted((name, title.astext()) for name, title in env.titles.items()),
        sorted((name, toc.pformat()) for name, toc in env.tocs.items()),
        sorted((name, entry["node"][0].astext()) for name, entry in exercises.items()),
        sorted(getattr(env, "proof_list", {}).items()),
        sorted({target.key for citation in works for target in citation.targets}),
        *(sorted(map(str, env.domains[name].get_objects())) for name in sorted(env.domains)),
    ]
    return "\n".join(map(str, parts))


def write_where_shown(app, env):
    """Have all pages written if something changed that pages show of each other."""
    found = hashlib.sha256(shown_elsewhere(env).encode()).hexdigest()
    before, env.shown_elsewhere = getattr(env, "shown_elsewhere", found), found
    return [] if found == before else env.found_docs


def setup(app):
    """Register the extension."""
    app.written_pages = set()
    app.connect("doctree-read", own_nodes, priority=900)
    app.connect("write-started", drop_shared_files)
    app.connect("html-page-context", note_page)
    # After titles, figures and theorems have their numbers (500).
    app.connect("env-get-updated", write_where_shown, priority=900)
    # Before the map is written (500).
    when_written(app, list_finished_pages, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
