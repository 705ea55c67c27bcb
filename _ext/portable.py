"""Write each chapter as a portable notebook, without the markup that is specific to this book.

The text comes from the resolved page, with the numbers, titles and links of the book. The code
cells are copied from the chapter's notebook, below a cell that installs the library where it is
missing. A notebook for grading is copied and gets such a cell, which also writes its data.
"""

import hashlib
from base64 import b64encode
from itertools import groupby, takewhile
from pathlib import Path

import nbformat
from docutils import nodes

from _ext.event_order import SET_BUTTONS, WRITE_PORTABLE
from _ext.internals import (
    content_of,
    index_of,
    is_code,
    is_exercise_node,
    is_solution_node,
    menus_of,
)
from _ext.markdown_writer import Markdown, folded
from _ext.site_config import read_site_config

FOLDER = "notebooks"
BUTTONS = {
    ".ipynb": "Download the notebook",
    ".pdf": "Print this page",
    "Repository": "Source code",
    "Open issue": "Report a mistake",
    "Binder": "Run on Binder",
    "Colab": "Run on Colab",
}
"""The names of header buttons in the theme, and in the book; other buttons are left out."""

HIDDEN_SOURCE = {"jupyter": {"source_hidden": True}, "cellView": "form"}
"""Metadata of a cell whose code is folded, in JupyterLab and in Colab."""

INSTALL = """\
# Install the library of this book and the packages that draw its figures, in Colab or in your own
# Jupyter. If all of them are installed already, as on Binder, this cell changes nothing.
import sys
from importlib.util import find_spec

needed = "anywidget cvxpy ipywidgets kmds_figures matplotlib pandas sklearn"
if not all(map(find_spec, needed.split())):
    %pip install --quiet "kmds_lib[notebooks] @ {archive}"
if "google.colab" in sys.modules:
    from google.colab import output

    output.enable_custom_widget_manager()"""

INSTALL_FOR_SET = """\
# Write the data of this problem set beside the notebook, and install the packages that it uses.
# Where both are present already, this cell changes nothing.
import base64
from importlib.util import find_spec
from pathlib import Path

if not all(map(find_spec, ["kmds_lib", "matplotlib"])):
    %pip install --quiet "kmds_lib[notebooks] @ {archive}"
if not Path("data.npz").exists():
    Path("data.npz").write_bytes(base64.b64decode("{data}"))"""

WELCOME = """\
> This notebook belongs to [{title}]({site}). [Its page]({page}) shows all figures, with sliders \
that move. Here **the figures appear after you run the cells**: choose *Run All* in the menu. \
The first cell installs the library of the book if it is missing. Links lead to the published \
book. Click on a triangle to open a folded text."""


