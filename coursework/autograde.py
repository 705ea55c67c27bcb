"""What the configuration of a course puts into nbgrader's ``autograde``.

`Notebooks` reads what was handed in, whatever it is, and puts it back into the form of the
release. `Judge` runs it confined, and lets the reference judge outside what it hands in. `Save`
enters the points; what a person has to mark is never set by program.
"""

import ast
import contextlib
import io
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
from nbconvert.exporters import NotebookExporter
from nbformat.notebooknode import NotebookNode
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import NbGraderPreprocessor, SaveAutoGrades
from nbgrader.utils import is_solution
from traitlets import Bool, Integer

from coursework import executor, sandbox
from coursework.checks import Verdict
from coursework.collect import INFO_FILE, InvalidNotebookError, accompanying_files, read_notebook
from coursework.repair_submission import fraction_of_cells_found, repair
from coursework.sets import Set, course_set, grade_id, is_test, question_numbers
from coursework.student import CHECK_CELL_ID, KERNEL
from coursework.validate_master import SOLUTION, region_lines, without_whitespace

MIN_LINE_LENGTH, MIN_LINES = (
    40,
    3,
)  # characters of a line, and lines of code, that nobody writes alike by chance
MIN_FRACTION_OF_CELLS = 0.5  # of the cells make a notebook of unknown set one of this set
NO_ANSWER = "There was no answer: the cell was left as it was."
EMBEDDED_DATA = re.compile(r'b64decode\("[A-Za-z0-9+/=]{40,}"\)')
IMPORT_ERRORS = ("ModuleNotFoundError", "ImportError")
IMPORT_ERROR_MESSAGE = re.compile(f"raised (?:{'|'.join(IMPORT_ERRORS)})")
NOT_INSTALLED = "Your code imports what is not installed where it is marked. A person looks at it."
USES_LIBRARY = "Your code mentions kmds_lib, which this question excludes. A person looks at it."
CHANGES_INPUT = "Your code changes the array that it is given; let it work on a copy."
FAILS_OPEN_TEST = (
    "The open test of this question stops with an error, which costs half of the points."
)


