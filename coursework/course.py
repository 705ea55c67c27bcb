"""Lay down a course as nbgrader knows it, and configure nbgrader for it.

From then on every command is nbgrader's own, given in the folder of the course:
``generate_assignment``, ``zip_collect``, ``autograde``, ``generate_feedback``, ``export``, and
formgrader in JupyterLab.
"""

import os
import re
import secrets
import shutil
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.api import Gradebook
from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import AssignLatePenalties, GetGrades

from coursework import autograde, collect, export, feedback, release
from coursework.sets import REFERENCE_DIR, SETS_DIR, SetError, load_set, set_names
from coursework.student import embed_data, npz_bytes

CONFIG = '''"""nbgrader's configuration of this course. More of it: nbgrader generate_config."""

from pathlib import Path

from coursework.course import configure

c = get_config()
configure(c, Path(__file__).parent, seed={seed})
'''
SEED_BOUND = 10**18  # seeds that nobody can try one by one


def configure(c: Any, folder: Path, seed: int) -> None:
    """Put the judge, and what guards it, in their places in nbgrader's configuration `c`."""
    c.CourseDirectory.root = str(folder.resolve())
    c.Judge.seed = seed
    c.GenerateAssignment.preprocessors = [
        *GenerateAssignment.preprocessors.default(),
        release.CheckRelease,
    ]
    c.ZipCollectApp.extractor_plugin = collect.Extractor
    c.ZipCollectApp.collector_plugin = collect.Collector
    c.Autograde.exporter_class = autograde.SubmissionExporter
    c.Autograde.sanitize_preprocessors = []
    c.Autograde.autograde_preprocessors = [
        autograde.Judge,
        autograde.SaveGrades,
        AssignLatePenalties,
    ]
    c.GenerateFeedback.exporter_class = feedback.Feedback
    c.GenerateFeedback.preprocessors = [GetGrades]
    c.HTMLExporter.filters = {"markdown2html": feedback.safe_markdown}
    c.ExportApp.plugin_class = export.GradeExporter


def create_course(folder: Path, sets: Path = SETS_DIR, seed: int | None = None) -> int:
    """Write a course, or put sets into one that lack there; what stands in it stays as it is.

    The returned seed, drawn at random if not given, stays in ``nbgrader_config.py``.
    """
    config = folder / "nbgrader_config.py"
    folder.mkdir(parents=True, exist_ok=True)
    if config.is_file():
        known = re.search(r"seed=(\d+)", config.read_text("utf-8"))
        if known is None or (seed is not None and seed != int(known[1])):
            raise SetError(f"{folder} is a course of another seed, which {config.name} names.")
        seed = int(known[1])
    elif seed is None:
        seed = secrets.randbelow(SEED_BOUND)
    elif seed < 0:
        raise SetError(f"The seed {seed} is below 0.")
    for name in set_names(sets):
        if not (folder / "source" / name).exists():
            _add_set(folder, name, sets, seed)
    if not config.is_file():
        config.write_text(CONFIG.format(seed=seed), "utf-8")
    # Masters, seeds and students' work are nobody's but the teacher's.
    (folder / ".gitignore").write_text("*\n")
    # nbgrader calls the program alembic by name for a new database; it stands beside Python.
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with Gradebook(f"sqlite:///{(folder / 'gradebook.db').resolve()}") as book:
        for name in set_names(sets):
            book.update_or_create_assignment(name)
    return seed


def _add_set(folder: Path, name: str, sets: Path, seed: int) -> None:
    set_ = load_set(name, sets)
    master, data = set_.master(), set_.reference.data(seed)
    embed_data(master, data)
    # By it a submission of this course is told from others. It says nothing about the seed.
    master.metadata["coursework"]["seed_tag"] = secrets.token_hex(8)
    source, references = folder / "source" / name, folder / REFERENCE_DIR
    source.mkdir(parents=True)
    references.mkdir(exist_ok=True)
    nbformat.write(master, source / f"{name}.ipynb")
    (source / "data.npz").write_bytes(npz_bytes(data))
    shutil.copy(set_.path / "reference.py", references / f"{name}.py")
