"""Draw the thumbnails of the gallery in the preface.

A thumbnail names a chapter, a panel of an explorer there, and the states to play:
`<a class="thumb kx" href="04-classical-scaling.html" data-panel="map" data-moves='[...]'>`.
"""

from html import escape
from posixpath import dirname, join

from docutils import nodes
from interactive_figures import draw, drawing_request, explorer, first_attributes, state_script
from sphinx.errors import ExtensionError

PREFACE = "chapters/preface"


def thumbnail_html(attributes, node, drawing):
    """Return a thumbnail with the drawing of a panel and the state of its explorer."""
    panel, label = attributes["data-panel"], attributes.pop("aria-label")
    attributes |= {
        "class": f"{attributes['class']} {drawing['className']}",
        "data-explorer": node["script"],
    }
    written = " ".join(f'{name}="{escape(value)}"' for name, value in attributes.items())
    return (
        f'<a {written}><span class="kx-said">{escape(label)}</span>'
        f'<span inert data-part="{panel}">{drawing["panel"]}</span>'
        f"{state_script(node['state'])}</a>"
    )


def draw_thumbnails(app, doctree, docname):
    """Replace the thumbnails of the preface by drawings."""
    if docname != PREFACE or app.builder.format != "html":
        return
    raws = [(raw, first_attributes(raw.astext(), "a.thumb")) for raw in doctree.findall(nodes.raw)]
    found = [(raw, attributes) for raw, attributes in raws if attributes]
    candidates = []
    for place, (_, attributes) in enumerate(found):
        chapter = join(dirname(docname), attributes["href"]).removesuffix(".html")
        for node in app.env.get_doctree(chapter).findall(explorer):
            candidates.append((place, node))
    requests = [drawing_request(n, panel=found[i][1]["data-panel"]) for i, n in candidates]
    drawn = {}
    for (place, node), drawing in zip(candidates, draw(requests), strict=True):
        if drawing:
            drawn.setdefault(place, (node, drawing))
    for place, (raw, attributes) in enumerate(found):
        if place not in drawn:
            page, panel = attributes["href"], attributes["data-panel"]
            raise ExtensionError(f"{docname}: no explorer of {page} has a panel {panel!r}.")
        raw.children = [nodes.Text(thumbnail_html(attributes, *drawn[place]))]


def update_gallery(app, env):
    """Return the page with the gallery, which is written whenever a chapter is."""
    return [PREFACE]


def setup(app):
    """Register the extension."""
    app.connect("doctree-resolved", draw_thumbnails)
    app.connect("env-get-updated", update_gallery)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
