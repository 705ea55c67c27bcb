"""Grade a folder of submissions.

Each submission is found, put back into the form of the release, run in the sandbox and judged
outside of it. What cannot be graded is named, and costs nobody else a point.
"""

import hashlib
import logging
import os
import shutil
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

import nbformat
from tqdm import tqdm

from coursework import commands, sandbox
from coursework.checks import Verdict
from coursework.feedback import feedback_path, write_feedback
from coursework.gradebook import Book, with_points
from coursework.inbox import Submission, submissions
from coursework.restore import grade_id, is_answer, is_test
from coursework.results import (
    FAILED,
    GRADED,
    REPAIRED,
    STATUSES,
    STOPPED,
    About,
    Result,
    all_points,
    read_marks,
    read_results,
    result_path,
    write_about,
    write_grades,
    write_result,
)
from coursework.running import Material, Run, material_of, run, scored
from coursework.sandbox import Isolation, Limits
from coursework.sets import TEST, Question, Set, SetError, load_set

__all__ = ["Limits", "Run", "grade", "main", "run", "scored"]

NEEDS_A_PERSON, NOTHING_GRADED = 1, 2
PACKAGES = ("numpy", "scipy", "matplotlib", "ipython", "nbgrader", "nbconvert")
NO_ANSWER = "There was no answer: the cell was left as it was."
log = logging.getLogger("coursework.grade")


@dataclass(frozen=True)
class Grader:
    """What grading one submission needs to know."""

    set_: Set
    seed: int
    limits: Limits
    isolated: Isolation
    material: Material
    questions: list[Question]
    book: Book

    def key(self, submission: Submission) -> str:
        """Return a digest of all that the result of a submission follows from."""
        what = [submission.student, submission.digest, self._digest]
        return hashlib.sha256(repr(what).encode("utf-8", "replace")).hexdigest()

    @cached_property
    def _digest(self) -> str:
        """Return a digest of what all submissions have in common: set, seed and grader."""
        what = [self.seed, self.limits, self.isolated, *map(version, PACKAGES)]
        digest = hashlib.sha256(repr(what).encode())
        code = sorted(Path(__file__).parent.glob("*.py"))
        for path in (*code, *sorted(self.set_.path.rglob("*"))):
            if path.is_file() and path.suffix in (".py", ".ipynb"):
                digest.update(path.read_bytes())
        return digest.hexdigest()

    def grade(self, submission: Submission, slot: int) -> Result:
        """Grade one submission; an error of the grader is this submission's alone."""
        begun = time.monotonic()
        key = self.key(submission)
        if submission.fault or submission.notebook is None:
            result = Result(submission.student, key, submission.fault, [*submission.notes])
            self.book.forget(submission.student)
            return result
        try:
            result = self._run(submission, key, slot)
        except Exception:
            why = "The grader itself failed on it; the log has the details."
            lines = traceback.format_exc().splitlines()
            result = Result(submission.student, key, FAILED, [why], log=lines)
            self.book.forget(submission.student)
        result.log.append(f"{time.monotonic() - begun:.1f} s")
        return result

    def _run(self, submission: Submission, key: str, slot: int) -> Result:
        assert submission.notebook is not None
        done = run(
            submission.notebook,
            self.set_,
            self.seed,
            self.limits,
            material=self.material,
            isolated=self.isolated,
            files=submission.files,
            slot=slot,
        )
        if done.status == "failed":
            raise RuntimeError("\n".join(["The sandbox did not start.", *done.log]))
        verdicts = scored(done, self.set_, self.seed)
        if missing := self._tests() - set(verdicts):
            raise RuntimeError(f"The reference gives no verdict on {missing}.")
        for test in unanswered(done):
            if verdicts[test].score == 0:
                verdicts[test] = Verdict(0.0, message=NO_ANSWER)
        self.book.store(submission.student, done.notebook)
        notes = [*submission.notes, *done.notes]
        status = STOPPED if done.status == "stopped" else REPAIRED if notes else GRADED
        if not done.answered:
            notes.append("No answer cell was changed.")
        return Result(
            submission.student, key, status, notes, verdicts, sorted(done.answered), done.log
        )

    def _tests(self) -> set[str]:
        return {question.grade_id for question in self.questions if question.kind == TEST}


def unanswered(done: Run) -> Iterator[str]:
    """Yield the tests before which no code was written since the test before."""
    before: list[str] = []
    for cell in done.notebook.cells:
        if is_answer(cell) and cell.cell_type == "code":
            before.append(grade_id(cell))
        elif is_test(cell):
            if before and not done.answered.intersection(before):
                yield grade_id(cell)
            before = []


