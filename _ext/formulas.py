"""Set formulas while the book is built, so that its pages need no script for them.

MathJax runs under Node, once for all formulas. What it set is kept in the build's folder. A
formula stays in one line with the bracket before it and the punctuation behind it.
"""

import base64
import hashlib
import html
import json
import re
import subprocess
from pathlib import Path

from docutils import nodes
from html_postprocess import NODE, PACKAGES, rewrite_pages, when_written
from sphinx.errors import ExtensionError
from sphinx.util import logging

HERE = Path(__file__).parent
SCRIPT = HERE / "formulas.cjs"
FONTS = PACKAGES / "@mathjax" / "mathjax-stix2-font" / "chtml" / "woff2"
# Sphinx writes an element for each formula; the number of an equation stands in it, before it.
ELEMENT = re.compile(r'<(span|div) class="math notranslate nohighlight".*?</\1>', re.DOTALL)
SOURCE = re.compile(r"\\\((.*?)\\\)|\\\[(.*?)\\\]", re.DOTALL)
FACE = re.compile(r'src: url\("fonts/([\w-]+\.woff2)"\)')
# Formulas keep their room whatever font sets them, but for what these measure; they are small.
MEASURES = ("mjx-stx-brk.woff2", "mjx-stx-zero.woff2")
BEFORE = re.compile(r"[(\[“‘]+$")
# Punctuation, or the rest of a word: "$k$-means,".
BEHIND = re.compile(r"^(?:[-‑]\w{1,12})?(?:s\b)?[,.;:!?)\]’”…]*")
logger = logging.getLogger(__name__)


def key_of(source):
    """Return TeX and whether it is a display, of a match of SOURCE, as one text."""
    inline, display = source.groups()
    return json.dumps([html.unescape(inline or display).strip(), inline is None])


def sources_in(text):
    """Return the keys of the formulas of a page that are not set yet."""
    elements = (element[0] for element in ELEMENT.finditer(text))
    return {key_of(source) for element in elements for source in SOURCE.finditer(element)}


def run_mathjax(keys, macros):
    """Set formulas; return the style sheet and the HTML of each key."""
    order = sorted(keys)
    asked = json.dumps({"macros": macros, "formulas": [json.loads(key) for key in order]})
    run = subprocess.run([NODE, SCRIPT], input=asked, capture_output=True, text=True)
    if run.returncode:
        raise ExtensionError(f"MathJax stopped: {run.stderr[-2000:]}")
    answer = json.loads(run.stdout)
    for key, fault in zip(order, answer["faults"], strict=True):
        if fault:
            logger.warning("[formulas] %s in %s", fault, key)
    return answer["css"], dict(zip(order, answer["html"], strict=True))


def load_set(app, macros):
    """Return the file that keeps formulas set before, and what it holds."""
    parts = [SCRIPT.read_text("utf-8"), (HERE / "package.json").read_text("utf-8")]
    stamp = hashlib.sha256(json.dumps([*parts, macros]).encode()).hexdigest()[:16]
    store = Path(app.outdir).parent / "formulas" / f"{stamp}.json"
    return store, json.loads(store.read_text("utf-8")) if store.is_file() else {"html": {}}


def face_source(face):
    """Let text stand before the font of a formula is there, and measure by fonts that are."""
    address = f"fonts/{face[1]}"
    if face[1] in MEASURES:
        font = base64.b64encode((FONTS / face[1]).read_bytes()).decode()
        address = f"data:font/woff2;base64,{font}"
    return f'font-display: swap;\n  src: url("{address}")'


def set_formulas(app):
    """Put set formulas in the place of their TeX, on all pages."""
    macros = (app.config.mathjax3_config or {}).get("tex", {}).get("macros", {})
    store, kept = load_set(app, macros)
    wanted = set()

    def note_sources(path, text):
        wanted.update(sources_in(text))
        return text

    rewrite_pages(app, note_sources)
    if wanted - kept["html"].keys():
        # The style sheet covers what one run sets, so that the run sets all.
        css, pieces = run_mathjax(wanted | kept["html"].keys(), macros)
        kept = {"css": css, "html": pieces}
        store.parent.mkdir(parents=True, exist_ok=True)
        store.write_text(json.dumps(kept), "utf-8")

    def set_element(element):
        return SOURCE.sub(lambda source: kept["html"][key_of(source)], element[0])

    rewrite_pages(app, lambda path, text: ELEMENT.sub(set_element, text))
    sheet = Path(app.outdir) / "_static" / "formulas.css"
    sheet.write_text(FACE.sub(face_source, kept.get("css", "")), "utf-8")


def cut(text, pattern):
    """Return the part of a text node that the pattern finds, and take it off the node."""
    found = pattern.search(text) if isinstance(text, nodes.Text) else None
    if not found or not found[0]:
        return None
    rest = text[: found.start()] + text[found.end() :]
    text.parent.replace(text, nodes.Text(rest))
    return nodes.Text(found[0])


def join_edges(app, doctree, docname):
    """Wrap each formula in a line that has such neighbours, in place."""
    if app.builder.format != "html":
        return
    for formula in list(doctree.findall(nodes.math)):
        line = formula.parent
        place = line.index(formula)
        before = cut(line[place - 1], BEFORE) if place else None
        behind = cut(line[place + 1], BEHIND) if place + 1 < len(line) else None
        if before or behind:
            joined = nodes.inline("", "", classes=["formula-edges"])
            formula.replace_self(joined)
            joined.extend(part for part in (before, formula, behind) if part is not None)


def drop_mathjax(app, pagename, templatename, context, doctree):
    """Leave MathJax out of the pages, whose formulas are set."""
    context["script_files"] = [
        script
        for script in context["script_files"]
        if "mathjax" not in str(script.filename or script.attributes.get("body", "")).lower()
    ]


def setup(app):
    """Register the extension."""
    app.add_css_file("formulas.css")
    app.connect("doctree-resolved", join_edges)
    app.connect("html-page-context", drop_mathjax, priority=900)
    when_written(app, set_formulas)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
