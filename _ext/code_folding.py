"""Show one check of each section, fold the others, and show figures before their code.

`kmds_figures.checks` prints sentences. The first sentence of a section or after a theorem is shown
in its place, and so is the first one that says that results differ. The others are counted in one
line at the end of the section, or of the solution of an exercise. A cell that only prints checks
is folded; other cells stay open. If a page opens with a figure, the folded cells above it and the
cells directly above it come after it. Folds that follow each other share a row. Every fold opens
with a click, also without JavaScript, and a button opens all of them.

Figures get the class `drawing`, so that they follow the theme, unless their cell has the tag
`grey-picture`, because the dark theme must not invert a photograph. Negative numbers in printed
tables get minus signs. Highlighted code has no spans without a colour, which would be a fifth of
the elements of a chapter.
"""

import html
import re
from itertools import takewhile

from docutils import nodes

from _ext.event_order import ADD_CODE_BUTTON, FOLD_CODE
from _ext.internals import (
    HideCodeCellNode,
    PlainNamesFormatter,
    add_header_button,
    is_code,
    is_folded,
    kind_of,
    set_formatter,
)

# A sentence that `kmds_figures.checks` prints.
CHECK = re.compile(r"([✓≠]) (.+)")
# Statements whose first check is shown.
STATEMENTS = ("theorem", "proposition", "corollary", "lemma")
GREEK = "alpha|beta|gamma|delta|theta|kappa|[lL]ambda|mu|nu|sigma|omega"
# Powers of ten, other powers, indices, Greek letters and minus signs in the text of a check.
SYMBOLS = re.compile(
    rf"(?<![\d.])1e(?P<ten>-?\d+)|(?<=\d)e(?P<exponent>-?\d+)|\^(?P<power>-?\w+)"
    rf"|\b(?P<letter>[A-Za-z]|{GREEK})_(?P<index>\w\w?)\b|\b(?P<greek>{GREEK})\b"
    r"|(?<!\w)(?P<minus>-)"
)


def has_output(node):
    """Return True for a code cell with output."""
    return is_code(node) and len(node.children) > 1


def take_checks(cell):
    """Remove the checks (sign, sentence) from the output of a cell, and return them."""
    checks = []
    for output in list(cell[-1].findall(nodes.literal_block)):
        lines = output.astext().splitlines()
        matches = [CHECK.fullmatch(line) for line in lines]
        checks += [match.groups() for match in matches if match]
        rest = "\n".join(line for line, match in zip(lines, matches, strict=True) if not match)
        output.rawsource, output.children = rest, [nodes.Text(rest)]
        if not rest.strip():
            output.parent.remove(output)
    return list(dict.fromkeys(checks))


def symbol_html(match):
    """Return the HTML of a match of SYMBOLS."""
    parts = {name: text for name, text in match.groupdict().items() if text}
    power = next((parts[name] for name in ("ten", "exponent", "power") if name in parts), None)
    if power:
        base = "10" if "ten" in parts else "·10" if "exponent" in parts else ""
        return f"{base}<sup>{power.replace('-', '−')}</sup>"
    if "index" in parts:
        return f"{letter_html(parts['letter'])}<sub>{parts['index']}</sub>"
    return "−" if "minus" in parts else letter_html(parts["greek"])


def letter_html(name):
    """Return a letter, or the Greek letter with a name."""
    return name if len(name) == 1 else html.unescape(f"&{name};")


def text_html(text):
    """Return the text of a check as HTML with powers, indices, Greek letters and minus signs."""
    return SYMBOLS.sub(symbol_html, html.escape(text, quote=False))


def sentence_html(check):
    """Return the HTML of a check (sign, sentence)."""
    sign, sentence = check
    kind = "holds" if sign == "✓" else "fails"
    mark = f'<span class="check-sign {kind}" aria-hidden="true">{sign}</span>'
    return f'<span class="check-sentence">{mark}&nbsp;{text_html(sentence)}</span>'


def raw_html(text):
    """Return a node with a piece of HTML."""
    return nodes.raw("", text, format="html")


def checks_node(checks):
    """Return a paragraph with some checks, one sentence per line."""
    return raw_html(f'<p class="check">{" ".join(map(sentence_html, checks))}</p>')


def details_nodes(summary, content):
    """Return nodes that fold the content under a summary, which is given as HTML."""
    opening = f'<details class="check"><summary class="check">{summary}</summary>'
    return [raw_html(opening), *content, raw_html("</details>")]


