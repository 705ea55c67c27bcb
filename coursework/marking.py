"""What the configuration of a course puts into nbgrader's ``autograde``.

`Notebooks` reads what was handed in, whatever it is, and puts it back into the form of the
release. `Judge` runs it confined, and lets the reference judge outside what it hands in. `Save`
enters the points; what a person has to mark is never set by program.
"""

import ast
import contextlib
import json
import re
import shutil
import traceback
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import nbformat
import numpy as np
from nbconvert.exporters import NotebookExporter
from nbformat.notebooknode import NotebookNode
from nbgrader import utils
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import NbGraderPreprocessor, SaveAutoGrades
from traitlets import Bool, Integer

from coursework import running, sandbox
from coursework.checks import Verdict
from coursework.form import SOLUTION, regions, squeezed
from coursework.intake import ABOUT, Unreadable, beside, readable
from coursework.restore import grade_id, is_answer, is_test, recognised, restored
from coursework.sets import Set, course_set
from coursework.student import KERNEL, student_version

LONG, FEW = 40, 3  # characters of a line, and lines of code, that nobody writes alike by chance
ENOUGH = 0.5  # of the cells make a notebook of unknown set one of this set
UNREADABLE, TWO = "unreadable", "two notebooks"
WRONG_SET, WRONG_SEED = "wrong set", "wrong seed"
NO_ANSWER = "There was no answer: the cell was left as it was."
LACKING = ("ModuleNotFoundError", "ImportError")
LACKS = "Your code imports what is not installed where it is marked. A person looks at it."
BORROWED = "Your code mentions kmds_lib, which this question excludes. A person looks at it."
CHANGED = "Your code changes the array that it is given; let it work on a copy."
OPEN_TEST = "The open test of this question stops with an error, which costs half of the points."


class Notebooks(NotebookExporter):
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

    def from_file(
        self, file_stream: Any, resources: Any = None, **rest: Any
    ) -> tuple[Any, dict[str, Any]]:
        """Convert what was handed in, or what became of it."""
        path, autograde = Path(file_stream.name), cast(Any, self.parent)
        if autograde._sanitizing:
            set_ = course_set(autograde.coursedir, resources["nbgrader"]["assignment"])
            notebook = submission(path, set_)
        else:
            notebook = nbformat.read(path, as_version=4)
        convert = cast(Any, self.from_notebook_node)
        return cast(tuple[Any, dict[str, Any]], convert(notebook, resources, **rest))


def submission(path: Path, set_: Set) -> NotebookNode:
    """Return what was handed in, in the form of the release.

    Its metadata hold under ``coursework`` a ``fault``, for which a person has to look at it
    before anything of it counts, ``notes``, the ids of the cells that were ``answered``, and
    whether something was ``added`` to them.
    """
    release = student_version(set_)
    try:
        about = json.loads((path.parent / ABOUT).read_text("utf-8"))
    except (OSError, ValueError):
        about = {}
    found, notes = {}, [*about.get("notes", ())]
    for file in sorted(path.parent.glob("*.ipynb"), key=lambda file: (file != path, file.name)):
        name = about.get("notebooks", {}).get(file.name, file.name)
        try:
            found[name] = readable(file.read_bytes())
        except Unreadable as error:
            if about.get("notebooks", True):
                notes.append(f"{name} {error}.")
    fault, chosen, said = _chosen(found, set_, release) if found else (UNREADABLE, "", [])
    result = restored(found[chosen] if chosen else release, release)
    if not fault and chosen:
        fault, why = _fits(found[chosen], set_, release)
        notes += why
    files = sorted({*beside(path.parent)} - {"data.npz"})
    notes += said + [f"Files beside the notebook: {', '.join(files)}."] * bool(files)
    notebook = result.notebook
    notebook.metadata["coursework"] = {
        **release.metadata["coursework"],
        "fault": fault,
        "notes": [*notes, *result.notes],
        "answered": sorted(result.answered),
        "added": bool(files) or any(not grade_id(cell) for cell in notebook.cells),
    }
    return notebook


def _chosen(
    found: dict[str, NotebookNode], set_: Set, release: NotebookNode
) -> tuple[str, str, list[str]]:
    """Choose the notebook to grade; a fault where a person has to."""
    if len(found) == 1:
        return "", next(iter(found)), []
    fitting = {
        path: notebook
        for path, notebook in found.items()
        if _set_of(notebook) == set_.name or recognised(notebook, release) >= ENOUGH
    } or found
    work = {path: restored(notebook, release) for path, notebook in fitting.items()}
    blank = restored(release, release).notebook
    begun = {path: each for path, each in work.items() if _text(each.notebook) != _text(blank)}
    different = {_text(each.notebook): path for path, each in reversed((begun or work).items())}
    path, names = next(iter(different.values())), ", ".join(sorted(found))
    if len(different) == 1:
        return "", path, [f"{len(found)} notebooks were handed in ({names}); {path} was graded."]
    why = (
        f"Which of the notebooks counts? They differ: {', '.join(sorted(begun))}. Leave one of "
        f"them in the folder submitted, under the name {set_.name}.ipynb, and grade again."
    )
    return TWO, path, [why]


