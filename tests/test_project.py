"""What is written down twice, because tools ask for it, agrees."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest
import yaml

import kmds_lib
from tools.chapters import CHAPTERS, canonical

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def pins(path):
    """Return name -> version of a requirements file, in which each line is a pin."""
    lines = (ROOT / path).read_text("utf-8").splitlines()
    wanted = [line for line in lines if line and not line.startswith("#")]
    return dict(line.split("==") for line in wanted)


def test_binder_has_the_pins_of_the_root():
    assert pins("binder/requirements.txt").items() <= pins("requirements.txt").items()


def test_binder_has_what_notebooks_need():
    needed = {*PROJECT["optional-dependencies"]["notebooks"], "numpy", "scipy"}
    assert set(pins("binder/requirements.txt")) == needed


def test_every_extra_is_pinned():
    names = {
        re.split(r"[<>=\[]", name)[0]
        for extra in PROJECT["optional-dependencies"].values()
        for name in extra
    }
    assert names - {"kmds_lib"} <= set(pins("requirements.txt"))


def test_oldest_versions_are_tested():
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8")
    for bound in PROJECT["dependencies"]:
        assert f'"{bound.replace(">=", "==")}.*"' in workflow


def test_citation_has_the_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == PROJECT["version"]


def test_the_library_imports_nothing_but_numpy_and_scipy():
    program = "import sys, kmds_lib; print(sorted({name.split('.')[0] for name in sys.modules}))"
    found = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert "'numpy'" in found
    for heavy in ("matplotlib", "sklearn", "pandas", "ipywidgets", "anywidget", "PIL"):
        assert f"'{heavy}'" not in found


def test_no_function_hides_a_module():
    for name in (path.stem for path in (ROOT / "kmds_lib").glob("*.py")):
        assert name not in kmds_lib.__all__, name


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.name)
def test_chapter_is_stored_as_the_tool_stores_it(path):
    text = path.read_text("utf-8")
    notebook = nbformat.reads(text, as_version=4)
    assert nbformat.writes(canonical(notebook)) == text.rstrip("\n")
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))
