"""One page of feedback for each student.

It shows points, the named mistakes and the student's notebook as it was run. It is made from the
release and the student's own cells, so no hidden check or reference is there to be shown; and
nothing a student wrote can run in the browser that opens it.
"""

import base64
import hashlib
import html
import logging
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import bleach
import nbformat
from nbconvert.exporters import HTMLExporter
from nbformat.notebooknode import NotebookNode
from pygments.formatters import HtmlFormatter

from coursework import pages
from coursework.restore import grade_id
from coursework.results import Result
from coursework.sets import HAND, Question

MATHJAX = "https://cdn.jsdelivr.net/npm/mathjax@3.2.2/es5/tex-chtml.js"
HARMLESS = (
    "a abbr b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img kbd li ol "
    "p pre s span strong sub summary sup table tbody td tfoot th thead tr ul"
)
TAGS = frozenset(HARMLESS.split())
PROTOCOLS = ("http", "https", "mailto", "data")
DELIMITERS = 'MathJax = {tex: {inlineMath: [["$", "$"], ["\\\\(", "\\\\)"]]}}'
# Of all scripts only these two may run, the second known by its digest.
OWN_SCRIPT = base64.b64encode(hashlib.sha256(DELIMITERS.encode()).digest()).decode()
WITH_FORMULAS = (
    f"{pages.POLICY}; script-src {MATHJAX.rsplit('/', 1)[0]}/ 'sha256-{OWN_SCRIPT}'; "
    f"font-src {MATHJAX.rsplit('/', 1)[0]}/"
)
STYLE = """
.marks { width: 100%; }
.marks td:nth-child(2) { white-space: nowrap; }
pre { margin: .25rem 0; white-space: pre-wrap; }
.input_area, .highlight { background: #f6f6f6; }
.output_stderr, .output_error { background: #fdeeee; }
.prompt, .anchor-link { display: none; }
.cell { margin: .75rem 0; }
img { max-width: 100%; }
blockquote { margin: 0; padding: .1rem .9rem; border-left: .3rem solid #2166ac;
  background: #eef4fa; }
"""
HEAD = """<meta name="stamp" content="{stamp}">
<script>{delimiters}</script>
<script async src="{mathjax}"></script>"""
BODY = """<h1>{title}</h1>
<p><strong>{student}</strong>: {total}</p>
{notes}
{table}
{notebook}"""
ABOUT_FORMULAS = (
    "<p>Formulas are set by MathJax, from cdn.jsdelivr.net. Without a connection they stand here "
    "as they were typed, between dollar signs.</p>"
)


def feedback_path(folder: Path, student: str, name: str) -> Path:
    """Return where a student's page stands; it is where nbgrader would write it."""
    return folder / "feedback" / student / name / f"{name}.html"


def write_feedback(
    path: Path,
    result: Result,
    notebook: NotebookNode | None,
    title: str,
    questions: list[Question],
    points: Mapping[str, float | None],
    comments: Mapping[str, str],
) -> bool:
    """Write a student's page, if anything on it has changed.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    result : Result
        What grading found.
    notebook : NotebookNode or None
        The notebook as it was run; none if the submission waits for a person.
    title : str
        Title of the set.
    questions : list of Question
        Those with points.
    points, comments : mapping
        Points, and what a marker wrote, by question.

    Returns
    -------
    bool
        Whether it was written.
    """
    about = [result.key, result.status, dict(points), dict(comments), title, _own_digest()]
    stamp = hashlib.sha256(repr(about).encode()).hexdigest()
    if path.is_file() and f'content="{stamp}"' in path.read_text("utf-8")[:2000]:
        return False
    shown = "" if notebook is None else _body(notebook, result, questions, points, comments)
    body = BODY.format(
        title=html.escape(title),
        student=html.escape(result.student),
        total=_total(result, questions, points),
        notes="".join(f"<p>{html.escape(note)}</p>" for note in result.notes),
        table=_table(result, questions, points) if result.graded else "",
        notebook=ABOUT_FORMULAS + shown if shown else "",
    )
    style = STYLE + HtmlFormatter().get_style_defs(".highlight")
    head = HEAD.format(stamp=stamp, delimiters=DELIMITERS, mathjax=MATHJAX)
    name = f"{title}: {result.student}"
    page = pages.page(name, body, style=style, policy=WITH_FORMULAS, head=head)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page, "utf-8")
    return True


