"""Grading of submissions in nbgrader's ``autograde``.

`SubmissionExporter` reads and repairs a submission, `Grader` runs it in the sandbox and compares
its answers outside, and `SaveGrades` stores the points.
"""

import ast
import contextlib
import io
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, get_args

import nbformat
import numpy as np
from nbconvert.exporters import NotebookExporter
from nbformat.notebooknode import NotebookNode
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_solution
from traitlets import Bool, Integer

from coursework import executor, nbgrader_internals, sandbox
from coursework.bubblewrap import NO_BUBBLEWRAP
from coursework.collect import accompanying_files
from coursework.compare_answers import Verdict
from coursework.repair_submission import Graded, Status, read_submission
from coursework.sets import Set, course_set, grade_id, is_test
from coursework.student_version import CHECK_CELL_ID

NO_SEED = "Nothing was graded: nbgrader_config.py could not be loaded, or it lacks c.Grader.seed."
NO_ANSWER = "There was no answer: the cell was unchanged."
EMBEDDED_DATA = re.compile(r'b64decode\("[A-Za-z0-9+/=]{40,}"\)')
IMPORT_ERROR = r"\b(?:ModuleNotFound|Import)Error\b"
SYNTAX_ERRORS = ("SyntaxError", "IndentationError", "TabError")
NOT_INSTALLED = "Your code imports a package that is not installed here. A person will look at it."
USES_LIBRARY = "Your code uses kmds_lib, which this question excludes. A person will look at it."
SYNTAX_ERROR = "Your answer has a syntax error, which is shown below it."
FAILS_OPEN_TEST = "An open test of this question fails: you receive at most half of the points."


class SubmissionExporter(NotebookExporter):
    """Exporter that reads even invalid submissions, and backs up the database."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)  # type: ignore[no-untyped-call]
        grader = Grader(parent=self)
        if grader.seed is None or not (grader.without_bubblewrap or sandbox.bubblewrap_works()):
            reason = NO_SEED if grader.seed is None else NO_BUBBLEWRAP
            self.log.error(reason)
            raise NbGraderException(reason)  # stops the whole command
        database = Path(self.parent.coursedir.root) / "gradebook.db"  # type: ignore[union-attr]
        if database.is_file():
            backups = database.with_name("backups")
            backups.mkdir(exist_ok=True)
            now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
            shutil.copy(database, backups / f"gradebook-{now}.db")

    def from_file(self, file_stream: Any, resources: Any = None, **rest: Any) -> Any:
        """Return the submission with the cells of the release, and the resources."""
        autograde: Any = self.parent
        if not nbgrader_internals.is_reading(autograde):
            return super().from_file(file_stream, resources, **rest)
        course = autograde.coursedir
        name = resources["nbgrader"]["assignment"]
        released = Path(course.format_path(course.release_directory, ".", name), f"{name}.ipynb")
        release = nbformat.read(released, as_version=4)
        notebook = read_submission(Path(file_stream.name), release)
        return self.from_notebook_node(notebook, resources, **rest)  # type: ignore[no-untyped-call]


class Grader(NbGraderPreprocessor):  # type: ignore[misc]
    """Preprocessor that runs a submission in the sandbox and grades its answers outside."""

    seed = Integer(None, allow_none=True, help="The seed of the course's data.").tag(config=True)
    without_bubblewrap = Bool(False, help="Grade without bubblewrap.").tag(config=True)
    limits = sandbox.Limits()

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Grade a submission; an error concerns this submission only."""
        metadata = nb.metadata["coursework"]
        status: Status = metadata["status"]
        if not status:
            try:
                course = self.parent.parent.coursedir
                set_ = course_set(course, resources["nbgrader"]["assignment"])
                files = accompanying_files(Path(resources["metadata"]["path"]))
                status = self._grade(nb, set_, files)
            except Exception:
                self.log.exception("%s was not graded.", resources["nbgrader"]["student"])
                status = "failed"
                metadata["notes"].append("Grading failed with an error, which is in the log.")
            metadata["status"] = status
        if metadata["notes"]:
            lines = "\n".join(f"- {_markdown_note(note)}" for note in metadata["notes"])
            warning = "" if status in get_args(Graded) else "**Nothing is marked yet.**\n"
            text = f"**About this submission**\n\n{warning}\n{lines}"
            nb.cells.insert(0, nbformat.v4.new_markdown_cell(text))
        return nb, resources

    def _grade(self, nb: NotebookNode, set_: Set, files: dict[str, bytes]) -> Status:
        """Run a notebook, write outputs, verdicts and notes into it, and return its status."""
        inputs = executor.grading_inputs(set_, self.seed)
        compare_seed(set_.path / "data.npz", inputs)
        result = executor.run(nb, inputs, self.limits, files=files)
        verdicts = set_.reference.verdicts(self.seed, result.answers)
        metadata = nb.metadata["coursework"]
        notes_for_person = set[str]()
        for cell, verdict in final_verdicts(nb, set_, verdicts):
            write_feedback(cell, verdict)
            if verdict.for_person:
                notes_for_person.add(verdict.message)
        metadata["notes"] += [*result.notes, *sorted(notes_for_person)]
        graded: Status = "repaired" if metadata["notes"] else "graded"
        if not metadata["answered"]:
            metadata["notes"].append("No answer cell was changed.")
        # The cell with `check` and the embedded data are long and not needed for feedback.
        nb.cells = [each for each in nb.cells if grade_id(each) != CHECK_CELL_ID]
        for cell in nb.cells:
            cell.source = EMBEDDED_DATA.sub("b64decode(...)", cell.source)
        return "stopped" if result.notes else graded


