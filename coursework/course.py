"""Course folders for nbgrader, and nbgrader's configuration in them."""

import os
import secrets
import shutil
import sys
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook
from traitlets.config.loader import PyFileConfigLoader

from coursework.sets import REFERENCE_DIR, SETS_DIR, SetError, load_set, set_names
from coursework.student_version import embed_data, npz_bytes

CONFIG = '''"""Your settings of this course. See also: nbgrader generate_config.

Keep nbgrader_config.json, which makes nbgrader confine and grade the submissions.
"""

import json
import sys
from pathlib import Path

c = get_config()
c.CourseDirectory.root = str(Path(__file__).parent)
c.Grader.seed = {seed}

try:
    json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
except (OSError, ValueError) as error:
    sys.exit(f"nbgrader_config.json cannot be read, so nothing was done: {{error}}")
'''
# In JSON and by name: nbgrader ignores a Python file that raises an exception, but stops at a name
# that it cannot import. Without the seed, which is in the Python file, nothing is graded. If both
# files are damaged, nbgrader finds no submissions, because it looks for a folder `submitted`.
PLUGINS = Path(__file__).with_name("nbgrader_config.json")


def create_course(folder: Path, sets: Path = SETS_DIR, seed: int | None = None) -> int:
    """Write a course, or add missing sets to one that exists; its sets and seed stay unchanged.

    Return the seed, drawn at random if not given and stored in ``nbgrader_config.py``.
    """
    config = folder / "nbgrader_config.py"
    path = folder.resolve()
    if {*str(path)} & {*"*?[]{}"}:
        raise SetError(f"nbgrader finds no files in {path}. Choose a path without * ? [ ] {{ }}.")
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(PLUGINS, folder)  # before nbgrader_config.py is loaded, which reads it
    if config.is_file():  # a course keeps its seed
        seed = _stored_seed(config)
    elif seed is None:
        seed = secrets.randbelow(10**18)  # too many seeds to try one by one
    for name in set_names(sets):
        if not (folder / "source" / name).exists():
            _add_set(folder, name, sets, seed)
    if not config.is_file():
        config.write_text(CONFIG.format(seed=seed), "utf-8")
    # Masters, seeds and submissions must not be published by accident.
    (folder / ".gitignore").write_text("*\n")
    # nbgrader runs the program alembic, which is in the folder of Python, for a new database.
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with Gradebook(f"sqlite:///{path / 'gradebook.db'}") as book:
        for name in set_names(sets):
            book.update_or_create_assignment(name)
    return seed


def _stored_seed(config: Path) -> int:
    """Return the seed in a course's ``nbgrader_config.py``, as nbgrader reads it."""
    try:
        settings = PyFileConfigLoader(str(config.resolve())).load_config()
    except Exception as error:
        raise SetError(f"{config} cannot be loaded ({error!r}). Correct it.") from error
    seed = settings.Grader.get("seed")
    if not isinstance(seed, int):
        raise SetError(
            f"{config} gives the seed {seed!r}, which is not an integer. Write into it the line "
            "c.Grader.seed = SEED with the seed of the existing sets, or create a new course."
        )
    return seed


def _add_set(folder: Path, name: str, sets: Path, seed: int) -> None:
    """Write the master, the data and the reference of a set into a course."""
    set_ = load_set(name, sets)
    master = set_.master()
    data = set_.reference.data(seed)
    embed_data(master, data)
    # A random tag identifies submissions of this course; it reveals nothing about the seed.
    master.metadata["coursework"]["seed_tag"] = secrets.token_hex(8)
    source = folder / "source" / name
    source.mkdir(parents=True)
    references = folder / REFERENCE_DIR
    references.mkdir(exist_ok=True)
    nbformat.write(master, source / f"{name}.ipynb")
    (source / "data.npz").write_bytes(npz_bytes(data))
    shutil.copy(set_.path / "reference.py", references / f"{name}.py")
