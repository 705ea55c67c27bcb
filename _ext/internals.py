"""Access to undocumented parts of other packages, which a new version can change.

The other extensions import these functions and names, so that an upgrade of MyST-NB, Sphinx,
Pygments, anywidget, sphinx-exercise or sphinx-proof changes only this file.
"""

from importlib import import_module

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from pygments.formatters import HtmlFormatter
from sphinx_exercise.nodes import is_exercise_node, is_solution_node
from sphinx_proof.nodes import NODE_TYPES, proof_node

__all__ = ["NODE_TYPES", "HideCodeCellNode", "is_exercise_node", "is_solution_node", "proof_node"]

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


def exercise_titles(env):
    """Return the labels of all exercises with their titles."""
    exercises = getattr(env, "sphinx_exercise_registry", {})
    return [(label, entry["node"][0].astext()) for label, entry in exercises.items()]


def theorems(env):
    """Return the labels of all theorems and proofs with what sphinx-proof stores of them."""
    return list(getattr(env, "proof_list", {}).items())


def disable_search(builder):
    """Turn off Sphinx's own search."""
    builder.search = False


def set_formatter(builder, formatter):
    """Set the class that writes highlighted code."""
    builder.highlighter.formatter = formatter


class PlainNamesFormatter(HtmlFormatter):
    """A formatter without spans around names, punctuation and spaces, which have no colour."""

    def _get_css_class(self, ttype):
        found = super()._get_css_class(ttype)
        return "" if found in ("n", "p", "w") else found
