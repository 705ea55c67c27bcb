"""Code stands back on a page: what a cell checks is one line, a figure comes before its code.

A cell folds into that line when all it prints are lines of `kmds_figures.checks`. What defines a
function stays open, and so does a cell that prints more: its line stands below what it prints. A
page that opens with a figure shows it before the folded cells that it needs.
Drawings of lines and dots are marked, because they follow the theme.
Without a script all folds open by a click; a button of the page opens them at once.

Words of code that have no colour are no elements: names and punctuation are half of what is marked
up in code, and a fifth of a chapter's elements. Long names break between their parts.
"""

import html
import re
from itertools import takewhile

from docutils import nodes
from html_postprocess import rewrite_pages, when_written
from myst_nb.sphinx_ import HideCodeCellNode

# What draws a picture whose shades mean something, which the dark theme must not turn round.
SHADED = re.compile(r"\b(imshow\(|plot_matrix\(|pcolormesh\(|cmap=)")
FUNCTION = re.compile(r"def (\w+)\(")
CHECKED = re.compile(
    r"(.+?): (agree within \S+|differ by \S+, more than \S+|at (?:most|least) [-\d.e]+)"
)
GREEK = "alpha|beta|gamma|delta|theta|kappa|[lL]ambda|mu|nu|sigma|omega"
# What is typed in a line of a check, and how a page prints it.
PRINTED = [
    (re.compile(r"(?<![\d.])1e(?=-?\d)"), "10^"),
    (re.compile(r"(?<=\d)e(?=-?\d)"), "·10^"),
    (re.compile(r"\^(-?\w+)"), r"<sup>\1</sup>"),
    (re.compile(rf"\b([A-Za-z]|{GREEK})_(\w\w?)\b"), r"\1<sub>\2</sub>"),
    (re.compile(rf"\b({GREEK})\b"), lambda name: html.unescape(f"&{name[1]};")),
    (re.compile(r"(?<!\w)-"), "−"),
]
CODE = re.compile(r'<div class="highlight"><pre>.*?</pre>', re.DOTALL)
PLAIN = re.compile(r'<span class="[npw]">([^<]*)</span>')
NAME = re.compile(r'<span class="pre">[^<]{10,}</span>')
# After `similarities_`, `smacof::`, `fit.` and `smacof(`, and in `Spectral|Embedding`.
JOINT = re.compile(r"(?<=[a-z](?:_|\.|\())(?=[a-z])|(?<=::)(?=\w)|(?<=[a-z])(?=[A-Z][a-z]{3})")


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


def as_printed(text):
    """Return a line of a check with its powers, indices, Greek letters and minus signs."""
    text = html.escape(text, quote=False)
    for typed, printed in PRINTED:
        text = typed.sub(printed, text)
    return text


def in_words(lines):
    """Return the lines of a page that say what a cell checks, each thing once."""
    said, found = [], {}
    for what, how in lines:
        found.setdefault(how, {})[as_printed(what)] = None
    for how, names in found.items():
        sign, look = ("≠", "fails") if how.startswith("differ") else ("✓", "holds")
        mark = f'<span class="check-sign {look}" aria-hidden="true">{sign}</span>'
        words = f"{mark}&nbsp;<b>{'; '.join(names)}</b> {as_printed(how)}"
        said.append(f'<span class="verdict">{words}</span>')
    return " ".join(said)


def fold_check(cell):
    """Fold a cell into the line that says what it checks; what defines a function stays open."""
    start = 1 if "def " in cell[0].astext() else 0
    opening = f'<details class="check"><summary class="check">{in_words(lines_of(cell))}</summary>'
    cell.insert(start, nodes.raw("", opening, format="html"))
    cell += nodes.raw("", "</details>", format="html")


def set_apart(cell):
    """Say below what a cell prints what it checks besides."""
    checked = []
    for part in list(cell[-1].findall(nodes.literal_block)):
        lines = part.astext().splitlines()
        found = [CHECKED.fullmatch(line.strip()) for line in lines]
        checked += [match.groups() for match in found if match]
        part.rawsource = "\n".join(
            line for line, match in zip(lines, found, strict=True) if not match
        )
        part.children = [nodes.Text(part.rawsource)]
        if not part.rawsource.strip():
            part.parent.remove(part)
    if checked:
        cell += nodes.raw("", f'<p class="check">{in_words(checked)}</p>', format="html")


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
        folded = isinstance(cell[0], HideCodeCellNode)
        if not folded and lines_of(cell):
            fold_check(cell)
            continue
        set_apart(cell)
        if folded and has_figure(cell):
            cell.append(cell.pop(0))


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


def lighten(text):
    """Return a page whose code holds no element for a plain word."""
    return CODE.sub(lambda code: PLAIN.sub(r"\1", code[0]), text)


def break_names(text):
    """Return a page whose long names in text and tables can be broken at their joints."""
    return NAME.sub(lambda name: JOINT.sub("<wbr>", name[0]), text)


def rewrite_code(app):
    """Change all pages."""
    rewrite_pages(app, lambda path, text: break_names(lighten(text)))


def setup(app):
    """Register the extension."""
    # After other extensions have read the cells (510 to 610).
    app.connect("doctree-resolved", set_back_code, priority=620)
    # After the theme has made its list (500).
    app.connect("html-page-context", add_button, priority=600)
    when_written(app, rewrite_code)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