def _text(notebook: NotebookNode) -> str:
    return "\0".join(f"{cell.source.strip()}{cell.get('attachments')}" for cell in notebook.cells)


def _set_of(notebook: NotebookNode) -> str:
    return str(notebook.metadata.get("coursework", {}).get("set", ""))


def _fits(notebook: NotebookNode, set_: Set, release: NotebookNode) -> tuple[str, list[str]]:
    """Return the fault of a notebook of another set or seed, with a sentence."""
    about, known = notebook.metadata.get("coursework", {}), _set_of(notebook)
    if known and known != set_.name:
        return WRONG_SET, [f"It is a notebook of the set {known[:80]}, not of {set_.name}."]
    if not known and recognised(notebook, release) < ENOUGH:
        why = f"It is not the notebook of {set_.name}: most of its cells are not there."
        return WRONG_SET, [why]
    if not known:
        return "", ["It has lost its set and seed; its cells are those of this set."]
    if about.get("seed_tag") != release.metadata["coursework"].get("seed_tag"):
        why = "It was released with another seed: another year's or another group's data."
        return WRONG_SEED, [why]
    kernel = str(notebook.metadata.get("kernelspec", {}).get("name", "python3"))
    strange = kernel not in ("python3", "python", "conda-base-py")
    return "", [f"Its kernel {kernel[:80]!r} is unknown here; it was run with Python."] * strange


class Judge(NbGraderPreprocessor):  # type: ignore[misc]
    """Runs a submission confined and has it judged outside; stands where nbgrader executes."""

    seed = Integer(help="The seed of the course, from which its data were drawn.").tag(config=True)
    unconfined = Bool(False, help="Grade without bubblewrap.").tag(config=True)
    limits = sandbox.Limits()

    @cached_property
    def isolated(self) -> sandbox.Isolation:
        """What keeps submissions from everything else; bubblewrap, unless it is waived."""
        found = sandbox.isolation()
        if not found.bubblewrap and not self.unconfined:
            self.log.error("%s Nothing was graded. %s", sandbox.NO_BUBBLEWRAP, sandbox.WAIVED)
            raise NbGraderException(sandbox.NO_BUBBLEWRAP)
        return found

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Run and judge; an error of the grader is this submission's alone."""
        about, isolated = nb.metadata["coursework"], self.isolated
        about["fault"] = about.get("fault", "")
        course, name = self.parent.parent.coursedir, resources["nbgrader"]["assignment"]
        if not about["fault"]:
            try:
                set_ = course_set(course, name)
                self._compare_seed(set_)
                folder = Path(resources["metadata"]["path"])
                nb = self._judged(nb, set_, beside(folder), isolated)
            except Exception:
                self.log.error("%s: %s", resources["nbgrader"]["student"], traceback.format_exc())
                about["fault"] = "failed"
                about["notes"] += ["The grader itself failed on it; its log has the details."]
        about = nb.metadata["coursework"]
        if about["notes"]:
            lines = "\n".join(f"- {_plain(note)}" for note in about["notes"])
            wait = "**Nothing is marked yet.**\n" if about["fault"] else ""
            told = nbformat.v4.new_markdown_cell(f"**About this submission**\n\n{wait}\n{lines}")
            nb.cells.insert(0, told)
        return nb, resources

    def _compare_seed(self, set_: Set) -> None:
        """Refuse to mark with another seed than that of the data that students have."""
        drawn = set_.reference.data(self.seed)
        with np.load(set_.path / "data.npz") as given:
            same = {*given} == {*drawn} and all(np.array_equal(given[k], drawn[k]) for k in drawn)
        if not same:
            raise NbGraderException(f"The data of {set_.name} are not those of {self.seed}.")

    def _judged(
        self,
        nb: NotebookNode,
        set_: Set,
        files: dict[str, bytes],
        isolated: sandbox.Isolation,
    ) -> NotebookNode:
        material = running.material_of(set_, self.seed)
        done = running.run(nb, material, self.limits, isolated, files)
        if done.status == "failed":
            raise NbGraderException("\n".join(["The sandbox did not start.", *done.log]))
        verdicts = set_.reference.verdicts(self.seed, done.answers)
        about = nb.metadata["coursework"]
        answered, before, lacking = set(about["answered"]), [], False
        borrowed, waits = _borrowed(nb, set_), set[str]()
        for cell in done.notebook.cells:
            lacking |= any(out.get("ename") in LACKING for out in cell.get("outputs", ()))
            if is_answer(cell) and cell.cell_type == "code":
                before.append(grade_id(cell))
            elif is_test(cell):
                verdict = verdicts[grade_id(cell)]
                if before and not answered.intersection(before) and verdict.score == 0:
                    verdict = Verdict(0.0, message=NO_ANSWER)
                elif verdict.score < 1 and (lacking or _lacks(verdict)):
                    verdict = Verdict(0.0, message=LACKS)
                    waits.add(LACKS)
                elif borrowed.intersection(before):
                    verdict = Verdict(0.0, message=BORROWED)
                    waits.add(BORROWED)
                elif done.changed.intersection(running.expected(material.parts[grade_id(cell)])):
                    verdict = replace(verdict, message=f"{verdict.message} {CHANGED}")
                tell(cell, verdict)
                before = []
        empty = [] if answered else ["No answer cell was changed."]
        notes = [*about["notes"], *done.notes, *pasted(nb, set_.master()), *sorted(waits)]
        about["status"] = (
            "stopped" if done.status == "stopped" else "repaired" if notes else "graded"
        )
        about["notes"] = [*notes, *empty]
        done.notebook.metadata = {**KERNEL, "coursework": about}
        for line in done.log:
            self.log.info("%r", line)
        return done.notebook


