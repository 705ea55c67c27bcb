"""Fold check cells into one line and show figures before their code.

A cell is folded if it prints only results of `kmds_figures.checks`; its line lists labels and
results. Code that defines a function stays open. A cell that also prints something else
stays open too, and its check results follow its output. If a page opens with a figure, the folded
cells that it needs come after it. Every fold opens with a click, also without JavaScript, and a
button opens all of them.

Line drawings get the class `drawing`, because they follow the theme. Spans without a colour are
removed from highlighted code: they are a fifth of the elements of a chapter. Long names get
opportunities for a line break.
"""

import html
import re
from itertools import takewhile

from docutils import nodes
from html_postprocess import on_pages_written, rewrite_pages
from myst_nb.sphinx_ import HideCodeCellNode

# Calls that draw a picture whose shades have a meaning, so that the dark theme must not invert it.
SHADED = re.compile(r"\b(imshow\(|plot_matrix\(|pcolormesh\(|cmap=)")
DEFINITION = re.compile(r"def (\w+)\(")
CHECK_RESULT = re.compile(
    r"(.+?): (agree within \S+|differ by \S+, more than \S+|at (?:most|least) [-\d.e]+)"
)
GREEK = "alpha|beta|gamma|delta|theta|kappa|[lL]ambda|mu|nu|sigma|omega"
# Patterns in the plain text of a check, and their HTML.
TYPESETTING = [
    (re.compile(r"(?<![\d.])1e(?=-?\d)"), "10^"),
    (re.compile(r"(?<=\d)e(?=-?\d)"), "·10^"),
    (re.compile(r"\^(-?\w+)"), r"<sup>\1</sup>"),
    (re.compile(rf"\b([A-Za-z]|{GREEK})_(\w\w?)\b"), r"\1<sub>\2</sub>"),
    (re.compile(rf"\b({GREEK})\b"), lambda name: html.unescape(f"&{name[1]};")),
    (re.compile(r"(?<!\w)-"), "−"),
]
CODE = re.compile(r'<div class="highlight"><pre>.*?</pre>', re.DOTALL)
UNCOLOURED = re.compile(r'<span class="[npw]">([^<]*)</span>')
LONG_NAME = re.compile(r'<span class="pre">[^<]{10,}</span>')
# After `similarities_`, `smacof::`, `fit.` and `smacof(`, and in `Spectral|Embedding`.
BREAK = re.compile(r"(?<=[a-z](?:_|\.|\())(?=[a-z])|(?<=::)(?=\w)|(?<=[a-z])(?=[A-Z][a-z]{3})")


def is_code(node):
    """Return True for a code cell."""
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"


def has_output(node):
    """Return True for a code cell with output."""
    return is_code(node) and len(node.children) > 1


def read_checks(cell):
    """Return the checks (label, result) of a cell, or [] if it prints or draws anything else."""
    outputs = cell[-1].children
    if not all(isinstance(output, nodes.literal_block) for output in outputs):
        return []
    lines = [line.strip() for output in outputs for line in output.astext().splitlines()]
    matches = [CHECK_RESULT.fullmatch(line) for line in lines if line]
    return [match.groups() for match in matches] if all(matches) else []


def typeset(text):
    """Return the text of a check as HTML with powers, indices, Greek letters and minus signs."""
    text = html.escape(text, quote=False)
    for pattern, markup in TYPESETTING:
        text = pattern.sub(markup, text)
    return text


def checks_html(checks):
    """Return the HTML of some checks (label, result), one line for all labels with one result."""
    lines, labels_of = [], {}
    for label, result in checks:
        labels_of.setdefault(result, {})[typeset(label)] = None
    for result, labels in labels_of.items():
        sign, kind = ("≠", "fails") if result.startswith("differ") else ("✓", "holds")
        mark = f'<span class="check-sign {kind}" aria-hidden="true">{sign}</span>'
        text = f"{mark}&nbsp;<b>{'; '.join(labels)}</b> {typeset(result)}"
        lines.append(f'<span class="verdict">{text}</span>')
    return " ".join(lines)


