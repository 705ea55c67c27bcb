"""What the configuration of a course puts into nbgrader's ``generate_feedback`` and formgrader.

A student's text is cleaned of all that could run in the browser that opens it, and rendered in a
process with limits; questions have the names that they have in the notebook.
"""

import contextlib
import html
import multiprocessing
import re
import resource
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import bleach
from jinja2 import pass_context
from nbconvert.exporters import HTMLExporter
from nbformat.notebooknode import NotebookNode

from coursework.sets import question_numbers

FORK = multiprocessing.get_context("fork")
CPU_SECONDS, MEMORY_BYTES = 30, 2 << 30  # of the processor, which a busy machine does not shorten
CLOCK_FACTOR = 20  # times as long at most
MAX_TEXT_LENGTH = 20_000  # characters of a text
ALLOWED_TAGS = (
    "a abbr b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img kbd li ol "
    "p pre s span strong sub summary sup table tbody td tfoot th thead tr ul"
)
TAGS = frozenset(ALLOWED_TAGS.split())
PROTOCOLS = ("http", "https", "mailto", "data")
CONTENT_SECURITY_POLICY = "img-src data:; object-src 'none'; frame-src 'none'; form-action 'none'"


@pass_context
def safe_markdown(context: Any, source: str) -> str:
    """Render Markdown without scripts, styles, forms, and pictures from elsewhere.

    A text of no sensible length is shown as it was written: formgrader renders it in its server.
    """
    if len(source) > MAX_TEXT_LENGTH:
        return f"<pre>{html.escape(source[:MAX_TEXT_LENGTH])}</pre>"
    return sanitize_html(HTMLExporter.markdown2html(HTMLExporter(), context, source))


def sanitize_html(text: str) -> str:
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
        """Return the page."""

        def page() -> str:
            return str(super(Feedback, self).from_notebook_node(nb, resources, **rest)[0])

        body = run_limited(page)
        if body is None:  # nbgrader says so, and goes on with the next
            raise RuntimeError("The page of feedback takes too long, or too much memory.")
        resources["output_extension"] = self.file_extension
        return name_questions(body, nb), resources


def name_questions(body: str, nb: NotebookNode) -> str:
    """Return a page that calls the questions as the notebook does, and loads no pictures."""
    for name, number in question_numbers(nb).items():
        if number != name:
            body = re.sub(
                rf'(<a href="#{re.escape(name)}">)[^<]*', rf"\g<1>Question {number}", body, count=1
            )
            body = body.replace(f"Grade cell: <code>{name}</code>", f"Question {number}")
    meta = f'<meta http-equiv="Content-Security-Policy" content="{CONTENT_SECURITY_POLICY}">'
    return body.replace("<head>", f"<head>\n{meta}", 1)


def run_limited(make: Callable[[], str]) -> str | None:
    """Return what a function returns in a process of its own, or nothing when it fails there."""
    ours, theirs = FORK.Pipe(duplex=False)
    child = FORK.Process(target=_send_result, args=(make, theirs))
    child.start()
    theirs.close()
    try:
        return ours.recv_bytes().decode() if ours.poll(CLOCK_FACTOR * CPU_SECONDS) else None
    except EOFError:
        return None
    finally:
        child.kill()
        child.join()


def _send_result(make: Callable[[], str], pipe: Connection) -> None:
    """In a process of its own: make a page and send it."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    with contextlib.suppress(Exception):
        pipe.send_bytes(make().encode("utf-8", "replace"))
