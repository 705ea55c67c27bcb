"""What the configuration of a course puts into nbgrader's ``generate_feedback`` and formgrader.

A student's text is cleaned of all that could run in the browser that opens it, and rendered in a
process with limits; questions have the names that they have in the notebook.
"""

import os
import re
import resource
import select
import signal
import time
from collections.abc import Callable
from typing import Any

import bleach
from jinja2 import pass_context
from nbconvert.exporters import HTMLExporter
from nbformat.notebooknode import NotebookNode

from coursework.restore import grade_id

SECONDS, MEMORY = 20, 2 << 30
HARMLESS = (
    "a abbr b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img kbd li ol "
    "p pre s span strong sub summary sup table tbody td tfoot th thead tr ul"
)
TAGS = frozenset(HARMLESS.split())
PROTOCOLS = ("http", "https", "mailto", "data")
POLICY = "img-src data:; object-src 'none'; frame-src 'none'; form-action 'none'"
HEADING = re.compile(r"^#+ (?:Question )?(\d+)\b", re.MULTILINE)
NOT_SHOWN = "*This text takes too long to show. Your teacher has it as you handed it in.*"


@pass_context
def harmless_markdown(context: Any, source: str) -> str:
    """Render Markdown without scripts, styles, forms, and pictures from elsewhere."""
    return harmless_html(HTMLExporter.markdown2html(HTMLExporter(), context, source))


def harmless_html(text: str) -> str:
    """Return HTML without scripts, styles, forms, and pictures from elsewhere."""
    return str(bleach.clean(text, tags=TAGS, attributes=_allowed, protocols=PROTOCOLS))


def _allowed(tag: str, name: str, value: str) -> bool:
    if tag == "a" and name == "href":
        return value.startswith(("https://", "http://", "mailto:", "#"))
    if tag == "img":
        return name == "alt" or (name == "src" and value.startswith("data:image/"))
    return name in ("class", "colspan", "rowspan", "align", "start")


class Feedback(HTMLExporter):
    """nbgrader's page of feedback, made in a process with limits."""

    def from_notebook_node(  # type: ignore[override]
        self, nb: NotebookNode, resources: Any = None, **rest: Any
    ) -> tuple[str, dict[str, Any]]:
        """Return the page; where it takes too long, without the texts of the student."""

        def page() -> str:
            return str(super(Feedback, self).from_notebook_node(nb, resources, **rest)[0])

        body = limited(page)
        if body is None:
            for cell in nb.cells:
                if cell.cell_type == "markdown" and not _is_ours(cell):
                    cell.source = NOT_SHOWN
            body = limited(page)
        if body is None:
            raise RuntimeError("The page of feedback cannot be made.")
        resources["output_extension"] = self.file_extension
        return named(body, nb), resources


def _is_ours(cell: NotebookNode) -> bool:
    return bool(cell.metadata.get("nbgrader", {}).get("locked"))


def named(body: str, nb: NotebookNode) -> str:
    """Return a page that calls the questions as the notebook does, and loads no pictures."""
    number = ""
    for cell in nb.cells:
        if cell.cell_type == "markdown" and (found := HEADING.findall(cell.source)):
            number = found[-1]
        name = grade_id(cell)
        if number and name:
            body = re.sub(
                rf'(<a href="#{re.escape(name)}">)[^<]*', rf"\g<1>Question {number}", body, count=1
            )
            body = body.replace(f"Grade cell: <code>{name}</code>", f"Question {number}")
    meta = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    return body.replace("<head>", f"<head>\n{meta}", 1)


def limited(make: Callable[[], str]) -> str | None:
    """Return what a function returns in a process of its own, or nothing when it fails there."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            with open(write, "wb") as pipe:
                pipe.write(make().encode("utf-8", "replace"))
            os._exit(0)
        finally:
            os._exit(1)
    os.close(write)
    found, end = bytearray(), time.monotonic() + 2 * SECONDS
    while select.select([read], [], [], max(end - time.monotonic(), 0))[0]:
        more = os.read(read, 1 << 20)
        if not more:
            break
        found += more
    else:
        os.kill(child, signal.SIGKILL)
    os.close(read)
    ended = os.waitpid(child, 0)[1]
    return found.decode() if ended == 0 else None
