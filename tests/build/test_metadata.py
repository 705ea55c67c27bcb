"""Title, repository and address stand in one place, and everything follows."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from _ext.site_config import ROOT, read_address
from tools.sync_metadata import behind

pytestmark = pytest.mark.slow

OLD = read_address()
NEW = {
    "title": "Maps from Distances",
    "repository": {"url": "https://github.com/ada/maps-course", "branch": "trunk"},
    "site": "https://maps.example.org/spring/",
}
PAGES = ("preface", "running", "coverage", "01-similarity")
"""With these the copy is built: all pages that name the repository, and a notebook."""

TEXT = {".md", ".ipynb", ".html", ".cff", ".toml", ".yml", ".json", ".js", ".txt", ".xml"}
NOT_COPIED = shutil.ignore_patterns(
    ".git", ".venv", "_build", "__pycache__", ".*_cache", ".hypothesis", "*.egg-info"
)


def traces(folder):
    """Return the files of a folder that name the book's own title or address."""
    names = (OLD.title, OLD.owner_and_name, OLD.site, OLD.repository.rpartition("/")[2])
    found = []
    for path in folder.rglob("*"):
        made = {".jupyter_cache", "browser"} & set(path.parts)
        if path.suffix in TEXT and path.is_file() and not made:
            text = path.read_text("utf-8", errors="replace")
            found += [f"{path.relative_to(folder)}: {name}" for name in names if name in text]
    return found


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Return a copy of the book with other values, its files in step, and some pages built."""
    folder = tmp_path_factory.mktemp("copy") / "book"
    shutil.copytree(ROOT, folder, ignore=NOT_COPIED, symlinks=True)
    cache = "_build/.jupyter_cache"
    shutil.copytree(ROOT / cache, folder / cache)
    path = folder / "_config.yml"
    text = path.read_text("utf-8").replace(f"title: {OLD.title}\n", f"title: {NEW['title']}\n")
    text = text.replace(OLD.repository, NEW["repository"]["url"])
    text = text.replace(f"branch: {OLD.branch}", f"branch: {NEW['repository']['branch']}")
    path.write_text(text.replace(OLD.site, NEW["site"]), "utf-8")
    preface = folder / "chapters" / "preface.md"
    thumbs = re.compile(r'<a class="thumb.*?</a>', re.DOTALL)  # each needs its chapter built
    preface.write_text(thumbs.sub("", preface.read_text("utf-8")), "utf-8")
    listed = [{"file": f"chapters/{page}"} for page in PAGES[1:]]
    toc = {"format": "jb-book", "root": f"chapters/{PAGES[0]}", "chapters": listed}
    (folder / "_toc.yml").write_text(yaml.safe_dump(toc), "utf-8")
    environ = os.environ | {"PYTHONPATH": str(folder)}
    book = str(Path(sys.executable).with_name("jupyter-book"))
    for command in ([sys.executable, "-m", "tools.sync_metadata"], [book, "build", "-q", "."]):
        ran = subprocess.run(
            command, cwd=folder, env=environ, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stderr
    return folder


def test_files_are_in_step_with_the_one_place():
    assert list(behind(ROOT)) == []


def test_files_that_name_the_repository_name_this_one():
    for name in ("README.md", "CONTRIBUTING.md", "CITATION.cff", "pyproject.toml"):
        text = (ROOT / name).read_text("utf-8")
        places = set(re.findall(r"https://github\.com/[\w.-]+/[\w.-]+", text))
        assert places <= {OLD.repository}, name
        assert places or name == "README.md"


def test_a_copy_keeps_no_trace(copy):
    assert len(traces(ROOT / "chapters")) > 3
    assert traces(copy) == []


def test_a_copy_shows_its_own_values(copy):
    page = (copy / "_build" / "html" / "chapters" / "01-similarity.html").read_text("utf-8")
    url = NEW["repository"]["url"]
    wanted = [
        f"https://mybinder.org/v2/gh/ada/maps-course/{OLD.notebooks}?urlpath=lab/tree/chapters/",
        f"https://colab.research.google.com/github/ada/maps-course/blob/{OLD.notebooks}/chapters/",
        f"{url}/issues/new",
        f'<link rel="canonical" href="{NEW["site"]}chapters/01-similarity.html"',
        NEW["title"],
    ]
    assert [text for text in wanted if text not in page] == []
    notebook = (copy / "_build/html/notebooks/chapters/01-similarity.ipynb").read_text("utf-8")
    assert f"{url}/archive/refs/tags/{OLD.release}.tar.gz" in notebook
    assert f"{NEW['site']}chapters/" in notebook
    coverage = (copy / "_build" / "html" / "chapters" / "coverage.html").read_text("utf-8")
    assert f"{url}/blob/trunk/tests/faults/01.toml" in coverage
    citation = yaml.safe_load((copy / "CITATION.cff").read_text("utf-8"))
    assert (citation["title"], citation["url"]) == (NEW["title"], NEW["site"])


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("repository", {"url": "https://gitlab.com/ada/maps"}, "key repository"),
        ("repository", None, "key repository"),
        ("html", {"baseurl": "https://maps.example.org"}, "ends with a slash"),
    ],
)
def test_a_wrong_address_is_named(tmp_path, key, value, words):
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8")) | {key: value}
    (tmp_path / "_config.yml").write_text(yaml.safe_dump(config), "utf-8")
    with pytest.raises(ValueError, match=words):
        read_address(tmp_path)