class NotebookWriter:
    """Writer of the portable notebook of a page, from its notebook and its resolved document."""

    def __init__(self, source, markdown):
        self.source, self.markdown = source, markdown
        self.cells, self.text, self.folded_sections = [], [], []

    def flush(self, **metadata):
        """Add the collected text as a Markdown cell."""
        text = "\n\n".join(filter(None, self.text))
        if text:
            self.cells.append(nbformat.v4.new_markdown_cell(text, metadata=metadata))
        self.text = []

    def add_code(self, node):
        """Add a code cell of the chapter and, below it, the caption of its figure."""
        cell = self.source.cells[index_of(node)].copy()
        tags = cell.metadata.get("tags", [])
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        if "hide-input" in tags:
            cell.metadata |= HIDDEN_SOURCE
        self.cells.append(cell)
        self.text += [self.markdown.caption(figure) for figure in node.findall(nodes.figure)]
        self.flush()

    def add(self, children, depth):
        """Add the nodes of a section whose title has the given depth."""
        for node in children:
            name = type(node).__name__
            if name == "section":
                self.flush()
                self.add(node.children, depth + 1)
            elif name == "title":
                number = self.markdown.section_number(node.parent, depth)
                self.text.append(f"{'#' * depth} {number}{self.markdown.inline(node)}")
            elif is_exercise_node(node):
                self.add_exercise(node, depth + 1)
            elif is_solution_node(node):
                self.add_solution(node, depth + 2)
            elif is_code(node):
                self.flush()
                self.add_code(node)
            else:
                self.text.append(self.markdown.block(node))

    def add_exercise(self, node, depth):
        """Add an exercise with its own heading."""
        self.flush()
        number = self.markdown.number("exercise", node)
        head = f"Exercise {number}".strip() + self.markdown.inline(node[0])
        self.text.append(f"{'#' * depth} {head}")
        self.text.append(self.markdown.blocks(content_of(node)))

    def add_solution(self, node, depth):
        """Add a solution as folded text or, if it contains code, as a collapsed section."""
        exercise = "".join(
            part.astext()
            for part in takewhile(lambda part: "·" not in part.astext(), node[0][-1].children)
        )
        head = f"Solution to {exercise.strip()}"
        parts = content_of(node)
        if not any(map(is_code, parts)):
            self.text.append(folded(head, self.markdown.blocks(parts)))
            return
        self.flush()
        self.text.append(f"{'#' * depth} {head}")
        self.flush(**{"jp-MarkdownHeadingCollapsed": True})
        self.folded_sections.append(len(self.cells) - 1)
        self.add_parts(parts)

    def add_parts(self, parts):
        """Add the code and the text of a solution in order; its section is collapsed."""
        for code, group in groupby(parts, is_code):
            if code:
                for part in group:
                    self.add_code(part)
            elif text := self.markdown.blocks(group):
                self.text.append(text)
                self.flush()

    def notebook(self, welcome, install):
        """Return the notebook, with the welcome text and the first code cell after its title."""
        first = self.cells[0]
        head, _, rest = first.source.partition("\n\n")
        first.source = rest
        opening = [
            nbformat.v4.new_markdown_cell(f"{head}\n\n{welcome}"),
            nbformat.v4.new_code_cell(install),
        ]
        sections = [self.cells[place] for place in self.folded_sections]
        cells = [*opening, *self.cells]
        for index, cell in enumerate(cells):
            cell.id = hashlib.sha256(f"{cell.source}{index}".encode()).hexdigest()[:12]
        for cell in sections:
            cell.metadata["id"] = cell.id
        metadata = self.source.metadata | {
            "colab": {"collapsed_sections": [cell.id for cell in sections]}
        }
        return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


def is_graded(notebook):
    """Return True for a notebook that students hand in, whose cells must not change."""
    return any("nbgrader" in cell.metadata for cell in notebook.cells)


def portable(env, doctree, docname, source, site):
    """Return the portable notebook of a page."""
    writer = NotebookWriter(source, Markdown(env, docname, site.page(docname)))
    writer.add(doctree.children, 0)
    writer.flush()
    welcome = WELCOME.format(title=site.title, site=site.site, page=site.page(docname))
    return writer.notebook(welcome, INSTALL.format(archive=site.archive))


def add_data(notebook, path, archive):
    """Insert a folded cell that writes the data of a problem set before its first code cell."""
    data = b64encode(path.read_bytes()).decode()
    source = INSTALL_FOR_SET.format(data=data, archive=archive)
    cell = nbformat.v4.new_code_cell(source, id="data-file", metadata=HIDDEN_SOURCE)
    first = next(i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code")
    notebook.cells.insert(first, cell)


def write_portable(app, doctree, docname):
    """Write the portable notebook of a page that is a notebook."""
    path = Path(app.env.doc2path(docname))
    if path.suffix != ".ipynb" or app.builder.format != "html":
        return
    notebook, site = nbformat.read(path, as_version=4), read_site_config()
    if is_graded(notebook):
        add_data(notebook, path.with_name("data.npz"), site.archive)
    else:
        notebook = portable(app.env, doctree, docname, notebook, site)
    nbformat.validate(notebook)
    target = Path(app.outdir, FOLDER, f"{docname}.ipynb")
    target.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, target)


def set_buttons(app, pagename, templatename, context, doctree):
    """Name the buttons of the header, and link them to the portable notebook of the page."""
    site = read_site_config()
    links = {
        ".ipynb": context["pathto"](f"{FOLDER}/{pagename}.ipynb", 1),
        "Binder": site.binder(pagename),
        "Colab": site.colab(pagename),
    }
    for menu in menus_of(context):
        menu[:] = [button for button in menu if button["text"] in BUTTONS]
        for button in menu:
            name = button["text"]
            button["text"] = button["tooltip"] = BUTTONS[name]
            if name in links:
                button["url"] = links[name]


def setup(app):
    """Register the extension."""
    app.connect("doctree-resolved", write_portable, priority=WRITE_PORTABLE)
    app.connect("html-page-context", set_buttons, priority=SET_BUTTONS)
