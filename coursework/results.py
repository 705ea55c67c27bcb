"""What grading found, student by student, and the tables made of it: grades.csv and marks.csv."""

import csv
import json
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from coursework.checks import MISTAKES, Verdict
from coursework.inbox import TWO, UNREADABLE, WRONG_SEED, WRONG_SET
from coursework.sets import HAND, TEST, Question, SetError

GRADED, REPAIRED, STOPPED, FAILED = "graded", "repaired", "stopped", "failed"
STATUSES = {
    GRADED: "ran as it was handed in",
    REPAIRED: "something was put right, which the notes name; graded",
    STOPPED: "something was stopped or left out, which the notes name; the rest was graded",
    UNREADABLE: "no notebook",
    WRONG_SET: "another set's notebook",
    WRONG_SEED: "released with another seed",
    TWO: "several notebooks that differ",
    FAILED: "the grader itself failed; see the log",
}
NEED_A_PERSON = frozenset({UNREADABLE, WRONG_SET, WRONG_SEED, TWO, FAILED})
FIXED = ("student", "status", "automatic", "hand", "maximum")
FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass
class Result:
    """What grading found of one student's submission.

    Attributes
    ----------
    student : str
        The student.
    key : str
        Digest of all that the result follows from.
    status : str
        A key of `STATUSES`.
    notes : list of str
        What was put right, stopped or wrong.
    verdicts : dict
        Score, mistake and message for each test cell.
    answered : list of str
        Ids of the answer cells that were changed.
    log : list of str
        Lines for the log.
    """

    student: str
    key: str
    status: str
    notes: list[str] = field(default_factory=list)
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    answered: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)

    @property
    def graded(self) -> bool:
        """Whether there are points."""
        return self.status not in NEED_A_PERSON

    def points(self, question: Question) -> float | None:
        """Return the points of a question as far as the grader gives them.

        A test cell gets its score; an answer for a person gets 0 if it was left as it was.
        """
        if not self.graded:
            return None
        if question.kind == TEST:
            return round(self.verdicts[question.grade_id].score * question.points, 2)
        return None if question.grade_id in self.answered else 0.0


def write_result(folder: Path, result: Result) -> None:
    """Store a result; a crash in the middle leaves the old one."""
    path = result_path(folder, result.student)
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(asdict(result), ensure_ascii=False, indent=1), "utf-8")
    new.replace(path)


def result_path(folder: Path, student: str) -> Path:
    """Return where a student's result is stored."""
    return folder / "results" / f"{student}.json"


def read_results(folder: Path) -> dict[str, Result]:
    """Return all stored results by student; what cannot be read is graded again."""
    found = {}
    for path in sorted((folder / "results").glob("*.json")):
        try:
            raw = json.loads(path.read_text("utf-8"))
            for each in raw["verdicts"].values():
                if each["mistake"]:  # a set's own come with their sentence
                    MISTAKES.setdefault(each["mistake"], each["message"])
            verdicts = {name: Verdict(**verdict) for name, verdict in raw.pop("verdicts").items()}
            result = Result(**raw, verdicts=verdicts)
        except (ValueError, TypeError, KeyError):
            continue
        found[result.student] = result
    return found


@dataclass(frozen=True)
class About:
    """What a folder of results is of, for the report.

    Attributes
    ----------
    name, title : str
        Name and title of the set.
    questions : list of Question
        Those with points.
    given : str
        The code that students were given.
    missing : list of str
        What did not keep submissions from the rest.
    """

    name: str
    title: str
    questions: list[Question]
    given: str
    missing: list[str]


def write_about(folder: Path, about: About) -> None:
    """Store what a folder of results is of."""
    (folder / "set.json").write_text(json.dumps(asdict(about), ensure_ascii=False), "utf-8")