def grade(
    set_: Set,
    inbox: Path,
    out: Path,
    *,
    seed: int = 0,
    jobs: int = 2,
    marks: Path | None = None,
    limits: Limits | None = None,
    isolated: Isolation | None = None,
) -> list[Result]:
    """Grade a folder of submissions.

    Parameters
    ----------
    set_ : Set
        The set.
    inbox : pathlib.Path
        A file or a folder for each student.
    out : pathlib.Path
        Folder of results: ``grades.csv``, ``feedback``, ``grade.log``, ``gradebook.db``.
    seed : int
        The seed it was released with.
    jobs : int
        Submissions that run at the same time.
    marks : pathlib.Path, optional
        Points given by hand.
    limits : Limits, optional
        What one submission may use.
    isolated : Isolation, optional
        What keeps submissions from the rest; by default all that the system has.

    Returns
    -------
    list of Result
        Sorted by student.
    """
    if os.name != "posix":
        raise SetError("Grading needs Linux or macOS. On Windows use its Subsystem for Linux.")
    if not inbox.is_dir():
        raise SetError(f"The inbox {inbox} is no folder. Give the folder of submissions.")
    out.mkdir(parents=True, exist_ok=True)
    questions = with_points(set_.questions())
    material, book = material_of(set_, seed), Book(out, set_.name, questions)
    isolated = isolated or sandbox.isolation()
    grader = Grader(set_, seed, limits or Limits(), isolated, material, questions, book)
    found = submissions(inbox, set_.name, seed, material.release)
    students = [submission.student for submission in found]
    given = read_marks(marks, students, questions) if marks else {}
    book.add_set(material.release)
    with _Log(out / "grade.log"):
        for sentence in isolated.missing:
            log.warning("%s", sentence)
        old = read_results(out)
        results, new = _graded(grader, found, old, out, jobs)
        for student in set(old) - set(students):
            result_path(out, student).unlink(missing_ok=True)
            shutil.rmtree(out / "feedback" / student, ignore_errors=True)
            book.forget(student)
        book.enter(results, new)
        book.mark(given)
        _publish(grader, results, out)
    return results


def _graded(
    grader: Grader, found: list[Submission], old: dict[str, Result], out: Path, jobs: int
) -> tuple[list[Result], set[str]]:
    """Grade what has changed; return all results, and the students graded now."""
    results, waiting = {}, []
    for submission in found:
        known = old.get(submission.student)
        same = known is not None and known.key == grader.key(submission)
        if known is not None and same and known.status != FAILED:
            results[submission.student] = known
        else:
            waiting.append(submission)
    log.info("%d submissions, %d of them new or changed", len(found), len(waiting))
    with ThreadPoolExecutor(jobs) as pool:
        running = {
            pool.submit(grader.grade, submission, slot): submission
            for slot, submission in enumerate(waiting)
        }
        bar = tqdm(as_completed(running), total=len(running), desc="Grading", unit="student")
        for future in bar:
            result = future.result()
            results[result.student] = result
            write_result(out, result)
            _write_log(result)
    everybody = [results[submission.student] for submission in found]
    return everybody, {submission.student for submission in waiting}


def _write_log(result: Result) -> None:
    scores = ", ".join(f"{name} {each.score:g}" for name, each in result.verdicts.items())
    log.info("%s: %s. %s %s", result.student, result.status, " ".join(result.notes), scores)
    for line in result.log:
        log.info("%s | %s", result.student, line)


def _publish(grader: Grader, results: list[Result], out: Path) -> None:
    """Write the table and the pages."""
    book, questions = grader.book, grader.questions
    marks = book.marks()
    write_grades(out / "grades.csv", results, questions, marks)
    release = grader.material.release
    title = str(release.metadata["coursework"].get("title", grader.set_.name))
    given = "\n\n".join(cell.source for cell in release.cells if cell.cell_type == "code")
    missing = list(grader.isolated.missing)
    write_about(out, About(grader.set_.name, title, questions, given, missing))
    for result in results:
        path = book.notebook_path(result.student)
        notebook = nbformat.read(path, as_version=4) if result.graded else None
        points = all_points(result, questions, marks.get(result.student, {}))
        page = feedback_path(out, result.student, grader.set_.name)
        comments = book.comments(result.student)
        write_feedback(page, result, notebook, title, questions, points, comments)


class _Log:
    """Writes the log of one run behind those of earlier runs."""

    def __init__(self, path: Path) -> None:
        self.handler = logging.FileHandler(path, encoding="utf-8")
        self.handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))

    def __enter__(self) -> None:
        log.setLevel(logging.INFO)
        log.propagate = False
        log.addHandler(self.handler)

    def __exit__(self, *_: object) -> None:
        log.removeHandler(self.handler)
        self.handler.close()


def status_of(results: Sequence[Result]) -> int:
    """Return the exit status: 0, 1 if a submission needs a person, 2 if none was graded."""
    if not any(result.graded for result in results):
        return NOTHING_GRADED
    return 0 if all(result.graded for result in results) else NEEDS_A_PERSON


def main(arguments: Sequence[str]) -> int:
    """Grade a folder from the command line."""
    parser = commands.arguments_of("grade")
    parser.add_argument("set", help="name of the set")
    parser.add_argument("inbox", type=Path, help="a file or a folder for each student")
    parser.add_argument("--out", type=Path, required=True, help="folder of results")
    parser.add_argument("--seed", type=commands.seed, default=0, help="default: 0, the book's own")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="default: %(default)s"
    )
    parser.add_argument("--marks", type=Path, help="CSV with points given by hand")
    options = parser.parse_args(arguments)
    if options.jobs < 1:
        parser.error(f"--jobs is {options.jobs}; give at least 1")
    set_ = load_set(options.set, options.sets)
    isolated = sandbox.isolation()
    for sentence in isolated.missing:
        print(sentence, file=sys.stderr)
    results = grade(
        set_,
        options.inbox,
        options.out,
        seed=options.seed,
        jobs=options.jobs,
        marks=options.marks,
        isolated=isolated,
    )
    for status, count in Counter(result.status for result in results).items():
        print(f"{count:4}  {status}: {STATUSES[status]}")
    for result in results:
        if not result.graded:
            print(f"Look at {result.student}: {' '.join(result.notes)}")
    print(f"The table is {options.out / 'grades.csv'}.")
    return status_of(results)
