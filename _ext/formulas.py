"""Set formulas while the book is built, so that its pages need no script for them.

MathJax runs under Node, once for all formulas. What it set is kept in the build's folder; where
Node or the packages are missing, MathJax sets the formulas in the browser, as Sphinx has it.
"""

import hashlib
import html
import json
import re
import shutil
import subprocess
from pathlib import Path

from built_pages import PACKAGES, is_finished, read_pages, rewrite_pages
from sphinx.errors import ExtensionError
from sphinx.util import logging

HERE = Path(__file__).parent
SCRIPT = HERE / "formulas.cjs"
# Sphinx writes an element for each formula; the number of an equation stands in it, before it.
ELEMENT = re.compile(r'<(span|div) class="math notranslate nohighlight".*?</\1>', re.DOTALL)
SOURCE = re.compile(r"\\\((.*?)\\\)|\\\[(.*?)\\\]", re.DOTALL)
logger = logging.getLogger(__name__)


def can_set():
    """Say whether Node and MathJax are here."""
    return shutil.which("node") is not None and (PACKAGES / "mathjax").is_dir()


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
    run = subprocess.run(["node", str(SCRIPT)], input=asked, capture_output=True, text=True)
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


def set_formulas(app, exception):
    """Put set formulas in the place of their TeX, on all pages."""
    if not is_finished(app, exception) or not can_set():
        return
    macros = (app.config.mathjax3_config or {}).get("tex", {}).get("macros", {})
    store, kept = load_set(app, macros)
    wanted = set().union(*(sources_in(text) for _, text in read_pages(app)))
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
    sheet.write_text(kept.get("css", ""), "utf-8")


def use_style_sheet(app, config):
    """Link the style sheet of the set formulas, or say that the browser sets them."""
    if can_set():
        config.html_css_files.append("formulas.css")
    else:
        logger.info("[formulas] no Node or no MathJax here: the browser sets the formulas")


def drop_mathjax(app, pagename, templatename, context, doctree):
    """Leave MathJax out of pages whose formulas are set."""
    if can_set():
        context["script_files"] = [
            script
            for script in context["script_files"]
            if "mathjax" not in str(script.filename or script.attributes.get("body", "")).lower()
        ]


def setup(app):
    """Register the extension."""
    app.connect("config-inited", use_style_sheet)
    app.connect("html-page-context", drop_mathjax, priority=900)
    app.connect("build-finished", set_formulas)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