def fold_checks(parent):
    """Show the first check of a section, and fold the others into a line at its end."""
    shown, others, code = set[str](), [], []
    for node in list(parent.children):
        if kind_of(node) in STATEMENTS:
            shown.clear()
        checks = take_checks(node) if has_output(node) else []
        if not checks:
            continue
        first = {sign: check for sign, check in reversed(checks) if sign not in shown}
        visible = [check for check in checks if check in first.items()]
        others += [check for check in checks if check not in visible]
        shown.update(first)
        is_open = bool(node[-1].children) or is_folded(node) or "def " in node[0].astext()
        if not node[-1].children:
            node.pop()
        if is_open:
            node += checks_node(visible) if visible else []
        elif visible:
            node[:] = details_nodes(" ".join(map(sentence_html, visible)), node.children)
        else:
            parent.remove(node)
            code.append(node)
    if others:
        checks = list(dict.fromkeys(others))
        summary = f"{len(checks)} more check{'s' * (len(checks) > 1)} passed"
        fold = details_nodes(sentence_html(("✓", summary)), [checks_node(checks), *code])
        end = parent.first_child_matching_class(nodes.section)
        end = len(parent) if end is None else end
        parent[end:end] = fold


def has_figure(node):
    """Return True for a code cell that draws a figure with a caption."""
    return is_code(node) and any(node.findall(nodes.figure))


def mark_drawings(cells):
    """Add the class `drawing`, and perhaps `colours`, to cells and figures that are not grey."""
    for cell in cells:
        if "tag_grey-picture" not in cell["classes"]:
            look = ["drawing", "colours"] if "tag_colour-scale" in cell["classes"] else ["drawing"]
            for node in (cell, *cell.findall(nodes.figure)):  # a preview shows the figure alone
                node["classes"] += look


def open_with_figure(page):
    """Move the code that a figure above the first section needs behind this figure."""
    opening = list(takewhile(lambda node: not isinstance(node, nodes.section), page.children))
    figure = next(filter(has_figure, opening), None)
    before = opening[: opening.index(figure)][::-1] if figure else []
    directly_above = list(takewhile(is_code, before))
    for cell in before:
        if is_folded(cell) or cell in directly_above:
            page.remove(cell)
            page.insert(page.index(figure) + 1, cell)


def join_folds(cells):
    """Append a cell that is one fold to the cell before it if that one ends with a fold."""
    for cell in cells:
        before = cell.previous_sibling()
        folds = [before[-1], *cell] if is_code(before) else [None]
        if all(isinstance(node, HideCodeCellNode) for node in folds):
            before += cell.children
            cell.parent.remove(cell)


def fold_code(app, doctree, docname):
    """Fold checks, and move the folded code of a figure behind it."""
    if app.builder.format != "html":
        return
    mark_drawings(doctree.findall(is_code))
    open_with_figure(next(doctree.findall(nodes.section), doctree))
    for parent in dict.fromkeys(cell.parent for cell in doctree.findall(has_output)):
        fold_checks(parent)
    for cell in list(doctree.findall(has_figure)):
        if isinstance(cell[0], HideCodeCellNode):
            cell.append(cell.pop(0))
    join_folds(list(doctree.findall(is_code)))


def write_minus_signs(app, doctree, docname):
    """Write the hyphens of negative numbers in printed tables as minus signs."""
    for table in doctree.findall(nodes.raw):
        table[:] = [nodes.Text(table.astext().replace("<td>-", "<td>−"))]


def add_button(app, pagename, templatename, context, doctree):
    """Add the button that shows all code to a page with code output."""
    if doctree and any(doctree.findall(has_output)):
        add_header_button(context, "showCode()", "Show all code", "fas fa-code", "show-code")


def highlight_without_plain_spans(app):
    """Use `PlainNamesFormatter` for all code of the pages."""
    if app.builder.format == "html":
        set_formatter(app.builder, PlainNamesFormatter)


def setup(app):
    """Register the extension."""
    app.connect("doctree-resolved", fold_code, priority=FOLD_CODE)
    app.connect("doctree-resolved", write_minus_signs, priority=FOLD_CODE)
    app.connect("builder-inited", highlight_without_plain_spans)
    app.connect("html-page-context", add_button, priority=ADD_CODE_BUTTON)
