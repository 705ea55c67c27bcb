"""A class from Moodle's zip to marks: resubmission, regrading and marking by hand."""

import re
import zipfile
from datetime import datetime, timedelta

import nbformat
import pytest

from coursework.course import create_course
from coursework.sets import SetError
from tests.coursework.example_set import NAME, RIGHT, SEED, fill, text
from tests.coursework.expected_submissions import FACTOR_FORGOTTEN
from tests.coursework.nbgrader_commands import (
    WITHOUT_BUBBLEWRAP,
    database,
    example_course,
    exported_rows,
    nbgrader,
)

pytestmark = pytest.mark.slow

DUE = datetime(2026, 11, 20, 12)
HOSTILE = (
    "<script>document.title = 'hacked'</script><img src=x onerror=\"document.title = 'hacked'\">"
)
ABSENT = "Kim Park"
NUMBERS = {"Anna Li": 1, "Ben Ode": 2, "Dan Roy": 3, "Eva Lang": 4, "Hà Vo": 5, "Jo Fox": 6}
NUMBERS[ABSENT] = 7


def student(name):
    """Return a student as stored by nbgrader."""
    return f"{name}_{NUMBERS[name]}"


def class_files(release):
    """Return the files that each student submits."""
    right, half = fill(release), fill(release, {**RIGHT, "q1-gram": FACTOR_FORGOTTEN})
    answers = {**RIGHT, "q3-report": HOSTILE}
    del answers["q4"]
    added = fill(release, answers, [("q4", "# My proof: H maps constants to zero.")])
    return {
        "Anna Li": {"0-example(1).ipynb": text(right), "notes.txt": "Read these, please."},
        "Ben Ode": {"0-example.ipynb": text(half)},
        "Dan Roy": {"0-example.ipynb": text(right)},
        "Eva Lang": {"0-example.ipynb": text(half)},
        "Hà Vo": {"0-example.ipynb": "%PDF-1.7 ..."},
        "Jo Fox": {"0-example.ipynb": text(added)},
    }


def run(course, *arguments):
    """Run a command of nbgrader that must succeed."""
    ended = nbgrader(course, *arguments, TZ="UTC")
    assert ended.returncode == 0, ended.stderr[-3000:]


def collect(course, files, hours_late):
    """Collect the zip of a class, as Moodle's button *Download all submissions* gives it."""
    archive = course / "downloaded" / NAME / "archive"
    archive.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive / "Analysis-Set 0-7.zip", "w") as zip_file:
        for name, contents in files.items():
            when = DUE + timedelta(hours=hours_late.get(name, -5))
            for path, content in contents.items():
                path = f"{student(name)}_assignsubmission_file_/{path}"
                zip_file.writestr(zipfile.ZipInfo(path, when.timetuple()[:6]), content)
    run(course, "zip_collect", NAME, "--force")


def rows(course):
    """Export the marks and return the rows by name."""
    run(course, "export")
    return exported_rows(course)


