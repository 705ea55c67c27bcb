"""Fold check cells into one line and show figures before their code.

A cell is folded if it prints only results of `kmds_figures.checks`; its line lists labels and
results. Code that defines a function stays open. A cell that also prints something else
stays open too, and its check results follow its output. If a page opens with a figure, the folded
cells that it needs come after it. Every fold opens with a click, also without JavaScript, and a
button opens all of them.

Line drawings get the class `drawing`, because they follow the theme. Highlighted code has no spans
without a colour, which would be a fifth of the elements of a chapter. Long names get opportunities
for a line break.
"""

import html
import re
from itertools import chain, takewhile

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from pygments.formatters import HtmlFormatter

# Calls that draw a picture whose shades have a meaning, so that the dark theme must not invert it.
SHADED = ("imshow(", "plot_matrix(", "pcolormesh(", "cmap=")
# A line that `kmds_figures.checks` prints.
CHECK_RESULT = re.compile(
    r"(.+?): (agree within \S+|differ by \S+, more than \S+|at (?:most|least) [-\d.e]+)"
)
GREEK = "alpha|beta|gamma|delta|theta|kappa|[lL]ambda|mu|nu|sigma|omega"
# Powers of ten, other powers, indices, Greek letters and minus signs in the text of a check.
SYMBOLS = re.compile(
    rf"(?<![\d.])1e(?P<ten>-?\d+)|(?<=\d)e(?P<exponent>-?\d+)|\^(?P<power>-?\w+)"
    rf"|\b(?P<letter>[A-Za-z]|{GREEK})_(?P<index>\w\w?)\b|\b(?P<greek>{GREEK})\b"
    r"|(?<!\w)(?P<minus>-)"
)
# Places where a long name can break: after `similarities_`, `smacof::`, `fit.` and `smacof(`, and
# in `Spectral|Embedding`.
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


def symbol_html(match):
    """Return the HTML of a match of SYMBOLS."""
    found = {name: text for name, text in match.groupdict().items() if text}
    power = next((found[name] for name in ("ten", "exponent", "power") if name in found), None)
    if power:
        base = "10" if "ten" in found else "·10" if "exponent" in found else ""
        return f"{base}<sup>{power.replace('-', '−')}</sup>"
    if "index" in found:
        return f"{letter_html(found['letter'])}<sub>{found['index']}</sub>"
    return "−" if "minus" in found else letter_html(found["greek"])


def letter_html(name):
    """Return a letter, or the Greek letter with a name."""
    return name if len(name) == 1 else html.unescape(f"&{name};")


def typeset(text):
    """Return the text of a check as HTML with powers, indices, Greek letters and minus signs."""
    return SYMBOLS.sub(symbol_html, html.escape(text, quote=False))


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
    shaded = set(SHADED)
    for cell in cells:
        for definition in f"\n{cell[0].astext()}".split("\ndef ")[1:]:
            if any(call in definition for call in shaded):
                shaded.add(f"{definition.partition('(')[0]}(")
        if not any(call in cell[0].astext() for call in shaded):
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


class PlainNamesFormatter(HtmlFormatter):
    """A formatter without spans around names, punctuation and spaces, which have no colour."""

    def _get_css_class(self, ttype):
        found = super()._get_css_class(ttype)
        return "" if found in ("n", "p", "w") else found


def highlight_without_plain_spans(app):
    """Use this formatter for all code of the pages."""
    if app.builder.format == "html":
        app.builder.highlighter.formatter = PlainNamesFormatter


def add_name_breaks(app, doctree, docname):
    """Add opportunities for a line break between the parts of long names in the text."""
    if app.builder.format != "html":
        return
    for literal in doctree.findall(nodes.literal):
        for text in list(literal.findall(nodes.Text)):
            parts = BREAK.split(text) if len(text) >= 10 else [text]
            if len(parts) > 1:
                opening = nodes.raw("", "<wbr>", format="html")
                pieces = [(nodes.Text(part), opening.deepcopy()) for part in parts]
                text.parent.replace(text, list(chain.from_iterable(pieces))[:-1])


def setup(app):
    """Register the extension."""
    # After other extensions have read the cells (510 to 610).
    app.connect("doctree-resolved", fold_code, priority=620)
    app.connect("doctree-resolved", add_name_breaks, priority=620)
    app.connect("builder-inited", highlight_without_plain_spans)
    # After the theme has made its list (500).
    app.connect("html-page-context", add_button, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
