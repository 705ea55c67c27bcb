"""Fold what has the class `dropdown` with the browser's own element, which needs no script."""

from docutils import nodes

SETTINGS = ("let toggleHint", "let toggleOpenOnPrint", "var togglebuttonSelector")


class fold(nodes.General, nodes.Element):
    """A block that is closed until its title is clicked."""


class fold_title(nodes.Part, nodes.TextElement):
    """The title that opens and closes a block."""


def words_of(title):
    """Return what a title holds, without its links: a click on a title opens the block."""
    for child in title.children:
        yield (
            nodes.inline("", "", *child.children) if isinstance(child, nodes.reference) else child
        )


def fold_blocks(app, doctree, docname):
    """Replace the blocks of one page that have the class, in place."""
    if app.builder.format != "html":
        return
    wanted = [
        node for node in doctree.findall(nodes.Element) if "dropdown" in node.get("classes", [])
    ]
    for block in wanted:
        title, *content = block.children
        folded = fold("", fold_title("", "", *words_of(title)), *content)
        folded["ids"], folded["classes"] = block["ids"], block["classes"]
        block.replace_self(folded)


def open_fold(translator, node):
    """Write the start of a block."""
    translator.body.append(translator.starttag(node, "details", CLASS="admonition"))


def close_fold(translator, node):
    """Write the end of a block."""
    translator.body.append("</details>\n")


def open_title(translator, node):
    """Write the start of a title."""
    translator.body.append(translator.starttag(node, "summary", "", CLASS="admonition-title"))


def close_title(translator, node):
    """Write the end of a title."""
    translator.body.append("</summary>\n")


def is_spare(script):
    """Tell whether a script is the one that Jupyter Book brings for folding, or its settings."""
    body = script.attributes.get("body", "")
    return "togglebutton.js" in str(script.filename) or body.startswith(SETTINGS)


def drop_togglebutton(app, pagename, templatename, context, doctree):
    """Leave out that script and its style."""
    context["script_files"] = [
        script for script in context["script_files"] if not is_spare(script)
    ]
    context["css_files"] = [
        sheet for sheet in context["css_files"] if "togglebutton" not in str(sheet.filename)
    ]


def setup(app):
    """Register the extension."""
    app.add_node(fold, html=(open_fold, close_fold))
    app.add_node(fold_title, html=(open_title, close_title))
    # After block_titles has set the titles (500).
    app.connect("doctree-resolved", fold_blocks, priority=600)
    app.connect("html-page-context", drop_togglebutton, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
