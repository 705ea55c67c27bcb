"""What a reader on Binder gets: a fresh environment, JupyterLab on one processor, a browser."""

import json
import os
import subprocess
import sys

import pytest

from _ext.book_address import ROOT
from tests.doors.conftest import PORTABLE
from tools.binder import MEMORY_MB, REPORT, faults
from tools.chromium import find_chromium

IN_BROWSER = ("01", "03")
"""Opened and run in the browser here: frames to slide, points to drag. `make doors` opens all."""

WITHOUT = ("04", "11", "errata")
"""Run to their end without the browser. Of the others, which are slow and which the tests of the
chapters run anyway, every import is tried."""


@pytest.fixture(scope="module")
def report():
    """Install as Binder does, visit two notebooks in a browser, and try the others without."""
    if find_chromium() is None:
        reason = "no Chromium on this machine: install it to test the notebooks in JupyterLab"
        if os.environ.get("CI") or os.environ.get("REQUIRE_BROWSER"):
            pytest.fail(reason)
        pytest.skip(reason)
    # In a process of its own, because the browser of the other tests may run in this one.
    path = REPORT.with_stem("doors-quick")
    path.unlink(missing_ok=True)
    chosen = ["--only", *IN_BROWSER, "--quick", *WITHOUT, "--report", str(path)]
    subprocess.run([sys.executable, "-m", "tools.binder", *chosen], cwd=ROOT, check=False)
    return json.loads(path.read_text("utf-8"))


def test_every_notebook_finds_what_it_needs(report):
    run = [seen["notebook"] for seen in report["visits"] + report["quick"]]
    assert len(run) == len(IN_BROWSER + WITHOUT)
    assert sorted(run + report["imported"]) == sorted(f"{page}.ipynb" for page in PORTABLE)


def test_a_reader_misses_nothing(report):
    assert faults(report) == []
    assert all(seen["cells"] > 20 for seen in report["visits"])
    assert all(0 < seen["peak_mb"] < MEMORY_MB for seen in report["visits"])


def test_sliders_and_points_move(report):
    assert all(seen["slider"] for seen in report["visits"])
    assert any(seen["point"] for seen in report["visits"])
    assert not any(
        seen[what] is False for seen in report["visits"] for what in ("slider", "point")
    )


def test_faults_are_named():
    good = {"notebook": "a", "errors": [], "raw": [], "peak_mb": 500}
    assert faults({"visits": [good]}) == []
    bad = [good | {"errors": ["E: e"]}, good | {"raw": [":::"]}, good | {"peak_mb": 1500}]
    assert len(faults({"visits": bad})) == 3
