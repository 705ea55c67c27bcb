"""Access to undocumented attributes of other packages, which a new version can change.

MAINTAINING.md also lists what other files depend on.
"""

import html
import re
from importlib import import_module

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from pygments.formatters import HtmlFormatter
from sphinx_exercise.nodes import is_exercise_node, is_solution_node
from sphinx_proof.nodes import NODE_TYPES, proof_node

__all__ = ["HideCodeCellNode", "is_exercise_node", "is_solution_node", "proof_node"]

WIDGET_STATE = "application/vnd.jupyter.widget-state+json"


def is_code(node):
    """Return True for a code cell."""
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"


def is_folded(cell):
    """Return True for a code cell whose code is folded."""
    return cell.get("hide_mode") == "input"


def index_of(cell):
    """Return the index of a code cell in its notebook."""
    return cell["cell_index"]


def widget_models(renderer):
    """Return the models of the widgets in a notebook, given the renderer of MyST-NB."""
    return renderer.renderer.nb_client.nb_metadata["widgets"][WIDGET_STATE]["state"]


def class_of(state):
    """Return the class of a widget of anywidget from the state of its model."""
    module, _, name = state["_anywidget_id"].rpartition(".")
    return getattr(import_module(module), name)


def is_theorem(node):
    """Return True for a block with a number of its own, such as a theorem or a definition."""
    return isinstance(node, tuple(NODE_TYPES.values()))


def kind_of(node):
    """Return the kind of a theorem, such as "lemma", or None for other nodes."""
    return node.get("realtype")


def counter_of(theorem):
    """Return the name of the counter that numbers a theorem."""
    return theorem["countertype"]


def content_of(block):
    """Return the nodes below the title of a theorem, an exercise or a solution."""
    return [part for box in block[1:] for part in box.children]


def is_citation(node):
    """Return True for a citation of sphinxcontrib-bibtex."""
    return "bibtex-citation" in node["classes"]


def add_header_button(context, script, text, icon, label):
    """Add a button that runs a script to the header of the theme."""
    button = {"type": "javascript", "javascript": script, "tooltip": text, "icon": icon}
    context["header_buttons"].append(button | {"label": label, "classes": "pst-navbar-icon"})


def menus_of(context):
    """Return the menus in the header of the theme, which are lists of buttons."""
    return [group["buttons"] for group in context["header_buttons"] if "buttons" in group]


def page_of(env, label):
    """Return the page on which a label is."""
    return env.domains["std"].anonlabels[label][0]


def disable_search(builder):
    """Turn off Sphinx's own search."""
    builder.search = False


def set_formatter(builder, formatter):
    """Set the class that writes highlighted code."""
    builder.highlighter.formatter = formatter


def mark_if_wrapping(line):
    """Put a line of code into a span if it is indented and longer than 40 characters."""
    text = html.unescape(re.sub(r"<[^>]*>", "", line)).rstrip("\n")
    indent = len(text) - len(text.lstrip(" "))
    span = f'<span class="wraps" style="--indent: {indent}">{line[:-1]}</span>\n'
    return span if indent and len(text) > 40 else line


class PlainNamesFormatter(HtmlFormatter):
    """A formatter without spans around names, punctuation and spaces, which have no colour."""

    def _get_css_class(self, ttype):
        found = super()._get_css_class(ttype)
        return "" if found in ("n", "p", "w") else found

    def wrap(self, source):
        """Mark the lines that can be too long for a phone, and add the tags around the code."""
        return super().wrap((kind, mark_if_wrapping(line)) for kind, line in source)
