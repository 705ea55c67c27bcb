"""A class from release to marks, as Moodle hands over and takes back."""

import io
import os
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
from datetime import datetime, timedelta

import nbformat
import pytest
from playwright.sync_api import sync_playwright

from coursework.course import create_course
from coursework.sets import Set, SetError
from tests.coursework import example_set, lms_archives
from tests.coursework.test_course import UNCONFINED, database, exported, laid_down, nbgrader
from tools.chromium import FLAGS, find_chromium

pytestmark = pytest.mark.slow

DUE = datetime(2026, 11, 20, 12)
# Would run in the teacher's browser, and hold the server that renders it.
HOSTILE = (
    "<script>document.title = 'taken'</script><img src=x onerror=\"document.title = 'taken'\">"
)
NEVER = "Kim Park"
NAMES = "Anna Li,Ben Ode,Dan Roy,Eva Lang,Finn Moe,Hà Vo,Ivo Ro,Jo Fox,Kim Park"
NUMBERS = {name: 7001 + place for place, name in enumerate(NAMES.split(","))}


def submitted_files(release):
    """Return what each student hands in: files with their hours after the first."""
    right = example_set.text(example_set.filled(release, example_set.RIGHT))
    half = example_set.text(
        example_set.filled(release, {**example_set.RIGHT, "q1-gram": lms_archives.HALF})
    )
    unchanged = {name: text for name, text in example_set.RIGHT.items() if name != "q4"}
    unchanged["q3-report"] = HOSTILE
    added = example_set.filled(
        release, unchanged, [("q4", "# My proof: H maps constants to zero.")]
    )
    return {
        "Anna Li": {"0-example(1).ipynb": right, "notes.txt": "Read these, please."},
        "Ben Ode": {"0-example.ipynb": half},
        "Dan Roy": {"0-example.ipynb": right},
        "Eva Lang": {"0-example.ipynb": half},
        "Finn Moe": {"0-example.ipynb": half},
        "Hà Vo": {"0-example.ipynb": "%PDF-1.7 ..."},
        "Ivo Ro": {"0-example.ipynb": right, "0-example(2).ipynb": half},
        "Jo Fox": {"0-example.ipynb": example_set.text(added)},
    }


def moodle(handed, late=(), again=()):
    """Return the zip of a class, as Moodle's button *Download all submissions* gives it."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, files in handed.items():
            when = DUE + timedelta(hours=30 if name in late else 40 if name in again else -5)
            for path, text in files.items():
                folder = f"{name}_{NUMBERS[name]}_assignsubmission_file_"
                entry = zipfile.ZipInfo(f"{folder}/{path}", when.timetuple()[:6])
                archive.writestr(entry, text)
    return file.getvalue()


def done(course, *words):
    """Give a command of nbgrader, which must end well."""
    ended = nbgrader(course, *words, TZ="UTC")
    assert ended.returncode == 0, ended.stderr[-3000:]
    return ended


def marks(course):
    """Export, and return the rows by name."""
    done(course, "export")
    return exported(course)


def student(name):
    """Return a student as nbgrader knows them."""
    return f"{name}_{NUMBERS[name]}"


def marked(course, name, **points):
    """Give marks by hand, as formgrader does."""
    with database(course) as book:
        for question, mark in points.items():
            place = (example_set.NAME, example_set.NAME, student(name))
            grade = book.find_grade(question.replace("_", "-"), *place)
            grade.manual_score, grade.needs_manual_grade = mark, False
        book.db.commit()


def commented(course, name, text):
    """Comment on a proof, as formgrader does."""
    with database(course) as book:
        place = (example_set.NAME, example_set.NAME, student(name))
        book.find_comment("q4", *place).manual_comment = text
        book.db.commit()


def ran(course, name):
    """Return when the notebook of a student was last run."""
    path = course / "autograded" / student(name) / example_set.NAME / f"{example_set.NAME}.ipynb"
    return path.stat().st_mtime_ns


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Return a course whose class has handed in, and was graded."""
    course = laid_down(tmp_path_factory.mktemp("class"))
    done(
        course, "db", "assignment", "add", example_set.NAME, f"--duedate={DUE:%Y-%m-%d %H:%M} UTC"
    )
    done(course, "db", "student", "add", student(NEVER))
    done(course, "generate_assignment", example_set.NAME)
    collected(course, submitted_files(released(course)), late=["Dan Roy"])
    done(course, "autograde", example_set.NAME, *UNCONFINED)
    return course


