"""Functions with which extensions write pages and change them at the end of a build."""

from _ext.event_order import SET_NODE_DOCUMENTS


def on_pages_written(app, change, priority=500):
    """Call ``change(app)`` at the end of each build of HTML pages."""

    def finish(app, exception):
        if exception is None and app.builder.format == "html":
            change(app)

    app.connect("build-finished", finish, priority=priority)


def writes(text):
    """Return a function that writes a text before or after the content of a node."""
    return lambda translator, node: translator.body.append(text)


def set_node_documents(app, doctree):
    """Set the document of all nodes of a page to that page.

    Nodes of an `eval-rst` block belong to a document of their own, with which Sphinx would store
    its whole environment: 17 MB for each page of the API.
    """
    for node in doctree.findall():
        node.document = doctree


def setup(app):
    """Register the extension."""
    app.connect("doctree-read", set_node_documents, priority=SET_NODE_DOCUMENTS)
