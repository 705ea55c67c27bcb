"""Feedback pages, in which the texts of students are harmless.

Texts are cleaned of everything that a browser could execute and rendered in a process with
limits. Questions have the names that they have in the notebook.
"""

import contextlib
import html
import math
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
from nbgrader.preprocessors import GetGrades

from coursework.sets import grade_id, question_numbers

FORK = multiprocessing.get_context("fork")
CPU_SECONDS, MEMORY_BYTES = 30, 2 << 30
CLOCK_FACTOR = 20  # longest time by the clock, in multiples of CPU_SECONDS
MAX_TEXT_LENGTH = 20_000
ALLOWED_TAGS = (
    "a abbr b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img kbd li ol "
    "p pre s span strong sub summary sup table tbody td tfoot th thead tr ul"
)
TAGS = frozenset(ALLOWED_TAGS.split())
PROTOCOLS = ("http", "https", "mailto", "data")
CONTENT_SECURITY_POLICY = "img-src data:; object-src 'none'; frame-src 'none'; form-action 'none'"


@pass_context
def safe_markdown(context: Any, source: str) -> str:
    """Render Markdown without scripts, styles, forms and external images.

    A very long text is shown as plain text, because formgrader renders it without limits.
    """
    if len(source) > MAX_TEXT_LENGTH:
        return f"<pre>{html.escape(source[:MAX_TEXT_LENGTH])}</pre>"
    return sanitize_html(HTMLExporter.markdown2html(HTMLExporter(), context, source))


def sanitize_html(text: str) -> str:
    """Return HTML without scripts, styles, forms and external images."""
    return str(bleach.clean(text, tags=TAGS, attributes=_is_allowed, protocols=PROTOCOLS))


def _is_allowed(tag: str, name: str, value: str) -> bool:
    """Return True if an attribute of a tag is harmless."""
    if tag == "a" and name == "href":
        return value.startswith(("https://", "http://", "mailto:", "#"))
    if tag == "img":
        return name == "alt" or (name == "src" and value.startswith("data:image/"))
    return name in ("class", "colspan", "rowspan", "align", "start")


class Grades(GetGrades):  # type: ignore[misc]
    """Preprocessor that reads the points, and NaN where a person has not yet marked an answer."""

    def _get_score(self, cell: NotebookNode, resources: Any) -> None:
        super()._get_score(cell, resources)
        place = (self.notebook_id, self.assignment_id, self.student_id)
        grade = self.gradebook.find_grade(grade_id(cell), *place)
        if grade.manual_score is None and grade.auto_score is None:
            cell.metadata.nbgrader["score"] = math.nan


class Feedback(HTMLExporter):
    """nbgrader's feedback page, rendered in a process with limits."""

    def from_notebook_node(  # type: ignore[override]
        self, nb: NotebookNode, resources: Any = None, **rest: Any
    ) -> tuple[str, dict[str, Any]]:
        """Return the page and the resources."""

        def page() -> str:
            return str(super(Feedback, self).from_notebook_node(nb, resources, **rest)[0])

        body = run_limited(page)
        if body is None:  # nbgrader logs the error and continues with the next submission
            raise RuntimeError("The feedback page takes too much time or memory.")
        resources["output_extension"] = self.file_extension
        return name_questions(body, nb), resources


def name_questions(body: str, nb: NotebookNode) -> str:
    """Return a page with the question names of the notebook, which loads no external images.

    Answers that nobody has marked, whose points are NaN, have no points.
    """
    if "Score: nan /" in body:
        body = body.replace("(Score:", "(Score so far:", 1)
        body = body.replace("Score: nan /", "not marked yet; maximum")
    for name, number in question_numbers(nb).items():
        if number != name:
            body = re.sub(
                rf'(<a href="#{re.escape(name)}">)[^<]*', rf"\g<1>Question {number}", body, count=1
            )
            body = body.replace(f"Grade cell: <code>{name}</code>", f"Question {number}")
    meta = f'<meta http-equiv="Content-Security-Policy" content="{CONTENT_SECURITY_POLICY}">'
    return body.replace("<head>", f"<head>\n{meta}", 1)


def run_limited(function: Callable[[], str]) -> str | None:
    """Return the result of a function that runs in its own process, or None if it fails."""
    receiver, sender = FORK.Pipe(duplex=False)
    child = FORK.Process(target=_send_result, args=(function, sender))
    child.start()
    sender.close()
    try:
        finished = receiver.poll(CLOCK_FACTOR * CPU_SECONDS)
        return receiver.recv_bytes().decode() if finished else None
    except EOFError:
        return None
    finally:
        child.kill()
        child.join()


def _send_result(function: Callable[[], str], sender: Connection) -> None:
    """Call a function under limits and send its result; runs in a process of its own."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    with contextlib.suppress(Exception):
        sender.send_bytes(function().encode("utf-8", "replace"))