def fold_check(cell):
    """Fold a cell, except code that defines a function, into a line with its checks."""
    start = 1 if "def " in cell[0].astext() else 0
    summary = checks_html(read_checks(cell))
    opening = f'<details class="check"><summary class="check">{summary}</summary>'
    cell.insert(start, nodes.raw("", opening, format="html"))
    cell += nodes.raw("", "</details>", format="html")


def move_checks_below(cell):
    """Move the checks of a cell from its printed output into a paragraph below the output."""
    checks = []
    for output in list(cell[-1].findall(nodes.literal_block)):
        lines = output.astext().splitlines()
        matches = [CHECK_RESULT.fullmatch(line.strip()) for line in lines]
        checks += [match.groups() for match in matches if match]
        output.rawsource = "\n".join(
            line for line, match in zip(lines, matches, strict=True) if not match
        )
        output.children = [nodes.Text(output.rawsource)]
        if not output.rawsource.strip():
            output.parent.remove(output)
    if checks:
        cell += nodes.raw("", f'<p class="check">{checks_html(checks)}</p>', format="html")


def is_folded(node):
    """Return True for a code cell whose code is folded."""
    return node.get("hide_mode") == "input"


def has_figure(node):
    """Return True for a code cell that draws a figure with a caption."""
    return is_code(node) and any(node.findall(nodes.figure))


def mark_line_drawings(cells):
    """Add the class `drawing` to cells that draw no shades, directly or through a function."""
    shading = SHADED
    for cell in cells:
        for chunk in re.split(r"\n(?=def )", cell[0].astext()):
            name = DEFINITION.match(chunk)
            if name and shading.search(chunk):
                shading = re.compile(rf"{shading.pattern}|\b{name[1]}\b")
        if not shading.search(cell[0].astext()):
            cell["classes"].append("drawing")


def open_with_figure(page):
    """Move the folded cells above the first section behind the first figure there."""
    opening = list(takewhile(lambda node: not isinstance(node, nodes.section), page.children))
    figure = next(filter(has_figure, opening), None)
    for cell in reversed(opening[: opening.index(figure)] if figure else []):
        if is_folded(cell):
            page.remove(cell)
            page.insert(page.index(figure) + 1, cell)


def fold_code(app, doctree, docname):
    """Fold the checks of a page, and move the folded code of a figure behind the figure."""
    if app.builder.format != "html":
        return
    mark_line_drawings(doctree.findall(is_code))
    open_with_figure(next(doctree.findall(nodes.section), doctree))
    for cell in list(doctree.findall(has_output)):
        folded = isinstance(cell[0], HideCodeCellNode)
        if not folded and read_checks(cell):
            fold_check(cell)
            continue
        move_checks_below(cell)
        if folded and has_figure(cell):
            cell.append(cell.pop(0))


def add_button(app, pagename, templatename, context, doctree):
    """Add the button that shows all code to a page with code output."""
    if doctree and any(doctree.findall(has_output)):
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


def remove_plain_spans(text):
    """Return a page without the spans that highlight names and punctuation in no colour."""
    return CODE.sub(lambda code: UNCOLOURED.sub(r"\1", code[0]), text)


def add_name_breaks(text):
    """Return a page whose long names in text and tables can break between their parts."""
    return LONG_NAME.sub(lambda name: BREAK.sub("<wbr>", name[0]), text)


def rewrite_code(app):
    """Remove spans and add break opportunities on all written pages."""
    rewrite_pages(app, lambda path, text: add_name_breaks(remove_plain_spans(text)))


def setup(app):
    """Register the extension."""
    # After other extensions have read the cells (510 to 610).
    app.connect("doctree-resolved", fold_code, priority=620)
    # After the theme has made its list (500).
    app.connect("html-page-context", add_button, priority=600)
    on_pages_written(app, rewrite_code)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
