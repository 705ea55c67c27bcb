"""Export of marks by ``nbgrader export``, with the columns of Moodle's grading worksheet."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import ExportPlugin

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
FIRST_COLUMNS = ("Identifier", "Full name", "Status", "Grade", "Maximum Grade")
LAST_COLUMNS = ("Last modified (submission)", "automatic", "waiting", "notes")


class GradeExporter(ExportPlugin):  # type: ignore[misc]
    """Plugin that writes ``grades-SET.csv``, without a total until all questions are marked."""

    def export(self, gradebook: Gradebook) -> None:
        """Write a table for each set."""
        course = self.parent.coursedir
        for assignment in gradebook.assignments:
            name = assignment.name
            if not assignment.notebooks or (self.assignment and name not in self.assignment):
                continue
            path = Path(self.to or course.root) / f"grades-{name}.csv"
            path.parent.mkdir(parents=True, exist_ok=True)
            questions = [cell.name for cell in assignment.notebooks[0].grade_cells]
            with path.open("w", encoding="utf-8-sig", newline="") as file:
                table = csv.DictWriter(file, [*FIRST_COLUMNS, *questions, *LAST_COLUMNS])
                table.writeheader()
                for student in gradebook.students:
                    if not self.student or student.id in self.student:
                        folder = course.format_path(course.autograded_directory, student.id, name)
                        notebook = Path(folder) / f"{name}.ipynb"
                        table.writerow(dict(_row(gradebook, assignment, student.id, notebook)))
            self.log.info("The marks of %s are in %s", name, path)


def _row(
    gradebook: Gradebook, assignment: Any, student: str, notebook: Path
) -> Iterator[tuple[str, str]]:
    """Yield the columns of a student with their values."""
    person, _, number = student.rpartition("_")
    is_moodle = bool(person) and number.isdigit()
    yield "Identifier", f"Participant {number}" if is_moodle else escape_formula(student)
    yield "Full name", escape_formula(person if is_moodle else student)
    yield "Maximum Grade", _format_number(assignment.max_score)
    try:
        submission = gradebook.find_submission(assignment.name, student)
    except MissingEntry:
        yield "Status", "No submission"
        return
    if notebook.is_file():
        metadata = nbformat.read(notebook, as_version=4).metadata["coursework"]
        yield "Status", metadata["status"]
        yield "notes", escape_formula(" ".join(metadata["notes"]))
    grades = submission.notebooks[0].grades
    waiting = [g.name for g in grades if g.manual_score is None and g.auto_score is None]
    yield from ((g.name, _format_number(g.score)) for g in grades if g.name not in waiting)
    yield "waiting", " ".join(waiting)
    if submission.timestamp:
        yield "Last modified (submission)", f"{submission.timestamp:%Y-%m-%d %H:%M} UTC"
    if not waiting:
        penalty = submission.late_submission_penalty or 0
        yield "Grade", _format_number(max(0.0, submission.score - penalty))
    points = [grade.auto_score for grade in grades if grade.cell.cell_type == "code"]
    if None not in points:
        yield "automatic", _format_number(sum(points))


def _format_number(value: float) -> str:
    return f"{round(value, 2):g}"


def escape_formula(text: str) -> str:
    """Return a text that spreadsheets do not interpret as a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
