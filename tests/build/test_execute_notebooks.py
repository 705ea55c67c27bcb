"""A chapter is run again when, and only when, something that it imports has changed."""

import json
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest

from tools import execute_notebooks

MODULES = {
    "kmds_lib/__init__.py": "from kmds_lib.maps import draw\nfrom kmds_lib._smacof import fit\n",
    "kmds_lib/maps.py": "from ._fast import panels\nfrom .datasets import load\n",
    "kmds_lib/stress/__init__.py": "from kmds_lib._smacof.descent import fit\n",
    "kmds_lib/stress/descent.py": "def fit(): ...\n",
    "kmds_lib/_fast/__init__.py": "from kmds_lib._fast.panels import panels\n",
    "kmds_lib/_fast/panels.py": "def panels(): ...\n",
    "kmds_lib/datasets.py": 'FOLDER = "data"\n',
    "kmds_lib/data/roads.csv": "1, 2\n",
    "kmds_figures/__init__.py": "",
    "kmds_figures/explorer.py": "from kmds_lib import fit\n",
    "kmds_figures/explorer.js": "export default {}\n",
    "requirements.txt": "numpy==2\n",
}


@pytest.fixture
def book(tmp_path):
    """Write a small book and return its folder."""
    for name, text in MODULES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (tmp_path / "chapters").mkdir()
    yield tmp_path
    execute_notebooks.parsed.cache_clear()


def chapter(book, *cells):
    """Write a chapter of some code cells."""
    path = book / "chapters" / "chapter.ipynb"
    cells = [nbformat.v4.new_code_cell(cell) for cell in cells]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def changed_by(book, code, name):
    """Tell whether the digest of a chapter changes with a file."""
    path = chapter(book, "%matplotlib inline\nimport numpy", code)
    before = execute_notebooks.digest(book, path)
    with (book / name).open("a") as file:
        file.write("\n")
    execute_notebooks.parsed.cache_clear()
    return execute_notebooks.digest(book, path) != before


DRAW, FIT, WHOLE = "from kmds_lib import draw", "from kmds_lib import fit", "import kmds_lib"
EXPLORER = "from kmds_figures import explorer"


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (DRAW, "kmds_lib/maps.py"),
        (DRAW, "kmds_lib/_fast/panels.py"),
        (DRAW, "kmds_lib/data/roads.csv"),
        (DRAW, "requirements.txt"),
        (FIT, "kmds_lib/stress/descent.py"),
        (EXPLORER, "kmds_lib/stress/descent.py"),
        ("import kmds_figures.explorer as e", "kmds_figures/explorer.py"),
        ("def late():\n    from kmds_lib._smacof import fit", "kmds_lib/stress/descent.py"),
        (WHOLE, "kmds_lib/maps.py"),
        (WHOLE, "kmds_lib/data/roads.csv"),
        ("from kmds_lib import *", "kmds_lib/stress/descent.py"),
    ],
)
def test_what_a_chapter_rests_on_counts(book, code, name):
    assert changed_by(book, code, name)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (FIT, "kmds_lib/maps.py"),
        (FIT, "kmds_lib/data/roads.csv"),
        (DRAW, "kmds_lib/stress/descent.py"),
        (EXPLORER, "kmds_figures/explorer.js"),
        ("import numpy", "kmds_lib/maps.py"),
    ],
)
def test_what_it_does_not_rest_on_does_not(book, code, name):
    assert not changed_by(book, code, name)


class Cache:
    """A cache that holds records of chapters by the path of each."""

    def __init__(self, *paths):
        self.records = [SimpleNamespace(pk=pk, uri=str(path)) for pk, path in enumerate(paths)]

    def list_cache_records(self):
        """Return all records."""
        return list(self.records)

    def remove_cache(self, pk):
        """Drop a record."""
        self.records = [record for record in self.records if record.pk != pk]


def test_records_and_doctree_of_a_changed_chapter_go(book, monkeypatch):
    monkeypatch.setattr(execute, "ROOT", book)
    monkeypatch.setattr(execute, "BUILD", book / "_build")
    monkeypatch.setattr(execute, "CACHE", book / "_build")
    doctree = book / "_build" / ".doctrees" / "chapters" / "chapter.doctree"
    doctree.parent.mkdir(parents=True)
    path = chapter(book, FIT)
    other = shutil.copy(path, path.with_name("other.ipynb"))
    chapter(book, DRAW)
    execute_notebooks.drop_stale(Cache(), [path, other])

    doctree.touch()
    cache = Cache(Path("/where/the/folder/was", path.name), other)
    execute_notebooks.drop_stale(cache, [path, other])
    assert len(cache.records) == 2
    assert doctree.exists()

    (book / "kmds_lib" / "maps.py").write_text("def draw(): ...\n", "utf-8")
    execute_notebooks.parsed.cache_clear()
    execute_notebooks.drop_stale(cache, [path, other])
    assert [record.uri for record in cache.records] == [str(other)]
    assert not doctree.exists()
    assert set(json.loads((book / "_build" / "imports.json").read_text())) == {"chapter", "other"}


def test_a_kernel_that_ends_before_it_answers_is_begun_again(tmp_path, monkeypatch):
    """Another program may take its port between choice and use; once is no error."""
    begin = f'[ -f {tmp_path}/again ] && exec {sys.executable} -m ipykernel_launcher -f "$0"'
    argv = ["sh", "-c", f"{begin}; touch {tmp_path}/again; exit 1", "{connection_file}"]
    folder = tmp_path / "kernels" / "unlucky"
    folder.mkdir(parents=True)
    spec = {"argv": argv, "display_name": "unlucky", "language": "python"}
    (folder / "kernel.json").write_text(json.dumps(spec), "utf-8")
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    cells = [nbformat.v4.new_markdown_cell("# Title"), nbformat.v4.new_code_cell("print(2)")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    execute_notebooks.run(notebook, kernel_name="unlucky")
    assert notebook.cells[1].outputs[0].text == "2\n"
