"""Buttons of the pages, the tag that is published, and the paths under it agree."""

import os
import re
import shutil
import subprocess
import sys
from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest
import yaml

from _ext.site_config import read_address
from tests.build.conftest import HTML, NOTEBOOKS, ROOT
from tools.portable import put_together

pytestmark = pytest.mark.slow

ADDRESS = read_address()
PUBLISH = yaml.safe_load((ROOT / ".github" / "workflows" / "pages.yml").read_text("utf-8"))
STEPS = PUBLISH["jobs"]["publish"]["steps"]
RUNS = [step.get("run", "") for step in STEPS]
(STORED,) = (place for place, run in enumerate(RUNS) if "git push" in run)
pages = pytest.mark.parametrize("page", NOTEBOOKS)


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """Return the folder that Binder and Colab open."""
    folder = tmp_path_factory.mktemp("release") / "portable"
    put_together(HTML / "notebooks", folder)
    return folder


def button(page, text):
    """Return the address behind a button of a page."""
    header = (HTML / f"{page}.html").read_text("utf-8")
    pattern = rf'<a href="([^"]+)"[^>]*>(?:(?!</a>).)*?{re.escape(text)}\s*</span>'
    links = re.findall(pattern, header[: header.index("<article")], re.DOTALL)
    assert len(links) == 1, (text, links)
    return links[0]


@pages
def test_buttons_open_a_notebook_of_the_tag(page, opened):
    repository, path = ADDRESS.owner_and_name, f"{page}.ipynb"
    assert nbformat.read(opened / path, as_version=4).cells
    binder = urlsplit(button(page, "Binder"))
    assert f"{binder.scheme}://{binder.netloc}" == "https://mybinder.org"
    assert binder.path == f"/v2/gh/{repository}/{ADDRESS.notebooks}"
    assert parse_qs(binder.query)["urlpath"] == [f"lab/tree/{path}"]
    colab = (
        f"https://colab.research.google.com/github/{repository}/blob/{ADDRESS.notebooks}/{path}"
    )
    assert button(page, "Colab") == colab
    download = (HTML / f"{page}.html").parent / button(page, ".ipynb")
    assert download.read_bytes() == (opened / path).read_bytes()


def test_binder_finds_what_it_installs(opened):
    for name in ("requirements.txt", "runtime.txt", "postBuild", "start"):
        assert (opened / "binder" / name).read_bytes() == (ROOT / "binder" / name).read_bytes()
    assert (opened / "binder" / "postBuild").stat().st_mode & 0o111
    assert (opened / "kmds_lib" / "__init__.py").is_file()
    assert not list(opened.rglob("__pycache__"))


def test_the_workflow_publishes_the_tag_that_the_buttons_open():
    assert PUBLISH[True]["push"]["tags"] == ["v*"]
    made = next(place for place, run in enumerate(RUNS) if run.startswith("make portable"))
    assert RUNS.index(".ci/run") < made < STORED
    assert STEPS[STORED]["working-directory"] == "_build/portable"
    assert PUBLISH["permissions"]["contents"] == "write"


def test_the_workflow_stores_what_the_buttons_open(opened, tmp_path):
    """Run the step itself, with a folder in the place of GitHub; twice, as after a failure."""
    hub = tmp_path / "hub.git"
    subprocess.run(["git", "init", "--quiet", "--bare", hub], check=True)
    environ = os.environ | {
        "TOKEN": "t",
        "GITHUB_ACTOR": "ada",
        "GITHUB_REPOSITORY": ADDRESS.owner_and_name,
        "GITHUB_REF_NAME": ADDRESS.release,
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{hub}.insteadOf",
        "GIT_CONFIG_VALUE_0": f"https://x-access-token:t@github.com/{ADDRESS.owner_and_name}",
    }
    work = tmp_path / "portable"
    shutil.copytree(opened, work)
    for _ in range(2):
        subprocess.run(
            ["bash", "-e"], input=RUNS[STORED], cwd=work, env=environ, text=True, check=True
        )
        shutil.rmtree(work / ".git")
    clone = ["git", "clone", "--quiet", "--branch", ADDRESS.notebooks, hub, tmp_path / "clone"]
    subprocess.run(clone, check=True, capture_output=True)
    for page in NOTEBOOKS:
        assert (tmp_path / "clone" / f"{page}.ipynb").is_file()
    assert os.access(tmp_path / "clone" / "binder" / "postBuild", os.X_OK)


def test_another_tag_is_refused():
    command = [sys.executable, "-m", "tools.portable", "--release", "v99.0"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert (
        f"The tag v99.0 is published, but pyproject.toml makes it {ADDRESS.release}." in ran.stderr
    )