def released(course):
    """Return the notebook that students get."""
    path = course / "release" / example_set.NAME / f"{example_set.NAME}.ipynb"
    return nbformat.read(path, as_version=4)


def collected(course, handed, **times):
    """Put a zip where nbgrader looks for it, and have it collected."""
    archive = course / "downloaded" / example_set.NAME / "archive"
    archive.mkdir(parents=True, exist_ok=True)
    (archive / "Analysis-Set 0-7.zip").write_bytes(moodle(handed, **times))
    done(course, "zip_collect", example_set.NAME, "--force")


def test_everybody_has_a_row_and_what_is_due(course):
    rows = marks(course)
    assert rows.keys() == NUMBERS.keys()
    for name, row in rows.items():
        assert row["Identifier"] == f"Participant {NUMBERS[name]}"
        assert row["Maximum Grade"] == "18"
        assert row["Grade"] == "", "Proofs wait for a person."
    automatic = {name: row["automatic"] for name, row in rows.items()}
    nothing = dict.fromkeys(("Hà Vo", "Ivo Ro", NEVER), "")
    half = dict.fromkeys(("Ben Ode", "Eva Lang", "Finn Moe"), "6")
    assert automatic == dict.fromkeys(NUMBERS, "8") | nothing | half
    assert rows[NEVER]["Status"] == "No submission"
    assert rows["Hà Vo"]["Status"] == "unreadable"
    assert "Which of the notebooks counts?" in rows["Ivo Ro"]["notes"]
    assert "notes.txt" in rows["Anna Li"]["notes"]
    assert {"q3-report", "q4"} <= {*rows["Jo Fox"]["waiting"].split()}
    assert rows["Dan Roy"]["Last modified (submission)"] == "2026-11-21 18:00 UTC"
    with database(course) as book:
        late = {
            each.student_id: each.total_seconds_late
            for each in book.assignment_submissions(example_set.NAME)
        }
    assert late == dict.fromkeys(late, 0) | {student("Dan Roy"): 30 * 3600}


def test_a_class_is_marked_again_and_nobody_loses(course):
    """Resubmitted, appealed, graded again after a changed test: marks by hand stand throughout."""
    for name in NUMBERS.keys() - {NEVER, "Hà Vo", "Ivo Ro"}:
        marked(course, name, q3_report=5, q4=2)
    marked(course, "Dan Roy", q4=2.5)
    commented(course, "Dan Roy", "Why?")
    assert marks(course)["Eva Lang"]["Grade"] == "13"
    # Eva hands in again; Moodle's zip brings all others as they were.
    handed = submitted_files(released(course))
    handed["Eva Lang"] = handed["Anna Li"]
    before = {name: ran(course, name) for name in ("Anna Li", "Eva Lang")}
    collected(course, handed, late=["Dan Roy"], again=["Eva Lang"])
    done(course, "autograde", example_set.NAME, *UNCONFINED)
    assert ran(course, "Anna Li") == before["Anna Li"]
    assert ran(course, "Eva Lang") > before["Eva Lang"]
    rows = marks(course)
    assert (rows["Eva Lang"]["Grade"], rows["Eva Lang"]["automatic"]) == ("15", "8")
    # Ivo says which notebook counts; Finn appeals, and is given all points.
    folder = course / "submitted" / student("Ivo Ro") / example_set.NAME
    (folder / "0-example (2).ipynb").unlink()
    done(
        course,
        "autograde",
        example_set.NAME,
        "--student",
        student("Ivo Ro"),
        "--force",
        *UNCONFINED,
    )
    marked(course, "Finn Moe", q1_gram_test=4)
    rows = marks(course)
    assert rows["Ivo Ro"]["automatic"] == "8"
    assert rows["Finn Moe"]["Grade"] == "15"
    # The forgotten factor is to cost a quarter and no more: the judge changes for all.
    set_ = Set(
        example_set.NAME, course / "source", course / "reference" / f"{example_set.NAME}.py"
    )
    text = set_.reference_path.read_text("utf-8")
    milder = text.replace("mistakes=mistakes)", "mistakes=mistakes, score_of_mistake=0.75)")
    assert milder != text
    set_.reference_path.write_text(milder, "utf-8")
    done(course, "generate_assignment", example_set.NAME, "--force")
    done(course, "autograde", example_set.NAME, "--force", *UNCONFINED)
    # A course that is laid down once more stays as it was.
    assert create_course(course, course.parent / "sets") == example_set.SEED
    with pytest.raises(SetError, match="another seed"):
        create_course(course, course.parent / "sets", example_set.SEED + 1)
    rows = marks(course)
    grades = {name: row["Grade"] for name, row in rows.items()}
    unmarked = dict.fromkeys(("Hà Vo", "Ivo Ro", NEVER), "")
    milder = {"Ben Ode": "14", "Dan Roy": "15.5", "Finn Moe": "15"}
    assert grades == dict.fromkeys(NUMBERS, "15") | milder | unmarked
    assert rows["Ben Ode"]["automatic"] == rows["Finn Moe"]["automatic"] == "7"
    with database(course) as book:
        place = (example_set.NAME, example_set.NAME, student("Dan Roy"))
        assert book.find_comment("q4", *place).manual_comment == "Why?"
    assert len(list((course / "backups").iterdir())) >= 2