@cache
def _own_digest() -> str:
    """Return a digest of the program that writes these pages."""
    files = (Path(__file__), Path(pages.__file__))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def _total(result: Result, questions: list[Question], points: Mapping[str, float | None]) -> str:
    if not result.graded:
        return "not graded yet. Your teacher will look at it."
    known = [value for value in points.values() if value is not None]
    most = sum(question.points for question in questions)
    waiting = sum(question.points for question in questions if points[question.grade_id] is None)
    rest = f" ({waiting:g} more points wait to be marked)" if waiting else ""
    return f"{round(sum(known), 2):g} of {most:g} points{rest}."


def _said(result: Result, question: Question, points: Mapping[str, float | None]) -> str:
    """Return the sentence on a question."""
    if question.kind == HAND:
        if points[question.grade_id] is None:
            return "Waits to be marked."
        return "" if question.grade_id in result.answered else "There was no answer."
    return result.verdicts[question.grade_id].message


def _of(question: Question, points: Mapping[str, float | None]) -> str:
    value = points[question.grade_id]
    return f"{'–' if value is None else f'{value:g}'} of {question.points:g}"


def _table(result: Result, questions: list[Question], points: Mapping[str, float | None]) -> str:
    rows = "".join(
        f"<tr><td>{html.escape(question.grade_id)}</td><td>{_of(question, points)}</td>"
        f"<td>{html.escape(_said(result, question, points))}</td></tr>"
        for question in questions
    )
    head = "<tr><th>Question</th><th>Points</th><th>Remark</th></tr>"
    return f'<table class="marks">{head}{rows}</table>'


def _body(
    notebook: NotebookNode,
    result: Result,
    questions: list[Question],
    points: Mapping[str, float | None],
    comments: Mapping[str, str],
) -> str:
    """Return the notebook as it was run, with a line of points under each question."""
    by_id = {question.grade_id: question for question in questions}
    cells = []
    for cell in notebook.cells:
        cells.append(cell)
        question = by_id.get(grade_id(cell))
        if question is not None:
            line = f"> **{question.grade_id}: {_of(question, points)} points.** "
            line += html.escape(_said(result, question, points)).replace("*", "\\*")
            cells.append(nbformat.v4.new_markdown_cell(line))
        if comment := comments.get(grade_id(cell)):
            quoted = comment.replace("\n", "\n> ")
            cells.append(nbformat.v4.new_markdown_cell(f"> {quoted}"))
    shown = nbformat.v4.new_notebook(cells=cells, metadata=notebook.metadata)
    body, _ = _exporter().from_notebook_node(shown)
    return str(body)


@cache
def _exporter() -> HTMLExporter:
    """Return nbconvert's HTML exporter; what a student wrote is cleaned of scripts."""
    quiet = logging.getLogger("coursework.feedback")
    quiet.setLevel(logging.ERROR)  # a student's picture without alternative text is no matter
    exporter = HTMLExporter(template_name="basic", sanitize_html=True, log=quiet)
    exporter.register_filter("clean_html", harmless_html)
    return exporter


def harmless_html(text: str) -> str:
    """Return HTML without scripts, styles, forms, and pictures from elsewhere."""
    return str(bleach.clean(text, tags=TAGS, attributes=_allowed, protocols=PROTOCOLS))


def _allowed(tag: str, name: str, value: str) -> bool:
    if tag == "a" and name == "href":
        return value.startswith(("https://", "http://", "mailto:", "#"))
    if tag == "img":
        return name == "alt" or (name == "src" and value.startswith("data:image/"))
    return name in ("class", "colspan", "rowspan", "align", "start")
