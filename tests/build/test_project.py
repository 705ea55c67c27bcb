"""Files that repeat the same information agree, and the library imports no heavy packages."""

import os
import re
import shutil
import subprocess
import sys
import tomllib

import pytest
import yaml

from _ext.site_config import ROOT, read_pins, read_site_config
from tools import npm_packages
from tools.sync_metadata import outdated_files, replace_values

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SITE = read_site_config()
NEW_CONFIG = {
    "title": "Maps from Distances",
    "repository": {"url": "https://github.com/ada/maps-course", "branch": "trunk"},
    "html": {"baseurl": "https://maps.example.org/spring/"},
}
NOT_COPIED = shutil.ignore_patterns(
    ".*", "_build", "__pycache__", "bundles", "coursework", "dist", "node_modules", "tests"
)


def package_name(requirement):
    """Return the name of a package without version and extras."""
    return re.split(r"[<>=\[]", requirement)[0]


def test_binder_pins_agree_with_the_root():
    assert read_pins("binder/requirements.txt").items() <= read_pins("requirements.txt").items()
    imported = map(package_name, PROJECT["optional-dependencies"]["notebooks"])
    needed = {*imported, "ipykernel", "jupyterlab", "numpy", "scipy"}
    assert set(read_pins("binder/requirements.txt")) == needed


def test_every_extra_is_pinned():
    extras = PROJECT["optional-dependencies"].values()
    names = {package_name(text) for extra in extras for text in extra}
    assert names - {"kmds_lib"} <= set(read_pins("requirements.txt"))


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


def test_metadata_is_in_sync_with_config():
    assert list(outdated_files(ROOT)) == []
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == PROJECT["version"]


def test_sync_metadata_replaces_title_and_addresses(tmp_path):
    """Check that a fork with another title and address does not contain those of this book."""
    folder = tmp_path / "book"
    shutil.copytree(ROOT, folder, ignore=NOT_COPIED)
    path = folder / "_config.yml"
    old = (SITE.title, SITE.repository, SITE.site)
    config = yaml.safe_load(path.read_text("utf-8")) | NEW_CONFIG
    path.write_text(yaml.safe_dump(config), "utf-8")
    for outdated, text in outdated_files(folder).items():
        outdated.write_text(text, "utf-8")
    new = read_site_config(folder)
    for file in filter(os.path.isfile, folder.rglob("*")):
        if file.suffix in {".cff", ".css", ".html", ".ipynb", ".js", ".md", ".py", ".toml"}:
            text = file.read_text("utf-8")
            assert replace_values(text, old, new) == text, file.relative_to(folder)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("repository", {"url": "https://gitlab.com/ada/maps"}, "key repository"),
        ("repository", None, "key repository"),
        ("html", {"baseurl": "https://maps.example.org"}, "ends with a slash"),
    ],
)
def test_invalid_site_config_is_refused(tmp_path, key, value, message):
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8")) | {key: value}
    (tmp_path / "_config.yml").write_text(yaml.safe_dump(config), "utf-8")
    with pytest.raises(ValueError, match=message):
        read_site_config(tmp_path)


def test_reason_for_a_failure_of_npm_is_shown(monkeypatch, tmp_path):
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\necho no such version >&2\nexit 1\n")
    npm.chmod(0o755)
    monkeypatch.setattr(npm_packages, "NPM", npm)
    with pytest.raises(SystemExit, match=r"esbuild@0\.0\.1:\nno such version"):
        npm_packages.fetch("esbuild", "0.0.1", [])


def test_skipped_tests_are_listed_and_fail_on_ci(tmp_path):
    path = tmp_path / "test_skip.py"
    path.write_text("import pytest\n\n\ndef test_page():\n    pytest.skip('no such browser')\n")
    command = [sys.executable, "-m", "pytest", "-c", "pyproject.toml", "-p", "conftest", path]
    environment = os.environ | {"CI": "true"}
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert run.stdout.splitlines()[-1] == "1 tests were skipped: no such browser"
    assert run.returncode == pytest.ExitCode.TESTS_FAILED
