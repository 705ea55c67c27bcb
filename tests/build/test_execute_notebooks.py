"""Chapters are executed again if a module, a data file or a pinned version has changed."""

import json
import sys
from types import SimpleNamespace

import nbformat
import pytest

from tools import execute_notebooks

FILES = {
    "kmds_lib/stress.py": "def fit(): ...\n",
    "kmds_lib/data/roads.csv": "1, 2\n",
    "kmds_figures/explorers/explorer.py": "",
    "kmds_figures/bundles/explorer.js": "export default {}\n",
    "requirements.txt": "numpy==2\n",
}


@pytest.fixture
def book(tmp_path):
    """Write the files of a small book and return its folder."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path


class Cache:
    """A cache with one record for each of some paths."""

    def __init__(self, *paths):
        self.records = [SimpleNamespace(pk=pk, uri=str(path)) for pk, path in enumerate(paths)]

    def list_cache_records(self):
        return list(self.records)

    def remove_cache(self, pk):
        self.records = [record for record in self.records if record.pk != pk]


@pytest.mark.parametrize("name", FILES)
def test_a_change_in_all_files_but_scripts_deletes_records(book, monkeypatch, name):
    monkeypatch.setattr(execute_notebooks, "ROOT", book)
    monkeypatch.setattr(execute_notebooks, "CACHE", book)
    execute_notebooks.delete_stale_records(Cache())
    cache = Cache("chapter.ipynb")
    for change in ("", "\n"):
        with (book / name).open("a") as file:
            file.write(change)
        execute_notebooks.delete_stale_records(cache)
        assert bool(cache.records) is (not change or name.endswith(".js"))


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
