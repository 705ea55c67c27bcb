"""Files that repeat the same information agree, and the library imports no heavy packages."""

import os
import re
import subprocess
import sys
import tomllib

import pytest
import yaml

from _ext.site_config import ROOT, listed_packages, read_pins, read_site_config

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SITE = read_site_config()
WITH_ADDRESS = (
    "CONTRIBUTING.md",
    "pyproject.toml",
    "chapters/preface.md",
    "chapters/running.md",
    "kmds_figures/laboratory/__init__.py",
)
# Where named paths begin: at the root, or in the folder that the text describes.
FOLDERS = ("", "_ext/", "coursework/**/", "kmds_*/**/", "tests/*/", "web/src/**/")


def package_name(requirement):
    """Return the name of a package without version and extras."""
    return re.split(r"[<>=\[]", requirement)[0]


def test_binder_pins_agree_with_the_root():
    assert read_pins("binder/requirements.txt").items() <= read_pins("requirements.txt").items()
    imported = map(package_name, PROJECT["optional-dependencies"]["notebooks"])
    needed = {*imported, "ipykernel", "jupyterlab", "numpy", "scipy"}
    assert set(read_pins("binder/requirements.txt")) == needed


def test_every_listed_package_is_pinned():
    assert set(listed_packages()) <= set(read_pins("requirements.txt"))


def test_every_extra_is_pinned():
    extras = PROJECT["optional-dependencies"].values()
    names = {package_name(text) for extra in extras for text in extra}
    assert names - {"kmds_lib"} <= set(read_pins("requirements.txt"))


def test_versions_of_python_agree():
    version = (ROOT / ".ci" / "python-version").read_text("utf-8").strip()
    assert PROJECT["requires-python"] == f">={version}"
    assert (ROOT / "binder" / "runtime.txt").read_text("utf-8").strip() == f"python-{version}"
    for path in ("README.md", "CONTRIBUTING.md", "chapters/running.md", "chapters/coursework.md"):
        assert f"Python {version} or later" in (ROOT / path).read_text("utf-8"), path


def test_error_messages_name_existing_extras():
    text = "\n".join(path.read_text("utf-8") for path in ROOT.glob("kmds_*/**/*.py"))
    named = set(re.findall(r'pip install "kmds_lib\[(\w+)\]"', text))
    assert named
    assert named <= set(PROJECT["optional-dependencies"])


def test_library_does_not_import_optional_packages():
    program = (
        "import sys, kmds_lib; kmds_lib.results.StressResult; "
        "print(*{name.split('.')[0] for name in sys.modules})"
    )
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    modules = set(run.stdout.split())
    assert "numpy" in modules
    optional = {"anywidget", "cvxpy", "ipywidgets", "matplotlib", "pandas", "PIL", "sklearn"}
    assert not modules & optional


def test_fast_code_imports_only_the_lowest_modules():
    bottom = ["_types", "_rounding", "_messages"]
    folder = ROOT / "kmds_lib"
    for path in [*folder.glob("_fast/*.py"), *(folder / f"{name}.py" for name in bottom)]:
        allowed = {"_fast", *bottom} if path.parent.name == "_fast" else {"_types"}
        text = path.read_text("utf-8")
        assert {*re.findall(r"^ *(?:from|import) (?:kmds_lib|\.)\W*(\w*)", text, re.M)} <= allowed


def test_scripts_import_only_lower_layers():
    source = ROOT / "web" / "src"
    laboratory = [f"laboratory/{name}" for name in ("reading", "fitting", "map", "page")]
    layers = ["core", "ui", "explorers", *laboratory, "laboratory", "pages"]
    for path in source.glob("*/**/*.ts"):
        layer = path.parent.relative_to(source).as_posix()
        type_only = 'import type { Laboratory } from "../laboratory.ts";'
        text = path.read_text("utf-8").replace(type_only, "")
        named = re.findall(r'(?:from|import) ?\(?"(\.[^"]+)"', text)
        folders = {(path.parent / name).resolve().parent for name in named}
        imported = {folder.relative_to(source).as_posix() for folder in folders}
        assert imported <= set(layers[: layers.index(layer) + 1]), path
        assert "explorers" not in imported or "laboratory" not in layer, path


def test_title_repository_address_and_version_agree():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert (citation["title"], citation["repository-code"]) == (SITE.title, SITE.repository)
    assert (citation["url"], citation["version"]) == (SITE.site, PROJECT["version"])
    assert SITE.title in (ROOT / "README.md").read_text("utf-8")
    for path in WITH_ADDRESS:
        assert SITE.repository in (ROOT / path).read_text("utf-8"), path


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "MAINTAINING.md"])
def test_named_paths_exist(page):
    path = r"`(?!_build/|conf.py)(\w[\w.*/-]*/[\w.*-]+|\w[\w-]*\.(?:css|md|py|ts))`"
    named = set(re.findall(path, (ROOT / page).read_text("utf-8")))
    assert len(named) > 20
    for name in named:
        pattern = re.sub("NAME|SET|NN-name", "*", name)
        assert any(any(ROOT.glob(folder + pattern)) for folder in FOLDERS), name


def test_skipped_tests_are_listed_and_fail_on_ci(tmp_path):
    path = tmp_path / "test_skip.py"
    path.write_text("import pytest\n\n\ndef test_page():\n    pytest.skip('no such browser')\n")
    command = [sys.executable, "-m", "pytest", "-c", "pyproject.toml", "-p", "conftest", path]
    environment = os.environ | {"CI": "true"}
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert run.stdout.splitlines()[-1] == "1 tests were skipped: no such browser"
    assert run.returncode == pytest.ExitCode.TESTS_FAILED
