"""A link of its own for every theorem, definition, algorithm and exercise."""

from docutils import nodes
from sphinx_exercise.nodes import is_exercise_node
from sphinx_proof.nodes import NODE_TYPES


def is_linked(node):
    """Tell whether a block is one that readers point to."""
    return isinstance(node, tuple(NODE_TYPES.values())) or is_exercise_node(node)


def link_blocks(app, doctree, docname):
    """Put a link to itself behind the title of each block of one page."""
    if app.builder.format != "html":
        return
    for block in doctree.findall(is_linked):
        kind = block.get("realtype", "exercise")
        link = f'<a class="headerlink" href="#{block["ids"][0]}" title="Link to this {kind}">#</a>'
        block[0] += nodes.raw("", link, format="html")


def setup(app):
    """Register the extension."""
    # After block_titles has set the titles (500).
    app.connect("doctree-resolved", link_blocks, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
