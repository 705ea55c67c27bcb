"""Write each chapter as a notebook that reads well anywhere, beside the pages.

The text comes from the resolved page, so every number, title and link is the book's. The code
cells come from the chapter's own notebook, each as it stands there. A notebook that is marked for
grading is handed out as it is.
"""

import hashlib
from itertools import groupby, takewhile
from pathlib import Path

import nbformat
from docutils import nodes
from markdown_writer import Markdown, folded
from site_config import ROOT, read_address

FOLDER = "notebooks"
COLAB_NEEDS = ("anywidget", "ipywidgets", "scikit-learn")
"""What the chapters import and Colab lacks or has in too old a version."""

COLAB = """\
# Google Colab lacks the library of this book. In other places this cell does nothing.
try:
    from google.colab import output
except ImportError:
    pass
else:
    %pip install --quiet "kmds_lib @ {archive}" {packages}
    output.enable_custom_widget_manager()"""

WELCOME = """\
> This notebook belongs to [{title}]({site}). On [its page]({page}) the pictures stand in \
their places and the sliders move. Here **the pictures appear after the cells have run**: choose \
*Run All* in the menu. Links lead to the published book. A triangle opens what is folded."""


def pins(names):
    """Return the pinned versions of some packages, as pip takes them."""
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    return " ".join(line for line in lines if line.partition("==")[0] in names)


def is_code(part):
    """Tell code cells."""
    return part.get("nb_element") == "cell_code"


class Portable:
    """One chapter as a portable notebook, from its own notebook and the writer of its page."""

    def __init__(self, source, markdown):
        self.source, self.markdown = source, markdown
        self.cells, self.text, self.folded_sections = [], [], []

    def flush(self, **metadata):
        """Close the text cell that is being written."""
        text = "\n\n".join(filter(None, self.text))
        if text:
            self.cells.append(nbformat.v4.new_markdown_cell(text, metadata=metadata))
        self.text = []

    def add_code(self, node):
        """Add a code cell of the chapter, and the caption of its figure below it."""
        cell = self.source.cells[node["cell_index"]].copy()
        tags = cell.metadata.get("tags", [])
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        if "hide-input" in tags:
            cell.metadata |= {"jupyter": {"source_hidden": True}, "cellView": "form"}
        self.cells.append(cell)
        self.text += [self.markdown.caption(figure) for figure in node.findall(nodes.figure)]
        self.flush()

    def walk(self, children, depth):
        """Add what a section holds."""
        for node in children:
            name = type(node).__name__
            if name == "section":
                self.flush()
                self.walk(node.children, depth + 1)
            elif name == "title":
                number = self.markdown.section_number(node.parent, depth)
                self.text.append(f"{'#' * depth} {number}{self.markdown.inline(node)}")
            elif name in ("exercise_node", "exercise_enumerable_node"):
                self.add_exercise(node, depth + 1)
            elif name == "solution_node":
                self.add_solution(node, depth + 2)
            elif is_code(node):
                self.flush()
                self.add_code(node)
            else:
                self.text.append(self.markdown.block(node))

    def add_exercise(self, node, depth):
        """Add an exercise under a heading of its own."""
        self.flush()
        title, *rest = node.children
        number = self.markdown.number("exercise", node)
        head = f"Exercise {number}".strip() + self.markdown.inline(title)
        self.text.append(f"{'#' * depth} {head}")
        self.text.append(self.markdown.blocks(part for box in rest for part in box.children))

    def add_solution(self, node, depth):
        """Add a solution: folded below its exercise or, if code runs in it, a folded section."""
        exercise = "".join(
            part.astext()
            for part in takewhile(lambda part: "·" not in part.astext(), node[0][-1].children)
        )
        head = f"Solution to {exercise.strip()}"
        parts = [part for box in node.children[1:] for part in box.children]
        if not any(map(is_code, parts)):
            self.text.append(folded(head, self.markdown.blocks(parts)))
            return
        self.flush()
        self.text.append(f"{'#' * depth} {head}")
        self.flush(**{"jp-MarkdownHeadingCollapsed": True})
        self.folded_sections.append(len(self.cells) - 1)
        self.add_parts(parts)

    def add_parts(self, parts):
        """Add text and code of a solution in their order, the text folded."""
        for code, group in groupby(parts, is_code):
            if code:
                for part in group:
                    self.add_code(part)
            elif words := self.markdown.blocks(group):
                self.text.append(folded("In words", words))
                self.flush()

    def notebook(self, welcome, colab):
        """Return the notebook: its title and what to know first, the cell for Colab, the rest."""
        first = self.cells[0]
        head, _, rest = first.source.partition("\n\n")
        first.source = rest
        opening = [
            nbformat.v4.new_markdown_cell(f"{head}\n\n{welcome}"),
            nbformat.v4.new_code_cell(colab, metadata={"jupyter": {"source_hidden": True}}),
        ]
        sections = [self.cells[place] for place in self.folded_sections]
        cells = [*opening, *self.cells]
        seen = set()
        for cell in cells:
            cell.id = hashlib.sha256(f"{cell.source}{len(seen)}".encode()).hexdigest()[:12]
            seen.add(cell.id)
        for cell in sections:
            cell.metadata["id"] = cell.id
        metadata = self.source.metadata | {
            "colab": {"collapsed_sections": [cell.id for cell in sections]}
        }
        return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


def is_graded(notebook):
    """Tell whether a notebook is handed in: then no cell of it may change."""
    return any("nbgrader" in cell.metadata for cell in notebook.cells)


def portable(env, doctree, docname, source, address):
    """Return the portable notebook of a page."""
    writer = Portable(source, Markdown(env, docname, address.page(docname)))
    writer.walk(doctree.children, 0)
    writer.flush()
    welcome = WELCOME.format(title=address.title, site=address.site, page=address.page(docname))
    colab = COLAB.format(archive=address.archive, packages=pins(COLAB_NEEDS))
    return writer.notebook(welcome, colab)


def write_portable(app, doctree, docname):
    """Write the portable notebook of a page that is a notebook."""
    path = Path(app.env.doc2path(docname))
    if path.suffix != ".ipynb" or app.builder.format != "html":
        return
    notebook = nbformat.read(path, as_version=4)
    if not is_graded(notebook):
        notebook = portable(app.env, doctree, docname, notebook, read_address())
        nbformat.validate(notebook)
    target = Path(app.outdir, FOLDER, f"{docname}.ipynb")
    target.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, target)


def lead_buttons(app, pagename, templatename, context, doctree):
    """Lead the download, Binder and Colab buttons to the portable notebook."""
    if ".ipynb" not in context.get("page_source_suffix", ""):
        return
    address = read_address()
    links = {"Binder": address.binder(pagename), "Colab": address.colab(pagename)}
    for group in context["header_buttons"]:
        for button in group.get("buttons", []):
            if button.get("label") == "download-source-button":
                button["url"] = context["pathto"](f"{FOLDER}/{pagename}.ipynb", 1)
                button["tooltip"] = "Download notebook"
            elif button["text"] in links:
                button["url"] = links[button["text"]]


def setup(app):
    """Register the extension."""
    # After the titles of exercises are set (500), before anything is drawn for the page alone.
    app.connect("doctree-resolved", write_portable, priority=510)
    # After the theme made its buttons (500).
    app.connect("html-page-context", lead_buttons, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