class SubmissionExporter(NotebookExporter):
    """Reads a submission, whatever it is; nbconvert stops at what it cannot read."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)  # type: ignore[no-untyped-call]
        course = getattr(self.parent, "coursedir", None)
        database = Path(course.root) / "gradebook.db" if course else None
        if database and database.is_file():
            copies = database.with_name("backups")
            copies.mkdir(exist_ok=True)
            now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
            shutil.copy(database, copies / f"gradebook-{now}.db")

    def from_file(self, file_stream: Any, resources: Any = None, **rest: Any) -> Any:
        """Convert what was handed in, or what became of it."""
        autograde: Any = self.parent
        if not autograde._sanitizing:
            return super().from_file(file_stream, resources, **rest)
        course, name = autograde.coursedir, resources["nbgrader"]["assignment"]
        released = Path(course.format_path(course.release_directory, ".", name), f"{name}.ipynb")
        release = nbformat.read(released, as_version=4)
        notebook = read_submission(Path(file_stream.name), release)
        return self.from_notebook_node(notebook, resources, **rest)  # type: ignore[no-untyped-call]


def read_submission(path: Path, release: NotebookNode) -> NotebookNode:
    """Return what was handed in, in the form of the release.

    Its metadata hold under ``coursework`` a ``fault``, for which a person has to look at it
    before anything of it counts, ``notes``, the ids of the cells that were ``answered``, and
    whether something was ``added`` to them.
    """
    known = path.parent / INFO_FILE
    about = json.loads(known.read_text("utf-8")) if known.is_file() else {}
    found, notes = {}, [*about.get("notes", ())]
    for file in sorted(path.parent.glob("*.ipynb"), key=lambda file: (file != path, file.name)):
        name = about.get("notebooks", {}).get(file.name, file.name)
        try:
            found[name] = read_notebook(file.read_bytes())
        except InvalidNotebookError as error:
            notes.append(f"{name} {error}.")
    chosen, fault, more = _choose_notebook(found, release)
    if not fault:
        fault, why = _check_set_and_seed(found[chosen], release)
        more += [why] * bool(why)
    result = repair(found.get(chosen, release), release)
    files = sorted({*accompanying_files(path.parent)} - {"data.npz"})
    if files:
        more.append(f"Files beside the notebook: {', '.join(files)}.")
    notebook = result.notebook
    notebook.metadata["coursework"] = {
        **release.metadata["coursework"],
        "fault": fault,
        "notes": [*notes, *more, *result.notes],
        "answered": sorted(result.answered),
        "added": bool(files) or any(not grade_id(cell) for cell in notebook.cells),
    }
    return notebook


def _choose_notebook(
    found: dict[str, NotebookNode], release: NotebookNode
) -> tuple[str, str, list[str]]:
    """Choose the notebook to grade; with a fault where a person has to."""
    if not found:
        return "", "unreadable", []
    name = _set_of(release)
    fitting = {
        path: notebook
        for path, notebook in found.items()
        if _set_of(notebook) == name
        or fraction_of_cells_found(notebook, release) >= MIN_FRACTION_OF_CELLS
    } or found
    blank = _contents(repair(release, release).notebook)
    texts = {path: _contents(repair(each, release).notebook) for path, each in fitting.items()}
    started = {path: text for path, text in texts.items() if text != blank} or texts
    path, names = next(iter(started)), ", ".join(sorted(found))
    if len({*started.values()}) > 1:
        why = (
            f"Which of the notebooks counts? They differ: {', '.join(sorted(started))}. Leave one "
            f"of them in the folder submitted, under the name {name}.ipynb, and grade again."
        )
        return path, "two notebooks", [why]
    one = f"{len(found)} notebooks were handed in ({names}); {path} was graded."
    return path, "", [one] * (len(found) > 1)


def _contents(notebook: NotebookNode) -> str:
    return "\0".join(f"{cell.source.strip()}{cell.get('attachments')}" for cell in notebook.cells)


def _set_of(notebook: NotebookNode) -> str:
    return str(notebook.metadata.get("coursework", {}).get("set", ""))


def _check_set_and_seed(notebook: NotebookNode, release: NotebookNode) -> tuple[str, str]:
    """Return the fault of a notebook of another set or seed, and what is to be told."""
    about, name = notebook.metadata.get("coursework", {}), _set_of(release)
    known = _set_of(notebook)
    if known and known != name:
        return "wrong set", f"It is a notebook of the set {known[:80]}, not of {name}."
    if not known and fraction_of_cells_found(notebook, release) < MIN_FRACTION_OF_CELLS:
        return "wrong set", f"Most of the cells of the notebook of {name} are not there."
    if not known:
        return "", "It has lost its set and seed; its cells are those of this set."
    if about.get("seed_tag") != release.metadata["coursework"].get("seed_tag"):
        why = "It was released with another seed: another year's or another group's data."
        return "wrong seed", why
    return "", ""


class Judge(NbGraderPreprocessor):  # type: ignore[misc]
    """Runs a submission confined and has it judged outside; stands where nbgrader executes."""

    seed = Integer(help="The seed of the course, from which its data were drawn.").tag(config=True)
    unconfined = Bool(False, help="Grade without bubblewrap.").tag(config=True)
    limits = sandbox.Limits()

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Run and judge; an error of the grader is this submission's alone."""
        about = nb.metadata["coursework"]
        if not (sandbox.bubblewrap_works() or self.unconfined):  # which stops all
            self.log.error(sandbox.NO_BUBBLEWRAP)
            raise NbGraderException(sandbox.NO_BUBBLEWRAP)
        if not about["fault"]:
            try:
                course = self.parent.parent.coursedir
                set_ = course_set(course, resources["nbgrader"]["assignment"])
                self._judge(nb, set_, accompanying_files(Path(resources["metadata"]["path"])))
            except Exception:
                self.log.exception("%s was not marked.", resources["nbgrader"]["student"])
                about["fault"] = "failed"
                about["notes"] += ["The grader itself failed on it; its log has the details."]
        if about["notes"]:
            known = question_numbers(nb)
            lines = "\n".join(f"- {_markdown_note(note, known)}" for note in about["notes"])
            wait = "**Nothing is marked yet.**\n" if about["fault"] else ""
            told = nbformat.v4.new_markdown_cell(f"**About this submission**\n\n{wait}\n{lines}")
            nb.cells.insert(0, told)
        return nb, resources

    def _judge(self, nb: NotebookNode, set_: Set, files: dict[str, bytes]) -> None:
        """Run a notebook, and write outputs, verdicts and what is to be told into it."""
        material = executor.grading_inputs(set_, self.seed)
        compare_seed(set_.path / "data.npz", material)
        done = executor.run(nb, material, self.limits, files=files)
        if done.status == "failed":
            raise NbGraderException("\n".join(["The sandbox did not start.", *done.log]))
        verdicts = set_.reference.verdicts(self.seed, done.answers)
        about, waits = nb.metadata["coursework"], set[str]()
        for cell, verdict in _final_verdicts(nb, set_, done, verdicts, material.parts):
            write_feedback(cell, verdict)
            waits |= {verdict.message} & {NOT_INSTALLED, USES_LIBRARY}
        about["notes"] += [*done.notes, *copied_solutions(nb, set_.master()), *sorted(waits)]
        about["status"] = "repaired" if about["notes"] else "graded"
        if done.status == "stopped":
            about["status"] = "stopped"
        about["notes"] += ["No answer cell was changed."] * (not about["answered"])
        nb.metadata = {**KERNEL, "coursework": about}
        # What each notebook carries is long, and says nothing on a page of feedback.
        nb.cells = [each for each in nb.cells if grade_id(each) != CHECK_CELL_ID]
        for cell in nb.cells:
            cell.source = EMBEDDED_DATA.sub("b64decode(...)", cell.source)
        for line in done.log:
            self.log.info("%r", line)


