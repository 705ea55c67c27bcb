"""Typeset formulas when the book is built, so that pages need no script for them.

MathJax runs under Node, once for all formulas, and its results are cached in the build folder.
There is no line break between a formula and a bracket before it or punctuation after it.
"""

import base64
import hashlib
import html
import json
import re
import subprocess
from pathlib import Path

from docutils import nodes
from html_postprocess import NODE, PACKAGES, WEB, on_pages_written, rewrite_pages
from sphinx.errors import ExtensionError
from sphinx.util import logging

SCRIPT = WEB / "formulas.cjs"
FONTS = PACKAGES / "@mathjax" / "mathjax-stix2-font" / "chtml" / "woff2"
# The element that Sphinx writes for a formula, with the number of an equation if there is one.
MATH_ELEMENT = re.compile(r'<(span|div) class="math notranslate nohighlight".*?</\1>', re.DOTALL)
TEX = re.compile(r"\\\((.*?)\\\)|\\\[(.*?)\\\]", re.DOTALL)
FONT_SOURCE = re.compile(r'src: url\("fonts/([\w-]+\.woff2)"\)')
# Fonts that determine the size of a formula. They are small and embedded in the style sheet, so
# that formulas do not move when the other fonts arrive.
EMBEDDED_FONTS = ("mjx-stx-brk.woff2", "mjx-stx-zero.woff2")
BEFORE = re.compile(r"[(\[“‘]+$")
# Punctuation, or the rest of a word, as in "$k$-means,".
AFTER = re.compile(r"^(?:[-‑]\w{1,12})?(?:s\b)?[,.;:!?)\]’”…]*")
logger = logging.getLogger(__name__)


def key_of(source):
    """Return TeX and whether it is a display, of a match of TEX, as one string."""
    inline, display = source.groups()
    return json.dumps([html.unescape(inline or display).strip(), inline is None])


def keys_in(text):
    """Return the keys of the formulas of a page."""
    elements = (element[0] for element in MATH_ELEMENT.finditer(text))
    return {key_of(source) for element in elements for source in TEX.finditer(element)}


def run_mathjax(keys, macros):
    """Typeset formulas; return the style sheet and the HTML of each key."""
    order = sorted(keys)
    request = json.dumps({"macros": macros, "formulas": [json.loads(key) for key in order]})
    run = subprocess.run([NODE, SCRIPT], input=request, capture_output=True, text=True)
    if run.returncode:
        raise ExtensionError(f"MathJax failed: {run.stderr[-2000:]}")
    answer = json.loads(run.stdout)
    for key, error in zip(order, answer["errors"], strict=True):
        if error:
            logger.warning("[formulas] MathJax reports %r in %s", error, key)
    return answer["css"], dict(zip(order, answer["html"], strict=True))


def load_cache(app, macros):
    """Return the path and the content of the cache of typeset formulas."""
    parts = [SCRIPT.read_text("utf-8"), (WEB / "package.json").read_text("utf-8")]
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


def typeset_formulas(app):
    """Replace TeX by typeset formulas on all written pages."""
    macros = (app.config.mathjax3_config or {}).get("tex", {}).get("macros", {})
    path, cache = load_cache(app, macros)
    wanted = set()

    def collect_keys(path, text):
        wanted.update(keys_in(text))
        return text

    rewrite_pages(app, collect_keys)
    if wanted - cache["html"].keys():
        # The style sheet covers only the formulas of one run, so this run typesets all of them.
        css, pieces = run_mathjax(wanted | cache["html"].keys(), macros)
        cache = {"css": css, "html": pieces}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(cache), "utf-8")

    def typeset_element(element):
        return TEX.sub(lambda tex: cache["html"][key_of(tex)], element[0])

    rewrite_pages(app, lambda path, text: MATH_ELEMENT.sub(typeset_element, text))
    sheet = Path(app.outdir) / "_static" / "formulas.css"
    sheet.write_text(FONT_SOURCE.sub(font_source, cache.get("css", "")), "utf-8")


def split_off(text, pattern):
    """Remove the first match of a pattern from a text node and return it as a node, or None."""
    found = pattern.search(text) if isinstance(text, nodes.Text) else None
    if not found or not found[0]:
        return None
    rest = text[: found.start()] + text[found.end() :]
    text.parent.replace(text, nodes.Text(rest))
    return nodes.Text(found[0])


def keep_with_punctuation(app, doctree, docname):
    """Wrap each inline formula with the bracket before it and the punctuation after it."""
    if app.builder.format != "html":
        return
    for formula in list(doctree.findall(nodes.math)):
        line = formula.parent
        place = line.index(formula)
        before = split_off(line[place - 1], BEFORE) if place else None
        after = split_off(line[place + 1], AFTER) if place + 1 < len(line) else None
        if before or after:
            joined = nodes.inline("", "", classes=["formula-edges"])
            formula.replace_self(joined)
            joined.extend(part for part in (before, formula, after) if part is not None)


def remove_mathjax(app, pagename, templatename, context, doctree):
    """Remove MathJax from the pages, whose formulas are typeset already."""
    context["script_files"] = [
        script
        for script in context["script_files"]
        if "mathjax" not in str(script.filename or script.attributes.get("body", "")).lower()
    ]


def setup(app):
    """Register the extension."""
    app.add_css_file("formulas.css")
    app.connect("doctree-resolved", keep_with_punctuation)
    app.connect("html-page-context", remove_mathjax, priority=900)
    on_pages_written(app, typeset_formulas)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