def final_verdicts(
    nb: NotebookNode, set_: Set, verdicts: dict[str, Verdict]
) -> Iterator[tuple[NotebookNode, Verdict]]:
    """Yield the test cells, each with the first verdict whose condition holds.

    ====================================================== ====================================
    Condition                                              Verdict
    ====================================================== ====================================
    score 0, and all answer cells are unchanged            score 0, `NO_ANSWER`
    score below 1, and an import failed, here or earlier   score 0, `NOT_INSTALLED`, for a person
    an answer cell uses the library, which is excluded     score 0, `USES_LIBRARY`, for a person
    score below 1, and an answer cell has a syntax error   score of the reference, `SYNTAX_ERROR`
    none of these                                          verdict of the reference
    ====================================================== ====================================

    The answer cells of a test cell are the code cells between the previous test cell and it.
    """
    answered = {*nb.metadata["coursework"]["answered"]}
    uses_library = _library_cells(nb, set_)
    answer_cells = set[str]()
    import_failed = syntax_error = False
    for_person = partial(Verdict, 0.0, for_person=True)
    for cell in nb.cells:
        errors = {output.get("ename") for output in cell.get("outputs", ())}
        import_failed |= bool(re.search(IMPORT_ERROR, f"{errors}"))
        if is_solution(cell) and cell.cell_type == "code":
            answer_cells.add(grade_id(cell))
            syntax_error |= not errors.isdisjoint(SYNTAX_ERRORS)
        elif is_test(cell):
            verdict = verdicts[grade_id(cell)]
            unchanged = bool(answer_cells) and answer_cells.isdisjoint(answered)
            not_installed = import_failed or re.search(IMPORT_ERROR, verdict.message)
            cases = [
                (verdict.score == 0 and unchanged, Verdict(0.0, message=NO_ANSWER)),
                (verdict.score < 1 and not_installed, for_person(message=NOT_INSTALLED)),
                (not answer_cells.isdisjoint(uses_library), for_person(message=USES_LIBRARY)),
                (verdict.score < 1 and syntax_error, replace(verdict, message=SYNTAX_ERROR)),
            ]
            yield cell, next((other for applies, other in cases if applies), verdict)
            answer_cells = set()
            syntax_error = False


def compare_seed(data_file: Path, inputs: sandbox.GradingInputs) -> None:
    """Raise AssertionError if students have the data of another seed."""
    with np.load(data_file) as released, np.load(io.BytesIO(inputs.data)) as drawn:
        np.testing.assert_equal(dict(released), dict(drawn), "The data belong to another seed.")


def _library_cells(nb: NotebookNode, set_: Set) -> set[str]:
    """Return the answer cells that use kmds_lib in questions that exclude it."""
    questions = getattr(set_.reference, "WITHOUT_LIBRARY", ())
    prefixes = tuple(f"{question}-" for question in questions)
    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    names = {"kmds_lib"}
    imports = (ast.Import, ast.ImportFrom)
    for cell in code:
        with contextlib.suppress(SyntaxError, ValueError):
            for node in ast.walk(ast.parse(cell.source)):
                if isinstance(node, imports) and "kmds_lib" in ast.unparse(node):
                    names |= {alias.asname or alias.name for alias in node.names}
    used = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
    return {
        grade_id(cell)
        for cell in code
        if is_solution(cell) and grade_id(cell).startswith(prefixes) and used.search(cell.source)
    }


def write_feedback(cell: NotebookNode, verdict: Verdict) -> None:
    """Write a verdict into the outputs of its test cell: a sentence, and points."""
    failed = any(output.get("ename") == "AssertionError" for output in cell.outputs)
    full = float(cell.metadata.nbgrader["points"])
    points = round(verdict.score * full, 2)
    sentence = nbformat.v4.new_output("stream", name="stdout", text=f"{verdict.message}\n")
    if failed and points > full / 2:
        points = full / 2
        reason = f"{verdict.message}\n" if verdict.score < 1 else ""
        sentence.text = f"{reason}{FAILS_OPEN_TEST}\n"
    cell.outputs.insert(0, sentence)
    if not verdict.for_person:
        data = {"text/plain": f"{points:g}"}
        earned = nbformat.v4.new_output("execute_result", data=data, metadata={"points": points})
        cell.outputs.insert(1, earned)


def _markdown_note(note: str) -> str:
    """Return a note as one line of Markdown."""
    text = "".join(c for c in note.replace("\n", " ") if c.isprintable())
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#$|!" else c for c in text)


class SaveGrades(nbgrader_internals.ScoreWriter):
    """Preprocessor that stores the points that `Grader` found."""

    def set_score(self, cell: NotebookNode, grade: Any) -> None:
        """Store the points of a cell, or None if it has none."""
        metadata = [output.get("metadata", {}) for output in cell.get("outputs", [])]
        grade.auto_score = next((each["points"] for each in metadata if "points" in each), None)
        # Marks by hand stay; as in nbgrader, a person has to look at them again.
        grade.needs_manual_grade = grade.auto_score is None or grade.manual_score is not None
