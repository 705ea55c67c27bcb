"""Typeset formulas when the book is built, so that pages need no script for them.

This is a math renderer of Sphinx. The formulas of a page are collected when it is read; then
MathJax runs under Node, once for all formulas, and its results are cached in the build folder.
There is no line break between a formula and a bracket before it or punctuation after it, and none
in names with a hyphen.
"""

import base64
import hashlib
import json
import re
from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

from _ext.node import PACKAGES, WEB, run_node
from _ext.written_pages import on_pages_written

SCRIPT = WEB / "formulas.cjs"
FONTS = PACKAGES / "@mathjax" / "mathjax-stix2-font" / "chtml" / "woff2"
# The source of a font in MathJax's style sheet, which comes as text.
FONT_SOURCE = re.compile(r'src: url\("fonts/([\w-]+\.woff2)"\)')
# Fonts that determine the size of a formula. They are small and embedded in the style sheet, so
# that formulas do not move when the other fonts arrive.
EMBEDDED_FONTS = ("mjx-stx-brk.woff2", "mjx-stx-zero.woff2")
# Brackets at the end of the text before a formula.
BEFORE = re.compile(r"[(\[“‘]+$")
# Punctuation after a formula, or the rest of a word, as in "$k$-means,".
AFTER = re.compile(r"^(?:[-‑]\w{1,12})?(?:s\b)?[,.;:!?)\]’”…]*")
# Names in which a line must not end.
NAMES = re.compile(r"(GP-LVM|t-SNE)")
# A line break in a formula that only phones need, as the authors write it.
NARROW_BREAK = re.compile(r"\s*\\\\\s*&?\s*\\q?quad\b")
logger = logging.getLogger(__name__)


def tex_of(node):
    """Return the TeX of a formula; line breaks and empty lines separate aligned lines."""
    text = node.astext()
    if isinstance(node, nodes.math) or node.get("nowrap"):
        return text.strip()
    parts = [part for part in text.split("\n\n") if part.strip()]
    lines = [rf"\begin{{split}}{part}\end{{split}}" if r"\\" in part else part for part in parts]
    if len(lines) == 1:
        return lines[0].strip()
    aligned = r"\\".join(lines)
    return rf"\begin{{align}}\begin{{aligned}}{aligned}\end{{aligned}}\end{{align}}"


def formula_keys(node):
    """Return the forms of a formula for phones and for wide screens.

    Each is a string of the TeX and of whether the formula is a display. The form for wide screens
    omits a `NARROW_BREAK`, if this is the only line break.
    """
    tex, display = tex_of(node), isinstance(node, nodes.math_block)
    wide = NARROW_BREAK.sub(" ", tex) if tex.count(r"\\") == 1 else tex
    return [json.dumps([text, display]) for text in (tex, wide)]


def collect_formulas(app, doctree):
    """Collect the keys of the formulas of a page."""
    for node in doctree.findall(lambda node: isinstance(node, nodes.math | nodes.math_block)):
        app.formulas.update(formula_keys(node))


def run_mathjax(keys, macros):
    """Typeset formulas; return the style sheet and the HTML of each key."""
    order = sorted(keys)
    request = {"macros": macros, "formulas": [json.loads(key) for key in order]}
    answer = run_node(SCRIPT.name, request)
    for key, error in zip(order, answer["errors"], strict=True):
        if error:
            logger.warning("[formulas] MathJax reports %r in %s", error, key)
    return answer["css"], dict(zip(order, answer["html"], strict=True))


def load_cache(app, macros):
    """Return the path and the content of the cache of typeset formulas."""
    parts = [SCRIPT.read_text("utf-8"), (WEB / "package-lock.json").read_text("utf-8")]
    digest = hashlib.sha256(json.dumps([*parts, macros]).encode()).hexdigest()[:16]
    path = Path(app.outdir).parent / "formulas" / f"{digest}.json"
    return path, json.loads(path.read_text("utf-8")) if path.is_file() else {"html": {}}