def read_about(folder: Path) -> About:
    """Read what a folder of results is of."""
    try:
        raw = json.loads((folder / "set.json").read_text("utf-8"))
        questions = [Question(**question) for question in raw.pop("questions")]
        return About(**raw, questions=questions)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise SetError(f"{folder} is no folder of results. Give the --out of grade.") from error


def write_grades(
    path: Path,
    results: Iterable[Result],
    questions: list[Question],
    marks: Mapping[str, Mapping[str, float]],
) -> None:
    """Write ``grades.csv``: a row for each student, points blank where nobody has given them.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    results : iterable of Result
        In the order of the rows.
    questions : list of Question
        Those with points, in the order of the columns.
    marks : mapping
        Points given by hand: student, then question.
    """
    maximum = sum(question.points for question in questions)
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        table = csv.writer(file)
        table.writerow([*FIXED, *(question.grade_id for question in questions), "notes"])
        for result in results:
            points = all_points(result, questions, marks.get(result.student, {}))
            table.writerow(
                [
                    harmless(result.student),
                    result.status,
                    _sum(points, questions, TEST),
                    _sum(points, questions, HAND),
                    _number(maximum),
                    *(_number(points[question.grade_id]) for question in questions),
                    harmless(" ".join(result.notes)),
                ]
            )


def all_points(
    result: Result, questions: list[Question], marks: Mapping[str, float]
) -> dict[str, float | None]:
    """Return the points of each question; a hand mark counts before the grader's."""
    return {
        question.grade_id: marks.get(question.grade_id, result.points(question))
        if result.graded
        else None
        for question in questions
    }


def _sum(points: Mapping[str, float | None], questions: list[Question], kind: str) -> str:
    """Return the sum over the questions of a kind; nothing while one of them waits."""
    values = [points[question.grade_id] for question in questions if question.kind == kind]
    known = [value for value in values if value is not None]
    return _number(sum(known)) if len(known) == len(values) else ""


def _number(value: float | None) -> str:
    return "" if value is None else f"{round(value, 2):g}"


def harmless(text: str) -> str:
    """Return a text that a spreadsheet does not take for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def read_marks(
    path: Path, students: Iterable[str], questions: list[Question]
) -> dict[str, dict[str, float]]:
    """Read points that were given by hand: student, then question.

    The file has a column ``student`` and a column for each question marked by hand; blank means
    not marked yet. A copy of grades.csv with its blanks filled in is such a file.

    Raises
    ------
    SetError
        If a student or column is unknown, or a mark is no number between 0 and its maximum.
    """
    by_hand = {q.grade_id: q.points for q in questions if q.kind == HAND}
    other = {*FIXED, "notes", *(q.grade_id for q in questions if q.kind == TEST)}
    known = {harmless(student): student for student in students}
    marks: dict[str, dict[str, float]] = {}
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SetError(f"The marks {path} cannot be read: {error}") from error
    table = csv.DictReader(text.splitlines())
    columns = set(table.fieldnames or [])
    if "student" not in columns or (strange := columns - other - set(by_hand)):
        found = ", ".join(sorted(strange)) if "student" in columns else "no column 'student'"
        wanted = ", ".join(by_hand)
        raise SetError(f"{path}: found {found}; give the columns student, {wanted}.")
    for number, row in enumerate(table, start=2):
        name = unicodedata.normalize("NFC", row["student"] or "")
        if name not in known:
            raise SetError(f"{path}, line {number}: nobody called {name!r} handed in.")
        where = f"{path}, line {number}"
        marks[known[name]] = {
            question: _mark(row[question], most, f"{where}, {question}")
            for question, most in by_hand.items()
            if (row.get(question) or "").strip()
        }
    return marks


def _mark(text: str, most: float, where: str) -> float:
    try:
        mark = float(text)
    except ValueError as error:
        raise SetError(f"{where}: {text!r} is no number.") from error
    if not 0 <= mark <= most:
        raise SetError(f"{where}: {text} is not between 0 and {most:g}.")
    return mark
