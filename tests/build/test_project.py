"""What is written down twice, because tools ask for it, agrees."""

import importlib
import inspect
import os
import pkgutil
import re
import subprocess
import sys
import tomllib

import nbformat
import pytest
import yaml

import kmds_lib
from kmds_lib.kernels import Kernel
from tools.chapters import CHAPTERS, ROOT, canonical, unstable_text

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


def test_what_messages_tell_to_install_is_an_extra():
    texts = [path.read_text("utf-8") for path in sorted(ROOT.glob("kmds_*/**/*.py"))]
    told = set(re.findall(r'pip install "kmds_lib\[(\w+)\]"', "\n".join(texts)))
    assert told == {"scale", "sklearn", "unfolding"}
    assert told <= set(PROJECT["optional-dependencies"])


def test_citation_has_the_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == PROJECT["version"]


def test_the_library_gives_what_people_call_and_modules_give_the_rest():
    """Results and warnings come out of calls; kernels of one's own need two classes more."""
    given = [getattr(kmds_lib, name) for name in kmds_lib.__all__]
    bases = {kmds_lib.Definiteness, kmds_lib.Kernel}
    kernels = {each for each in given if inspect.isclass(each) and issubclass(each, Kernel)}
    assert {each for each in given if not inspect.isfunction(each)} == kernels | bases
    for module in pkgutil.walk_packages(kmds_lib.__path__, "kmds_lib."):
        found = importlib.import_module(module.name)
        assert all(hasattr(found, name) for name in getattr(found, "__all__", ()))


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


def fault_of_form(path, text):
    """Return a sentence if a chapter is not in the form that is committed, and what mends it."""
    notebook = nbformat.reads(text, as_version=4)
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    in_order = counts == list(range(1, len(counts) + 1))
    if in_order and nbformat.writes(canonical(notebook)) == text.rstrip("\n"):
        return None
    name = path.relative_to(ROOT)
    return f"{name} is not stored as the tool stores it: run make chapters FILE={name}"


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.name)
def test_chapter_is_stored_as_the_tool_stores_it(path):
    assert fault_of_form(path, path.read_text("utf-8")) is None


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.name)
def test_chapter_prints_what_another_machine_repeats(path):
    cells = nbformat.read(path, as_version=4).cells
    assert [text for cell in cells for text in unstable_text(cell.get("outputs", []))] == []


@pytest.mark.parametrize(
    "text",
    [
        "off by 0.00000000, tolerated 1e-6",
        "[1.5 -0.00]",
        "[ 1. -0.]",
        "gap 2.3e-16",
        "<Kernel at 0x7f3a5c1d>",
        "/home/ada/book",
    ],
)
def test_what_another_machine_would_not_repeat_is_refused(text):
    assert unstable_text([{"text": text}])


@pytest.mark.parametrize("text", ["0.000123", "1.0000000", "-0.05", "1e-05", "10-0 up", "0.00"])
def test_what_every_machine_repeats_is_not_refused(text):
    assert not unstable_text([{"text": text}])


def test_a_typo_mended_in_an_editor_passes_and_what_jupyter_leaves_is_named():
    path = CHAPTERS[0]
    text = path.read_text("utf-8")
    assert fault_of_form(path, text.replace(" the ", " teh ", 1)) is None
    left = text.replace('"metadata": {}', '"metadata": {"scrolled": true}', 1)
    assert f"make chapters FILE=chapters/{path.name}" in fault_of_form(path, left)


def test_what_was_skipped_is_said_in_the_last_line_and_fails_on_a_build_server(tmp_path):
    path = tmp_path / "test_some.py"
    path.write_text("import pytest\n\n\ndef test_page():\n    pytest.skip('no such browser')\n")
    command = [sys.executable, "-m", "pytest", "-c", "pyproject.toml", "-p", "conftest", path]
    for server, ending in (("", 0), ("true", 1)):
        run = subprocess.run(
            command, cwd=ROOT, env=os.environ | {"CI": server}, capture_output=True, text=True
        )
        assert run.stdout.splitlines()[-1] == "1 tests were skipped: no such browser"
        assert run.returncode == ending
