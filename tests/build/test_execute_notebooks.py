"""A chapter is executed again if, and only if, something that it imports has changed."""

import json
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest

from tools import execute_notebooks

MODULES = {
    "kmds_lib/__init__.py": "from kmds_lib.maps import draw\nfrom kmds_lib.stress import fit\n",
    "kmds_lib/maps.py": "from ._fast import blocks\nfrom .datasets import load\n",
    "kmds_lib/stress/__init__.py": "from kmds_lib.stress.descent import fit\n",
    "kmds_lib/stress/descent.py": "def fit(): ...\n",
    "kmds_lib/_fast/__init__.py": "from kmds_lib._fast.blocks import blocks\n",
    "kmds_lib/_fast/blocks.py": "def blocks(): ...\n",
    "kmds_lib/datasets.py": 'FOLDER = "data"\n',
    "kmds_lib/data/roads.csv": "1, 2\n",
    "kmds_figures/__init__.py": "",
    "kmds_figures/explorer.py": "from kmds_lib import fit\n",
    "kmds_figures/explorer.js": "export default {}\n",
    "requirements.txt": "numpy==2\n",
}
DRAW, FIT = "from kmds_lib import draw", "from kmds_lib import fit"
EXPLORER = "from kmds_figures import explorer"


@pytest.fixture
def book(tmp_path):
    """Write a small book and return its folder."""
    for name, text in MODULES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (tmp_path / "chapters").mkdir()
    yield tmp_path
    execute_notebooks.parse.cache_clear()


def write_chapter(book, *cells):
    """Write a chapter with some code cells and return its path."""
    path = book / "chapters" / "chapter.ipynb"
    cells = [nbformat.v4.new_code_cell(cell) for cell in cells]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


@pytest.mark.parametrize(
    ("code", "name", "expected"),
    [
        (DRAW, "kmds_lib/maps.py", True),
        (DRAW, "kmds_lib/_fast/blocks.py", True),
        (DRAW, "kmds_lib/data/roads.csv", True),
        (DRAW, "requirements.txt", True),
        (DRAW, "kmds_lib/stress/descent.py", False),
        (FIT, "kmds_lib/stress/descent.py", True),
        (FIT, "kmds_lib/maps.py", False),
        (FIT, "kmds_lib/data/roads.csv", False),
        (EXPLORER, "kmds_lib/stress/descent.py", True),
        (EXPLORER, "kmds_figures/explorer.js", False),
        ("import kmds_figures.explorer as e", "kmds_figures/explorer.py", True),
        ("def late():\n    from kmds_lib.stress import fit", "kmds_lib/stress/descent.py", True),
        ("import kmds_lib", "kmds_lib/maps.py", True),
        ("from kmds_lib import *", "kmds_lib/stress/descent.py", True),
        ("import numpy", "kmds_lib/maps.py", False),
    ],
)
def test_digest_changes_with_dependencies_only(book, code, name, expected):
    path = write_chapter(book, "%matplotlib inline\nimport numpy", code)
    before = execute_notebooks.digest(book, path)
    with (book / name).open("a") as file:
        file.write("\n")
    execute_notebooks.parse.cache_clear()
    assert (execute_notebooks.digest(book, path) != before) is expected


class Cache:
    """A cache with one record for each of some paths."""

    def __init__(self, *paths):
        self.records = [SimpleNamespace(pk=pk, uri=str(path)) for pk, path in enumerate(paths)]

    def list_cache_records(self):
        return list(self.records)

    def remove_cache(self, pk):
        self.records = [record for record in self.records if record.pk != pk]


def test_records_and_doctrees_of_changed_chapters_are_deleted(book, monkeypatch):
    monkeypatch.setattr(execute_notebooks, "ROOT", book)
    monkeypatch.setattr(execute_notebooks, "BUILD", book / "_build")
    monkeypatch.setattr(execute_notebooks, "CACHE", book / "_build")
    doctree = book / "_build" / ".doctrees" / "chapters" / "chapter.doctree"
    doctree.parent.mkdir(parents=True)
    path = write_chapter(book, FIT)
    other = shutil.copy(path, path.with_name("other.ipynb"))
    write_chapter(book, DRAW)
    execute_notebooks.delete_stale_records(Cache(), [path, other])

    doctree.touch()
    cache = Cache(Path("/another/folder", path.name), other)
    execute_notebooks.delete_stale_records(cache, [path, other])
    assert len(cache.records) == 2
    assert doctree.exists()

    (book / "kmds_lib" / "maps.py").write_text("def draw(): ...\n", "utf-8")
    execute_notebooks.parse.cache_clear()
    execute_notebooks.delete_stale_records(cache, [path, other])
    assert [record.uri for record in cache.records] == [str(other)]
    assert not doctree.exists()


def test_kernel_that_dies_at_its_start_is_started_again(tmp_path, monkeypatch):
    """Simulate another program that takes the port of a kernel between choice and use."""
    start = '[ -f "$1" ] && exec "$2" -m ipykernel_launcher -f "$0"; touch "$1"; exit 1'
    argv = ["sh", "-c", start, "{connection_file}", str(tmp_path / "failed"), sys.executable]
    folder = tmp_path / "kernels" / "fails-once"
    folder.mkdir(parents=True)
    spec = {"argv": argv, "display_name": "fails once", "language": "python"}
    (folder / "kernel.json").write_text(json.dumps(spec), "utf-8")
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    cells = [nbformat.v4.new_markdown_cell("# Title"), nbformat.v4.new_code_cell("print(2)")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    execute_notebooks.execute_notebook(notebook, kernel_name="fails-once")
    assert notebook.cells[1].outputs[0].text == "2\n"
