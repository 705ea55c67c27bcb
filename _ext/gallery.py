"""Draw the gallery of the preface, and add the question of the next page to its link."""

from html import escape
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from _ext.interactive_figures import draw, drawing_request, explorer
from _ext.internals import page_of
from _ext.search_records import plain_text

PREFACE = "chapters/preface"


class thumbnail(nodes.General, nodes.Element):
    """A `panel` of an explorer in the chapter with a `label`."""


class ChapterCardDirective(SphinxDirective):
    """Directive for a card: the label of a chapter, a panel of its explorer, and a question."""

    required_arguments = 2
    option_spec: ClassVar = {"alt": directives.unchanged_required}
    has_content = True

    def run(self):
        """Return the card."""
        label, panel = self.arguments
        picture = thumbnail(label=label, panel=panel, alt=self.options["alt"])
        title, _ = self.parse_inline(f"{{ref}}`{label}`")
        parts = [picture, nodes.paragraph("", "", *title), *self.parse_content_to_nodes()]
        return [nodes.container("", *parts, classes=["chapter-card"])]


def thumbnail_html(picture, drawing):
    """Return a thumbnail with the drawing of a panel."""
    return (
        f'<span class="thumb kx {drawing["className"]}">'
        f'<span class="kx-visually-hidden">{escape(picture["alt"])}</span>'
        f'<span inert data-part="{picture["panel"]}">{drawing["panel"]}</span></span>'
    )


def draw_thumbnails(app, doctree, docname):
    """Replace the thumbnails of the preface by drawings; insert the headings of the parts."""
    if docname != PREFACE or app.builder.format != "html":
        return
    trees = app.env.get_doctree(PREFACE).findall(addnodes.toctree)
    headings = {tree["includefiles"][0]: tree["caption"] for tree in trees}
    candidates = [
        (picture, node)
        for picture in doctree.findall(thumbnail)
        for node in app.env.get_doctree(page_of(app.env, picture["label"])).findall(explorer)
    ]
    drawings = draw([drawing_request(node, panel=p["panel"]) for p, node in candidates])
    for (picture, _), drawing in zip(candidates, drawings, strict=True):
        card = picture.parent
        if drawing and card[0] is picture:
            card[0] = nodes.raw("", thumbnail_html(picture, drawing), format="html")
            if text := headings.get(page_of(app.env, picture["label"])):
                heading = nodes.rubric("", text, **{"heading-level": 3})
                card.parent.insert(card.parent.index(card), heading)
    if rest := list(doctree.findall(thumbnail)):
        raise ExtensionError(
            f"No explorer of {rest[0]['label']} has a panel {rest[0]['panel']!r}."
        )


def question_of(page):
    """Return the first paragraph of a page if it is bold, or None."""
    opening = page.next_node(nodes.paragraph)
    bold = opening and opening.next_node(nodes.strong)
    return plain_text(bold) if bold and bold.astext() == opening.astext() else None


def add_next_question(app, pagename, templatename, context, doctree):
    """Add the question of the next page to its link."""
    page = doctree and app.builder.relations[pagename][2]
    if page and (question := question_of(app.env.get_doctree(page))):
        small = f'<small class="d-inline-block fw-normal">{escape(question)}</small>'
        context["next_title"] = f"{context['next']['title']} {small}"


def setup(app):
    """Register the extension."""
    app.add_directive("chapter-card", ChapterCardDirective)
    app.add_node(thumbnail)
    app.connect("doctree-resolved", draw_thumbnails)
    app.connect("html-page-context", add_next_question)
