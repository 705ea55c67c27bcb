"""nbgrader's own database of the grades, for those who mark in its formgrader.

The folder of results is a course in nbgrader's sense: ``gradebook.db``, and the notebooks that
were run under ``autograded``. Points given by hand live in the database only.
"""

import contextlib
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import SaveCells

from coursework.results import Result
from coursework.sets import HAND, TEST, Question, SetError


class Book:
    """The database of a folder of results.

    Parameters
    ----------
    folder : pathlib.Path
        The folder of results.
    name : str
        Name of the set: nbgrader's assignment, and the notebook in it.
    questions : list of Question
        Those with points.
    """

    def __init__(self, folder: Path, name: str, questions: list[Question]) -> None:
        self.folder, self.name, self.questions = folder, name, questions
        self.address = f"sqlite:///{(folder / 'gradebook.db').resolve()}"

    def add_set(self, release: NotebookNode) -> None:
        """Enter the set, or what has changed in it."""
        with _beside_python(), Gradebook(self.address) as book:
            book.update_or_create_assignment(self.name)
        about = {"notebook": self.name, "assignment": self.name, "db_url": self.address}
        try:
            SaveCells().preprocess(release, {"nbgrader": about})
        except RuntimeError as error:
            raise SetError(
                f"The set {self.name} has other cells than when {self.folder} was made. "
                "Grade into another folder, or remove this one."
            ) from error

    def enter(self, results: Iterable[Result], graded_now: set[str]) -> None:
        """Enter the results that are new, and take out the students who are not there.

        Parameters
        ----------
        results : iterable of Result
            All results.
        graded_now : set of str
            The students whose results are new.
        """
        everybody = {result.student: result for result in results}
        with Gradebook(self.address) as book:
            for submission in list(book.assignment_submissions(self.name)):
                result = everybody.get(submission.student.id)
                if result is None or not result.graded:
                    book.remove_submission(self.name, submission.student.id)
            there = {each.student.id for each in book.assignment_submissions(self.name)}
            for student, result in everybody.items():
                if result.graded and (student in graded_now or student not in there):
                    self._enter(book, result)

    def _enter(self, book: Gradebook, result: Result) -> None:
        book.update_or_create_student(result.student)
        with book.db.no_autoflush:
            book.update_or_create_submission(self.name, result.student)
        for question in self.questions:
            place = (question.grade_id, self.name, self.name, result.student)
            grade = book.find_grade(*place)
            grade.auto_score = result.points(question)
            # As nbgrader has it: what was marked before has to be looked at again.
            grade.needs_manual_grade = grade.manual_score is not None or grade.auto_score is None
            if question.kind == HAND:
                comment = book.find_comment(*place)
                comment.auto_comment = (
                    "No response." if question.grade_id not in result.answered else None
                )
        book.db.commit()

    def mark(self, marks: Mapping[str, Mapping[str, float]]) -> None:
        """Enter points given by hand."""
        with Gradebook(self.address) as book:
            for student, points in marks.items():
                for question, score in points.items():
                    try:
                        grade = book.find_grade(question, self.name, self.name, student)
                    except MissingEntry:  # this student's submission waits for a person
                        continue
                    grade.manual_score = score
                    grade.needs_manual_grade = False
            book.db.commit()

    def marks(self) -> dict[str, dict[str, float]]:
        """Return the points given by hand: student, then question. Tests may be overruled too."""
        found: dict[str, dict[str, float]] = {}
        with Gradebook(self.address) as book:
            for submission in book.assignment_submissions(self.name):
                for grade in submission.notebooks[0].grades:
                    if grade.manual_score is not None:
                        marks = found.setdefault(submission.student.id, {})
                        marks[grade.name] = float(grade.manual_score)
        return found

    def comments(self, student: str) -> dict[str, str]:
        """Return what a marker wrote to a student: question, then text."""
        with Gradebook(self.address) as book:
            try:
                notebook = book.find_submission_notebook(self.name, self.name, student)
            except MissingEntry:
                return {}
            return {
                comment.name: comment.manual_comment
                for comment in notebook.comments
                if comment.manual_comment
            }

    def notebook_path(self, student: str) -> Path:
        """Return where the notebook of a student stands that was run."""
        return self.folder / "autograded" / student / self.name / f"{self.name}.ipynb"

    def store(self, student: str, notebook: NotebookNode) -> None:
        """Write the notebook that was run to where nbgrader looks for it."""
        path = self.notebook_path(student)
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, path)

    def forget(self, student: str) -> None:
        """Remove the notebook that was run, if there is one."""
        shutil.rmtree(self.folder / "autograded" / student, ignore_errors=True)


@contextlib.contextmanager
def _beside_python() -> Iterator[None]:
    """Let nbgrader find the program alembic, which it calls by name for a new database."""
    before = os.environ.get("PATH", os.defpath)
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), before])
    try:
        yield
    finally:
        os.environ["PATH"] = before


def with_points(questions: Iterable[Question]) -> list[Question]:
    """Return the questions that have points."""
    return [question for question in questions if question.kind in (TEST, HAND)]
