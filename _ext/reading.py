"""Code stands back on a page: a cell that only checks is one line, a figure comes before its code.

A cell only checks when all it prints are lines of `kmds_figures.checks`. What defines a function
stays open. A page that opens with a figure shows it before the folded cells that it needs.
Drawings of lines and dots are marked, because they follow the theme.
Without a script all folds open by a click; a button of the page opens them at once.
"""

import html
import re
from itertools import groupby, takewhile

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode

# What draws a picture whose shades mean something, which the dark theme must not turn round.
SHADED = re.compile(r"\b(imshow|plot_matrix|pcolormesh)\(")
FUNCTION = re.compile(r"def (\w+)\(")
CHECKED = re.compile(r"(.+?): (agree within \S+|differ by \S+, more than \S+)")


def is_code(node):
    """Tell code cells."""
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"


def is_cell(node):
    """Tell code cells with what they print."""
    return is_code(node) and len(node.children) > 1


def lines_of(cell):
    """Return what a cell checks as (what, how), or nothing where it prints or draws more."""
    printed = cell[-1].children
    if not all(isinstance(part, nodes.literal_block) for part in printed):
        return []
    lines = [line.strip() for part in printed for line in part.astext().splitlines()]
    found = [CHECKED.fullmatch(line) for line in lines if line]
    return [match.groups() for match in found] if all(found) else []


def in_words(lines):
    """Return the line of a page that says what a cell checks."""
    said = []
    for how, same in groupby(lines, key=lambda line: line[1]):
        sign, name = ("✓", "holds") if how.startswith("agree") else ("≠", "fails")
        what = "; ".join(html.escape(line[0]) for line in same)
        said.append(
            f'<span class="check-sign {name}" aria-hidden="true">{sign}</span> <b>{what}</b> {how}'
        )
    return ", ".join(said)


def fold_check(cell):
    """Fold a cell into the line that says what it checks; what defines a function stays open."""
    start = 1 if "def " in cell[0].astext() else 0
    opening = f'<details class="check"><summary class="check">{in_words(lines_of(cell))}</summary>'
    cell.insert(start, nodes.raw("", opening, format="html"))
    cell += nodes.raw("", "</details>", format="html")


def is_folded(node):
    """Tell code cells whose code is folded."""
    return node.get("hide_mode") == "input"


def has_figure(node):
    """Tell code cells that draw a figure with a caption."""
    return is_code(node) and any(node.findall(nodes.figure))


def mark_drawings(cells):
    """Mark cells that draw lines and dots alone, by themselves or by functions of cells above."""
    shading = SHADED
    for cell in cells:
        for chunk in re.split(r"\n(?=def )", cell[0].astext()):
            name = FUNCTION.match(chunk)
            if name and shading.search(chunk):
                shading = re.compile(rf"{shading.pattern}|\b{name[1]}\b")
        if not shading.search(cell[0].astext()):
            cell["classes"].append("drawing")


def open_with_figure(page):
    """Put what is folded above the first figure of a page behind it, before the first section."""
    opening = list(takewhile(lambda node: not isinstance(node, nodes.section), page.children))
    figure = next(filter(has_figure, opening), None)
    for cell in reversed(opening[: opening.index(figure)] if figure else []):
        if is_folded(cell):
            page.remove(cell)
            page.insert(page.index(figure) + 1, cell)


def set_back_code(app, doctree, docname):
    """Fold the checks of a page, and put the folded code of a figure behind it."""
    if app.builder.format != "html":
        return
    mark_drawings(doctree.findall(is_code))
    open_with_figure(next(doctree.findall(nodes.section), doctree))
    for cell in list(doctree.findall(is_cell)):
        if isinstance(cell[0], HideCodeCellNode):
            if has_figure(cell):
                cell.append(cell.pop(0))
        elif lines_of(cell):
            fold_check(cell)


def add_button(app, pagename, templatename, context, doctree):
    """Add the button that shows all code to a page that folds some."""
    if doctree and any(doctree.findall(is_cell)):
        context["header_buttons"].append(
            {
                "type": "javascript",
                "javascript": "showCode()",
                "tooltip": "Show all code",
                "icon": "fas fa-code",
                "label": "show-code",
                "classes": "pst-navbar-icon",
            }
        )


def setup(app):
    """Register the extension."""
    # After other extensions have read the cells (510 to 610).
    app.connect("doctree-resolved", set_back_code, priority=620)
    # After the theme has made its list (500).
    app.connect("html-page-context", add_button, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