def _lacks(verdict: Verdict) -> bool:
    """Tell whether a function imports what is not installed here."""
    return any(f"raised {name}" in verdict.message for name in LACKING)


def _borrowed(nb: NotebookNode, set_: Set) -> set[str]:
    """Return the answer cells that use kmds_lib in questions that exclude it, by `ALONE`."""
    alone = tuple(f"{question}-" for question in getattr(set_.reference, "ALONE", ()))
    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    names = {"kmds_lib"}
    for cell in code:
        with contextlib.suppress(SyntaxError, ValueError):
            for node in ast.walk(ast.parse(cell.source)):
                if isinstance(node, (ast.Import, ast.ImportFrom)) and "kmds_lib" in ast.unparse(
                    node
                ):
                    names |= {alias.asname or alias.name for alias in node.names}
    used = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
    return {
        grade_id(cell)
        for cell in code
        if is_answer(cell) and grade_id(cell).startswith(alone) and used.search(cell.source)
    }


def pasted(nb: NotebookNode, master: NotebookNode) -> Iterator[str]:
    """Name the answers that hold half of the long lines of the solution, which is public."""
    given = {grade_id(cell): squeezed(cell.source) for cell in nb.cells if is_answer(cell)}
    for cell in master.cells:
        lines = [squeezed(line) for region in regions(cell.source, SOLUTION) for line in region]
        long = [line for line in lines if len(line) >= LONG]
        found = sum(line in given.get(grade_id(cell), "") for line in long)
        if len(long) >= (FEW if cell.cell_type == "code" else 1) and 2 * found >= len(long):
            yield f"Much of the answer {grade_id(cell)} is the published solution, word for word."


def tell(cell: NotebookNode, verdict: Verdict) -> None:
    """Write a verdict as outputs of its test cell: the sentence, and points that `Save` reads."""
    failed = any(output.get("ename") == "AssertionError" for output in cell.outputs)
    points = round(verdict.score * float(cell.metadata.nbgrader["points"]), 2)
    said = nbformat.v4.new_output("stream", name="stdout", text=f"{verdict.message}\n")
    if verdict.score == 1 and failed:
        points /= 2
        said.text = f"{OPEN_TEST}\n"
    if verdict.message in (LACKS, BORROWED):
        cell.outputs = [said, *cell.outputs]  # without points it waits for a person
        return
    data = {"text/plain": f"{points:g}"}
    earned = nbformat.v4.new_output("execute_result", data=data, execution_count=None)
    earned.metadata["points"] = points
    cell.outputs = [said, earned, *cell.outputs]


def _plain(note: str) -> str:
    """Return a note as text of one line that Markdown does not read as anything else."""
    text = "".join(c for c in note.replace("\n", " ") if c.isprintable())
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#$|!" else c for c in text)


class Save(SaveAutoGrades):  # type: ignore[misc]
    """Enters what `Judge` found.

    nbgrader's own gives nothing to a cell for hand marks that was not changed, and full points to
    a test without an output, both without a person.
    """

    def _add_score(self, cell: NotebookNode, resources: Any) -> None:
        about = cell.metadata["nbgrader"]
        place = (self.notebook_id, self.assignment_id, self.student_id)
        grade = self.gradebook.find_grade(about["grade_id"], *place)
        earned = [out.metadata["points"] for out in cell.get("outputs", []) if _is_verdict(out)]
        grade.auto_score = None
        if not utils.is_solution(cell) and earned:
            grade.auto_score = min(max(float(earned[0]), 0.0), float(about["points"]))
        # Marks by hand stay; as nbgrader has it, they have to be looked at again.
        grade.needs_manual_grade = grade.auto_score is None or grade.manual_score is not None
        self.gradebook.db.commit()

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Enter points and comments."""
        self.about = nb.metadata["coursework"]
        result: tuple[NotebookNode, Any] = super().preprocess(nb, resources)
        return result

    def _add_comment(self, cell: NotebookNode, resources: Any) -> None:
        name = cell.metadata["nbgrader"]["grade_id"]
        place = (self.notebook_id, self.assignment_id, self.student_id)
        comment = self.gradebook.find_comment(name, *place)
        comment.auto_comment = None
        if name not in self.about["answered"]:
            added = "This cell was left as it was, but cells or files were added elsewhere."
            comment.auto_comment = added if self.about["added"] else "No response."
        self.gradebook.db.commit()


def _is_verdict(output: NotebookNode) -> bool:
    return bool(output.output_type == "execute_result" and "points" in output.metadata)