def mark_by_hand(course, name, **points):
    """Give marks by hand, as formgrader does."""
    with database(course) as book:
        for question, mark in points.items():
            grade = book.find_grade(question.replace("_", "-"), NAME, NAME, student(name))
            grade.manual_score, grade.needs_manual_grade = mark, False
        book.db.commit()


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Return a course whose class has been collected and graded."""
    course = example_course(tmp_path_factory.mktemp("class"))
    run(course, "db", "assignment", "add", NAME, f"--duedate={DUE:%Y-%m-%d %H:%M} UTC")
    run(course, "db", "student", "add", student(ABSENT))
    run(course, "generate_assignment", NAME)
    collect(course, class_files(released_notebook(course)), {"Dan Roy": 30})
    run(course, "autograde", NAME, *WITHOUT_BUBBLEWRAP)
    return course


def released_notebook(course):
    """Return the notebook that students get."""
    return nbformat.read(course / "release" / NAME / f"{NAME}.ipynb", as_version=4)


def test_every_student_has_a_row(course):
    table = rows(course)
    assert {name: row["automatic"] for name, row in table.items()} == {
        **dict.fromkeys(("Anna Li", "Dan Roy", "Jo Fox"), "8"),
        **dict.fromkeys(("Ben Ode", "Eva Lang"), "6"),
        **dict.fromkeys(("Hà Vo", ABSENT), ""),
    }
    for name, row in table.items():
        assert row["Identifier"] == f"Participant {NUMBERS[name]}"
        assert row["Maximum Grade"] == "18"
        assert row["Grade"] == ""
        if name != ABSENT:
            assert {"q3-report", "q4"} <= {*row["waiting"].split()}  # for a person
    assert table[ABSENT]["Status"] == "No submission"
    assert table["Hà Vo"]["Status"] == "unreadable"
    assert "notes.txt" in table["Anna Li"]["notes"]
    assert "added elsewhere: q4." in table["Jo Fox"]["notes"]
    assert table["Dan Roy"]["Last modified (submission)"] == "2026-11-21 18:00 UTC"
    with database(course) as book:
        late = {
            each.student_id: each.total_seconds_late for each in book.assignment_submissions(NAME)
        }
    assert late == dict.fromkeys(late, 0) | {student("Dan Roy"): 30 * 3600}


def test_regrading_keeps_marks_given_by_hand(course):
    marked = ("Anna Li", "Ben Ode", "Dan Roy", "Eva Lang")
    for name in marked:
        mark_by_hand(course, name, q3_report=5, q4=2.5)
    mark_by_hand(course, "Dan Roy", q1_gram_test=3)  # after an appeal
    assert rows(course)["Eva Lang"]["Grade"] == "13.5"
    # Eva submits again; Moodle's zip contains all other submissions unchanged.
    graded = course / "autograded" / student("Anna Li") / NAME / f"{NAME}.ipynb"
    before = graded.stat().st_mtime_ns
    files = class_files(released_notebook(course))
    files["Eva Lang"] = files["Anna Li"]
    collect(course, files, {"Dan Roy": 30, "Eva Lang": 40})
    run(course, "autograde", NAME, *WITHOUT_BUBBLEWRAP)
    assert graded.stat().st_mtime_ns == before
    assert rows(course)["Eva Lang"]["Grade"] == "15.5"
    # A mistake is to cost a quarter only, so everything is graded again.
    reference = course / "reference" / f"{NAME}.py"
    old, new = "mistakes=mistakes)", "mistakes=mistakes, score_of_mistake=0.75)"
    reference.write_text(reference.read_text("utf-8").replace(old, new), "utf-8")
    run(course, "generate_assignment", NAME, "--force")
    run(course, "autograde", NAME, "--force", *WITHOUT_BUBBLEWRAP)
    grades = {name: row["Grade"] for name, row in rows(course).items()}
    expected = {"Anna Li": "15.5", "Ben Ode": "14.5", "Dan Roy": "14.5", "Eva Lang": "15.5"}
    assert {name: grades[name] for name in marked} == expected
    assert len(list((course / "backups").iterdir())) >= 2


def test_existing_course_keeps_its_seed(course):
    for seed in (None, SEED + 1):
        assert create_course(course, course.parent / "sets", seed) == SEED


def test_folder_in_which_nbgrader_finds_no_files_is_refused(tmp_path):
    with pytest.raises(SetError, match="Choose a path"):
        create_course(tmp_path / "course [2]")
    assert not list(tmp_path.iterdir())


def test_feedback_contains_comments_marks_and_no_scripts(course):
    with database(course) as book:
        comment = book.find_comment("q4", NAME, NAME, student("Jo Fox"))
        assert comment.auto_comment == "No response."
        comment.manual_comment = "Your proof is in another cell."
        book.db.commit()
    mark_by_hand(course, "Eva Lang", q3_report=4.5)
    run(course, "generate_feedback", NAME, "--force")
    pages = {path.parent.parent.name: path for path in course.glob("feedback/*/*/*.html")}
    assert pages.keys() == {student(name) for name in NUMBERS if name != ABSENT}
    page = pages[student("Jo Fox")].read_text("utf-8")
    assert "Your proof is in another cell." in page
    assert "not marked yet; maximum 6.0" in page
    assert "not completely marked; maximum 18.0" in page
    for name in ("Jo Fox", "Hà Vo"):  # before a person has marked anything
        assert not re.search(r"/ 18\.0|\b0\.0 /", pages[student(name)].read_text("utf-8"))
    assert ">Question 4</a>" in page
    assert "4.5 / 6.0" in pages[student("Eva Lang")].read_text("utf-8")
    assert "My proof: H maps constants to zero." in page
    assert "<script>document.title" not in page
    assert "onerror=" not in page
