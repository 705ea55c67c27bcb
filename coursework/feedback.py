"""Feedback pages, in which the texts of students contain nothing that a browser executes."""

import html
import math
import re
from typing import Any

import bleach
from jinja2 import pass_context
from nbconvert.exporters import HTMLExporter
from nbformat.notebooknode import NotebookNode

from coursework.nbgrader_internals import ScoreReader

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

    A very long text is shown as plain text, because rendering it may take very long.
    """
    if len(source) > MAX_TEXT_LENGTH:
        return f"<pre>{html.escape(source[:MAX_TEXT_LENGTH])}</pre>"
    text = HTMLExporter.markdown2html(HTMLExporter(), context, source)
    return str(bleach.clean(text, tags=TAGS, attributes=_is_allowed, protocols=PROTOCOLS))


def _is_allowed(tag: str, name: str, value: str) -> bool:
    """Return True if an attribute of a tag is harmless."""
    if tag == "a" and name == "href":
        return value.startswith(("https://", "http://", "mailto:", "#"))
    if tag == "img":
        return name == "alt" or (name == "src" and value.startswith("data:image/"))
    return name in ("class", "colspan", "rowspan", "align", "start")


class ReadGrades(ScoreReader):
    """Preprocessor that reads the points, and NaN where a person has not yet marked an answer."""

    def change_score(self, cell: NotebookNode, grade: Any) -> None:
        """Write NaN into a cell that has no points yet."""
        if grade.manual_score is None and grade.auto_score is None:
            cell.metadata.nbgrader["score"] = math.nan


class Feedback(HTMLExporter):
    """nbgrader's feedback page, with the numbers of questions and without external images."""

    def from_notebook_node(self, nb: NotebookNode, resources: Any = None, **rest: Any) -> Any:
        """Return the page and the resources."""
        body, resources = super().from_notebook_node(nb, resources, **rest)
        if "Score: nan /" in body:  # nobody has marked this answer, so there is no total yet
            body = re.sub(r"\(Score: [-\d.]+ /", "(not completely marked; maximum", body, count=1)
            body = body.replace("Score: nan /", "not marked yet; maximum")
        body = re.sub(r'(<a href="#q(\d+)[\w-]*">)[^<]*', r"\1Question \2", body)
        body = re.sub(r"Grade cell: <code>q(\d+)[\w-]*</code>", r"Question \1", body)
        meta = f'<meta http-equiv="Content-Security-Policy" content="{CONTENT_SECURITY_POLICY}">'
        return body.replace("<head>", f"<head>\n{meta}", 1), resources