def font_source(match):
    """Return the source of a font: embedded, or a file until which another font is shown."""
    url = f"fonts/{match[1]}"
    if match[1] in EMBEDDED_FONTS:
        font = base64.b64encode((FONTS / match[1]).read_bytes()).decode()
        url = f"data:font/woff2;base64,{font}"
    return f'font-display: swap;\n  src: url("{url}")'


def typeset_formulas(app, builder):
    """Typeset the formulas of all pages, unless the cache contains them."""
    if builder.format != "html":
        return
    macros = (app.config.mathjax3_config or {}).get("tex", {}).get("macros", {})
    path, cache = load_cache(app, macros)
    if app.formulas - cache["html"].keys():
        # The style sheet covers only the formulas of one run, so this run typesets all of them.
        css, pieces = run_mathjax(app.formulas | cache["html"].keys(), macros)
        cache = {"css": css, "html": pieces}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(cache), "utf-8")
    builder.formulas = cache


def write_style_sheet(app):
    """Write the style sheet of the formulas."""
    sheet = Path(app.outdir) / "_static" / "formulas.css"
    css = app.builder.formulas.get("css", "")
    sheet.write_text(FONT_SOURCE.sub(font_source, css), "utf-8")


def visit_inline(self, node):
    """Write a formula in the text."""
    self.body.append(self.starttag(node, "span", "", CLASS="math notranslate nohighlight"))
    self.body.append(f"{self.builder.formulas['html'][formula_keys(node)[0]]}</span>")
    raise nodes.SkipNode


def visit_display(self, node):
    """Write a displayed formula with its number."""
    self.body.append(self.starttag(node, "div", CLASS="math notranslate nohighlight"))
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    narrow, wide = map(self.builder.formulas["html"].get, formula_keys(node))
    if narrow != wide:
        narrow = f'<div class="on-phones">{narrow}</div><div class="on-wide-screens">{wide}</div>'
    self.body.append(f"{narrow}</div>\n")
    raise nodes.SkipNode


def choose_renderer(app, config):
    """Choose this renderer."""
    config.html_math_renderer = "typeset"


def split_off(line, position, pattern):
    """Remove the first match of a pattern from a text; return it as a node, or None."""
    text = line[position]
    match = pattern.search(text) if isinstance(text, nodes.Text) else None
    if not match or not match[0]:
        return None
    line[position] = nodes.Text(text[: match.start()] + text[match.end() :])
    return nodes.Text(match[0])


def keep_with_punctuation(app, doctree, docname):
    """Wrap each inline formula with the bracket before it and the punctuation after it."""
    if app.builder.format != "html":
        return
    for formula in list(doctree.findall(nodes.math)):
        line = formula.parent
        place = line.index(formula)
        before = split_off(line, place - 1, BEFORE) if place else None
        after = split_off(line, place + 1, AFTER) if place + 1 < len(line) else None
        if before or after:
            joined = nodes.inline("", "", classes=["formula-edges"])
            formula.replace_self(joined)
            joined.extend(part for part in (before, formula, after) if part is not None)


def keep_names(app, doctree, docname):
    """Prevent line breaks in names with a hyphen."""
    for text in list(doctree.findall(nodes.Text)):
        if NAMES.search(text) and isinstance(text.parent, nodes.paragraph | nodes.caption):
            parts = NAMES.split(text)  # every second one is a name
            parts[1::2] = [nodes.inline("", name, classes=["text-nowrap"]) for name in parts[1::2]]
            text.parent.replace(text, [nodes.Text(p) if isinstance(p, str) else p for p in parts])


def setup(app):
    """Register the extension."""
    app.formulas = set()
    app.add_html_math_renderer("typeset", (visit_inline, None), (visit_display, None))
    app.add_css_file("formulas.css")
    app.connect("config-inited", choose_renderer)
    app.connect("doctree-read", collect_formulas)
    app.connect("write-started", typeset_formulas)
    app.connect("doctree-resolved", keep_with_punctuation)
    app.connect("doctree-resolved", keep_names)
    on_pages_written(app, write_style_sheet)
