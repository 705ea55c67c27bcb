"""The commands of the instructors' page in a new environment, from the folder of a course."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import time

import nbformat
import pytest

from _ext.site_config import ROOT
from tests.coursework.example_set import HAS_BUBBLEWRAP
from tests.coursework.nbgrader_commands import exported_rows

pytestmark = pytest.mark.slow

SET = "1-spectra"
# Variables that a teacher's terminal does not have.
HIDDEN = ("CONDA", "JUPYTER", "PYTHON", "UV_PROJECT", "VIRTUAL_ENV")


def test_commands_of_the_page_work_in_a_new_environment(tmp_path):
    programs, course = tmp_path / "environment" / "bin", tmp_path / "my-course"
    environment = {key: text for key, text in os.environ.items() if not key.startswith(HIDDEN)}
    environment |= {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-m", "venv", programs.parent], env=environment, check=True)
    folder, verbs = ROOT, []
    page = (ROOT / "chapters" / "instructors.md").read_text("utf-8")
    blocks = re.findall(r"^```bash\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    for command in "".join(blocks).splitlines():
        program, *arguments = shlex.split(command.replace("../my-course", str(course)))
        verbs.append(program if program != "nbgrader" else arguments[0])
        if program == "cd":
            folder = course
            continue
        if "autograde" in arguments and not HAS_BUBBLEWRAP:
            arguments.append("--Grader.without_bubblewrap=True")
        if "zip_collect" in arguments:
            submit_model_answers(course)
        started = time.monotonic()
        ended = subprocess.run(
            [shutil.which(program, path=programs), *arguments],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        print(f"{time.monotonic() - started:6.1f} s  {command}\n{ended.stdout}{ended.stderr}")
        assert ended.returncode == 0, ended.stderr[-3000:]
    nbgrader = ["generate_assignment", "zip_collect", "autograde", "generate_feedback", "export"]
    assert verbs == ["pip", "python", "cd", *nbgrader]
    assert (course / "feedback" / "Anna Li_12" / SET / f"{SET}.html").is_file()
    row = exported_rows(course, SET)["Anna Li"]
    assert (row["automatic"], row["Grade"]) == ("16", "")  # the rest is marked by hand


def submit_model_answers(course):
    """Put a class archive into a course, in which one student hands in the model answers."""
    answers = nbformat.read(course / "source" / SET / f"{SET}.ipynb", as_version=4)
    folder = course / "downloaded" / SET / "archive" / "Anna Li_12_assignsubmission_file"
    folder.mkdir(parents=True)
    nbformat.write(answers, folder / f"{SET}.ipynb")