def _final_verdicts(
    nb: NotebookNode,
    set_: Set,
    done: executor.RunResult,
    verdicts: dict[str, Verdict],
    parts: dict[str, str],
) -> Iterator[tuple[NotebookNode, Verdict]]:
    """Yield the test cells, each with the verdict that counts."""
    answered, borrowed = set(nb.metadata["coursework"]["answered"]), _cells_using_library(nb, set_)
    before, lacking = list[str](), False
    for cell in nb.cells:
        lacking |= any(out.get("ename") in IMPORT_ERRORS for out in cell.get("outputs", ()))
        if is_solution(cell) and cell.cell_type == "code":
            before.append(grade_id(cell))
        elif is_test(cell):
            verdict = verdicts[grade_id(cell)]
            if before and not answered.intersection(before) and verdict.score == 0:
                verdict = Verdict(0.0, message=NO_ANSWER)
            elif verdict.score < 1 and (lacking or IMPORT_ERROR_MESSAGE.search(verdict.message)):
                verdict = Verdict(0.0, message=NOT_INSTALLED)
            elif borrowed.intersection(before):
                verdict = Verdict(0.0, message=USES_LIBRARY)
            elif done.changed.intersection(executor.answer_names(parts[grade_id(cell)])):
                verdict = replace(verdict, message=f"{verdict.message} {CHANGES_INPUT}")
            yield cell, verdict
            before = []


def compare_seed(given: Path, material: executor.GradingInputs) -> None:
    """Refuse to mark with another seed than that of the data that students have."""
    with np.load(given) as old, np.load(io.BytesIO(material.data)) as new:
        np.testing.assert_equal(dict(old), dict(new), "The data are those of another seed.")


