"""A page on a graded set for the teacher: points, named mistakes, and code that is alike."""

import html
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode

from coursework import commands
from coursework.alike import Pair, alike
from coursework.checks import MISTAKES
from coursework.gradebook import Book
from coursework.pages import page
from coursework.restore import is_test
from coursework.results import (
    NEED_A_PERSON,
    STATUSES,
    About,
    Result,
    all_points,
    read_about,
    read_results,
)
from coursework.sets import SetError

BARS = 5  # of a distribution: none, up to a quarter, a half, three quarters, all
LABELS = ("0", "≤ ¼", "≤ ½", "< 1", "all")
PAIRS = 20
STYLE = """
.wide { overflow-x: auto; }
svg { width: 100%; min-width: 9rem; max-width: 220px; height: auto; }
rect { fill: #2166ac; }
svg text { font: 11px system-ui, sans-serif; fill: #1a1a1a; text-anchor: middle; }
pre { flex: 1 1 24rem; min-width: 0; }
.side { display: flex; flex-wrap: wrap; gap: 1rem; }
"""


def report(folder: Path) -> Path:
    """Write the page on a folder of results.

    Parameters
    ----------
    folder : pathlib.Path
        The ``--out`` of grade.

    Returns
    -------
    pathlib.Path
        ``report.html`` in it.
    """
    about = read_about(folder)
    results = list(read_results(folder).values())
    graded = [result for result in results if result.graded]
    if not graded:
        raise SetError(f"{folder} holds no graded submission.")
    book = Book(folder, about.name, about.questions)
    marks = book.marks()
    points = {
        result.student: all_points(result, about.questions, marks.get(result.student, {}))
        for result in graded
    }
    code = {result.student: _code(book.notebook_path(result.student)) for result in graded}
    parts = [
        _about_statuses(results, about),
        _about_points(about, points),
        _about_mistakes(graded),
        _about_pairs(alike(code, about.given), code),
    ]
    title = f"{about.title}: report"
    body = "\n".join([f"<h1>{html.escape(title)}</h1>", *parts])
    path = folder / "report.html"
    path.write_text(page(title, body, style=STYLE), "utf-8")
    return path


def _code(path: Path) -> str:
    """Return a student's code without the test cells."""
    notebook: NotebookNode = nbformat.read(path, as_version=4)
    cells = (cell for cell in notebook.cells if cell.cell_type == "code" and not is_test(cell))
    return "\n\n".join(cell.source for cell in cells)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; the cells are HTML already."""
    first = "".join(f'<th scope="col">{name}</th>' for name in head)
    rest = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="wide"><table><tr>{first}</tr>{rest}</table></div>'


def _about_statuses(results: list[Result], about: About) -> str:
    count = Counter(result.status for result in results)
    rows = [[str(count[status]), status, STATUSES[status]] for status in STATUSES if count[status]]
    waiting = [result for result in results if result.status in NEED_A_PERSON]
    look = "".join(
        f"<li>{html.escape(result.student)}: {html.escape(' '.join(result.notes))}</li>"
        for result in waiting
    )
    missing = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in about.missing)
    return f"<h2>Submissions</h2>{_table(['Number', 'Status', 'Meaning'], rows)}{missing}" + (
        f"<p>These need a person:</p><ul>{look}</ul>" if look else ""
    )


def _about_points(about: About, points: Mapping[str, Mapping[str, float | None]]) -> str:
    rows = []
    for question in about.questions:
        found = [given[question.grade_id] for given in points.values()]
        scores = [value / question.points for value in found if value is not None]
        mean = f"{sum(scores) / len(scores) * question.points:.1f}" if scores else "–"
        waiting = len(found) - len(scores)
        rows.append(
            [
                html.escape(question.grade_id),
                f"{mean} of {question.points:g}",
                _bars(scores) + (f"<div>{waiting} wait to be marked</div>" if waiting else ""),
            ]
        )
    return f"<h2>Points</h2>{_table(['Question', 'Mean', 'Distribution'], rows)}"


def _bars(scores: list[float]) -> str:
    """Draw how many have none, some or all of the points."""
    if not scores:
        return ""
    count = Counter(_bar(score) for score in scores)
    most = max(count.values())
    shapes = []
    for bar, label in enumerate(LABELS):
        height, middle = 50 * count[bar] / most, 44 * bar + 20
        shapes.append(
            f'<rect x="{middle - 16}" y="{66 - height:.1f}" width="32" height="{height:.1f}"/>'
            f'<text x="{middle}" y="{62 - height:.1f}">{count[bar]}</text>'
            f'<text x="{middle}" y="80">{label}</text>'
        )
    told = ", ".join(f"{label}: {count[bar]}" for bar, label in enumerate(LABELS))
    return (
        f'<svg role="img" aria-label="Students by points: {told}" '
        f'viewBox="0 0 220 84">{"".join(shapes)}</svg>'
    )


def _bar(score: float) -> int:
    if score <= 0 or score >= 1:
        return 0 if score <= 0 else BARS - 1
    return 1 if score <= 0.25 else 2 if score <= 0.5 else 3


def _about_mistakes(graded: list[Result]) -> str:
    made: dict[tuple[str, str], list[str]] = {}
    for result in graded:
        for question, verdict in result.verdicts.items():
            if verdict.mistake:
                made.setdefault((verdict.mistake, question), []).append(result.student)
    ordered = sorted(made.items(), key=lambda item: (-len(item[1]), item[0]))
    rows = [
        [
            str(len(students)),
            html.escape(question),
            f"<strong>{html.escape(mistake)}</strong>: {html.escape(MISTAKES[mistake])}"
            f"<details><summary>Who</summary>{html.escape(', '.join(students))}</details>",
        ]
        for (mistake, question), students in ordered
    ]
    if not rows:
        return "<h2>Named mistakes</h2><p>None was made.</p>"
    return f"<h2>Named mistakes</h2>{_table(['Number', 'Question', 'Mistake'], rows)}"


def _about_pairs(pairs: list[Pair], code: Mapping[str, str]) -> str:
    shown = []
    for pair in pairs[:PAIRS]:
        sides = "".join(
            f"<pre>{html.escape(code[student])}</pre>" for student in (pair.first, pair.second)
        )
        names = f"{html.escape(pair.first)} and {html.escape(pair.second)}"
        shown.append(
            f"<details><summary>{pair.likeness:.0%}: {names}</summary>"
            f'<div class="side">{sides}</div></details>'
        )
    rest = f"<p>{len(pairs) - PAIRS} more pairs.</p>" if len(pairs) > PAIRS else ""
    return (
        "<h2>Code that is alike</h2><p>A place to look, not a verdict. Code is compared without "
        "names and comments; what the release holds is left out, and what many share counts "
        "little. Two who learnt from the same page may stand here too.</p>"
        + ("".join(shown) or "<p>No pair.</p>")
        + rest
    )


def main(arguments: Sequence[str]) -> int:
    """Write the report from the command line."""
    parser = commands.arguments_of("report")
    parser.add_argument("folder", type=Path, help="the --out of grade")
    options = parser.parse_args(arguments)
    print(report(options.folder))
    return 0
