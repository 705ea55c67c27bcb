"""What a reader on Binder gets: a fresh environment, notebooks that run, one in JupyterLab."""

import subprocess
import sys

import pytest

from _ext.book_address import ROOT


@pytest.mark.slow
def test_notebooks_run_and_one_opens_as_on_binder(chromium):
    # In a process of its own, because the browser of the other tests runs in this one.
    command = [sys.executable, "-m", "tools.binder", "--run", "03", "errata", "--open", "04"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.count(" s\n") == 2