def _cells_using_library(nb: NotebookNode, set_: Set) -> set[str]:
    """Return the answer cells that use kmds_lib in questions that exclude it, by `ALONE`."""
    alone = tuple(f"{question}-" for question in getattr(set_.reference, "ALONE", ()))
    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    names, imports = {"kmds_lib"}, (ast.Import, ast.ImportFrom)
    for cell in code:
        with contextlib.suppress(SyntaxError, ValueError):
            for node in ast.walk(ast.parse(cell.source)):
                if isinstance(node, imports) and "kmds_lib" in ast.unparse(node):
                    names |= {alias.asname or alias.name for alias in node.names}
    used = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
    return {
        grade_id(cell)
        for cell in code
        if is_solution(cell) and grade_id(cell).startswith(alone) and used.search(cell.source)
    }


def copied_solutions(nb: NotebookNode, master: NotebookNode) -> Iterator[str]:
    """Name the answers that hold half of the long lines of the solution, which is public."""
    given = {
        grade_id(cell): without_whitespace(cell.source) for cell in nb.cells if is_solution(cell)
    }
    for cell in master.cells:
        lines = map(without_whitespace, region_lines(cell.source, SOLUTION))
        long = [line for line in lines if len(line) >= MIN_LINE_LENGTH]
        found = sum(line in given.get(grade_id(cell), "") for line in long)
        if len(long) >= (MIN_LINES if cell.cell_type == "code" else 1) and 2 * found >= len(long):
            yield f"Much of the answer {grade_id(cell)} is the published solution, word for word."


def write_feedback(cell: NotebookNode, verdict: Verdict) -> None:
    """Write a verdict as outputs of its test cell: the sentence, and points that `Save` reads."""
    failed = any(output.get("ename") == "AssertionError" for output in cell.outputs)
    points = round(verdict.score * float(cell.metadata.nbgrader["points"]), 2)
    said = nbformat.v4.new_output("stream", name="stdout", text=f"{verdict.message}\n")
    if verdict.score == 1 and failed:
        points /= 2
        said.text = f"{FAILS_OPEN_TEST}\n"
    if verdict.message in (NOT_INSTALLED, USES_LIBRARY):
        cell.outputs = [said, *cell.outputs]  # without points it waits for a person
        return
    data = {"text/plain": f"{points:g}"}
    earned = nbformat.v4.new_output("execute_result", data=data, execution_count=None)
    earned.metadata["points"] = points
    cell.outputs = [said, earned, *cell.outputs]


def _markdown_note(note: str, question_numbers: dict[str, str]) -> str:
    """Return a note as text of one line, with numbers of questions, that Markdown leaves alone."""
    text = "".join(c for c in note.replace("\n", " ") if c.isprintable())
    for name, number in question_numbers.items():
        if number != name:
            text = re.sub(
                rf"(?<![\w-]){re.escape(name)}(?![\w-])", f"{name} (Question {number})", text
            )
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#$|!" else c for c in text)


class SaveGrades(SaveAutoGrades):  # type: ignore[misc]
    """Enters what `Judge` found.

    nbgrader's own gives nothing to a cell for hand marks that was not changed, and full points to
    a test without an output, both without a person.
    """

    def _add_score(self, cell: NotebookNode, resources: Any) -> None:
        place = (self.notebook_id, self.assignment_id, self.student_id)
        grade = self.gradebook.find_grade(grade_id(cell), *place)
        told = [output.get("metadata", {}) for output in cell.get("outputs", [])]
        grade.auto_score = next((each["points"] for each in told if "points" in each), None)
        # Marks by hand stay; as nbgrader has it, they have to be looked at again.
        grade.needs_manual_grade = grade.auto_score is None or grade.manual_score is not None
        self.gradebook.db.commit()

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Enter points and comments."""
        self.about = nb.metadata["coursework"]
        return super().preprocess(nb, resources)  # type: ignore[no-any-return]

    def _add_comment(self, cell: NotebookNode, resources: Any) -> None:
        place = (self.notebook_id, self.assignment_id, self.student_id)
        comment = self.gradebook.find_comment(grade_id(cell), *place)
        comment.auto_comment = None
        if grade_id(cell) not in self.about["answered"]:
            added = "This cell was left as it was, but cells or files were added elsewhere."
            comment.auto_comment = added if self.about["added"] else "No response."
        self.gradebook.db.commit()
