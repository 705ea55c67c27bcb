"""Commands of nbgrader in a course with the example set."""

import csv
import multiprocessing
import os
import sys
import tempfile
import time
import warnings
from types import SimpleNamespace

from nbgrader.api import Gradebook
from nbgrader.apps.nbgraderapp import NbGraderApp

from coursework.course import create_course
from tests.coursework import example_set
from tests.coursework.example_set import HAS_BUBBLEWRAP, NAME, SEED

WITHOUT_BUBBLEWRAP = [] if HAS_BUBBLEWRAP else ["--Grader.without_bubblewrap=True"]
LOW_LIMITS = """
from coursework import autograde, sandbox

autograde.Grader.limits = sandbox.Limits(
    cell=4, cells=40, hidden_tests=30, memory=3000 * sandbox.MB, output=200_000
)
"""


def nbgrader(course, *arguments, **environment):
    """Run nbgrader in the folder of a course, in a fork, which saves its imports."""
    with tempfile.TemporaryFile("w+") as output:
        child = multiprocessing.get_context("fork").Process(
            target=_run_nbgrader, args=(course, arguments, environment, output.fileno())
        )
        child.start()
        child.join()
        output.seek(0)
        return SimpleNamespace(returncode=child.exitcode, stderr=output.read())


def _run_nbgrader(course, arguments, environment, output):
    os.chdir(course)
    os.environ |= environment
    time.tzset()
    warnings.resetwarnings()
    sys.stdout = sys.stderr = open(output, "w", buffering=1, closefd=False)  # noqa: SIM115
    NbGraderApp.launch_instance([*arguments])


def example_course(folder):
    """Create a course with the example set and low limits."""
    example_set.write(folder / "sets")
    course = folder / "course"
    create_course(course, folder / "sets", SEED)
    with (course / "nbgrader_config.py").open("a") as config:
        config.write(LOW_LIMITS)
    return course


def exported_rows(course, name=NAME):
    """Return the exported rows of a set by the names of the students."""
    with (course / f"grades-{name}.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["Full name"]: row for row in csv.DictReader(file)}


def database(course):
    """Return nbgrader's database."""
    return Gradebook(f"sqlite:///{course / 'gradebook.db'}")