@pytest.fixture
def formgrader(course):
    """Open formgrader in a browser, as `jupyter lab` in the folder of the course offers it."""
    if (chromium := find_chromium()) is None:
        pytest.skip("no Chromium here, which `apt-get install chromium` brings")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    root = f"http://127.0.0.1:{port}"
    words = ["-m", "jupyter", "server", "--no-browser", "--allow-root", f"--port={port}"]
    environment = {**os.environ, "JUPYTER_TOKEN": "ours", "PYTHONPATH": os.getcwd()}
    log = subprocess.DEVNULL
    server = subprocess.Popen(
        [sys.executable, *words], cwd=course, env=environment, stdout=log, stderr=log
    )
    try:
        for _ in range(120):
            try:
                urllib.request.urlopen(f"{root}/api")
                break
            except OSError:
                time.sleep(0.5)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            page = browser.new_page()
            page.goto(f"{root}/formgrader/?token=ours")
            yield page, f"{root}/formgrader"
            browser.close()
    finally:
        server.terminate()
        server.wait()


def opened(course, formgrader, name):
    """Open a student's notebook in formgrader."""
    page, root = formgrader
    with database(course) as book:
        place = (example_set.NAME, example_set.NAME, student(name))
        number = book.find_submission_notebook(*place).id
    page.goto(f"{root}/submissions/{number}")
    page.wait_for_load_state("networkidle")
    return page


def typed(page, question, text):
    """Type a mark, and wait until it is stored."""
    box = page.locator(f"#{question}")
    box.fill("")
    box.press_sequentially(text)
    with page.expect_response(lambda answer: "/api/grade/" in answer.url):
        box.press("Tab")


def test_a_person_marks_comments_and_takes_back_in_formgrader(course, formgrader):
    page = opened(course, formgrader, "Jo Fox")
    assert page.title() != "taken"
    assert "My proof: H maps constants to zero." in page.content()
    assert "cells or files were added elsewhere" in page.content()
    typed(page, "q4", "3.5")
    page.locator("#q4-comment").fill("It stands in your own cell.")
    with page.expect_response(lambda answer: "/api/comment/" in answer.url):
        page.locator("#q4-comment").press("Tab")
    place = ("q4", example_set.NAME, example_set.NAME, student("Jo Fox"))
    with database(course) as book:
        assert book.find_grade(*place).manual_score == 3.5
        assert book.find_comment(*place).manual_comment == "It stands in your own cell."
    page = opened(course, formgrader, "Jo Fox")
    typed(page, "q4", "2,5")  # in an English browser a comma is no sign of a number
    with database(course) as book:
        assert book.find_grade(*place).manual_score == 4
    typed(page, "q4", "")
    with database(course) as book:
        assert book.find_grade(*place).manual_score is None
    assert "q4" in marks(course)["Jo Fox"]["waiting"]


def test_an_unreadable_submission_gets_its_marks_in_formgrader(course, formgrader):
    page = opened(course, formgrader, "Hà Vo")
    assert "is a PDF, not a notebook" in page.content()
    for question, points in (("q1-gram-test", "4"), ("q2-points-test", "2")):
        typed(page, question, points)
    marked(course, "Hà Vo", q3_report=6, q4=0)
    assert marks(course)["Hà Vo"]["Grade"] == "12"


def test_feedback_is_there_for_all_who_handed_in(course):
    commented(course, "Ben Ode", "Why?")
    done(course, "generate_feedback", example_set.NAME, "--force")
    pages = {path.parent.parent.name: path for path in course.glob("feedback/*/*/*.html")}
    assert pages.keys() == {student(name) for name in NUMBERS if name != NEVER}
    text = pages[student("Ben Ode")].read_text("utf-8")
    assert "The factor -1/2 is missing" in text
    assert "Why?" in text
    assert "OPEN_TESTS" not in text
    assert len(text) < 600_000
