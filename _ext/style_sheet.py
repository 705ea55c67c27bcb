"""Join the style sheets of the pages into one, without the rules that no page can use.

Each sheet is a request that the first paint waits for, and most rules of the theme are for pages
of other sites. csso drops those whose tag, class or id stands neither in a page nor in a script.
"""

import hashlib
import json
import posixpath
import re
import shutil
import subprocess
from pathlib import Path

from built_pages import PACKAGES, is_finished, read_pages, rewrite_pages, root_of
from sphinx.errors import ExtensionError

SCRIPT = Path(__file__).parent / "style_sheet.mjs"
NAME = "style.css"
LINK = re.compile(r'\s*<link (?=[^>]*rel="stylesheet")[^>]*href="(?:\.\./)*_static/([^"?]+)[^>]*>')
IMPORT = re.compile(r'@import\s*(?:url\()?["\']([^"\']+)["\']\)?\s*;')
ADDRESS = re.compile(r'url\((["\']?)(?!data:|#|[a-z]+:)([^"\')]+)\1\)')
WORD = re.compile(r"[A-Za-z_][\w-]*")


def load_sheet(static, name):
    """Return a style sheet with what it imports; its addresses start from the folder `static`."""
    folder = posixpath.dirname(name)

    def from_static(address):
        return posixpath.normpath(posixpath.join(folder, address))

    text = (static / name).read_text("utf-8")
    text = ADDRESS.sub(lambda match: f'url("{from_static(match[2])}")', text)
    return IMPORT.sub(lambda match: load_sheet(static, from_static(match[1])), text)


def sheets_of(app):
    """Return the names of the style sheets that the pages link, the same on all of them.

    Where no page is new, all link the sheet of an earlier build, whose first line names its parts.
    """
    linked = {tuple(LINK.findall(text)) for _, text in read_pages(app)} - {(), (NAME,)}
    if len(linked) > 1:
        raise ExtensionError(f"The pages link different style sheets: {sorted(linked)}.")
    joined = Path(app.outdir) / "_static" / NAME
    if not linked and joined.is_file():
        return joined.read_text("utf-8").partition("*/")[0].split()[1:]
    return linked.pop() if linked else ()


def words_of(app):
    """Return all words of the pages and of their scripts."""
    scripts = (Path(app.outdir) / "_static").rglob("*.js")
    texts = [text for _, text in read_pages(app)] + [path.read_text("utf-8") for path in scripts]
    return sorted(set().union(*map(WORD.findall, texts)))


def without_spare_rules(app, css):
    """Return the sheet without the rules that fit no page, if Node and csso are at hand."""
    if shutil.which("node") is None or not (PACKAGES / "csso").is_dir():
        return css
    asked = json.dumps({"css": css, "words": words_of(app)})
    run = subprocess.run(["node", str(SCRIPT)], input=asked, capture_output=True, text=True)
    if run.returncode:
        raise ExtensionError(f"The style sheets could not be joined: {run.stderr[-2000:]}")
    return run.stdout


def join_sheets(app, exception):
    """Write the one style sheet and link it from every page."""
    if not is_finished(app, exception):
        return
    static = Path(app.outdir) / "_static"
    names = sheets_of(app)
    if not names:
        return
    css = without_spare_rules(app, "\n".join(load_sheet(static, name) for name in names))
    (static / NAME).write_text(f"/* {' '.join(names)} */{css}", "utf-8")
    stamp = hashlib.sha256(css.encode()).hexdigest()[:8]

    def link_one(path, text):
        link = f'\n  <link rel="stylesheet" href="{root_of(app, path)}_static/{NAME}?v={stamp}" />'
        first = LINK.search(text)
        return LINK.sub(lambda match: link if match.start() == first.start() else "", text)

    rewrite_pages(app, link_one)


def setup(app):
    """Register the extension."""
    # After the sheets of the formulas (500) and of the fonts (800) are written.
    app.connect("build-finished", join_sheets, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
